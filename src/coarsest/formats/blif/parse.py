"""The text of a BLIF file to its models.

Reference: University of California, Berkeley 1992, "Berkeley logic interchange format (BLIF)".
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from types import MappingProxyType
from typing import NamedTuple, Protocol, TypeVar

from msgspec import Struct, field

from coarsest.errors import InputError, SyntaxProblem, Unsupported
from coarsest.text import Diagnostic, Source, Span
from coarsest.text.near import nearest

_WORD = re.compile(r"[^\s\\]+|\\(?=[ \t\r]*\n)|\\")
_TYPES = ("fe", "re", "ah", "al", "as")
_ABOUT_OTHERS = (
    ".area .delay .attr .param .cname .wire_load_slope .wire .gateinputload .input_arrival .output_required .input_drive "
    ".output_load .max_input_load .input_required .output_arrival .default_input_arrival .default_output_required "
    ".default_input_drive .default_output_load .default_max_input_load .latch_order .code .cycle .clock_event .no_merge"
)
"""These lines are about something other than the function of a circuit."""
_UNSUPPORTED = MappingProxyType(
    {".gate": "map the circuit back to `.names`", ".mlatch": "write it as `.latch`", ".search": "put all models into one file"}
)
_KNOWN = (".model", ".inputs", ".outputs", ".clock", ".latch", ".names", ".subckt", ".exdc", ".end", *_UNSUPPORTED)

M = TypeVar("M")


class PlacedWord(NamedTuple):
    text: str
    span: Span


class LatchLine(NamedTuple):
    input: PlacedWord
    output: PlacedWord
    first: bool | None


class GateTable(Struct):
    """The output is the last signal: 1 where a row fits (0, if the rows say so)."""

    signals: list[PlacedWord]
    rows: list[str] = field(default_factory=list)
    value: str = ""


class Call(NamedTuple):
    """Another model put in, its signals joined to ours; an instance without a name is numbered."""

    model: PlacedWord
    joined: list[tuple[PlacedWord, PlacedWord]]
    instance: str = ""


class Shell(Struct):
    """A model from outside, and the models in it."""

    name: PlacedWord
    inputs: list[PlacedWord] = field(default_factory=list)
    outputs: list[PlacedWord] = field(default_factory=list)
    clocks: list[PlacedWord] = field(default_factory=list)
    calls: list[Call] = field(default_factory=list)

    @property
    def size(self) -> int:
        return 1 + len(self.inputs) + len(self.outputs)


class BlifModel(Shell):
    latches: list[LatchLine] = field(default_factory=list)
    tables: list[GateTable] = field(default_factory=list)
    dont_cares: list[GateTable] = field(default_factory=list)
    """Tables of another network, whose outputs are true where those of the model do not matter."""

    @property
    def size(self) -> int:
        return 1 + len(self.latches) + len(self.tables) + len(self.inputs) + len(self.outputs)


def parse(source: Source, title: str) -> tuple[dict[str, BlifModel], list[Diagnostic]]:
    """All models of a file in their order, and what is worth saying about them."""
    return models_of(source, _Reading(source, title))


class _Reader(Protocol[M]):
    """Reads models line by line."""

    models: dict[str, M]
    warnings: list[Diagnostic]

    def line(self, words: list[PlacedWord]) -> None: ...


def models_of(source: Source, reading: _Reader[M]) -> tuple[dict[str, M], list[Diagnostic]]:
    """What a reader makes of all lines; raises SyntaxProblem if that is no model."""
    for words in lines(source):
        reading.line(words)
    if not reading.models:
        hint = "a model is written `.model NAME`, `.inputs …`, `.outputs …`, then its tables and latches, `.end`"
        raise SyntaxProblem("there is no model in this text", Span(source, 0, 1), hint=hint)
    return reading.models, reading.warnings


def lines(source: Source) -> Iterator[list[PlacedWord]]:
    """The words of each line; one that ends in a backslash goes on."""
    place, words = 0, list[PlacedWord]()
    for line in source.text.splitlines(keepends=True):
        code = line.partition("#")[0]
        joined = False
        for match in _WORD.finditer(code if code.endswith("\n") else code + "\n"):
            joined = match[0] == "\\"
            if not joined:
                words.append(PlacedWord(match[0], Span(source, place + match.start(), place + match.end())))
        place += len(line)
        if words and not joined:
            yield words
            words = []
    if words:
        yield words


def call_of(first: PlacedWord, rest: list[PlacedWord]) -> tuple[PlacedWord, list[tuple[PlacedWord, PlacedWord]]]:
    """The model that a line puts in, and the signals that it joins."""
    if not rest:
        raise SyntaxProblem(f"`{first.text}` names a model", first.span, hint=".subckt MODEL FORMAL=ACTUAL …")
    joined = []
    for word in rest[1:]:
        formal, equals, actual = word.text.partition("=")
        if not (formal and equals and actual):
            raise SyntaxProblem(f"found `{word.text}`, expected FORMAL=ACTUAL", word.span)
        joined.append((PlacedWord(formal, word.span), PlacedWord(actual, word.span)))
    return rest[0], joined


class _Reading:
    """The models so far, and the one that is being read."""

    def __init__(self, source: Source, title: str) -> None:
        self.source, self.title = source, title
        self.models: dict[str, BlifModel] = {}
        self.warnings: list[Diagnostic] = []
        self._model: BlifModel | None = None
        self._table: GateTable | None = None
        self._skips_to = ""
        self._is_exdc = False

    def line(self, words: list[PlacedWord]) -> None:
        first = words[0]
        if self._skips_to:
            self._skips_to = "" if first.text == self._skips_to else self._skips_to
            return
        if not first.text.startswith("."):
            self._row(words)
            return
        self._table = None
        if first.text == ".model":
            self._begin(words)
        elif first.text == ".end":
            self._model, self._is_exdc = None, False
        elif first.text == ".exdc" and self._model is not None:
            self._is_exdc = True
        elif self._is_exdc and first.text in (".inputs", ".outputs"):
            pass  # the same as those of the model
        elif first.text == ".start_kiss":
            self._skips_to = ".end_kiss"
        elif first.text not in _ABOUT_OTHERS.split():
            self._content(first, words[1:])

    def _begin(self, words: list[PlacedWord]) -> None:
        name = words[1] if len(words) > 1 else PlacedWord(self.title, words[0].span)
        if name.text in self.models:
            raise SyntaxProblem(f"there are two models `{name.text}`", name.span, hint="rename one")
        self._model, self._is_exdc = BlifModel(name), False
        self.models[name.text] = self._model

    def _content(self, first: PlacedWord, rest: list[PlacedWord]) -> None:
        if first.text in _UNSUPPORTED:
            raise Unsupported(f"`{first.text}` is not read", first.span, hint=_UNSUPPORTED[first.text])
        if first.text not in _KNOWN:
            close = nearest(first.text, _KNOWN)
            hint = f"did you mean `{close[0]}`?" if close else f"lines begin with {', '.join(_KNOWN[:9])}"
            raise SyntaxProblem(f"found `{first.text}`, expected a line of a model", first.span, hint=hint)
        if self._model is None:
            self._begin([first])
        model = self._model
        assert model is not None
        if self._is_exdc and first.text != ".names":
            raise Unsupported(f"`{first.text}` is not read after `.exdc`", first.span, hint="don't-cares are tables of signals")
        match first.text:
            case ".inputs":
                model.inputs += rest
            case ".outputs":
                model.outputs += rest
            case ".clock":
                model.clocks += rest
            case ".latch":
                model.latches.append(self._latch(first, rest))
            case ".subckt":
                model.calls.append(Call(*call_of(first, rest)))
            case ".names":
                if not rest:
                    raise SyntaxProblem("a table has at least its output", first.span, hint=".names IN … OUT")
                self._table = GateTable(rest)
                (model.dont_cares if self._is_exdc else model.tables).append(self._table)

    def _latch(self, first: PlacedWord, rest: list[PlacedWord]) -> LatchLine:
        if not 2 <= len(rest) <= 5:
            hint = ".latch INPUT OUTPUT [TYPE CONTROL] [0|1|2|3]"
            raise SyntaxProblem(f"found {len(rest)} words after `.latch`, expected 2 to 5", first.span, hint=hint)
        value = rest[-1] if len(rest) in (3, 5) else None
        if value is not None and value.text not in ("0", "1", "2", "3"):
            raise SyntaxProblem(f"found `{value.text}`, expected the first value: 0, 1, 2 or 3", value.span)
        if len(rest) >= 4 and rest[2].text not in _TYPES:
            raise SyntaxProblem(f"found `{rest[2].text}`, expected a type of latch", rest[2].span, hint=", ".join(_TYPES))
        if len(rest) >= 4 and rest[2].text not in ("fe", "re"):
            message = f"a latch of type `{rest[2].text}` is read as a flip-flop"
            self.warnings.append(Diagnostic(message, rest[2].span, level="warning"))
        return LatchLine(rest[0], rest[1], {"0": False, "1": True}.get(value.text if value else ""))

    def _row(self, words: list[PlacedWord]) -> None:
        table = self._table
        if table is None:
            message = f"found `{words[0].text[:40]}`, expected a line of a model"
            raise SyntaxProblem(message, words[0].span, hint="the rows of a table follow `.names`")
        width = len(table.signals) - 1
        cells, value = ("", words[0]) if width == 0 else (words[0].text, words[-1])
        if len(words) != (1 if width == 0 else 2) or len(cells) != width or not set(cells) <= set("01-"):
            raise self._bad_row(words, width)
        if value.text not in ("0", "1"):
            raise SyntaxProblem(f"found `{value.text}`, expected the output: 0 or 1", value.span)
        if table.value not in ("", value.text):
            raise SyntaxProblem("the rows of a table have the same output", value.span, hint=f"the first has {table.value}")
        table.value = value.text
        table.rows.append(cells)

    @staticmethod
    def _bad_row(words: list[PlacedWord], width: int) -> InputError:
        expected = f"{width} of 0, 1 and -, then 0 or 1" if width else "0 or 1"
        text = " ".join(word.text for word in words)
        return SyntaxProblem(f"found `{text if len(text) <= 40 else text[:37] + '...'}`, expected {expected}", words[0].span)
