"""Formulas about explicit graphs: CTL and LTL as for models, and modalities with actions.

    p   "p q"           the label p of a state; in LTL also the action p of the step that comes next
    <a>φ   [a]φ         some, every transition with action a leads to a state with φ
    AG φ   E [φ U ψ]    CTL, over all paths; G φ, φ U ψ: LTL

An action stands between `<` and `>` as it is, or in quotes; elsewhere names with other signs than letters are in quotes.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import Any

from coarsest.errors import ModelProblem
from coarsest.logic.expr import Apply, Constant, Expr, Name, subexpressions
from coarsest.logic.operators import PREFIX
from coarsest.logic.parse import Parser
from coarsest.logic.temporal_operators import CTL_OPERATORS, LTL_OPERATORS
from coarsest.logic.tokens import END, tokenise
from coarsest.text import Source

MODALITIES = {"<": ("diamond", ">"), "[": ("box", "]")}
CONNECTIVES = frozenset({"not", "and", "or", "xor", "xnor", "iff", "implies"})
ESCAPED = re.compile(r"\\(.)")


class Logic(StrEnum):
    """What a formula is about: states, or paths."""

    BRANCHING = "ctl"
    LINEAR = "ltl"


class GraphParser(Parser):
    """The parser of expressions, with modalities."""

    def __init__(self, source: Source) -> None:
        super().__init__(tokenise(source))
        words: Mapping[str, Callable[[Any, int], Expr]] = {"true": GraphParser._constant, "false": GraphParser._constant}
        self.handlers = {**self.handlers, **words, **dict.fromkeys(MODALITIES, GraphParser._modality)}

    def operand(self, least: int) -> Expr:
        token = self.texts[self.at]
        if token.startswith('"'):
            self.at += 1
            return Name(ESCAPED.sub(r"\1", token[1:-1]), self.span_from(self.at - 1))
        return super().operand(least)

    def _constant(self, _least: int) -> Expr:
        self.at += 1
        return Constant(self.texts[self.at - 1] == "true", self.span_from(self.at - 1))

    def _modality(self, _least: int) -> Expr:
        first = self.at
        op, end = MODALITIES[self.texts[first]]
        self.at += 1
        while self.texts[self.at] not in (end, END):
            self.at += 1
        inside = self.source.text[self.starts[first] + 1 : self.starts[self.at]].strip()
        self.expect(end, hint="a modality is written <action>φ or [action]φ")
        action = ESCAPED.sub(r"\1", inside[1:-1]) if inside.startswith('"') else inside
        return Apply(op, (Constant(action), self.operand(PREFIX)), self.span_from(first))


def parse_on_graphs(source: Source) -> tuple[Expr, Logic]:
    """A formula, and whether it is about paths.

    >>> formula, logic = parse_on_graphs(Source("", "AG (<coin>true -> [coin]<tea>true)"))
    >>> logic.value, formula.op
    ('ctl', 'AG')
    """
    parser = GraphParser(source)
    formula = parser.whole_expression()
    parser.expect_end()
    allowed = CONNECTIVES | CTL_OPERATORS | LTL_OPERATORS | {"diamond", "box"}
    operators = {part.op: part for part in subexpressions(formula) if isinstance(part, Apply)}
    for op, part in operators.items():
        if op not in allowed:
            raise ModelProblem(f"'{op}' has no meaning on graphs", part.span, hint="states have labels, and steps have actions")
    linear = operators.keys() & LTL_OPERATORS
    branching = operators.keys() & CTL_OPERATORS
    if linear and branching:
        part = operators[min(linear)]
        raise ModelProblem("CTL and LTL operators in one formula", part.span, hint="write it in one of the two")
    return formula, Logic.LINEAR if linear else Logic.BRANCHING
