"""Names and paths through members and arrays, resolved to their meanings."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Collection

from coarsest.errors import NameProblem, TypeProblem
from coarsest.logic.expr import Apply, Constant, Expr, Name
from coarsest.logic.parse import LONGEST_PATH, path_too_long
from coarsest.model.machine import Variable
from coarsest.model.query.meanings import Array, Meaning, Owner, Scalar, pick, select
from coarsest.text import Diagnostic, Span
from coarsest.text.near import nearest

_PIECE = re.compile(r"\.?([^.\[\]]+)|(\[-?[0-9]+\])")


class Resolver(ABC):
    """Resolves names. The machine may be complete, or its variables and definitions are collected as they are met."""

    def __init__(self, symbols: Collection[str]) -> None:
        self.symbols = symbols
        self.variables: dict[str, Variable] = {}
        self.definitions: dict[str, Expr] = {}
        self.warnings: list[Diagnostic] = []

    def warn(self, message: str, span: Span | None, hint: str = "") -> None:
        """Add a warning about legal but suspicious text, once for all instances of a module."""
        warning = Diagnostic(message, span, hint=hint, level="warning")
        if warning not in self.warnings:
            self.warnings.append(warning)

    @abstractmethod
    def declared(self, name: str, owner: Owner) -> Meaning | None:
        """The meaning of a name that is declared in the owner exactly as it is written."""

    @abstractmethod
    def names_in(self, owner: Owner) -> Collection[str]:
        """The names that are declared in the owner."""

    @abstractmethod
    def lower(self, expr: Expr, owner: Owner) -> Expr:
        """The expression with full names and without syntactic sugar."""

    @abstractmethod
    def as_number(self, index: Expr) -> Expr:
        """A lowered index as a number: words and booleans can index too."""

    @abstractmethod
    def known_number(self, expr: Expr) -> int | None:
        """The value of a lowered expression if it is a constant number."""

    def resolve(self, name: Name, owner: Owner) -> Meaning:
        """The meaning of a name or path, which is looked up once for each owner."""
        path = name.name
        meaning = owner.resolved.get(path)
        if meaning is None:
            meaning = owner.resolved[path] = self.find(path, name.span, owner)
        return meaning

    def find(self, path: str, span: Span | None, owner: Owner) -> Meaning:
        """The meaning of a path; raises if it has none."""
        declared = self.declared(path, owner)
        if declared is not None:
            return declared
        if path == "self":
            return owner
        if path in self.symbols:
            return Scalar(Constant(path, span))
        pieces = [member or index for member, index in _PIECE.findall(path)]
        if len(pieces) > LONGEST_PATH:
            raise path_too_long(span)
        meaning: Meaning = owner
        if pieces[0] == "self":
            pieces = pieces[1:]
        done = 0
        while done < len(pieces):
            if isinstance(meaning, Owner):
                meaning, done = self._step(meaning, pieces, done, path, span)
            else:
                meaning = self._element(meaning, pieces[done], path, span)
                done += 1
        return meaning

    def _step(self, owner: Owner, pieces: list[str], done: int, path: str, span: Span | None) -> tuple[Meaning, int]:
        """The meaning of the longest sequence of pieces that is declared here, because flattened files declare whole paths."""
        for end in range(len(pieces), done, -1):
            name = pieces[done] + "".join(p if p[0] == "[" else f".{p}" for p in pieces[done + 1 : end])
            meaning = self.declared(name, owner)
            if meaning is not None:
                return meaning, end
        raise self._unknown(pieces[done], path, span, owner)

    def _element(self, meaning: Scalar | Array, piece: str, path: str, span: Span | None) -> Meaning:
        if piece[0] != "[":
            kind = "an array" if isinstance(meaning, Array) else "a value"
            raise NameProblem(f"`{piece}` in `{path}` is asked of {kind}, which has no members", span)
        if isinstance(meaning, Scalar):
            hint = "bits of a word are written w[high:low]"
            raise TypeProblem(f"`{path}` indexes something that is not an array", span, hint=hint)
        return pick(meaning, int(piece[1:-1]), span)

    def _unknown(self, piece: str, path: str, span: Span | None, owner: Owner) -> NameProblem:
        where = f" in {owner.title}"
        if piece == "running":
            hint = "`running` exists only in the instances declared with `process`, and in main when there are such"
            return NameProblem("`running` is not defined here", span, hint=hint)
        if piece.upper() in ("TRUE", "FALSE"):
            return NameProblem(f"`{piece}` is not declared{where}", span, hint=f"the boolean constant is written {piece.upper()}")
        if piece in ("else", "default", "otherwise"):
            hint = "the last case, for all that is left, is written `TRUE : value;`"
            return NameProblem(f"`{piece}` is not declared{where}", span, hint=hint)
        declared = self.names_in(owner)
        close = nearest(piece, [*declared, *self.symbols])
        hint = f"did you mean `{close[0]}`?" if close else "declare it in VAR or DEFINE, or as a value of an enumeration"
        if "-" in piece and not close:
            parts = piece.split("-")
            if all(part in declared or part.isdigit() for part in parts):
                hint = f"`-` is part of names: write `{' - '.join(parts)}` with blanks for a difference"
        shown = f"`{piece}`" if piece == path else f"`{piece}` in `{path}`"
        return NameProblem(f"{shown} is not declared{where}", span, hint=hint)

    def meaning_of(self, expr: Expr, owner: Owner) -> Meaning:
        """The meaning of an expression. Only paths may mean more than a value."""
        if isinstance(expr, Name):
            return self.resolve(expr, owner)
        if isinstance(expr, Apply) and expr.op == "index":
            return self._indexed(self.meaning_of(expr.args[0], owner), self.lower(expr.args[1], owner), expr.span)
        if isinstance(expr, Apply) and expr.op == ".":
            base = self.meaning_of(expr.args[0], owner)
            member = expr.args[1]
            assert isinstance(member, Name)
            if not isinstance(base, Owner):
                raise NameProblem(f"`{member.name}` is asked of something that has no members", expr.span)
            return self.resolve(member, base)
        return Scalar(self.lower(expr, owner))

    def _indexed(self, meaning: Meaning, index: Expr, span: Span | None) -> Meaning:
        if not isinstance(meaning, Array):
            raise TypeProblem("only arrays can be indexed", span, hint="bits of a word are written w[high:low]")
        value = self.known_number(index)
        if value is not None:
            return pick(meaning, value, span)
        return select(meaning, self.as_number(index), span)


def ambiguous(name: str, span: Span | None, declared: Span | None) -> NameProblem:
    """The problem that a name is declared, and also a symbol."""
    where = "" if declared is None else f" in line {declared.line_number}"
    hint = f"it is declared{where} and also a value of an enumeration: rename one of them"
    return NameProblem(f"`{name}` is ambiguous", span, hint=hint)
