"""Linear factors: the demands of a formula on the present letter and on the future.

Every formula is a union of terms `letter in guard, and some obligations from the next position on`. An until that is postponed to
the next position makes a promise, and no run may make the same promise for ever.

Reference: Couvreur, On-the-fly verification of linear temporal logic, 1999;
           Gastin, Oddoux, Fast LTL to Büchi automata translation, 2001.
Symbols:   a term is a pair of a key and a guard; the key is a bit set with the obligations and the promises.
Invariant: of two terms of one formula where one key contains the other, the guards are disjoint: the smaller key is better.
Deviates:  propositional parts are guards; only the dominated letters of a term are removed, not whole terms.
Cost:      the terms of a conjunction are at most the product of the terms of its parts.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final, TypeAlias

from coarsest.automata.ltl.history import PastHistory
from coarsest.logic.letters.guards import Guard
from coarsest.logic.linear.ltl import FUTURE, PAST, Formulas, Ltl
from coarsest.run import Run

Terms: TypeAlias = dict[int, Any]
"""Guards by key."""

MANY_TERMS: Final = 100
"""A product of more terms is a step of the run."""
WORK_OF_A_TERM: Final = 20.0
"""The work of each term of a product."""


class LinearFactors:
    """The terms of the formulas of one table, for given histories."""

    def __init__(self, table: Formulas, history: PastHistory, run: Run) -> None:
        self._run = run
        self.promises = 0
        """The bits of keys that are promises."""
        self.waiting: list[Ltl] = []
        """The formula of each bit: an obligation, or a promised until."""
        self._history = history
        self._full = table.alphabet.full
        self._true = table.true
        self._bit_of_obligation: dict[Ltl, int] = {}
        self._bit_of_promise: dict[Ltl, int] = {}
        self._implied_by: dict[int, int] = {}  # the obligations that are conjuncts of q, by the bit of p R q
        self._releases_of: dict[Ltl, list[int]] = {}  # the bits of all p R q, by the conjuncts of q
        self._done: dict[tuple[Ltl, int], Terms] = {}

    def obligations(self, formula: Ltl) -> int:
        """The key for a formula that must hold from the next position on."""
        if formula is self._true:
            return 0
        if formula.op == "and":
            key = 0
            for part in formula.args:
                key |= self.obligations(part)
            return key
        bit = self._bit_of_obligation.get(formula)
        if bit is None:
            bit = self._bit_of_obligation[formula] = 1 << len(self.waiting)
            self.waiting.append(formula)
            self._register(formula, bit)
        return bit

    def _register(self, formula: Ltl, bit: int) -> None:
        for release in self._releases_of.get(formula, ()):
            self._implied_by[release] |= bit
        if formula.op == "R":
            right = formula.args[1]
            self._implied_by[bit] = 0
            for part in right.args if right.op == "and" else (right,):
                self._releases_of.setdefault(part, []).append(bit)
                self._implied_by[bit] |= self._bit_of_obligation.get(part, 0)

    def normal(self, key: int) -> int:
        """The key without obligations q beside p R q, whose terms contain those of q."""
        normal = key
        for release, implied in self._implied_by.items():
            if key & release:
                normal &= ~implied
        return normal

    def _promise(self, until: Ltl) -> int:
        bit = self._bit_of_promise.get(until)
        if bit is None:
            bit = self._bit_of_promise[until] = 1 << len(self.waiting)
            self.waiting.append(until)
            self.promises |= bit
        return bit

    def of_obligations(self, key: int, past: int) -> Terms:
        """The terms of all obligations of a key together."""
        terms: Terms = {0: self._full}
        for formula in self.formulas(key):
            terms = self._product(terms, self.terms(formula, past))
        return terms

    def formulas(self, key: int) -> Iterable[Ltl]:
        """The obligations in a key."""
        key &= ~self.promises
        while key:
            lowest = key & -key
            yield self.waiting[lowest.bit_length() - 1]
            key ^= lowest

    def terms(self, formula: Ltl, past: int) -> Terms:
        """The terms of a formula after the history `past`."""
        if not formula.traits & PAST:
            past = 0
        terms = self._done.get((formula, past))
        if terms is None:
            terms = self._done[formula, past] = self._terms(formula, past)
        return terms

    def _terms(self, formula: Ltl, past: int) -> Terms:
        if not formula.traits & FUTURE:
            guard = self._history.guard(formula, past)
            return {0: guard} if guard else {}
        match formula.op:
            case "X":
                return {self.obligations(formula.args[0]): self._full}
            case "U":
                left, right = formula.args
                later = {self.obligations(formula) | self._promise(formula): self._full}
                return self._union(self.terms(right, past), self._product(self.terms(left, past), later))
            case "R":
                left, right = formula.args
                later = {self.obligations(formula): self._full}
                return self._product(self.terms(right, past), self._union(self.terms(left, past), later))
        combine = self._product if formula.op == "and" else self._union
        first, *others = formula.args
        terms = self.terms(first, past)
        for part in others:
            terms = combine(terms, self.terms(part, past))
        return terms

    def _union(self, left: Terms, right: Terms) -> Terms:
        terms = dict(left)
        for key, guard in right.items():
            terms[key] = terms[key] | guard if key in terms else guard
        return self._without_dominated(terms)

    def _product(self, left: Terms, right: Terms) -> Terms:
        terms: Terms = {}
        if len(left) * len(right) > MANY_TERMS:
            self._run.spend(WORK_OF_A_TERM * len(left) * len(right))
            self._run.step("terms", terms=len(left) * len(right))
        for key, guard in left.items():
            for other_key, other_guard in right.items():
                both = guard & other_guard
                if both:
                    union = key | other_key
                    terms[union] = terms[union] | both if union in terms else both
        return self._without_dominated(terms)

    def _without_dominated(self, terms: Terms) -> Terms:
        """Remove from every term the letters that a term with a smaller key has, too."""
        if len(terms) < 2:
            return terms
        undominated: list[tuple[int, Guard]] = []
        for key in sorted(terms, key=int.bit_count):
            guard = terms[key]
            for smaller, other in undominated:
                if smaller & key == smaller:
                    guard = guard ^ (guard & other)
            if guard:
                undominated.append((key, guard))
                if len(undominated) % MANY_TERMS == 0:
                    self._run.spend(WORK_OF_A_TERM * len(terms))
                    self._run.step("terms", terms=len(terms))
        return dict(undominated)
