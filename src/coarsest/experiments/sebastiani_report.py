"""What was measured, as a Markdown table with the ratios, and as the plots of figures 8 to 11."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from msgspec import Struct

from coarsest.experiments.log_plot import log_plot
from coarsest.experiments.sebastiani_engines import Measured
from coarsest.experiments.sebastiani_models import CLAIMS

CLAIMED = frozenset(
    {
        ("dining", "safety_holds"), ("mutex", "liveness_holds"),
        ("dining", "liveness_fails"), ("mutex", "liveness_fails"), ("life", "liveness_fails"),
    }
)  # fmt: skip
"""Where the paper sees a gap that grows exponentially, and where we ask for a factor of at least `ENOUGH`."""
ENOUGH = 5.0
SHORTEST = 0.05
"""CPU seconds below which growth is not looked at: there, everything takes the same time."""


class Curve(Struct, frozen=True):
    """One engine on one property, over growing N; `ended` says why there is no further point."""

    family: str
    claim: str
    engine: str
    points: Mapping[int, Measured]
    ended: str

    @property
    def growth(self) -> float | None:
        """By which factor the time grows when N grows by 1, over the last points that took long enough to tell."""
        told = [(n, m.seconds) for n, m in self.points.items() if m.seconds >= SHORTEST][-3:]
        if len(told) < 2:
            return None
        (first, early), (last, late) = told[0], told[-1]
        return float((late / early) ** (1 / (last - first)))


CLOCK = 0.001
"""Shorter times cannot be told from none."""

BASES = ("partitioned", "figures")
"""The two that split sets: ours, and that of the paper."""


class Ratio(Struct, frozen=True):
    """Another engine against a partitioned one, at the largest N that both have done."""

    against: str
    n: int
    seconds: float
    searching: float | None
    """Of the time after building alone."""
    peak_nodes: float | None


def ratios(curves: Sequence[Curve], base_engine: str = "partitioned") -> list[Ratio]:
    """Of the curves of one property: those of the engines that do not split sets, against one that does."""
    (base,) = [curve for curve in curves if curve.engine == base_engine]
    found = []
    for curve in curves:
        shared = base.points.keys() & curve.points.keys()
        if curve.engine not in BASES and shared:
            ours, theirs = base.points[max(shared)], curve.points[max(shared)]
            searching = _factor(theirs.searching, ours.searching, least=CLOCK)
            nodes = _factor(theirs.peak_nodes, ours.peak_nodes, least=1)
            seconds = theirs.seconds / max(ours.seconds, CLOCK)
            found.append(Ratio(curve.engine, max(shared), seconds, searching, nodes))
    return found


def by_property(curves: Sequence[Curve]) -> Iterator[tuple[str, str, list[Curve]]]:
    for family in dict.fromkeys(curve.family for curve in curves):
        for claim in CLAIMS:
            chosen = [curve for curve in curves if (curve.family, curve.claim) == (family, claim)]
            if chosen:
                yield family, claim, chosen


def markdown(curves: Sequence[Curve]) -> str:
    """The ratios, then every point."""
    lines = [
        "| model | property | ratio | largest N of both | time | searching alone | peak nodes | paper: exponential gap |",
        "|---|---|---|--:|--:|--:|--:|---|",
    ]
    for family, claim, chosen in by_property(curves):
        for base in BASES:
            for ratio in ratios(chosen, base) if any(curve.engine == base for curve in chosen) else ():
                reached = f"yes; at least {ENOUGH:g}× here: {'yes' if ratio.seconds >= ENOUGH else 'no'}"
                said = reached if (family, claim) in CLAIMED else ""
                factors = map(_shown, (ratio.seconds, ratio.searching, ratio.peak_nodes))
                row = (family, claim, f"{ratio.against} / {base}", str(ratio.n), *factors, said)
                lines.append(f"| {' | '.join(row)} |")
    lines += ["", "| model | property | engine | growth per N | N: CPU seconds (building; peak nodes) | then |"]
    lines += ["|---|---|---|--:|---|---|"]
    for family, claim, chosen in by_property(curves):
        for curve in chosen:
            points = ", ".join(_point(n, measured) for n, measured in curve.points.items())
            lines.append(f"| {family} | {claim} | {curve.engine} | {_shown(curve.growth)} | {points} | {curve.ended} |")
    return "\n".join(lines) + "\n"


def _factor(theirs: float | None, ours: float | None, *, least: float) -> float | None:
    return None if theirs is None or ours is None else theirs / max(ours, least)


def _shown(factor: float | None) -> str:
    return "–" if factor is None else f"{factor:.2f}×"


def _point(n: int, measured: Measured) -> str:
    if measured.building is None:
        return f"{n}: {measured.seconds:.2f}"
    return f"{n}: {measured.seconds:.2f} ({measured.building:.2f}; {measured.peak_nodes})"


def write_plots(curves: Sequence[Curve], folder: Path) -> None:
    """Two files for each property: seconds (figures 8 and 9) with the growth of each curve, and nodes (figures 10 and 11)."""
    for family, claim, chosen in by_property(curves):
        title = f"{family}: {claim.replace('_', ', ')}"
        seconds = {_named(curve): [(n, max(m.seconds, CLOCK)) for n, m in curve.points.items()] for curve in chosen}
        nodes = {
            curve.engine: [(n, float(m.peak_nodes)) for n, m in curve.points.items() if m.peak_nodes is not None]
            for curve in chosen
        }
        for what, lines, up in (("seconds", seconds, "CPU seconds"), ("nodes", nodes, "peak BDD nodes")):
            drawn = log_plot(title, lines, across="N", up=up)
            (folder / f"{family}_{claim}_{what}.svg").write_text(drawn, encoding="utf-8")


def _named(curve: Curve) -> str:
    """The engine, with the factor by which its time grows with N."""
    return curve.engine if curve.growth is None else f"{curve.engine} {curve.growth:.2f}ᴺ"
