"""The machine of a design, as it grows: variables, definitions, and what drives the signals."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from itertools import pairwise
from typing import Final

from msgspec import Struct, field

from coarsest.errors import NameProblem, Unsupported
from coarsest.formats.vis.bits import BitRow, Shape, bit, constant, first_of, joined, type_of_shape
from coarsest.formats.vis.scope import Piece, VerilogSignal
from coarsest.logic.expr import Apply, Constant, Expr, Name
from coarsest.model.machine import Kind, Variable
from coarsest.model.parts.watch import OURS
from coarsest.model.types import Enumeration, Range, Type
from coarsest.text import Diagnostic, Span

SMALLEST_NAMED: Final = 30
"""A value with at least this many operations gets a name where two branches meet, since it may be used more than once."""

MOST_ELEMENTS: Final = 100_000


class Driver(Struct):
    """What drives bits of a wire; `value` is called when all signals are known."""

    high: int
    low: int
    value: Callable[[], Expr]
    span: Span
    reads_itself: bool = False
    """Does the value depend on the wire that is driven? Then its bits are worked out one by one, as those of a carry are."""


class ElaboratedDesign(Struct):
    """Names are full. `clocks` are those of signals that blocks wait for; `passing` values need not be remembered."""

    variables: dict[str, Variable] = field(default_factory=dict)
    definitions: dict[str, Expr] = field(default_factory=dict)
    next_values: dict[str, Expr] = field(default_factory=dict)
    initial: dict[str, Expr] = field(default_factory=dict)
    clocks: set[str] = field(default_factory=set)
    passing: set[str] = field(default_factory=set)
    signals: dict[str, VerilogSignal] = field(default_factory=dict)
    drivers: dict[str, list[Driver]] = field(default_factory=dict)
    warnings: list[Diagnostic] = field(default_factory=list)
    _sizes: dict[int, tuple[Expr, int]] = field(default_factory=dict)
    _numbers: dict[str, int] = field(default_factory=dict)

    def declare(self, signal: VerilogSignal) -> None:
        """Register the elements of a signal."""
        for element in signal.elements:
            if element.startswith(OURS):
                raise Unsupported(f"names that begin with `{OURS[0]}` are ours", signal.span, hint="rename the signal")
            self.signals[element] = signal
            if len(self.signals) > MOST_ELEMENTS:
                raise Unsupported(f"the design has more than {MOST_ELEMENTS} signals", signal.span)

    def warn(self, message: str, span: Span | None, hint: str = "") -> None:
        self.warnings.append(Diagnostic(message, span, hint, level="warning"))

    def new_name(self, stem: str, sign: str = "#") -> str:
        number = self._numbers.get(stem, 0) + 1
        while (name := f"{stem}{sign}{number}") in self.signals or name in self.definitions or name in self.variables:
            number += 1
        self._numbers[stem] = number
        return name

    # -- values ------------------------------------------------------------------------------------------------------------

    def free(self, stem: str, values: list[Expr], shape: Shape, span: Span | None) -> Expr:
        """A value that is chosen anew in each step, of several or, where none are listed, of all."""
        kind = choice_of(values, shape)
        name = self.new_name(stem, "_")
        self.variables[name] = Variable(name, kind, Kind.INPUT, span)
        if not isinstance(kind, Range):
            return Name(name)
        branches = [(Apply("=", (Name(name), Constant(n))), value) for n, value in enumerate(values[:-1])]
        return first_of(branches, values[-1])

    def compact(self, stem: str, expr: Expr) -> Expr:
        """The expression, or a name for it if it is large."""
        if self.size(expr) < SMALLEST_NAMED:
            return expr
        name = self.new_name(stem.partition("[")[0])
        self.definitions[name] = expr
        return Name(name)

    def size(self, expr: Expr) -> int:
        """How many operations there are in an expression written out."""
        if not isinstance(expr, Apply):
            return 0
        entry = self._sizes.get(id(expr))
        if entry is None:
            entry = self._sizes[id(expr)] = (expr, 1 + sum(map(self.size, expr.args)))
        return entry[1]

    # -- wires -------------------------------------------------------------------------------------------------------------

    def drive(self, element: str, driver: Driver) -> None:
        self.drivers.setdefault(element, []).append(driver)

    def settle_pieces(self) -> None:
        """Wires with several drivers consist of pieces with names of their own."""
        for element, drivers in self.drivers.items():
            drivers[:] = [single for driver in drivers for single in _singles(driver)]
            drivers.sort(key=lambda driver: -driver.high)
            for one, other in pairwise(drivers):
                if one.low <= other.high:
                    line = one.span.line_number
                    raise NameProblem(f"`{element}` has two sources", other.span, hint=f"the other is in line {line}")
            signal = self.signals[element]
            if not signal.is_array and (len(drivers) > 1 or self._covers_less(drivers[0], signal)):
                signal.pieces = [Piece(d.high, d.low, _piece_name(signal, d)) for d in drivers]

    @staticmethod
    def _covers_less(driver: Driver, signal: VerilogSignal) -> bool:
        return isinstance(signal.shape, int) and driver.high - driver.low + 1 < signal.shape

    def define_wires(self) -> None:
        """Definitions for all wires that are driven."""
        for element, drivers in self.drivers.items():
            signal = self.signals[element]
            if len(drivers) == 1 and not self._covers_less(drivers[0], signal):
                self._define(element, drivers[0].value())
                continue
            rows = list(self._rows(element, signal, drivers))
            self._define(element, joined(rows).expr)

    def _define(self, name: str, value: Expr) -> None:
        """A wire that is nothing but a free choice is that choice."""
        if isinstance(value, Name) and (variable := self.variables.get(value.name)) is not None and _is_choice_in(variable, name):
            del self.variables[value.name]
            self.variables[name] = Variable(name, variable.type, Kind.INPUT, self.signals[name].span)
        else:
            self.definitions[name] = value

    def _rows(self, element: str, signal: VerilogSignal, drivers: list[Driver]) -> Iterator[BitRow]:
        place = signal.width
        for driver in [*drivers, None]:
            high = -1 if driver is None else driver.high
            if high < place - 1:
                width = place - 1 - high
                self.warn(f"bits of `{element}` have no source: they may have any value", signal.span)
                yield BitRow(self.free(f"{element}.open", [], width, signal.span), width)
            if driver is not None:
                place, width = driver.low, driver.high - driver.low + 1
                name = next((p.name for p in signal.pieces if p.low == driver.low), "")
                value = driver.value()
                if name:
                    self.definitions[name] = value
                yield BitRow(Name(name) if name else value, width)


def _singles(driver: Driver) -> Iterator[Driver]:
    if not driver.reads_itself or driver.high == driver.low:
        yield driver
        return
    width, value = driver.high - driver.low + 1, cache(driver.value)
    for place in range(width):
        number = driver.low + place
        yield Driver(number, number, lambda at=place: bit(BitRow(value(), width), at), driver.span)  # type: ignore[misc]


def _is_choice_in(variable: Variable, name: str) -> bool:
    """Was a free value made for the scope that a name is in?"""
    return variable.kind is Kind.INPUT and variable.name.startswith(f"{name.rpartition('.')[0]}{'.' * ('.' in name)}choice_")


def _piece_name(signal: VerilogSignal, driver: Driver) -> str:
    step = 1 if signal.left >= signal.right else -1
    high, low = signal.right + step * driver.high, signal.right + step * driver.low
    return f"{signal.name}[{high}]" if high == low else f"{signal.name}[{high}:{low}]"


def choice_of(values: list[Expr], shape: Shape) -> Type:
    """The type of a free choice: of the values, if they are all of a type or listed in one, else of their numbers."""
    if not values:
        return type_of_shape(shape)
    constants = [value.value for value in values if isinstance(value, Constant)]
    if isinstance(shape, tuple):
        symbols = list(dict.fromkeys(value for value in constants if isinstance(value, str)))
        return Enumeration(tuple(symbols)) if len(constants) == len(values) else Range(0, len(values) - 1)
    if shape <= 16 and set(values) >= {constant(n, shape) for n in range(1 << shape)}:
        return type_of_shape(shape)
    return Range(0, len(values) - 1)
