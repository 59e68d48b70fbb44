"""The alphabet over given atoms, where sets of letters are truth tables for few atoms, and decision diagrams for many."""

from __future__ import annotations

from collections.abc import Iterable

from coarsest import tuning
from coarsest.logic.expr import Expr
from coarsest.logic.letters.guards import Alphabet, Guard


class TruthTables(Alphabet):
    """Sets of letters as integers, where bit i is set if letter i is a member.

    >>> from coarsest.logic.expr import Name
    >>> letters = TruthTables([Name("a"), Name("b")])
    >>> bin(letters.atom(0)), bin(letters.atom(1)), letters.cover(letters.atom(0) ^ letters.atom(1))
    ('0b1010', '0b1100', [(1, 2), (2, 1)])
    """

    full: int
    empty: int

    def __init__(self, atoms: Iterable[Expr]) -> None:
        super().__init__(atoms)
        self.full = (1 << (1 << len(self.atoms))) - 1
        self.empty = 0
        self._atoms = [self._table(number) for number in range(len(self.atoms))]

    def _table(self, number: int) -> int:
        half = 1 << number  # this many letters without the atom, then as many with it, and so on
        with_atom = ((1 << half) - 1) << half
        return with_atom * (self.full // ((1 << 2 * half) - 1))

    def atom(self, number: int) -> int:
        return self._atoms[number]

    def cofactors(self, guard: Guard, number: int) -> tuple[int, int]:
        true = self._atoms[number]
        high = guard & true
        low = guard & (self.full ^ true)
        shift = 1 << number
        return low | low << shift, high | high >> shift

    def contains(self, guard: Guard, letter: int) -> bool:
        return bool(guard & (1 << letter))

    def pick(self, guard: Guard) -> int:
        table: int = guard & self.full
        return (table & -table).bit_length() - 1


def alphabet_over(atoms: Iterable[Expr]) -> Alphabet:
    """Truth tables for few atoms, decision diagrams for many; repeated atoms count once."""
    distinct = tuple(dict.fromkeys(atoms))
    if len(distinct) <= tuning.TRUTH_TABLE_ATOMS:
        return TruthTables(distinct)
    from coarsest.logic.letters.decision_diagrams import LetterDiagrams

    return LetterDiagrams(distinct)
