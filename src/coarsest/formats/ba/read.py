"""Büchi automata of RABIT to graphs: the label of a state says whether it is accepting.

First come the initial states, one on each line, then the transitions `letter,from->to`, then the accepting states, one on each
line. States have any names. If no initial state is named, the source of the first transition is initial; if no accepting state
is named, all are accepting.

Reference: Abdulla, Chen, Clemente, Holík, Hong, Mayr and Vojnar, RABIT, the BA format.
"""

from __future__ import annotations

from codecs import BOM_UTF8
from collections.abc import Sequence
from typing import TYPE_CHECKING, overload

from msgspec.structs import replace

from coarsest import tuning
from coarsest.errors import InputError, SyntaxProblem
from coarsest.files import Contents
from coarsest.run import Run
from coarsest.text import Source, Span, excerpt
from coarsest.text.printable import shortened

if TYPE_CHECKING:
    import mmap

    import numpy as np
    from numpy.typing import NDArray

    from coarsest.lts.labelled import Graph

ACCEPTING = "accepting"
LABELS = ("", ACCEPTING)
FORM = "initial states, then transitions LETTER,FROM->TO, then accepting states, one on each line"


def read(contents: Contents, *, run: Run | None = None) -> Graph:
    """The graph of a file."""
    return parse(contents.data, contents.name, run=run)


def parse(text: bytes | mmap.mmap, name: str = "<text>", *, run: Run | None = None, choice: str = "auto") -> Graph:
    """The graph that a text describes; `choice` is "auto", "compiled" or "pure".

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
    return replace(graph, state_names=StateNames(text, lines.state_spans))


class StateNames(Sequence[str]):
    """The names of states. They stay in the text, since few of them are asked for."""

    def __init__(self, text: bytes | mmap.mmap, spans: NDArray[np.int64]) -> None:
        self._text, self._spans = text, spans

    def __len__(self) -> int:
        return len(self._spans)

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[str]: ...
    def __getitem__(self, index: int | slice) -> str | Sequence[str]:
        if isinstance(index, slice):
            return StateNames(self._text, self._spans[index])
        first, last = self._spans[index].tolist()
        name = self._text[first:last].decode("utf-8", "surrogateescape")
        return name[1:-1] if len(name) > len("[]") and name[0] == "[" and name[-1] == "]" else name


class _Lines:
    """The lines of a text up to the first wrong one, read slice by slice."""

    def __init__(self, text: bytes | mmap.mmap, run: Run, choice: str) -> None:
        import numpy as np

        from coarsest._kernels.choose import kernels

        data, step = np.frombuffer(text, dtype=np.uint8), tuning.TEXT_SLICE
        most = 1 + sum(int(np.count_nonzero(data[at : at + step] == ord("\n"))) for at in range(0, len(text), step))
        kernel = kernels("text.ba_text", most, choice)
        columns = [np.empty(most, dtype=np.int32) for _ in range(4)]
        states, letters = np.empty((1 << 10, 2), dtype=np.int64), np.empty((1 << 6, 2), dtype=np.int64)
        counts = np.zeros(5, dtype=np.int64)
        self.reached = len(BOM_UTF8) if text[: len(BOM_UTF8)] == BOM_UTF8 else 0
        while self.reached < len(text):
            run.step("read", transitions=int(counts[0]))
            line_end = text.find(b"\n", min(self.reached + step, len(text)))
            stop = len(text) if line_end < 0 else line_end + 1
            self.reached = kernel.parse_lines(data, self.reached, stop, *columns, states, letters, counts)
            if self.reached == stop:
                continue
            if counts[1] + 2 <= len(states) and counts[2] < len(letters):
                break
            states, letters = np.concatenate([states] * 4), np.concatenate([letters] * 4)
        self._text, self._letters, self.state_spans = text, letters[: counts[2]], states[: counts[1]].copy()
        self.states = int(counts[1])
        self.columns = [column[: counts[0]] for column in columns[:3]]
        self.initial, self.accepting = columns[3][: counts[4]], columns[3][counts[4] : counts[3]]

    def letters(self) -> tuple[str, ...]:
        return tuple(self._text[first:last].decode("utf-8", "surrogateescape") for first, last in self._letters.tolist())


def _wrong_line(text: bytes, name: str, offset: int, *, ended: bool) -> InputError:
    """The error of a line that is neither a state nor a transition, or is a transition after the transitions have `ended`."""
    line = excerpt(text, name, offset)
    text_of_line = line.text.strip("\ufeff \t\r\v\f")
    start = line.text.index(text_of_line)
    span = Span(line, start, start + len(text_of_line))
    if "->" not in text_of_line:
        return SyntaxProblem(f"found `{shortened(text_of_line)}`, expected a state or a transition", span, hint=FORM)
    if ended:
        return SyntaxProblem("found a transition after the accepting states, expected an accepting state", span, hint=FORM)
    return SyntaxProblem(f"found `{shortened(text_of_line)}`, expected a transition", span, hint=FORM)
