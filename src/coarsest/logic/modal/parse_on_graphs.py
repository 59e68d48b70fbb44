"""Formulas about explicit graphs: CTL and LTL as for models, and modalities with actions.

    p   "p q"              the label p of a state; in LTL also the action p of the step that comes next
    label p   action p     the same where a label and an action have one name
    <a>φ   [a]φ            some, every transition with action a leads to a state with φ
    AG φ   E [φ U ψ]       CTL, over all paths; G φ, φ U ψ: LTL

An action stands between `<` and `>` as it is, or in quotes, if it contains brackets or quotes itself. Elsewhere names that are
not made of letters and digits are in quotes, and those that are operators.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType

from coarsest.errors import ModelProblem, Unsupported
from coarsest.logic.branching.ctl import bounds, is_temporal
from coarsest.logic.cursor import Cursor
from coarsest.logic.expr import Apply, Constant, Expr, Name, subexpressions
from coarsest.logic.modal.parse_modal import unquoted
from coarsest.logic.operators import BOOLEAN_CONNECTIVES, TEMPORAL
from coarsest.logic.parse import Parser
from coarsest.logic.temporal_operators import CTL_BOUNDED, CTL_OPERATORS, LTL_OPERATORS, PATH_QUANTIFIERS
from coarsest.logic.tokens import END, IDENTIFIER, tokenise
from coarsest.text import Source, Span

TOKEN = re.compile(
    rf'([ \t\r\n\f]*)({IDENTIFIER}(?:\.(?:{IDENTIFIER}|[0-9]+))*|[0-9]+|"(?:[^"\\\n]|\\.)*"'
    r"|<->|->|\.\.|!=|<=|>=|&&|\|\||==|=>|\Z|(?s:.))",
    re.ASCII,
)
MODALITIES = {"<": ("diamond", ">"), "[": ("box", "]")}
ACTION = {
    sign: re.compile(rf'{re.escape(sign)}\s*(?:("(?:[^"\\\n]|\\.)*")|([^"\n{re.escape(sign + end)}]*?))\s*{re.escape(end)}')
    for sign, (_, end) in MODALITIES.items()
}
OPERATORS = frozenset({"xor", "xnor", "U", "V", "S", "T", "BU"})
"""Words between operands: in quotes they are names."""
NAME = re.compile(rf"(?:{IDENTIFIER})(?:\.(?:{IDENTIFIER}|[0-9]+))*\Z", re.ASCII)


class Logic(StrEnum):
    """The subject of a formula: states or paths."""

    BRANCHING = "ctl"
    LINEAR = "ltl"


class GraphParser(Parser):
    """The parser of expressions, with modalities, and without values."""

    hints = MappingProxyType({
        **{sign: hint for sign, hint in Cursor.hints.items() if sign not in ("%", ":=", "/--", "#", "[]", "<>")},
        "<": 'a modality is written <action>φ; an action with brackets or quotes in it is in quotes: <"a > b">φ',
        "[": 'a modality is written [action]φ; an action with brackets or quotes in it is in quotes: ["a[0]"]φ',
        '"': "a name in quotes ends with another one",
    })  # fmt: skip

    def __init__(self, source: Source) -> None:
        super().__init__(tokenise(source, TOKEN))
        handlers = {word: self.handlers[word] for word in {"(", "TRUE", "FALSE", "!", *_TEMPORAL}}
        handlers |= dict.fromkeys(("true", "false"), Parser._truth)
        self.handlers = {**handlers, **dict.fromkeys(MODALITIES, GraphParser._modality)}

    def operand(self, least: int) -> Expr:
        token, first = self.texts[self.at], self.at
        handler = self.handlers.get(token)
        if handler is not None:
            return handler(self, least)
        if token in ("label", "action") and self._is_name(self.texts[self.at + 1]):
            self.at += 2
            return Apply(token, (Constant(unquoted(self.texts[self.at - 1])),), self.span_from(first))
        if not self._is_name(token):
            self.fail("a formula", "" if token in self.hints or token in (END, ")") else f'as a name it is in quotes: "{token}"')
        self.at += 1
        return Name(unquoted(token), self.span_from(first))

    def _is_name(self, token: str) -> bool:
        return (len(token) > 1 and token[0] == '"') or (NAME.match(token) is not None and token not in OPERATORS)

    def _modality(self, _least: int) -> Expr:
        first = self.at
        sign = self.texts[first]
        op, end = MODALITIES[sign]
        action = ACTION[sign].match(self.source.text, self.starts[first])
        if action is None or not (action.group(1) or action.group(2)):
            self.fail("an action in brackets", "" if action is None else Cursor.hints[sign + end])
        self._skip_to(action.end())
        name = unquoted(action.group(1)) if action.group(1) is not None else action.group(2)
        return Apply(op, (Constant(name, Span(self.source, *action.span(1 if action.group(1) else 2))), self.operand(TEMPORAL)),
                     self.span_from(first))  # fmt: skip

    def _skip_to(self, place: int) -> None:
        """Continue at a position of the text, which may be inside a token."""
        while self.starts[self.at] + len(self.texts[self.at]) <= place and self.texts[self.at] != END:
            self.at += 1
        inside = max(0, place - self.starts[self.at])
        self.texts[self.at] = self.texts[self.at][inside:]
        self.starts[self.at] += inside


_TEMPORAL = ("A", "E", "AX", "EX", "AF", "EF", "AG", "EG", "ABF", "ABG", "EBF", "EBG", "X", "Y", "Z", "G", "F", "H", "O")


def parse_on_graphs(source: Source) -> tuple[Expr, Logic]:
    """A formula, and whether it is about paths.

    >>> formula, logic = parse_on_graphs(Source("", "AG (<coin>true -> [coin]<tea>true)"))
    >>> logic.value, formula.op
    ('ctl', 'AG')
    """
    parser = GraphParser(source)
    formula = parser.whole_expression()
    parser.expect_end()
    operators = {part.op: part for part in subexpressions(formula) if isinstance(part, Apply)}
    _require_meaning(operators)
    linear = operators.keys() & LTL_OPERATORS
    if linear:
        _require_above_modalities(formula)
    return formula, Logic.LINEAR if linear else Logic.BRANCHING


def _require_meaning(operators: Mapping[str, Apply]) -> None:
    for op, part in operators.items():
        if op in PATH_QUANTIFIERS:
            hint = f"CTL has a quantifier before each operator, as in {op}G p and {op} [p U q]; LTL has none"
            raise Unsupported("CTL* is not checked on graphs", part.span, hint=hint)
        if op not in BOOLEAN_CONNECTIVES | CTL_OPERATORS | LTL_OPERATORS | {"diamond", "box", "label", "action"}:
            raise ModelProblem(f"'{op}' has no meaning on graphs", part.span, hint="states have labels, and steps have actions")
        if op in CTL_BOUNDED:
            bounds(part)
    linear, branching = operators.keys() & LTL_OPERATORS, operators.keys() & CTL_OPERATORS
    if linear and branching:
        one, other = min(linear), min(branching)
        message, hint = f"'{one}' is LTL and '{other}' is CTL", "write the formula in one of the two"
        raise ModelProblem(message, operators[one].span, hint=hint)


def _require_above_modalities(formula: Expr) -> None:
    for part in subexpressions(formula):
        if isinstance(part, Apply) and part.op in ("diamond", "box") and is_temporal(part):
            hint = "of all paths from a state CTL speaks: <a>AG p"
            raise ModelProblem("a linear formula is about one path, and a modality about a state", part.span, hint=hint)
