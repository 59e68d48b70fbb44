"""Property files of VIS: CTL (`.ctl`), LTL (`.ltl`), invariants (`.inv`), fairness (`.fair`), hints (`.hint`).

A file is a list of formulas, each followed by `;`. `\\define NAME formula` gives a formula a name, and `\\NAME` refers to it.
"""

from __future__ import annotations

import re
from pathlib import PurePath
from typing import Final

from coarsest.errors import NameProblem, SyntaxProblem
from coarsest.formats.vis.atoms import Atoms
from coarsest.logic.cursor import Cursor
from coarsest.logic.expr import FALSE, TRUE, Apply, Expr, subexpressions
from coarsest.logic.parse import DEEPEST, check_depth, too_deep
from coarsest.logic.temporal_operators import CTL_OPERATORS, LTL_OPERATORS
from coarsest.logic.tokens import END, is_number, tokenise
from coarsest.model.checks.typecheck import check_formula
from coarsest.model.kinds import PropertyKind
from coarsest.model.machine import Machine, Property, invariant
from coarsest.text import Source, Span
from coarsest.text.near import nearest

_NAME = r"[A-Za-z_][A-Za-z0-9_$]*"
_TOKEN = re.compile(
    r"((?:[ \t\r\n\f\v]+|\#[^\n]*)*)"
    rf"(\\{_NAME}|{_NAME}(?:\.{_NAME}|<\*?[0-9]+\*?>)*|[0-9][0-9a-zA-Z_]*|<->|->|==|!=|\Z|(?s:.))",
    re.ASCII,
)
_UNARY = ("AG", "AF", "AX", "EG", "EF", "EX", "G", "F", "X")
_INFIX = {"->": (1, 1, "implies"), "<->": (2, 3, "iff"), "+": (4, 5, "or"), "^": (5, 6, "xor"), "*": (6, 7, "and")}
_UNTIL, _LEVEL = ("U", "R", "V", "W"), 3
_KINDS = {".ctl": PropertyKind.CTL, ".ltl": PropertyKind.LTL, ".inv": PropertyKind.INVARIANT}
FURTHEST: Final = 1000
"""The largest n of `AX:n p`, which looks n steps ahead."""


def read_properties(source: Source, machine: Machine) -> tuple[Property, ...]:
    """The formulas of a file, as properties of a machine; the ending of the file gives their kind, or else their operators."""
    kind = _KINDS.get(PurePath(source.name).suffix.lower())
    properties: list[Property] = []
    for formula, text in _Parser(source, machine).formulas():
        own = kind or _kind_of(formula)
        claim = Property(own, formula, text=text, span=formula.span)
        properties.append(claim)
        if own.is_invariant and not _kind_of(formula).is_invariant:
            raise SyntaxProblem("an invariant has no temporal operators", formula.span, hint="write it into a .ctl or .ltl file")
        if not own.is_invariant and _kind_of(formula) not in (own, PropertyKind.INVARIANT):
            raise SyntaxProblem(f"this is not a formula of {own.value.upper()}", formula.span)
        check_formula(claim, machine)
    return tuple(properties)


def read_conditions(source: Source, machine: Machine) -> tuple[Expr, ...]:
    """The conditions of a file of fairness or hints."""
    conditions: list[Expr] = []
    for formula, _ in _Parser(source, machine).formulas():
        if not _kind_of(formula).is_invariant:
            raise SyntaxProblem("a condition has no temporal operators", formula.span)
        check_formula(invariant(formula), machine)
        conditions.append(formula)
    return tuple(conditions)


def _kind_of(formula: Expr) -> PropertyKind:
    operators = {part.op for part in subexpressions(formula) if isinstance(part, Apply)}
    if operators & CTL_OPERATORS:
        return PropertyKind.CTL_STAR if operators & LTL_OPERATORS else PropertyKind.CTL
    return PropertyKind.LTL if operators & LTL_OPERATORS else PropertyKind.INVARIANT


_HINTS = {"&": "conjunction is written `*`", "|": "disjunction is written `+`", "~": "negation is written `!`"}


class _Parser(Cursor):
    hints = _HINTS
    reserved = frozenset((*_UNARY, *_UNTIL, "A", "E", "TRUE", "FALSE"))

    def __init__(self, source: Source, machine: Machine) -> None:
        super().__init__(tokenise(source, _TOKEN))
        self.atoms = Atoms(machine)
        self.macros: dict[str, Expr] = {}
        self.depth = 0
        self.quantified = 0
        """The number of open brackets of A(p U q). Inside them, U belongs to the quantifier and has the lowest precedence."""

    def is_name(self, text: str) -> bool:
        return (text[:1].isalpha() or text[:1] == "_") and text.isascii()

    def formulas(self) -> list[tuple[Expr, str]]:
        """All formulas, each with its text."""
        formulas: list[tuple[Expr, str]] = []
        while self.texts[self.at] != END:
            if self.take(";"):
                continue
            first = self.at
            if self.take("\\define"):
                name = self.name("the name of the macro")
                self.macros[name] = self._formula()
                continue
            formula = self._formula()
            text = self.text_from(first)
            if self.texts[self.at] != END:
                self.expect(";", after="the formula")
            formulas.append((formula, text))
        return formulas

    def _formula(self) -> Expr:
        first = self.at
        self.depth = self.quantified = 0
        try:
            formula = self.expression(0)
        except RecursionError:
            raise too_deep(self.tokens.span(first)) from None
        check_depth(formula, tokens=self.at - first)
        return formula

    def expression(self, least: int) -> Expr:
        self.depth += 1
        if self.depth > DEEPEST // 4:
            raise too_deep(self.tokens.span(self.at))
        first = self.at
        left = self._operand()
        while True:
            word = self.texts[self.at]
            if word in _INFIX and _INFIX[word][0] >= least:
                self.at += 1
                _, right, op = _INFIX[word]
                left = Apply(op, (left, self.expression(right)), self.span_from(first))
            elif word in _UNTIL and least <= _LEVEL and not self.quantified:
                self.at += 1
                left = _until(word, left, self.expression(_LEVEL), self.span_from(first))
            else:
                break
        self.depth -= 1
        return left

    def _operand(self) -> Expr:
        self.depth += 1
        if self.depth > DEEPEST // 4:
            raise too_deep(self.tokens.span(self.at))
        result = self._simple()
        self.depth -= 1
        return result

    def _simple(self) -> Expr:
        first, word = self.at, self.texts[self.at]
        if self.take("("):
            inner = self.expression(0)
            self.expect(")")
            return inner
        if self.take("!"):
            return Apply("not", (self._operand(),), self.span_from(first))
        if word in self.reserved and (self.texts[first + 1] in ("=", "==", "!=")
                                      or (self.texts[first + 1] == "[" and is_number(self.texts[first + 2]))):  # fmt: skip
            return self.atoms.read(self)  # a signal with the name of an operator, as in `A[3:0]=5` and `X=1`
        if word in _UNARY:
            return self._temporal(first, word)
        if word in ("A", "E"):
            return self._quantified(first, word)
        if word in ("TRUE", "FALSE"):
            self.at += 1
            return TRUE if word == "TRUE" else FALSE
        if word[:1] == "\\" and len(word) > 1:
            self.at += 1
            if word[1:] not in self.macros:
                close = nearest(word[1:], self.macros)
                hint = f"did you mean `\\{close[0]}`?" if close else f"define it: \\define {word[1:]} formula"
                raise NameProblem(f"the macro `{word}` is not defined", self.span_from(first), hint=hint)
            return self.macros[word[1:]]
        if not self.is_name(word) or word in self.reserved:
            self.fail("a formula")
        return self.atoms.read(self)

    def _temporal(self, first: int, word: str) -> Expr:
        self.at += 1
        times = 1
        if word in ("AX", "EX", "X") and self.take(":"):
            times = self.integer("the number of steps")
            if not 0 <= times <= FURTHEST:
                raise SyntaxProblem(f"{times} steps ahead", self.span_from(first), hint=f"at most {FURTHEST} are handled")
        formula = self._operand()
        for _ in range(times):
            formula = Apply(word, (formula,), self.span_from(first))
        return formula

    def _quantified(self, first: int, quantifier: str) -> Expr:
        self.at += 1
        close = {"(": ")", "[": "]"}.get(self.texts[self.at], "")
        if not close:
            self.fail("`(` after the quantifier", f"write {quantifier}(p U q)")
        self.at += 1
        self.quantified += 1
        left = self.expression(0)
        word = self.texts[self.at]
        if word not in ("U", "R"):
            self.fail("`U` or `R`", f"write {quantifier}(p U q)")
        self.at += 1
        right = self.expression(0)
        self.expect(close)
        self.quantified -= 1
        if word == "U":
            return Apply(f"{quantifier}U", (left, right), self.span_from(first))
        dual = "E" if quantifier == "A" else "A"
        negated = Apply(f"{dual}U", (Apply("not", (left,)), Apply("not", (right,))))
        return Apply("not", (negated,), self.span_from(first))


def _until(word: str, left: Expr, right: Expr, span: Span) -> Expr:
    if word == "W":
        return Apply("or", (Apply("U", (left, right), span), Apply("G", (left,), span)), span)
    return Apply("U" if word == "U" else "V", (left, right), span)
