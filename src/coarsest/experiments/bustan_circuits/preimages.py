"""Tables 6.3 to 6.5 of Bustan 2002: four algorithms for preimages, on circuits.

The thesis's circuits are those of ISCAS'89, where they lie in `../shared/benchmarks`, but for x7, which is not public; s298 is
there in addition. The others are ours.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import exp, log

from coarsest.experiments.points import Outcomes, PaperClaim, PaperTable, Point, Word, collection, number

MEASURE = "coarsest.experiments.bustan_circuits.transitive_preimages"
ALGORITHMS = ("inverse", "monolithic", "early quantification", "expound")
"""The columns of the thesis."""
OURS = ("functions", "auto")
"""Inverse as the BDD package does it, and whatever is chosen by default."""

PROPERTIES = {
    "s1488": (10, 6, 19), "s1196": (16, 18, 14), "s713": (36, 19, 23), "s400": (4, 21, 6), "s444": (4, 21, 6),
    "s386": (8, 6, 7), "s349": (5, 15, 11), "s1238": (15, 18, 14), "s832": (19, 5, 19), "s820": (19, 5, 19),
}  # fmt: skip
"""Table 6.3: inputs, latches and outputs."""
SECONDS: dict[str, tuple[int | None, ...]] = {
    "s1488": (47, 30, 37, 78), "s1196": (22, 34, 22, 23), "s713": (10306, 1240, 4952, 15606),
    "s400": (11597, 1569, 6581, 55936), "s444": (9373, 803, 7611, 58375), "s386": (21, 21, 21, 22),
    "s349": (5173, 1342, 12193, None), "s1238": (22, 37, 22, 23), "s832": (46, 46, 43, 104), "s820": (49, 41, 44, 100),
}  # fmt: skip
"""Table 6.4, in the order of `ALGORITHMS`; None stands for a space overflow."""
NODES: dict[str, tuple[int | None, ...]] = {
    "s1488": (3523525, 472289, 1880253, 5020289), "s1196": (127317, 1898538, 123801, 171971),
    "s713": (13394762, 5710104, 8883805, 17254376), "s400": (6695438, 2487305, 11224721, 10459001),
    "s444": (6462535, 5034860, 5574310, 11016241), "s386": (35256, 16349, 41636, 54249),
    "s349": (18535262, 5741429, 19329050, None), "s1238": (130900, 1984082, 121053, 168110),
    "s832": (3544107, 511101, 2917210, 5057697), "s820": (3544061, 511058, 2917169, 5057648),
}  # fmt: skip
"""Table 6.5."""
OURSELVES = {"arbiter": "examples/arbiter.v", "multiplier4": "multiplier:4"}
THEIRS = {
    row: f"collection/circuits/bench/{row}.bench"
    for row in ("s298", *PROPERTIES)
    if (collection() / "circuits" / "bench" / f"{row}.bench").is_file()
}
CIRCUITS = OURSELVES | THEIRS
EXACT = {"arbiter": {"inputs": 2, "latches": 4, "outputs": 0}, "multiplier4": {"inputs": 3, "latches": 3, "outputs": 0}}
REACHING = {
    "arbiter": (35, 471), "multiplier4": (65, 20971520), "s298": (131, 327680), "s1488": (89, 1600), "s1196": (56, 8388608),
    "s713": (103, 21299200), "s400": (513, 56623104), "s444": (513, 56623104), "s386": (46, 832), "s349": (83, 827392),
    "s1238": (56, 8388608), "s832": (141, 768), "s820": (141, 768),
}  # fmt: skip
"""Preimages until nothing is added, and the states that are reached then, summed over all sets that are begun with."""
QUICK = (*OURSELVES, "s298", "s386", "s400", "s1488")


def _properties() -> Iterator[Point]:
    for row, path in CIRCUITS.items():
        inputs, latches, outputs = PROPERTIES.get(row, (0, 0, 0))
        yield Point(
            row=row, column="circuit", measure=f"{MEASURE}:properties", arguments={"model": path}, quick=True,
            expected={"latches": latches} if latches else EXACT.get(row, {}),
            paper={"inputs": inputs, "latches": latches, "outputs": outputs} if latches else {},
        )  # fmt: skip


def _points() -> Iterator[Point]:
    for row, path in CIRCUITS.items():
        for column in ALGORITHMS + OURS:
            which = ALGORITHMS.index(column) if column in ALGORITHMS and row in SECONDS else None
            paper = {} if which is None else {"seconds": SECONDS[row][which], "nodes": NODES[row][which]}
            yield Point(
                row=row, column=column, measure=f"{MEASURE}:measure", arguments={"model": path, "algorithm": column},
                paper={fact: value if value is not None else "space overflow" for fact, value in paper.items()},
                expected=dict(zip(("preimages", "states"), REACHING.get(row, ()))),
                quick=row in QUICK, series=f"{row}, {column}",
            )  # fmt: skip


def _beats(fact: str, winner: str, loser: str) -> Callable[[Outcomes], tuple[Word, str]]:
    """On every circuit of the thesis, if they are here. Who ends at a limit is beaten by who does not."""

    def judge(outcomes: Outcomes) -> tuple[Word, str]:
        pairs = {}
        for row in THEIRS or ("arbiter",):
            ours, other = (number(outcomes, f"{row}, {column}", fact) for column in (winner, loser))
            who_lost = outcomes.get(f"{row}, {loser}")
            if ours is not None and (other is not None or (who_lost is not None and who_lost.limit is not None)):
                pairs[row] = (ours, float("inf") if other is None else other)
        broken = [f"{row} {ours:g} and {other:g}" for row, (ours, other) in pairs.items() if ours >= other]
        ratio = _mean([other / ours for ours, other in pairs.values() if other != float("inf")])
        told = f"{len(pairs)} circuits, by {ratio:.2g} in the geometric mean"
        return ("unknown", "") if not pairs else ("fails", "; ".join(broken)) if broken else ("holds", told)

    return judge


def _mean(ratios: list[float]) -> float:
    return exp(sum(map(log, ratios)) / len(ratios)) if ratios else 1.0


def _mixed(outcomes: Outcomes) -> tuple[Word, str]:
    """Who takes fewer nodes, of inverse and early quantification."""
    rows = {row: [number(outcomes, f"{row}, {column}", "nodes") for column in ("inverse", "early quantification")]
            for row in CIRCUITS}  # fmt: skip
    pairs = {row: values for row, values in rows.items() if None not in values}
    fewer = sum(1 for ours, other in pairs.values() if ours is not None and other is not None and ours < other)
    told = f"inverse takes fewer nodes on {fewer} of {len(pairs)} circuits"
    return ("unknown" if not pairs else "holds" if 0 < fewer < len(pairs) else "fails"), told


WHERE = "The thesis's circuits are read from the collection in ../shared." if THEIRS else "The thesis's circuits are not here."
NOTE = f"{WHERE} The others are ours. With which sets it begins the thesis does not say."
TABLES = (
    PaperTable(
        name="6.3", title="Table 6.3: the circuits", facts=("inputs", "latches", "outputs"), points=tuple(_properties()),
        note=f"{WHERE} The thesis's inputs are sometimes one or two more: clocks and resets, which these netlists do not have.",
    ),
    PaperTable(
        name="6.4", title="Table 6.4: seconds of transitive preimages", facts=("seconds",), points=tuple(_points()), note=NOTE,
        claims=(
            PaperClaim("inverse is faster than expound on every circuit", _beats("seconds", "inverse", "expound"), quick=True),
        ),
    ),
    PaperTable(
        name="6.5", title="Table 6.5: nodes made by transitive preimages", facts=("nodes",), points=tuple(_points()), note=NOTE,
        claims=(
            PaperClaim(
                "inverse makes fewer nodes than expound on every circuit", _beats("nodes", "inverse", "expound"), quick=True
            ),
            PaperClaim("between inverse and early quantification neither is always better", _mixed, quick=True),
        ),
    ),
)  # fmt: skip
