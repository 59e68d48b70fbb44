"""Symbolic signature refinement: all blocks are split at once, by the blocks that their states can enter.

Reference: Blom, Orzan 2005 (signatures); Wimmer, Herbstritt, Hermanns, Strampp, Becker 2006 and van Dijk, van de Pol 2018
           (on decision diagrams, with block numbers in variables of their own).
Symbols:   P(x, b) is `numbered`: state x is in the block with number b. The signature of x by an action is the set of b with
           ∃x'. T(x, x') ∧ P(x', b), which is a preimage because steps do not touch b.
Invariant: after each round, P refines the round before; bisimilar states are never in different blocks. A state that is
           not dirty has the signature that it had when its block was made.
Deviates:  old block and signatures by all actions are put into one function, told apart by `tag` variables above b and below x.
           States are alike when they lead to the same subfunction there, so one walk over the nodes above finds all new blocks.
           The largest part of a block keeps its number, and only the states that can enter a block with a new number are
           looked at again, as in Jacobs, Wißmann 2023: their signatures are new, so that they leave the others of their block.
           Where steps are a function of inputs, signatures after the first round list new numbers only: for each input, the
           states of one block enter the same old block, or parts of it.
           A state that is alone in its block is not looked at again. Where there are many nodes, all is done on arrays.
Cost:      one preimage per action and round; one visit, in Python, to each node above the block variables that tells dirty
           states apart.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any, Final, NamedTuple, cast

from coarsest import tuning
from coarsest._kernels.choose import has_library
from coarsest.bdd.protocol import Manager
from coarsest.reduce.partition.diagram_walk import DiagramWalk, Node
from coarsest.reduce.partition.observed import Observed, Snapshot, Watcher
from coarsest.reduce.partition.partition import Lazy, Partition, TooManyBlocks, breadth_first, renumbered
from coarsest.reduce.partition.reachable_part import reachable_states
from coarsest.run import Run
from coarsest.space.bdd.relation.choice import whole_of
from coarsest.space.bdd.relation.monolithic import Monolithic
from coarsest.space.bdd.symbolic import SymbolicSet, SymbolicSpace
from coarsest.space.space import S

BLOCK_BITS: Final = 32
"""Bits of a block number. The low ones are on top, so that small numbers share what is below them."""

NODES_WORTH_COMPILING: Final = 500_000
"""Where there is no library of kernels, they are compiled after Python has visited this many nodes."""
MOST_BITS_OF_A_SHARE: Final = 1000
"""Up to this many bits, the share of all assignments that one state has is a floating-point number without rounding."""

Set = SymbolicSet[Any]


def minimise(
    observed: Observed[S],
    run: Run,
    watch: Watcher[S] | None = None,
    *,
    reached: S | None = None,
    most_blocks: int | None = None,
) -> Partition[S]:
    """The classes of the states of a symbolic space that are `reached`, which are computed unless they are given.

    Raises TooManyBlocks when there are more than `most_blocks` after a round.
    """
    states = cast("Set", reached if reached is not None else reachable_states(observed.space, run))
    rounds = Rounds(cast("Observed[Set]", observed), run, cast("Watcher[Set] | None", watch), states)
    return cast("Partition[S]", rounds.partition(most_blocks))


class SignatureVariables(NamedTuple):
    """The variables below x: tags, then inputs, where signatures are functions of them, and at the bottom block numbers."""

    tags: Sequence[int]
    bits: Sequence[int]
    inputs: Sequence[int]


class _Leaf(NamedTuple):
    """States with one signature: the number of their block, and the node that all of them lead to."""

    number: int
    node: Node


class Rounds:
    """Ever finer numberings. The order of variables must stay as it is: x above all that tells signatures apart."""

    def __init__(
        self,
        observed: Observed[Set],
        run: Run,
        watch: Watcher[Set] | None,
        reached: Set,
        beside: SignatureVariables | None = None,
    ) -> None:
        self.observed = observed
        self.space = space = cast("SymbolicSpace[Any]", observed.space)
        self.run = run
        self.watch = watch
        self.reached = reached
        self.manager: Manager[Any] = space.manager
        self.relation: Monolithic[Any] | None = None
        if space in observed.actions:  # one function, if it is not too large: signatures are taken often, of ever fewer states
            self.relation = whole_of(space.relation) or Monolithic.if_small(space.step, run, tuning.RELATION_NODES_OF_SIGNATURES)
        self.tags, self.bits, inputs = beside or self._added(len(observed.actions).bit_length())
        self.state_bits, self.block_bits = self.manager.cube(space.bits), self.manager.cube(self.bits)
        self.below = {*self.tags, *self.bits, *inputs}
        self.one_step = beside is not None
        """Is there at most one step for each state and inputs?"""
        self.cubes: list[Node] = []
        """For each number, the function of b that is true for this number alone."""
        self.number_of: dict[Node, int] = {}
        self._spelled: dict[tuple[int, int], Node] = {}
        self._rest_of: list[dict[Node, int]] = [{} for _ in self.bits] + [{self.manager.true: 0}]
        """For each bit position, the numbers that functions of the bits from there on are true for."""
        self.is_stable = True
        """Is the numbering the coarsest stable one, or did `refined` stop early?"""
        self.kernels = "auto"
        self.origin: list[int] = []
        """For each number, the observed block that it is a part of."""

    def _added(self, tags: int) -> SignatureVariables:
        first = len(self.manager.names)
        names = [f"tag({first + i})" for i in range(tags)] + [f"block({first + i})" for i in range(tags, tags + BLOCK_BITS)]
        variables = list(self.manager.add_variables(names))
        return SignatureVariables(variables[:tags], variables[tags:], ())

    def partition(self, most_blocks: int | None) -> Partition[Set]:
        resting, self.manager.reorder = self.manager.reorder, None  # x must stay above the tags, and these above b
        try:
            return self._refine(most_blocks)
        finally:
            self.manager.reorder = resting

    def _refine(self, most_blocks: int | None) -> Partition[Set]:
        first, self.origin = self.first_numbering()
        numbered = self.refined(first, most_blocks, tuning.NODES_WALKED_IN_PYTHON if self.watch is None else None)
        if not self.is_stable and self.kernels == "auto" and not has_library():
            numbered = self.refined(numbered, most_blocks, NODES_WORTH_COMPILING)
        if not self.is_stable:
            partition = self.on_arrays(most_blocks)
            if partition is not None:
                return partition
            numbered = self.refined(numbered, most_blocks)
        walk = _Walk(self, self._with_signatures(numbered, numbered, self.reached))
        walk.number(self.manager.false)
        return self._result(numbered, walk)

    def on_arrays(self, most_blocks: int | None) -> Partition[Set] | None:
        """The partition by rounds on arrays, or None if there is no room for them or the steps are not given as functions."""
        from coarsest.reduce.bisimulation.signatures_on_arrays import NoRoom, RoundsOnArrays

        try:
            return RoundsOnArrays(self, self.kernels).partition(most_blocks)
        except (NoRoom, OSError):
            return None

    def divided(self, outputs: Sequence[Node]) -> Node:
        """The first numbering where outputs are functions of x, and perhaps of inputs: equal outputs give equal numbers."""
        self.origin.append(0)
        whole = self.reached.function & self.cube(0) & self.tag(0)
        for value, output in enumerate(outputs, 1):
            whole = whole | (output & self.reached.function & self.tag(value))
        walk = _Walk(self, whole)
        walk.number(self.manager.false)
        return walk.renumbered()

    def refined(self, numbered: Node, most_blocks: int | None = None, most_nodes: int | None = None) -> Node:
        """The coarsest stable numbering finer than `numbered`, or the one reached after visits to `most_nodes` nodes."""
        dirty, divisible, entered, visits = self.reached, self.reached, numbered, 0
        while dirty:
            self.is_stable = most_nodes is None or visits <= most_nodes
            if not self.is_stable:
                return numbered
            numbers = len(self.cubes)
            self.run.step("signatures", blocks=numbers, **self.space.cost(self.reached))
            self._watch(numbered)
            walk = _Walk(self, self._with_signatures(numbered, entered, dirty))
            visits += len(walk.inner)
            clean = numbered & ~dirty.function
            walk.number(self.manager.exists(clean, self.state_bits))
            if len(self.origin) == numbers:
                break
            if most_blocks is not None and len(self.origin) > most_blocks:
                raise TooManyBlocks
            moved = walk.renumbered()
            numbered = clean | moved
            new = moved & self._at_least(numbers)
            entered = new if self.one_step else numbered
            divisible = divisible - self.space.set(walk.alone())
            changed = self.manager.exists(new, self.block_bits)
            dirty = self.space.pre(self.space.set(changed)) & divisible
        return numbered

    def first_numbering(self) -> tuple[Node, list[int]]:
        """The numbering of the observed blocks that were reached, and the index of the observed block for each number."""
        numbered, origin = self.manager.false, list[int]()
        for index, block in enumerate(self.observed.blocks):
            inside = block & self.reached
            if inside:
                numbered = numbered | (inside.function & self.cube(len(origin)))
                origin.append(index)
        return numbered, origin

    def _at_least(self, bound: int) -> Node:
        """The function of b that is true from a number on."""
        result = self.manager.true
        for shift, variable in enumerate(self.bits):  # from the lowest bit on: where a higher one differs, that decides
            bit = self.manager.var(variable)
            result = bit & result if bound >> shift & 1 else bit | result
        return result

    def cube(self, number: int) -> Node:
        """The function of b that is true for a number alone. It is remembered for all smaller numbers, too."""
        while number >= len(self.cubes):
            cube = self.spelled(len(self.cubes))
            self.number_of[cube] = len(self.cubes)
            self.cubes.append(cube)
        return self.cubes[number]

    def spelled(self, rest: int) -> Node:
        """The function of b that is true for a number alone. Many numbers have the same upper bits, and share their functions."""
        missing: list[tuple[int, int]] = []
        shift, last = 0, len(self.bits)
        while shift < last and (rest, shift) not in self._spelled:
            missing.append((rest, shift))
            rest, shift = rest >> 1, shift + 1
        cube = self.manager.true if shift == last else self._spelled[rest, shift]
        for key in reversed(missing):
            bit = self.manager.var(self.bits[key[1]])
            self._spelled[key] = cube = (bit if key[0] & 1 else ~bit) & cube
            self._rest_of[key[1]][cube] = key[0]
        return cube

    def tag(self, value: int) -> Node:
        """The function that is true where the tag has a value."""
        tag = self.manager.true
        for shift in reversed(range(len(self.tags))):
            bit = self.manager.var(self.tags[shift])
            tag = (bit if value >> shift & 1 else ~bit) & tag
        return tag

    def _with_signatures(self, numbered: Node, entered: Node, states: Set) -> Node:
        """The block of each of the states, with tag 0, and the `entered` blocks that each action leads to, with tags 1, 2, …"""
        whole = numbered & states.function & self.tag(0)
        blocks = self.space.set(entered)
        for value, action in enumerate(self.observed.actions, 1):
            if action is self.space and self.relation is not None:
                self.manager.tidy()
                signature = self.relation.narrowed(states.function).pre(entered)
            else:
                signature = action.pre(blocks).function & states.function
            whole = whole | (signature & self.tag(value))
        return whole

    def below_tag(self, leaf: Node, value: int) -> Node:
        """A function of tags and b, restricted to one value of the tag."""
        for shift, tag in enumerate(self.tags):
            children = self.manager.children(leaf)
            if children is not None and children[0] == tag:
                leaf = children[1] if value >> shift & 1 else children[2]
        return leaf

    def members(self, blocks: Node) -> Iterator[int]:
        """The numbers in a set of numbers."""
        waiting = [(blocks, 0, 0)] if blocks != self.manager.false else []
        while waiting:
            part, shift, low = waiting.pop()
            if part in self._rest_of[shift]:  # one number is left, as nearly always after a few bits
                yield low | self._rest_of[shift][part] << shift
                continue
            children = self.manager.children(part)
            if children is None or children[0] != self.bits[shift]:
                children = self.bits[shift], part, part
            for bit in (0, 1):
                half = children[2 - bit]
                if half != self.manager.false:
                    waiting.append((half, shift + 1, low | bit << shift))

    def _watch(self, numbered: Node) -> None:
        if self.watch is not None:
            blocks = tuple(self._classes(numbered, range(len(self.cubes))))
            self.watch(Snapshot(blocks, frozenset(range(len(blocks))), frozenset()))

    def _result(self, numbered: Node, walk: _Walk) -> Partition[Set]:
        edges = []
        for leaf in walk.numbered:
            for action in range(len(self.observed.actions)):
                targets = self.members(self.below_tag(leaf.node, action + 1))
                edges += [(leaf.number, action, target) for target in targets]
        first = self.manager.and_exists(numbered, self.space.initial.function, self.state_bits)
        initial = sorted(self.members(first))
        edges.sort()
        order = breadth_first(initial, edges)
        at = {leaf.number: leaf.node for leaf in walk.numbered}
        examples = Lazy(len(order), lambda i: self.space.set(walk.state_at(at[order[i]])))
        looks = tuple(self.origin[number] for number in order)
        return Partition(self._classes(numbered, order), *renumbered(order, initial, edges), looks, examples=examples)

    def _classes(self, numbered: Node, order: Sequence[int]) -> Lazy[Set]:
        return Lazy(len(order), lambda i: self.class_of(numbered, order[i]))

    def class_of(self, numbered: Node, number: int) -> Set:
        """The states with a number."""
        return self.space.set(self.manager.and_exists(numbered, self.cubes[number], self.block_bits))


class _Walk(DiagramWalk):
    """The nodes above the tags, and the numbers of blocks for the leaves below them."""

    def __init__(self, rounds: Rounds, root: Node) -> None:
        super().__init__(rounds.manager, root, rounds.below)
        self.rounds = rounds
        self.numbered: list[_Leaf] = []

    def number(self, elsewhere: Node) -> None:
        """The largest part of a block keeps its number, unless states `elsewhere` have it; the others get new ones."""
        rounds, false = self.rounds, self.rounds.manager.false
        parts: dict[int, list[Node]] = {}
        for node in self.leaves:
            parts.setdefault(rounds.number_of[rounds.below_tag(node, 0)], []).append(node)
        share = self._shares if any(len(nodes) > 1 for nodes in parts.values()) else {}
        for number, nodes in parts.items():
            keeps = None if rounds.cubes[number] & elsewhere != false else max(nodes, key=lambda node: share.get(node, 0.0))
            for node in nodes:
                if node is keeps:
                    self.numbered.append(_Leaf(number, node))
                    continue
                self.numbered.append(_Leaf(len(rounds.origin), node))
                rounds.origin.append(rounds.origin[number])

    @cached_property
    def _shares(self) -> dict[Node, float]:
        """The share of all assignments that leads to each node; each branch takes half."""
        share = {self.root: 1.0}
        for node, _, then, otherwise in self.inner:
            half = share[node] / 2
            share[then] = share.get(then, 0.0) + half
            share[otherwise] = share.get(otherwise, 0.0) + half
        return share

    def renumbered(self) -> Node:
        """The function of x and b that is true where x is in the new block b."""
        new = {leaf.node: self.rounds.cube(leaf.number) for leaf in sorted(self.numbered, key=lambda leaf: leaf.number)}
        return self.rebuilt(new)

    def alone(self) -> Node:
        """The states that are the only ones of their block."""
        manager, bits = self.rounds.manager, len(self.rounds.space.bits)
        if bits > MOST_BITS_OF_A_SHARE:
            return manager.false
        single, truth = 0.5**bits, (manager.false, manager.true)
        return self.rebuilt({leaf.node: truth[self._shares[leaf.node] == single] for leaf in self.numbered})

    def state_at(self, leaf: Node) -> Node:
        """The state by which a leaf was first met; bits that do not matter are 0."""
        return self.rounds.space.cube(dict.fromkeys(self.rounds.space.bits, False) | self.path(leaf))
