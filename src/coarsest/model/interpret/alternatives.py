"""Solving a large disjunction one disjunct at a time.

Models written as `TRANS (a & next(x) = 1 & …) | (b & next(x) = 2 & …) | …` give the values of all variables in each disjunct.
Backtracking over the variables does not notice that; handling one disjunct after another does: each is a system of equations.

Reference: –
Invariant: every solution comes once, from the first disjunct that has it.
Deviates:  only one constraint is split, and only if its parts have a value everywhere, so that their order does not matter.
Cost:      one search per disjunct, most of which end at its tests on the present state; memory for the solutions of one state.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TypeAlias

from coarsest import tuning
from coarsest.logic.expr import Apply, Expr, Name, Value, is_larger
from coarsest.model.interpret.closures import Frame
from coarsest.model.interpret.compile import Frames, Time
from coarsest.model.interpret.requirements import Constraint, Requirement, constraints, may_lack_value
from coarsest.model.interpret.solutions import Solutions
from coarsest.model.machine import Machine
from coarsest.model.types import Type


class Alternatives:
    """The solutions of any of several searches, each once."""

    def __init__(self, searches: Sequence[Solutions], places: Sequence[int]) -> None:
        self._searches = searches
        self._places = places

    def solve(
        self,
        frame: Frame,
        shuffle: random.Random | None = None,
        fixed: Mapping[int, Value] | None = None,
        trying: Callable[[], None] | None = None,
    ) -> Iterator[None]:
        """Solve as `Solutions.solve` does."""
        searches = list(self._searches)
        if shuffle is not None:
            shuffle.shuffle(searches)
        earlier: set[tuple[Value, ...]] = set()
        for search in searches:
            for _ in search.solve(frame, shuffle, fixed, trying):
                values = tuple(frame[place] for place in self._places)
                if values not in earlier:
                    earlier.add(values)
                    yield


Search: TypeAlias = Solutions | Alternatives


def search_for(frames: Frames, unknown: dict[int, Type], requirements: Sequence[Requirement]) -> Search:
    """The search that fits the requirements."""
    for requirement in requirements:
        if isinstance(requirement, Constraint) and not requirement.partial:
            for part in requirement.parts:
                disjuncts = _disjuncts(frames.machine, part.expr, part.time)
                if len(disjuncts) > 1 and _is_large(frames.machine, part, len(unknown)):
                    others = [*(other for other in requirements if other is not requirement), *_others(frames, requirement, part)]
                    each = (constraints(frames, part.section, [expr], time) for expr, time in disjuncts)
                    return Alternatives([Solutions(frames, unknown, [*others, *one]) for one in each], list(unknown))
    return Solutions(frames, unknown, requirements)


def _others(frames: Frames, whole: Constraint, split: Constraint) -> Iterator[Constraint]:
    """The other conjuncts than the one that is split, as separate constraints."""
    for part in whole.parts:
        if part is not split:
            yield from constraints(frames, part.section, [part.expr], part.time)


def _is_large(machine: Machine, part: Constraint, unknown: int) -> bool:
    """Is the part too large to be weakened at every level? Small disjunctions are weakened, not split."""
    return unknown > 0 and is_larger(part.expr, tuning.WEAKENED_PARTS // unknown) and not may_lack_value(machine, part.expr)


def _disjuncts(machine: Machine, expr: Expr, time: Time) -> list[tuple[Expr, Time]]:
    """The parts of a disjunction, also inside definitions and next()."""
    parts: list[tuple[Expr, Time]] = []
    waiting = [(expr, time)]
    while waiting:
        part, when = waiting.pop()
        body = machine.definitions.get(part.name) if isinstance(part, Name) else None
        if isinstance(part, Apply) and part.op == "or":
            waiting.extend((arg, when) for arg in reversed(part.args))
        elif isinstance(part, Apply) and part.op == "next" and when is Time.NOW:
            waiting.append((part.args[0], Time.AFTER))
        elif isinstance(body, Apply) and body.op == "or":
            waiting.append((body, when))
        else:
            parts.append((part, when))
    return parts
