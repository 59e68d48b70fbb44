"""A position in the tokens of a text, with the operations and error messages of parsers by recursive descent."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from itertools import pairwise, zip_longest
from typing import NoReturn

from coarsest.errors import SyntaxProblem
from coarsest.logic.tokens import END, KEYWORDS, Tokens, is_name, is_number
from coarsest.logic.words import integer_constant
from coarsest.text import Span

_HINTS = {
    "==": "equality is written `=`",
    "&&": "conjunction is written `&`",
    "||": "disjunction is written `|`",
    "=>": "implication is written `->`",
    "~": "negation is written `!`",
    "%": "the remainder is written `mod`",
    "^": "exclusive or is written `xor`",
    ":=": "equations stand in ASSIGN or DEFINE; equality is written `=`",
    "/--": "the comment that begins here is never closed by `--/`",
    "→": "implication is written `->`",
    "∧": "conjunction is written `&`",
    "∨": "disjunction is written `|`",
    "¬": "negation is written `!`",
    "≤": "at most is written `<=`",
    "≥": "at least is written `>=`",
    "≠": "inequality is written `!=`",
    "/\\": "conjunction is written `&`",
    "\\/": "disjunction is written `|`",
    "++": "one more is written `x + 1`",
    "[]": "always is written `G` in LTL and `AG` in CTL",
    "<>": "inequality is written `!=`, and eventually `F` in LTL, `AF` or `EF` in CTL",
    "W": "`p W q` is `(p U q) | G p`",
    "R": "release is written `V`",
    "M": "`p M q` is `q U (p & q)`",
    "and": "conjunction is written `&`",
    "or": "disjunction is written `|`",
    "not": "negation is written `!`",
    "if": "a choice is written `condition ? a : b`, or `case … esac`",
    "implies": "implication is written `->`",
    "iff": "equivalence is written `<->`",
    "//": "a comment begins with `--`",
    "/*": "a comment begins with `--`, and ends with its line; longer ones stand between `/--` and `--/`",
    "'": "the value after a step is written `next(x)`",
    "#": "preprocessor lines are not part of SMV: run the C preprocessor first",
}
_PAIRS = frozenset({"[]", "<>", "//", "/*", "/\\", "\\/", "++"})
"""The signs with hints that are two tokens."""
_TEMPORAL = frozenset({"AG", "AF", "AX", "EG", "EF", "EX", "G", "F", "X"})
_BRACKETS = {")": "(", "]": "[", "}": "{"}


class Cursor:
    """`at` is the first token not yet consumed. Another language has its own `hints` for wrong tokens and `reserved` words."""

    hints: Mapping[str, str] = _HINTS
    reserved: Collection[str] = KEYWORDS

    def __init__(self, tokens: Tokens) -> None:
        self.tokens = tokens
        self.texts = tokens.texts
        self.starts = tokens.starts
        self.source = tokens.source
        self.at = 0

    def span_from(self, first: int) -> Span:
        """The span from a token to the last consumed one."""
        last = self.at - 1
        return Span(self.source, self.starts[first], self.starts[last] + len(self.texts[last]))

    def text_from(self, first: int) -> str:
        """The text from a token to the last consumed one, in one line and without comments."""
        ends = (start + len(text) for start, text in zip(self.starts[first:], self.texts[first : self.at]))
        gaps = (" " if start > end else "" for end, start in zip(ends, self.starts[first + 1 : self.at]))
        return "".join(text + gap for text, gap in zip_longest(self.texts[first : self.at], gaps, fillvalue=""))

    def take(self, token: str) -> bool:
        """Consume the token if it comes next."""
        if self.texts[self.at] == token:
            self.at += 1
            return True
        return False

    def expect(self, token: str, *, after: str = "", hint: str = "") -> None:
        """Consume the token, which must come next."""
        if self.texts[self.at] == token:
            self.at += 1
        else:
            self.fail(f"`{token}`" + (f" after {after}" if after else ""), hint)

    def fail(self, expected: str, hint: str = "") -> NoReturn:
        """Raise SyntaxProblem, because the next token is not `expected`."""
        token = self.texts[self.at]
        hints = self.hints
        if token in ("#", "/--") and token in hints:
            hint = hints[token]
        hint = hint or hints.get(token) or self._hint_around(expected)
        if not token.isascii() and token not in hints:
            hint = "names have letters from a to z, and quotation marks are left out"
        elif token in _BRACKETS and not hint and not self._is_open(token):
            hint = f"no `{_BRACKETS[token]}` is open here: leave the `{token}` out"
        shown = f"`{token}`" if token != END else "the end of the text"
        raise SyntaxProblem(f"found {shown}, expected {expected}", self._place_of_problem(), hint=hint)

    def expect_end(self) -> None:
        """Fail unless the whole text has been consumed."""
        if self.texts[self.at] != END:
            self.fail("an operator or the end of the formula")

    def _hint_around(self, expected: str) -> str:
        """A hint about a word that was read as a name, about signs that are two tokens here, or about a missing end."""
        before = self.texts[self.at - 1] if self.at > 0 else ""
        if before in ("not", "if"):
            return self.hints.get(before, "")
        if before.islower() and before.upper() in _TEMPORAL and "not" in self.hints:
            return f"temporal operators are written in capitals: `{before.upper()}`"
        joined = (first + second for first, second in pairwise(self.texts[max(0, self.at - 2) : self.at + 2]))
        signs = next((self.hints[pair] for pair in joined if pair in _PAIRS and pair in self.hints), "")
        return signs or self._hint_for_end(expected)

    def _hint_for_end(self, expected: str) -> str:
        """A hint about a bracket that is still open, or about a missing end of a line."""
        sign = expected[1:2]
        opening = _BRACKETS.get(sign, "")
        if expected.startswith("`;`") and self._place_of_problem() != self.tokens.span(self.at):
            return "a `;` is missing at the end of this line"
        if not opening:
            return ""
        still_open: list[int] = []
        for position, text in enumerate(self.texts[: self.at]):
            if text == opening:
                still_open.append(position)
            elif text == sign and still_open:
                still_open.pop()
        if not still_open:
            return ""
        line, column = self.source.line_and_column(self.starts[still_open[-1]])
        return f"the `{opening}` in line {line}, column {column}, is not closed"

    def _is_open(self, sign: str) -> bool:
        """Is there a bracket that this sign closes?"""
        before = self.texts[: self.at]
        return before.count(_BRACKETS[sign]) > before.count(sign)

    def _place_of_problem(self) -> Span:
        """The span of the next token, or the end of the line before it, if something is missing there."""
        if self.at > 0 and self.texts[self.at] not in self.hints:
            end = self.starts[self.at - 1] + len(self.texts[self.at - 1])
            if "\n" in self.source.text[end : self.starts[self.at]]:
                return Span(self.source, end, end)
        return self.tokens.span(self.at)

    def is_name(self, text: str) -> bool:
        """Can this token be a name?"""
        return is_name(text)

    def name(self, expected: str) -> str:
        """Consume a name."""
        text = self.texts[self.at]
        if not self.is_name(text):
            hint = f"`{text}` is a reserved word" if text in self.reserved else ""
            self.fail(expected, hint)
        self.at += 1
        return text

    def integer(self, expected: str) -> int:
        """Consume a number with or without a sign."""
        sign = -1 if self.take("-") else 1
        if sign == 1:
            self.take("+")
        token = self.texts[self.at]
        if not is_number(token):
            self.fail(expected)
        self.at += 1
        return sign * integer_constant(token, self.span_from(self.at - 1))
