"""Confirms verdicts on temporal formulas on all states one by one, if there are few.

No engine takes part: the interpreter finds the states, and the formulas are evaluated on the explicit graph. It shares with the
checker only the syntax of the logics and, for linear formulas, the tableau.
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
from coarsest.model.kinds import function
from coarsest.model.machine import Machine, Property, invariant
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
    def confirm(self, claim: Property, *, holds: bool) -> Enumerated | None:
        """The confirmation; None if there are too many states, or too little time. Raises EvidenceRejected on disagreement."""

        def decide() -> bool:
            if not claim.kind.on_states:
                raise NotConfirmed("properties of this kind are not enumerated")
            return bool(function(claim.kind.on_states)(self, claim.formula))

        return self._confirm(decide, show(claim.formula), holds=holds)

    @CLOCK.phase(EVIDENCE)
    def confirm_never(self, automaton: Automaton, title: str) -> Enumerated | None:
        """Confirm in the same way that no fair path is accepted."""
        return self._confirm(lambda: self.accepts_no_path(automaton), title, holds=True)

    @CLOCK.phase(EVIDENCE)
    def confirm_invariant(self, proof: InductiveInvariant, good: Expr) -> Enumerated | None:
        """Confirm in the same way that a condition always holds because of a set of states: all reachable states must belong to
        the set, and be good. It may contain other states, too."""
        try:
            with self.run.as_evidence():
                enumerated = self.states()
        except (NotConfirmed, LimitExceeded):
            return None
        types = {v.name: v.type for v in self.machine.state_variables}
        if not all(proof.contains(enumerated.interpreter.assignment(state), types) for state in enumerated.states):
            raise EvidenceRejected("the invariant does not contain all reachable states")
        return self.confirm(invariant(good), holds=True)

    def _confirm(self, decide: Callable[[], bool], title: str, *, holds: bool) -> Enumerated | None:
        try:
            with self.run.as_evidence():
                decided = decide()
                count = len(self.states().states)
        except (NotConfirmed, LimitExceeded):
            return None
        if decided != holds:
            words = {True: "holds", False: "fails"}
            message = f"{title} {words[decided]} on the {count} reachable states, enumerated one by one"
            raise EvidenceRejected(f"{message}, but the verdict is that it {words[holds]}")
        return Enumerated(count, self.part)

    def begins_fair_path(self, state: Mapping[str, Value]) -> bool | None:
        """Does a fair path begin in this reachable state? None if there are too many states."""
        try:
            checker, enumerated = self.checker([]), self.states()
            number = enumerated.states.index(tuple(state[v.name] for v in enumerated.interpreter.state_variables))
            return not checker.fair.isdisjoint(checker.positions.of_state[number])
        except (NotConfirmed, LimitExceeded):
            return None

    def accepts_no_path(self, violating: Automaton) -> bool:
        """Is no fair path of the machine accepted?"""
        from coarsest.evidence.enumeration.ltl_by_enumeration import beginnings

        checker = self.checker(violating.alphabet.atoms)
        positions = checker.positions
        truths = [positions.where(atom) for atom in violating.alphabet.atoms]
        most_steps = 5 * self.bounds.steps
        return not beginnings(checker.graph, violating, truths, positions.initial, self.run, most_steps=most_steps)

    def states(self) -> EnumeratedStates:
        """The reachable states; raises NotConfirmed if there are too many."""
        if self.is_large:
            raise NotConfirmed("there are too many states")
        if self._enumerated is None:
            try:
                self._enumerated = EnumeratedStates(self.machine, self.run, self.bounds)
            except NotConfirmed:
                self.is_large = True
                raise
        return self._enumerated

    def checker(self, exprs: list[Expr] | tuple[Expr, ...]) -> CtlByEnumeration:
        """The evaluation of formulas over these expressions, under the fairness of the machine."""
        machine, states = self.machine, self.states()
        fairness = [*machine.justice, *(expr for pair in machine.compassion for expr in pair)]
        inputs = tuple(states.inputs_in([*exprs, *fairness]))
        if inputs not in self._checkers:
            self._checkers[inputs] = CtlByEnumeration(states.positions(inputs), self.run)
        return self._checkers[inputs]


# The question about the states for each kind of property (`model/kinds.py`)


def always(judge: ByEnumeration, formula: Expr) -> bool:
    return judge.states().always(formula)


def no_dead_end(judge: ByEnumeration, _formula: Expr) -> bool:
    return all(judge.states().steps)


def in_initial_states(judge: ByEnumeration, formula: Expr) -> bool:
    return judge.checker([formula]).holds(formula)


def on_all_paths_ltl(judge: ByEnumeration, formula: Expr) -> bool:
    from coarsest.evidence.enumeration.ltl_by_enumeration import automaton_of_ltl

    judge.states()  # raises NotConfirmed if there are too many, before the formula is translated
    return judge.accepts_no_path(automaton_of_ltl(formula, judge.run, negated=True))


def on_all_paths_psl(judge: ByEnumeration, formula: Expr) -> bool:
    from coarsest.evidence.enumeration.ltl_by_enumeration import automaton_of_psl

    judge.states()
    return judge.accepts_no_path(automaton_of_psl(formula, judge.run, negated=True))
