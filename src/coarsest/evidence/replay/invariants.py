"""Inductive invariants: why a condition holds in every reachable state.

The certificate is a decision graph over the bits of the machine's variables. It says for every state whether it belongs to
the invariant. It proves the property when every initial state belongs to it, no step leaves it, and every member is good.
Here the states that can be reached are walked through; what else is in the invariant does not matter.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import count

from coarsest.errors import EvidenceRejected
from coarsest.evidence.effort import NotConfirmed
from coarsest.evidence.proof import InductiveInvariant
from coarsest.logic.expr import Expr, Value
from coarsest.model.interpret.interpret import Interpreter
from coarsest.model.machine import Machine
from coarsest.run import Run


class ReachableStates:
    """The states of a machine that can be reached, found by the interpreter one by one: for all its invariants the same."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.interpreter = Interpreter(machine)
        self.types = {v.name: v.type for v in machine.state_variables}
        self._listed: list[Mapping[str, Value]] = []

    def listed(self, run: Run, *, most_steps: int | None = None) -> list[Mapping[str, Value]]:
        """Raises NotConfirmed where there are more steps than are to be taken."""
        if self._listed:
            return self._listed
        seen: set[tuple[Value, ...]] = set()
        listed: list[Mapping[str, Value]] = []
        steps = count(1)

        def visit(states: Iterable[Mapping[str, Value]]) -> None:
            for state in states:
                if most_steps is not None and next(steps) > most_steps:
                    raise NotConfirmed(f"there are more than {most_steps} steps to look at")
                key = tuple(state[name] for name in self.types)
                if key not in seen:
                    seen.add(key)
                    listed.append(state)

        visit(self.interpreter.initial_states())
        for state in listed:  # which grows
            run.step("confirm the invariant", states=len(listed))
            visit(after for _, after in self.interpreter.successors(state))
        self._listed = listed
        return listed


def confirm_invariant(
    reachable: ReachableStates, invariant: InductiveInvariant, good: Expr, run: Run, *, most_steps: int | None = None
) -> None:
    """Check the certificate on every state that can be reached, with the interpreter; raises EvidenceRejected, or NotConfirmed
    where there are more steps than are to be taken.

    The members that matter are those that can be reached: all of these must belong to the invariant, and be good. The cost is
    that of an explicit search, which is why it is for small invariants.
    """
    for state in reachable.listed(run, most_steps=most_steps):
        if not invariant.contains(state, reachable.types):
            raise EvidenceRejected("the invariant does not contain a state that can be reached")
        if not reachable.interpreter.satisfies(good, state):
            raise EvidenceRejected("the invariant contains a state that violates the property")
