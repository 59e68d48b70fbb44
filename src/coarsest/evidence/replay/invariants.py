"""Inductive invariants: why a condition holds in every reachable state.

The certificate is a decision graph over the bits of the machine's variables. It says for every state whether it belongs to
the invariant. It proves the property when every initial state belongs to it, no step leaves it, and every member is good.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import count

from coarsest.errors import EvidenceRejected
from coarsest.evidence.effort import NotConfirmed
from coarsest.evidence.proof import InductiveInvariant
from coarsest.logic.expr import Expr, Value
from coarsest.model.interpret.interpret import Interpreter
from coarsest.model.machine import Machine
from coarsest.run import Run


def confirm_invariant(
    machine: Machine, invariant: InductiveInvariant, good: Expr, run: Run, *, most_steps: int | None = None
) -> None:
    """Check the certificate on every state that it contains, with the interpreter; raises EvidenceRejected, or NotConfirmed where
    there are more steps than are to be taken.

    The members that matter are those that can be reached, so the walk starts from the initial states and must never leave the
    invariant: its cost is that of an explicit search, which is why it is for small invariants.
    """
    interpreter = Interpreter(machine)
    types = {v.name: v.type for v in machine.state_variables}
    names = list(types)
    seen: set[tuple[Value, ...]] = set()
    waiting: list[Mapping[str, Value]] = []
    steps = count(1)

    def visit(states: Iterator[Mapping[str, Value]], how: str) -> None:
        for state in states:
            if most_steps is not None and next(steps) > most_steps:
                raise NotConfirmed(f"there are more than {most_steps} steps to look at")
            key = tuple(state[name] for name in names)
            if key in seen:
                continue
            if not invariant.contains(state, types):
                raise EvidenceRejected(f"the invariant does not contain {how}")
            if not interpreter.satisfies(good, state):
                raise EvidenceRejected("the invariant contains a state that violates the property")
            seen.add(key)
            waiting.append(state)

    visit(iter(interpreter.initial_states()), "an initial state")
    while waiting:
        run.step("confirm the invariant", states=len(seen))
        visit((after for _, after in interpreter.successors(waiting.pop())), "a successor of a member")
