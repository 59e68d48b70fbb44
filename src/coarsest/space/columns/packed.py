"""States as one or more words of 64 bits, in which each variable has a field: the index of its value in its type."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from coarsest.encode.layout import bits_of, code_of, value_of
from coarsest.encode.values import Boole, Single
from coarsest.logic.expr import Value
from coarsest.model.machine import Variable
from coarsest.model.types import Boolean, Enumeration, IntegerType, Range, RealType, Type, WordType, contains
from coarsest.space.columns.column import (
    FALSE,
    MOST_NUMBERS_AMONG_ATOMS,
    TRUE,
    WIDEST,
    Array,
    Mask,
    NotInColumns,
    SymbolTable,
    ValueColumn,
    as_mask,
    as_value,
    atom,
    holder,
    number,
    word,
    word_holder,
)

Keys: TypeAlias = NDArray[np.uint64]
Words: TypeAlias = tuple[Keys, ...]
"""States side by side: the first words of all of them, the second ones, and so on."""


class TypeValues:
    """The values of one type, in their order, and columns of them."""

    def __init__(self, kind: Type, atoms: SymbolTable) -> None:
        if isinstance(kind, IntegerType | RealType):
            raise NotInColumns("arrays cannot hold numbers without bounds")
        if isinstance(kind, WordType):
            word_holder(kind.width)
        self.kind = kind
        self.size = kind.size
        self.bits = bits_of(kind)
        self.atoms = atoms
        members = kind.members if isinstance(kind, Enumeration) else ()
        self.has_symbols = any(isinstance(member, str) for member in members)
        numbers = [atoms.place(member) for member in members] if self.has_symbols else [int(member) for member in members]
        if isinstance(kind, Range):
            numbers = [kind.low, kind.high]
        self.low, self.high = min(numbers, default=0), max(numbers, default=0)
        self.has_gaps = isinstance(kind, Enumeration) and numbers != list(range(self.low, self.low + self.size))
        if not isinstance(kind, WordType):
            self._holder = holder(min(self.low, 0), max(self.high, self.size))
            self._values = np.array(numbers, dtype=self._holder)

    def column(self, codes: Array) -> Single[Mask]:
        """What indices of values stand for."""
        if isinstance(self.kind, Boolean):
            return Boole(Mask(codes != 0))
        if isinstance(self.kind, WordType):
            return word(codes.astype(word_holder(self.kind.width)), self.kind.width, signed=self.kind.signed)
        if self.has_gaps:
            data = self._values.take(codes.astype(np.int64))
        else:
            data = codes.astype(self._holder)
            data = data + self._holder(self.low) if self.low else data
        return atom(data) if self.has_symbols else number(data, self.low, self.high)

    def constant(self, code: int) -> Single[Mask]:
        """What one index stands for, in all rows."""
        if isinstance(self.kind, Boolean):
            return Boole(TRUE if code else FALSE)
        if isinstance(self.kind, WordType):
            return word(code, self.kind.width, signed=self.kind.signed)
        data = int(self._values[code]) if self.has_gaps else code + self.low
        return atom(data) if self.has_symbols else number(data, data, data)

    def codes(self, value: Single[Mask]) -> tuple[int | Array, Mask]:
        """The indices of values, and where they are values of another type: there, the index may be any."""
        match self.kind, value:
            case Boolean(), Boole(Mask(data=data)):
                return (int(data) if isinstance(data, bool) else data), FALSE
            case WordType(width, signed), ValueColumn(kind="word") if (value.width, value.signed) == (width, signed):
                return value.data, FALSE
            case Range() | Enumeration(), ValueColumn(kind="number" | "atom"):
                if self.has_symbols or value.kind == "atom":
                    return self._codes_of_symbols(value)
                if value.kind == "number":
                    return self._codes_of_numbers(value)
        raise NotInColumns(f"a value of another type is given to a variable of type {self.kind}")

    def _codes_of_numbers(self, value: ValueColumn) -> tuple[int | Array, Mask]:
        if not self.has_gaps:
            if self.low <= value.low and value.high <= self.high:
                if isinstance(value.data, int) or not self.low:
                    return value.data - self.low, FALSE
                return value.array(self._holder) - self._holder(self.low), FALSE
            kind = holder(min(self.low, value.low), max(self.high, value.high, self.size))
            data = value.array(kind)
            wrong = as_mask((data < self.low) | (data > self.high), value)
            return as_value(np.clip(data, self.low, self.high) - kind(self.low), value), wrong
        kind = holder(min(self.low, value.low), max(self.high, value.high))
        order = np.argsort(self._values, kind="stable")
        data = value.array(kind)
        places = np.minimum(np.searchsorted(self._values[order], data), self.size - 1)
        codes = order[places]
        return as_value(codes, value), as_mask(self._values[codes] != data, value)

    def _codes_of_symbols(self, value: ValueColumn) -> tuple[int | Array, Mask]:
        """By a table over all atoms, or over the numbers that the column may have."""
        if value.kind == "number" and value.high - value.low >= MOST_NUMBERS_AMONG_ATOMS:
            raise NotInColumns("arrays cannot hold symbols and many numbers together")
        keys: list[str | int] = self.atoms.values if value.kind == "atom" else list(range(value.low, value.high + 1))
        table = np.array([code_of(self.kind, key) if contains(self.kind, key) else -1 for key in keys], dtype=np.int64)
        codes = table[value.array(np.int64) - value.low]
        return as_value(np.maximum(codes, 0), value), as_mask(codes < 0, value)


class Field:
    """Where a variable is in the words of a state."""

    def __init__(self, variable: Variable, values: TypeValues, place: int, shift: int) -> None:
        self.variable, self.values, self.place = variable, values, place
        self.shift = np.uint64(shift)
        self.mask = np.uint64((1 << values.bits) - 1)
        self.clear = ~np.uint64(((1 << values.bits) - 1) << shift)

    def codes(self, words: Words) -> Keys:
        """The indices of the variable's values in some states."""
        return (words[self.place] >> self.shift) & self.mask

    def column(self, words: Words) -> Single[Mask]:
        if not self.values.bits:
            return self.values.constant(0)
        return self.values.column(self.codes(words))

    def placed(self, codes: int | Array) -> Any:
        """Indices of values where they are in the word."""
        if isinstance(codes, int):
            return np.uint64(codes) << self.shift
        return codes.astype(np.uint64) << self.shift

    def put(self, words: Words, codes: int | Array) -> Words:
        """The states with other values of the variable."""
        changed = (words[self.place] & self.clear) | self.placed(codes)
        return (*words[: self.place], changed, *words[self.place + 1 :])


class Packing:
    """The fields of all variables of a state: as many to a word as fit, in the order in which they are declared."""

    def __init__(self, variables: Sequence[Variable], atoms: SymbolTable) -> None:
        self.fields: dict[str, Field] = {}
        used = [0]
        for variable in variables:
            values = TypeValues(variable.type, atoms)
            place = next((place for place, bits in enumerate(used) if bits + values.bits <= WIDEST), len(used))
            if place == len(used):
                used.append(0)
            self.fields[variable.name] = Field(variable, values, place, used[place])
            used[place] += values.bits
        self.words = len(used)
        self.bits = sum(used)

    @cached_property
    def names(self) -> list[str]:
        return list(self.fields)

    def key(self, state: Mapping[str, Value]) -> tuple[int, ...]:
        """The words of one state."""
        words = [0] * self.words
        for name, field in self.fields.items():
            words[field.place] |= code_of(field.variable.type, state[name]) << int(field.shift)
        return tuple(words)

    def state(self, key: Sequence[int]) -> tuple[Value, ...]:
        """The values in a state that is given by its words."""
        fields = self.fields.values()
        return tuple(value_of(f.variable.type, key[f.place] >> int(f.shift) & int(f.mask)) for f in fields)
