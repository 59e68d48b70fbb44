"""Formulas of PSL as NuSMV 2.6 reads them: the temporal layer and sequences (SEREs).

The names of the operators are in `logic.temporal_operators`. Their levels differ from those of SMV: here `always`, `G` and `next`
take everything to their right that binds more tightly than themselves, so `always a -> b` is `always (a -> b)` and
`F a & b` is `F (a & b)`.
"""

from __future__ import annotations

from collections.abc import Callable

from coarsest.errors import SyntaxProblem, Unsupported
from coarsest.logic.expr import FALSE, TRUE, Apply, Constant, Expr, Name
from coarsest.logic.operators import Infix, left
from coarsest.logic.parse import Parser
from coarsest.logic.psl.psl_replication import JOINED_BY, MOST_INSTANCES, instance, replicated
from coarsest.logic.temporal_operators import CTL_UNARY
from coarsest.logic.tokens import SECTIONS, tokenise
from coarsest.text import Source

_GLOBALLY, _ARROW, _EVENTUALLY, _BEFORE, _UNTIL, _ABORT, _TEMPORAL, _MEMBER, _CONDITIONAL = range(1, 10)

_INFIX: dict[str, Infix] = {
    **left(_ARROW, "|->", "|=>", **{"->": "implies", "<->": "iff"}),
    **{f"before{s}": Infix(_BEFORE, _BEFORE + 1, f"before{s}") for s in ("", "!", "_", "!_")},
    **{f"until{s}": Infix(_UNTIL, _UNTIL + 1, f"until{s}") for s in ("", "!", "_", "!_")},
    **left(_ABORT, "abort"),
    **left(_MEMBER, "in", "union"),
    "?": Infix(_CONDITIONAL, _CONDITIONAL, "?:"),
    **left(11, **{"||": "or"}),
    **left(12, **{"&&": "and"}),
    **left(13, **{"|": "or"}),
    **left(14, "xor", "xnor", **{"^": "xor"}),
    **left(15, **{"&": "and"}),
    **left(16, "=", "!=", **{"==": "="}),
    **left(17, "<", "<=", ">", ">="),
    **left(18, "<<", ">>"),
    **left(20, "+", "-"),
    **left(21, "*", "/", "mod", "::", **{"%": "mod"}),
    **left(24, "@"),
}


_OPENING = frozenset({"(", "[", "{", "[*", "[=", "[->"})
_CLOSING = frozenset({")", "]", "}"})
_JOINING = (":", "&&", "&", "|", "within")
"""The operators between two sequences."""


class PslParser(Parser):
    """A parser whose operators are those of PSL."""

    def __init__(self, parser: Parser) -> None:
        super().__init__(parser.tokens)
        self.at = parser.at
        self.infix = _INFIX
        self.handlers = {**self.handlers, **_HANDLERS}
        self._untils: set[int] | None = None
        self._instances = 1  # of the formula that is read, by all `forall` around it

    def expression(self, least: int = 0) -> Expr:
        """As in SMV; a sequence on the right of `|->` may be strong."""
        expr = super().expression(least)
        if isinstance(expr, Apply) and expr.op in ("|->", "|=>") and self.take("!"):
            return Apply(expr.op + "!", expr.args, expr.span)
        return expr

    # -- sequences ---------------------------------------------------------------------------------------------------------

    def braces(self, _least: int = 0) -> Expr:
        """`{r}`: a sequence; `{r}!`: a strong one; `{a, b}`: a set, as `{a}` after `in`; `{r} (f)`: f holds where r ends."""
        first = self.at
        self.at += 1
        parts = [self._fusion()]
        if self.texts[self.at] == ",":
            while self.take(","):
                parts.append(self.expression())
            self.expect("}")
            return Apply("set", tuple(parts), self.span_from(first))
        while self.take(";"):
            parts.append(self._fusion())
        self.expect("}", hint="a sequence is written `{a; b; c}`")
        inner = parts[0] if len(parts) == 1 else Apply(";", tuple(parts), self.span_from(first))
        before = self.texts[first - 1] if first else ""
        if before in ("in", "union"):
            return Apply("set", (inner,), self.span_from(first))
        if before not in ("|->", "|=>") and self.take("!"):
            return Apply("sere!", (inner,), self.span_from(first))
        sequence = Apply("sere", (inner,), self.span_from(first))
        if self.take("("):
            formula = self.expression()
            self.expect(")")
            return Apply("|->", (sequence, formula), self.span_from(first))
        if self.texts[self.at] in ("|->", "|=>") and before not in _JOINING:
            return self._suffix_implication(sequence, first)
        return sequence

    def _suffix_implication(self, sequence: Expr, first: int) -> Expr:
        """Only a sequence can be on the left of `|->`, so the operator binds to this sequence, whatever is before it."""
        arrow = self.texts[self.at]
        self.at += 1
        consequence = self.expression(_ARROW + 1)
        return Apply(arrow + ("!" if self.take("!") else ""), (sequence, consequence), self.span_from(first))

    def _fusion(self) -> Expr:
        first = self.at
        left = self._repeated()
        while (op := self.texts[self.at]) in _JOINING:
            self.at += 1
            left = Apply(op, (left, self._repeated()), self.span_from(first))
        return left

    def _repeated(self) -> Expr:
        first = self.at
        if self.texts[self.at] in ("[*", "[+]"):
            item: Expr = TRUE
        else:
            item = self.braces() if self.texts[self.at] == "{" else self.expression()
        while (op := self.texts[self.at]) in ("[*", "[+]", "[=", "[->"):
            self.at += 1
            if op == "[+]":
                item = Apply("[*]", (item, Constant(1)), self.span_from(first))
                continue
            default = {"[*": (0,), "[->": (1, 1)}.get(op)
            if default is not None and self.take("]"):
                bounds: tuple[Expr, ...] = tuple(Constant(number) for number in default)
            else:
                bounds = self._count()
                self.expect("]")
            item = Apply(op + "]", (item, *bounds), self.span_from(first))
        return item

    def _count(self) -> tuple[Expr, ...]:
        """`n`, `low:high` or `low:inf`."""
        low = self.operand(0)
        if not self.take(":") and not self.take(".."):
            return (low, low)
        if self.take("inf"):
            return (low,)
        return (low, self.operand(0))

    # -- temporal operators ------------------------------------------------------------------------------------------------

    def prefix(self, _least: int) -> Expr:
        """An operator and everything to its right that binds more tightly."""
        first = self.at
        operator = self.texts[first]
        self.at += 1
        if operator in ("next", "next!", "X", "X!"):
            if self.texts[self.at] == "[" and self.at not in self._brackets_of_until():
                self.at += 1
                number = self.expression()
                self.expect("]")
                return Apply("next[]", (number, self._argument()), self.span_from(first))
            return Apply("X", (self.expression(_EVENTUALLY if operator[0] == "n" else _TEMPORAL),), self.span_from(first))
        level = _GLOBALLY if operator in ("always", "never", "G") else _EVENTUALLY if operator == "eventually!" else _TEMPORAL
        return Apply(operator, (self.expression(level),), self.span_from(first))

    def _brackets_of_until(self) -> set[int]:
        """The opening brackets of all `[a U b]` and `[a W b]` in the formula: after `next`, others hold a number."""
        if self._untils is None:
            self._untils = set()
            openings: list[int] = []
            for at in range(self.at, len(self.texts)):
                text = self.texts[at]
                if text in _OPENING:
                    openings.append(at)
                elif text in _CLOSING and openings:
                    openings.pop()
                elif text in ("U", "W") and openings and self.texts[openings[-1]] == "[":
                    self._untils.add(openings[-1])
                elif text in SECTIONS:
                    break
        return self._untils

    def _argument(self) -> Expr:
        self.expect("(")
        formula = self.expression()
        self.expect(")")
        return formula

    def next_range(self, _least: int) -> Expr:
        """`next_a[1:3] (f)`, `next_event(b) (f)`, `next_event_a(b) [1:3] (f)` and the like."""
        first = self.at
        operator = self.texts[first]
        self.at += 1
        condition = (self._argument(),) if "event" in operator else ()
        bounds: tuple[Expr, ...] = ()
        counted = operator.rstrip("!") == "next_event"  # here the number is optional, and only one
        if not counted or self.texts[self.at] == "[":
            self.expect("[", after=f"`{operator}`", hint=f"write `{operator} [1:3] (f)`")
            bounds = self._count()
            self.expect("]")
        if counted and bounds:
            operator, bounds = operator.replace("next_event", "next_event[]"), bounds[:1]
        return Apply(operator, (*condition, *bounds, self._argument()), self.span_from(first))

    def within(self, _least: int) -> Expr:
        """`within (r, b) s` and `whilenot (b) s`."""
        first = self.at
        operator = self.texts[first]
        self.at += 1
        self.expect("(")
        limits = [self.braces() if self.texts[self.at] == "{" else self.expression()]
        if operator.startswith("within"):
            self.expect(",")
            limits.append(self.expression())
        self.expect(")")
        return Apply(operator, (*limits, self.braces()), self.span_from(first))

    def until_in_brackets(self, _least: int) -> Expr:
        """`[a U b]` and `[a W b]`."""
        first = self.at
        self.at += 1
        left = self.expression()
        operator = self.texts[self.at]
        if operator not in ("U", "W"):
            self.fail("`U` or `W`")
        self.at += 1
        right = self.expression()
        self.expect("]")
        return Apply(operator, (left, right), self.span_from(first))

    def for_each(self, _least: int) -> Expr:
        """`forall i in {0:3}: f`: the formulas for all values of i together; `forany`: one of them."""
        first = self.at
        word = self.texts[first]
        self.at += 1
        parameter = self.name("the name of a parameter")
        if self.texts[self.at] == "[":
            raise Unsupported("parameters with an index range are not handled", self.tokens.span(self.at))
        self.expect("in", after="the parameter", hint=f"write `{word} i in {{0:3}}: f`")
        values, count = self._values()
        self.expect(":", after="the values", hint=f"write `{word} i in {{0:3}}: f`")
        outside = self._instances
        self._instances *= count
        formula = self.expression()
        total, self._instances = self._instances, outside
        if total > MOST_INSTANCES:
            return Apply("forall", (instance(formula, parameter, values[0]),), self.span_from(first))
        return replicated(word, parameter, values, formula, self.span_from(first))

    def _values(self) -> tuple[list[Expr], int]:
        """`boolean` or `{0:3, 7}`: the values, or the first where there are too many, and how many they are."""
        if self.take("boolean"):
            return [FALSE, TRUE], 2
        first = self.at
        self.expect("{", hint="write `boolean`, or values and ranges as in `{0:3, 7}`")
        values: list[Expr] = []
        count = 0
        while not count or self.take(","):
            low = self.operand(0)
            if self.take(":") or self.take(".."):
                numbers = self._numbers(low)
                values += [Constant(number) for number in numbers[: MOST_INSTANCES + 1]]
                count += len(numbers)
            else:
                values.append(low)
                count += 1
        self.expect("}", hint="write `boolean`, or values and ranges as in `{0:3, 7}`")
        if not all(isinstance(value, Constant | Name) for value in values):
            raise SyntaxProblem("the values of a parameter are numbers and symbols", self.span_from(first))
        return values, count

    def _numbers(self, low: Expr) -> range:
        high = self.integer("a number as upper bound")
        if not isinstance(low, Constant) or isinstance(low.value, bool) or not isinstance(low.value, int):
            raise SyntaxProblem("the bounds of a range are numbers", low.span)
        numbers = range(low.value, high + 1)
        if not numbers:
            raise SyntaxProblem(f"the range {low.value}:{high} is empty", low.span, hint="the lower bound comes first")
        return numbers


_HANDLERS: dict[str, Callable[[PslParser, int], Expr]] = {
    "{": PslParser.braces,
    "[": PslParser.until_in_brackets,
    **dict.fromkeys(("always", "never", "eventually!", "next", "next!", "X", "X!", "G", "F", *CTL_UNARY), PslParser.prefix),
    **{
        word + strength: PslParser.next_range
        for word in ("next_a", "next_e", "next_event", "next_event_a", "next_event_e")
        for strength in ("", "!")
    },
    **{word + kind: PslParser.within for word in ("within", "whilenot") for kind in ("", "!", "_", "!_")},
    **dict.fromkeys(JOINED_BY, PslParser.for_each),
}


def parse_psl(parser: Parser) -> Expr:
    """Parse a PSL formula at the position of a parser, and move the parser behind it."""
    inner = PslParser(parser)
    formula = inner.whole_expression()
    parser.at = inner.at
    return formula


def parse_psl_expression(source: Source) -> Expr:
    """Parse a formula of PSL, which must be the whole text."""
    parser = Parser(tokenise(source))
    formula = parse_psl(parser)
    parser.expect_end()
    return formula
