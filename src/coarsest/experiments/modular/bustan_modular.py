"""Tables 5.2 to 5.4 of Bustan 2002: the ordinary, naive and improved algorithms on circuits, and on rings of 2 to 12 components.

The circuits are those of ISCAS'89, where they are present. Which outputs the derived designs of the thesis have is not in its
text; they have as many as ours, and as many latches.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from math import inf
from typing import Any, Final

from coarsest.experiments.log_plot import log_plot
from coarsest.experiments.points import Facts, Outcomes, PaperClaim, PaperTable, Point, Word, number

MEASURE = "coarsest.experiments.modular.designs:measure"
COMMAND = "coarsest.experiments.modular.designs:command"
PROPERTIES = "coarsest.experiments.modular.designs:properties"
COLUMNS = ("ordinary", "naive", "improved", "improved2", "improved3")
WHOLE = ("ordinary", "naive")
"""Those that go through all classes of the whole."""
IMPROVED = ("improved", "improved2", "improved3")
DESIGNS: Mapping[str, Mapping[str, Any]] = {
    "s298": {"design": "s298"},
    "s298d2": {"design": "s298", "outputs": 3},
    "s298d3": {"design": "s298", "outputs": 5},
    "s400d1": {"design": "s400", "outputs": 2},
    "s400d2": {"design": "s400", "outputs": 2, "skip": 2},
    "s400d3": {"design": "s400", "outputs": 4},
    "s400": {"design": "s400"},
    "s349": {"design": "s349"},
    "s444.2": {"design": "s444", "outputs": 5},
    "s444": {"design": "s444"},
}
THEIR_SIZES = {
    "s298": (5, 14, 7), "s298d2": (5, 11, 3), "s298d3": (5, 13, 5), "s400d1": (5, 17, 2), "s400d2": (5, 17, 2),
    "s400d3": (5, 19, 4), "s400": (5, 21, 6), "s349": (11, 15, 11), "s444.2": (5, 20, 5), "s444": (5, 21, 6),
}  # fmt: skip
"""Inputs, latches and outputs (table 5.2)."""
OVERFLOW = "overflow"
THEIR_SECONDS = {
    "s298": (46, 72, 34, 27, 27), "s298d2": (21, 26, 22, 22, 23), "s298d3": (32, 41, 29, 26, 26),
    "s400d1": (190, 469, 385, 206, 206), "s400d2": (173, 575, 500, 239, 239), "s400d3": (1336, 2048, 1209, 590, 601),
    "s400": (12396, OVERFLOW, 2302, 1129, 999), "s349": (2640, 4496, 1759, 1474, 255),
    "s444.2": (3512, 3379, 1380, 828, 799), "s444": (9362, OVERFLOW, 2891, 1055, 1038),
}  # fmt: skip
"""Table 5.3, on a processor of 550 MHz."""
THEIR_NODES = {
    "s298": (1482712, 1919032, 451793, 326359, 467705), "s298d2": (151885, 209452, 85108, 125577, 144624),
    "s298d3": (759032, 716557, 278283, 337834, 362691), "s400d1": (8691398, 12521457, 10105732, 5118214, 5118214),
    "s400d2": (9368512, 12775984, 7009955, 4820907, 4820907),
    "s400d3": (28436930, 41089896, 12540649, 10714419, 25165669),
    "s400": (105175584, OVERFLOW, 32491632, 17740753, 44641501), "s349": (27567754, 36747754, 12442018, 2552658, 3876761),
    "s444.2": (49964703, 66788414, 19376000, 17451240, 33190412),
    "s444": (97687526, OVERFLOW, 21972212, 17168679, 43223054),
}  # fmt: skip
"""Table 5.4."""
OTHERS = ("s386", "s713", "s820", "s832", "s1196", "s1238", "s1488")
"""Circuits of chapter 6, whose outputs read inputs: beyond the thesis."""
STATES = {"s298": 8061, "s349": 18608, "s400": 608448, "s386": 15}
"""Classes that were counted by listing all states, or by other tools."""
QUICK = ("s298", "s298d2", "s298d3", "s349", "s386")
RINGS = range(2, 13)
QUICK_RING: Final = 6
QUICK_WHOLE_RING: Final = 4
"""The largest quick rings, and those that are reduced as a whole."""
WINNERS = ("s349", "s400", "s444")
"""Where the thesis' improved algorithms win most clearly."""


def _points() -> Iterator[Point]:
    for row, arguments in (*DESIGNS.items(), *((name, {"design": name}) for name in OTHERS)):
        for place, column in enumerate(COLUMNS):
            theirs: dict[str, Any] = {}
            if row in THEIR_SECONDS:
                theirs = {"seconds": THEIR_SECONDS[row][place], "nodes": THEIR_NODES[row][place]}
            yield Point(
                row=row, column=column, measure=MEASURE, arguments={"algorithm": column, **arguments}, paper=theirs,
                expected={"states": STATES[row]} if row in STATES else {}, quick=row in QUICK,
                series=f"{row}, {column}",
            )  # fmt: skip


def _commands() -> Iterator[Point]:
    for row, arguments in DESIGNS.items():
        for algorithm in ("auto", *COLUMNS):
            yield Point(
                row=row, column=f"reduce, {algorithm}", measure=COMMAND, arguments={"algorithm": algorithm, **arguments},
                expected={"states": STATES[row]} if row in STATES else {}, quick=row in QUICK and row != "s349",
                series=f"reduce {row}, {algorithm}",
            )  # fmt: skip


def _auto_suffices(outcomes: Outcomes) -> tuple[Word, str]:
    """How often no modular algorithm makes the whole command faster. A limit loses."""
    faster, slower = list[str](), list[str]()
    for row in DESIGNS:
        seconds = {column: number(outcomes, f"{row}, reduce, {column}", "seconds") for column in ("auto", *COLUMNS)}
        ended = [value for column in COLUMNS if (value := seconds[column]) is not None]
        if (auto := seconds["auto"]) is not None:
            (faster if auto <= min(ended, default=inf) else slower).append(row)
    told = f"{len(faster)} of {len(faster) + len(slower)} designs{', but not ' if slower else ''}{', '.join(slower)}"
    return ("unknown", "") if not faster + slower else ("holds" if len(faster) > len(slower) else "fails", told)


def _sizes() -> Iterator[Point]:
    for row, arguments in DESIGNS.items():
        inputs, latches, outputs = THEIR_SIZES[row]
        theirs: Facts = {"inputs": inputs, "latches": latches, "outputs": outputs}
        expected: Facts = {"latches": latches} if row == "s298" else {"latches": latches, "outputs": outputs}
        yield Point(
            row=row, column="design", measure=PROPERTIES, arguments=arguments, paper=theirs, expected=expected, quick=True
        )


def _rings() -> Iterator[Point]:
    for column in COLUMNS:
        for n in RINGS:
            yield Point(
                row=f"{n} components", column=column, measure=MEASURE, arguments={"algorithm": column, "n": n},
                expected={"states": 16**n}, series=f"rings, {column}",
                quick=n <= (QUICK_WHOLE_RING if column in WHOLE else QUICK_RING),
            )  # fmt: skip


def _same_states(outcomes: Outcomes) -> tuple[Word, str]:
    """All algorithms that came to an end agree."""
    compared, broken = 0, []
    for row in (*DESIGNS, *OTHERS):
        states = {column: number(outcomes, f"{row}, {column}", "states") for column in COLUMNS}
        present = {value for value in states.values() if value is not None}
        compared += sum(value is not None for value in states.values()) > 1
        broken += [row] if len(present) > 1 else []
    return ("fails" if broken else "holds" if compared else "unknown"), ", ".join(broken) or f"{compared} designs"


def _wins(fact: str, row: str, *, over: tuple[str, ...] = WHOLE) -> Callable[[Outcomes], tuple[Word, str]]:
    """Is the best of the improved algorithms better than the others? One that came to a limit has lost."""

    def judge(outcomes: Outcomes) -> tuple[Word, str]:
        values = {column: number(outcomes, f"{row}, {column}", fact) for column in COLUMNS}
        ended = [column for column in COLUMNS if (one := outcomes.get(f"{row}, {column}")) is not None and one.limit]
        present = {column: value for column, value in values.items() if value is not None}
        best = min((value for column, value in present.items() if column not in over), default=None)
        if best is None or any(column not in present and column not in ended for column in over):
            return "unknown", ""
        told = ", ".join(f"{column} {f'{present[column]:.3g}' if column in present else 'over the limit'}"
                         for column in COLUMNS if column in present or column in ended)  # fmt: skip
        return ("holds" if all(best < present.get(column, best + 1) for column in over) else "fails"), told

    return judge


def _best_on(fact: str, winners: tuple[str, ...], over: tuple[str, ...]) -> Callable[[Outcomes], tuple[Word, str]]:
    """Are all of some algorithms at least as good as all others on most designs of the thesis? A limit loses."""

    def judge(outcomes: Outcomes) -> tuple[Word, str]:
        won, lost = list[str](), list[str]()
        for row in DESIGNS:
            ended = {column: outcomes.get(f"{row}, {column}") for column in (*winners, *over)}
            if any(outcome is None or (outcome.facts is None and outcome.limit is None) for outcome in ended.values()):
                continue
            values = {column: number(outcomes, f"{row}, {column}", fact) for column in ended}
            worst = max(inf if (value := values[column]) is None else value for column in winners)
            best = min(inf if (value := values[column]) is None else value for column in over)
            (won if worst <= best and worst < inf else lost).append(row)
        told = f"{len(won)} of {len(won) + len(lost)} designs{', but not ' if lost else ''}{', '.join(lost)}"
        return ("unknown", "") if not won + lost else ("holds" if len(won) > len(lost) else "fails", told)

    return judge


def _growth(outcomes: Outcomes, column: str, fact: str) -> dict[int, float]:
    values = {n: number(outcomes, f"{n} components, {column}", fact) for n in RINGS}
    return {n: value for n, value in values.items() if value}


def _linear(outcomes: Outcomes) -> tuple[Word, str]:
    """Nodes are counted, not timed: those of improved grow by less than double from half of the largest ring to all of it, while
    those of ordinary grow by more than double with each component."""
    improved, ordinary = _growth(outcomes, "improved", "nodes"), _growth(outcomes, "ordinary", "nodes")
    if max(improved, default=0) < QUICK_RING or len(ordinary) < 2:
        return "unknown", ""
    most = max(improved)
    slow = improved[most] < 2.5 * improved[most // 2]
    pairs = [(ordinary[n + 1], ordinary[n]) for n in ordinary if n + 1 in ordinary]
    fast = all(after > 2 * before for after, before in pairs)
    told = f"improved {improved[most // 2]:g} nodes for {most // 2}, {improved[most]:g} for {most}; ordinary " + ", ".join(
        f"{nodes:g} for {n}" for n, nodes in ordinary.items()
    )
    return ("holds" if slow and fast else "fails"), told


def ring_plots(outcomes: Outcomes) -> dict[str, str]:
    """The growth over the number of components, as SVG."""
    plots = {}
    for fact in ("seconds", "nodes"):
        lines = {column: sorted(_growth(outcomes, column, fact).items()) for column in COLUMNS}
        title = f"Rings of components: {fact}"
        plots[f"5.n-{fact}"] = log_plot(title, {name: line for name, line in lines.items() if line}, across="components", up=fact)
    return plots


NOTE = (
    "Inputs are seen, and every state is an initial one. The derived designs have as many outputs and latches as the thesis "
    "says, but perhaps not the same outputs. The last seven circuits are beyond the thesis."
)
TABLES = (
    PaperTable(
        name="5.2", title="Table 5.2: the designs", facts=("inputs", "latches", "outputs"), points=tuple(_sizes()),
        note="The thesis has two inputs more, and of s298 an output more.",
    ),
    PaperTable(
        name="5.3", title="Table 5.3: the time of the minimisation algorithms", facts=("seconds", "states"),
        points=tuple(_points()), note=NOTE,
        claims=(
            PaperClaim("all algorithms find as many classes", _same_states, quick=True),
            *(PaperClaim(f"{row}: the best improved algorithm beats ordinary and naive in time", _wins("seconds", row),
                    quick=row in QUICK) for row in WINNERS),
            PaperClaim("all versions of improved are faster than ordinary and naive on most designs (the thesis says so)",
                  _best_on("seconds", IMPROVED, WHOLE)),
            PaperClaim("improved3 is the fastest on most designs (the thesis says so)",
                  _best_on("seconds", ("improved3",), ("ordinary", "naive", "improved", "improved2"))),
        ),
    ),
    PaperTable(
        name="5.4", title="Table 5.4: the most BDD nodes of the minimisation algorithms", facts=("nodes",),
        points=tuple(_points()), note=NOTE,
        claims=(
            *(PaperClaim(f"{row}: the best improved algorithm beats ordinary and naive in nodes", _wins("nodes", row),
                    quick=row in QUICK) for row in WINNERS),
            PaperClaim("all versions of improved take fewer nodes than ordinary and naive on most designs (the thesis says so)",
                  _best_on("nodes", IMPROVED, WHOLE)),
            PaperClaim("improved2 takes the fewest nodes on most designs (the thesis says so)",
                  _best_on("nodes", ("improved2",), ("ordinary", "naive", "improved", "improved3"))),
        ),
    ),
    PaperTable(
        name="5.3c", title="Beside table 5.3: the whole command `reduce`, with what it chooses by itself",
        facts=("seconds",), points=tuple(_commands()),
        note="Table 5.3 has the time until the classes are there as a set; a command lists them, and the steps between them.",
        claims=(
            PaperClaim("auto is faster than every algorithm of the thesis on most designs", _auto_suffices),
        ),
    ),
    PaperTable(
        name="5.n", title="Beyond chapter 5: rings of 2 to 12 components that hardly know each other",
        facts=("seconds", "nodes"), points=tuple(_rings()),
        claims=(PaperClaim("improved grows as the number of components, ordinary exponentially", _linear, quick=True),),
        note="--plots DIR draws it.", plots=f"{__name__}:ring_plots",
    ),
)  # fmt: skip
