"""Tables 1, 3, 4 and 5 of Fisler and Vardi 1999: backward reachability (BR), and forward (FR), against minimisers that stop early
(LY, BFH, PT).

Its lemmas and bounds hold for any design: they are claims about iterations and images, exactly.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Final

from coarsest.experiments.fisler_designs import DESIGNS, MINIMISED, InvariantDesign
from coarsest.experiments.points import Outcomes, PaperClaim, PaperTable, Point, Word, number

MEASURE = "coarsest.experiments.fisler_invariants:measure"
MINIMISE = "coarsest.experiments.fisler_invariants:minimise"
ENGINES = {
    "BR": "backward", "FR": "forward", "LY": "lee-yannakakis", "BFH": "bouajjani-fernandez-halbwachs", "PT": "paige-tarjan",
    "PT, all": "paige-tarjan-splitting-marked",
}  # fmt: skip
"""The algorithms of the paper by their letters; the last one splits marked blocks, too (table 5)."""
BOUNDS: Mapping[str, Callable[[int], int]] = {
    "BR": lambda n: n, "LY": lambda n: 5 * max(0, n - 1), "BFH": lambda n: (n * n + 3 * n) // 2, "PT": lambda n: 2 * n,
}  # fmt: skip
"""Section 6, with the images that split blocks alone, by the iterations of BR."""
CHANGED = frozenset({"bakery*"})
"""A design with the paper's verdict and iterations, but with other states: it has other blocks, too."""
LONG_ENOUGH: Final = 0.05
"""CPU seconds of the slowest algorithm below which times are not compared."""


NOT_QUICK = frozenset({"dining 4"})
"""Where splitting marked blocks takes a minute."""
NEVER_ENDS = frozenset({"dining 6", "dining 8"})
"""Where it has not ended after 100 s, as after a day on two designs of the paper's table 5 (those without numbers): not tried."""


def _points(*columns: str) -> tuple[Point, ...]:
    return tuple(_point(design, column) for design in DESIGNS for column in columns if not _has_not_ended(design, column))


def _has_not_ended(design: InvariantDesign, column: str) -> bool:
    return column == "PT, all" and (design.row in NEVER_ENDS or (bool(design.theirs) and column not in design.theirs))


def _point(design: InvariantDesign, column: str) -> Point:
    expected: dict[str, bool | int] = {"holds": design.holds}
    if column == "BR":
        expected |= {"iterations": design.iterations, "images": design.iterations}  # one image in each iteration
    if column == "BFH" and design.theirs and design.row not in CHANGED:
        expected["split images"] = int(design.theirs[column]["split images"])
    slow = column == "PT, all" and design.row in NOT_QUICK
    bound = {"bound": BOUNDS[column](design.iterations)} if column in BOUNDS else {}
    return Point(
        row=design.row, column=column, measure=MEASURE, arguments={"engine": ENGINES[column], **bound, **design.arguments},
        expected=expected, paper=design.theirs.get(column, {}), quick=design.quick and not slow,
    )  # fmt: skip


def _minimised() -> Iterator[Point]:
    for design in MINIMISED:
        yield Point(
            row=design.row, column="LY", measure=MINIMISE,
            arguments={"model": design.model, "formula": design.formula, "fairness": design.fairness},
            expected={"holds": design.holds, "agree": True, "states": design.states, "blocks": design.blocks},
            paper=design.theirs, quick=not design.theirs,
        )  # fmt: skip


def _not_worthwhile(outcomes: Outcomes) -> tuple[Word, str]:
    """Checking alone against minimising and checking what is left, on the designs of the paper."""
    faster, slower = [], 0
    for design in MINIMISED:
        times = [number(outcomes, f"{design.row}, LY", fact) for fact in ("checking", "minimising", "checking blocks")]
        if design.theirs and None not in times:
            alone, minimising, left = (time or 0.0 for time in times)
            slower += alone < minimising + left
            faster += [] if alone < minimising + left else [design.row]
    told = f"{slower} of {slower + len(faster)} designs take longer{', but not ' if faster else ''}{', '.join(faster)}"
    return ("unknown", "") if not slower + len(faster) else ("holds" if slower > len(faster) else "fails", told)


Values = Mapping[str, float]


def _rows(outcomes: Outcomes, fact: str, *columns: str) -> Iterator[tuple[str, Values]]:
    """The designs of which all these columns are there."""
    for design in DESIGNS:
        values = {column: number(outcomes, f"{design.row}, {column}", fact) for column in columns}
        present = {column: value for column, value in values.items() if value is not None}
        if len(present) == len(columns):
            yield design.row, present


def _everywhere(fact: str, columns: tuple[str, ...], law: Callable[[Values], bool]) -> Callable[[Outcomes], tuple[Word, str]]:
    """A law for each design that was measured."""

    def judge(outcomes: Outcomes) -> tuple[Word, str]:
        rows = list(_rows(outcomes, fact, *columns))
        broken = [f"{row}: {', '.join(f'{column} {value:g}' for column, value in values.items())}"
                  for row, values in rows if not law(values)]  # fmt: skip
        if broken:
            return "fails", "; ".join(broken)
        return "holds" if rows else "unknown", f"{len(rows)} designs"

    return judge


def _fastest(outcomes: Outcomes) -> tuple[Word, str]:
    rows = [(row, values) for row, values in _rows(outcomes, "seconds", "BR", "LY", "BFH", "PT")
            if max(values.values()) >= LONG_ENOUGH]  # fmt: skip
    slower = [row for row, values in rows if values["BR"] > min(values.values())]
    if not rows:
        return "unknown", f"no design takes {LONG_ENOUGH:g} s"
    told = "; ".join(f"{row}: {', '.join(f'{column} {s:.2f} s' for column, s in values.items())}" for row, values in rows)
    return "fails" if slower else "holds", told


def _long_runs(outcomes: Outcomes) -> tuple[Word, str]:
    iterations = dict(_rows(outcomes, "iterations", "BR"))
    rows = dict(_rows(outcomes, "seconds", "LY", "BFH"))
    if not rows:
        return "unknown", ""
    most = max(rows, key=lambda row: iterations.get(row, {"BR": 0.0})["BR"])
    told = f"{most}: LY {rows[most]['LY']:.2f} s, BFH {rows[most]['BFH']:.2f} s"
    return "holds" if rows[most]["LY"] <= rows[most]["BFH"] else "fails", told


def _savings(outcomes: Outcomes) -> tuple[Word, str]:
    rows = list(_rows(outcomes, "iterations", "PT", "PT, all"))
    saved = [row for row, values in rows if values["PT"] < values["PT, all"]]
    cost = [f"{row}: {values['PT']:g}, not {values['PT, all']:g}" for row, values in rows if values["PT"] > values["PT, all"]]
    told = f"{len(saved)} of {len(rows)} designs{', but ' if cost else ''}{'; '.join(cost)}"
    return ("unknown" if not rows else "holds" if 2 * len(saved) > len(rows) else "fails"), told


def _split_lower_bound(values: Values) -> bool:
    """BR takes one image for each iteration."""
    return all(values[column] >= bound(int(values["BR"])) for column, bound in BOUNDS.items())


NEARLY: Final = 1.05
"""Dead nodes count until they are collected, so that numbers that differ by less count as equal."""


def _fewest_nodes(outcomes: Outcomes) -> tuple[Word, str]:
    rows = list(_rows(outcomes, "peak nodes", *ALL))
    more = [f"{row}: {', '.join(f'{column} {nodes:g}' for column, nodes in values.items())}"
            for row, values in rows if values["BR"] > NEARLY * min(values.values())]  # fmt: skip
    return ("unknown" if not rows else "fails" if more else "holds"), "; ".join(more) or f"{len(rows)} designs"


ALL = ("BR", "LY", "BFH", "PT")
LEMMAS = (
    PaperClaim("lemma 7: LY takes one iteration fewer than BR", _everywhere("iterations", ("BR", "LY"),
          lambda values: values["LY"] == max(0, values["BR"] - 1)), quick=True),
    PaperClaim("lemma 13: BFH takes as many iterations as BR", _everywhere("iterations", ("BR", "BFH"),
          lambda values: values["BFH"] == values["BR"]), quick=True),
    PaperClaim("lemma 24: PT takes no fewer iterations than BR", _everywhere("iterations", ("BR", "PT"),
          lambda values: values["PT"] >= values["BR"]), quick=True),
)  # fmt: skip
NOTE = "* fails. Designs with numbers in brackets are the paper's, from the VIS distribution; the others are ours."
TABLES = (
    PaperTable(
        name="1", title="Table 1: reachable states, their blocks, and CPU seconds with and without minimising",
        facts=("states", "blocks", "checking", "nodes", "minimising", "nodes of minimising", "checking blocks"),
        points=tuple(_minimised()),
        note="* fails. Designs with numbers in brackets are the paper's, with formulas from their property files; the others are "
        "ours. Where the paper has megabytes, we have the most BDD nodes.",
        claims=(
            PaperClaim("minimising first does not appear to be worthwhile: on most designs it takes longer", _not_worthwhile),
        ),
    ),
    PaperTable(
        name="3", title="Table 3: iterations and CPU seconds of BR, and of minimisers that stop early",
        facts=("iterations", "seconds"), points=_points("BR", "FR", "LY", "BFH", "PT"), note=NOTE,
        claims=(
            *LEMMAS,
            PaperClaim("BR is the fastest on every design that takes long enough to tell (the paper: in all cases)", _fastest),
            PaperClaim("with the most iterations, BFH is slower than LY (the paper: 126.9 s and 6.5 s on bakery*)", _long_runs),
        ),
    ),
    PaperTable(
        name="3m", title="Table 3, the other half: the most BDD nodes, those of the transition relation among them",
        facts=("peak nodes",), points=_points("BR", "FR", "LY", "BFH", "PT"), note="The paper has megabytes of 1999.",
        claims=(PaperClaim("BR has the fewest nodes (the paper: in all cases but one, which is nearly equal)", _fewest_nodes),),
    ),
    PaperTable(
        name="4", title="Table 4: image computations, those that split blocks and all",
        facts=("lower bound", "split images", "images"), points=_points(*ALL), note=NOTE,
        claims=(
            PaperClaim("section 6: at least as many images to split as the lower bounds, from the iterations of BR",
                  _everywhere("split images", ALL, _split_lower_bound), quick=True),
            PaperClaim("BR takes the fewest images",
                  _everywhere("images", ALL, lambda values: values["BR"] <= min(values.values())), quick=True),
        ),
    ),
    PaperTable(
        name="5", title="Table 5: PT with and without splitting marked blocks",
        facts=("iterations", "seconds"), points=_points("BR", "PT", "PT, all"),
        note=f"{NOTE} Splitting marked blocks is not tried where it did not end: after a day in the paper, after 100 s here.",
        claims=(
            LEMMAS[2],
            PaperClaim("not splitting marked blocks saves iterations on most designs (the paper: on 9 of the 11 that ended)",
                  _savings, quick=True),
        ),
    ),
)  # fmt: skip
