"""Expressions of Verilog, by operator precedence; numbers with sizes, bases and digits that may be anything."""

from __future__ import annotations

import re
from typing import Final

from coarsest.errors import SyntaxProblem, Unsupported
from coarsest.formats.vis.parsing.preprocess import Words
from coarsest.logic.cursor import Cursor
from coarsest.logic.expr import Apply, Constant, Expr, Name, Word
from coarsest.logic.parse import DEEPEST, too_deep
from coarsest.logic.tokens import Tokens, is_number
from coarsest.logic.words import WIDEST_WORD, integer_constant, number_of_digits
from coarsest.text import Span

UNSIZED: Final = 32
"""The width of a number without a stated width."""

_LEVELS = (
    ("||",), ("&&",), ("|", "~|"), ("^", "~^", "^~"), ("&", "~&"), ("==", "!=", "===", "!=="), ("<", "<=", ">", ">="),
    ("<<", ">>", "<<<", ">>>"), ("+", "-"), ("*", "/", "%"), ("**",),
)  # fmt: skip
INFIX = {symbol: level for level, symbols in enumerate(_LEVELS, 1) for symbol in symbols}
_PREFIX = frozenset(("!", "~", "-", "+", "&", "|", "^", "~&", "~|", "~^", "^~"))
_BITS_OF_DIGIT = {"b": 1, "o": 3, "h": 4}
_NUMBER = re.compile(r"([0-9_]*)[ \t]*'[ \t]*[sS]?([bBoOdDhH])[ \t]*([0-9a-fA-FxXzZ?][0-9a-fA-FxXzZ?_]*)")

_WORDS = """always and assign begin buf case casex casez deassign default defparam disable else end endcase endfunction endmodule
    endtask for forever fork function if initial inout input integer join module nand negedge nor not or output parameter posedge
    reg repeat supply0 supply1 task tri typedef wait wand while wire wor xnor xor enum"""
KEYWORDS = frozenset(_WORDS.split())


_HINTS = {
    "=": "equality is written `==`",
    "'": "a number with a base is written 4'b0101",
    "->": "implication is not an operator of Verilog: write `!a || b`",
    "/*": "the comment that begins here is never closed",
}


def is_identifier(text: str) -> bool:
    return (text[:1].isalpha() or text[:1] in ("_", "\\")) and text.isascii() and text not in KEYWORDS


class ExpressionParser(Cursor):
    """A position in the words of a design."""

    hints = _HINTS
    reserved = KEYWORDS

    def __init__(self, words: Words) -> None:
        super().__init__(Tokens(words.source, words.texts, [span.start for span in words.spans]))
        self.spans = words.spans
        self.depth = 0

    def span_from(self, first: int) -> Span:
        """From a word to the last consumed word, if that is in the same file, and does not come from a macro before it."""
        begin, last = self.spans[first], self.spans[max(first, self.at - 1)]
        return begin.to(last) if last.source is begin.source and last.start >= begin.start else begin

    def _place_of_problem(self) -> Span:
        return self.spans[self.at]

    def is_name(self, text: str) -> bool:
        return is_identifier(text)

    def expression(self, least: int = 0) -> Expr:
        """The longest expression whose operators bind at least as tightly as `least`."""
        self.depth += 1
        if self.depth > DEEPEST:
            raise too_deep(self.spans[self.at])
        first = self.at
        left = self._operand()
        while (level := INFIX.get(self.texts[self.at], -1)) >= max(least, 1):
            op = self.texts[self.at]
            self.at += 1
            left = Apply({"^~": "~^"}.get(op, op), (left, self.expression(level + 1)), self.span_from(first))
        if least == 0 and self.take("?"):
            then = self.expression()
            self.expect(":", hint="a conditional is written `condition ? value : value`")
            left = Apply("?:", (left, then, self.expression()), self.span_from(first))
        self.depth -= 1
        return left

    def _operand(self) -> Expr:
        first, word = self.at, self.texts[self.at]
        if word in _PREFIX:
            self.at += 1
            self.depth += 1
            if self.depth > DEEPEST:
                raise too_deep(self.spans[self.at])
            inner = self._operand()
            self.depth -= 1
            return Apply("u" + {"^~": "~^"}.get(word, word), (inner,), self.span_from(first))
        if self.take("("):
            inner = self.expression()
            self.expect(")")
            return inner
        if word == "{":
            return self._concatenation()
        if is_number(word[:1]) or word[:1] == "'":
            return self._number()
        if word[:1] == "$":
            return self._system_call()
        if word[:1] == '"':
            raise Unsupported("strings are not handled", self.spans[first])
        if not is_identifier(word):
            self.fail("an expression")
        return self.reference()

    def reference(self) -> Expr:
        """A name with members and indices after it, or the call of a function."""
        first = self.at
        name = self.path()
        if self.take("("):
            arguments = self.listed(")")
            return Apply("call", (Name(name, self.spans[first]), *arguments), self.span_from(first))
        result: Expr = Name(name, self.span_from(first))
        while self.take("["):
            index = self.expression()
            if self.take(":"):
                low = self.expression()
                self.expect("]")
                return Apply("[:]", (result, index, low), self.span_from(first))
            self.expect("]")
            result = Apply("[]", (result, index), self.span_from(first))
        return result

    def path(self) -> str:
        """A name, or several with dots between them."""
        parts = [self.name("a name").removeprefix("\\")]
        while self.texts[self.at] == "." and is_identifier(self.texts[self.at + 1]):
            self.at += 1
            parts.append(self.name("a name").removeprefix("\\"))
        return ".".join(parts)

    def listed(self, close: str) -> list[Expr]:
        """Expressions with commas between them, up to a bracket."""
        parts: list[Expr] = []
        while not self.take(close):
            if parts:
                self.expect(",", hint=f"or `{close}`")
            parts.append(self.expression())
        return parts

    def _concatenation(self) -> Expr:
        first = self.at
        self.at += 1
        head = self.expression()
        if self.take("{"):
            parts = self.listed("}")
            self.expect("}")
            if not parts:
                self.fail("an expression")
            return Apply("{{}}", (head, Apply("{}", tuple(parts), self.span_from(first))), self.span_from(first))
        parts = [head]
        while self.take(","):
            parts.append(self.expression())
        self.expect("}", hint="a concatenation is written {a, b}")
        return Apply("{}", tuple(parts), self.span_from(first))

    def _system_call(self) -> Expr:
        first, name = self.at, self.texts[self.at]
        self.at += 1
        if name not in ("$ND", "$NDset"):
            raise Unsupported(f"`{name}` is not handled", self.spans[first], hint="a free choice is written $ND(a, b)")
        self.expect("(", after=f"`{name}`")
        if self.take("@"):
            self.events()
            self.expect(",", after="the event")
        choices = self.listed(")")
        if not choices:
            raise SyntaxProblem("a choice without values", self.span_from(first), hint="write $ND(a, b)")
        return Apply("$ND", tuple(choices), self.span_from(first))

    def events(self) -> list[tuple[str, Expr]]:
        """The events after `@`, which are `(posedge a or b)`, `(*)`, `*` or a name: the edge and the signal of each."""
        if self.take("*"):
            return []
        if not self.take("("):
            return [("", self.reference())]
        if self.take("*"):
            self.expect(")")
            return []
        events: list[tuple[str, Expr]] = []
        while True:
            edge = self.texts[self.at] if self.texts[self.at] in ("posedge", "negedge") else ""
            self.at += bool(edge)
            events.append((edge, self.expression()))
            if self.take(")"):
                return events
            if not self.take("or") and not self.take(","):
                self.fail("`or` or `)`", "events are written @(posedge clk) or @(a or b)")

    def _number(self) -> Expr:
        first, word = self.at, self.texts[self.at]
        self.at += 1
        if word.isdigit() and self.texts[self.at][:1] == "'" and len(self.texts[self.at]) > 1:
            word += self.texts[self.at]
            self.at += 1
        return number(word, self.span_from(first))


def number(word: str, span: Span) -> Expr:
    """The value of a number: a Constant (an int if the number has no size), or a `pattern`.

    >>> number("4'b0101", None), number("12", None).value
    (Constant(value=Word(bits=5, width=4, signed=False)), 12)
    """
    if "'" not in word:
        return Constant(_whole(word, span), span)
    match = _NUMBER.fullmatch(word)
    if match is None:
        raise SyntaxProblem(f"`{word}` is not a number", span, hint="a number with a base is written 4'b0101")
    size, base, digits = match.group(1).replace("_", ""), match.group(2).lower(), match.group(3).replace("_", "").lower()
    width = _whole(size, span) if size else UNSIZED
    if not 1 <= width <= WIDEST_WORD:
        raise SyntaxProblem(f"a number of {width} bits", span, hint=f"the width must be from 1 to {WIDEST_WORD}")
    if base == "d":
        if not digits.isdigit():
            raise SyntaxProblem(f"`{word}` is not a decimal number", span)
        value, open_bits = number_of_digits(digits, 10, span), 0
    else:
        value, open_bits = _digits(digits, base, width, span)
    mask = (1 << width) - 1
    if open_bits & mask:
        return Apply("pattern", (Constant(Word(value & mask, width)), Constant(Word(mask & ~open_bits, width))), span)
    return Constant(Word(value & mask, width) if size else value & mask, span)


def _whole(digits: str, span: Span) -> int:
    return integer_constant(digits.replace("_", "") or "0", span)


def _digits(digits: str, base: str, width: int, span: Span) -> tuple[int, int]:
    """The value of digits, and a mask of the bits that may be anything."""
    size = _BITS_OF_DIGIT[base]
    last = f"{(1 << size) - 1:x}"
    wrong = next((digit for digit in digits if digit not in "xz?" and digit > last), "")
    if wrong:
        raise SyntaxProblem(f"`{wrong}` is not a digit of this base", span)
    value = number_of_digits(re.sub("[xz?]", "0", digits), 1 << size, span)
    open_bits = number_of_digits(re.sub("[xz?]", last, re.sub("[^xz?]", "0", digits)), 1 << size, span)
    if digits[:1] in ("x", "z", "?"):  # such a digit is repeated to the left
        open_bits |= ((1 << width) - 1) & ~((1 << size * len(digits)) - 1)
    return value, open_bits
