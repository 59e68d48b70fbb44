"""What was measured of Sebastiani et al., as a Markdown table with the ratios, and as the plots of figures 8 to 11.

    python -m coarsest.experiments.sebastiani.plots RESULTS.jsonl -o FOLDER [--beside nusmv.json]

The results are those that `coarsest reproduce sebastiani -o RESULTS.jsonl` keeps.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct

from coarsest.experiments.log_plot import log_plot
from coarsest.experiments.points import Outcomes, PointOutcome
from coarsest.experiments.reproduce import read_results
from coarsest.experiments.sebastiani.models import CLAIMS
from coarsest.experiments.sebastiani.tables import CLOCK, ENOUGH, GAPS

SHORTEST: Final = 0.05
"""CPU seconds below which growth is ignored, since everything takes the same time there."""
BASES = ("partitioned", "figures")
"""The two that split sets: ours, and that of the paper."""


class Curve(Struct, frozen=True):
    """One engine on one property, over growing N; `ended` says why there is no further point."""

    family: str
    claim: str
    engine: str
    points: Mapping[int, Mapping[str, float]]
    ended: str

    @property
    def growth(self) -> float | None:
        """By which factor the time grows when N grows by 1, over the last points that took long enough to tell."""
        told = [(n, facts["seconds"]) for n, facts in self.points.items() if facts["seconds"] >= SHORTEST][-3:]
        if len(told) < 2:
            return None
        (first, early), (last, late) = told[0], told[-1]
        return float((late / early) ** (1 / (last - first)))


class OtherCurve(Struct, frozen=True, forbid_unknown_fields=True):
    """Another checker on one property."""

    family: str
    claim: str
    checker: str
    seconds: dict[int, float]
    ended: str


def curves_of(outcomes: Iterable[PointOutcome]) -> list[Curve]:
    """The points of each engine on each property, in the order of N."""
    grouped: dict[tuple[str, str, str], dict[int, PointOutcome]] = {}
    for outcome in outcomes:
        of = outcome.arguments
        grouped.setdefault((of["family"], of["claim"], of["engine"]), {})[of["n"]] = outcome
    curves = []
    for names, by_size in grouped.items():
        points = {n: _numbers(by_size[n].facts or {}) for n in sorted(by_size) if by_size[n].facts is not None}
        late = [f"N = {n}: {by_size[n].ended}" for n in sorted(by_size) if by_size[n].facts is None]
        curves.append(Curve(*names, points, late[0] if late else "no larger N was measured"))
    return curves


def _numbers(facts: Mapping[str, bool | int | float | str]) -> dict[str, float]:
    return {key: value for key, value in facts.items() if not isinstance(value, str)}


def beside(file: Path, families: Collection[str]) -> list[Curve]:
    """What another checker took for the same models, measured elsewhere: seconds for each N."""
    others = msgspec.json.decode(file.read_bytes(), type=list[OtherCurve])
    return [
        Curve(one.family, one.claim, one.checker, {n: {"seconds": seconds} for n, seconds in one.seconds.items()}, one.ended)
        for one in others if one.family in families
    ]  # fmt: skip


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
    compared = []
    for curve in curves:
        shared = base.points.keys() & curve.points.keys()
        if curve.engine not in BASES and shared:
            ours, theirs = base.points[max(shared)], curve.points[max(shared)]
            searching = _factor(_searching(theirs), _searching(ours), least=CLOCK)
            nodes = _factor(theirs.get("peak_nodes"), ours.get("peak_nodes"), least=1)
            seconds = theirs["seconds"] / max(ours["seconds"], CLOCK)
            compared.append(Ratio(curve.engine, max(shared), seconds, searching, nodes))
    return compared


def _searching(facts: Mapping[str, float]) -> float | None:
    return facts["seconds"] - facts["building"] if "building" in facts else None


def by_property(curves: Sequence[Curve]) -> Iterator[tuple[str, str, list[Curve]]]:
    for family in dict.fromkeys(curve.family for curve in curves):
        for claim in CLAIMS:
            of_property = [curve for curve in curves if (curve.family, curve.claim) == (family, claim)]
            if of_property:
                yield family, claim, of_property


def markdown(curves: Sequence[Curve]) -> str:
    """The ratios, then every point."""
    lines = [
        "| model | property | ratio | largest N of both | time | searching alone | peak nodes | paper: exponential gap |",
        "|---|---|---|--:|--:|--:|--:|---|",
    ]
    for family, claim, of_property in by_property(curves):
        for base in BASES:
            for ratio in ratios(of_property, base) if any(curve.engine == base for curve in of_property) else ():
                reached = f"yes; at least {ENOUGH:g}× here: {'yes' if ratio.seconds >= ENOUGH else 'no'}"
                said = reached if (family, claim) in GAPS else ""
                factors = map(_shown, (ratio.seconds, ratio.searching, ratio.peak_nodes))
                row = (family, claim, f"{ratio.against} / {base}", str(ratio.n), *factors, said)
                lines.append(f"| {' | '.join(row)} |")
    lines += ["", "| model | property | engine | growth per N | N: CPU seconds (building; peak nodes) | then |"]
    lines += ["|---|---|---|--:|---|---|"]
    for family, claim, of_property in by_property(curves):
        for curve in of_property:
            points = ", ".join(_point(n, facts) for n, facts in curve.points.items())
            lines.append(f"| {family} | {claim} | {curve.engine} | {_shown(curve.growth)} | {points} | {curve.ended} |")
    return "\n".join(lines) + "\n"


def _factor(theirs: float | None, ours: float | None, *, least: float) -> float | None:
    return None if theirs is None or ours is None else theirs / max(ours, least)


def _shown(factor: float | None) -> str:
    return "–" if factor is None else f"{factor:.2f}×"


def _point(n: int, facts: Mapping[str, float]) -> str:
    building = f" ({facts['building']:.2f}; {facts['peak_nodes']})" if "building" in facts else ""
    return f"{n}: {facts['seconds']:.2f}{building}"


def plots(outcomes: Outcomes) -> dict[str, str]:
    """The figures that belong to a table, by their names."""
    return plots_of(curves_of(outcomes.values()))


def plots_of(curves: Sequence[Curve]) -> dict[str, str]:
    """Two for each property: seconds (figures 8 and 9) with the growth of each curve, and nodes (figures 10 and 11)."""
    drawn = {}
    for family, claim, of_property in by_property(curves):
        title = f"{family}: {claim.replace('_', ', ')}"
        seconds = {_named(curve): [(n, max(f["seconds"], CLOCK)) for n, f in curve.points.items()] for curve in of_property}
        nodes = {
            curve.engine: [(n, float(f["peak_nodes"])) for n, f in curve.points.items() if "peak_nodes" in f]
            for curve in of_property
        }
        for what, lines, up in (("seconds", seconds, "CPU seconds"), ("nodes", nodes, "peak BDD nodes")):
            drawn[f"{family}_{claim}_{what}"] = log_plot(title, lines, across="N", up=up)
    return drawn


def _named(curve: Curve) -> str:
    """The engine, with the factor by which its time grows with N."""
    return curve.engine if curve.growth is None else f"{curve.engine} {curve.growth:.2f}ᴺ"


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser("python -m coarsest.experiments.sebastiani.plots", description="The table and the plots.")
    parser.add_argument("results", metavar="RESULTS.jsonl", help="what 'coarsest reproduce sebastiani -o' kept")
    parser.add_argument("-o", "--output", type=Path, default=Path("results"), help="folder for the table and the plots")
    parser.add_argument("--beside", type=Path, metavar="FILE", help="what another checker took, to be shown beside ours")
    given = parser.parse_args(arguments)
    curves = curves_of(outcome for outcome in read_results(given.results) if outcome.paper == "sebastiani")
    curves += beside(given.beside, {curve.family for curve in curves}) if given.beside else []
    given.output.mkdir(parents=True, exist_ok=True)
    (given.output / "table.md").write_text(markdown(curves), encoding="utf-8")
    for name, drawn in plots_of(curves).items():
        (given.output / f"{name}.svg").write_text(drawn, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
