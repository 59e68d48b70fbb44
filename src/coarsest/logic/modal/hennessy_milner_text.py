"""Formulas of Hennessy–Milner logic as text, and back. What occurs again in a long formula gets a name of its own."""

from __future__ import annotations

import re
from collections import Counter
from typing import NamedTuple

from coarsest.errors import SyntaxProblem
from coarsest.logic.modal.hennessy_milner import Builder, Formula, Node
from coarsest.text import Source, Span
from coarsest.text.printable import printable

LONGEST_TREE = 200
PLAIN = re.compile(r"[^\s<>()\[\]{}\"\\]+\Z")
TOKEN = re.compile(r'\s*(?:(<<?|\[\[?)|(X\d+\b)|(\w+)|("(?:[^"\\]|\\.)*")|([!&()=;]))')
DEEPEST_TEXT = 60
WHERE = re.compile(r'"(?:[^"\\]|\\.)*"|\b(where)\b(?=\s+X\d+\s*=)', re.DOTALL)
"""The word before definitions, or a text in quotes, where it has no meaning."""
ESCAPE = re.compile(r"\\(?:x([0-9a-f]{2})|u([0-9a-f]{4})|U(00(?:0[0-9a-f]|10)[0-9a-f]{4})|(.))", re.DOTALL)


class _Text(NamedTuple):
    """A formula and its negation, as text."""

    plain: str
    negated: str
    bound: bool = True
    """Does the formula bind as strongly as a negation?"""

    @property
    def tight(self) -> str:
        return self.plain if self.bound else f"({self.plain})"


def show(formula: Formula) -> str:
    """The text of a formula: a tree where that is short, otherwise with definitions after `where`. `[a]φ` is `!<a>!φ`.

    >>> make = Builder()
    >>> show(make.formula(make.diamond("a", make.negation(make.diamond("b c", make.true)))))
    '<a>["b c"]false'
    """
    named = _named(formula)
    texts: list[_Text] = []
    definitions: list[str] = []
    for place, node in enumerate(formula.nodes):
        text = _node_text(node, [texts[part] for part in node.parts])
        if place in named:
            name = f"X{len(definitions) + 1}"
            definitions.append(f"{name} = {text.plain}")
            text = _Text(name, f"!{name}")
        texts.append(text)
    return texts[-1].plain + (f" where {'; '.join(definitions)}" if definitions else "")


def _named(formula: Formula) -> set[int]:
    """Places that get a name: those that are used again in a long formula, and some on the way down a deep one."""
    uses = Counter(part for node in formula.nodes for part in node.parts)
    named: set[int] = set()
    heights: list[int] = []
    long = formula.tree_size > LONGEST_TREE
    for place, node in enumerate(formula.nodes):
        height = 1 + max((heights[part] for part in node.parts), default=0)
        last = place == len(formula.nodes) - 1
        again = long and uses[place] > 1 and height > 2 and node.kind != "not"
        if not last and (again or height >= DEEPEST_TEXT):
            named.add(place)
            height = 0
        heights.append(height)
    return named


def _node_text(node: Node, parts: list[_Text]) -> _Text:
    match node.kind:
        case "label":
            text = f"label {_quoted(node.name)}"
            return _Text(text, f"!{text}")
        case "not":
            return _Text(parts[0].negated, parts[0].tight)
        case "and":
            text = " & ".join(part.tight for part in parts)
            return _Text(text, f"!({text})", bound=False)
        case "diamond":
            action = action_text(node.name)
            return _Text(f"<{action}>{parts[0].tight}", f"[{action}]{parts[0].negated}")
        case "until":
            if parts[0].plain == "true":
                action = action_text(node.name)
                return _Text(f"<<{action}>>{parts[1].tight}", f"[[{action}]]{parts[1].negated}")
            text = f"({parts[0].tight} U <{action_text(node.name)}>{parts[1].tight})"
            return _Text(text, f"!{text}")
        case "diverges":
            text = f"diverges({parts[0].plain})"
            return _Text(text, f"!{text}")
    return _Text("true", "false")


def _quoted(name: str) -> str:
    return '"' + printable(name.replace("\\", "\\\\").replace('"', '\\"')) + '"'


def action_text(name: str) -> str:
    r"""An action as formulas write it: in quotes if it contains blanks or signs that formulas use, or what cannot be shown.

    >>> print(action_text("send"), action_text("send 1"), action_text("bell\x07"))
    send "send 1" "bell\x07"
    """
    return name if PLAIN.match(name) and name.isprintable() else _quoted(name)


def parse(source: Source) -> Formula:
    """The formula that a text describes.

    >>> show(parse(Source("", '<a>(!<b>true & (label "p" U <i>X1)) where X1 = <c>true')))
    '<a>([b]false & (label "p" U <i><c>true))'
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
        where = next((found for found in WHERE.finditer(self.source.text) if found.group(1)), None)
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
        if word in self.names:
            self._take()
            return self.names[word]
        if word in ("true", "false"):
            self._take()
            return self.make.true if word == "true" else self.make.negation(self.make.true)
        if word == "label":
            self._take()
            return self.make.label(_unquoted(self._take()))
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
        found = re.compile(pattern).match(self.source.text, self.place, self.end)
        if found is None:
            raise self._problem(f"an action and '{closing}'")
        self.place = found.end()
        return found.group(2) if found.group(1) is None else _unquoted(f'"{found.group(1)}"')

    def _peek(self) -> str:
        found = TOKEN.match(self.source.text, self.place, self.end)
        return "" if found is None else found.group().strip()

    def _take(self) -> str:
        found = TOKEN.match(self.source.text, self.place, self.end)
        if found is None:
            raise self._problem("more")
        self.place = found.end()
        return found.group().strip()

    def _expect(self, word: str) -> None:
        if self._peek() != word:
            raise self._problem(f"'{word}'")
        self._take()

    def _problem(self, expected: str) -> SyntaxProblem:
        rest = self.source.text[self.place : self.end]
        start = self.place + len(rest) - len(rest.lstrip())
        found = "the end" if not rest.strip() else f"'{rest.strip()[:20]}'"
        span = Span(self.source, min(start, self.end), min(start + 1, max(self.end, start)))
        return SyntaxProblem(f"expected {expected}, found {found}", span, hint='for example: <a>(!<b>true & <"c d">true)')


def _unquoted(text: str) -> str:
    return ESCAPE.sub(_meant, text[1:-1] if text.startswith('"') else text)


def _meant(found: re.Match[str]) -> str:
    *numbers, other = found.groups()
    return other if other is not None else chr(int(next(number for number in numbers if number is not None), 16))
