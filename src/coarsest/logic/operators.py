"""How tightly the operators of SMV bind: one table for the parser and the printer.

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

SETTLED_BY = {"and": (False, False), "or": (True, True), "implies": (False, True)}
"""The value of the first operand, and of any other, that settles a connective: the rest need have no value then."""


class Infix(NamedTuple):
    """An infix operator: how tightly it binds, how tightly its right operand must, and its name in expressions."""

    level: int
    right: int
    op: str


IMPLICATION, EQUIVALENCE, CONDITIONAL, DISJUNCTION, CONJUNCTION, UNTIL, TEMPORAL, RELATION = range(1, 9)
MEMBERSHIP, UNION, RANGE, SHIFT, SUM, PRODUCT, CONCATENATION, PREFIX, POSTFIX = range(9, 18)


def _left(level: int, *operators: str) -> dict[str, Infix]:
    return {operator: Infix(level, level + 1, operator) for operator in operators}


INFIX: dict[str, Infix] = {
    "->": Infix(IMPLICATION, IMPLICATION, "implies"),
    "<->": Infix(EQUIVALENCE, CONDITIONAL, "iff"),
    "?": Infix(CONDITIONAL, CONDITIONAL, "?:"),
    "|": Infix(DISJUNCTION, CONJUNCTION, "or"),
    "&": Infix(CONJUNCTION, UNTIL, "and"),
    **_left(DISJUNCTION, "xor", "xnor"),
    **_left(UNTIL, "U", "V", "S", "T"),
    **_left(RELATION, "=", "!=", "<", ">", "<=", ">="),
    **_left(MEMBERSHIP, "in"),
    **_left(UNION, "union"),
    **_left(RANGE, ".."),
    **_left(SHIFT, "<<", ">>"),
    **_left(SUM, "+", "-"),
    **_left(PRODUCT, "*", "/", "mod"),
    **_left(CONCATENATION, "::"),
}

SYMBOL_OF = {infix.op: symbol for symbol, infix in INFIX.items()}

ONE_ARGUMENT = frozenset({"next", "bool", "word1", "toint", "signed", "unsigned", "sizeof", "abs"})
TWO_ARGUMENTS = frozenset({"extend", "resize", "uwconst", "swconst", "min", "max"})
FUNCTIONS = ONE_ARGUMENT | TWO_ARGUMENTS | {"count"}
