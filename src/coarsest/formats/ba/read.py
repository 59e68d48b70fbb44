"""Büchi automata of RABIT to graphs: a state is accepting or not, which is its label.

First come the initial states, one on each line, then the transitions `letter,from->to`, then the accepting states, one on each
line. States have any names; if no initial state is named, it is the source of the first transition, and if no
accepting one is named, all are accepting.

Reference: Abdulla, Chen, Clemente, Holík, Hong, Mayr and Vojnar, RABIT, the BA format.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from coarsest.errors import SyntaxProblem
from coarsest.files import read_text
from coarsest.run import Run
from coarsest.text import Source, Span

if TYPE_CHECKING:
    from coarsest.graph.labelled import Graph

REJECTING, ACCEPTING = LABELS = ("", "accepting")


def read(path: str | os.PathLike[str], *, run: Run | None = None) -> Graph:
    """The graph of a file; `-` is standard input."""
    return parse(read_text(path), run=run)


def parse(source: Source, *, run: Run | None = None) -> Graph:
    """The graph that a text describes.

    >>> graph = parse(Source("two.ba", "[p]\\na,[p]->[q]\\nb,[q]->[p]\\n[q]\\n"))
    >>> graph, graph.labels.tolist()
    (<Graph: 2 states, 2 transitions, 2 actions, 2 labels>, [0, 1])
    """
    import numpy as np

    from coarsest.graph.labelled import Graph

    states: dict[str, int] = {}
    letters: dict[str, int] = {}
    rows: list[tuple[int, int, int]] = []
    initial: list[int] = []
    accepting: list[int] = []
    place = 0
    for number, line in enumerate(source.text.splitlines(keepends=True)):
        if number % 100_000 == 0 and run is not None:
            run.step("read", transitions=len(rows))
        text = line.strip()
        if "->" in text:
            if accepting:
                raise _problem(source, place, line, "a transition after the accepting states", "an accepting state")
            letter, comma, ends = text.partition(",")
            tail, arrow, head = ends.partition("->")
            if not (comma and arrow and letter.strip() and tail.strip() and head.strip()) or "->" in head:
                raise _problem(source, place, line, f"`{text}`", "a transition")
            first, second = (states.setdefault(end.strip(), len(states)) for end in (tail, head))
            rows.append((first, letters.setdefault(letter.strip(), len(letters)), second))
        elif text:
            if "," in text and not text.startswith("["):
                raise _problem(source, place, line, f"`{text}`", "a state or a transition")
            (accepting if rows else initial).append(states.setdefault(text, len(states)))
        place += len(line)
    if not states:
        raise SyntaxProblem("the file is empty, expected a Büchi automaton", Span(source, 0, 1), hint=FORM)
    columns = np.array(rows, dtype=np.int64).reshape(-1, 3).T
    labels = np.zeros(len(states), dtype=np.int64)
    labels[accepting or slice(None)] = 1
    return Graph.from_edges(
        len(states), *columns, initial=sorted(set(initial or [rows[0][0]])), labels=labels, action_names=tuple(letters) or ("",),
        label_names=LABELS,
    )  # fmt: skip


FORM = "initial states, then transitions LETTER,FROM->TO, then accepting states, one on each line"


def _problem(source: Source, place: int, line: str, found: str, expected: str) -> SyntaxProblem:
    start = place + len(line) - len(line.lstrip())
    return SyntaxProblem(f"found {found}, expected {expected}", Span(source, start, place + len(line.rstrip())), hint=FORM)
