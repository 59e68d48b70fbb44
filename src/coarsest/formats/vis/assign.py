"""Assignments to signals, to their bits and parts, and to elements of arrays."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct, field

from coarsest.errors import TypeProblem
from coarsest.formats.vis.bits import BitRow, Shape, choice, constant, equal, joined, part, resized
from coarsest.formats.vis.lower import ExpressionLowering
from coarsest.formats.vis.parsing.syntax import VerilogAssignment, VerilogSource
from coarsest.formats.vis.scope import VerilogScope, VerilogSignal
from coarsest.logic.expr import TRUE, Apply, Expr, Name


class Store(Struct):
    """The values that were assigned."""

    now: dict[str, Expr] = field(default_factory=dict)
    later: dict[str, Expr] = field(default_factory=dict)

    def copy(self) -> Store:
        return Store(dict(self.now), dict(self.later))

    def outcome(self) -> dict[str, Expr]:
        """The values of the signals after the step."""
        return {**self.now, **self.later}


class Assigning(ExpressionLowering):
    """Expressions over the current values of signals, and assignments."""

    def __init__(self, scope: VerilogScope, design: VerilogSource) -> None:
        super().__init__(scope, design)
        self.store = Store()

    def read(self, element: str) -> Expr:
        return self.store.now.get(element) or Name(element)

    def assign(self, assignment: VerilogAssignment) -> None:
        target = assignment.target
        shape = self.shape(target)
        self.put(target, self.value(assignment.value, shape), shape, blocking=assignment.blocking)

    def put(self, target: Expr, value: Expr, shape: Shape, *, blocking: bool) -> None:
        """Give a target a value of a shape, which may differ from the shape of the target."""
        if isinstance(target, Apply) and target.op == "{}":
            assert isinstance(shape, int)
            end = self.width(target)
            row = BitRow(resized(BitRow(value, shape), end), end)
            for piece in target.args:
                width = self.width(piece)
                self.put(piece, part(row, end - 1, end - width), width, blocking=blocking)
                end -= width
            return
        own = self.shape(target)
        if isinstance(own, int) and isinstance(shape, int):
            value = resized(BitRow(value, shape), own)
        for condition, element, old in self._targets(target, blocking=blocking):
            new = value if old is None else self._inserted(target, old, value)
            before = self._held(element, blocking=blocking)
            assigned = self.store.now if blocking else self.store.later
            assigned[element] = choice(condition, new, before) if condition != TRUE else new

    def _held(self, element: str, *, blocking: bool) -> Expr:
        return (None if blocking else self.store.later.get(element)) or self.read(element)

    def _targets(self, target: Expr, *, blocking: bool) -> Iterator[tuple[Expr, str, BitRow | None]]:
        """The elements that a target may be, each with its condition, and its old value if only a part of it is assigned."""
        if isinstance(target, Name):
            signal = self.signal(target)
            if signal.is_array:
                raise TypeProblem(f"`{target.name}` is an array: only its elements can be assigned", target.span)
            yield TRUE, signal.name, None
            return
        if not isinstance(target, Apply) or target.op not in ("[]", "[:]"):
            raise TypeProblem("this cannot be assigned", target.span, hint="signals and their parts can be")
        array = self.array(target.args[0]) if target.op == "[]" else None
        if array is not None:
            for condition, element in self._elements(array, target.args[1]):
                yield condition, element, None
            return
        base = target.args[0]
        inner = self.array(base.args[0]) if isinstance(base, Apply) and base.op == "[]" else None
        if inner is not None:
            assert isinstance(base, Apply)
            for condition, element in self._elements(inner, base.args[1]):
                yield condition, element, BitRow(self._held(element, blocking=blocking), inner.width)
            return
        _, signal, _ = self.row(base)
        yield TRUE, signal.name, BitRow(self._held(signal.name, blocking=blocking), signal.width)

    def _elements(self, array: VerilogSignal, index: Expr) -> Iterator[tuple[Expr, str]]:
        number = self.known(index)
        if number is not None:
            if number in array.indices:
                yield TRUE, array.element(number)
            return
        row = self.whole(index)
        for k in array.indices:
            if 0 <= k < 1 << row.width:
                yield equal(row.expr, constant(k, row.width)), array.element(k)

    def _inserted(self, target: Expr, old: BitRow, value: Expr) -> Expr:
        """The row with a new value of the part that is assigned."""
        assert isinstance(target, Apply)
        _, signal, bit_of = self.row(target.args[0])
        if target.op == "[:]":
            return _with_part(old, *self.bounds(target, signal, old.width), value)
        number = self.known(target.args[1])
        if number is not None:
            at = bit_of(number)
            return _with_part(old, at, at, value) if 0 <= at < old.width else old.expr
        row = self.whole(target.args[1])
        step = 1 if signal.left >= signal.right else -1
        bits = []
        for at in reversed(range(old.width)):
            index, bit = signal.right + step * at, part(old, at, at)
            inside = 0 <= index < 1 << row.width
            bits.append(BitRow(choice(equal(row.expr, constant(index, row.width)), value, bit) if inside else bit, 1))
        return joined(bits).expr


def _with_part(old: BitRow, high: int, low: int, value: Expr) -> Expr:
    parts = [BitRow(value, high - low + 1)]
    if high < old.width - 1:
        parts.insert(0, BitRow(part(old, old.width - 1, high + 1), old.width - 1 - high))
    if low > 0:
        parts.append(BitRow(part(old, low - 1, 0), low))
    return joined(parts).expr
