"""Partial derivatives of sequences: the sequences that remain to be matched after one letter.

Reference: Antimirov, Partial derivatives of regular expressions and finite automaton constructions, 1996.
Symbols:   a linear form is a list of `moves` (guard, rest): after a letter of the guard, `rest` remains.
Invariant: a word a·w is matched by r iff w is matched by the rest of some move of r whose guard holds for a.
Deviates:  letters are guards over conditions; `&&` takes the product of the moves, fusion joins the last move of one sequence
           with the first of the other; repetitions keep their counts instead of being written out. Moves with an empty guard
           stay: the letter ⊤ of IEEE 1850 takes them.
Cost:      a sequence of n letters (repetitions written out) without `&&` has at most n + 1 derivatives.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from coarsest.logic.expr import Expr
from coarsest.logic.letters.guards import Guard
from coarsest.logic.psl.sere import (
    EMPTY,
    VOID,
    Concatenation,
    Empty,
    Fusion,
    Intersection,
    Repetition,
    Sere,
    StateCondition,
    Union,
    nullable,
)
from coarsest.logic.psl.sere_construction import concatenation, fusion, intersection, repeated

Moves = dict[Sere, Any]
"""The remaining sequences, each with the letters after which it remains, in the order in which they were met."""


class Derivatives:
    """The moves of core sequences over one alphabet."""

    def __init__(self, guard_of: Callable[[Expr], Guard]) -> None:
        self._guard_of = guard_of
        self._moves: dict[Sere, Moves] = {}

    def moves(self, sere: Sere) -> Moves:
        """All partial derivatives of a core sequence (see `sere_construction.core`) with their letters."""
        moves = self._moves.get(sere)
        if moves is None:
            moves = self._moves[sere] = self._compute(sere)
            moves.pop(VOID, None)
        return moves

    def _compute(self, sere: Sere) -> Moves:
        match sere:
            case Empty():
                return {}
            case StateCondition():
                return {EMPTY: self._guard_of(sere.condition)}
            case Concatenation():
                return self._concatenation(sere)
            case Fusion():
                return self._fusion(sere)
            case Union():
                moves = dict(self.moves(sere.one))
                for rest, guard in self.moves(sere.other).items():
                    _add(moves, guard, rest)
                return moves
            case Intersection():
                return self._intersection(sere)
            case Repetition():
                return self._repetition(sere)
        raise AssertionError(f"not a core sequence: {sere}")

    def _concatenation(self, sere: Concatenation) -> Moves:
        moves: Moves = {}
        for rest, guard in self.moves(sere.first).items():
            _add(moves, guard, concatenation(rest, sere.then))
        if nullable(sere.first):
            for rest, guard in self.moves(sere.then).items():
                _add(moves, guard, rest)
        return moves

    def _fusion(self, sere: Fusion) -> Moves:
        moves: Moves = {}
        for rest, guard in self.moves(sere.first).items():
            _add(moves, guard, fusion(rest, sere.then))
            if nullable(rest):  # the first may end with this letter, and then the second begins with it
                for rest_then, guard_then in self.moves(sere.then).items():
                    _add(moves, guard & guard_then, rest_then)
        return moves

    def _intersection(self, sere: Intersection) -> Moves:
        moves: Moves = {}
        for rest, guard in self.moves(sere.one).items():
            for rest_other, guard_other in self.moves(sere.other).items():
                _add(moves, guard & guard_other, intersection(rest, rest_other))
        return moves

    def _repetition(self, sere: Repetition) -> Moves:
        """The moves of the first body. If bodies may be empty, leaving out a later one instead gives the same words."""
        fewer = repeated(sere.body, max(0, sere.least - 1), None if sere.most is None else sere.most - 1)
        moves: Moves = {}
        for rest, guard in self.moves(sere.body).items():
            _add(moves, guard, concatenation(rest, fewer))
        return moves


def _add(moves: Moves, guard: Guard, rest: Sere) -> None:
    moves[rest] = moves[rest] | guard if rest in moves else guard
