"""The text of a BLIF file to its models.

Reference: University of California, Berkeley 1992, "Berkeley logic interchange format (BLIF)".
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Iterator
from types import MappingProxyType
from typing import Generic, NamedTuple, TypeVar

from msgspec import Struct, field

from coarsest.errors import SyntaxProblem, Unsupported
from coarsest.text import Diagnostic, Source, Span
from coarsest.text.near import nearest
from coarsest.text.printable import shortened

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


class PlacedWord(NamedTuple):
    text: str
    span: Span


class LatchLine(NamedTuple):
    input: PlacedWord
    output: PlacedWord
    first: bool | None


class GateTable(Struct):
    """The output is the last signal. It has the value of the rows where a row fits, and the other value elsewhere."""

    signals: list[PlacedWord]
    rows: list[str] = field(default_factory=list)
    value: str = ""


class Call(NamedTuple):
    """An instance of another model, with its signals joined to ours; an instance without a name gets a number."""

    model: PlacedWord
    joined: list[tuple[PlacedWord, PlacedWord]]
    instance: str = ""


class Shell(Struct):
    """The interface of a model, and the models in it."""

    name: PlacedWord
    inputs: list[PlacedWord] = field(default_factory=list)
    outputs: list[PlacedWord] = field(default_factory=list)
    clocks: list[PlacedWord] = field(default_factory=list)
    calls: list[Call] = field(default_factory=list)

    @property
    def size(self) -> int:
        return 1 + len(self.inputs) + len(self.outputs)


M = TypeVar("M", bound=Shell)


class BlifModel(Shell):
    latches: list[LatchLine] = field(default_factory=list)
    tables: list[GateTable] = field(default_factory=list)
    dont_cares: list[GateTable] = field(default_factory=list)
    """Tables of another network: its output is true where the output of the model with the same name does not matter."""

    @property
    def size(self) -> int:
        return super().size + len(self.latches) + len(self.tables)


def parse(source: Source, title: str) -> tuple[dict[str, BlifModel], list[Diagnostic]]:
    """All models of a file in their order, and warnings about them."""
    return models_of(source, _Reading(title))


class ModelReader(ABC, Generic[M]):
    """Reads models line by line; `M` is the class of models."""

    model_class: type[M]

    def __init__(self, title: str) -> None:
        """A model without a name is called `title`."""
        self.title = title
        self.models: dict[str, M] = {}
        self.warnings: list[Diagnostic] = []
        self._model: M | None = None
        """The model that is being read."""

    @abstractmethod
    def line(self, words: list[PlacedWord]) -> None:
        """Read the words of the next line."""

    def _begin(self, words: list[PlacedWord]) -> M:
        name = words[1] if len(words) > 1 else PlacedWord(self.title, words[0].span)
        if name.text in self.models:
            raise SyntaxProblem(f"there are two models `{name.text}`", name.span, hint="rename one of them")
        self._model = self.models[name.text] = self.model_class(name)
        return self._model

    def _warn(self, message: str, word: PlacedWord, hint: str = "") -> None:
        self.warnings.append(Diagnostic(message, word.span, hint, level="warning"))


def models_of(source: Source, reader: ModelReader[M]) -> tuple[dict[str, M], list[Diagnostic]]:
    """The models that a reader finds in all lines, and its warnings; raises SyntaxProblem if there is no model."""
    for words in _lines(source):
        reader.line(words)
    if not reader.models:
        hint = "a model is written `.model NAME`, `.inputs …`, `.outputs …`, then its tables and latches, `.end`"
        raise SyntaxProblem("there is no model in this text", Span(source, 0, 1), hint=hint)
    return reader.models, reader.warnings


def _lines(source: Source) -> Iterator[list[PlacedWord]]:
    """The words of each line; a line that ends in a backslash is continued by the next one."""
    start, words = 0, list[PlacedWord]()
    for line in source.text.splitlines(keepends=True):
        code = line.partition("#")[0]
        joined = False
        for match in _WORD.finditer(code if code.endswith("\n") else code + "\n"):
            joined = match[0] == "\\"
            if not joined:
                words.append(PlacedWord(match[0], Span(source, start + match.start(), start + match.end())))
        start += len(line)
        if words and not joined:
            yield words
            words = []
    if words:
        yield words


def call_of(first: PlacedWord, rest: list[PlacedWord]) -> tuple[PlacedWord, list[tuple[PlacedWord, PlacedWord]]]:
    """The model that a line instantiates, and the signals that it joins."""
    if not rest:
        raise SyntaxProblem(f"expected a model after `{first.text}`", first.span, hint=".subckt MODEL FORMAL=ACTUAL …")
    joined = []
    for word in rest[1:]:
        formal, equals, actual = word.text.partition("=")
        if not (formal and equals and actual):
            raise SyntaxProblem(f"found `{word.text}`, expected FORMAL=ACTUAL", word.span)
        joined.append((PlacedWord(formal, word.span), PlacedWord(actual, word.span)))
    return rest[0], joined


class _Reading(ModelReader[BlifModel]):
    model_class = BlifModel

    def __init__(self, title: str) -> None:
        super().__init__(title)
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
            self._is_exdc = False
        elif first.text == ".end":
            self._model, self._is_exdc = None, False
        elif first.text == ".exdc" and self._model is not None:
            self._is_exdc = True
        elif self._is_exdc and first.text in (".inputs", ".outputs"):
            pass  # they are the inputs and outputs of the model
        elif first.text == ".start_kiss":
            self._skips_to = ".end_kiss"
        elif first.text not in _ABOUT_OTHERS.split():
            self._content(first, words[1:])

    def _content(self, first: PlacedWord, rest: list[PlacedWord]) -> None:
        if first.text in _UNSUPPORTED:
            raise Unsupported(f"`{first.text}` is not read", first.span, hint=_UNSUPPORTED[first.text])
        if first.text not in _KNOWN:
            close = nearest(first.text, _KNOWN)
            hint = f"did you mean `{close[0]}`?" if close else f"lines begin with {', '.join(_KNOWN[:9])}"
            raise SyntaxProblem(f"found `{first.text}`, expected a line of a model", first.span, hint=hint)
        model = self._model or self._begin([first])
        if self._is_exdc and first.text != ".names":
            raise Unsupported(f"`{first.text}` is not read after `.exdc`", first.span, hint="don't-cares are written as `.names`")
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
                    raise SyntaxProblem("a table has at least an output", first.span, hint=".names IN … OUT")
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
            self._warn(f"a latch of type `{rest[2].text}` is read as a flip-flop", rest[2])
        return LatchLine(rest[0], rest[1], {"0": False, "1": True}.get(value.text if value else ""))

    def _row(self, words: list[PlacedWord]) -> None:
        table = self._table
        if table is None:
            message = f"found `{words[0].text[:40]}`, expected a line of a model"
            raise SyntaxProblem(message, words[0].span, hint="the rows of a table follow `.names`")
        width = len(table.signals) - 1
        cells, value = ("", words[0]) if width == 0 else (words[0].text, words[-1])
        if len(words) != (1 if width == 0 else 2) or len(cells) != width or not set(cells) <= set("01-"):
            found, expected = " ".join(word.text for word in words), f"{width} of 0, 1 and -, then 0 or 1" if width else "0 or 1"
            raise SyntaxProblem(f"found `{shortened(found)}`, expected {expected}", words[0].span)
        if value.text not in ("0", "1"):
            raise SyntaxProblem(f"found `{value.text}`, expected the output: 0 or 1", value.span)
        if table.value not in ("", value.text):
            message = "the rows of a table must have the same output"
            raise SyntaxProblem(message, value.span, hint=f"in the first row it is {table.value}")
        table.value = value.text
        table.rows.append(cells)
