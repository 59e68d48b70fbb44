"""A Boolean circuit that becomes clauses gate by gate, and the solver for them.

Reference: Tseitin 1968, "On the complexity of derivation in propositional calculus".
Symbols:   a literal is a whole number, as in DIMACS; its negation is the negative number; 1 is true, -1 false.
Invariant: in every assignment that satisfies the clauses, the literal of a gate has the value of the gate.
Deviates:  equal gates are one gate, and a gate with a constant operand is not made.
Cost:      three or four clauses per gate.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import reduce
from typing import Final

from coarsest import tuning
from coarsest.evidence.effort import Effort, NotConfirmed
from coarsest.run import Run

TRUE: Final = 1
FALSE: Final = -1


class Clauses:
    """Gates over literals, and questions about them."""

    def __init__(self, run: Run, effort: Effort = Effort()) -> None:  # noqa: B008 - it is frozen
        from pysat.solvers import Minisat22

        self.run = run
        self.effort = effort
        self._solver = Minisat22()
        self._literals = 1
        self._count = self._propagations = 0
        self._new: list[Sequence[int]] = [(TRUE,)]
        self._gates: dict[tuple[int, ...], int] = {}

    def close(self) -> None:
        """Give the memory of the solver back."""
        self._solver.delete()

    def literal(self) -> int:
        """A literal that may have any value."""
        self._literals += 1
        return self._literals

    def vector(self, width: int) -> tuple[int, ...]:
        return tuple(self.literal() for _ in range(width))

    def add_clause(self, *clause: int) -> None:
        """Demand that at least one of the literals is true."""
        self._new.append(clause)
        if len(self._new) >= 10_000:
            self._hand_over()

    def _hand_over(self) -> None:
        self._count += len(self._new)
        most = self.effort.clauses
        if most is not None and self._count > most:
            raise NotConfirmed(f"its conditions are more than {most} clauses")
        self._solver.append_formula(self._new)
        self._new = []
        self.run.step("clauses", clauses=self._count)

    # Gates

    def both(self, a: int, b: int) -> int:
        if a == b or b == TRUE:
            return a
        if a == TRUE:
            return b
        if a == -b or a == FALSE or b == FALSE:
            return FALSE
        key = (a, b) if a < b else (b, a)
        gate = self._gates.get(key)
        if gate is None:
            gate = self._gates[key] = self.literal()
            self.add_clause(-gate, a)
            self.add_clause(-gate, b)
            self.add_clause(gate, -a, -b)
        return gate

    def either(self, a: int, b: int) -> int:
        return -self.both(-a, -b)

    def implies(self, a: int, b: int) -> int:
        return -self.both(a, -b)

    def differ(self, a: int, b: int) -> int:
        """Exactly one of the two."""
        return self.choose(a, -b, b)

    def same(self, a: int, b: int) -> int:
        return self.choose(a, b, -b)

    def choose(self, condition: int, then: int, otherwise: int) -> int:
        """`then` if the condition is true, or else `otherwise`."""
        if condition < 0:
            condition, then, otherwise = -condition, otherwise, then
        if condition == TRUE or then == otherwise:
            return then
        if then in (TRUE, condition):
            return self.either(condition, otherwise)
        if then in (FALSE, -condition):
            return self.both(-condition, otherwise)
        if otherwise in (TRUE, -condition):
            return self.implies(condition, then)
        if otherwise in (FALSE, condition):
            return self.both(condition, then)
        if then < 0:
            return -self._choice(condition, -then, -otherwise)
        return self._choice(condition, then, otherwise)

    def _choice(self, condition: int, then: int, otherwise: int) -> int:
        key = (condition, then, otherwise)
        gate = self._gates.get(key)
        if gate is None:
            gate = self._gates[key] = self.literal()
            self.add_clause(-condition, -then, gate)
            self.add_clause(-condition, then, -gate)
            self.add_clause(condition, -otherwise, gate)
            self.add_clause(condition, otherwise, -gate)
            self.add_clause(-then, -otherwise, gate)  # this follows from the other clauses, but helps the solver
            self.add_clause(then, otherwise, -gate)
        return gate

    def every(self, literals: Iterable[int]) -> int:
        """All of the literals."""
        parts = sorted(set(literals) - {TRUE})
        if len(parts) <= 2:
            return reduce(self.both, parts, TRUE)
        if not {-part for part in parts}.isdisjoint(parts):
            return FALSE
        key = (0, *parts)
        gate = self._gates.get(key)
        if gate is None:
            gate = self._gates[key] = self.literal()
            for part in parts:
                self.add_clause(-gate, part)
            self.add_clause(gate, *(-part for part in parts))
        return gate

    def some(self, literals: Iterable[int]) -> int:
        """At least one of the literals."""
        return -self.every(-literal for literal in literals)

    # Questions

    def example(self, *literals: int) -> list[int] | None:
        """The true literals of an assignment in which these literals are true; None if there is none."""
        if FALSE in literals:
            return None
        if self._new:
            self._hand_over()
        return list(self._solver.get_model()) if self._solve(literals, self.effort.conflicts) else None

    def is_refuted_soon(self, *literals: int) -> bool:
        """Can the solver show within one portion of conflicts that these literals are not true together?"""
        if FALSE in literals:
            return True
        if self._new:
            self._hand_over()
        try:
            return not self._solve(literals, tuning.SAT_CONFLICTS_AT_FIRST)
        except NotConfirmed:
            return False

    def is_refuted_by_diagrams(self, order: Sequence[int], *literals: int) -> bool:
        """Can decision diagrams with this order of variables show it? Clauses that are not from gates are ignored."""
        from coarsest.evidence.sat.diagrams import DiagramQuestion

        most = tuning.JUDGED_STEPS_IF_ASKED if self.effort.conflicts is None else tuning.JUDGED_STEPS
        parts_of = {gate: parts for parts, gate in self._gates.items()}
        try:
            return DiagramQuestion(parts_of, order, self.run, most).is_refuted(literals)
        except (NotConfirmed, RecursionError):  # too many nodes, or too many variables on one way down
            return False

    def _solve(self, literals: Sequence[int], most: int | None) -> bool:
        """Solve in portions, so that the run can look at the clock in between."""
        spent, portion = 0, tuning.SAT_CONFLICTS_AT_FIRST
        while most is None or spent < most:
            self.run.step("solve", clauses=self._count, conflicts=spent)
            portion = portion if most is None else min(portion, most - spent)
            self._solver.conf_budget(portion)
            # Without `expect_interrupt`, the solver would catch Ctrl-C itself.
            answer = self._solver.solve_limited(assumptions=list(literals), expect_interrupt=True)
            self._propagations = self.run.spend_propagations(self._solver, self._propagations)
            if answer is not None:
                return bool(answer)
            spent, portion = spent + portion, 2 * portion
        raise NotConfirmed(f"a condition was not decided within {most} conflicts of the SAT solver")
