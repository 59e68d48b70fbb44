"""Expressions of SMV, by operator precedence.

The parser accepts every operator everywhere; its callers refuse those that are not allowed in a place. `.` and indexing by a
number are part of a name (`Name("p.x[0]")`), any other index is the operator `index`. Operators that lowering replaces: `?:` `..`
`index` `.` `sizeof` `swconst` `uwconst`. Chains of `&` and of `|` become one n-ary operator, so that long formulas are shallow.

Reference: Pratt, Top down operator precedence, 1973; the levels are in `logic.operators`.
Symbols:   `least` is the loosest level that an operand may have.
Invariant: `at` is the first token not yet consumed; `depth` counts open calls of `expression`.
Deviates:  temporal operators are prefixes of a level between `&` and `=`; `!` before one applies to all of it.
Cost:      linear in the number of tokens.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from typing import Any, Final

from coarsest.errors import SyntaxProblem, Unsupported
from coarsest.logic.cursor import Cursor
from coarsest.logic.expr import Apply, Constant, Expr, Name
from coarsest.logic.operators import CONDITIONAL, FUNCTIONS, INFIX, ONE_ARGUMENT, PREFIX, TEMPORAL, TWO_ARGUMENTS, UNTIL
from coarsest.logic.reals import real_constant
from coarsest.logic.temporal_operators import CTL_UNARY
from coarsest.logic.tokens import END, SECTIONS, Tokens, begins_number, is_name, is_number, tokenise
from coarsest.logic.words import integer_constant, negated, word_constant
from coarsest.text import Source, Span

DEEPEST: Final = 2000
"""Deeper nesting is refused, so that every walk over an expression may be recursive."""

FRAMES: Final = 20_000
"""Python frames that walks over the deepest expressions may need."""

LONGEST_PATH: Final = 1000
"""Paths such as `a.b[0]` with more parts are refused, because names are looked up part by part."""

_BOUNDED = {"G": "BG", "F": "BF", "H": "BH", "O": "BO"}
_UNARY_LTL = frozenset({"X", "Y", "Z", "G", "F", "H", "O"})
_INFIX_OF_CTL = {symbol: infix for symbol, infix in INFIX.items() if infix.level != UNTIL}  # in A [p U q], U is no infix


class Parser(Cursor):
    """A position in a text, and the expressions that can be read there."""

    may_be_psl = True
    """Is a text that this parser refuses parsed as PSL next?"""

    def __init__(self, tokens: Tokens) -> None:
        super().__init__(tokens)
        self.depth = 0
        self.infix = INFIX
        self.handlers: Mapping[str, Callable[[Any, int], Expr]] = _HANDLERS
        if sys.getrecursionlimit() < FRAMES:  # for this walk and all later ones; calls of Python functions need no C stack
            sys.setrecursionlimit(FRAMES)

    def whole_expression(self) -> Expr:
        """An expression of any form, unless it is nested too deeply."""
        first = self.at
        self.depth = 0
        try:
            expr = self.expression()
        except RecursionError:
            raise too_deep(self.tokens.span(first)) from None
        check_depth(expr, tokens=self.at - first)
        return expr

    # -- expressions -------------------------------------------------------------------------------------------------------

    def expression(self, least: int = 0) -> Expr:
        """The longest expression whose operators bind at least as tightly as `least`."""
        self.depth += 1
        if self.depth > DEEPEST:
            raise too_deep(self.tokens.span(self.at))
        first = self.at
        left = self.operand(least)
        texts = self.texts
        while (infix := self.infix.get(texts[self.at])) is not None and infix.level >= least:
            op = infix.op
            if op == "and" or op == "or":
                left = self._chain(left, op, infix.right)
            elif op == "?:":
                left = self._conditional(left)
            else:
                self.at += 1
                left = Apply(op, (left, self.expression(infix.right)), self.span_from(first))
                continue
            left = Apply(left.op, left.args, self.span_from(first))
        self.depth -= 1
        return left

    def _chain(self, left: Expr, op: str, right: int) -> Apply:
        parts = [left]
        symbol = self.texts[self.at]
        while self.texts[self.at] == symbol:
            self.at += 1
            parts.append(self.expression(right))
        return Apply(op, tuple(parts))

    def _conditional(self, condition: Expr) -> Apply:
        self.at += 1
        then = self.expression()
        self.expect(":", hint="a conditional is written `condition ? value : other`")
        return Apply("?:", (condition, then, self.expression(CONDITIONAL)))

    def operand(self, least: int) -> Expr:
        """An expression without infix operators at its top."""
        token = self.texts[self.at]
        handler = self.handlers.get(token)
        first = self.at
        if handler is not None:
            operand = handler(self, least)
        elif begins_number(token):
            operand = self._number()
        elif is_name(token):
            self.at += 1
            operand = Name(token, self.span_from(first))
        else:
            hint = "the expression before this section is incomplete" if self.at else f"leave `{token}` out"
            self.fail("an expression", hint if token in SECTIONS else "")
        parts = 0
        while self.texts[self.at] == "[" or self.texts[self.at] == ".":
            operand = self._postfix(operand, first)
            parts += 1
            if parts > LONGEST_PATH:
                raise path_too_long(self.tokens.span(first))
        return operand

    def _number(self) -> Constant:
        token = self.texts[self.at]
        self.at += 1
        span = self.span_from(self.at - 1)
        if is_number(token):
            return Constant(integer_constant(token, span), span)
        if "_" in token:
            return Constant(word_constant(token, span), span)
        return Constant(real_constant(token, span), span)

    def _postfix(self, operand: Expr, first: int) -> Expr:
        if self.take("."):
            member = self.texts[self.at]
            if not (is_name(member) or is_number(member)):
                self.fail("the name of a member after `.`")
            self.at += 1
            if isinstance(operand, Name):
                return Name(f"{operand.name}.{member}", self.span_from(first))
            return Apply(".", (operand, Name(member, self.span_from(self.at - 1))), self.span_from(first))
        self.at += 1
        index = self.expression()
        if self.take(":"):
            low = self.expression()
            self.expect("]")
            return Apply("bits", (operand, index, low), self.span_from(first))
        self.expect("]")
        if isinstance(operand, Name) and isinstance(index, Constant) and index.value.__class__ is int:
            return Name(f"{operand.name}[{index.value}]", self.span_from(first))
        return Apply("index", (operand, index), self.span_from(first))

    # -- operands that begin with a fixed word -----------------------------------------------------------------------------

    def _bracket(self, _least: int) -> Expr:
        self.at += 1
        outside = self.infix
        if outside is _INFIX_OF_CTL:  # in A [E (p U q) U r], the first U is an infix
            self.infix = INFIX
        inner = self.expression()
        self.infix = outside
        self.expect(")")
        return inner

    def _truth(self, _least: int) -> Expr:
        """TRUE, FALSE or self."""
        self.at += 1
        text, span = self.texts[self.at - 1], self.span_from(self.at - 1)
        return Name(text, span) if text == "self" else Constant(text.upper() == "TRUE", span)

    def _minus(self, _least: int) -> Expr:
        # This is a negative number, not an operation; but bit selection binds more tightly: `-0sd3_2[2:2]` is `-(0sd3_2[2:2])`.
        if begins_number(self.texts[self.at + 1]) and self.texts[self.at + 2] != "[":
            first = self.at
            self.at += 1
            return Constant(negated(self._number().value), self.span_from(first))
        return self._prefixed("neg", PREFIX)

    def _plus(self, _least: int) -> Expr:
        first = self.at
        self.at += 1
        if not begins_number(self.texts[self.at]):
            self.fail("a number after `+`")
        return Constant(self._number().value, self.span_from(first))

    def _prefixed(self, op: str, least: int) -> Expr:
        first = self.at
        self.at += 1
        self.depth += 1
        if self.depth > DEEPEST:
            raise too_deep(self.tokens.span(first))
        inner = self.operand(least)
        self.depth -= 1
        return Apply(op, (inner,), self.span_from(first))

    def _set(self, _least: int) -> Expr:
        first = self.at
        self.at += 1
        members = self.list_of_expressions()
        self.expect("}", hint="a set is written `{a, b, c}`")
        return Apply("set", tuple(members), self.span_from(first))

    def list_of_expressions(self) -> list[Expr]:
        """Expressions with commas between them."""
        expressions = [self.expression()]
        while self.take(","):
            expressions.append(self.expression())
        return expressions

    def _case(self, _least: int) -> Expr:
        first = self.at
        self.at += 1
        parts: list[Expr] = []
        while not self.take("esac"):
            if self.texts[self.at] in SECTIONS or self.texts[self.at] == END:
                self.fail("`esac`", "every case is closed by `esac`")
            parts.append(self.expression())
            self.expect(":", after="the condition", hint="a case is written `case condition : value; … esac`")
            parts.append(self.expression())
            self.expect(";", after="the value", hint="every branch of a case ends with `;`, the last one too")
        if not parts:
            hint = "write `condition : value;` between case and esac"
            raise SyntaxProblem("a case without branches", self.span_from(first), hint=hint)
        return Apply("case", tuple(parts), self.span_from(first))

    def _function(self, _least: int) -> Expr:
        first = self.at
        function = self.texts[first]
        self.at += 1
        self.expect("(", after=f"`{function}`")
        arguments = self.list_of_expressions()
        self.expect(")")
        expected = 1 if function in ONE_ARGUMENT else 2 if function in TWO_ARGUMENTS else len(arguments)
        if len(arguments) != expected:
            plural = "s" if expected > 1 else ""
            raise SyntaxProblem(f"`{function}` takes {expected} argument{plural}, not {len(arguments)}", self.span_from(first))
        return Apply(function, tuple(arguments), self.span_from(first))

    def _unsupported(self, _least: int) -> Expr:
        raise Unsupported(f"`{self.texts[self.at]}`: arrays as values are not handled", self.tokens.span(self.at))

    # -- temporal operators ------------------------------------------------------------------------------------------------

    def _next_not(self, least: int) -> Expr:
        """`X!p` is `X !p`, since only PSL has a strong next. Before a blank, `X!` is refused if the formula may be of PSL."""
        at, start = self.at, self.starts[self.at]
        if self.may_be_psl and self.source.text[start + 2 : start + 3].isspace():
            self.fail("an expression")
        self.texts[at : at + 1], self.starts[at : at + 1] = ["X", "!"], [start, start + 1]
        return self._temporal(least)

    def _temporal(self, least: int) -> Expr:
        first = self.at
        operator = self.texts[first]
        if least > TEMPORAL:
            hint = f"put brackets around the formula that begins with `{operator}`"
            message = f"`{operator}` binds less tightly than the operator before it"
            raise SyntaxProblem(message, self.tokens.span(first), hint=hint)
        self.at += 1
        if operator in CTL_UNARY:
            return Apply(operator, (self.expression(TEMPORAL),), self.span_from(first))
        if operator == "A" or operator == "E":
            return self._path_quantifier(operator, first)
        if operator in _UNARY_LTL:
            if operator in _BOUNDED and self.take("["):
                low = self._bound()
                self.expect(",", hint=f"bounds are written `{operator} [0, 5] p`")
                high = self._bound()
                self.expect("]")
                return Apply(_BOUNDED[operator], (low, high, self.expression(TEMPORAL)), self.span_from(first))
            return Apply(operator, (self.expression(TEMPORAL),), self.span_from(first))
        low, high = self._bounds()
        return Apply(operator, (low, high, self.expression(TEMPORAL)), self.span_from(first))

    def _path_quantifier(self, quantifier: str, first: int) -> Expr:
        if self.texts[self.at] == "(":  # CTL*: the quantifier is for a whole linear formula
            return Apply(quantifier, (self.expression(TEMPORAL),), self.span_from(first))
        hint = f"write `{quantifier} [p U q]`, or `{quantifier} (…)` around a linear formula"
        self.expect("[", after=f"`{quantifier}`", hint=hint)
        outside = self.infix
        self.infix = _INFIX_OF_CTL
        left = self.expression()
        bounds: tuple[Expr, ...] = ()
        if self.take("BU"):
            bounds = self._bounds()
        else:
            self.expect("U", hint=hint)
        right = self.expression()
        self.infix = outside
        self.expect("]", hint=hint)
        return Apply(quantifier + ("BU" if bounds else "U"), (*bounds, left, right), self.span_from(first))

    def _bounds(self) -> tuple[Expr, Expr]:
        low = self._bound()
        self.expect("..", hint="bounds are written `ABF 0..5 p`")
        return low, self._bound()

    def _bound(self) -> Expr:
        first = self.at
        return Constant(self.integer("a number as bound"), self.span_from(first))

    def _distance(self, _least: int) -> Expr:
        first = self.at
        operator = self.texts[first]
        self.at += 1
        self.expect("[", after=f"`{operator}`", hint=f"write `{operator} [p, q]`")
        left = self.expression()
        self.expect(",", hint=f"write `{operator} [p, q]`")
        right = self.expression()
        self.expect("]")
        return Apply(operator, (left, right), self.span_from(first))

_HANDLERS: dict[str, Callable[[Parser, int], Expr]] = {
    "(": Parser._bracket,
    **dict.fromkeys(("TRUE", "FALSE", "self"), Parser._truth),
    "!": lambda parser, least: parser._prefixed("not", least),
    "X!": Parser._next_not,
    "-": Parser._minus,
    "+": Parser._plus,
    "{": Parser._set,
    "case": Parser._case,
    **dict.fromkeys(FUNCTIONS, Parser._function),
    **dict.fromkeys(("READ", "WRITE", "CONSTARRAY", "typeof"), Parser._unsupported),
    **dict.fromkeys(CTL_UNARY | _UNARY_LTL | {"A", "E", "ABF", "ABG", "EBF", "EBG"}, Parser._temporal),
    **dict.fromkeys(("MIN", "MAX"), Parser._distance),
}


def too_deep(span: Span) -> SyntaxProblem:
    """The problem of nesting that no person writes."""
    return SyntaxProblem(f"more than {DEEPEST} nested levels", span, hint="split the expression with DEFINE")


def path_too_long(span: Span | None) -> SyntaxProblem:
    """The problem of paths that no model has, because instances do not nest so deeply."""
    return SyntaxProblem(f"a path of more than {LONGEST_PATH} parts", span)


def check_depth(expr: Expr, *, tokens: int) -> None:
    """Refuse an expression whose tree is too deep (`a + b + c + …` nests without brackets). Each level has a token."""
    if tokens <= DEEPEST:
        return
    level = [expr]
    for _ in range(DEEPEST):
        level = [arg for part in level if isinstance(part, Apply) for arg in part.args if isinstance(arg, Apply)]
        if not level:
            return
    raise too_deep(level[0].span or Span(Source("", ""), 0, 0))


def parse_expression(text: str | Source) -> Expr:
    """Read one expression, which must be the whole text.

    >>> from coarsest.logic.show import show
    >>> show(parse_expression("!(a = 1) & (b & (c))"))
    '!(a = 1) & (b & c)'
    """
    source = text if isinstance(text, Source) else Source("<formula>", text)
    parser = Parser(tokenise(source))
    expr = parser.whole_expression()
    parser.expect_end()
    return expr
