"""BTOR2, line by line: numbered nodes with their sorts, each checked against the requirements of its operator.

A line is `number operator …`, with the numbers of a sort and of earlier lines, which are operands; `-12` is line 12 with all bits
negated. `;` begins a comment.

Reference: Niemetz, Preiner, Wolf, Biere 2018, "Btor2, BtorMC and Boolector 3.0", CAV.
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from coarsest.errors import NameProblem, SyntaxProblem, TypeProblem, Unsupported
from coarsest.formats.btor2.shapes import CLAIMS, CONSTANTS, OPERATORS, SHAPES, Sort, objection
from coarsest.logic.words import WIDEST_WORD, number_of_digits
from coarsest.text import Source, Span
from coarsest.text.near import nearest
from coarsest.text.printable import shortened

WIDEST_INDEX: Final = 12
"""An array has at most 2^12 elements, since each element becomes a variable."""
LONGEST_NUMBER: Final = 18
_TOKEN = re.compile(r"\S+")
_NUMBER = re.compile(r"-?[0-9]+")
_DIGITS = {"const": re.compile("[01]+"), "constd": re.compile("-?[0-9]+"), "consth": re.compile("[0-9a-fA-F]+")}
_RADIX = {"const": 2, "constd": 10, "consth": 16}
_FORM = "a line is `NUMBER OPERATOR SORT OPERAND …`"


class BtorNode(NamedTuple):
    """A line that has a value, or says something about values. An operand below 0 stands for the negated bits of its line."""

    number: int
    tag: str
    sort: Sort
    operands: tuple[int, ...]
    parameters: tuple[int, ...]
    """The bits of a constant, or the numbers that follow the operands of `slice`, `sext` and `uext`."""
    symbol: str
    span: Span


def nodes_of(source: Source) -> list[BtorNode]:
    """All lines except sorts, in their order.

    >>> nodes_of(Source("x.btor2", "1 sort bitvec 4\\n2 input 1 n\\n3 inc 1 2"))[1].operands
    (2,)
    """
    scanner = _Scanner(source)
    start = 0
    for line in source.text.splitlines(keepends=True):
        scanner.read(line, start)
        start += len(line)
    if not scanner.nodes and not scanner.sorts:
        raise SyntaxProblem("the file is empty, expected a line such as `1 sort bitvec 1`", Span(source, 0, 1), hint=_FORM)
    return scanner.nodes


class _Scanner:
    """The sorts and nodes of the lines that have been read."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.sorts: dict[int, Sort] = {}
        self.nodes: list[BtorNode] = []
        self._values: dict[int, Sort] = {}
        """The sorts of lines that can be operands."""
        self._states: set[int] = set()
        self._equations: set[tuple[str, int]] = set()
        self._last = 0

    def read(self, line: str, start: int) -> None:
        code = re.split(r"(?<!\S);", line)[0]
        tokens = [Span(self.source, start + match.start(), start + match.end()) for match in _TOKEN.finditer(code)]
        if not tokens:
            return
        words = _Words(tokens)
        number = words.number("the number of the line", least=1)
        if number <= self._last:
            raise NameProblem(f"line number {number} after {self._last}", words.last, hint="line numbers must increase")
        self._last = number
        tag = words.word("an operator")
        if tag == "sort":
            self.sorts[number] = self._sort(words)
        elif tag in SHAPES:
            self._node(number, tag, words)
        else:
            close = nearest(tag, ("sort", *SHAPES))
            hint = f"did you mean {close[0]}?" if close else f"operators are {', '.join(SHAPES)}"
            raise SyntaxProblem(f"there is no operator `{tag}`", words.last, hint=hint)
        words.end()

    # Sorts

    def _sort(self, words: _Words) -> Sort:
        kind = words.word("bitvec or array")
        if kind == "bitvec":
            return Sort(words.number("the width", least=1, most=WIDEST_WORD))
        if kind != "array":
            raise SyntaxProblem(f"found `{kind}`, expected bitvec or array", words.last, hint="`1 sort bitvec 8`")
        index, index_span = self._sort_named(words), words.last
        element = self._sort_named(words)
        if index.index_width or element.index_width:
            both = index_span.to(words.last)
            raise Unsupported("arrays of arrays are not handled", both, hint="indices and elements must be bit vectors")
        if index.width > WIDEST_INDEX:
            hint = f"at most {WIDEST_INDEX} bits are handled, since every element becomes a variable"
            raise Unsupported(f"an array with an index of {index.width} bits", index_span, hint=hint)
        return Sort(element.width, index.width)

    def _sort_named(self, words: _Words) -> Sort:
        number = words.number("the number of a sort", least=1)
        if number not in self.sorts:
            raise NameProblem(f"line {number} is not a sort", words.last, hint="a sort comes before the lines that use it")
        return self.sorts[number]

    # Nodes

    def _node(self, number: int, tag: str, words: _Words) -> None:
        shape = SHAPES[tag]
        operator = words.last
        sort = Sort(1) if tag in CLAIMS else self._sort_named(words)
        parameters: tuple[int, ...] = ()
        if tag in CONSTANTS:
            parameters = (self._bits(tag, sort, words),)
        count = words.number("the number of conditions", most=len(self._values)) if tag == "justice" else shape.operands
        operands = tuple(self._operand(words) for _ in range(count))
        for title in shape.parameters:
            parameters += (words.number(title, most=WIDEST_WORD),)
        whole = operator.to(words.last)
        symbol = words.symbol()
        sorts = [self._values[abs(operand)] for operand in operands]
        problem = objection(tag, sort, sorts, parameters)
        if problem:
            raise TypeProblem(f"`{tag}` {problem}", whole)
        if tag in ("init", "next"):
            self._equation(tag, operands, words, whole)
        node = BtorNode(number, tag, sorts[0] if tag == "output" else sort, operands, parameters, symbol, whole)
        if tag in OPERATORS:
            self._values[number] = sort
            if tag == "state":
                self._states.add(number)
        self.nodes.append(node)

    def _operand(self, words: _Words) -> int:
        number = words.number("the number of an earlier line", least=None)
        if abs(number) not in self._values:
            hint = "an operand comes before the line that uses it"
            raise NameProblem(f"line {abs(number)} has no value", words.last, hint=hint)
        if number < 0 and self._values[-number].index_width:
            raise TypeProblem("an array cannot be negated", words.last)
        return number

    def _bits(self, tag: str, sort: Sort, words: _Words) -> int:
        """The bits of a constant, as a non-negative number."""
        if tag in ("zero", "one", "ones"):
            return (1 << sort.width) - 1 if tag == "ones" else int(tag == "one")
        text = words.word("the digits of a constant")
        if not _DIGITS[tag].fullmatch(text):
            raise SyntaxProblem(f"these are not digits of base {_RADIX[tag]}", words.last)
        value = number_of_digits(text.removeprefix("-"), _RADIX[tag], words.last) * (-1 if text[0] == "-" else 1)
        if not -(1 << (sort.width - 1)) <= value < 1 << sort.width:
            raise TypeProblem(f"the constant does not fit into {sort.width} bits", words.last)
        return value & ((1 << sort.width) - 1)

    def _equation(self, tag: str, operands: tuple[int, ...], words: _Words, whole: Span) -> None:
        state, value = operands
        if state not in self._states:
            raise NameProblem(f"line {state} is not a state", whole, hint=f"`{tag}` gives a value to a state")
        if (tag, state) in self._equations:
            raise NameProblem(f"state {state} has two values by `{tag}`", whole)
        if tag == "init" and abs(value) > state:
            hint = "the first value of a state comes before it in the file"
            raise NameProblem(f"line {abs(value)} comes after the state {state} that begins with it", whole, hint=hint)
        self._equations.add((tag, state))


class _Words:
    """The words of one line, which are taken one after another."""

    def __init__(self, tokens: list[Span]) -> None:
        self._tokens = tokens
        self._next = 0
        self.last = tokens[0]

    def word(self, title: str) -> str:
        if self._next == len(self._tokens):
            raise SyntaxProblem(f"the line ends here, expected {title}", self.last, hint=_FORM)
        self.last = self._tokens[self._next]
        self._next += 1
        return self.last.text

    def number(self, title: str, *, least: int | None = 0, most: int | None = None) -> int:
        text = self.word(title)
        if not _NUMBER.fullmatch(text) or len(text) > LONGEST_NUMBER:
            shown = text if len(text) <= LONGEST_NUMBER else f"{text[:LONGEST_NUMBER]}…"
            raise SyntaxProblem(f"found `{shown}`, expected {title}", self.last, hint=_FORM)
        number = int(text)
        if (least is not None and number < least) or (most is not None and number > most):
            bounds = f"from {least} to {most}" if most is not None else f"at least {least}"
            raise SyntaxProblem(f"found {number}, expected {title}, {bounds}", self.last)
        return number

    def symbol(self) -> str:
        return self.word("") if self._next < len(self._tokens) else ""

    def end(self) -> None:
        if self._next < len(self._tokens):
            extra = self._tokens[self._next]
            raise SyntaxProblem(f"found `{shortened(extra.text)}`, expected the end of the line", extra)
