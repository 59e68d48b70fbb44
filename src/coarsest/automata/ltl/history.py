"""Histories: the finitely many bits about the past that formulas depend on.

Formulas whose operators are all of the past are functions of the present letter and of one bit per operator: `Y p` and `Z p` keep
their own value, `p S q` and `p T q` the value they had one position ago. The bits are updated by the letter, deterministically.

Reference: Lichtenstein, Pnueli, Zuck, The glory of the past, 1985.
Symbols:   –
Invariant: a history contains only bits that later obligations may depend on.
Deviates:  bits instead of propositions; the update is computed for sets of letters at once.
Cost:      one guard per operator and history.
"""

from __future__ import annotations

from typing import Any

from coarsest.logic.letters.guards import Guard
from coarsest.logic.linear.ltl import FUTURE, PAST, Formulas, Ltl


class PastHistory:
    """The bits that the past operators of some formulas need."""

    def __init__(self, table: Formulas) -> None:
        self._alphabet = table.alphabet
        self._bit: dict[Ltl, int] = {}
        self._needed: dict[Ltl, int] = {}
        self._done: dict[tuple[Ltl, int], Any] = {}
        self._steps: dict[tuple[int, int], list[tuple[Any, int]]] = {}

    def initial(self, formula: Ltl) -> int:
        """The history before the first letter: weak operators are true there, strong ones false."""
        return self.needed(formula) & sum(bit for past, bit in self._bit.items() if past.op in ("Z", "T"))

    def needed(self, formula: Ltl) -> int:
        """The bits that a formula depends on, now or later."""
        if not formula.traits & PAST:
            return 0
        bits = self._needed.get(formula)
        if bits is None:
            bits = 0
            for arg in formula.args:
                bits |= self.needed(arg)
            if formula.op in ("Y", "Z", "S", "T"):
                bits |= self._bit.setdefault(formula, 1 << len(self._bit))
            self._needed[formula] = bits
        return bits

    def guard(self, formula: Ltl, history: int) -> Any:
        """The letters with which a formula without future operators holds now."""
        if formula.op == "prop":
            return formula.guard
        history &= self.needed(formula)
        guard = self._done.get((formula, history))
        if guard is None:
            guard = self._done[formula, history] = self._guard(formula, history)
        return guard

    def _guard(self, formula: Ltl, history: int) -> Any:
        full, empty = self._alphabet.full, self._alphabet.empty
        assert not formula.traits & FUTURE, "a future operator inside the past must be named first"
        if formula.op in ("Y", "Z"):
            return full if history & self._bit[formula] else empty
        guards = [self.guard(arg, history) for arg in formula.args]
        result = guards[0]
        if formula.op in ("S", "T"):
            left, right = guards
            before = full if history & self._bit[formula] else empty
            return right | (left & before) if formula.op == "S" else right & (left | before)
        for guard in guards[1:]:
            result = result & guard if formula.op == "and" else result | guard
        return result

    def steps(self, history: int, needed: int) -> list[tuple[Any, int]]:
        """Classes of letters, each with the bits `needed` of the history after it."""
        if not needed:
            return [(self._alphabet.full, 0)]
        steps = self._steps.get((history, needed))
        if steps is None:
            steps = self._steps[history, needed] = self._cut(history, needed)
        return steps

    def _cut(self, history: int, needed: int) -> list[tuple[Any, int]]:
        classes: list[tuple[Any, int]] = [(self._alphabet.full, 0)]
        for past, bit in self._bit.items():
            if not needed & bit:
                continue
            becomes: Guard = self.guard(past.args[0] if past.op in ("Y", "Z") else past, history)
            cut = []
            for letters, after in classes:
                inside = letters & becomes
                if inside:
                    cut.append((inside, after | bit))
                if inside != letters:
                    cut.append((letters ^ inside, after))
            classes = cut
        return classes
