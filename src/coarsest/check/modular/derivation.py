"""What follows of a system from what was shown of its components one at a time.

Reference: Grumberg, Long 1994; Bustan 2002, section 4.4, properties 1–5; circular steps: McMillan 1999, "Circular compositional
           reasoning about liveness", section 2, for invariants.
Symbols:   S is the composition of the components; a fact ψ M φ says T_ψ ‖ M ⊨ φ, a fact M ≤ A that A simulates M; `formulas` are
           those that S satisfies, `above` are the structures A with S ≤ A.
Invariant: whatever is in `formulas` or `above` is true of S, by the facts in its `reasons`.
Deviates:  an assumption need not be shown literally: it is enough that what is shown implies it.
Cost:      each round looks at all facts; each question whether formulas imply another one is a check of their tableau.

If S ≤ A, S ≤ M and A ‖ M ⊨ φ, then S ≤ S ‖ S ≤ A ‖ M (properties 5 and 3), so S ⊨ φ (property 1); S ≤ M for each component
(property 2), and S ⊨ ψ says S ≤ T_ψ (property 4). Facts are used when their assumption has been derived, so that no circle of
assumptions proves itself. One kind of circle is sound: if M_i keeps p_i true at least one step longer than all the q_j that it
assumes, and each q_j is some p_k, then none of them is the first to fail (by induction over time).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence

from msgspec import Struct

from coarsest.logic.branching.ctl import is_temporal, negate
from coarsest.logic.expr import Apply, Expr, conjunction, conjuncts
from coarsest.logic.show import show


class Fact(Struct, frozen=True):
    """A step of a proof; where it does not hold, it may be part of a circle."""

    number: int
    component: str
    claim: Expr | str
    """A formula, or the name of what simulates the component."""
    assumption: Expr | str | None = None
    """A formula, or the name of a structure."""
    holds: bool = True


Reasons = frozenset[int]


class Derivation:
    """What is true of a composition."""

    def __init__(
        self,
        components: Collection[str],
        facts: Sequence[Fact],
        implied: Callable[[Sequence[Expr], Expr], Sequence[Expr] | None],
        lasting: Callable[[Fact, Sequence[Expr], Expr], bool],
    ) -> None:
        """`implied` gives formulas among some that imply another one, if they do. `lasting` tells whether the component of a fact
        satisfies, under some assumptions, a formula that stands for its claim in a circle."""
        self.facts = facts
        self.formulas: dict[Expr, Reasons] = {}
        self.above: dict[str, Reasons] = {name: frozenset() for name in components}
        self.in_circles: set[int] = set()
        self._implied, self._lasting = implied, lasting
        self._implications: dict[tuple[int, Expr], Reasons | None] = {}
        while self._round() or self._circle():
            pass

    def reasons(self, formula: Expr) -> Reasons | None:
        """The facts by which the system satisfies a formula; None if nothing shows that it does."""
        parts = list(conjuncts(formula))
        if all(part in self.formulas for part in parts):
            return frozenset[int]().union(*(self.formulas[part] for part in parts))
        key = len(self.formulas), formula
        if key not in self._implications:
            premises = self._implied(tuple(self.formulas), formula)
            shown_by = None if premises is None else frozenset[int]().union(*(self.formulas[part] for part in premises))
            self._implications[key] = shown_by
        return self._implications[key]

    def assumed(self, fact: Fact) -> Reasons | None:
        """The facts by which the assumption of a fact holds."""
        if fact.assumption is None:
            return frozenset()
        return self.above.get(fact.assumption) if isinstance(fact.assumption, str) else self.reasons(fact.assumption)

    def _round(self) -> bool:
        """Use every fact that can be used; was there any?"""
        used = False
        for fact in self.facts:
            if not fact.holds or fact.component not in self.above or self._is_used(fact):
                continue
            assumed = self.assumed(fact)
            if assumed is not None:
                self._use(fact, assumed | self.above[fact.component] | {fact.number})
                used = True
        return used

    def _is_used(self, fact: Fact) -> bool:
        if isinstance(fact.claim, str):
            return fact.claim in self.above
        return all(part in self.formulas for part in conjuncts(fact.claim))

    def _use(self, fact: Fact, reasons: Reasons) -> None:
        if isinstance(fact.claim, str):
            self.above[fact.claim] = reasons
        else:
            for part in conjuncts(fact.claim):
                self.formulas.setdefault(part, reasons)

    # Circles

    def _circle(self) -> bool:
        """Use facts about invariants that assume one another, if each claim lasts longer than what it assumes."""
        circle = [f for f in self.facts if f.component in self.above and not self._is_used(f) and _invariants(f.claim)]
        while circle:
            claimed = {part for fact in circle for part in _parts(fact.claim)}
            smaller = [
                fact for fact in circle
                if all(part in claimed or self.reasons(part) is not None for part in _parts(fact.assumption))
            ]  # fmt: skip
            if smaller == circle:
                smaller = [fact for fact in circle if self._lasts_longer(fact, claimed)]
            if smaller == circle:
                break
            circle = smaller
        together = frozenset(fact.number for fact in circle)
        for fact in circle:
            granted = [self.reasons(part) or frozenset() for part in _parts(fact.assumption) if part not in self.formulas]
            self._use(fact, together.union(*granted))
        self.in_circles |= together
        return bool(circle)

    def _lasts_longer(self, fact: Fact, claimed: Collection[Expr]) -> bool:
        """Does the claim stay true one step longer than what it assumes of the circle?"""
        parts = _parts(fact.assumption)
        circular = [part for part in parts if part in claimed]
        return self._lasting(fact, [part for part in parts if part not in claimed], lasting_claim(circular, _parts(fact.claim)))

    def missing(self, fact: Fact) -> str:
        """Why a fact was not used."""
        if fact.component not in self.above:
            return f"step {fact.number} is about '{fact.component}', which is not part of the system"
        if isinstance(fact.assumption, str):
            return f"step {fact.number} assumes '{fact.assumption}', and no step shows that it simulates a part of the system"
        assert fact.assumption is not None
        parts = [part for part in conjuncts(fact.assumption) if self.reasons(part) is None]
        by = [f"step {f.number}" for f in self.facts if any(part in _parts(f.claim) for part in parts)]
        shown = f": {', '.join(by)} would show it, but cannot be used" if by else ""
        return f"step {fact.number} assumes {show(conjunction(parts))}, which is not shown{shown}"


def _parts(formula: Expr | str | None) -> list[Expr]:
    return [] if formula is None or isinstance(formula, str) else list(conjuncts(formula))


def _invariants(formula: Expr | str | None) -> bool:
    """Is it a conjunction of AG p?"""
    parts = _parts(formula)
    return bool(parts) and all(isinstance(p, Apply) and p.op == "AG" and not is_temporal(p.args[0]) for p in parts)


def lasting_claim(assumed: Iterable[Expr], claimed: Iterable[Expr]) -> Expr:
    """On no path do the conditions assumed hold up to a state, exclusively, in which one that is claimed is false."""
    before, then = (conjunction([_condition(part) for part in parts]) for parts in (assumed, claimed))
    return Apply("not", (Apply("EU", (before, negate(then))),))


def _condition(invariant: Expr) -> Expr:
    assert isinstance(invariant, Apply)
    return invariant.args[0]
