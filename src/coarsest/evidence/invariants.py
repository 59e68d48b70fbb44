"""Inductive invariants: why a condition holds in every reachable state.

The certificate is a decision graph over the bits of the machine's variables. It says for every state whether it belongs to
the invariant. It proves the property when every initial state belongs to it, no step leaves it, and every member is good.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from coarsest.errors import EvidenceRejected
from coarsest.logic.expr import Expr, Value, Word
from coarsest.model.interpret import Interpreter
from coarsest.model.machine import Machine
from coarsest.model.types import Boolean, Enumeration, Range, Type, WordType, show_value
from coarsest.run import Run


@dataclass(frozen=True, slots=True)
class Node:
    """One test: bit `bit` of `variable`; go on at node `high` if it is 1, at `low` if it is 0. Node 0 is false, node 1 true."""

    variable: str
    bit: int
    high: int
    low: int


@dataclass(frozen=True, slots=True)
class InductiveInvariant:
    """A decision graph; nodes[i] has the number i + 2, children come before parents, `root` is where to start."""

    nodes: Sequence[Node]
    root: int
    members: int
    """How many states belong to it."""

    @property
    def summary(self) -> str:
        return f"an inductive invariant of {self.members} states ({len(self.nodes)} nodes) that implies it"

    def contains(self, state: Mapping[str, Value], types: Mapping[str, Type]) -> bool:
        """Does a state belong to the invariant?"""
        at = self.root
        codes: dict[str, int] = {}
        while at > 1:
            node = self.nodes[at - 2]
            code = codes.get(node.variable)
            if code is None:
                code = codes[node.variable] = _code(types[node.variable], state[node.variable])
            at = node.high if code >> node.bit & 1 else node.low
        return at == 1


def _code(kind: Type, value: Value) -> int:
    """How a value is held in bits: a range by its distance from the lowest value, an enumeration by the index."""
    match kind, value:
        case Boolean(), bool():
            return int(value)
        case Range(low, _), int():
            return value - low
        case Enumeration(members), str() | int():
            return members.index(value)
        case WordType(), Word(bits, _, _):
            return bits
    raise EvidenceRejected(f"{show_value(value)} is no value of type {kind}")


def confirm_invariant(machine: Machine, invariant: InductiveInvariant, good: Expr, run: Run) -> None:
    """Check the certificate on every state that it contains, with the interpreter; raises EvidenceRejected.

    The members that matter are those that can be reached, so the walk starts from the initial states and must never leave the
    invariant: its cost is that of an explicit search, which is why it is for small invariants.
    """
    interpreter = Interpreter(machine)
    types = {v.name: v.type for v in machine.state_variables}
    names = list(types)
    seen: set[tuple[Value, ...]] = set()
    waiting: list[Mapping[str, Value]] = []

    def visit(states: Iterator[Mapping[str, Value]], how: str) -> None:
        for state in states:
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
