"""Words that are compared, added or copied: their bits of the same place next to each other.

Reference: Fujita, Fujisawa, Kawato 1988, "Evaluation and improvements of Boolean comparison method based on binary decision
           diagrams"; that operands of adders and comparators are best interleaved is folklore since Bryant 1986.
Symbols:   words are together if an operator that works bit by bit, from the lowest, takes one to the other.
Invariant: the order of the bits of a word, highest first, and of variables that are no words, stays.
Deviates:  what selects, shifts far or multiplies takes bits to other places: it binds no words. Numbers of few bits stand
           together only where they are compared.
Cost:      linear in the size of the expressions.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from coarsest import tuning
from coarsest.encode.layout import Bit, bits_of
from coarsest.logic.expr import Apply, Constant, Expr, Name, Word
from coarsest.model.machine import Machine
from coarsest.model.types import Range, Type, WordType

_BITWISE = frozenset({"+", "-", "and", "or", "xor", "xnor", "not", "neg", "extend", "resize", "signed", "unsigned", "next"})
"""The place of a bit in the operands is that in the result."""
_COMPARED = frozenset({"=", "!=", "<", "<=", ">", ">="})
MOST_PLACES_NEARBY: Final = 4
"""A bit that is shifted by at most this many places is still near to those that it meets."""
_LINEAR = frozenset({"+", "-", "neg", "abs", "next", "set"})


def interleaved(machine: Machine, variables: Sequence[str]) -> list[Bit]:
    """All bits: variable by variable, but words that belong together bit by bit, where the first of them stands."""
    words = {v.name for v in machine.variables.values() if _is_word(v.type)}
    few_bits = range(tuning.RANGE_BITS_COMPARED, tuning.RANGE_BITS_OF_A_WORD)
    small = {v.name for v in machine.variables.values() if isinstance(v.type, Range) and bits_of(v.type) in few_bits}
    together = _Together(machine, words, small).classes() if words or len(small) > 1 else {}
    members: dict[tuple[str, int], list[str]] = {}
    for name in variables:
        kind = machine.variables[name].type
        lowest = kind.low if isinstance(kind, Range) else 0  # which is written as 0, so that other numbers have other bits
        members.setdefault((together.get(name, name), lowest), []).append(name)
    widths = {name: bits_of(machine.variables[name].type) for name in variables}
    return [bit for names in members.values() for bit in _bit_by_bit({name: widths[name] for name in names})]


def _is_word(kind: Type) -> bool:
    """Does a variable of that type stand for a number of many bits?"""
    if isinstance(kind, Range):
        return bits_of(kind) >= tuning.RANGE_BITS_OF_A_WORD
    return isinstance(kind, WordType) and kind.width > 1


def _bit_by_bit(widths: Mapping[str, int]) -> Iterator[Bit]:
    for bit in reversed(range(max(widths.values()))):
        yield from ((name, bit) for name, width in widths.items() if bit < width)


class _Together:
    """Which words belong together, as the equations of a machine say."""

    def __init__(self, machine: Machine, words: set[str], small: set[str]) -> None:
        self._machine, self._words, self._small = machine, words, small
        self._leader = {name: name for name in words | small}
        self._of_definition: dict[str, str | None] = {}

    def classes(self) -> dict[str, str]:
        """For each word, one of those that it belongs to: the same for all of them."""
        machine = self._machine
        for equations in (machine.next_values, machine.initial_values, machine.current_values):
            for name, value in equations.items():
                self._join([name if name in self._words else None, self._walk(value)])
        for constraint in (*machine.transition_constraints, *machine.invariant_constraints):
            self._walk(constraint)
        return {name: self._find(name) for name in self._leader}

    def _find(self, name: str) -> str:
        while self._leader[name] != name:
            self._leader[name] = name = self._leader[self._leader[name]]
        return name

    def _join(self, names: Sequence[str | None]) -> str | None:
        words = [self._find(name) for name in names if name is not None]
        for other in words[1:]:
            self._leader[self._find(other)] = self._find(words[0])
        return words[0] if words else None

    def _walk(self, expr: Expr) -> str | None:
        """One of the words whose bits are at their places in the value of an expression; all of them are joined."""
        results: dict[int, str | None] = {}
        waiting: list[tuple[Expr, bool]] = [(expr, False)]
        while waiting:
            part, below_done = waiting.pop()
            if id(part) in results:
                continue
            below = self._below(part)
            if not below_done and below:
                waiting += [(part, True), *((one, False) for one in below)]
            else:
                results[id(part)] = self._value(part, [results[id(one)] for one in below])
                if isinstance(part, Name):
                    self._of_definition[part.name] = results[id(part)]
        return results[id(expr)]

    def _below(self, part: Expr) -> Sequence[Expr]:
        if isinstance(part, Name) and part.name in self._machine.definitions and part.name not in self._of_definition:
            return [self._machine.definitions[part.name]]
        return part.args if isinstance(part, Apply) else ()

    def _small_numbers(self, compared: Sequence[Expr]) -> list[str]:
        """The variables with few values of which these are sums, differences or sets."""
        waiting, visited, numbers = list(compared) if self._small else [], set[int](), []
        while waiting:
            part = waiting.pop()
            if isinstance(part, Name) and part.name in self._small:
                numbers.append(part.name)
            elif isinstance(part, Apply) and part.op in _LINEAR and id(part) not in visited:
                visited.add(id(part))
                waiting += part.args
        return numbers

    def _value(self, part: Expr, below: Sequence[str | None]) -> str | None:
        if isinstance(part, Name):
            return part.name if part.name in self._words else below[0] if below else self._of_definition.get(part.name)
        if not isinstance(part, Apply):
            return None
        if part.op in _COMPARED or part.op == "in":
            self._join(self._small_numbers(part.args))
        if part.op in _COMPARED:
            self._join(below)
            return None
        if part.op == "case":
            return self._join(below[1::2])
        if part.op == "::" and isinstance(part.args[0], Constant):  # a number in front makes a word wider
            return below[-1]
        if part.op in ("<<", ">>") and _is_small(part.args[1]):
            return below[0]
        return self._join(below) if part.op in _BITWISE else None


def _is_small(amount: Expr) -> bool:
    """Are bits shifted by few places only?"""
    value = amount.value if isinstance(amount, Constant) else MOST_PLACES_NEARBY + 1
    places = value.value if isinstance(value, Word) else value
    return isinstance(places, int) and places <= MOST_PLACES_NEARBY
