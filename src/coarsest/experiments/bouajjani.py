"""The table of Bouajjani et al. 1994, section 5: three ways from a program to its minimal automaton.

The simple example is the paper's. Its watch is not in its text: that of the Lustre distribution has, without its data, as many
states. The other programs are ours; experiments/bouajjani/README.md tells what can be compared, and what cannot.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct

from coarsest.experiments.points import Facts, Outcomes, PaperClaim, PaperTable, Point, Word, number

MEASURE = "coarsest.experiments.bouajjani_ways:measure"
WAYS = ("enumerated", "minimised", "directly")
WATCH = "collection/lustre/velus-examples/original/new_watch.lus"


class _Program(Struct, frozen=True, kw_only=True):
    """A program with what is seen of it, and the sizes of its two graphs: states and transitions."""

    row: str
    path: str
    observed: Sequence[str] = ()
    part: str = ""
    format: str | None = None
    enumerated: tuple[int, int]
    minimal: tuple[int, int]
    quick: bool = True


PROGRAMS = (
    _Program(row="simple example", path="examples/minimal.prog", part="whole", enumerated=(10, 20), minimal=(5, 7)),
    _Program(row="stopwatch", path="examples/stopwatch.lus", observed=("running", "frozen"), enumerated=(5, 17), minimal=(4, 14)),
    _Program(row="stopwatch, whole", path="examples/stopwatch.lus", observed=("running", "frozen"), part="whole",
            enumerated=(20201, 121201), minimal=(4, 14), quick=False),
    _Program(row="stopwatch, seconds", path="examples/stopwatch.lus", observed=("seconds",),
            enumerated=(221, 1321), minimal=(221, 1321), quick=False),
    _Program(row="our watch, 2 outputs", path="examples/watch.lus", observed=("m", "p"), enumerated=(11, 31), minimal=(10, 28)),
    _Program(row="our watch, 4 outputs", path="examples/watch.lus", observed=("m", "p", "running", "frozen"),
            enumerated=(41, 129), minimal=(40, 126), quick=False),
    _Program(row="our watch, 7 outputs", path="examples/watch.lus",
            observed=("m", "p", "light", "chime_on", "alarm_on", "running", "frozen"),
            enumerated=(321, 1204), minimal=(320, 1200), quick=False),
    _Program(row="our watch, beeper", path="examples/watch.lus", observed=("m", "beep"),
            enumerated=(3297, 21091), minimal=(1985, 12323), quick=False),
    _Program(row="their watch, beeper", path=WATCH, observed=("beep",), format="lustre:ALARM_DURATION=3",
            enumerated=(2201, 16481), minimal=(1001, 7806), quick=False),
)  # fmt: skip
THEIRS: dict[tuple[str, str], Facts] = {
    ("simple example", "enumerated"): {"states": 10, "transitions": 20, "seconds": 0.5},
    ("simple example", "minimised"): {"states": 5, "transitions": 7, "seconds": 0.2},
    ("simple example", "directly"): {"states": 5, "transitions": 7, "seconds": 0.5},
    ("watch", "enumerated"): {"states": 81, "transitions": 1163, "seconds": 8.1},
    ("watch", "minimised"): {"states": 41, "transitions": 342, "seconds": 33.4},
    ("watch", "directly"): {"states": 41, "transitions": 342, "seconds": 6.8},
}


def _points() -> Iterator[Point]:
    for program in PROGRAMS:
        arguments = {"program": program.path, "observed": program.observed, "part": program.part, "format": program.format}
        for way in WAYS:
            states, transitions = program.enumerated if way == "enumerated" else program.minimal
            yield Point(
                row=program.row, column=way, measure=MEASURE, arguments={"way": way, **arguments}, quick=program.quick,
                expected={"states": states, "transitions": transitions}, paper=THEIRS.get((program.row, way), {}),
            )  # fmt: skip
    control = {"program": WATCH, "part": "control", "format": "lustre:ALARM_DURATION=3"}
    for way, column, states in (("reached", "enumerated", 81), ("directly", "directly", 41)):
        yield Point(row="watch", column=column, measure=MEASURE, arguments={"way": way, **control},
                    expected={"states": states}, paper=THEIRS["watch", column])  # fmt: skip


def _without_single_states(outcomes: Outcomes) -> tuple[Word, str]:
    one_by_one, directly = (number(outcomes, f"stopwatch, whole, {way}", "seconds") for way in ("enumerated", "directly"))
    if one_by_one is None or directly is None:
        return "unknown", "not measured"
    return "holds" if directly < one_by_one else "fails", f"{directly:.2f} s instead of {one_by_one:.2f} s"


TABLES = (
    PaperTable(
        name="5",
        title="Section 5: enumerating the states, then minimising, and generating the minimal graph directly",
        facts=("states", "transitions", "seconds"),
        points=tuple(_points()),
        claims=(
            PaperClaim(
                "with many states and few classes, the direct way is faster than enumerating (the paper: 6.8 s, not 8.1 s)",
                _without_single_states,
            ),
        ),
        note="The paper does not say how it counts the transitions of its watch.",
    ),
)  # fmt: skip
