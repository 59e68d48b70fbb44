"""PSL: from a formula to a question, to an engine, and from what it finds to a judged decision."""

from __future__ import annotations

from coarsest.automata.psl.psl_to_automaton import psl_to_automaton
from coarsest.check.certify.enumerated import enumeration
from coarsest.check.decide.linear import beside_bits, holding, holding_on_bits, linear_finding
from coarsest.check.questions.finding import Finding, Proved, Refuted
from coarsest.check.questions.question import Linear
from coarsest.check.setting.model_warnings import warn_of_dead_ends
from coarsest.check.setting.session import Decision, Session
from coarsest.evidence.confirmation import Unconfirmed
from coarsest.evidence.replay.lasso import confirm_lasso
from coarsest.evidence.replay.psl_on_lasso import confirm_false
from coarsest.evidence.verdict import Fails
from coarsest.logic.psl.psl import conditions
from coarsest.logic.psl.psl_from_expr import psl_from_expr
from coarsest.model.interpret.interpret import Interpreter
from coarsest.model.machine import Property

ABORTS = "the lasso was replayed, but 'abort' is not evaluated on it"


def decide(session: Session, claim: Property) -> Decision:
    """The verdict on a PSL formula, by the automaton of its negation."""
    formula = claim.formula
    translated = psl_from_expr(formula)
    setting = session.setting(conditions(translated))

    def by_diagrams(own: Session) -> Finding:
        if not own.options.on_bits:
            warn_of_dead_ends(own, setting)
        violating = psl_to_automaton(translated, negated=True, run=own.run, smallest=False)
        method = "auto" if own.options.ltl_method == "tableau" else own.options.ltl_method  # PSL has no tableau
        return linear_finding(own, setting, Linear(tuple(conditions(translated)), lambda: violating), method)

    finding = beside_bits(session, setting, formula, by_diagrams)
    if not isinstance(finding, Refuted):
        if not isinstance(finding, Proved) or finding.proof is not None or session.options.on_bits:
            return holding_on_bits(session, setting, claim, finding)
        return holding(session, setting, claim, ())
    trace = finding.trace
    decision = Decision(Fails(trace, confirmation=session.by_replay))
    if not session.options.confirms:
        return decision
    confirm_lasso(setting.own, trace, None)
    if confirm_false(translated, trace, Interpreter.of(setting.own)):
        return decision
    enumerated = enumeration(session, setting.own).confirm(claim, holds=False)
    return Decision(Fails(trace, confirmation=enumerated or Unconfirmed(ABORTS)))
