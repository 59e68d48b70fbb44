"""Atomic formulas of VIS: `state=IDLE`, `count[3:0]=5`, `ready<2>=1`, `queue<*1*>[2:0]={0,3}`, `a[3:0]==b[3:0]`."""

from __future__ import annotations

import re
from functools import cached_property

from coarsest.errors import NameProblem, TypeProblem
from coarsest.formats.vis.bits import BitRow, constant, equal, joined, negation, part, resized
from coarsest.formats.vis.read import signals_of
from coarsest.formats.vis.scope import VerilogSignal
from coarsest.logic.cursor import Cursor
from coarsest.logic.expr import Apply, Constant, Expr, Name
from coarsest.logic.words import number_of_digits
from coarsest.model.checks.static_types import BOOLEAN
from coarsest.model.checks.typecheck import TypeChecker
from coarsest.model.machine import Machine
from coarsest.model.types import Enumeration, WordType
from coarsest.text import Span
from coarsest.text.near import nearest

_PIECE = re.compile(r"<(\*?)([0-9]+)\*?>")
_NUMBERS = (
    (re.compile(r"([0-9]+)"), 10),
    (re.compile(r"0?b([01]+)", re.IGNORECASE), 2),
    (re.compile(r"0?[xh]([0-9a-f]+)", re.IGNORECASE), 16),
)


class Atoms:
    """Atomic formulas about a machine."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self._types = TypeChecker(machine.variables, machine.definitions.get)

    @cached_property
    def _signals(self) -> dict[str, VerilogSignal]:
        """The signals of the design, which know how their bits are numbered."""
        return signals_of(self.machine)

    def read(self, cursor: Cursor) -> Expr:
        """The atomic formula at a cursor: a signal, or its comparison with values or another signal."""
        first = cursor.at
        signal = self._signal(cursor)
        word = cursor.texts[cursor.at]
        if word not in ("=", "==", "!="):
            if isinstance(signal, BitRow) and signal.width == 1:
                return signal.expr
            cursor.fail("`=` and a value", "for example `state=IDLE` or `count[3:0]=5`")
        cursor.at += 1
        if word == "==":
            result = self._compared(signal, self._signal(cursor), cursor.span_from(first))
        elif cursor.take("{"):
            values = [self._equal(signal, cursor)]
            while cursor.take(","):
                values.append(self._equal(signal, cursor))
            cursor.expect("}")
            result = values[0] if len(values) == 1 else Apply("or", tuple(values))
        else:
            result = self._equal(signal, cursor)
        result = negation(result) if word == "!=" else result
        return Apply(result.op, result.args, cursor.span_from(first)) if isinstance(result, Apply) else result

    # -- signals -----------------------------------------------------------------------------------------------------------

    def _signal(self, cursor: Cursor) -> BitRow | Expr:
        """A row of bits, or a signal of an enumerated type."""
        first = cursor.at
        text = cursor.name("the name of a signal")
        span = cursor.span_from(first)
        path = _PIECE.sub("", text)
        elements = [int(index) for star, index in _PIECE.findall(text) if star]
        indices = [int(index) for star, index in _PIECE.findall(text) if not star]
        if cursor.take("["):
            high = cursor.integer("a bit")
            indices = [high, cursor.integer("a bit") if cursor.take(":") else high]
            cursor.expect("]")
            span = cursor.span_from(first)
        name = path + "".join(f"[{index}]" for index in elements)
        width = self._width(name, span)
        if width is not None:
            row = BitRow(Name(name, span), width)
            return self._bits(row, self._signals.get(name), indices, span) if indices else row
        if indices:
            raise TypeProblem(f"`{name}` has no bits", span)
        return Name(name, span)

    def _width(self, name: str, span: Span) -> int | None:
        """The number of bits of a signal; None if it has an enumerated type."""
        if name not in self.machine.variables and name not in self.machine.definitions:
            close = nearest(name, [*self.machine.variables, *self.machine.definitions])
            raise NameProblem(f"the model has no signal `{name}`", span, hint=f"did you mean `{close[0]}`?" if close else "")
        kind = self._types.type_of(Name(name, span))
        return 1 if kind is BOOLEAN else kind.width if isinstance(kind, WordType) else None

    def _bits(self, row: BitRow, signal: VerilogSignal | None, indices: list[int], span: Span) -> BitRow:
        """The bits from the first index to the last, in that order."""
        first, last = indices[0], indices[-1]
        numbered = range(first, last + 1) if first <= last else range(first, last - 1, -1)
        length = abs(first - last) + 1
        if length > row.width:
            raise TypeProblem(f"`{span.text}` has {length} bits, but the signal has {row.width}", span)
        bits = [signal.bit(index) if signal is not None else index for index in numbered]
        if not all(0 <= k < row.width for k in bits):
            bounds = (signal.left, signal.right) if signal is not None else (row.width - 1, 0)
            raise TypeProblem(f"`{span.text}` is outside the signal", span, hint=f"its bits are [{bounds[0]}:{bounds[1]}]")
        if bits == sorted(bits, reverse=True):
            return BitRow(part(row, bits[0], bits[-1]), len(bits))
        return joined([BitRow(part(row, k, k), 1) for k in bits])

    # -- comparisons -------------------------------------------------------------------------------------------------------

    def _compared(self, left: BitRow | Expr, right: BitRow | Expr, span: Span) -> Expr:
        if isinstance(left, BitRow) and isinstance(right, BitRow):
            width = max(left.width, right.width)
            return equal(resized(left, width), resized(right, width))
        if isinstance(left, BitRow) or isinstance(right, BitRow):
            raise TypeProblem("a number cannot be compared with a value of an enumerated type", span)
        return equal(left, right)

    def _equal(self, signal: BitRow | Expr, cursor: Cursor) -> Expr:
        """Does a signal have the value at a cursor?"""
        first, word = cursor.at, cursor.texts[cursor.at]
        number = _number(word, cursor.tokens.span(first))
        if not isinstance(signal, BitRow):
            cursor.at += 1
            return equal(signal, self._value(signal, word, number, cursor.span_from(first)))
        if number is None:
            cursor.fail("a number", "numbers are 5, b0101 and 0x1F")
        cursor.at += 1
        if number >> signal.width:
            raise TypeProblem(f"`{word}` does not fit into {signal.width} bits", cursor.span_from(first))
        return equal(signal.expr, constant(number, signal.width))

    def _value(self, signal: Expr, word: str, number: int | None, span: Span) -> Expr:
        """A value of an enumerated type, by its name or its number."""
        values = self._values(signal)
        if number is not None and word not in values and number < len(values):
            return Constant(values[number])
        if values and word not in values:
            close = nearest(word, values)
            hint = f"did you mean `{close[0]}`?" if close else f"its values are {', '.join(values[:8])}"
            raise NameProblem(f"`{word}` is not a value of this signal", span, hint=hint)
        return Constant(word)

    def _values(self, signal: Expr) -> list[str]:
        if isinstance(signal, Name):
            declared = self._signals.get(signal.name)
            if declared is not None and isinstance(declared.shape, tuple):
                return list(declared.shape)
            variable = self.machine.variables.get(signal.name)
            if variable is not None and isinstance(variable.type, Enumeration):
                return [str(member) for member in variable.type.members]
        return []


def _number(word: str, span: Span | None = None) -> int | None:
    """The value of a word that is a number: 5, b0101, x1F; a 0 may stand before the letter.

    >>> [_number(word) for word in ("31", "b11111", "x1f", "h1F", "0x1f", "1f", "x")]
    [31, 31, 31, 31, 31, None, None]
    """
    for pattern, base in _NUMBERS:
        if (match := pattern.fullmatch(word)) is not None:
            return number_of_digits(match.group(1), base, span)
    return None
