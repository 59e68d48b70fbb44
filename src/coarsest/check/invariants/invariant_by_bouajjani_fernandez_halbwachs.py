"""Does an invariant hold? Stabilise the initial block by all blocks, and mark those from which a bad state can be reached.

Reference: Fisler, Vardi 1999, figure 10; Bouajjani, Fernandez, Halbwachs 1990 for the minimiser.
Symbols:   ρ is `partition`, I is `initial_block`, N is `parts`, M is `finer`; a block is a set with a mark.
Invariant: from every state of a marked block a bad state can be reached; the initial block G_i alone is unmarked (lemma 12).
Deviates:  many initial states: as there is one unmarked block, they are all in it, or the property fails.
Cost:      iteration j takes a preimage, an intersection and two equality checks for each of at least j + 1 blocks; as many
           iterations as backward reachability.
"""

from __future__ import annotations

from typing import Generic, NamedTuple

from coarsest.check.invariants.on_the_fly import OnTheFly
from coarsest.run import Run
from coarsest.space.space import S, StateSpace


class Block(NamedTuple, Generic[S]):
    states: S
    marked: bool


def check_invariant(space: StateSpace[S], good: S, run: Run) -> OnTheFly[S]:
    """Is every reachable state good? The step relation must be total."""
    bad, initial = space.states - good, space.initial
    initial_block = Block(good, False)  # (1)
    others = [Block(bad, True)] if bad else []  # (2): the rest of ρ, all of it marked
    rings, iterations = [bad], 0
    if initial & bad:
        return OnTheFly(False, tuple(rings), good, iterations)
    while True:  # (3)
        run.step("bouajjani-fernandez-halbwachs", blocks=len(others) + 1, **space.cost(initial_block.states))
        iterations += 1
        parts = split(space, initial_block, [initial_block, *others])  # (4)
        if len(parts) == 1:  # (5)
            after = space.post(initial_block.states)
            leaves = any(after & other.states for other in others)  # (6)
            if leaves:  # (7)
                return OnTheFly(False, (*rings, initial_block.states), space.empty, iterations, outside=1)
            return OnTheFly(True, tuple(rings), initial_block.states, iterations, outside=1)  # (8)
        before = initial_block.states
        unmarked = [part for part in parts if not part.marked]
        others += [part for part in parts if part.marked]  # (11)
        initial_block = unmarked[0] if unmarked else Block(space.empty, False)
        rings.append(before - initial_block.states)
        if not initial <= initial_block.states:  # (12), (3): the block of some initial state is marked
            return OnTheFly(False, tuple(rings), initial_block.states, iterations)  # (15)


def split(space: StateSpace[S], block: Block[S], partition: list[Block[S]]) -> list[Block[S]]:  # (16)
    """The block in parts that are stable with respect to the partition, with their marks."""
    parts = [block]  # (17)
    for splitter in partition:  # (18)
        can_enter = space.pre(splitter.states)
        finer: list[Block[S]] = []  # (19)
        for part in parts:  # (20)
            inside = part.states & can_enter  # (21)
            whole, nothing = inside == part.states, not inside
            if whole or nothing:  # (22)
                finer.append(Block(part.states, part.marked or (whole and splitter.marked)))  # (23), (24)
            else:
                finer.append(Block(inside, part.marked or splitter.marked))  # (26)
                finer.append(Block(part.states - inside, part.marked))  # (27)
        parts = finer  # (31)
    return parts
