"""Tables I and II of Sebastiani et al. 2004, with the figures 8 to 11 that belong to them: search by partition, and without.

The verdicts are exact. The paper's numbers are curves in figures; what it says of them are claims here. A point is one engine on
one property of one model; experiments/sebastiani/README.md tells what the models and the engines are, and what was found.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Final

from coarsest.experiments.points import Outcomes, PaperClaim, PaperTable, Point, Word, number
from coarsest.experiments.sebastiani.models import CLAIMS, FAMILIES

MEASURE = "coarsest.experiments.sebastiani.engines:measure"
ENGINES = ("partitioned", "figures", "smc", "tableau", "tableau-top")
SIZES: Mapping[str, Sequence[int]] = MappingProxyType(
    {
        "dining": (2, 3, 4, 5, 6, 7, 8, 10, 12, 16, 20, 24, 32, 40, 48, 64),
        "mutex": (2, 4, 6, 8, 10, 12, 14, 16, 20, 24, 30, 40, 50, 60),
        "life": (2, 3, 4, 5, 6, 7, 8, 10, 12, 16, 20),
        "lift": (2, 3, 4, 5, 6, 8, 10, 12, 14, 16, 20, 24, 32, 40),
    }
)
GAPS = (("dining", "safety_holds"), ("mutex", "liveness_holds"), ("dining", "liveness_fails"), ("mutex", "liveness_fails"),
        ("life", "liveness_fails"))  # fmt: skip
"""Where the paper sees a gap that grows exponentially, and where we ask for a factor of at least `ENOUGH`."""
ENOUGH: Final = 5.0
QUICK_GAPS = {("mutex", "liveness_holds"): 8, ("dining", "liveness_fails"): 6}
"""Gaps that are there at small sizes already."""
CLOCK: Final = 0.001
"""Shorter times cannot be told from none."""


def row(family: str, claim: str, n: int) -> str:
    return f"{family} {n}, {claim.replace('_', ', ')}"


def _points(claims: Sequence[str]) -> Iterator[Point]:
    for family in FAMILIES:
        for claim in claims:
            for n in SIZES[family]:
                for engine in ENGINES:
                    verdict = claim.endswith("holds")
                    yield Point(
                        row=row(family, claim, n), column=engine, measure=MEASURE,
                        arguments={"family": family, "claim": claim, "engine": engine, "n": n},
                        expected={"holds": verdict}, paper={"holds": verdict} if family != "lift" else {},
                        series=f"{family} {claim} {engine}", quick=_is_quick(family, claim, engine, n),
                    )  # fmt: skip


def _is_quick(family: str, claim: str, engine: str, n: int) -> bool:
    """Two engines on the smallest models, and on those that show a gap."""
    return engine in ("partitioned", "tableau") and n in (SIZES[family][0], QUICK_GAPS.get((family, claim)))


def _gap(family: str, claim: str, slow: str, fast: str) -> PaperClaim:
    """At the largest N that both have done, or at which the slow one alone ran out of time."""

    def judge(outcomes: Outcomes) -> tuple[Word, str]:
        verdict: tuple[Word, str] = "unknown", "there is no N that both have done"
        for n in SIZES[family]:
            names = [f"{row(family, claim, n)}, {engine}" for engine in (slow, fast)]
            theirs, ours = (number(outcomes, name, "seconds") for name in names)
            late = outcomes.get(names[0])
            if ours is None:
                continue
            if theirs is not None:
                ratio = theirs / max(ours, CLOCK)
                verdict = "holds" if ratio >= ENOUGH else "fails", f"{ratio:.1f} times at N = {n}"
            elif late is not None and late.limit == "time" and late.seconds >= ENOUGH * ours:
                verdict = "holds", f"more than {late.seconds / max(ours, CLOCK):.1f} times at N = {n}"
        return verdict

    text = f"{family}, {claim.replace('_', ', ')}: {slow} takes at least {ENOUGH:g} times as long as {fast}"
    quick = (family, claim) in QUICK_GAPS and fast == "partitioned"
    return PaperClaim(f"{text} (the paper: an exponential gap)", judge, quick=quick)


def _table(name: str, title: str, ending: str) -> PaperTable:
    claims = [claim for claim in CLAIMS if claim.endswith(ending)]
    gaps = [gap for gap in GAPS if gap[1] in claims]
    return PaperTable(
        name=name,
        title=title,
        facts=("seconds", "peak_nodes"),
        points=tuple(_points(claims)),
        claims=tuple(_gap(*gap, "tableau", fast) for gap in gaps for fast in ("partitioned", "figures")),
        plots="coarsest.experiments.sebastiani.plots:plots",
        note="The lift is not in the paper. Where the paper sees a gap and we do not: experiments/sebastiani/README.md.",
    )


TABLES = (
    _table("1", "Table I, figures 8 and 10: properties that hold, partitioned and not", "holds"),
    _table("2", "Table II, figures 9 and 11: properties that fail, partitioned and not", "fails"),
)
