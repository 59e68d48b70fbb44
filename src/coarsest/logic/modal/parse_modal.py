"""Formulas of Hennessy–Milner logic read from text."""

from __future__ import annotations

import re

from coarsest.errors import SyntaxProblem
from coarsest.logic.modal.hennessy_milner import Builder, Formula
from coarsest.text import Source, Span

TOKEN = re.compile(r'\s*(?:(<<?|\[\[?)|(X\d+\b)|(\w+)|("(?:[^"\\]|\\.)*")|([!&()=;]))')
WHERE = re.compile(r'"(?:[^"\\]|\\.)*"|\b(where)\b(?=\s+X\d+\s*=)', re.DOTALL)
"""The word before definitions, or a text in quotes, where it has no meaning."""
ESCAPE = re.compile(r"\\(?:x([0-9a-f]{2})|u([0-9a-f]{4})|U(00(?:0[0-9a-f]|10)[0-9a-f]{4})|(.))", re.DOTALL)


def parse(source: Source) -> Formula:
    """The formula that a text describes.

    >>> print(parse(Source("", '<a>(!<b>true & (label "p" U <i>X1)) where X1 = <c>true')))
    <a>([b]false & (label "p" U <i><c>true))
    """
    return _Parser(source).whole()


class _Parser:
    """By recursive descent; definitions come last, and each uses only earlier ones."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.make = Builder()
        self.names: dict[str, int] = {}
        self.place = 0
        self.end = len(source.text)
        self.nesting = 0

    def whole(self) -> Formula:
        where = next((match for match in WHERE.finditer(self.source.text) if match.group(1)), None)
        body_end = len(self.source.text) if where is None else where.start()
        if where is not None:
            self.place = where.end()
            self._definitions()
        self.place, self.end = 0, body_end
        root = self.conjunction()
        if self._peek():
            raise self._problem("a formula that ends here")
        return self.make.formula(root)

    def _definitions(self) -> None:
        while True:
            name = self._peek()
            if not re.fullmatch(r"X\d+", name) or name in self.names:
                raise self._problem("a new name, X and a number")
            self._take()
            self._expect("=")
            self.names[name] = self.conjunction()
            if not self._peek():
                return
            self._expect(";")

    def conjunction(self) -> int:
        parts = [self.unary()]
        while self._peek() == "&":
            self._take()
            parts.append(self.unary())
        return self.make.conjunction(parts)

    def unary(self) -> int:
        self.nesting += 1
        if self.nesting > 400:
            raise self._problem("fewer nested parts (give some of them names after 'where')")
        try:
            return self._unary()
        finally:
            self.nesting -= 1

    def _unary(self) -> int:
        word = self._peek()
        if word == "<":
            return self.make.diamond(self._action(">"), self.unary())
        if word == "[":
            action = self._action("]")
            return self.make.negation(self.make.diamond(action, self.make.negation(self.unary())))
        if word == "!":
            self._take()
            return self.make.negation(self.unary())
        if word == "<<":
            return self.make.until(self.make.true, self._action(">>"), self.unary())
        if word == "[[":
            action = self._action("]]")
            return self.make.negation(self.make.until(self.make.true, action, self.make.negation(self.unary())))
        if word == "(":
            self._take()
            inner = self._until_or_group()
            self._expect(")")
            return inner
        if word == "diverges":
            self._take()
            self._expect("(")
            inner = self.conjunction()
            self._expect(")")
            return self.make.diverges(inner)
        if word == "deadlock":
            self._take()
            return self.make.deadlock()
        if word in self.names:
            self._take()
            return self.names[word]
        if word in ("true", "false"):
            self._take()
            return self.make.true if word == "true" else self.make.negation(self.make.true)
        if word == "label":
            self._take()
            return self.make.label(unquoted(self._take()))
        raise self._problem("a formula")

    def _until_or_group(self) -> int:
        along = self.conjunction()
        if self._peek() != "U":
            return along
        self._take()
        if self._peek() != "<":
            raise self._problem("an action in angle brackets")
        action = self._action(">")
        return self.make.until(along, action, self.unary())

    def _action(self, closing: str) -> str:
        """After the opening bracket: a word, perhaps in quotes, and the closing bracket."""
        self._take()
        pattern = rf'\s*(?:"((?:[^"\\]|\\.)*)"|([^\s<>()\[\]{{}}"\\]+))\s*{re.escape(closing)}'
        match = re.compile(pattern).match(self.source.text, self.place, self.end)
        if match is None:
            raise self._problem(f"an action and '{closing}'")
        self.place = match.end()
        return match.group(2) if match.group(1) is None else unquoted(f'"{match.group(1)}"')

    def _peek(self) -> str:
        match = TOKEN.match(self.source.text, self.place, self.end)
        return "" if match is None else match.group().strip()

    def _take(self) -> str:
        match = TOKEN.match(self.source.text, self.place, self.end)
        if match is None:
            raise self._problem("more")
        self.place = match.end()
        return match.group().strip()

    def _expect(self, word: str) -> None:
        if self._peek() != word:
            raise self._problem(f"'{word}'")
        self._take()

    def _problem(self, expected: str) -> SyntaxProblem:
        rest = self.source.text[self.place : self.end]
        start = self.place + len(rest) - len(rest.lstrip())
        shown = "the end" if not rest.strip() else f"'{rest.strip()[:20]}'"
        span = Span(self.source, min(start, self.end), min(start + 1, max(self.end, start)))
        return SyntaxProblem(f"expected {expected}, found {shown}", span, hint='for example: <a>(!<b>true & <"c d">true)')


def unquoted(text: str) -> str:
    """A name, with or without quotes around it."""
    return ESCAPE.sub(_meant, text[1:-1] if text.startswith('"') else text)


def _meant(match: re.Match[str]) -> str:
    *numbers, other = match.groups()
    return other if other is not None else chr(int(next(number for number in numbers if number is not None), 16))
