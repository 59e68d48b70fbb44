"""Verilog text to words: comments are removed, files are included, macros are expanded.

A word that comes from a macro has the position of the use of the macro.
"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from typing import Final, NamedTuple

from msgspec import Struct, field

from coarsest.errors import FileProblem, InputError, SyntaxProblem, Unsupported
from coarsest.files import REPLACED, Contents, read_contents
from coarsest.logic.tokens import END, Tokens, tokenise
from coarsest.text import Source, Span
from coarsest.text.near import nearest

_NAME = r"[A-Za-z_][A-Za-z0-9_$]*"
_DIGITS = r"'[ \t]*[sS]?[bBoOdDhH][ \t]*[0-9a-fA-FxXzZ?_]+"
_TOKEN = re.compile(
    r"((?:[ \t\r\n\f\v]+|//[^\n]*|/\*(?s:.*?)\*/)*)"
    rf"(`{_NAME}|{_NAME}|\\[^ \t\r\n]+|\${_NAME}|[0-9][0-9_]*[ \t]*{_DIGITS}|{_DIGITS}|[0-9][0-9_]*"
    r'|"(?:[^"\\\n]|\\[^\n])*"'
    r"|/\*|<<<|>>>|===|!==|==|!=|<=|>=|&&|\|\||<<|>>|~&|~\||~\^|\^~|\*\*"
    r"|\Z|(?s:.))",
    re.ASCII,
)

DEEPEST_INCLUSION: Final = 30
MOST_WORDS: Final = 2_000_000
"""The limit for the number of words after all macros are expanded."""

_IGNORED = frozenset(
    ("timescale", "default_nettype", "celldefine", "endcelldefine", "resetall", "line", "nounconnected_drive", "pragma")
)
_DIRECTIVES = ("define", "undef", "include", "ifdef", "ifndef", "else", "endif")


class Macro(NamedTuple):
    parameters: tuple[str, ...] | None
    body: tuple[str, ...]


class Words(Struct):
    """The words of a text with their positions; the last is END."""

    source: Source
    texts: list[str] = field(default_factory=list)
    spans: list[Span] = field(default_factory=list)


def decoded(contents: Contents) -> Source:
    """The text of a file; comments may be in any encoding."""
    data = contents.data if isinstance(contents.data, bytes) else contents.data[:]
    return Source(contents.name, data.decode("utf-8-sig", errors="replace"))


def preprocess(source: Source) -> Words:
    """The words of a text.

    >>> preprocess(Source("m.v", "`define HIGH 3\\nreg [`HIGH:0] x; // why")).texts
    ['reg', '[', '3', ':', '0', ']', 'x', ';', '']
    """
    preprocessor = _Preprocessor(Words(source))
    preprocessor.file(source, 0)
    preprocessor.words.texts.append(END)
    preprocessor.words.spans.append(Span(source, len(source.text), len(source.text)))
    return preprocessor.words


class _Preprocessor:
    def __init__(self, words: Words) -> None:
        self.words = words
        self._macros: dict[str, Macro] = {}
        self._conditions: list[bool] = []

    def file(self, source: Source, depth: int) -> None:
        tokens = tokenise(source, _TOKEN)
        outside, self._conditions = self._conditions, []
        at = 0
        while tokens.texts[at] != END:
            word = tokens.texts[at]
            if word[0] == "`" and len(word) > 1:
                at = self._directive(tokens, at, depth)
            else:
                if all(self._conditions):
                    self._put(word, tokens.span(at))
                at += 1
        if self._conditions:
            raise SyntaxProblem("found the end of the text, expected `endif", tokens.span(at))
        self._conditions = outside

    def _put(self, word: str, span: Span) -> None:
        if REPLACED in word or word == "\0":
            raise SyntaxProblem(f"found `{word}`, which no Verilog text contains", span, hint="this may be a binary file")
        if word == "/*":
            raise SyntaxProblem("the comment that begins here is never closed", span, hint="close it by `*/`")
        if len(self.words.texts) >= MOST_WORDS:
            raise Unsupported(f"a text of more than {MOST_WORDS} words after macros are expanded", span)
        self.words.texts.append(word)
        self.words.spans.append(span)

    def _directive(self, tokens: Tokens, at: int, depth: int) -> int:
        """Obey a word with a backquote; the result is the position of the next word."""
        name, span = tokens.texts[at][1:], tokens.span(at)
        end = _end_of_line(tokens, at)
        if name in ("ifdef", "ifndef"):
            self._conditions.append((tokens.texts[at + 1] in self._macros) == (name == "ifdef"))
            return at + 2 if tokens.texts[at + 1] != END else at + 1
        if name in ("else", "endif"):
            if not self._conditions:
                raise SyntaxProblem(f"found `{name} without `ifdef before it", span)
            last = self._conditions.pop()
            if name == "else":
                self._conditions.append(not last)
            return at + 1
        if not all(self._conditions) and name not in self._macros:
            return end
        if name == "define":
            self._define(tokens, at, end)
        elif name == "undef":
            self._macros.pop(tokens.texts[at + 1], None)
        elif name == "include":
            self._include(tokens, at + 1, depth)
        elif name not in _IGNORED:
            return self._use(tokens, at)
        return end

    def _define(self, tokens: Tokens, at: int, end: int) -> None:
        if at + 1 >= end or not re.fullmatch(_NAME, tokens.texts[at + 1]):
            raise SyntaxProblem("expected the name of a macro after `define", tokens.span(at))
        name, first = tokens.texts[at + 1], at + 2
        parameters = None
        if first < end and tokens.texts[first] == "(" and tokens.starts[first] == tokens.starts[at + 1] + len(name):
            close = next((i for i in range(first, end) if tokens.texts[i] == ")"), None)
            if close is None:
                raise SyntaxProblem("expected `)` after the parameters of the macro", tokens.span(first))
            parameters = tuple(word for word in tokens.texts[first + 1 : close] if word != ",")
            first = close + 1
        self._macros[name] = Macro(parameters, tuple(word for word in tokens.texts[first:end] if word != "\\"))

    def _include(self, tokens: Tokens, at: int, depth: int) -> None:
        end = max(at, _end_of_line(tokens, at - 1) - 1)
        span = tokens.span(at, end)
        word = span.text.strip('"')
        if not word or tokens.texts[at] == END:
            raise SyntaxProblem("expected the name of a file", span, hint='for example `include "cells.v"')
        if depth >= DEEPEST_INCLUSION:
            message = f"files are included more than {DEEPEST_INCLUSION} levels deep"
            raise SyntaxProblem(message, span, hint="does a file include itself?")
        path = os.path.join(os.path.dirname(tokens.source.name), word)
        if not os.path.isfile(path):
            hint = "a file is looked for beside the file that includes it"
            raise FileProblem(f"cannot read '{path}': no such file", span, hint=hint)
        try:
            source = decoded(read_contents(path))
        except InputError as problem:
            raise FileProblem(problem.diagnostic.message, span, hint=problem.diagnostic.hint) from None
        self.file(source, depth + 1)

    def _use(self, tokens: Tokens, at: int) -> int:
        """Expand a macro; the result is the position of the next word."""
        name, span = tokens.texts[at][1:], tokens.span(at)
        macro = self._macro(name, span)
        arguments: list[list[str]] = []
        at += 1
        if macro.parameters is not None:
            arguments, at = _arguments(tokens.texts, at, span)
        if all(self._conditions):
            self._expand(name, arguments, span, ())
        return at

    def _macro(self, name: str, span: Span) -> Macro:
        if name not in self._macros:
            close = nearest(name, [*self._macros, *_DIRECTIVES])
            hint = f"did you mean ``{close[0]}`?" if close else f"define it: `define {name} …"
            raise SyntaxProblem(f"the macro `{name} is not defined", span, hint=hint)
        return self._macros[name]

    def _expand(self, name: str, arguments: list[list[str]], span: Span, within: tuple[str, ...]) -> None:
        macro = self._macro(name, span)
        if name in within or len(within) > DEEPEST_INCLUSION:
            raise SyntaxProblem(f"the macro `{name} contains itself", span)
        bound = dict(zip(macro.parameters or (), arguments))
        body = [word for part in macro.body for word in bound.get(part, [part])]
        at = 0
        while at < len(body):
            word = body[at]
            at += 1
            if word[0] == "`" and len(word) > 1:
                inner: list[list[str]] = []
                if self._macro(word[1:], span).parameters is not None:
                    inner, at = _arguments(body, at, span)
                self._expand(word[1:], inner, span, (*within, name))
            else:
                self._put(word, span)


def _arguments(words: Sequence[str], at: int, span: Span) -> tuple[list[list[str]], int]:
    """The arguments of a macro, which stand in brackets with commas between them, and the position of the next word."""
    if at >= len(words) or words[at] != "(":
        raise SyntaxProblem("expected `(` and the arguments of the macro", span)
    arguments: list[list[str]] = [[]]
    depth = 0
    for i in range(at, len(words)):
        word = words[i]
        depth += (word in ("(", "[", "{")) - (word in (")", "]", "}"))
        if depth == 0:
            return arguments, i + 1
        if depth == 1 and word == ",":
            arguments.append([])
        elif i > at and word != END:
            arguments[-1].append(word)
    raise SyntaxProblem("expected `)` after the arguments of the macro", span)


def _end_of_line(tokens: Tokens, at: int) -> int:
    """The first token after the line of this one; a line that ends in a backslash is continued by the next one."""
    text, end = tokens.source.text, tokens.starts[at]
    while True:
        end = text.find("\n", end)
        if end < 0:
            return len(tokens.texts) - 1
        if not text[:end].endswith(("\\", "\\\r")):
            break
        end += 1
    after = at + 1
    while tokens.texts[after] != END and tokens.starts[after] < end:
        after += 1
    return after
