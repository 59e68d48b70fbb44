"""Representatives of orbits, for many states at once: states are rows of numbers, and the least row of an orbit is taken.

Reference: Ip, Dill 1993, "Better verification through symmetry": a normal form of the state, found by sorting.
Symbols:   –
Invariant: a state and its representative are in one orbit; where `unique`, states of one orbit have the same representative.
Deviates:  generators that have no variable in common permute independently, and are looked at apart. Components that can change
           places in every way are sorted; of other small groups all elements are tried; of large ones the generators, again and
           again while that gives a smaller row, so that an orbit may have several representatives.
Cost:      arrays alone: sorting takes as long for all of the n! permutations of n components as for one.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import factorial
from typing import Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from coarsest import tuning
from coarsest.logic.expr import Value
from coarsest.model.interpret.interpret import Values
from coarsest.reduce.symmetry.group.group import Group
from coarsest.reduce.symmetry.group.permutation import IDENTITY, Permutation, permutation
from coarsest.run import Run

Rows: TypeAlias = NDArray[np.int32]
"""A row for each state, a column for each variable; the numbers stand for values."""


class Columns:
    """Numbers for the values of variables; variables that exchange their values have the numbers in common."""

    def __init__(self, names: Sequence[str], generators: Sequence[Permutation]) -> None:
        self.names = names
        self.place = {name: place for place, name in enumerate(names)}
        leader = {name: name for name in names}
        for cluster in joined(({name, target} for one in generators for name, target in one.moves.items())):
            leader |= dict.fromkeys(cluster, min(cluster))
        tables: dict[str, dict[Value, int]] = {name: {} for name in names}
        self._numbers = [tables[leader[name]] for name in names]
        self._values: dict[int, list[Value]] = {}
        for one in generators:
            for name, renamed in one.values.items():
                for value in sorted(renamed, key=lambda value: (str(type(value)), getattr(value, "bits", value))):
                    self.number(self.place[name], value)

    def number(self, place: int, value: Value) -> int:
        numbers = self._numbers[place]
        return numbers.setdefault(value, len(numbers))

    def rows(self, states: Sequence[Values]) -> Rows:
        by_variable = zip(self._numbers, zip(*states))
        columns = [[numbers.setdefault(value, len(numbers)) for value in column] for numbers, column in by_variable]
        return np.array(columns, dtype=np.int32).T.reshape(len(states), len(self.names))

    def state(self, row: NDArray[np.int32]) -> Values:
        return tuple(self._value(numbers, number) for numbers, number in zip(self._numbers, row.tolist()))

    def _value(self, numbers: Mapping[Value, int], number: int) -> Value:
        values = self._values.setdefault(id(numbers), [])
        if number >= len(values):
            values[:] = numbers
        return values[number]

    def renaming(self, name: str, renamed: Mapping[Value, Value]) -> NDArray[np.int32]:
        """The numbers that the values of a variable become: of those that have numbers so far, which are all that are renamed."""
        place = self.place[name]
        table = np.arange(1 + max(self.number(place, value) for value in renamed), dtype=np.int32)
        for old, new in renamed.items():
            table[self.number(place, old)] = self.number(place, new)
        return table


class Factor(Protocol):
    """What permutes some of the columns, and none of the others."""

    unique: bool

    def least(self, rows: Rows) -> Rows:
        """The representatives of states, as far as these columns go."""

    def taking(self, row: Rows) -> Permutation:
        """A permutation that takes the state of the one row to its representative."""


class Moved:
    """A permutation of states, on rows."""

    def __init__(self, one: Permutation, columns: Columns) -> None:
        self.permutation = one
        names = sorted(one.variables, key=columns.place.__getitem__)
        self._from = np.array([columns.place[name] for name in names], dtype=np.intp)
        self._to = np.array([columns.place[one.moves.get(name, name)] for name in names], dtype=np.intp)
        renamed = ((one.moves.get(name, name), columns.renaming(name, of)) for name, of in one.values.items())
        self._renamed = [(columns.place[name], table) for name, table in renamed]

    def __call__(self, rows: Rows) -> Rows:
        moved = rows.copy()
        moved[:, self._to] = rows[:, self._from]
        for place, table in self._renamed:
            column = moved[:, place]
            inside = column < len(table)
            column[inside] = table[column[inside]]
        return moved


class Sorted:
    """Components that can change places in every way: the least one comes first."""

    unique = True

    def __init__(self, components: Sequence[Sequence[str]], columns: Columns) -> None:
        self._components = sorted(components, key=lambda names: columns.place[names[0]])
        self._places = np.array([[columns.place[name] for name in names] for names in self._components], dtype=np.intp)

    def least(self, rows: Rows) -> Rows:
        parts = rows[:, self._places]
        order = self._order(parts)
        ordered = rows.copy()
        ordered[:, self._places] = np.take_along_axis(parts, order[:, :, None], axis=1)
        return ordered

    def _order(self, parts: Rows) -> NDArray[np.intp]:
        """For each row, the components from the least to the greatest; of equal ones, the first first."""
        rank = np.zeros(parts.shape[:2], dtype=np.int64)
        for column in np.moveaxis(parts, 2, 0):
            # Renumbered after each column, so that the numbers stay small; their order is that of the columns so far.
            joined = rank * (int(column.max(initial=0)) + 1) + column
            rank = np.unique(joined, return_inverse=True)[1].reshape(joined.shape)
        return np.argsort(rank, axis=1, kind="stable")

    def taking(self, row: Rows) -> Permutation:
        order = self._order(row[:, self._places])[0]
        pairs = [(self._components[source], self._components[target]) for target, source in enumerate(order.tolist())]
        return permutation({name: goal for names, goals in pairs for name, goal in zip(names, goals)})


class Tried:
    """A group of which each element is tried."""

    unique = True

    def __init__(self, elements: Iterable[Permutation], columns: Columns) -> None:
        self._elements = [Moved(one, columns) for one in elements]

    def least(self, rows: Rows) -> Rows:
        best = rows
        for one in self._elements:
            best = _lesser(one(rows), best)
        return best

    def taking(self, row: Rows) -> Permutation:
        best = self.least(row)
        return next(one.permutation for one in self._elements if np.array_equal(one(row), best))


class Descended:
    """A large group: its generators are applied as long as that makes a row smaller."""

    unique = False

    def __init__(self, generators: Sequence[Permutation], columns: Columns) -> None:
        self._elements = [Moved(one, columns) for both in generators for one in dict.fromkeys((both, both.inverse))]

    def least(self, rows: Rows) -> Rows:
        best, before = rows, None
        while before is None or not np.array_equal(before, best):
            before = best
            for one in self._elements:
                best = _lesser(one(best), best)
        return best

    def taking(self, row: Rows) -> Permutation:
        best, taken, before = row, IDENTITY, None
        while before is None or not np.array_equal(before, best):
            before = best
            for one in self._elements:
                lesser = _lesser(one(best), best)
                if not np.array_equal(lesser, best):
                    best, taken = lesser, taken.then(one.permutation)
        return taken


def _lesser(rows: Rows, others: Rows) -> Rows:
    """Of each two rows, the one that comes first."""
    differs = rows != others
    first = np.argmax(differs, axis=1)
    every = np.arange(len(rows))
    less = rows[every, first] < others[every, first]
    return np.where(less[:, None], rows, others).astype(np.int32, copy=False)


class Representatives:
    """Takes the states of some variables to the representatives of their orbits."""

    def __init__(self, names: Sequence[str], generators: Sequence[Permutation], run: Run) -> None:
        self.columns = Columns(names, generators)
        own = [one for one in generators if not one.is_identity]
        clusters = joined(one.variables for one in own)
        self._factors = [self._factor([one for one in own if one.variables <= cluster], run) for cluster in clusters]
        self.unique = all(factor.unique for factor in self._factors)
        """Has each orbit one representative?"""

    def _factor(self, generators: Sequence[Permutation], run: Run) -> Factor:
        order = Group(generators, run).order
        components = components_of(generators)
        if components and order == factorial(len(components)):
            return Sorted(components, self.columns)
        if order <= tuning.GROUP_ELEMENTS:
            return Tried(Group(generators, run).elements(), self.columns)
        return Descended(generators, self.columns)

    def least(self, rows: Rows) -> Rows:
        for factor in self._factors:
            rows = factor.least(rows)
        return rows

    def of(self, states: Sequence[Values]) -> Rows:
        """The representatives of some states, as rows."""
        return self.least(self.columns.rows(states))

    def taking(self, state: Values) -> Permutation:
        """What takes a state to its representative."""
        row, taken = self.columns.rows([state]), IDENTITY
        for factor in self._factors:  # they have no column in common
            taken = taken.then(factor.taking(row))
        return taken


def components_of(generators: Sequence[Permutation]) -> list[list[str]]:
    """Lists of variables such that every generator permutes the lists; none if there are no such lists."""
    if any(one.values for one in generators):
        return []
    orbits = [sorted(orbit) for orbit in joined({name, target} for one in generators for name, target in one.moves.items())]
    first, *others = sorted(orbits)
    components = {name: [name] for name in first}
    for orbit in others:
        copies = (_copies(first[0], start, generators) for start in orbit)
        twins = next((pairs for pairs in copies if len(pairs) == len(first) == len(orbit)), None)
        if twins is None:
            return []
        for name, twin in twins.items():
            components[name].append(twin)
    return list(components.values())


def _copies(start: str, twin: str, generators: Sequence[Permutation]) -> dict[str, str]:
    """What a second variable becomes wherever a first one is taken; nothing, if it may become two things there, or fewer."""
    twins, queue = {start: twin}, [start]
    for name in queue:
        for one in generators:
            target, copy = one.moves.get(name, name), one.moves.get(twins[name], twins[name])
            if target not in twins:
                twins[target] = copy
                queue.append(target)
            elif twins[target] != copy:
                return {}
    return twins if len(set(twins.values())) == len(twins) else {}


def joined(sets: Iterable[Iterable[str]]) -> list[set[str]]:
    """The sets, those that have a member in common made one."""
    joined: list[set[str]] = []
    for one in sets:
        meeting = [other for other in joined if not other.isdisjoint(one)]
        joined = [other for other in joined if other not in meeting]
        joined.append(set(one).union(*meeting))
    return joined
