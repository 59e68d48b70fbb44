"""From paths of representatives back to paths of the machine: the states are those of the path, moved by symmetries.

Invariant: the state reached so far is the representative that the path has arrived at, moved by `away`; both have the same steps.
Cost:      one call of the interpreter per step; a loop of representatives is followed until the state recurs, at most as often as
           the symmetry of one round has to be applied to be the identity.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from coarsest.errors import EvidenceRejected
from coarsest.evidence.explanation import Explanation
from coarsest.logic.expr import Value
from coarsest.model.trace import Trace
from coarsest.reduce.symmetry.group.permutation import IDENTITY, Permutation
from coarsest.reduce.symmetry.orbit_spaces import OrbitSpace
from coarsest.run import Run
from coarsest.space.space import State


class Lifted(Struct, frozen=True):
    """A path of the machine; for each of its states, its index in the path of representatives, and what moved it from there."""
    trace: Trace
    indices: Sequence[int]
    away: Sequence[Permutation]


class OrbitLift:
    """The way back from the representatives of one space."""

    def __init__(self, space: OrbitSpace, run: Run) -> None:
        self._space, self._run = space, run

    def trace(self, trace: Trace) -> Trace:
        return self._lifted(trace, IDENTITY).trace

    def explanation(self, tree: Explanation, begin: Permutation = IDENTITY) -> Explanation:
        """The same reasons about states of the machine. The path of each part begins at its state in the path above it."""
        lifted = self._lifted(tree.trace, begin)
        parts = [
            (position, self.explanation(part, lifted.away[position]))
            for index, part in tree.parts
            for position, origin in enumerate(lifted.indices)
            if origin == index
        ]
        return replace(tree, trace=lifted.trace, parts=tuple(parts))

    def _lifted(self, path: Trace, begin: Permutation) -> Lifted:
        states, indices, away = [begin(path.states[0])], [0], [begin]
        variables = self._space.interpreter.state_variables
        begins: dict[tuple[Value, ...], int] = {}
        """The positions of the states with which rounds of the loop began."""
        last = len(path) - 1
        loop: int | None = None
        while indices[-1] < last or path.loop is not None:
            self._run.step("lift", states=len(states))
            here = indices[-1]
            if here == path.loop:
                begins[tuple(states[-1].values())] = len(states) - 1
            there = here + 1 if here < last else path.loop
            assert there is not None
            reached = self._reached(path.states[here], path.states[there])
            after = away[-1](reached)
            loop = begins.get(tuple(after[name] for name in states[0])) if here == last else None
            if loop is not None:
                break
            states.append({name: after[name] for name in states[0]})
            indices.append(there)
            values = tuple(reached[variable.name] for variable in variables)
            away.append(self._space.representatives.taking(values).inverse.then(away[-1]))
        arrivals = states[1:] if loop is None else [*states[1:], states[loop]]
        inputs = tuple(self._inputs(*step) for step in zip(states, arrivals))
        return Lifted(Trace(tuple(states), inputs if any(inputs) else (), loop), indices, away)

    def _reached(self, before: State, after: State) -> dict[str, Value]:
        """A successor of the representative `before` in the orbit of the representative `after`."""
        step = self._space.step_between(before, after)
        if step is not None:
            return step[1]
        if before != after:
            raise EvidenceRejected("the path of representatives has a step that the model does not have")
        return dict(before)  # a stuck state stays

    def _inputs(self, before: Mapping[str, Value], after: Mapping[str, Value]) -> dict[str, Value]:
        interpreter = self._space.interpreter
        if not interpreter.input_variables:
            return {}
        try:
            return interpreter.complete_step(before, {}, after)[0]
        except EvidenceRejected:
            if before != after:
                raise
            return {v.name: next(iter(v.type.values())) for v in interpreter.input_variables}  # stuck: any will do
