"""Letters that have names and no atoms, as in automata that are about no formula: sets of them are integers.

Where atoms are needed, each letter becomes an atom of its own, which is true when this letter is read.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from coarsest.logic.expr import Name
from coarsest.logic.letters.alphabet import alphabet_over
from coarsest.logic.letters.guards import Alphabet, Guard


class NamedLetters(Alphabet):
    """Bit i of a guard says whether letter i belongs.

    >>> letters = NamedLetters(["read", "write"])
    >>> letters.names_of(letters.full), letters.pick(0b10), letters.single(1)
    (('read', 'write'), 1, 2)
    """

    full: int
    empty: int

    def __init__(self, names: Iterable[str]) -> None:
        super().__init__(())
        self.names = tuple(names)
        self.full = (1 << len(self.names)) - 1
        self.empty = 0

    def atom(self, number: int) -> Guard:
        raise ValueError("there are no atoms")

    def cofactors(self, guard: Guard, number: int) -> tuple[Any, Any]:
        raise ValueError("there are no atoms")

    def contains(self, guard: Guard, letter: int) -> bool:
        return bool(guard & (1 << letter))

    def pick(self, guard: Guard) -> int:
        table: int = guard & self.full
        return (table & -table).bit_length() - 1

    def single(self, letter: int) -> int:
        return 1 << letter

    def names_of(self, guard: Guard) -> tuple[str, ...]:
        """The names of the letters of a guard."""
        return tuple(name for letter, name in enumerate(self.names) if self.contains(guard, letter))

    def in_atoms(self) -> tuple[Alphabet, list[Any]]:
        """An alphabet with an atom for each letter, and the guard that each letter becomes."""
        atoms = alphabet_over(Name(name) for name in self.names)
        return atoms, [atoms.of_cube((1 << letter, ~(1 << letter))) for letter in range(len(self.names))]
