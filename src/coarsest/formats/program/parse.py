"""The grammar of boolean programs.

    program     = { "var" declaration { declaration } } { statement } "loop" { statement } "end" [ ";" ]
    declaration = name { "," name } ":" type ";"
    type        = "boolean" | number ".." number | "{" symbol { "," symbol } "}" | "integer" | "real"
    statement   = name ":=" expression | "read" "(" names ")" | "write" "(" expressions ")" | "skip"
                | "assert" expression | "assume" expression
                | "if" expression "then" { statement } { "elsif" expression "then" { statement } } [ "else" { statement } ] "end"

Every statement ends with `;`, which may be left out before `end`, `else` and `elsif`. In expressions, loosest first:
`<=>`, `=>` (to the right), `or xor`, `and`, `not`, `= != <> < <= > >=`, `+ -`, `* / mod`, `-`; and `if c then a else b`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, NoReturn

from coarsest.errors import ModelProblem, NameProblem, SyntaxProblem, Unsupported
from coarsest.formats.program.syntax import (
    Assign,
    IfStatement,
    ProgramClaim,
    ProgramDeclaration,
    ProgramText,
    Read,
    Statement,
    Write,
)
from coarsest.logic.expr import TRUE, Apply, Expr, Name
from coarsest.logic.operators import Infix, left
from coarsest.logic.parse import DEEPEST, Parser, too_deep
from coarsest.logic.tokens import END, begins_number, tokenise
from coarsest.model.types import Boolean, Enumeration, IntegerType, Range, RealType, Type
from coarsest.text import Source
from coarsest.text.near import nearest

_TOKEN = re.compile(
    r"((?:[ \t\r\n\f]+|--[^\n]*|//[^\n]*)*)"
    r"([A-Za-z_][A-Za-z0-9_]*|[0-9]+(?:\.[0-9]+)?"
    r"|<=>|=>|:=|\.\.|!=|<>|<=|>=|==|&&|\|\||->|/\*|\(\*|\+\+|\+=|-=|\Z|(?s:.))",
    re.ASCII,
)
BEGIN_STATEMENTS = ("read", "write", "if", "skip", "assert", "assume")
CLOSE_BLOCKS = ("end", "else", "elsif")
TYPES = ("boolean", "bool", "integer", "int", "real")
_OTHERS = ("var", "then", "loop", "while", "do", "true", "false", "not", "and", "or", "xor", "mod")
RESERVED = frozenset((*BEGIN_STATEMENTS, *CLOSE_BLOCKS, *TYPES, *_OTHERS))
_EQUIVALENCE, _IMPLICATION, _OR, _AND, _NOT, _RELATION, _SUM, _PRODUCT, _SIGN = range(1, 10)


_INFIX: dict[str, Infix] = {
    "<=>": Infix(_EQUIVALENCE, _EQUIVALENCE + 1, "iff"),
    "=>": Infix(_IMPLICATION, _IMPLICATION, "implies"),
    **left(_OR, "or", "xor"),
    **left(_AND, "and"),
    **left(_RELATION, "=", "!=", "<", "<=", ">", ">=", **{"<>": "!="}),
    **left(_SUM, "+", "-"),
    **left(_PRODUCT, "*", "/", "mod"),
}
_HINTS = {
    "=": "an assignment is written `x := e`, and `=` compares",
    "==": "equality is written `=`",
    "&&": "conjunction is written `and`",
    "&": "conjunction is written `and`",
    "||": "disjunction is written `or`",
    "|": "disjunction is written `or`",
    "!": "negation is written `not`",
    "~": "negation is written `not`",
    "->": "implication is written `=>`",
    "%": "the remainder is written `mod`",
    "/*": "a comment begins with `--` and ends with the line",
    "(*": "a comment begins with `--` and ends with the line",
    "#": "a comment begins with `--` and ends with the line",
    "++": "write `x := x + 1`",
    "+=": "write `x := x + e`",
    "-=": "write `x := x - e`",
    "while": "a program has one loop, `loop … end`, which runs for ever",
    "TRUE": "write `true`",
    "FALSE": "write `false`",
    "True": "write `true`",
    "False": "write `false`",
}


def parse(source: Source) -> ProgramText:
    """The program of a text."""
    return _Reader(source).program()


class _Reader(Parser):
    """A parser of expressions with the operators of programs, and of the statements around them."""

    hints = _HINTS
    reserved = RESERVED

    def __init__(self, source: Source) -> None:
        super().__init__(tokenise(source, _TOKEN))
        self.infix = _INFIX
        self.handlers = _HANDLERS

    def is_name(self, text: str) -> bool:
        return (text[:1].isalpha() or text[:1] == "_") and text.isascii() and text not in RESERVED

    def operand(self, least: int) -> Expr:
        token, first = self.texts[self.at], self.at
        handler = self.handlers.get(token)
        if handler is not None:
            return handler(self, least)
        if begins_number(token):
            return self._number()
        if token in ("TRUE", "FALSE", "True", "False") or not self.is_name(token):
            self.fail("an expression")
        self.at += 1
        return Name(token, self.span_from(first))

    # -- operands ----------------------------------------------------------------------------------------------------------

    def _prefix(self, least: int) -> Expr:
        first = self.at
        if self.texts[first] == "-" and begins_number(self.texts[first + 1]):
            return self._minus(least)
        self.at += 1
        op, level = ("not", _NOT) if self.texts[first] == "not" else ("neg", _SIGN)
        return Apply(op, (self.expression(level),), self.span_from(first))

    def _choice(self, _least: int) -> Expr:
        """`if c then a else b`"""
        first = self.at
        self.at += 1
        condition = self.expression()
        self.expect("then", after="the condition")
        then = self.expression()
        self.expect("else", after="the value", hint="an `if` that is an expression needs both values")
        return Apply("case", (condition, then, TRUE, self.expression()), self.span_from(first))

    # -- the program -------------------------------------------------------------------------------------------------------

    def program(self) -> ProgramText:
        declarations: dict[str, ProgramDeclaration] = {}
        while self.take("var"):
            self._declarations(declarations)
        prelude = self._block(("loop",))
        if self.texts[self.at] == END:
            self.fail("a statement or `loop`", "a program ends with `loop … end`; its states are those at the top of the loop")
        self.expect("loop")
        loop = self.span_from(self.at - 1)
        body = self._block(("end",))
        self.expect("end", hint="the loop is closed by `end`")
        self.take(";")
        if self.texts[self.at] != END:
            self.fail("the end of the text", "nothing comes after the loop: it runs for ever")
        return ProgramText(declarations, prelude, body, loop)

    def _declarations(self, declarations: dict[str, ProgramDeclaration]) -> None:
        while True:
            first = self.at
            names = [self.name("the name of a variable")]
            while self.take(","):
                names.append(self.name("the name of a variable after `,`"))
            self.expect(":", after="the name", hint="variables are declared as in `x, y : boolean;`")
            kind = self._type()
            self.expect(";", after="the type")
            for k, name in enumerate(names):
                span = self.tokens.span(first + 2 * k)
                if name in declarations:
                    line = span.source.line_and_column(declarations[name].span.start)[0]
                    raise NameProblem(f"`{name}` is declared twice", span, hint=f"the first time in line {line}")
                declarations[name] = ProgramDeclaration(name, kind, span)
            if not (self.is_name(self.texts[self.at]) and self.texts[self.at + 1] in (",", ":")):
                return

    def _type(self) -> Type:
        token = self.texts[self.at]
        if token in TYPES:
            self.at += 1
            return Boolean() if token.startswith("bool") else RealType() if token == "real" else IntegerType()
        if self.take("{"):
            return self._enumeration()
        if not (token in ("-", "+") or begins_number(token)):
            self.fail("a type", "types are `boolean`, ranges such as `0..7`, `{idle, busy}`, `integer` and `real`")
        first = self.at
        low = self.integer("a number")
        self.expect("..", after="the lower bound", hint="a range is written `0..7`")
        high = self.integer("the upper bound")
        if high < low:
            hint = f"did you mean {high}..{low}?"
            raise ModelProblem(f"the range {low}..{high} is empty", self.span_from(first), hint=hint)
        return Range(low, high)

    def _enumeration(self) -> Type:
        members: dict[str, None] = {}
        while True:
            symbol = self.name("a symbol")
            if symbol in members:
                raise NameProblem(f"`{symbol}` is listed twice", self.span_from(self.at - 1))
            members[symbol] = None
            if not self.take(","):
                break
        self.expect("}", hint="an enumeration is written `{idle, busy}`")
        return Enumeration(tuple(members))

    # -- statements --------------------------------------------------------------------------------------------------------

    def _block(self, closing: tuple[str, ...]) -> tuple[Statement, ...]:
        self.depth += 1
        if self.depth > DEEPEST // 4:
            raise too_deep(self.tokens.span(self.at))
        statements: list[Statement] = []
        while self.texts[self.at] not in closing and self.texts[self.at] != END:
            statement = self._statement()
            if statement is not None:
                statements.append(statement)
            if not self.take(";") and self.texts[self.at] not in closing:
                token = self.texts[self.at]
                if token == END:
                    self.fail("`;`", "every statement ends with `;`, and every `if` and the loop with an `end` of its own")
                self.fail("`;`", self.hints.get(token, "every statement ends with `;`"))
        self.depth -= 1
        return tuple(statements)

    def _statement(self) -> Statement | None:
        token, first = self.texts[self.at], self.at
        if self.take("skip"):
            return None
        if self.take("read"):
            return Read(tuple(self._targets()))
        if self.take("write"):
            self.expect("(", after="`write`", hint="an output is written `write(e);`")
            values = [self.top()]
            while self.take(","):
                values.append(self.top())
            self.expect(")", hint="an output is written `write(e);`")
            return Write(tuple(values), self.span_from(first))
        if token in ("assert", "assume"):
            self.at += 1
            return ProgramClaim(self.top(), token == "assume", self.span_from(first))
        if self.take("if"):
            return self._if()
        if not self.is_name(token):
            self._no_statement(token)
        self.at += 1
        target = Name(token, self.span_from(first))
        near = nearest(token, BEGIN_STATEMENTS)
        hint = f"did you mean `{near[0]}`?" if near and self.texts[self.at] != "=" else "an assignment is written `x := e;`"
        self.expect(":=", after=f"`{token}`", hint=hint)
        return Assign(target, self.top())

    def _no_statement(self, token: str) -> NoReturn:
        span = self.tokens.span(self.at)
        if token == "loop":
            hint = "a program has one loop; its states are those at the top of the loop"
            raise Unsupported("a loop inside the loop", span, hint=hint)
        if token == "var":
            raise SyntaxProblem("found `var` after the first statement", span, hint="declarations come first")
        if token in CLOSE_BLOCKS:
            self.fail("a statement", f"there is no open `if` that `{token}` could belong to")
        self.fail("a statement")

    def _targets(self) -> list[Name]:
        self.expect("(", after="`read`", hint="an input is written `read(a);`")
        names = []
        while True:
            self.name("the name of a variable")
            names.append(Name(self.texts[self.at - 1], self.span_from(self.at - 1)))
            if not self.take(","):
                break
        self.expect(")", hint="an input is written `read(a);`")
        return names

    def _if(self) -> IfStatement:
        branches: list[tuple[Expr, tuple[Statement, ...]]] = []
        while True:
            condition = self.top()
            self.expect("then", after="the condition")
            branches.append((condition, self._block(CLOSE_BLOCKS)))
            if not self.take("elsif"):
                break
        otherwise = self._block(("end",)) if self.take("else") else ()
        self.expect("end", hint="every `if` is closed by `end`")
        return IfStatement(tuple(branches), otherwise)

    def top(self) -> Expr:
        """An expression that is not part of another one; the blocks around it do not count towards its depth."""
        depth = self.depth
        expr = self.whole_expression()
        self.depth = depth
        return expr


_HANDLERS: dict[str, Callable[[Any, int], Expr]] = {
    "(": Parser._bracket,
    "true": _Reader._truth,
    "false": _Reader._truth,
    "not": _Reader._prefix,
    "-": _Reader._prefix,
    "if": _Reader._choice,
}
