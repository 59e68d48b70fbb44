"""A condition about steps is remembered in a variable that no latch may be merged with: evidence knows nothing of it."""

from __future__ import annotations

import pytest

import coarsest
from coarsest.model.kinds import PropertyKind
from coarsest.model.machine import Property

LATCHES = 24
VARIABLES = "".join(f"x{i} : boolean; " for i in range(LATCHES))
NEXT = "".join(
    f"init(x{i}) := {'TRUE' if i == 0 else 'FALSE'}; next(x{i}) := x{(i + 1) % LATCHES} xor (p & b & x{(i + 5) % LATCHES}); "
    for i in range(LATCHES)
)
MODEL = f"MODULE main IVAR b : boolean; VAR {VARIABLES} p : boolean; ASSIGN {NEXT} init(p) := TRUE; next(p) := x3 & b -> !x4;"


@pytest.mark.parametrize("engine", ["auto", "forward", "ic3"])
def test_a_latch_that_is_equal_to_what_is_remembered(engine: str) -> None:
    model = coarsest.loads(MODEL)
    claim = Property(PropertyKind.INVARIANT, model.formula("x3 & b -> !x4").formula)
    (answer,) = model.check(claim, engine=engine, certificates=True).answers
    assert answer.verdict.word == "holds"
    assert answer.confirmed
