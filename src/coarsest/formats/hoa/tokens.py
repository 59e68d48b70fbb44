"""The tokens of Hanoi omega-automata text."""

from __future__ import annotations

import re
from typing import NamedTuple

from coarsest.errors import SyntaxProblem
from coarsest.text import Source, Span

_TOKEN = re.compile(
    r"\s*(?:(?P<gap>/\*(?s:.*?)\*/|\Z)"
    r'|(?P<string>"(?:[^"\\]|\\(?s:.))*")'
    r"|(?P<header>[A-Za-z_][A-Za-z0-9_-]*:)"
    r"|(?P<mark>--(?:BODY|END|ABORT)--)"
    r"|(?P<word>[A-Za-z_][A-Za-z0-9_-]*)"
    r"|(?P<number>0|[1-9][0-9]*)"
    r"|(?P<alias>@[A-Za-z0-9_-]+)"
    r"|(?P<sign>[][{}()&|!]))"
)


class Token(NamedTuple):
    """A token, its kind, and its position."""

    kind: str
    text: str
    source: Source
    end: int

    @property
    def span(self) -> Span:
        return Span(self.source, self.end - len(self.text), self.end)

    @property
    def shown(self) -> str:
        return f"`{self.text}`" if self.kind != "end" else "the end of the text"


def tokenise(source: Source) -> list[Token]:
    """The tokens of a text; the last one is of the kind `end`."""
    tokens: list[Token] = []
    at, text = 0, source.text
    while at < len(text):
        match = _TOKEN.match(text, at)
        if match is None:
            at += len(text[at:]) - len(text[at:].lstrip())
            hint = ""
            if text.startswith("/*", at):
                hint = "the comment that begins here is never closed by `*/`"
            elif text[at] == '"':
                hint = "the string that begins here is never closed"
            raise SyntaxProblem(f"found `{text[at]}`, which is not in this format", Span(source, at, at + 1), hint=hint)
        kind = match.lastgroup or ""
        if kind != "gap":
            tokens.append(Token(kind, match.group(kind), source, match.end()))
        at = match.end()
    tokens.append(Token("end", "", source, len(text)))
    return tokens
