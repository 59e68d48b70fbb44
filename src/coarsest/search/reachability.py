"""Which states can be reached, forwards or backwards.

Reference: Burch, Clarke, McMillan, Dill, Hwang 1992 (breadth-first); Roig, Cortadella, Pastor 1995 (chaining).
Symbols:   –
Invariant: breadth-first: rings[i] are the states at distance i exactly, and `reached` is the union of the rings and the frontier.
           chaining: `reached` lies between the start and the reachable states, and grows.
Deviates:  a search can be asked for one goal after another; it goes on from where it stopped.
Cost:      breadth-first: one image per ring. Chaining: images of one part of the relation, on all of `reached`, until it finds
           nothing new, then of the next part; usually far fewer sweeps than rings, and smaller sets, but no distances.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from itertools import cycle
from typing import Generic

from coarsest.run import Run
from coarsest.space.space import S, StateSpace


class Search(ABC, Generic[S]):
    """What has been reached so far, and the way on."""

    reached: S

    @property
    @abstractmethod
    def complete(self) -> bool:
        """Is there nothing more to be reached?"""

    @abstractmethod
    def advance(self, run: Run) -> None:
        """Go one step on."""

    def finish(self, run: Run) -> S:
        """All that can be reached."""
        while not self.complete:
            self.advance(run)
        return self.reached


class WithoutDistances(Search[S]):
    """A search that tells whether a goal can be reached, and not how soon."""

    images = 0
    """So many were taken, each of a part of the relation."""

    def meet(self, goal: S, run: Run) -> bool:
        """Can the goal be reached?"""
        while not self.reached & goal:
            if self.complete:
                return False
            self.advance(run)
        return True


class BreadthFirst(Search[S]):
    """A search ring by ring from `start`; backwards it finds the states from which `start` can be reached."""

    def __init__(self, space: StateSpace[S], start: S, *, backwards: bool = False) -> None:
        self.space = space
        self.backwards = backwards
        self.rings: list[S] = []
        self.reached = start
        self._frontier = start
        self._step: Callable[[S], S] = space.pre if backwards else space.post

    @property
    def complete(self) -> bool:
        return not self._frontier

    @property
    def frontier(self) -> S:
        """The states found last, whose neighbours are not known yet."""
        return self._frontier

    def advance(self, run: Run) -> None:
        """Make the frontier a ring, and find the next frontier."""
        run.step("backward reachability" if self.backwards else "forward reachability", **self._facts())
        unseen = self._step(self._frontier) - self.reached
        self.reached = self.reached | unseen  # an operation that runs out of nodes leaves everything as it is
        self.rings.append(self._frontier)
        self._frontier = unseen

    def meet(self, goal: S, run: Run) -> list[S] | None:
        """The rings up to the first that meets the goal; None if none does."""
        for distance, ring in enumerate(self.rings):
            if ring & goal:
                return self.rings[: distance + 1]
        while not self.complete:
            if self._frontier & goal:
                return [*self.rings, self._frontier]
            self.advance(run)
        return None

    def _facts(self) -> dict[str, int]:
        return {"ring": len(self.rings), **self.space.cost(self.reached)}


class Chaining(WithoutDistances[S]):
    """A search without distances: each part of the relation sees what the parts before it have found.

    One part is taken again and again until it finds nothing new. A process then runs as far as it can before the next one moves,
    and there are few sets in which some of them are on the way.
    """

    def __init__(self, space: StateSpace[S], start: S, *, backwards: bool = False, through: S | None = None) -> None:
        self.space = space
        self.reached = start
        self._through = through
        self._parts = [part.pre if backwards else part.post for part in space.parts]
        self._turns = to_and_fro(len(self._parts))
        self._turn = next(self._turns, 0)
        self._settled = set[int]()
        """The parts that find nothing new."""

    @property
    def complete(self) -> bool:
        return len(self._settled) == len(self._parts)

    def advance(self, run: Run) -> None:
        """Apply one part of the relation."""
        run.step("chaining", **self.space.cost(self.reached))
        self.images += 1
        neighbours = self._parts[self._turn](self.reached)
        grown = self.reached | (neighbours if self._through is None else neighbours & self._through)
        if grown != self.reached:
            self._settled.clear()
            self.reached = grown
            return
        self._settled.add(self._turn)
        while self._turn in self._settled and not self.complete:
            self._turn = next(self._turns)


def to_and_fro(count: int) -> Iterator[int]:
    """So many numbers in their order, then in the opposite one, and so on.

    In a ring of processes, what one step or constraint adds or removes often lets the next or the one before do the same. To and
    fro, such a wave passes in one round or two, instead of moving by one in each round.

    >>> from itertools import islice
    >>> list(islice(to_and_fro(3), 8))
    [0, 1, 2, 2, 1, 0, 0, 1]
    """
    return cycle([*range(count), *reversed(range(count))])


def search_from(space: StateSpace[S], start: S, *, search: str = "auto") -> Search[S]:
    """A search for all that can be reached from `start`: by chaining if the relation has parts, unless it is said how."""
    by_chaining = search == "chaining" or (search == "auto" and len(space.parts) > 1)
    return Chaining(space, start) if by_chaining else BreadthFirst(space, start)


def explore(space: StateSpace[S], run: Run, start: S, *, search: str = "auto") -> S:
    """All that can be reached from `start`."""
    return search_from(space, start, search=search).finish(run)
