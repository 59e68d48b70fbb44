"""LTL on sets that are split by the vertices of an automaton: backwards while that is cheap, then on the reachable states."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, cast

from coarsest.automata.automaton import Automaton
from coarsest.check.products.ltl import violation_in_partition
from coarsest.check.products.ltl_backwards import violation_backwards
from coarsest.check.setting.arena import Arena
from coarsest.logic.expr import Expr
from coarsest.run import Run
from coarsest.search.witness import Path
from coarsest.space.partitioned import PartitionedSpace
from coarsest.space.space import S


def violation_by_partition(
    arena: Arena[S], violating: Automaton, run: Run, fair: Callable[[], S], *, again: Sequence[Expr] = (),
    fair_algorithm: str = "auto",
) -> Callable[[], Path[S]] | None:  # fmt: skip
    """A fair path of the system that the automaton accepts, and on which the conditions of `again` are true again and again, if
    there is one; `fair` gives the states from which a fair path starts."""
    base, fairness = arena.base, arena.base.fairness
    plain = not (arena.may_be_stuck or fairness.justice or fairness.compassion)
    if base.holds_diagrams and fair_algorithm == "auto" and plain:
        decided, violation = violation_backwards(PartitionedSpace(cast("Any", base), violating, again=again), run)
        if decided:
            return cast("Callable[[], Path[S]] | None", violation)
        run.step("reachable states first")
    space = PartitionedSpace(arena.space, violating, again=again)
    return violation_in_partition(space, run, arena.start, fair(), reachable=arena.reached, fair_algorithm=fair_algorithm)
