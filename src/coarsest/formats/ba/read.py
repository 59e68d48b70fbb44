"""Büchi automata of RABIT to graphs: a state is accepting or not, which is its label.

First come the initial states, one on each line, then the transitions `letter,from->to`, then the accepting states, one on each
line. States have any names; if no initial state is named, it is the source of the first transition, and if no
accepting one is named, all are accepting.

Reference: Abdulla, Chen, Clemente, Holík, Hong, Mayr and Vojnar, RABIT, the BA format.
"""

from __future__ import annotations

from codecs import BOM_UTF8
from collections.abc import Sequence
from typing import TYPE_CHECKING, overload

from msgspec.structs import replace

from coarsest.errors import InputError, SyntaxProblem
from coarsest.files import Contents
from coarsest.formats.aut.explain import excerpt
from coarsest.run import Run
from coarsest.text import Source, Span

if TYPE_CHECKING:
    import mmap

    import numpy as np
    from numpy.typing import NDArray

    from coarsest.lts.labelled import Graph

ACCEPTING = "accepting"
LABELS = ("", ACCEPTING)
FORM = "initial states, then transitions LETTER,FROM->TO, then accepting states, one on each line"
LONGEST_SHOWN = 40
BRACKETS = 2
"""Around the name of a state there usually are two."""
SLICE = 4 << 20
"""Bytes between two looks at limits."""


def read(contents: Contents, *, run: Run | None = None) -> Graph:
    """The graph of a file."""
    return parse(contents.data, contents.name, run=run)


def parse(text: bytes | mmap.mmap, name: str = "<text>", *, run: Run | None = None, choice: str = "auto") -> Graph:
    """The graph that a text describes; `choice` is of "auto", "compiled" and "pure".

    >>> graph = parse(b"[p]\\na,[p]->[q]\\nb,[q]->[p]\\n[q]\\n")
    >>> graph, graph.labels.tolist()
    (<Graph: 2 states, 2 transitions, 2 actions, 2 labels>, [0, 1])
    """
    import numpy as np

    from coarsest.lts.labelled import Graph

    lines = _Lines(text, run or Run(), choice)
    if lines.reached < len(text):
        raise _wrong_line(bytes(text), name, lines.reached, ended=lines.accepting.size > 0)
    if not lines.states:
        raise SyntaxProblem("the file is empty, expected a Büchi automaton", Span(Source(name, ""), 0, 1), hint=FORM)
    labels = np.zeros(lines.states, dtype=np.int64)
    labels[lines.accepting if len(lines.accepting) else slice(None)] = 1
    initial = lines.initial if len(lines.initial) else lines.columns[0][:1]
    graph = Graph.from_edges(
        lines.states, *lines.columns, initial=np.unique(initial), labels=labels, action_names=lines.letters() or ("",),
        label_names=LABELS,
    )  # fmt: skip
    return replace(graph, state_names=StateNames(text, lines.state_places))


class StateNames(Sequence[str]):
    """The names of states where they stand in a text: few of them are asked for."""

    def __init__(self, text: bytes | mmap.mmap, places: NDArray[np.int64]) -> None:
        self._text, self._places = text, places

    def __len__(self) -> int:
        return len(self._places)

    @overload
    def __getitem__(self, number: int) -> str: ...
    @overload
    def __getitem__(self, number: slice) -> Sequence[str]: ...
    def __getitem__(self, number: int | slice) -> str | Sequence[str]:
        if isinstance(number, slice):
            return StateNames(self._text, self._places[number])
        first, last = self._places[number].tolist()
        name = self._text[first:last].decode("utf-8", "surrogateescape")
        return name[1:-1] if len(name) > BRACKETS and name[0] == "[" and name[-1] == "]" else name


class _Lines:
    """The lines of a text, up to one that is wrong, a slice at a time."""

    def __init__(self, text: bytes | mmap.mmap, run: Run, choice: str) -> None:
        import numpy as np

        from coarsest._kernels.choose import kernels

        data = np.frombuffer(text, dtype=np.uint8)
        most = 1 + sum(int(np.count_nonzero(data[at : at + SLICE] == ord("\n"))) for at in range(0, len(text), SLICE))
        kernel = kernels("text.ba_text", most, choice)
        columns = [np.empty(most, dtype=np.int32) for _ in range(4)]
        states, letters = np.empty((1 << 10, 2), dtype=np.int64), np.empty((1 << 6, 2), dtype=np.int64)
        counts = np.zeros(5, dtype=np.int64)
        self.reached = len(BOM_UTF8) if text[: len(BOM_UTF8)] == BOM_UTF8 else 0
        while self.reached < len(text):
            run.step("read", transitions=int(counts[0]))
            line_end = text.find(b"\n", min(self.reached + SLICE, len(text)))
            stop = len(text) if line_end < 0 else line_end + 1
            self.reached = kernel.parse_lines(data, self.reached, stop, *columns, states, letters, counts)
            if self.reached == stop:
                continue
            if counts[1] + 2 <= len(states) and counts[2] < len(letters):
                break
            states, letters = np.concatenate([states] * 4), np.concatenate([letters] * 4)
        self._text, self._letters, self.state_places = text, letters[: counts[2]], states[: counts[1]].copy()
        self.states = int(counts[1])
        self.columns = [column[: counts[0]] for column in columns[:3]]
        self.initial, self.accepting = columns[3][: counts[4]], columns[3][counts[4] : counts[3]]

    def letters(self) -> tuple[str, ...]:
        return tuple(self._text[first:last].decode("utf-8", "surrogateescape") for first, last in self._letters.tolist())


def _wrong_line(text: bytes, name: str, place: int, *, ended: bool) -> InputError:
    """The line at a place is neither a state nor a transition; or it is a transition, and those have `ended`."""
    line = excerpt(text, name, place)
    text_of_line = line.text.strip("\ufeff \t\r\v\f")
    start = line.text.index(text_of_line)
    span = Span(line, start, start + len(text_of_line))
    text_of_line = text_of_line if len(text_of_line) <= LONGEST_SHOWN else text_of_line[: LONGEST_SHOWN - 3] + "..."
    if "->" not in span.text:
        return SyntaxProblem(f"found `{text_of_line}`, expected a state or a transition", span, hint=FORM)
    if ended:
        return SyntaxProblem("found a transition after the accepting states, expected an accepting state", span, hint=FORM)
    return SyntaxProblem(f"found `{text_of_line}`, expected a transition", span, hint=FORM)
