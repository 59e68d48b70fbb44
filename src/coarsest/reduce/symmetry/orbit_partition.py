"""The orbits of the reachable states, and the steps between them: a smaller system that is bisimilar to the machine.

Reference: Clarke, Enders, Filkorn, Jha 1996, "Exploiting symmetry in temporal logic model checking"; Barner, Grumberg 2003,
           section 2.8: the quotient M_G.
Symbols:   [s] is an entry of `orbits`; its name ξ(s) is the row of `Representatives.of`.
Invariant: every state of an orbit looks like its representative and has steps into the same orbits, because the generators are
           symmetries that keep what is observed.
Deviates:  orbits are met one by one, through the successors of a representative of each; or, where there are many, all states
           are listed, and each is joined with its images by the generators.
Cost:      a closure by σ_Step for each orbit, and a normal form for each step between two; or a few passes over all states.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from coarsest.errors import Unsupported
from coarsest.lts.minimise.classes import BisimulationClasses
from coarsest.reduce.bisimulation.list_then_refine import listed_graph, listed_partition
from coarsest.reduce.partition.observed import Observed
from coarsest.reduce.partition.partition import Partition, TooManyBlocks
from coarsest.reduce.partition.reachable_part import reachable_states
from coarsest.reduce.symmetry.closing import sigma_step
from coarsest.reduce.symmetry.group.movers import BitMover
from coarsest.reduce.symmetry.group.permutation import Permutation
from coarsest.reduce.symmetry.representatives import Columns, Moved, Representatives
from coarsest.space.bdd.listing import Listing
from coarsest.space.bdd.symbolic import SymbolicSet, SymbolicSpace
from coarsest.space.explicit.listed import ListedSpace

if TYPE_CHECKING:
    from coarsest.lts.labelled import Graph, Numbers
    from coarsest.run import Run

Set = SymbolicSet[Any]


# Orbit by orbit


class _Orbits:
    """The orbits that were met, numbered."""

    def __init__(self, space: SymbolicSpace[Any], generators: Sequence[Permutation], run: Run) -> None:
        self._space, self._run = space, run
        self._names = [variable.name for variable in space.machine.state_variables]
        own = [inside for sigma in generators if (inside := sigma.within(self._names)) is not None]
        self._representatives = Representatives(self._names, own, run)
        self._movers = [BitMover(space, sigma) for sigma in own]
        self._by_row: dict[bytes, int] = {}
        self._by_orbit: dict[Set, int] = {}
        self.orbits: list[Set] = []
        self.representatives: list[Set] = []

    def of(self, states: Set) -> list[int]:
        """The numbers of the orbits that some states are in."""
        numbers = []
        while states:
            numbers.append(self._number(self._space.pick(states)))
            states = states - self.orbits[numbers[-1]]
        return sorted(numbers)

    def _number(self, state: Set) -> int:
        """The number of a state's orbit, by its normal form. Only a new normal form needs the closure of the orbit."""
        values_of = self._space.describe(state)
        (row,) = self._representatives.of([tuple(values_of[name] for name in self._names)])
        number = self._by_row.get(row.tobytes())
        if number is None:
            orbit = sigma_step(self._space, state, self._movers, self._run).states
            number = self._by_row[row.tobytes()] = self._by_orbit.setdefault(orbit, len(self.orbits))
            if number == len(self.orbits):
                self.orbits.append(orbit)
                values = self._representatives.columns.state(row)
                self.representatives.append(self._space.state(dict(zip(self._names, values))))
        return number


def orbit_by_orbit(
    observed: Observed[Set], generators: Sequence[Permutation], run: Run, *, most: int | None = None
) -> Partition[Set]:
    """The partition into orbits. Raises TooManyBlocks if there are more than `most`."""
    space = cast("SymbolicSpace[Any]", observed.space)
    met = _Orbits(space, generators, run)
    initial = met.of(space.initial)
    edges: list[tuple[int, int, int]] = []
    for source, state in enumerate(met.representatives):  # grows while it is walked
        run.step("orbits", orbits=len(met.orbits), **space.cost(state))
        edges += [(source, 0, target) for target in met.of(space.post(state))]
        if most is not None and len(met.orbits) > most:
            raise TooManyBlocks
    looks = [next(i for i, block in enumerate(observed.blocks) if state <= block) for state in met.representatives]
    return Partition(met.orbits, tuple(initial), tuple(edges), tuple(looks), examples=met.representatives)


# All states at once


def list_then_join(
    observed: Observed[Any], generators: Sequence[Permutation], run: Run, *, reached: Any = None
) -> Partition[Any]:
    """The same partition, of listed states, which are computed unless the caller gives them. Raises TooMany."""
    states = reached if reached is not None else reachable_states(observed.space, run)
    graph, listing = listed_graph(observed, states, run)
    if isinstance(listing, Listing):
        images = [_listed_images(listing, states, sigma, run) for sigma in generators]
    else:
        images = _images_of_rows(cast("ListedSpace", observed.space), generators)
    return listed_partition(graph, _classes(graph, joined(images, graph.states, run)), listing)


def joined(images: Sequence[Numbers], number: int, run: Run) -> Numbers:
    """For each number, the least number in its orbit: minima spread along the permutations until nothing changes."""
    least: Numbers = np.arange(number, dtype=np.int64)
    before = None
    while before is None or not np.array_equal(before, least):
        run.step("join")
        before = least
        for image in images:
            least = np.minimum(least, least[image])
        least = least[least]
    return least


def _classes(graph: Graph, least: Numbers) -> BisimulationClasses:
    """The orbits in the order of their least states, which have steps to the same orbits as all their states."""
    representatives, class_of = np.unique(least, return_inverse=True)
    class_of = class_of.reshape(-1)
    sources = graph.sources
    own = least[sources] == sources
    rows = np.stack((class_of[sources[own]], graph.actions[own].astype(np.int64), class_of[graph.targets[own]]), axis=1)
    rows = np.unique(rows, axis=0)
    offsets = np.searchsorted(rows[:, 0], np.arange(len(representatives) + 1))
    return BisimulationClasses(
        class_of, offsets, rows[:, 1], rows[:, 2], representatives, graph.action_names, "list-then-join", len(graph.targets)
    )


def _listed_images(listing: Listing, states: Set, sigma: Permutation, run: Run) -> Numbers:
    """For the number of each state s, the number of σ(s)."""
    space, manager = listing.space, listing.space.manager
    moved = dict(BitMover(space, sigma.inverse).replaced())  # the bits of σ(s), by those of s
    if any(bit not in space.layout.after_of_now for bit in moved if bit in frozenset(space.bits)):
        raise Unsupported("a symmetry moves frozen variables, which have no second copy", hint="use orbit-by-orbit")
    relation = states.function
    for bit in sorted(space.bits, key={bit: -level for level, bit in enumerate(manager.order)}.__getitem__):
        if bit in space.layout.after_of_now:
            after = manager.var(space.layout.after_of_now[bit])
            relation = relation & manager.iff(after, moved.get(bit, manager.var(bit)))
    sources, targets = listing.steps(relation, run)
    images = np.empty(listing.number, dtype=np.int64)
    images[sources] = targets
    return images


def _images_of_rows(space: ListedSpace, generators: Sequence[Permutation]) -> list[Numbers]:
    """The same for listed states: the number of each moved row among the rows."""
    names = [variable.name for variable in space.interpreter.state_variables]
    own = [inside for sigma in generators if (inside := sigma.within(names)) is not None]
    columns = Columns(names, own)
    rows = columns.rows([space.valuation.row(number) for number in range(space.graph.nodes)])
    images = []
    for sigma in own:
        both = np.concatenate((rows, Moved(sigma, columns)(rows)))
        ranks = np.unique(both, axis=0, return_inverse=True)[1].reshape(-1)
        number = np.empty(len(rows), dtype=np.int64)
        number[ranks[: len(rows)]] = np.arange(len(rows))
        images.append(number[ranks[len(rows) :]])
    return images
