"""Representatives by sorting: each state of a set is replaced by a symmetric one that comes before it, until none does.

Reference: Emerson, Wahl 2005, "Dynamic symmetry reduction"; Knuth 1973, section 5.2.2 (sorting by exchanging).
Symbols:   sort(X) is `Sorter`; σ is an exchange, and `larger` has the states s with σ(s) < s.
Invariant: sort(X) has a state of each orbit that X meets, and no others; where `unique`, it has one of each.
Deviates:  components that can change places in every way are compared by their variables, in the order of the model, and then by
           which variables point at them; neighbours are exchanged. Of other small groups all elements are tried; of large ones
           the generators, and then an orbit may keep several states.
Cost:      two intersections and a substitution for each exchange that changes something; no closure, and no relation.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import factorial
from typing import Any

from coarsest import tuning
from coarsest.logic.expr import Apply, Constant, Name
from coarsest.reduce.symmetry.closing import sigma_step
from coarsest.reduce.symmetry.group.group import Group
from coarsest.reduce.symmetry.group.movers import BitMover, Mover
from coarsest.reduce.symmetry.group.permutation import Permutation
from coarsest.reduce.symmetry.quotient import OrbitsByClosing, Quotient, lifted
from coarsest.reduce.symmetry.representatives import components_of, united
from coarsest.reduce.symmetry.smallest import made_smaller
from coarsest.reduce.symmetry.symmetry_mc_barner_grumberg import Explored, Layer
from coarsest.run import Run
from coarsest.space.bdd.symbolic import SymbolicSet, SymbolicSpace
from coarsest.space.space import StateSpace

States = SymbolicSet[Any]
Components = Sequence[Sequence[str]]


class Sorter:
    """sort(X), for the group that some permutations generate."""

    def __init__(self, space: SymbolicSpace[Any], generators: Sequence[Permutation], run: Run) -> None:
        self._space, self._run = space, run
        self._exchanges: list[tuple[Mover[Any], States]] = []
        self.unique = True
        """Does each orbit keep one state?"""
        states = {variable.name for variable in space.machine.state_variables}  # inputs are moved by steps alone
        within = [one.within(states) for one in generators]
        own = [one for one in within if one is not None and not one.is_identity]
        for cluster in united(one.variables for one in own):
            self._add([one for one in own if one.variables <= cluster])

    def _add(self, generators: Sequence[Permutation]) -> None:
        """What permutes some of the variables, and none of the others."""
        space, order = self._space, Group(generators, self._run).order
        moving = [Permutation(one.moves) for one in generators if one.moves]
        components = sorted(components_of(moving) if moving else [], key=lambda names: self._place(names[0]))
        every: Sequence[Permutation] = ()
        if components and order == factorial(len(components)):
            neighbours = exchanges_of_neighbours(generators, components)
            keys = self._keys(components, neighbours)
            if keys:
                for one, (key, following) in zip(neighbours, pairwise(keys)):
                    self._exchanges.append((BitMover(space, one), self._comes_later(key, following)))
                return
            every = neighbours
        if not every and order <= tuning.GROUP_ELEMENTS:
            every = [one for one in Group(generators, self._run).elements() if not one.is_identity]
        else:
            self.unique = False
            every = every or list(dict.fromkeys(one for both in generators for one in (both, both.inverse)))
        places = self._places(every)
        self._exchanges += [(BitMover(space, one), made_smaller(space, one, places)) for one in every]

    def _place(self, name: str) -> int:
        return list(self._space.machine.variables).index(name)

    def _places(self, generators: Sequence[Permutation]) -> list[int]:
        """The bits by which states are compared, the one that decides first: variables whose values change names come last."""
        renamed = {name for one in generators for name in one.values}
        names = {name for one in generators for name in one.variables}
        in_order = sorted(names, key=lambda name: (name in renamed, self._place(name)))
        return [place for name in in_order for place in reversed(self._space.layout.slots[name].now)]

    def _keys(self, components: Components, neighbours: Sequence[Permutation]) -> list[list[Any]]:
        """For each component, what it is compared by, the bit that decides first: an exchange of neighbours exchanges their keys,
        and the keys determine the state. Empty where there are no such keys."""
        renamed = sorted({name for one in neighbours for name in one.values}, key=self._place)
        inside = {name for names in components for name in names}
        pointing = {name: values_of_components(name, neighbours) for name in renamed}
        if not neighbours or inside & set(renamed) or not all(pointing.values()):
            return []
        manager, slots = self._space.manager, self._space.layout.slots
        keys = []
        for number, names in enumerate(components):
            bits = [manager.var(place) for name in sorted(names, key=self._place) for place in reversed(slots[name].now)]
            targets = (Apply("=", (Name(name), Constant(values[number]))) for name, values in pointing.items())
            keys.append(bits + [self._space.where(target).function for target in targets])
        return keys

    def _comes_later(self, key: Sequence[Any], other: Sequence[Any]) -> States:
        """The states in which the first of two keys is the larger one."""
        larger = self._space.manager.false
        for here, there in zip(reversed(key), reversed(other)):
            larger = (here & ~there) | (self._space.manager.iff(here, there) & larger)
        return self._space.set(larger)

    def __call__(self, states: States) -> States:
        before = None
        while states != before:
            before = states
            self._run.step("sort", **self._space.cost(states))
            for move, larger in self._exchanges:
                up = states & larger
                if up:
                    states = (states - up) | move(up)
        return states


def exchanges_of_neighbours(generators: Sequence[Permutation], components: Components) -> list[Permutation]:
    """Of a group that permutes components in every way, the elements that exchange two neighbours: products of the form g⁻¹σg.
    Empty if no generator exchanges two components and leaves the others."""
    number = {name: place for place, names in enumerate(components) for name in names}

    def exchanged(one: Permutation) -> frozenset[int]:
        goals = [number[one.moves.get(names[0], names[0])] for names in components]
        return frozenset(place for place, goal in enumerate(goals) if place != goal)

    wanted = [frozenset(pair) for pair in pairwise(range(len(components)))]
    by_pair = {exchanged(one): one for one in generators if len(exchanged(one)) == 2}
    waiting = list(by_pair.values())
    for exchange in waiting:
        if all(pair in by_pair for pair in wanted):
            break
        for one in generators:
            conjugate = one.inverse.then(exchange).then(one)
            if by_pair.setdefault(exchanged(conjugate), conjugate) is conjugate:
                waiting.append(conjugate)
    return [by_pair[pair] for pair in wanted] if all(pair in by_pair for pair in wanted) else []


def values_of_components(name: str, neighbours: Sequence[Permutation]) -> list[Any]:
    """The value of a variable that stands for each component, where exchanges of neighbours exchange these values; else none."""
    pairs = [frozenset(one.values.get(name, {})) for one in neighbours]
    if any(len(pair) != 2 for pair in pairs):
        return []
    first = next(iter(pairs[0] - pairs[1]), None) if len(pairs) > 1 else sorted(pairs[0], key=str)[0]
    values = [first]
    for pair in pairs:
        if values[-1] not in pair:
            return []
        (following,) = pair - {values[-1]}
        values.append(following)
    return values if len(set(values)) == len(values) else []


def search_sorted(
    space: StateSpace[Any], bad: States, sort: Sorter, movers: Sequence[Mover[Any]], run: Run, *, start: States | None = None
) -> Explored[Any]:
    """Search for a bad state among representatives: post on them is sort ∘ post. Generators have to be symmetries here."""
    representatives = waiting = sort(space.initial if start is None else start)
    layers = [Layer(space.empty, waiting)]
    while waiting and not waiting & bad:
        run.step("representatives", layers=len(layers) - 1, **space.cost(representatives))
        image = sort(space.post(waiting)) - representatives
        layers.append(Layer(waiting, image))
        representatives, waiting = representatives | image, image
    path = path_by_orbits(space, layers, waiting & bad, movers, run) if waiting else None
    return Explored(representatives, tuple(layers[1:]), path, closed=True)


def path_by_orbits(
    space: StateSpace[Any], layers: Sequence[Layer[Any]], goal: Any, movers: Sequence[Mover[Any]], run: Run
) -> tuple[Any, ...]:
    """A path of the model to the orbit of a goal: representatives are found backwards, and the way through orbits forwards."""
    path = [space.pick(goal)]
    for layer in reversed(layers[1:]):
        orbit = sigma_step(space, path[-1], movers, run).states
        path.append(space.pick(layer.under & space.pre(orbit)))
    return lifted(space, OrbitsByClosing(space, goal, movers, run), path[::-1], None, run)[0]


class SortedOrbits(OrbitsByClosing[Any]):
    """Orbits with one representative each, which sorting finds."""

    def __init__(
        self, space: SymbolicSpace[Any], rep: States, movers: Sequence[Mover[Any]], sort: Sorter, run: Run
    ) -> None:
        assert sort.unique
        super().__init__(space, rep, movers, run)
        self._sort = sort

    def representatives(self, states: States, /) -> States:
        found: States = self._sort(states) & self._rep
        return found


class SortedQuotient(Quotient[Any]):
    """M_m where each orbit has one representative: pre on representatives is sort ∘ pre, since R is symmetric."""

    def pre(self, states: States) -> States:
        found: States = self.orbits.representatives(self.base.pre(states)) & self.inside
        return found
