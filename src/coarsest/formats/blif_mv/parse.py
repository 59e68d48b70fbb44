"""The text of a BLIF-MV file to its models: signals with several values, tables that may be relations.

Reference: Kukimoto 1996, "BLIF-MV".
"""

from __future__ import annotations

from functools import cache
from typing import Final, NamedTuple

from msgspec import Struct, field

from coarsest.errors import NameProblem, SyntaxProblem, Unsupported
from coarsest.formats.blif.parse import Call, ModelReader, PlacedWord, Shell, call_of, models_of
from coarsest.text import Diagnostic, Source, Span
from coarsest.text.near import nearest

_DEFAULTS = (".default", ".def")
_KNOWN = (".model", ".inputs", ".outputs", ".mv", ".table", ".latch", ".reset", ".subckt", ".default", ".names", ".end")
_OPEN = {"(": ")", "{": "}"}
MOST_VALUES: Final = 4096
"""The limit for the number of values of a signal."""


class _Latch(NamedTuple):
    input: PlacedWord
    output: PlacedWord


class MvTable(Struct):
    """A relation of inputs and outputs: rows of cells, one for each signal; the default is for inputs that fit no row."""

    inputs: list[PlacedWord]
    outputs: list[PlacedWord]
    rows: list[list[PlacedWord]] = field(default_factory=list)
    default: list[PlacedWord] | None = None


class MvModel(Shell):
    latches: list[_Latch] = field(default_factory=list)
    tables: list[MvTable] = field(default_factory=list)
    resets: list[MvTable] = field(default_factory=list)
    values: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """The names of the values of signals that are not boolean."""

    @property
    def size(self) -> int:
        return super().size + len(self.latches) + sum(len(table.outputs) for table in self.tables)


def parse(source: Source, title: str) -> tuple[dict[str, MvModel], list[Diagnostic]]:
    """All models of a file in their order, and warnings about them."""
    return models_of(source, _Reading(title))


class _Reading(ModelReader[MvModel]):
    model_class = MvModel

    def __init__(self, title: str) -> None:
        super().__init__(title)
        self._table: MvTable | None = None
        self._skips = False

    def line(self, words: list[PlacedWord]) -> None:
        first, rest = words[0], words[1:]
        if self._skips:
            self._skips = first.text != ".end"
        elif not first.text.startswith("."):
            self._row(_joined_sets(words))
        elif first.text in _DEFAULTS:
            self._default(first, _joined_sets(rest))
        else:
            self._table = None
            self._content(first, rest)

    def _content(self, first: PlacedWord, rest: list[PlacedWord]) -> None:
        match first.text:
            case ".model":
                self._begin([first, *rest])
            case ".end":
                self._model = None
            case ".exdc":
                self._warn("external don't-cares are not used: verdicts hold without them", first)
                self._skips = True
            case ".spec":
                self._warn("`.spec` is not read", first, "write properties on the command line")
            case ".inputs" | ".outputs" | ".mv" | ".latch" | ".subckt" | ".table" | ".names" | ".reset" | ".r":
                self._part(self._model or self._begin([first]), first, rest)
            case _:
                close = nearest(first.text, _KNOWN)
                hint = f"did you mean `{close[0]}`?" if close else f"lines begin with {', '.join(_KNOWN)}"
                raise SyntaxProblem(f"found `{first.text}`, expected a line of a model", first.span, hint=hint)

    def _part(self, model: MvModel, first: PlacedWord, rest: list[PlacedWord]) -> None:
        match first.text:
            case ".inputs":
                model.inputs += rest
            case ".outputs":
                model.outputs += rest
            case ".mv":
                model.values.update(_values(first, rest))
            case ".latch":
                if len(rest) != 2:
                    message = f"found {len(rest)} words after `.latch`, expected 2"
                    raise SyntaxProblem(message, first.span, hint=".latch INPUT OUTPUT; `.reset OUTPUT` gives its first value")
                model.latches.append(_Latch(*rest))
            case ".subckt":
                if len(rest) < 2 or "=" in rest[1].text:
                    hint = ".subckt MODEL INSTANCE FORMAL=ACTUAL …"
                    raise SyntaxProblem("expected a model and an instance after `.subckt`", first.span, hint=hint)
                model.calls.append(Call(*call_of(first, [rest[0], *rest[2:]]), rest[1].text))
            case _:
                self._table = _table(first, rest)
                (model.resets if first.text in (".reset", ".r") else model.tables).append(self._table)

    def _row(self, words: list[PlacedWord]) -> None:
        if self._table is None:
            message = f"found `{words[0].text[:40]}`, expected a line of a model"
            raise SyntaxProblem(message, words[0].span, hint="the rows of a table follow `.table`")
        self._require_width(words, len(self._table.inputs) + len(self._table.outputs), "a row")
        self._table.rows.append(words)

    def _default(self, first: PlacedWord, words: list[PlacedWord]) -> None:
        if self._table is None:
            raise SyntaxProblem(f"there is no table for this `{first.text}`", first.span, hint="it follows `.table`")
        if self._table.default is not None:
            raise SyntaxProblem("the table has two defaults", first.span)
        if len(words) == 1 < len(self._table.outputs) and not self._table.rows:
            *more, output = self._table.outputs
            self._warn(f"the default has one value, so `{output.text}` is read as the only output: the arrow is misplaced", first)
            self._table.inputs, self._table.outputs = [*self._table.inputs, *more], [output]
        self._require_width([first, *words], 1 + len(self._table.outputs), "a default")
        self._table.default = words

    @staticmethod
    def _require_width(words: list[PlacedWord], width: int, what: str) -> None:
        if len(words) != width:
            inner = 1 if what == "a default" else 0
            message = f"found {len(words) - inner} values, expected {width - inner}"
            raise SyntaxProblem(message, words[0].span, hint=f"{what} has one for each signal")


def _joined_sets(words: list[PlacedWord]) -> list[PlacedWord]:
    """The cells of a row. A set may have blanks in it."""
    cells: list[PlacedWord] = []
    closing = ""
    for word in words:
        if closing:
            last = cells[-1]
            word = cells[-1] = PlacedWord(last.text + word.text, Span(last.span.source, last.span.start, word.span.end))
        else:
            cells.append(word)
            closing = _OPEN.get(word.text.removeprefix("!")[:1], "")
        if closing and word.text.endswith(closing):
            closing = ""
    if closing:
        raise SyntaxProblem(f"expected `{closing}` at the end of the set", cells[-1].span)
    return cells


def _table(first: PlacedWord, rest: list[PlacedWord]) -> MvTable:
    signals: list[PlacedWord] = []
    outputs: list[PlacedWord] | None = None
    for word in rest:
        if word.text.startswith("->"):
            if outputs is not None:
                raise SyntaxProblem("a table has one arrow", word.span)
            outputs = []
            word = PlacedWord(word.text[2:], word.span)
        if word.text:
            (signals if outputs is None else outputs).append(word)
    if outputs is None:
        signals, outputs = signals[:-1], signals[-1:]
    if not outputs:
        raise SyntaxProblem("a table has at least one output", first.span, hint=f"{first.text} IN … -> OUT …")
    return MvTable(signals, outputs)


def _values(first: PlacedWord, rest: list[PlacedWord]) -> dict[str, tuple[str, ...]]:
    """The signals that a line declares, and the names of their values."""
    hint = ".mv SIGNAL, … SIZE [VALUE …]"
    names = [rest[0]] if rest else []
    while names and len(names) < len(rest) and (names[-1].text.endswith(",") or rest[len(names)].text.startswith(",")):
        names.append(rest[len(names)])
    signals = [name for word in names for name in word.text.split(",") if name]
    if not signals or len(rest) == len(names):
        raise SyntaxProblem("expected signals and their number of values", first.span, hint=hint)
    word, values = rest[len(names)], rest[len(names) + 1 :]
    if not word.text.isdecimal() or not int(word.text[:20]):
        raise SyntaxProblem(f"found `{word.text[:40]}`, expected a number of values", word.span, hint=hint)
    if len(word.text) > 8 or int(word.text) > MOST_VALUES:
        raise Unsupported(f"no signal has more than {MOST_VALUES} values", word.span)
    size = int(word.text)
    if values and len(values) != size:
        raise SyntaxProblem(f"found {len(values)} values, expected {size}", values[0].span, hint=hint)
    texts = tuple(value.text for value in values) or _numbers(size)
    if len(set(texts)) < size:
        value = next(value for k, value in enumerate(values) if value.text in texts[:k])
        raise NameProblem(f"the value `{value.text}` is there twice", value.span)
    return dict.fromkeys(signals, texts)


@cache
def _numbers(size: int) -> tuple[str, ...]:
    return tuple(map(str, range(size)))
