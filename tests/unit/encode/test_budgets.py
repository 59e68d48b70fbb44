"""Encoding one expression can take minutes, so budgets are looked at within it."""

from itertools import combinations

import coarsest
from coarsest.run import Run
from coarsest.space.bdd.build import build

HOUSES = range(8)
MODEL = f"""
MODULE main
VAR
  solved : boolean;
  {" ".join(f"h{i} : 1..8;" for i in HOUSES)}
ASSIGN next(solved) := {" & ".join(f"h{i} != h{j}" for i, j in combinations(HOUSES, 2))};
"""


def test_an_attempt_ends_while_the_operands_of_a_conjunction_are_joined() -> None:
    machine = coarsest.loads(MODEL).machine
    whole, part = Run(), Run()
    build(machine, whole)
    with part.within(work=whole.meter.work / 10) as budget:
        build(machine, part)
    assert budget.spent
    assert part.meter.work < whole.meter.work / 3
