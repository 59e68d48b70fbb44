"""A circuit whose bits may be unknown: abstract states, and the step from one to the next as a function.

Reference: Seger, Bryant 1995 (trajectories over 0, 1, X); Yang, Seger 2002 (abstraction in GSTE).
Symbols:   an abstract state has a `domain`, the values of the kept variables that it allows, and the rails of every other bit
           over these.
Invariant: an abstract state allows every state that it stands for, and perhaps more: a step, a union or a condition never
           loses one.
Deviates:  beside symbolic constants (frozen variables), any variables may be kept: then the step is a relation on these and a
           function on the others. With all of them kept nothing is abstracted.
Cost:      a step evaluates each next-state function once, on rails; with kept variables, two images for each bit.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from typing import Generic

from msgspec import Struct

from coarsest.bdd.protocol import F, Manager
from coarsest.encode.layout import Bit, Layout, Slots, bits_of
from coarsest.errors import Unsupported
from coarsest.logic.expr import Expr
from coarsest.model.machine import Kind, Machine, Variable
from coarsest.space.bdd.order import choose_order
from coarsest.space.ternary.ternary import RailManager, Rails
from coarsest.space.ternary.ternary_encode import TernaryEncoder


class Abstract(Struct, Generic[F], frozen=True):
    """Where the domain is, every bit that is not kept is 0, 1 or X; the rails lie within the domain."""

    domain: F
    rails: dict[int, Rails[F]]


class TernaryCircuit(Generic[F]):
    """The abstract states of a machine with next-state functions."""

    def __init__(self, machine: Machine, manager: Manager[F], *, kept: Collection[str], order: str = "auto") -> None:
        require_circuit(machine)
        self.machine = machine
        self.manager = manager
        self.kept = {v.name for v in machine.variables.values() if v.kind is Kind.FROZEN or v.name in kept}
        """The variables that are not abstracted: symbolic constants, and those asked for."""
        self.layout = Layout(machine, _places(machine), ())
        self._owner = {p: (v, i) for v in machine.variables.values() for i, p in enumerate(self.layout.slots[v.name].now)}
        self._later = {p: (v, i) for v in machine.variables.values() for i, p in enumerate(self.layout.slots[v.name].after)}
        self._now: dict[int, int] = {}
        """For each bit that is kept, its variable of the manager; for those of the state, one more for after the step."""
        self._after: dict[int, int] = {}
        self.groups: list[tuple[int, ...]] = []
        for name, bit in _in_order(machine, order):
            if name in self.kept:
                self._keep(machine.variables[name], bit)
        self._forget = manager.cube([v for p, v in self._now.items() if self._owner[p][0].kind is not Kind.FROZEN])
        self._rename = manager.substitution({after: manager.var(self._now[p]) for p, after in self._after.items()})

    def _keep(self, variable: Variable, bit: int) -> None:
        place = self.layout.slots[variable.name].now[bit]
        names = [f"{variable.name}.{bit}"]
        if variable.kind is Kind.STATE:
            names.append(f"next({variable.name}).{bit}")
        added = self.manager.add_variables(names)
        self._now[place] = added[0]
        if len(added) > 1:
            self._after[place] = added[1]
        self.groups.append(tuple(added))

    def _free(self, *kinds: Kind) -> Iterable[int]:
        """The places of the bits that are not kept and have no equation for all times."""
        for variable in self.machine.of_kind(*kinds):
            if variable.name not in self.kept and variable.name not in self.machine.current_values:
                yield from self.layout.slots[variable.name].now

    def _unknown(self, domain: F) -> Rails[F]:
        return Rails(domain, domain, self.manager.false)

    # Evaluation

    def _encoder(self, bit_now: Callable[[int, TernaryEncoder[F]], Rails[F]], domain: F) -> TernaryEncoder[F]:
        """An encoder over bits given by a function; what equations say of all times and of the next state is computed."""
        known: dict[int, Rails[F]] = {}
        machine = self.machine

        def compute(variable: Variable, *, after: bool) -> tuple[Rails[F], ...]:
            slots = self.layout.slots[variable.name]
            if variable.name in machine.current_values:
                return encoder.bits(variable, machine.current_values[variable.name], after=after)
            if variable.name in machine.next_values:
                return encoder.bits(variable, machine.next_values[variable.name])
            return tuple(self._unknown(domain) for _ in slots.after)

        def lookup(place: int) -> Rails[F]:
            if place not in known:
                if place in self._later:
                    variable, _ = self._later[place]
                    known.update(zip(self.layout.slots[variable.name].after, compute(variable, after=True)))
                else:
                    variable, _ = self._owner[place]
                    if place in self._now:
                        var = self.manager.var(self._now[place])
                        known[place] = Rails(var & domain, ~var & domain, self.manager.false)
                    elif variable.name in machine.current_values:
                        known.update(zip(self.layout.slots[variable.name].now, compute(variable, after=False)))
                    else:
                        known[place] = bit_now(place, encoder)
            return known[place]

        encoder: TernaryEncoder[F] = TernaryEncoder(RailManager(self.manager, lookup), self.layout)
        return encoder

    def encoder(self, state: Abstract[F]) -> TernaryEncoder[F]:
        """Values of expressions in an abstract state."""
        return self._encoder(lambda place, _: state.rails[place], state.domain)

    def truth(self, state: Abstract[F], condition: Expr) -> Rails[F]:
        """Where in an abstract state a condition may hold, and where it may not."""
        return self.encoder(state).boolean(condition).within(state.domain)

    # States

    def initial(self) -> Abstract[F]:
        """The initial states, but for INIT constraints."""
        machine, manager = self.machine, self.manager

        def bit_now(place: int, encoder: TernaryEncoder[F]) -> Rails[F]:
            variable, bit = self._owner[place]
            if variable.name in machine.initial_values:
                return encoder.bits(variable, machine.initial_values[variable.name])[bit]
            return self._unknown(manager.true)

        encoder = self._encoder(bit_now, manager.true)
        domain = manager.true
        for variable in machine.variables.values():
            if variable.name in self.kept:
                domain = domain & encoder.domain(variable).one
                if variable.name in machine.initial_values:
                    values = encoder.bits(variable, machine.initial_values[variable.name])
                    domain = domain & self._held(self.layout.slots[variable.name].now, values, self._now)
        rails = {place: encoder.manager.var(place).within(domain) for place in self._free(Kind.STATE, Kind.INPUT)}
        return Abstract(domain, rails)

    def _held(self, places: Iterable[int], values: Iterable[Rails[F]], variables: dict[int, int]) -> F:
        """Where the variables of the manager for these places may hold the values."""
        held = self.manager.true
        for place, value in zip(places, values):
            var = self.manager.var(variables[place])
            held = held & ((var & value.one) | (~var & value.zero))
        return held

    def post(self, state: Abstract[F]) -> Abstract[F]:
        """One step, with any inputs after it."""
        encoder, manager = self.encoder(state), self.manager
        relation = state.domain
        for place in self._after:
            variable, bit = self._owner[place]
            after = encoder.manager.var(self.layout.slots[variable.name].after[bit])
            relation = relation & self._held((place,), (after,), self._after)
        domain = self._moved(relation, manager.true)
        rails: dict[int, Rails[F]] = {}
        for place in self._free(Kind.STATE):
            variable, bit = self._owner[place]
            after = encoder.manager.var(self.layout.slots[variable.name].after[bit])
            rails[place] = Rails(self._moved(relation, after.one), self._moved(relation, after.zero), manager.false)
        for place in self._free(Kind.INPUT):
            rails[place] = self._unknown(domain)
        return self._legal(Abstract(domain, rails))

    def _moved(self, relation: F, function: F) -> F:
        """What the kept variables may be after a step within the relation where a function holds."""
        manager = self.manager
        return manager.substitute(manager.and_exists(relation, function, self._forget), self._rename)

    def _legal(self, state: Abstract[F]) -> Abstract[F]:
        """Kept variables have values of their types, also those that take any value."""
        encoder, domain = self.encoder(state), state.domain
        for variable in self.machine.of_kind(Kind.STATE, Kind.INPUT):
            if variable.name in self.kept:
                domain = domain & encoder.domain(variable).one
        return state if domain == state.domain else self.narrowed(state, domain)

    def narrowed(self, state: Abstract[F], domain: F) -> Abstract[F]:
        """The state where a domain is, too."""
        inside = state.domain & domain
        return Abstract(inside, {place: rails.within(inside) for place, rails in state.rails.items()})

    def join(self, a: Abstract[F], b: Abstract[F]) -> Abstract[F]:
        """What either allows, and more: for each value of the kept variables, bit by bit."""
        false = self.manager.false
        rails = {p: Rails(r.one | b.rails[p].one, r.zero | b.rails[p].zero, false) for p, r in a.rails.items()}
        return Abstract(a.domain | b.domain, rails)

    def same(self, a: Abstract[F], b: Abstract[F]) -> bool:
        """Do they allow the same?"""
        if a.domain != b.domain:
            return False
        return all(rails.one == b.rails[p].one and rails.zero == b.rails[p].zero for p, rails in a.rails.items())

    # Variables, for people

    def unknown_in(self, state: Abstract[F], names: Iterable[str], where: F) -> list[str]:
        """Those of the variables that have an unknown bit somewhere in a part of the state."""
        encoder = self.encoder(state)
        found = []
        for name in names:
            bits = [encoder.manager.var(place) for place in self.layout.slots[name].now]
            if any(bit.one & bit.zero & where != self.manager.false for bit in bits):
                found.append(name)
        return found


def require_circuit(machine: Machine) -> None:
    """Raise Unsupported unless every step is given by equations."""
    for what, constraints in (("TRANS", machine.transition_constraints), ("INVAR", machine.invariant_constraints)):
        if constraints:
            hint = "write next(x) := … instead, or check without --abstraction"
            message = f"the ternary abstraction is for circuits, but the model has {what}"
            raise Unsupported(message, constraints[0].span, hint=hint)


def _in_order(machine: Machine, order: str) -> list[Bit]:
    """The bits from the top down; unless an order is asked for, the highest bits first, for kept variables are compared a lot."""
    bits = choose_order(machine, order)
    return sorted(bits, key=lambda bit: -bit[1]) if order == "auto" else bits


def _places(machine: Machine) -> dict[str, Slots]:
    """Numbers for all bits, now and after the step."""
    slots: dict[str, Slots] = {}
    count = 0
    for name, variable in machine.variables.items():
        width = bits_of(variable.type)
        now = tuple(range(count, count + width))
        after = tuple(range(count + width, count + 2 * width)) if variable.kind is Kind.STATE else ()
        slots[name] = Slots(now, after)
        count += width + len(after)
    return slots
