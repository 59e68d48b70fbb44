"""What a condition says about unknown bits: an abstract state restricted to where the condition may hold.

Reference: –
Symbols:   –
Invariant: every state that the abstract state stands for and that satisfies the condition is one of the result.
Deviates:  conditions are not solved: conjunctions, disjunctions, equations between a variable and a value, and comparisons with
           a set are understood; of anything else it is only seen where it may hold.
Cost:      one evaluation for each part of the condition, one union for each disjunct.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from typing import Generic

from coarsest.bdd.protocol import F
from coarsest.encode.values import SymbolicChoice
from coarsest.logic.expr import Apply, Constant, Expr, Name
from coarsest.model.machine import Variable
from coarsest.model.types import Boolean
from coarsest.space.ternary.ternary import Rails
from coarsest.space.ternary.ternary_circuit import Abstract, TernaryCircuit


class TernaryRefinement(Generic[F]):
    """Conditions taken into abstract states of one circuit."""

    def __init__(self, circuit: TernaryCircuit[F]) -> None:
        self.circuit = circuit

    def where(self, state: Abstract[F], condition: Expr, *, holds: bool = True) -> Abstract[F]:
        """The part of the abstract state where the condition may hold (or may fail)."""
        if state.domain == self.circuit.manager.false:
            return state
        state = self._known(state, condition, holds=holds)
        truth = self.circuit.truth(state, condition)
        return self.circuit.narrowed(state, truth.one if holds else truth.zero)

    def _known(self, state: Abstract[F], condition: Expr, *, holds: bool) -> Abstract[F]:
        """What the condition says about single bits."""
        machine = self.circuit.machine
        if isinstance(self.circuit.encoder(state).value(condition), SymbolicChoice):
            return state  # it can hold and it can fail: its parts say nothing
        match condition:
            case Name(name) if name in machine.definitions:
                return self._known(state, machine.definitions[name], holds=holds)
            case Name(name) if name in machine.current_values:
                return self._known(state, machine.current_values[name], holds=holds)
            case Name(name) if isinstance(machine.variables[name].type, Boolean):
                return self._bits(state, machine.variables[name], Constant(holds))
            case Apply("not", (part,)):
                return self._known(state, part, holds=not holds)
            case Apply("and" | "or" as op, args):
                return self._all(state, args, holds=holds) if (op == "and") == holds else self._any(state, args, holds=holds)
            case Apply("implies", (a, b)):
                return self._known(state, Apply("or", (Apply("not", (a,)), b)), holds=holds)
            case Apply("=" | "iff" | "xnor", (a, b)) if holds:
                return self._equal(state, a, b)
            case Apply("!=" | "xor", (a, b)) if not holds:
                return self._equal(state, a, b)
            case Apply("in", (element, Apply("set", members))) if holds:
                return self._any(state, [Apply("=", (element, member)) for member in members], holds=True)
        return state

    def _all(self, state: Abstract[F], parts: Sequence[Expr], *, holds: bool) -> Abstract[F]:
        """Twice, because what a later part says may help with an earlier one."""
        for part in (*parts, *parts[:-1]):
            state = self.where(state, part, holds=holds)
        return state

    def _any(self, state: Abstract[F], parts: Sequence[Expr], *, holds: bool) -> Abstract[F]:
        return reduce(self.circuit.join, (self.where(state, part, holds=holds) for part in parts))

    def _equal(self, state: Abstract[F], a: Expr, b: Expr) -> Abstract[F]:
        """A variable has the bits of what it is equal to; so do two variables."""
        for one, other in ((a, b), (b, a)):
            if isinstance(one, Name) and one.name in self.circuit.machine.definitions:
                return self._equal(state, self.circuit.machine.definitions[one.name], other)
            if isinstance(one, Name) and one.name not in self.circuit.machine.current_values:
                state = self._bits(state, self.circuit.machine.variables[one.name], other)
        return state

    def _bits(self, state: Abstract[F], variable: Variable, value: Expr) -> Abstract[F]:
        circuit = self.circuit
        if variable.name in circuit.kept:
            return state  # that the condition may hold says it all
        domain, rails = state.domain, dict(state.rails)
        for place, bit in zip(circuit.layout.slots[variable.name].now, circuit.encoder(state).bits(variable, value)):
            known = rails[place]
            rails[place] = Rails(known.one & bit.one, known.zero & bit.zero, circuit.manager.false)
            domain = domain & (rails[place].one | rails[place].zero)
        return circuit.narrowed(Abstract(domain, rails), domain)
