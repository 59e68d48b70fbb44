"""Permutations of states: values move between variables of one type, and may be renamed on the way.

A permutation is about names, not about BDDs, so that it serves every carrier, product and cone of a machine: variables that it
does not mention keep their values. Its effect on a state is `σ(s)(σ(v)) = π_v(s(v))`, where π_v permutes the values of v.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TypeVar

from msgspec import Struct, field

from coarsest.logic.expr import Value
from coarsest.model.machine import Machine
from coarsest.model.types import show_value

V = TypeVar("V")

Point = tuple[str, Value | None]
"""A variable, or a variable with one of its values. Groups permute points."""


class Permutation(Struct, frozen=True, dict=True):
    """The variable that each variable's value goes to, and its new value there. The maps contain no identities."""

    moves: Mapping[str, str] = field(default_factory=dict)
    values: Mapping[str, Mapping[Value, Value]] = field(default_factory=dict)
    """New values by old ones, for each variable that values come from."""
    text: str = ""
    """The text of its author, if somebody wrote it."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Permutation) and self.moves == other.moves and self.values == other.values

    def __hash__(self) -> int:
        renamed = frozenset((name, old, new) for name, values in self.values.items() for old, new in values.items())
        return hash((frozenset(self.moves.items()), renamed))

    @property
    def is_identity(self) -> bool:
        return not self.moves and not self.values

    @property
    def variables(self) -> frozenset[str]:
        """All variables that take part."""
        return frozenset(self.moves) | frozenset(self.values)

    def __call__(self, state: Mapping[str, Value]) -> dict[str, Value]:
        """The state with its values moved. Variables that are not in the state, such as inputs, play no part."""
        moved = dict(state)
        for name in self.variables & state.keys():
            value = state[name]
            moved[self.moves.get(name, name)] = self.values.get(name, {}).get(value, value)
        return moved

    def of_point(self, point: Point) -> Point:
        name, value = point
        new = None if value is None else self.values.get(name, {}).get(value, value)
        return self.moves.get(name, name), new

    def then(self, other: Permutation) -> Permutation:
        """The product of this permutation and another, which is applied after it."""
        moves: dict[str, str] = {}
        values: dict[str, dict[Value, Value]] = {}
        for name in self.variables | other.variables:
            between = self.moves.get(name, name)
            moves[name] = other.moves.get(between, between)
            first, second = self.values.get(name, {}), other.values.get(between, {})
            values[name] = {old: second.get(first.get(old, old), first.get(old, old)) for old in {**first, **second}}
        return permutation(moves, values)

    @property
    def inverse(self) -> Permutation:
        moves = {target: name for name, target in self.moves.items()}
        values = {
            self.moves.get(name, name): {new: old for old, new in renamed.items()} for name, renamed in self.values.items()
        }
        return permutation(moves, values)

    def within(self, variables: Iterable[str]) -> Permutation | None:
        """The permutation restricted to some variables; None if values would cross their boundary."""
        inside = frozenset(variables)
        if any((name in inside) != (target in inside) for name, target in self.moves.items()):
            return None
        moves = {name: target for name, target in self.moves.items() if name in inside}
        return Permutation(moves, {name: renamed for name, renamed in self.values.items() if name in inside}, self.text)

    def __str__(self) -> str:
        return self.text or show_cycles(self)


def permutation(
    moves: Mapping[str, str], values: Mapping[str, Mapping[Value, Value]] | None = None, text: str = ""
) -> Permutation:
    """A permutation without identities in its maps, which are sorted."""

    def rank(value: Value) -> tuple[str, int, str]:
        return type(value).__name__, value if isinstance(value, int) else 0, str(value)

    renamed: dict[str, dict[Value, Value]] = {}
    for name, new in sorted((values or {}).items()):
        changed = {old: new[old] for old in sorted(new, key=rank) if old != new[old]}
        if changed:
            renamed[name] = changed
    return Permutation({name: moves[name] for name in sorted(moves) if name != moves[name]}, renamed, text)


IDENTITY = Permutation()


def cycles(mapping: Mapping[V, V]) -> Iterator[list[V]]:
    """The disjoint cycles of a permutation, without those of length one."""
    met: set[V] = set()
    for start in mapping:
        cycle, here = [], start
        while here not in met:
            met.add(here)
            cycle.append(here)
            here = mapping.get(here, here)
        if len(cycle) > 1:
            yield cycle


def show_cycles(sigma: Permutation) -> str:
    """The permutation as a product of cycles of variables, and of values where they are renamed.

    >>> show_cycles(permutation({"a": "b", "b": "a"}, {"who": {1: 2, 2: 1}}))
    '(a b) who: (1 2)'
    """
    if sigma.is_identity:
        return "()"
    shown = ["".join(f"({' '.join(map(str, cycle))})" for cycle in _by_instance(sigma.moves))] if sigma.moves else []
    by_value: dict[str, list[str]] = {}
    for name, renamed in sigma.values.items():
        text = "".join(f"({' '.join(map(show_value, cycle))})" for cycle in cycles(renamed))
        by_value.setdefault(text or ", ".join(f"{show_value(a)} to {show_value(b)}" for a, b in renamed.items()), []).append(name)
    shown += [f"{', '.join(names)}: {text}" for text, names in by_value.items()]
    return " ".join(shown)


def _by_instance(moves: Mapping[str, str]) -> Iterator[list[str]]:
    """The cycles of variables; variables that move together with their instance or array element have one cycle of its name."""
    yield from map(list, dict.fromkeys(tuple(_without_suffix(cycle)) for cycle in cycles(moves)))


def _without_suffix(names: Sequence[str]) -> list[str]:
    """Names without their longest common suffix that begins with a dot or an opening bracket."""
    for position, character in enumerate(names[0]):
        suffix = names[0][position:]
        if position and character in ".[" and all(name.endswith(suffix) and len(name) > len(suffix) for name in names):
            return [name[: -len(suffix)] for name in names]
    return list(names)


def objection_to(sigma: Permutation, machine: Machine) -> str:
    """The reason why this is no permutation of the states of the machine; empty if it is one."""
    variables = machine.variables
    for name in sorted(sigma.variables):
        if name not in variables:
            return f"there is no variable '{name}'"
        target = sigma.moves.get(name, name)
        if target not in variables:
            return f"there is no variable '{target}'"
        if variables[target].type != variables[name].type:
            return f"'{name}' is of type {variables[name].type}, and '{target}' of type {variables[target].type}"
        if variables[target].kind is not variables[name].kind:
            return f"'{name}' is of kind {variables[name].kind}, and '{target}' of kind {variables[target].kind}"
    if set(sigma.moves) != set(sigma.moves.values()):
        return "two variables go to the same place"
    if any(set(renamed) != set(renamed.values()) for renamed in sigma.values.values()):
        return "two values become the same"
    return ""


def inside(generators: Iterable[Permutation], machine: Machine) -> list[Permutation]:
    """Permutations restricted to the variables of a machine, which may be a part of theirs, with inputs promoted to states.

    Those that become the identity, cross the boundary of the part, or exchange an input with another variable are left out.
    """
    own = (sigma.within(machine.variables) for sigma in generators)
    return [sigma for sigma in own if sigma is not None and not sigma.is_identity and not objection_to(sigma, machine)]
