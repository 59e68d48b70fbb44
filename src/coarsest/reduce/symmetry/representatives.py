"""Representatives of orbits, for many states at once: states are rows of numbers, and the least row represents an orbit.

Reference: Ip, Dill 1993, "Better verification through symmetry": a normal form of the state, found by sorting.
Symbols:   –
Invariant: a state and its representative are in one orbit; where `unique`, states of one orbit have the same representative.
Deviates:  generators that have no variable in common permute independently, and are handled separately. Components that can
           be permuted in every way are sorted; of other small groups all elements are tried; of large groups the generators,
           again and again while that gives a smaller row, so that an orbit may have several representatives.
Cost:      operations on arrays; sorting n components covers all n! permutations at once.
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
        self.index = {name: column for column, name in enumerate(names)}
        leader = {name: name for name in names}
        for cluster in united(({name, target} for sigma in generators for name, target in sigma.moves.items())):
            leader |= dict.fromkeys(cluster, min(cluster))
        tables: dict[str, dict[Value, int]] = {name: {} for name in names}
        self._numbers = [tables[leader[name]] for name in names]
        self._values: dict[int, list[Value]] = {}
        for sigma in generators:
            for name, renamed in sigma.values.items():
                for value in sorted(renamed, key=lambda value: (str(type(value)), getattr(value, "bits", value))):
                    self.number(self.index[name], value)

    def number(self, column: int, value: Value) -> int:
        numbers = self._numbers[column]
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
        """A table with the new number of each value of a variable that has a number so far, as all renamed values have."""
        column = self.index[name]
        table = np.arange(1 + max(self.number(column, value) for value in renamed), dtype=np.int32)
        for old, new in renamed.items():
            table[self.number(column, old)] = self.number(column, new)
        return table


class Factor(Protocol):
    """A group that permutes some of the columns, and no others."""

    unique: bool

    def least(self, rows: Rows) -> Rows:
        """The representatives of states, as far as these columns go."""

    def taking(self, row: Rows) -> Permutation:
        """A permutation that takes the state of the one row to its representative."""


class Moved:
    """A permutation of states, on rows."""

    def __init__(self, sigma: Permutation, columns: Columns) -> None:
        self.permutation = sigma
        names = sorted(sigma.variables, key=columns.index.__getitem__)
        self._from = np.array([columns.index[name] for name in names], dtype=np.intp)
        self._to = np.array([columns.index[sigma.moves.get(name, name)] for name in names], dtype=np.intp)
        renamed = ((sigma.moves.get(name, name), columns.renaming(name, of)) for name, of in sigma.values.items())
        self._renamed = [(columns.index[name], table) for name, table in renamed]

    def __call__(self, rows: Rows) -> Rows:
        moved = rows.copy()
        moved[:, self._to] = rows[:, self._from]
        for index, table in self._renamed:
            column = moved[:, index]
            inside = column < len(table)
            column[inside] = table[column[inside]]
        return moved


class Sorted:
    """Components that can be permuted in every way: they are sorted, the least one first."""

    unique = True

    def __init__(self, components: Sequence[Sequence[str]], columns: Columns) -> None:
        self._components = sorted(components, key=lambda names: columns.index[names[0]])
        self._columns = np.array([[columns.index[name] for name in names] for names in self._components], dtype=np.intp)

    def least(self, rows: Rows) -> Rows:
        parts = rows[:, self._columns]
        order = self._order(parts)
        ordered = rows.copy()
        ordered[:, self._columns] = np.take_along_axis(parts, order[:, :, None], axis=1)
        return ordered

    def _order(self, parts: Rows) -> NDArray[np.intp]:
        """For each row, the components from the least to the greatest. Equal components stay in order."""
        rank = np.zeros(parts.shape[:2], dtype=np.int64)
        for column in np.moveaxis(parts, 2, 0):
            # Ranks by the columns so far are renumbered after each column, so that they stay small.
            joined = rank * (int(column.max(initial=0)) + 1) + column
            rank = np.unique(joined, return_inverse=True)[1].reshape(joined.shape)
        return np.argsort(rank, axis=1, kind="stable")

    def taking(self, row: Rows) -> Permutation:
        order = self._order(row[:, self._columns])[0]
        pairs = [(self._components[source], self._components[target]) for target, source in enumerate(order.tolist())]
        return permutation({name: goal for names, goals in pairs for name, goal in zip(names, goals)})


class Tried:
    """A small group, whose elements are all tried."""

    unique = True

    def __init__(self, elements: Iterable[Permutation], columns: Columns) -> None:
        self._elements = [Moved(sigma, columns) for sigma in elements]

    def least(self, rows: Rows) -> Rows:
        best = rows
        for moved in self._elements:
            best = _lesser(moved(rows), best)
        return best

    def taking(self, row: Rows) -> Permutation:
        best = self.least(row)
        return next(moved.permutation for moved in self._elements if np.array_equal(moved(row), best))


class Descended:
    """A large group: its generators are applied as long as that makes a row smaller."""

    unique = False

    def __init__(self, generators: Sequence[Permutation], columns: Columns) -> None:
        both_ways = (sigma for generator in generators for sigma in dict.fromkeys((generator, generator.inverse)))
        self._elements = [Moved(sigma, columns) for sigma in both_ways]

    def least(self, rows: Rows) -> Rows:
        best, before = rows, None
        while before is None or not np.array_equal(before, best):
            before = best
            for moved in self._elements:
                best = _lesser(moved(best), best)
        return best

    def taking(self, row: Rows) -> Permutation:
        best, taken, before = row, IDENTITY, None
        while before is None or not np.array_equal(before, best):
            before = best
            for moved in self._elements:
                lesser = _lesser(moved(best), best)
                if not np.array_equal(lesser, best):
                    best, taken = lesser, taken.then(moved.permutation)
        return taken


def _lesser(rows: Rows, others: Rows) -> Rows:
    """The lesser of each row and its partner in `others`."""
    differs = rows != others
    first = np.argmax(differs, axis=1)
    every = np.arange(len(rows))
    less = rows[every, first] < others[every, first]
    return np.where(less[:, None], rows, others).astype(np.int32, copy=False)


class Representatives:
    """Takes the states of some variables to the representatives of their orbits."""

    def __init__(self, names: Sequence[str], generators: Sequence[Permutation], run: Run) -> None:
        self.columns = Columns(names, generators)
        own = [sigma for sigma in generators if not sigma.is_identity]
        clusters = united(sigma.variables for sigma in own)
        self._factors = [self._factor([sigma for sigma in own if sigma.variables <= cluster], run) for cluster in clusters]
        self.unique = all(factor.unique for factor in self._factors)
        """Does each orbit have exactly one representative?"""

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
        """A permutation that takes a state to its representative."""
        row, taken = self.columns.rows([state]), IDENTITY
        for factor in self._factors:  # factors have no column in common
            taken = taken.then(factor.taking(row))
        return taken


def components_of(generators: Sequence[Permutation]) -> list[list[str]]:
    """Lists of variables such that every generator permutes the lists; none if there are no such lists."""
    if any(sigma.values for sigma in generators):
        return []
    orbits = [sorted(orbit) for orbit in united({name, target} for sigma in generators for name, target in sigma.moves.items())]
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
    """The image of `twin` for each image of `start` under the group; empty if the images do not correspond one to one."""
    twins, queue = {start: twin}, [start]
    for name in queue:
        for sigma in generators:
            target, copy = sigma.moves.get(name, name), sigma.moves.get(twins[name], twins[name])
            if target not in twins:
                twins[target] = copy
                queue.append(target)
            elif twins[target] != copy:
                return {}
    return twins if len(set(twins.values())) == len(twins) else {}


def united(sets: Iterable[Iterable[str]]) -> list[set[str]]:
    """The sets, where those with a common member are united."""
    joined: list[set[str]] = []
    for members in sets:
        meeting = [cluster for cluster in joined if not cluster.isdisjoint(members)]
        joined = [cluster for cluster in joined if cluster not in meeting]
        joined.append(set(members).union(*meeting))
    return joined
