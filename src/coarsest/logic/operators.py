"""The precedence of the operators of SMV: one table for the parser and the printer.

The levels are those of NuSMV 2.6, loosest first:

     1  ->            to the right
     2  <->
     3  ? :           to the right
     4  | xor xnor
     5  &
     6  U V S T
     7  X G F Y Z H O AG … (prefix; the operand may be a comparison: `G a = b` is `G (a = b)`)
     8  = != < > <= >=
     9  in
    10  union
    11  ..
    12  << >>
    13  + -
    14  * / mod
    15  ::
    16  ! - (prefix, on the next operand only: `!a = b` is `(!a) = b`)
"""

from __future__ import annotations

from typing import NamedTuple

BOOLEAN_CONNECTIVES = frozenset({"not", "and", "or", "xor", "xnor", "implies", "iff"})

PARAMETRIC = frozenset({"bits", "extend", "resize"})
"""Operators whose arguments after the first are constant numbers."""

SETTLED_BY = {"and": (False, False), "or": (True, True), "implies": (False, True)}
"""The value of the first operand, and of any other, that decides a connective, so that the others need no value."""


class Infix(NamedTuple):
    """An infix operator: its level, the least level of its right operand, and its name in expressions."""

    level: int
    right: int
    op: str


IMPLICATION, EQUIVALENCE, CONDITIONAL, DISJUNCTION, CONJUNCTION, UNTIL, TEMPORAL, RELATION = range(1, 9)
MEMBERSHIP, UNION, RANGE, SHIFT, SUM, PRODUCT, CONCATENATION, PREFIX, POSTFIX = range(9, 18)


def left(level: int, *operators: str, **named: str) -> dict[str, Infix]:
    """Operators of one level that bind to the left; in expressions they have the same names, or others."""
    return {symbol: Infix(level, level + 1, op) for symbol, op in (*zip(operators, operators), *named.items())}


INFIX: dict[str, Infix] = {
    "->": Infix(IMPLICATION, IMPLICATION, "implies"),
    "<->": Infix(EQUIVALENCE, CONDITIONAL, "iff"),
    "?": Infix(CONDITIONAL, CONDITIONAL, "?:"),
    "|": Infix(DISJUNCTION, CONJUNCTION, "or"),
    "&": Infix(CONJUNCTION, UNTIL, "and"),
    **left(DISJUNCTION, "xor", "xnor"),
    **left(UNTIL, "U", "V", "S", "T"),
    **left(RELATION, "=", "!=", "<", ">", "<=", ">="),
    **left(MEMBERSHIP, "in"),
    **left(UNION, "union"),
    **left(RANGE, ".."),
    **left(SHIFT, "<<", ">>"),
    **left(SUM, "+", "-"),
    **left(PRODUCT, "*", "/", "mod"),
    **left(CONCATENATION, "::"),
}

SYMBOL_OF = {infix.op: symbol for symbol, infix in INFIX.items()}

ONE_ARGUMENT = frozenset({"next", "bool", "word1", "toint", "signed", "unsigned", "sizeof", "abs"})
TWO_ARGUMENTS = frozenset({"extend", "resize", "uwconst", "swconst", "min", "max"})
FUNCTIONS = ONE_ARGUMENT | TWO_ARGUMENTS | {"count"}
