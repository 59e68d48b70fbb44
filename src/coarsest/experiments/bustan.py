"""Figures 2.1, 3.4 and 3.6 of Bustan 2002: simulation against bisimulation, and the two algorithms at work on their examples.

Table 4.1 is in `bustan_quotients`, figure 4.5 in `bustan_maximal`, those of chapter 5 are in `modular/bustan_modular`, tables
6.3 to 6.5 in `bustan_circuits/preimages`.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Final

from coarsest.experiments import bustan_maximal, bustan_quotients
from coarsest.experiments.bustan_circuits import preimages
from coarsest.experiments.bustan_models import classes_of, states_of
from coarsest.experiments.modular import bustan_modular
from coarsest.experiments.points import Facts, Outcomes, PaperClaim, PaperTable, Point, Word, number

MEASURE = "coarsest.experiments.bustan_structures"
SIZES = range(1, 6)
"""M_6 has more states than 2 to the power of 2^127: they are not written down by bits."""
MOST_BISIMULATION: Final = 4
"""M_5 has more classes by bisimulation than 2^127: they are not found one by one."""


def _family() -> tuple[Point, ...]:
    return tuple(_member(n, column) for n in SIZES for column in ("bisimulation", "partition", "splitters")
                 if n <= MOST_BISIMULATION or column != "bisimulation")  # fmt: skip


def _member(n: int, column: str) -> Point:
    by_simulation = column != "bisimulation"
    arguments = {"n": n, "by": "simulation", "algorithm": column} if by_simulation else {"n": n, "by": "bisimulation"}
    left = n + 2 if by_simulation else classes_of(n)
    return Point(
        row=f"M_{n}", column=column, measure=f"{MEASURE}:family", arguments=arguments,
        expected={"states": str(states_of(n)), "left": left}, quick=True,
    )  # fmt: skip


def _grows(outcomes: Outcomes) -> tuple[Word, str]:
    """A layer has a class for each set of classes of the layer below: what is added is an exponential of what was added."""
    sizes = [number(outcomes, f"M_{n}, bisimulation", "left") for n in SIZES if n <= MOST_BISIMULATION]
    present = [int(size) for size in sizes if size is not None]
    if len(present) < MOST_BISIMULATION:
        return "unknown", ""
    added = [after - before for before, after in pairwise(present)]
    right = all(after + 2 == 2 ** (before + 1) for before, after in pairwise(added))
    return "holds" if right else "fails", f"{', '.join(map(str, present))} classes, then more than 2^127"


def _example(row: str, function: str, expected: Facts, **arguments: str | bool | int) -> Point:
    return Point(
        row=row, column="example", measure=f"{MEASURE}:{function}", arguments={"figure": "3.4", **arguments},
        expected=expected, quick=True,
    )  # fmt: skip


WITHOUT_BROTHERS = {"states": 8, "transitions": 9, "reachable": 5, "between": 6}
EXAMPLE_3_4 = (
    _example(
        "classes", "rounds", algorithm="partition", number=99,
        expected={
            "classes": "{1} {2, 3} {4} {5} {6} {7, 8} {9, 10} {11}", "order": "{4} < {5}; {6} < {5}; {11} < {2, 3}",
        },
    ),
    _example("quotient, where every state has a step", "steps", every=True,
             expected={"states": 8, "transitions": 10, "reachable": 7, "between": 9}),
    _example("quotient, where some state has a step", "steps", every=False,
             expected={"states": 8, "transitions": 12, "reachable": 8, "between": 12}),
    *(_example(f"without little brothers, {way}", "steps", WITHOUT_BROTHERS, every=True, brothers=way)
      for way in ("one by one", "in one pass", "at once")),
    *(_example(f"smallest, by {way}", "smallest", {"states": 5, "transitions": 6, "reachable": 5}, algorithm=way)
      for way in ("partition", "splitters", "relation", "bisimulation-first")),
)  # fmt: skip

ROUNDS = (
    ("{0, 1, 2} {3, 4, 5} {6, 7} {8, 9}", ""),
    ("{0} {1, 2} {3} {4} {5} {6, 7} {8, 9}", "{3} < {4}; {5} < {4}"),
    ("{0} {1, 2} {3} {4} {5} {6} {7} {8, 9}", "{3} < {4}; {5} < {4}; {6} < {7}"),
)
"""The classes and the order after each round, as the thesis lists them."""
EXAMPLE_3_6 = tuple(
    Point(
        row=f"round {i}", column=way, measure=f"{MEASURE}:rounds", arguments={"figure": "3.6", "algorithm": way, "number": i},
        expected={"rounds": 2, "classes": classes, "order": order}, quick=True,
    )
    for i, (classes, order) in enumerate(ROUNDS)
    for way in ("partition", "splitters")
)  # fmt: skip

NOTE = "The arrows of the figure are not in the text of the thesis: ours are such that all that it says is true."
TABLES = (
    PaperTable(
        name="2.1", title="Figure 2.1: the structures M_n, by bisimulation and by simulation",
        facts=("classes", "left", "seconds"), points=_family(),
        note="The relation is total: the lowest states have steps to themselves. By bisimulation, M_5 is not tried.",
        claims=(PaperClaim("by bisimulation, the number of classes grows as a tower of powers", _grows, quick=True),),
    ),
    PaperTable(
        name="3.4", title="Figure 3.4: the minimising algorithm, step by step, and all algorithms",
        facts=("states", "transitions", "reachable"), points=EXAMPLE_3_4, note=NOTE,
    ),
    PaperTable(
        name="3.6", title="Figure 3.6: the rounds of the partition algorithm",
        facts=("classes", "order"), points=EXAMPLE_3_6, note=NOTE,
    ),
    *bustan_quotients.TABLES,
    bustan_maximal.TABLE,
    *bustan_modular.TABLES,
    *preimages.TABLES,
)  # fmt: skip
