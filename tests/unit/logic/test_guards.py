"""Sets of letters: both forms against sets of numbers."""

from __future__ import annotations

import random

import pytest

from coarsest import tuning
from coarsest.logic.expr import Name
from coarsest.logic.letters.alphabet import TruthTables, alphabet_over
from coarsest.logic.letters.decision_diagrams import LetterDiagrams
from coarsest.logic.letters.guards import Alphabet, Guard

ATOMS = [Name(name) for name in "abcd"]


def members(alphabet: Alphabet, guard: Guard) -> set[int]:
    return {letter for letter in range(16) if alphabet.contains(guard, letter)}


@pytest.mark.parametrize("form", [TruthTables, LetterDiagrams])
def test_operations(form: type[Alphabet]) -> None:
    alphabet = form(ATOMS)
    rng = random.Random(1)
    everything = frozenset(range(16))
    known = [(alphabet.empty, frozenset()), (alphabet.full, everything)]
    known += [(alphabet.atom(n), frozenset(letter for letter in range(16) if letter >> n & 1)) for n in range(4)]
    for _ in range(300):
        (one, ones), (other, others) = rng.choice(known), rng.choice(known)
        known.append(rng.choice([(one & other, ones & others), (one | other, ones | others), (one ^ other, ones ^ others)]))
        guard, letters = known[-1]
        assert bool(guard) == bool(letters)
        assert members(alphabet, guard) == letters
        assert members(alphabet, alphabet.complement(guard)) == everything - letters
        if letters:
            assert alphabet.pick(guard) in letters
        number = rng.randrange(4)
        low, high = alphabet.cofactors(guard, number)
        assert members(alphabet, low) == {letter for letter in range(16) if letter & ~(1 << number) in letters}
        assert members(alphabet, high) == {letter for letter in range(16) if letter | 1 << number in letters}
    for one, ones in known:
        for other, others in known[:40]:
            assert (one == other) == (ones == others)


@pytest.mark.parametrize("form", [TruthTables, LetterDiagrams])
def test_covers_are_exact_and_irredundant(form: type[Alphabet]) -> None:
    alphabet = form(ATOMS)
    rng = random.Random(2)
    for _ in range(200):
        letters = frozenset(letter for letter in range(16) if rng.random() < 0.5)
        guard = alphabet.empty
        for letter in letters:
            guard = guard | alphabet.of_cube((letter, ~letter))
        cubes = [frozenset(x for x in range(16) if x & true == true and not x & false) for true, false in alphabet.cover(guard)]
        assert frozenset().union(*cubes) == letters
        for cube in cubes:
            assert frozenset().union(*(other for other in cubes if other is not cube)) != letters


def test_the_form_follows_from_the_number_of_atoms() -> None:
    few = alphabet_over(Name(f"p{number}") for number in range(tuning.TRUTH_TABLE_ATOMS))
    many = alphabet_over(Name(f"p{number}") for number in range(tuning.TRUTH_TABLE_ATOMS + 1))
    assert isinstance(few, TruthTables)
    assert isinstance(many, LetterDiagrams)
    assert alphabet_over([Name("a"), Name("a")]).atoms == (Name("a"),)
