"""An explanation unfolded along the path that it follows, for reading.

A part that continues along the path that is already shown stays on it; a part that needs another path has its own.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from msgspec import Struct

from coarsest.evidence.explanation import Explanation
from coarsest.logic.branching.ctl import is_temporal
from coarsest.model.trace import Trace


class Reason(Struct, frozen=True):
    """A claim about a state of a path."""

    at: int
    claim: Explanation
    path: Trace | None
    """The path that shows the claim, if it leaves the path of the state."""
    parts: tuple[Reason, ...] = ()

    def walk(self) -> Iterator[Reason]:
        yield self
        for part in self.parts:
            yield from part.walk()

    def on_the_same_path(self) -> Iterator[Reason]:
        """This claim, and the claims below it that are about its path."""
        yield self
        for part in self.parts:
            if part.path is None:
                yield from part.on_the_same_path()


def unfold(explanation: Explanation) -> Reason:
    """The explanation along its longest path."""
    return _branch(0, explanation)


def _branch(at: int, claim: Explanation) -> Reason:
    path = claim.longest()
    return Reason(at, claim, path, tuple(_parts(claim, path, 0)))


def _parts(claim: Explanation, path: Trace, offset: int) -> Iterator[Reason]:
    """The temporal parts of a claim about a position of the path. Conditions on one state say no more than the claim itself."""
    for position, part in claim.parts:
        if not is_temporal(part.formula):
            continue
        at = _folded(path, offset + position)
        if _follows(path, at, part.longest()):
            yield Reason(at, part, None, tuple(_parts(part, path, at)))
        else:
            yield _branch(at, part)


def _folded(path: Trace, position: int) -> int:
    """The state at a position of the path, which may be beyond its end if it loops."""
    if position < len(path) or path.loop is None:
        return position
    return path.loop + (position - path.loop) % (len(path) - path.loop)


def _follows(path: Trace, at: int, other: Trace) -> bool:
    """Is the other trace equal to the path from this position on, with the same inputs?"""
    if other.loop is None and path.loop is None:
        steps = len(other) - 1
        return path.states[at : at + len(other)] == other.states and path.inputs[at : at + steps] == other.inputs[:steps]
    if path.loop is None:
        return False
    length = len(other) if other.loop is None else len(path) + len(other) + max(len(path), len(other))
    pairs = islice(zip(_positions(path, at), _positions(other, 0)), length)
    return all(state == its_state and (step == its_step or None in (step, its_step))
               for (state, step), (its_state, its_step) in pairs)  # fmt: skip


def _positions(path: Trace, at: int) -> Iterator[tuple[object, object]]:
    """The states, each with the inputs of the step that leaves it; the last state has none."""
    while at < len(path) or path.loop is not None:
        k = _folded(path, at)
        yield path.states[k], path.inputs[k] if k < len(path.inputs) else None
        at += 1
