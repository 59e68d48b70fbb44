"""Graphs as Aldébaran text: while one piece is written to a file, a thread makes the next one."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from threading import Lock, Thread
from typing import TYPE_CHECKING, Any, Final, Protocol

from coarsest import tuning
from coarsest._kernels.columns import Column
from coarsest.errors import Unsupported
from coarsest.formats.aut.read import columns_kernel, processors

if TYPE_CHECKING:
    from coarsest.lts.labelled import Graph

PADDING: Final = 16
"""The size of the blocks of bytes in which labels are copied; there must be room for a block after the last label, too."""
BARE = "i"
"""The hidden action of CADP is written without quotation marks."""


class RowsToWrite(Protocol):
    """Transitions by their source, in columns or in arrays."""

    @property
    def offsets(self) -> Any: ...
    @property
    def actions(self) -> Any: ...
    @property
    def targets(self) -> Any: ...


def write(graph: Graph) -> str:
    """The graph as text, a transition on each line, in the order of their sources.

    >>> from coarsest.formats.aut.read import parse
    >>> print(write(parse(b'des (0,2,2)\\n(1,i,0)\\n(0,a,1)\\n')), end="")
    des (0, 2, 2)
    (0, "a", 1)
    (1, i, 0)
    """
    return b"".join(pieces(graph)).decode("utf-8", "surrogateescape")


def pieces(graph: Graph, *, choice: str = "auto") -> Iterator[bytes]:
    """The text in pieces of moderate size; `choice` is "auto", "compiled" or "pure"."""
    require_writable(graph)
    for piece in text_of(graph, int(graph.initial[0]), graph.action_names, ahead=processors() > 1, choice=choice):
        yield bytes(piece)


def require_writable(graph: Graph) -> None:
    """Raise an error if the format cannot express the graph."""
    if len(graph.initial) != 1:
        message = f"Aldébaran text has one initial state, and this graph has {len(graph.initial)}"
        raise Unsupported(message, hint="write .ba instead")
    if len(graph.label_names) > 1:
        raise Unsupported("Aldébaran text has no labels on states", hint="write .ba instead")


def text_of(
    graph: RowsToWrite, initial: int, names: Sequence[str], *, ahead: bool, choice: str = "auto"
) -> Iterator[bytes | memoryview]:
    """The text in pieces, each of which is valid until the next one is asked for."""
    states, transitions = len(graph.offsets) - 1, len(graph.targets)
    yield f"des ({initial}, {transitions}, {states})\n".encode()
    labels = [(name if name == BARE else f'"{name}"').encode("utf-8", "surrogateescape") for name in names]
    ends = [0]
    for label in labels:
        ends.append(ends[-1] + len(label))
    written, cuts, reached = Column.of("u1", b"".join([*labels, bytes(PADDING)])), Column.of("i8", ends), Column("i8", 2)
    buffers = [Column("u1", tuning.AUT_PIECE + max(map(len, labels))) for _ in range(2)]
    kernel = columns_kernel("text.aut_lines", "write_lines", transitions=transitions, choice=choice)
    fill = partial(kernel, graph.offsets, graph.actions, graph.targets, written, cuts)

    def piece(index: int) -> memoryview | None:
        """The next piece, in the buffer of the last piece but one; None at the end."""
        if reached[1] == transitions:
            return None
        return buffers[index % 2].view(fill(buffers[index % 2], reached))

    yield from _made_ahead(piece) if ahead and transitions > tuning.AUT_TRANSITIONS_FOR_A_WRITER else _made(piece)


def _made(piece: Callable[[int], memoryview | None]) -> Iterator[memoryview]:
    index = 0
    while (made := piece(index)) is not None:
        yield made
        index += 1


def _made_ahead(piece: Callable[[int], memoryview | None]) -> Iterator[memoryview]:
    """The pieces: while one is in use, a thread makes the next one."""
    ahead = _Ahead(piece)
    ahead.start()
    try:
        while (made := ahead.taken()) is not None:
            yield made
    finally:
        ahead.end()


class _Ahead(Thread):
    """Makes each piece before it is asked for. Each of the two threads has a lock, and goes on while its lock is open."""

    def __init__(self, piece: Callable[[int], memoryview | None]) -> None:
        super().__init__(name="lines", daemon=True)
        self._piece = piece
        self._made: list[memoryview | None] = []
        self._error: BaseException | None = None
        self._is_over = False
        self._wanted, self._ready = Lock(), Lock()
        self._ready.acquire()

    def run(self) -> None:
        """Make one piece whenever one is wanted."""
        index = 0
        while True:
            self._wanted.acquire()
            if self._is_over:
                return
            try:
                self._made.append(self._piece(index))
            except BaseException as error:
                self._error, self._is_over = error, True
            index += 1
            self._ready.release()

    def taken(self) -> memoryview | None:
        """The next piece, or None; the piece before it is no longer in use."""
        self._ready.acquire()
        if self._error is not None:
            raise self._error
        made = self._made.pop()
        self._wanted.release()
        return made

    def end(self) -> None:
        """Make no more pieces."""
        self._is_over = True
        if self._wanted.locked():
            self._wanted.release()
        self.join()
