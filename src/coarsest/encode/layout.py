"""Which BDD variable holds which bit of which variable of a machine.

Every bit of a state variable has two copies, now and after the step, next to one another in the order: a *pair* is moved as
one. Frozen variables and inputs have one copy. A range is held as its distance from the lowest value, an enumeration
as the index of the member, highest bit first in the order.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TypeAlias

from msgspec import Struct

from coarsest.bdd.protocol import F
from coarsest.encode.algebra import Algebra
from coarsest.logic.expr import Value, Word
from coarsest.model.machine import Kind, Machine, Variable
from coarsest.model.types import Boolean, Enumeration, IntegerType, Range, RealType, Type, WordType
from coarsest.model.unbounded import no_bits


def bits_of(kind: Type) -> int:
    """How many bits a variable of this type needs."""
    match kind:
        case Boolean():
            return 1
        case WordType(width, _):
            return width
        case _:
            return (kind.size - 1).bit_length()


def code_of(kind: Type, value: Value) -> int:
    """The number that stands for a value of the type."""
    match kind:
        case Boolean():
            return int(bool(value))
        case Range(low, _):
            assert isinstance(value, int)
            return value - low
        case Enumeration():
            assert isinstance(value, str | int)
            return kind.indices[value]
        case WordType():
            assert isinstance(value, Word)
            return value.bits
        case IntegerType() | RealType():
            raise no_bits(kind)


def value_of(kind: Type, code: int) -> Value:
    """The value a number stands for."""
    match kind:
        case Boolean():
            return bool(code)
        case Range(low, _):
            return low + code
        case Enumeration(members):
            return members[code]
        case WordType(width, signed):
            return Word(code, width, signed)
        case IntegerType() | RealType():
            raise no_bits(kind)


Bit: TypeAlias = "tuple[str, int]"
"""A bit of a variable: its name, and the place of the bit, the lowest being 0."""


def bits_in_order(machine: Machine, variables: Iterable[str]) -> list[Bit]:
    """All bits of the variables, variable by variable, highest bit first."""
    return [(name, bit) for name in variables for bit in reversed(range(bits_of(machine.variables[name].type)))]


class Slots(Struct, frozen=True):
    """The BDD variables of one machine variable, lowest bit first; `after` is empty for frozen variables and inputs."""

    now: tuple[int, ...]
    after: tuple[int, ...]


class Layout:
    """The BDD variables of a machine, in one manager."""

    def __init__(self, machine: Machine, slots: Mapping[str, Slots], groups: Sequence[tuple[int, ...]]) -> None:
        self.machine = machine
        self.slots = slots
        self.groups = groups
        """BDD variables that stay together when the order changes."""
        self.now_of_after = {
            after: now for s in slots.values() if s.after for now, after in zip(s.now, s.after, strict=True)
        }
        self.after_of_now = {now: after for after, now in self.now_of_after.items()}

    @classmethod
    def allocate(cls, machine: Machine, manager: Algebra[F], order: Iterable[Bit], *, whose: str = "") -> Layout:
        """Add the variables to the manager, from the top in the given order of bits (all bits of all variables).

        Where another machine has variables there, too, `whose` makes their names different.
        """
        now: dict[str, list[int]] = {name: [0] * bits_of(v.type) for name, v in machine.variables.items()}
        after: dict[str, list[int]] = {v.name: [0] * bits_of(v.type) for v in machine.of_kind(Kind.STATE)}
        groups: list[tuple[int, ...]] = []
        for name, bit in order:
            if name in after:
                now[name][bit], after[name][bit] = manager.add_variables([f"{whose}{name}.{bit}", f"{whose}next({name}).{bit}"])
                groups.append((now[name][bit], after[name][bit]))
            else:
                (now[name][bit],) = manager.add_variables([f"{whose}{name}.{bit}"])
                groups.append((now[name][bit],))
        slots = {name: Slots(tuple(now[name]), tuple(after.get(name, ()))) for name in machine.variables}
        return cls(machine, slots, groups)

    def now(self, variables: Iterable[Variable]) -> list[int]:
        """All present bits of these variables."""
        return [bit for v in variables for bit in self.slots[v.name].now]

    def after(self, variables: Iterable[Variable]) -> list[int]:
        """All future bits of these variables."""
        return [bit for v in variables for bit in self.slots[v.name].after]

    def decode(self, variable: Variable, bits: Mapping[int, bool], *, after: bool = False) -> Value:
        """The value of a variable under an assignment of bits; a bit that does not matter is read as 0."""
        slots = self.slots[variable.name]
        places = slots.after if after else slots.now
        code = sum(1 << i for i, place in enumerate(places) if bits.get(place, False))
        return value_of(variable.type, code)

    def literals(self, variable: Variable, value: Value, *, after: bool = False) -> dict[int, bool]:
        """The bits that say `variable = value`."""
        slots = self.slots[variable.name]
        code = code_of(variable.type, value)
        return {place: bool(code >> i & 1) for i, place in enumerate(slots.after if after else slots.now)}
