"""z3's `qe` is wrong about divisions inside a quantifier: a stable partition was refused, and others could be accepted."""

from __future__ import annotations

import coarsest
from coarsest.evidence.smt.questions import Questions
from coarsest.run import Run
from coarsest.space.smt.smt_solver import Solver


def test_a_partition_by_remainders_is_confirmed() -> None:
    model = coarsest.loads("MODULE main VAR x : 0..2; ASSIGN next(x) := {x, (x + 2) mod 3}; LTLSPEC F x = 0")
    (answer,) = model.check(carrier="smt").answers
    assert answer.verdict.word == "fails" and answer.confirmed


def test_both_methods_of_elimination_agree_about_divisions() -> None:
    solver, judge = Solver(Run()), Questions(Run())
    z3 = solver.z3
    for context, eliminate, example in (
        (solver.context, solver.eliminate, solver.model),
        (judge.context, judge.for_some, judge.example),
    ):
        x, y = z3.Int("x", context), z3.Int("y", context)
        stays_or_moves = z3.Or(y == x, y == (x + 2) % 3)
        formula = z3.And(x >= 0, x <= 2, y >= 0, y <= 2, stays_or_moves, (y + 2) % 3 <= 0)  # so y is 1, and x is 1 or 2
        assert example(eliminate([y], formula) != z3.And(x >= 1, x <= 2)) is None
