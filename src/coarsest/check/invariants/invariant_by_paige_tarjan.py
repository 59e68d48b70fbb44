"""Does an invariant hold? Split by parts of compound blocks, and mark the blocks from which a bad state can be reached.

Reference: Fisler, Vardi 1999, figure 13 and table 5; Paige, Tarjan 1987 for the minimiser.
Symbols:   Q is `blocks`, X the `_Compound`s; S is `compound`, B is `splitter`, E_1 is `can_enter`, E_2 is `only`;
           D_1, D_2, D_11, D_12 are `inside`, `outside`, `only_inside`, `both_ways`.
Invariant: from every state of a marked block a bad state can be reached; at most one block is unmarked (lemma 16).
Deviates:  many initial states: the property fails as soon as one of them is in a marked block. Where the only unmarked block is
           the splitter and none of its states, or each of them, can leave it both ways, the figure creates no block to be
           marked, and could end without seeing a violation; here the block itself is marked.
Cost:      2 preimages per iteration, of which there are at least as many as of backward reachability. Marked blocks need
           not be split; with `split_marked` they are, as in the original, for comparison.
"""

from __future__ import annotations

from typing import Generic

from msgspec import Struct

from coarsest.check.invariants.on_the_fly import OnTheFly
from coarsest.run import Run
from coarsest.space.space import S, StateSpace


class _Block(Struct, Generic[S], eq=False):
    states: S
    marked: bool
    home: _Compound[S]


class _Compound(Struct, Generic[S], eq=False):
    """A block of X: the blocks of Q in it, and all their states."""

    parts: list[_Block[S]]
    states: S


def check_invariant(space: StateSpace[S], good: S, run: Run, *, split_marked: bool = False) -> OnTheFly[S]:
    """Is every reachable state good? The step relation must be total."""
    return _Check(space, good, split_marked=split_marked).verdict(run)


class _Check(Generic[S]):
    def __init__(self, space: StateSpace[S], good: S, *, split_marked: bool) -> None:
        self.space = space
        self.split_marked = split_marked
        bad = space.states - good
        everything = _Compound([], space.states)  # (1)
        blocks = [_Block(good, False, everything), _Block(bad, True, everything)]  # (2), (4)
        everything.parts = [block for block in blocks if block.states]
        self.blocks = list(everything.parts)
        self.compounds = {everything: None} if len(self.blocks) > 1 else {}
        self.rings = [bad]
        self.unmarked = good

    def verdict(self, run: Run) -> OnTheFly[S]:
        iterations = 0
        fails = bool(self.space.initial & self.rings[0])  # (3)
        while self.compounds and not fails:  # (5)
            run.step("paige-tarjan", blocks=len(self.blocks), compound=len(self.compounds))
            iterations += 1
            before = self.unmarked
            self._iterate()
            rest = before - self.unmarked
            if rest:
                self.rings.append(rest)
                fails = bool(self.space.initial & rest)  # (32), (33)
        return OnTheFly(not fails, tuple(self.rings), self.unmarked, iterations)  # (36)

    def _iterate(self) -> None:
        compound = next(iter(self.compounds))  # (6)
        splitter = min(compound.parts, key=lambda block: self.space.count(block.states))  # (7)
        compound.parts.remove(splitter)  # (8)
        compound.states = compound.states - splitter.states
        splitter.home = _Compound([splitter], splitter.states)
        if len(compound.parts) == 1:
            del self.compounds[compound]
        by_marked = splitter.marked
        can_enter = self.space.pre(splitter.states)  # (9)
        only = can_enter - self.space.pre(compound.states)  # (10)
        for block in list(self.blocks):  # (11)
            if (self.split_marked or not block.marked) and block.states & can_enter:
                self._split(block, can_enter, only, by_marked=by_marked)
            elif not block.marked and not by_marked:
                self._mark(block)  # no state of it can enter the only unmarked block

    def _split(self, block: _Block[S], can_enter: S, only: S, *, by_marked: bool) -> None:
        inside = block.states & can_enter  # (12)
        outside = block.states - inside  # (13)
        was_marked, was_unmarked = block.marked, not block.marked
        block.states, block.marked = inside, was_marked or by_marked  # (14), (15)
        if outside:  # (16)
            self._add(outside, block, marked=was_marked or not by_marked)  # (17) to (19)
        only_inside = inside & only
        if only_inside:  # (21)
            both_ways = inside - only_inside  # (23)
            block.states = only_inside  # (22), (24), (25)
            if both_ways:  # (26)
                self._add(both_ways, block, marked=True)  # (27) to (29)
        elif was_unmarked and not by_marked:
            block.marked = True  # all of it can enter S - B, of which every block is marked
        if was_unmarked:
            self.unmarked = next((b.states for b in self.blocks if not b.marked), self.space.empty)

    def _mark(self, block: _Block[S]) -> None:
        block.marked = True
        self.unmarked = self.space.empty

    def _add(self, states: S, twin: _Block[S], *, marked: bool) -> None:
        self.blocks.append(_Block(states, marked, twin.home))
        twin.home.parts.append(self.blocks[-1])
        self.compounds[twin.home] = None
