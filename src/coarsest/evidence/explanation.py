"""Explanations: tree-shaped evidence for the truth or falsity of a formula in a state.

    because AG (t -> AF c) is false in this state:
        a path leads to a state where t -> AF c is false
            there t is true, and
            AF c is false: a lasso on which c is never true
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from coarsest.logic.expr import Expr
from coarsest.logic.show import show
from coarsest.model.trace import Trace


class Explanation(Struct, frozen=True):
    """Why `formula` is true (or false) in the first state of `trace`."""

    formula: Expr
    holds: bool
    because: str
    trace: Trace
    """The path or lasso that shows it; a single state if the state itself does."""
    parts: tuple[tuple[int, Explanation], ...] = ()
    """Explanations of parts of the formula, each with its position in the trace."""
    complete: bool = True
    """False for claims about all paths, which no finite tree can show, and about paths that are too long to list."""

    def __repr__(self) -> str:
        return f"<Explanation: {show(self.formula)} is {'true' if self.holds else 'false'}, because {self.because}>"

    def walk(self) -> Iterator[Explanation]:
        """This explanation and all below it."""
        yield self
        for _, part in self.parts:
            yield from part.walk()

    @property
    def shows_a_path(self) -> bool:
        """Is there a path to look at? Otherwise, the claim is about all paths from one state."""
        path = self.longest()
        return len(path) > 1 or path.loop is not None or all(part.complete for part in self.walk())

    def longest(self) -> Trace:
        """One trace through the tree: along each path to its last branching, then on from there."""
        if self.trace.loop is not None:
            return self.trace
        for position, part in self.parts:
            if position == len(self.trace) - 1:
                rest = part.longest()
                if len(rest) > 1 or rest.loop is not None:
                    return join(self.trace, rest)
        return self.trace


def join(first: Trace, rest: Trace) -> Trace:
    """A trace and its continuation, which begins with the state where it ends."""
    loop = None if rest.loop is None else rest.loop + len(first) - 1
    inputs = (*first.inputs, *rest.inputs) if first.inputs or rest.inputs else ()
    return Trace((*first.states, *rest.states[1:]), inputs, loop)
