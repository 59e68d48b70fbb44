"""The cells of a BLIF-MV table: sets of values, and the values of other signals."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import TypeAlias

from msgspec import Struct

from coarsest.errors import NameProblem, SyntaxProblem, TypeProblem
from coarsest.formats.blif.parse import PlacedWord
from coarsest.logic.expr import FALSE, TRUE, Apply, Constant, Expr, Name
from coarsest.model.types import Boolean, Enumeration, Range, Type
from coarsest.text.near import nearest


class Domain(Struct, frozen=True, dict=True):
    """The values of a signal, by their names."""

    names: tuple[str, ...] = ("0", "1")

    @cached_property
    def bits(self) -> dict[str, int]:
        """The bit of each value in a set of values."""
        return {name: bit for bit, name in enumerate(self.names)}

    @cached_property
    def is_numbered(self) -> bool:
        return self.names == tuple(map(str, range(len(self.names))))

    @property
    def full(self) -> int:
        return (1 << len(self.names)) - 1

    @cached_property
    def constants(self) -> tuple[Constant, ...]:
        if self.is_numbered and len(self.names) == 2:
            return FALSE, TRUE
        return tuple(Constant(int(name) if self.is_numbered else name) for name in self.names)

    def type(self, values: int) -> Type:
        """The type of the values in a set."""
        if self.is_numbered and values == self.full:
            return Boolean() if len(self.names) == 2 else Range(0, len(self.names) - 1)
        members = [constant.value for bit, constant in enumerate(self.constants) if values >> bit & 1]
        return Enumeration(tuple(member for member in members if isinstance(member, str | int)))


class Same(Struct, frozen=True):
    """The value of another signal of the table."""

    signal: str


Cell: TypeAlias = int | Same
"""A set of values, one bit for each; or the value of another signal."""


def cell_of(word: PlacedWord, domain: Domain, others: Mapping[str, Domain]) -> Cell:
    """The meaning of a word for a signal with these values; `others` are the signals that it may be compared with."""
    text = word.text
    if text == "-":
        return domain.full
    if text.startswith("=") and text not in domain.bits:
        return Same(_compared(text[1:], word, domain, others))
    negated = text.startswith("!") and text not in domain.bits
    values = _set(text[1:] if negated else text, word, domain)
    values = domain.full & ~values if negated else values
    if not values:
        raise SyntaxProblem("no value fits this cell", word.span)
    return values


def _compared(name: str, word: PlacedWord, domain: Domain, others: Mapping[str, Domain]) -> str:
    if name not in others:
        close = nearest(name, others)
        hint = f"did you mean `{close[0]}`?" if close else "write an input of the table after `=`"
        raise NameProblem(f"`{name}` is not an input of this table", word.span, hint=hint)
    if others[name].names != domain.names:
        raise TypeProblem(f"`{name}` does not have the same values as the signal of this column", word.span)
    return name


def _set(text: str, word: PlacedWord, domain: Domain) -> int:
    if text in domain.bits:
        return 1 << domain.bits[text]
    if text[:1] + text[-1:] in ("()", "{}"):
        values = 0
        for part in text[1:-1].split(","):
            values |= _range(part.strip(), word, domain)
        return values
    raise _no_value(text, word, domain)


def _range(text: str, word: PlacedWord, domain: Domain) -> int:
    bits = domain.bits
    if text in bits:
        return 1 << bits[text]
    for cut, letter in enumerate(text):
        if letter == "-" and text[:cut] in bits and text[cut + 1 :] in bits:
            low, high = bits[text[:cut]], bits[text[cut + 1 :]]
            return ((1 << (high + 1)) - 1) & ~((1 << low) - 1)
    raise _no_value(text, word, domain)


def _no_value(text: str, word: PlacedWord, domain: Domain) -> NameProblem:
    close = nearest(text, domain.names[:1000])
    shown = ", ".join(domain.names[:8]) + (", …" if len(domain.names) > 8 else "")
    hint = f"did you mean `{close[0]}`?" if close and not domain.is_numbered else f"its values are {shown}"
    return NameProblem(f"found `{text[:40]}`, expected a value of the signal", word.span, hint=hint)


def fits(signal: Name, domain: Domain, cell: Cell, full_name: Mapping[str, str]) -> Expr:
    """Is the value of a signal one that the cell allows?"""
    if isinstance(cell, Same):
        return Apply("=", (signal, Name(full_name[cell.signal], signal.span)), signal.span)
    if cell == domain.full:
        return TRUE
    constants = [constant for bit, constant in enumerate(domain.constants) if cell >> bit & 1]
    if constants[0] in (FALSE, TRUE):
        return signal if constants[0] == TRUE else Apply("not", (signal,), signal.span)
    if len(constants) == 1:
        return Apply("=", (signal, constants[0]), signal.span)
    if 2 * len(constants) > len(domain.names):
        rest = [constant for bit, constant in enumerate(domain.constants) if not cell >> bit & 1]
        if len(rest) == 1:
            return Apply("!=", (signal, rest[0]), signal.span)
    return Apply("in", (signal, Apply("set", tuple(constants))), signal.span)
