"""Guards: sets of letters, a letter being a valuation of finitely many atoms.

A guard is any object that knows `&`, `|`, `^` (intersection, union, symmetric difference), equality, and is false when empty.
Python integers are such objects when bit i stands for letter i (`logic/letters/alphabet.py`), decision diagrams are others
(`logic/letters/decision_diagrams.py`); an `Alphabet` makes them, and nothing above needs to know which it has.
Letters are integers as well: bit i is set where atom i is true.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from typing import Any, Protocol

from coarsest.logic.expr import FALSE, TRUE, Apply, Expr


class Guard(Protocol):
    """A set of letters of one alphabet."""

    def __and__(self, other: Any, /) -> Any: ...
    def __or__(self, other: Any, /) -> Any: ...
    def __xor__(self, other: Any, /) -> Any: ...
    def __bool__(self) -> bool: ...
    def __hash__(self) -> int: ...


Cube = tuple[int, int]
"""The letters in which some atoms are true and some are false: two bit sets of atoms."""


class Alphabet(ABC):
    """Atoms (boolean expressions taken as independent), and the guards over them."""

    full: Guard
    empty: Guard

    def __init__(self, atoms: Iterable[Expr]) -> None:
        self.atoms: tuple[Expr, ...] = tuple(atoms)
        self._index = {atom: number for number, atom in enumerate(self.atoms)}
        self._texts: dict[Guard, Expr] = {}

    @abstractmethod
    def atom(self, number: int) -> Guard:
        """The letters in which an atom is true."""

    @abstractmethod
    def cofactors(self, guard: Guard, number: int) -> tuple[Any, Any]:
        """The guard where an atom is taken to be false, and where it is taken to be true."""

    @abstractmethod
    def contains(self, guard: Guard, letter: int) -> bool:
        """Is the letter in the guard?"""

    @abstractmethod
    def pick(self, guard: Guard) -> int:
        """A letter of the guard, which is not empty: always the same one."""

    def complement(self, guard: Guard) -> Any:
        """The letters that are not in the guard."""
        return self.full ^ guard

    def single(self, letter: int) -> Any:
        """The guard of one letter alone."""
        return self.of_cube((letter, ~letter))

    def of_atom(self, atom: Expr) -> Guard:
        """The letters in which the atom is true."""
        return self.atom(self._index[atom])

    def of_cube(self, cube: Cube) -> Any:
        """The letters of a cube."""
        guard: Any = self.full
        for number in range(len(self.atoms)):
            if cube[0] >> number & 1:
                guard = guard & self.atom(number)
            elif cube[1] >> number & 1:
                guard = guard & self.complement(self.atom(number))
        return guard

    def cover(self, guard: Guard) -> list[Cube]:
        """A short list of cubes whose union is the guard; none can be left out.

        Reference: Minato, Fast generation of irredundant sum-of-products forms from binary decision diagrams, 1992.
        """
        return self._cover(guard, guard, 0)[0]

    def _cover(self, least: Guard, most: Guard, number: int) -> tuple[list[Cube], Any]:
        """Cubes for a guard between `least` and `most`, which do not depend on the atoms before `number`."""
        if not least:
            return [], self.empty
        if most == self.full:
            return [(0, 0)], self.full
        least_low, least_high = self.cofactors(least, number)
        most_low, most_high = self.cofactors(most, number)
        if least_low == least_high and most_low == most_high:
            return self._cover(least, most, number + 1)
        bit = 1 << number
        cubes_low, low = self._cover(least_low & self.complement(most_high), most_low, number + 1)
        cubes_high, high = self._cover(least_high & self.complement(most_low), most_high, number + 1)
        rest = (least_low & self.complement(low)) | (least_high & self.complement(high))
        cubes_both, both = self._cover(rest, most_low & most_high, number + 1)
        atom = self.atom(number)
        cubes = [(true | bit, false) for true, false in cubes_high]
        cubes += [(true, false | bit) for true, false in cubes_low]
        return cubes + cubes_both, both | (atom & high) | (self.complement(atom) & low)

    def remember(self, guard: Guard, text: Expr) -> None:
        """Let `text` be how the guard is written, unless it has a text already."""
        self._texts.setdefault(guard, text)

    def expr(self, guard: Guard) -> Expr:
        """The guard as an expression over the atoms: as it was written, or else as a union of cubes."""
        if not guard:
            return FALSE
        if guard == self.full:
            return TRUE
        if guard in self._texts:
            return self._texts[guard]
        opposite = self.complement(guard)
        if opposite in self._texts:
            return Apply("not", (self._texts[opposite],))
        return _joined("or", (_joined("and", self._literals(cube)) for cube in self.cover(guard)))

    def _literals(self, cube: Cube) -> Iterator[Expr]:
        for number, atom in enumerate(self.atoms):
            if cube[0] >> number & 1:
                yield atom
            elif cube[1] >> number & 1:
                yield Apply("not", (atom,))


def _joined(op: str, parts: Iterable[Expr]) -> Expr:
    args = tuple(parts)
    return args[0] if len(args) == 1 else Apply(op, args)
