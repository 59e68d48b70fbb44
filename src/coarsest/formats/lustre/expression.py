"""Expressions of Lustre, by operator precedence.

Loosest first: `when`, `else`, `->` and `fby` (to the right), `=>` (to the right), `or xor`, `and`, comparisons, `+ -`,
`* / div mod`, `pre`, casts, `not` and `-`; as Kind 2 has them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NoReturn

from coarsest.errors import SyntaxProblem, Unsupported
from coarsest.formats.lustre.words import HINTS, MACHINE_INTEGERS, RESERVED, TOKEN
from coarsest.logic.expr import FALSE, TRUE, Apply, Constant, Expr, Name
from coarsest.logic.operators import Infix, left
from coarsest.logic.parse import Parser
from coarsest.logic.reals import real_constant
from coarsest.logic.tokens import tokenise
from coarsest.logic.words import LONGEST_NUMBER
from coarsest.text import Source, Span

_UNSUPPORTED = {
    "forall": "quantifiers",
    "exists": "quantifiers",
    "any": "the operator `any`",
    "choose": "the operator `choose`",
    "last": "the operator `last`",
    "map": "maps",
    "set": "sets",
    "match": "pattern matching",
    "with": "static recursion",
}
_AFTER: dict[str, tuple[str, ...]] = dict.fromkeys(_UNSUPPORTED, ("{", "<", "@", "[", "(")) | {"last": ()}
"""One of these words is an operator when an operand follows, and a name otherwise."""

_WHEN, _ELSE, _ARROW, _IMPLIES, _OR, _AND, _RELATION, _SUM, _PRODUCT, _PRE, _NOT = range(1, 12)


_INFIX: dict[str, Infix] = {
    "->": Infix(_ARROW, _ARROW, "->"),
    "fby": Infix(_ARROW, _ARROW, "fby"),
    "=>": Infix(_IMPLIES, _IMPLIES, "implies"),
    **left(_OR, "or", "xor"),
    **left(_AND, "and"),
    **left(_RELATION, "=", "<", "<=", ">", ">=", **{"<>": "!="}),
    **left(_SUM, "+", "-"),
    **left(_PRODUCT, "*", "/", "div", "mod", **{"%": "mod"}),
}


class ExpressionReader(Parser):
    """A parser with the operators of Lustre."""

    hints = HINTS
    reserved = RESERVED

    def __init__(self, source: Source) -> None:
        super().__init__(tokenise(source, TOKEN))
        self.infix = _INFIX
        self.handlers = _HANDLERS

    def is_name(self, text: str) -> bool:
        return (text[:1].isalpha() or text[:1] == "_") and text.isascii() and text not in RESERVED

    def fail(self, expected: str, hint: str = "") -> NoReturn:
        super().fail(expected, self.hints.get(self.texts[self.at], hint))

    def top(self) -> Expr:
        """A whole expression, with the clocks that it is sampled on."""
        first = self.at
        return self._with_clocks(self.whole_expression(), first)

    def _with_clocks(self, expr: Expr, first: int) -> Expr:
        while self.take("when"):
            expr = Apply("when", (expr, self._clock()), self.span_from(first))
        return expr

    def operand(self, least: int) -> Expr:
        token, first = self.texts[self.at], self.at
        handler = self.handlers.get(token)
        if handler is not None:
            operand = handler(self, least)
        elif "0" <= token[:1] <= "9":
            operand = self._numeral()
        elif token in _UNSUPPORTED and (self.is_name(self.texts[self.at + 1]) or self.texts[self.at + 1] in _AFTER[token]):
            raise Unsupported(f"{_UNSUPPORTED[token]}: not part of the core of Lustre", self.tokens.span(self.at))
        elif token in ("[", "{"):
            raise self._aggregate(token)
        elif not self.is_name(token):
            self.fail("an expression")
        elif self.texts[self.at + 1] == "(":
            operand = self._call()
        else:
            self.at += 1
            operand = Name(token, self.span_from(first))
        if self.texts[self.at] in ("[", "^", ".", "{"):
            raise self._aggregate(self.texts[self.at])
        return operand

    def _aggregate(self, token: str) -> Unsupported:
        kind = "arrays" if token in ("[", "^") else "records"
        return Unsupported(f"{kind} are not handled", self.tokens.span(self.at), hint="give every element a flow of its own")

    def _numeral(self) -> Expr:
        token = self.texts[self.at]
        self.at += 1
        span = self.span_from(self.at - 1)
        if len(token) > LONGEST_NUMBER:
            raise SyntaxProblem("this constant is too long", span, hint=f"at most {LONGEST_NUMBER} characters are handled")
        if token[:2] in ("0x", "0X"):
            return Constant(int(token, 16), span)
        return Constant(int(token) if token.isdigit() else real_constant(token, span), span)

    # -- operands that begin with a fixed word -----------------------------------------------------------------------------

    def _parentheses(self, _least: int) -> Expr:
        first = self.at
        if self.texts[self.at + 1] in ("activate", "restart"):
            return self._activated()
        self.at += 1
        members = self._inner_list()
        self.expect(")")
        return members[0] if len(members) == 1 else Apply("tuple", tuple(members), self.span_from(first))

    def _inner_list(self) -> list[Expr]:
        members = [self._inner()]
        while self.take(","):
            members.append(self._inner())
        return members

    def _inner(self) -> Expr:
        """An expression inside another one, with the clocks that it is sampled on."""
        first = self.at
        return self._with_clocks(self.expression(), first)

    def _prefix(self, _least: int) -> Expr:
        first, word = self.at, self.texts[self.at]
        if word == "current" and self.is_call_of_current():
            return self._call()
        self.at += 1
        inner = self.expression(_PRE if word in ("pre", "current") else _NOT)
        if word == "-" and isinstance(inner, Constant) and isinstance(inner.value, int) and not isinstance(inner.value, bool):
            return Constant(-inner.value, self.span_from(first))
        return Apply("neg" if word == "-" else word, (inner,), self.span_from(first))

    def is_call_of_current(self) -> bool:
        """Does the program have a node called `current`? The reader of declarations knows."""
        return False

    def _if(self, _least: int) -> Expr:
        first = self.at
        self.at += 1
        condition = self.expression()
        self.expect("then", after="the condition")
        then = self.expression()
        self.expect("else", after="the value", hint="a conditional is written `if c then a else b`: both values are needed")
        return Apply("if", (condition, then, self.expression(_ELSE)), self.span_from(first))

    def _cast(self, _least: int) -> Expr:
        first = self.at
        kind = Name(self.texts[first], self.tokens.span(first))
        self.at += 1
        return Apply("cast", (kind, self.expression(_NOT)), self.span_from(first))

    def _count(self, _least: int) -> Expr:
        """`#(a, b, c)` (at most one is true) or `nor(a, b, c)` (none is true)."""
        first = self.at
        op = "atmost1" if self.texts[first] == "#" else "nor"
        self.at += 1
        self.expect("(", after=f"`{self.texts[first]}`")
        operands = self._inner_list()
        self.expect(")")
        return Apply(op, tuple(operands), self.span_from(first))

    def _call(self) -> Expr:
        first = self.at
        self.at += 2
        node = Name(self.texts[first], self.tokens.span(first))
        args = [] if self.texts[self.at] == ")" else self._inner_list()
        self.expect(")")
        return Apply("call", (node, *args), self.span_from(first))

    # -- clocks ------------------------------------------------------------------------------------------------------------

    def _clock(self) -> Expr:
        """The clock after `when`: a flow, `not` of a clock, `Symbol(flow)`, or a condition in parentheses."""
        first = self.at
        if self.take("not"):
            return Apply("not", (self._clock(),), self.span_from(first))
        if self.take("("):
            inner = self.expression()
            self.expect(")")
            return inner
        name = Name(self.name("a clock after `when`"), self.span_from(first))
        if self.take("("):
            flow = Name(self.name("the flow that the clock depends on"), self.tokens.span(self.at - 1))
            self.expect(")")
            return Apply("is", (flow, name), self.span_from(first))
        return name

    def _merge(self, _least: int) -> Expr:
        first = self.at
        self.at += 1
        if self.texts[self.at] == "(" and self.texts[self.at + 2] == ";":
            return self._merge_of_two(first)
        clock = Name(self.name("the clock after `merge`"), self.tokens.span(self.at - 1))
        parts: list[Expr] = [clock]
        while self.texts[self.at] == "(" and self.texts[self.at + 2] == "->":
            word, span = self.texts[self.at + 1], self.tokens.span(self.at + 1)
            if word not in ("true", "false") and not self.is_name(word):
                break
            self.at += 3
            parts += [Constant(word == "true", span) if word in ("true", "false") else Name(word, span), self._inner()]
            self.expect(")", after="the branch")
        if len(parts) == 1:
            parts += [TRUE, self._branch(), FALSE, self._branch()]
        return Apply("merge", tuple(parts), self.span_from(first))

    def _branch(self) -> Expr:
        """A value of `merge c a b`. A call must stand in parentheses, since the next value may begin with one."""
        token = self.texts[self.at]
        if self.is_name(token):
            self.at += 1
            return Name(token, self.span_from(self.at - 1))
        return self.operand(_NOT)

    def _merge_of_two(self, first: int) -> Expr:
        """`merge (c; a; b)`, a form of Kind 2."""
        self.at += 1
        clock = Name(self.name("the clock of `merge`"), self.tokens.span(self.at - 1))
        self.expect(";")
        when_true = self._inner()
        self.expect(";", after="the value for `true`")
        when_false = self._inner()
        self.expect(")", after="the value for `false`")
        return Apply("merge", (clock, TRUE, when_true, FALSE, when_false), self.span_from(first))

    # -- calls that are not always made ------------------------------------------------------------------------------------

    def _condact(self, _least: int) -> Expr:
        first = self.at
        self.at += 1
        self.expect("(", after="`condact`")
        condition = self._inner()
        self.expect(",", after="the condition")
        call = self._inner()
        if not (isinstance(call, Apply) and call.op == "call"):
            raise SyntaxProblem("the second argument of `condact` must be a call of a node", call.span)
        defaults = self._inner_list() if self.take(",") else []
        self.expect(")")
        return Apply("condact", (condition, call, *defaults), self.span_from(first))

    def _activated(self) -> Expr:
        """`(activate N every c [initial default d])(arguments)` and `(restart N every c)(arguments)`"""
        first = self.at
        word = self.texts[self.at + 1]
        self.at += 2
        node = Name(self.name(f"the node after `{word}`"), self.tokens.span(self.at - 1))
        self.expect("every", after="the node")
        condition = self.expression()
        defaults: list[Expr] = []
        has_defaults = self.take("initial")
        if has_defaults:
            self.expect("default", after="`initial`")
            defaults = self._inner_list()
            if len(defaults) == 1 and isinstance(defaults[0], Apply) and defaults[0].op == "tuple":
                defaults = list(defaults[0].args)
        self.expect(")")
        self.expect("(", after=f"`{word}`")
        args = [] if self.texts[self.at] == ")" else self._inner_list()
        self.expect(")")
        call = Apply("call", (node, *args), self.span_from(first))
        op = "condact" if has_defaults else word
        return Apply(op, (condition, call, *defaults), self.span_from(first))

    def _misplaced(self, _least: int) -> NoReturn:
        span = self.tokens.span(self.at)
        raise contract(span) if self.texts[self.at].endswith("@") else Unsupported("an annotation inside an expression", span)


def contract(span: Span) -> Unsupported:
    hint = "write assumptions as `assert e;` and guarantees as `--%PROPERTY e;`"
    return Unsupported("contracts are not handled", span, hint=hint)


_HANDLERS: dict[str, Callable[[Any, int], Expr]] = {
    "(": ExpressionReader._parentheses,
    "true": ExpressionReader._truth,
    "false": ExpressionReader._truth,
    **dict.fromkeys(("not", "-", "pre", "current"), ExpressionReader._prefix),
    "if": ExpressionReader._if,
    "#": ExpressionReader._count,
    "nor": ExpressionReader._count,
    "merge": ExpressionReader._merge,
    "condact": ExpressionReader._condact,
    "int": ExpressionReader._cast,
    "real": ExpressionReader._cast,
    **dict.fromkeys(MACHINE_INTEGERS, ExpressionReader._cast),
    **dict.fromkeys(("--@", "(*@", "/*@", "(*!", "(*%", "/*!", "/*%"), ExpressionReader._misplaced),
}
