"""Linear temporal logic as Spin and Spot write it, for formulas that are no expressions of SMV.

    [] <> && || /\\ \\/ ==    G F & | & | =
    p R q                   p V q
    p W q                   (p U q) | G p, which is q V (p | q)
    p M q                   q U (p & q)
    1 0 true false          TRUE FALSE, where a formula is expected
    GFa Xp2 GF!a            G F a, X p2, G F !a, if that is no name
    X!p                     X !p; with a blank, `X! p` is PSL

R, W and M are operators between two operands, where SMV has no names. The levels are those of SMV. Three differ in Spot or Spin,
and a formula that depends on them is refused: p U q U r, p -> q <-> r, and p | q xor r.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator
from itertools import pairwise
from typing import Any, NoReturn

from coarsest.errors import SyntaxProblem
from coarsest.logic.expr import FALSE, TRUE, Apply, Constant, Expr, Name, replace
from coarsest.logic.operators import BOOLEAN_CONNECTIVES, INFIX, TEMPORAL, UNTIL, Infix
from coarsest.logic.parse import Parser
from coarsest.logic.temporal_operators import CTL_BINARY, CTL_UNARY, LTL_OPERATORS, PATH_QUANTIFIERS
from coarsest.logic.tokens import Tokens, is_name, is_number, tokenise
from coarsest.text import Source

GLUED = re.compile("([GFXHOYZ]+)([a-z][0-9]*)")
"""A short name behind operators."""
_SIGNS = {"[]": "[]", "<>": "<>", "/\\": "&&", "\\/": "||"}
_OPERATORS = re.compile("[GFX]{2,}")

_BOUNDED = frozenset({"BG", "BF", "BH", "BO"})
_UNTIL = frozenset("UVRWM")
_ALTERNATIVES = frozenset({"|", "||", "xor", "xnor"})
_WORDS: dict[str | int, Constant] = {"true": TRUE, "false": FALSE, 1: TRUE, 0: FALSE}
_OF_FORMULAS = BOOLEAN_CONNECTIVES | LTL_OPERATORS | CTL_UNARY | CTL_BINARY | PATH_QUANTIFIERS


class _SpinSpot(Parser):
    def __init__(self, tokens: Tokens) -> None:
        super().__init__(tokens)
        between = {symbol: Infix(UNTIL, UNTIL + 1, symbol) for symbol in "RWM"}
        self.infix = {**INFIX, "&&": INFIX["&"], "||": INFIX["|"], "==": INFIX["="], **between}
        own: dict[str, Callable[[Any, int], Expr]] = {"{": _SpinSpot.set_of_values}
        self.handlers = {**self.handlers, **dict.fromkeys(("[]", "<>"), _SpinSpot.box_or_diamond), **own}

    def box_or_diamond(self, _least: int) -> Expr:
        first = self.at
        self.at += 1
        return Apply("G" if self.texts[first] == "[]" else "F", (self.expression(TEMPORAL),), self.span_from(first))

    def set_of_values(self, least: int) -> Expr:
        if self.texts[self.at - 1] not in ("in", "union", "=", "!=", "=="):  # elsewhere a brace begins a sequence of PSL
            self.fail("a formula")
        return self._set(least)


class Ambiguous(SyntaxProblem):
    """A formula with different meanings in two languages."""


def parse_spin_spot(source: Source) -> Expr:
    """The formula as one of SMV; raises SyntaxProblem if it cannot be parsed, and Ambiguous if it has two meanings.

    >>> from coarsest.logic.show import show
    >>> show(parse_spin_spot(Source("<formula>", "[](a -> <>b) && (c W d)")))
    'G (a -> F b) & d V (c | d)'
    """
    tokens = _joined(tokenise(source))
    parser = _SpinSpot(tokens)
    expr = parser.whole_expression()
    parser.expect_end()
    _require_one_meaning(tokens)
    return _in_smv(expr)


def _joined(tokens: Tokens) -> Tokens:
    """Operators of two signs as one word each; `X!` before an operand as two, and `GF` before one as well."""
    texts, starts = list[str](), list[int]()
    for text, start, after in zip(tokens.texts, tokens.starts, (*tokens.texts[1:], "")):
        if texts and texts[-1] + text in _SIGNS and starts[-1] + 1 == start:
            texts[-1] = _SIGNS[texts[-1] + text]
        elif text == "X!" and not tokens.source.text[start + 2 : start + 3].isspace():
            texts += ("X", "!")
            starts += (start, start + 1)
        elif _OPERATORS.fullmatch(text) and (after in ("(", "!", "[", "<") or is_name(after) or is_number(after)):
            texts += text
            starts += range(start, start + len(text))
        else:
            texts.append(text)
            starts.append(start)
    return Tokens(tokens.source, texts, starts)


def _require_one_meaning(tokens: Tokens) -> None:
    """Raise at the second of two operators that are not grouped alike everywhere."""
    open_groups: list[dict[str, str]] = [{}]
    for place, (before, text) in enumerate(pairwise(["", *tokens.texts])):
        group = open_groups[-1]
        operator = is_name(before) or is_number(before) or before in (")", "]", "TRUE", "FALSE")
        if text in ("(", "["):
            open_groups.append({})
        elif text in (")", "]"):
            del open_groups[-1:]
            open_groups = open_groups or [{}]
        elif text in _UNTIL and operator:
            if "until" in group:
                _refuse(tokens, place, group["until"])
            group["until"] = text
        elif text in _ALTERNATIVES:
            if group.setdefault("or", text) != text and "xor" in group["or"] + text:
                _refuse(tokens, place, group["or"])
        elif text in ("->", "<->") and group.setdefault("arrow", text) != text:
            _refuse(tokens, place, group["arrow"])
        if text in ("&", "&&", "->", "<->", ",") or text in _ALTERNATIVES:
            group.pop("until", None)
        if text in ("->", "<->", ","):
            group.pop("or", None)


def _refuse(tokens: Tokens, place: int, before: str) -> NoReturn:
    message = f"`{before}` and then `{tokens.texts[place]}`: which of them binds tighter is not the same in SMV, Spin and Spot"
    raise Ambiguous(message, tokens.span(place), hint="put brackets around one of them")


def _in_smv(expr: Expr) -> Expr:
    """The formula with the operators of SMV."""

    def change(part: Expr) -> Expr | None:
        match part:
            case Apply("R" | "W" | "M" as op, (left, right)):
                p, q = _in_smv(left), _in_smv(right)
                if op == "R":
                    return Apply("V", (p, q), part.span)
                if op == "W":
                    return Apply("V", (q, Apply("or", (p, q), part.span)), part.span)
                return Apply("U", (q, Apply("and", (p, q), part.span)), part.span)
        return None

    return replace(expr, change)


def with_words_of_others(formula: Expr, known: Collection[str] = ()) -> Expr:
    """The formula with constants for 1, 0, true and false and with operators for those before a short name, unless it is known.

    >>> from coarsest.logic.parse import parse_expression
    >>> from coarsest.logic.show import show
    >>> show(with_words_of_others(parse_expression("(GFa | Xb & n = 1) U true"), known=["Xb"]))
    '(G F a | Xb & n = 1) U TRUE'
    """
    match formula:
        case Apply(op, args) if op in _OF_FORMULAS:
            bounds = 2 if op in _BOUNDED else 0
            changed = (*args[:bounds], *(with_words_of_others(arg, known) for arg in args[bounds:]))
            return Apply(op, changed, formula.span) if any(new is not old for new, old in zip(changed, args)) else formula
        case Name(name) if name not in known:
            if name in _WORDS:
                return Constant(_WORDS[name].value, formula.span)
            glued = GLUED.fullmatch(name)
            if glued is not None:
                inner: Expr = Name(glued.group(2), formula.span)
                for operator in reversed(glued.group(1)):
                    inner = Apply(operator, (inner,), formula.span)
                return inner
        case Constant(int(value)) if value in _WORDS and not isinstance(value, bool):
            return Constant(_WORDS[value].value, formula.span)
    return formula


def glued_words(source: Source) -> Iterator[tuple[str, str]]:
    """The words of a text that may be a name behind operators, and how they are written then."""
    for text in dict.fromkeys(tokenise(source).texts):
        match = GLUED.fullmatch(text)
        if match is not None:
            yield text, " ".join((*match.group(1), match.group(2)))
