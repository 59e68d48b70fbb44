"""The steps that the hints of a machine say to take first."""

from __future__ import annotations

from typing import Any

from coarsest.errors import InputError
from coarsest.run import Run
from coarsest.space.bdd.symbolic import SymbolicSpace
from coarsest.space.carrier import Carrier
from coarsest.space.space import StepPart


def hinted_steps(space: Carrier[Any], run: Run) -> list[StepPart[Any]]:
    """Hint by hint."""
    hints = space.machine.hints
    if not hints:
        return []
    if not isinstance(space, SymbolicSpace):
        raise InputError("hints guide a search with BDDs, and here sets of states are not BDDs", hint="leave '--hints' out")
    from coarsest.space.bdd.actions import steps_where

    return [steps_where(space, hint, run) for hint in hints]
