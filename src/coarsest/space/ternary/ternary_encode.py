"""Expressions of a machine on bits that may be unknown: the encoder of the engines, on rails."""

from __future__ import annotations

from collections.abc import Sequence

from coarsest.bdd.protocol import F
from coarsest.encode.encode import Encoder
from coarsest.encode.layout import Layout
from coarsest.encode.values import Boole, Integer, MemberTable, Single, Symbolic, SymbolicChoice, WordBits
from coarsest.logic.expr import Expr
from coarsest.model.machine import Variable
from coarsest.space.ternary.ternary import RailManager, Rails, TernaryOperators


class TernaryEncoder(Encoder[Rails[F]]):
    """Values of expressions in one abstract state, which the rails of the manager stand for."""

    operators: TernaryOperators[F]

    def __init__(self, manager: RailManager[F], layout: Layout) -> None:
        super().__init__(manager, layout)  # type: ignore[arg-type]  # as much of a manager as encoding needs
        self.operators = TernaryOperators(manager)

    def single(self, value: Symbolic[Rails[F]]) -> Single[Rails[F]]:
        """A choice as one value that may be any of its options."""
        return self.operators.choose(list(value.options)) if isinstance(value, SymbolicChoice) else value

    def bits(self, variable: Variable, expr: Expr, *, after: bool = False) -> tuple[Rails[F], ...]:
        """The bits of a variable that holds the value of an expression, now or after the step."""
        return self.code(variable, self.single(self.value(expr, after=after)))

    def _case(self, expr: Expr, args: tuple[Expr, ...], *, after: bool) -> Symbolic[Rails[F]]:
        open_still = self.true
        branches: list[tuple[Rails[F], Single[Rails[F]]]] = []
        choices = False
        for condition, then in zip(args[::2], args[1::2]):
            holds = self.boolean(condition, after=after)
            taken = open_still & holds
            if taken != self.false:
                value = self.value(then, after=after)
                choices = choices or isinstance(value, SymbolicChoice)
                branches += [(taken & when, single) for when, single in self._options(value)]
                open_still = open_still & ~holds
            if open_still == self.false:
                break
        if open_still != self.false and branches:  # whether a branch is taken is not known: then neither is the value
            return self._blurred(self.operators.choose(branches), open_still)
        if not branches:
            return super()._case(expr, args, after=after)  # which complains
        return SymbolicChoice(tuple(branches)) if choices else self.operators.choose(branches)

    def _blurred(self, value: Single[Rails[F]], where: Rails[F]) -> Single[Rails[F]]:
        """The value, unknown where a condition may hold."""

        def blur(bits: Sequence[Rails[F]]) -> tuple[Rails[F], ...]:
            return tuple(Rails(bit.one | where.one, bit.zero | where.one, bit.nowhere) for bit in bits)

        match value:
            case Boole(bit):
                return Boole(blur((bit,))[0])
            case WordBits(bits, signed):
                return WordBits(blur(bits), signed)
            case Integer(bits):
                return Integer(blur(bits))
            case MemberTable(table):
                return MemberTable(dict(zip(table, blur(tuple(table.values())))))
        raise AssertionError(value)
