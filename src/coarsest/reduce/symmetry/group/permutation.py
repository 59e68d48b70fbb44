"""Permutations of states: values change places between variables of one type, and may change names on the way.

A permutation is about names, not about BDDs, so that one serves every carrier, product and cone of a machine: variables that it
does not mention keep their values. What it does to a state is `σ(s)(σ(v)) = π_v(s(v))`, where π_v permutes the values of v.
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
"""A variable, or a variable with one of its values: what groups permute."""


class Permutation(Struct, frozen=True, dict=True):
    """Where the value of each variable goes, and what becomes of it there. Nothing that stays as it is stands in the maps."""

    moves: Mapping[str, str] = field(default_factory=dict)
    values: Mapping[str, Mapping[Value, Value]] = field(default_factory=dict)
    """By the variable that the value comes from."""
    text: str = ""
    """How its author wrote it."""

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
        """The state with its values moved; of inputs it knows nothing."""
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
        """This one first, then the other."""
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
        """The same among some variables only; None if a value would come in from elsewhere, or go."""
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
    """A permutation, without what stays, and in an order that does not depend on how it came about."""
    renamed: dict[str, dict[Value, Value]] = {}
    for name, of in sorted((values or {}).items()):
        changed = {old: of[old] for old in sorted(of, key=_rank) if old != of[old]}
        if changed:
            renamed[name] = changed
    return Permutation({name: moves[name] for name in sorted(moves) if name != moves[name]}, renamed, text)


def _rank(value: Value) -> tuple[str, int, str]:
    number = value if isinstance(value, int) else 0
    return type(value).__name__, number, str(value)


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


def show_cycles(one: Permutation) -> str:
    """As a product of cycles: variables, and values where they are renamed.

    >>> show_cycles(permutation({"a": "b", "b": "a"}, {"who": {1: 2, 2: 1}}))
    '(a b) who: (1 2)'
    """
    if one.is_identity:
        return "()"
    shown = ["".join(f"({' '.join(map(str, cycle))})" for cycle in _by_instance(one.moves))] if one.moves else []
    by_value: dict[str, list[str]] = {}
    for name, renamed in one.values.items():
        text = "".join(f"({' '.join(map(show_value, cycle))})" for cycle in cycles(renamed))
        by_value.setdefault(text or ", ".join(f"{show_value(a)} to {show_value(b)}" for a, b in renamed.items()), []).append(name)
    shown += [f"{', '.join(names)}: {text}" for text, names in by_value.items()]
    return " ".join(shown)


def _by_instance(moves: Mapping[str, str]) -> Iterator[list[str]]:
    """The cycles of variables; those that move as their instances or array elements do are told once, by these."""
    told: set[tuple[str, ...]] = set()
    for cycle in cycles(moves):
        short = tuple(_without_suffix(cycle))
        if short not in told:
            told.add(short)
            yield list(short)


def _without_suffix(names: Sequence[str]) -> list[str]:
    """Names without the longest end that all have in common, from a dot or an opening bracket on."""
    for place, character in enumerate(names[0]):
        suffix = names[0][place:]
        if place and character in ".[" and all(name.endswith(suffix) and len(name) > len(suffix) for name in names):
            return [name[: -len(suffix)] for name in names]
    return list(names)


def objection_to(one: Permutation, machine: Machine) -> str:
    """Why it is no permutation of the states of the machine; empty if it is one."""
    variables = machine.variables
    for name in sorted(one.variables):
        if name not in variables:
            return f"there is no variable '{name}'"
        target = one.moves.get(name, name)
        if target not in variables:
            return f"there is no variable '{target}'"
        if variables[target].type != variables[name].type:
            return f"'{name}' is of type {variables[name].type}, and '{target}' of type {variables[target].type}"
        if variables[target].kind is not variables[name].kind:
            return f"'{name}' is of kind {variables[name].kind}, and '{target}' of kind {variables[target].kind}"
    if set(one.moves) != set(one.moves.values()):
        return "two variables go to the same place"
    if any(set(renamed) != set(renamed.values()) for renamed in one.values.values()):
        return "two values become the same"
    return ""


def inside(generators: Iterable[Permutation], machine: Machine) -> list[Permutation]:
    """What some permutations do to the states of a machine, which may be a part of theirs, with inputs in its states.

    Without those that do nothing there, or would exchange what is there with what is not, or an input with what is none.
    """
    own = (one.within(machine.variables) for one in generators)
    return [one for one in own if one is not None and not one.is_identity and not objection_to(one, machine)]
