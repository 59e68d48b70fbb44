"""Verdicts on temporal formulas confirmed by looking at all states one by one, where there are few.

No engine takes part: the interpreter finds the states, and the formulas are evaluated on the explicit graph. What this shares
with the checker is the syntax of the logics and, for linear formulas, the tableau.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from coarsest.errors import EvidenceRejected, LimitExceeded
from coarsest.evidence.confirmation import Enumerated
from coarsest.evidence.effort import NotConfirmed
from coarsest.evidence.enumeration.ctl_by_enumeration import CtlByEnumeration
from coarsest.evidence.enumeration.enumerated_states import EnumeratedStates, EnumerationBounds
from coarsest.evidence.proof import InductiveInvariant
from coarsest.logic.expr import Expr, Value
from coarsest.logic.show import show
from coarsest.model.machine import Machine, PropertyKind
from coarsest.phases import CLOCK, EVIDENCE
from coarsest.run import Run

if TYPE_CHECKING:
    from coarsest.automata.automaton import Automaton


class ByEnumeration:
    """Confirms verdicts on one machine; its states are enumerated once, when first needed."""

    def __init__(
        self, machine: Machine, run: Run, bounds: EnumerationBounds | None = None, *, part: str = "", is_large: bool = False
    ) -> None:
        self.machine = machine
        self.part = part
        self.run = run
        self.bounds = bounds or EnumerationBounds()
        self._enumerated: EnumeratedStates | None = None
        self.is_large = is_large
        """Are there too many states?"""
        self._checkers: dict[tuple[int, ...], CtlByEnumeration] = {}

    @CLOCK.phase(EVIDENCE)
    def confirm(self, kind: PropertyKind, formula: Expr, *, holds: bool) -> Enumerated | None:
        """None if the states are too many, or the time too short, to say anything; raises EvidenceRejected on disagreement."""
        return self._confirm(lambda: self._holds(kind, formula), show(formula), holds=holds)

    @CLOCK.phase(EVIDENCE)
    def confirm_never(self, automaton: Automaton, title: str) -> Enumerated | None:
        """The same for the verdict that no fair path is accepted."""
        return self._confirm(lambda: self._accepts_no_path(automaton), title, holds=True)

    @CLOCK.phase(EVIDENCE)
    def confirm_invariant(self, invariant: InductiveInvariant, good: Expr) -> Enumerated | None:
        """The same for the verdict that a set of states is why a condition always holds: all states that can be reached must
        belong to it, and be good. What else is in it does not matter."""
        try:
            with self.run.as_evidence():
                enumerated = self._states()
        except (NotConfirmed, LimitExceeded):
            return None
        types = {v.name: v.type for v in self.machine.state_variables}
        if not all(invariant.contains(enumerated.interpreter.assignment(state), types) for state in enumerated.states):
            raise EvidenceRejected("the invariant does not contain a state that can be reached")
        return self.confirm(PropertyKind.INVARIANT, good, holds=True)

    def _confirm(self, decide: Callable[[], bool], title: str, *, holds: bool) -> Enumerated | None:
        try:
            with self.run.as_evidence():
                found = decide()
                count = len(self._states().states)
        except (NotConfirmed, LimitExceeded):
            return None
        if found != holds:
            words = {True: "holds", False: "fails"}
            message = f"{title} {words[found]} on the {count} reachable states, enumerated one by one"
            raise EvidenceRejected(f"{message}, but the verdict is that it {words[holds]}")
        return Enumerated(count, self.part)

    def begins_fair_path(self, state: Mapping[str, Value]) -> bool | None:
        """Does a fair path begin in this state, which can be reached? None if the states are too many to say."""
        try:
            checker, enumerated = self._checker([]), self._states()
            number = enumerated.states.index(tuple(state[v.name] for v in enumerated.interpreter.state_variables))
            return not checker.fair.isdisjoint(checker.positions.of_state[number])
        except (NotConfirmed, LimitExceeded):
            return None

    def _holds(self, kind: PropertyKind, formula: Expr) -> bool:
        match kind:
            case PropertyKind.INVARIANT:
                return self._states().always(formula)
            case PropertyKind.DEADLOCK:
                return all(self._states().steps)
            case PropertyKind.CTL | PropertyKind.CTL_STAR:
                return self._checker([formula]).holds(formula)
            case PropertyKind.LTL | PropertyKind.PSL:
                return self._holds_on_all_paths(kind, formula)
        raise NotConfirmed("properties of this kind are not enumerated")

    def _holds_on_all_paths(self, kind: PropertyKind, formula: Expr) -> bool:
        from coarsest.evidence.enumeration.ltl_by_enumeration import automaton_of_ltl, automaton_of_psl

        self._states()  # it is cheaper to find that they are many than to translate the formula
        translate = automaton_of_ltl if kind is PropertyKind.LTL else automaton_of_psl
        return self._accepts_no_path(translate(formula, self.run, negated=True))

    def _accepts_no_path(self, violating: Automaton) -> bool:
        from coarsest.evidence.enumeration.ltl_by_enumeration import beginnings

        checker = self._checker(violating.alphabet.atoms)
        positions = checker.positions
        truths = [positions.where(atom) for atom in violating.alphabet.atoms]
        most_steps = 5 * self.bounds.steps
        return not beginnings(checker.graph, violating, truths, positions.initial, self.run, most_steps=most_steps)

    def _states(self) -> EnumeratedStates:
        if self.is_large:
            raise NotConfirmed("there are too many states")
        if self._enumerated is None:
            try:
                self._enumerated = EnumeratedStates(self.machine, self.run, self.bounds)
            except NotConfirmed:
                self.is_large = True
                raise
        return self._enumerated

    def _checker(self, exprs: list[Expr] | tuple[Expr, ...]) -> CtlByEnumeration:
        """Where formulas over these expressions are evaluated, under the fairness of the machine."""
        machine, states = self.machine, self._states()
        fairness = [*machine.justice, *(expr for pair in machine.compassion for expr in pair)]
        inputs = tuple(states.inputs_in([*exprs, *fairness]))
        if inputs not in self._checkers:
            self._checkers[inputs] = CtlByEnumeration(states.positions(inputs), self.run)
        return self._checkers[inputs]
