"""Constraints are encoded in parts, and mean the same."""

from __future__ import annotations

from functools import reduce
from operator import and_

from coarsest.api.model import loads
from coarsest.space.bdd.build import build


def steps_and_conjuncts(constraint: str) -> tuple[int, int]:
    text = f"MODULE main VAR b : boolean; x : 0..3; y : 0..3; TRANS {constraint}"
    space = build(loads(text).machine)
    relations = [conjunct.relation for conjunct in space.step.conjuncts]
    return space.manager.count(reduce(and_, relations), 10), len(relations)


def test_an_implication_of_several_conditions_is_several_implications() -> None:
    whole, alone = steps_and_conjuncts("!(b & !(next(x) = y & (y > 1 -> next(y) = x & next(b))))")
    parts, several = steps_and_conjuncts("b -> next(x) = y & (y > 1 -> next(y) = x & next(b))")
    assert (alone, several) == (1, 3)
    # With b false, all 16 * 32 steps; with b true, from 8 states with y <= 1 any y and b, from 8 others one.
    assert whole == parts == 16 * 32 + 8 * 8 + 8
