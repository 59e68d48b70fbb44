"""Figures 11 to 14 of Barner and Grumberg 2003: symmetry reduction beside what it is compared with.

The models are ours: the paper has none of its own in print. Verdicts, and the tests of covering suites, are exact.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from coarsest.experiments.points import Facts, Outcomes, PaperClaim, PaperTable, Point, Word, number

_SEARCHES = "coarsest.experiments.barner.searches"

COVERING_NUMBERS = {2: 4, 3: 4, 4: 5, 5: 6, 6: 6, 7: 6, 8: 6, 9: 6, 10: 6}
"""The fewest tests that cover all pairs of values of so many boolean inputs."""

CLASSIC, LIVE = "classic", "Live_Rep"
FLY, HINTS, HINTS_SYM = "on-the-fly", "on-the-fly + hints", "Hints_Sym"
CREATE, ORBIT = "Create_ξ", "Orbit_To_ξ"
INPUTS, VALUES, SAT = "Iterative_Sym", "Iterative_Sym, values", "SAT"

LIVE_REP: Mapping[int, tuple[Facts, Facts]] = {
    5: ({"seconds": 132}, {"seconds": 101}), 6: ({"seconds": 607}, {"seconds": 265}), 7: ({"seconds": 2852}, {"seconds": 704}),
    8: ({"seconds": 8470}, {"seconds": 3313}), 9: ({"seconds": 81171}, {"seconds": 4571}), 10: ({}, {"seconds": 4909}),
}  # fmt: skip
ARBITER: Mapping[tuple[int, str], Sequence[float]] = {
    (6, "bounded_use"): (53, 39, 42), (6, "a_pause_after_two"): (213, 64, 51), (8, "bounded_use"): (581, 255, 179),
    (8, "a_pause_after_two"): (745, 524, 292), (10, "bounded_use"): (1470, 598, 358), (10, "a_pause_after_two"): (1106, 740, 520),
}  # fmt: skip
"""Seconds on the fly, with hints, and of Hints_Sym."""
CREATED: Mapping[int, tuple[float, float | None]] = {
    3: (0.23, 0.26), 4: (1.2, 30.4), 5: (18, 1017), 6: (735, None), 7: (29083, None)
}  # fmt: skip
NODES = {3: 3195, 4: 28112, 5: 271157}
"""The relation has so many nodes in our order of variables, by either algorithm."""
ITERATIVE = {5: 5.6, 6: 32, 7: 36, 8: 103, 9: 175, 10: 852}


def _futurebus() -> Iterator[Point]:
    for n, theirs in LIVE_REP.items():
        for column, algorithm, paper in zip((CLASSIC, LIVE), ("", "live-rep"), theirs):
            yield Point(
                row=f"{n} caches", column=column, measure=f"{_SEARCHES}:futurebus", arguments={"n": n, "algorithm": algorithm},
                expected={"holds": False}, paper=paper, series=f"futurebus, {column}", quick=n <= 7,
            )  # fmt: skip


def _arbiter() -> Iterator[Point]:
    for (n, claim), seconds in ARBITER.items():
        passes = claim == "bounded_use"
        for column, theirs in zip((FLY, HINTS, HINTS_SYM), seconds):
            yield Point(
                row=f"{n}, {'passed' if passes else 'failed'}", column=column, measure=f"{_SEARCHES}:arbiter",
                arguments={"n": n, "claim": claim, "column": column}, expected={"holds": passes}, paper={"seconds": theirs},
                series=f"arbiter, {column}", quick=n <= 6,
            )  # fmt: skip


def _relations() -> Iterator[Point]:
    for generators, seconds in CREATED.items():
        for column, theirs in zip((CREATE, ORBIT), seconds):
            yield Point(
                row=f"{generators} generators", column=column, measure=f"{_SEARCHES}:representative_relation",
                arguments={"n": generators + 1, "algorithm": column}, paper={} if theirs is None else {"seconds": theirs},
                expected={"nodes": NODES[generators]} if generators in NODES else {}, series=f"relation, {column}",
                quick=generators <= 4,
            )  # fmt: skip


def _covering() -> Iterator[Point]:
    largest = {INPUTS: 6, VALUES: 7, FLY: 5, SAT: 10}
    for k, tests in COVERING_NUMBERS.items():
        for column, quick in largest.items():
            yield Point(
                row=f"{k} inputs", column=column, measure=f"{_SEARCHES}:covering", arguments={"k": k, "column": column},
                expected={"tests": tests, "covers": True}, series=f"covering, {column}", quick=k <= quick,
                paper={"seconds": ITERATIVE[k]} if column == INPUTS and k in ITERATIVE else {},
            )  # fmt: skip


def _less(
    fact: str, rows: Sequence[str], column: str, others: Sequence[str], *, last: bool = False
) -> Callable[[Outcomes], tuple[Word, str]]:
    """In every row where all were measured, or in the last of them, a column has less of something than the others."""

    def judge(outcomes: Outcomes) -> tuple[Word, str]:
        found = {row: [number(outcomes, f"{row}, {one}", fact) for one in (column, *others)] for row in rows}
        whole = {row: [value for value in values if value is not None] for row, values in found.items() if None not in values}
        if not whole:
            return "unknown", ""
        looked = [list(whole)[-1]] if last else list(whole)
        told = "; ".join(f"{row}: {', '.join(f'{value:.3g}' for value in whole[row])}" for row in looked)
        return "holds" if all(whole[row][0] <= min(whole[row][1:]) for row in looked) else "fails", told

    return judge


def _goes_on(outcomes: Outcomes) -> tuple[Word, str]:
    """Iterative_Sym finds suites for nine inputs, or more, where a search of the model has ended at its limits."""
    ended = {column: [k for k in COVERING_NUMBERS if number(outcomes, f"{k} inputs, {column}", "tests") is not None]
             for column in (VALUES, INPUTS, FLY)}  # fmt: skip
    if not all(ended.values()):
        return "unknown", ""
    most = {column: max(sizes) for column, sizes in ended.items()}
    told = ", ".join(f"{column} up to {k} inputs" for column, k in most.items())
    return "holds" if most[VALUES] >= 9 > most[FLY] else "fails", told


_ROWS_11 = [f"{n} caches" for n in LIVE_REP]
_ROWS_12 = [f"{n}, {word}" for n in (6, 8, 10) for word in ("passed", "failed")]
_ROWS_13 = [f"{generators} generators" for generators in CREATED]
TABLES = (
    PaperTable(
        name="11", title="Figure 11: Live_Rep on the Futurebus protocol", facts=("seconds", "peak_nodes", "representatives"),
        points=tuple(_futurebus()), note="Ours has the idea of the protocol, and fewer variables.",
        claims=(
            PaperClaim("Live_Rep needs fewer nodes, with any number of caches (the paper: 106 MB beside 709 MB with 9)",
                  _less("peak_nodes", _ROWS_11, LIVE, [CLASSIC]), quick=True),
            PaperClaim("with the most caches, Live_Rep is faster (the paper: 4571 s beside 81171 s with 9)",
                  _less("seconds", _ROWS_11, LIVE, [CLASSIC], last=True)),
        ),
    ),
    PaperTable(
        name="12", title="Figure 12: Hints_Sym on an arbiter", facts=("seconds", "peak_nodes"), points=tuple(_arbiter()),
        note="The hints let one client more be on in each turn; closures are made once in a turn, and stopped after a round.",
        claims=(
            PaperClaim("with the most clients, Hints_Sym is the fastest (the paper: in both cases)",
                  _less("seconds", _ROWS_12[-2:], HINTS_SYM, [FLY, HINTS])),
        ),
    ),
    PaperTable(
        name="13", title="Figure 13: the representative relation, directly or by the orbit relation",
        facts=("seconds", "nodes", "peak_nodes"), points=tuple(_relations()),
        claims=(
            PaperClaim("Create_ξ needs fewer nodes than Orbit_To_ξ, with any number of generators",
                  _less("peak_nodes", _ROWS_13, CREATE, [ORBIT]), quick=True),
            PaperClaim("with the most generators, Create_ξ is faster (the paper: 18 s beside 1017 s with 5)",
                  _less("seconds", _ROWS_13, CREATE, [ORBIT], last=True), quick=True),
        ),
    ),
    PaperTable(
        name="14", title="Figure 14: covering suites by Iterative_Sym", facts=("tests", "seconds", "suite"),
        points=tuple(_covering()),
        note="Inputs may be exchanged, as in the paper, and in the second column values, too. SAT is our bounded search.",
        claims=(
            PaperClaim("Iterative_Sym goes on to nine inputs or more, and a search of the model does not", _goes_on),
        ),
    ),
)  # fmt: skip
