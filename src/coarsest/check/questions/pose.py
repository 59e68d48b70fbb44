"""From properties to questions: the part of the machine that matters, and what is claimed of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from coarsest.check.decide.classify import searched_as_invariant
from coarsest.check.questions.question import Invariant, Linear, Question
from coarsest.check.setting.session import Session
from coarsest.errors import InputError
from coarsest.logic.expr import Apply, Constant, Expr, Name
from coarsest.model.machine import Machine, Property
from coarsest.model.parts.part import Part, cone, counted, watched
from coarsest.model.parts.watch import is_about_steps, looks_ahead
from coarsest.model.unbounded import unbounded_variables
from coarsest.run import Run

if TYPE_CHECKING:
    from coarsest.check.invariants.joint_bmc import JointSearch


def question_of(session: Session, stated: Expr, *, depth: int = 0) -> Question[Invariant]:
    """The question about the part of the machine that matters, with a variable that remembers steps if the condition is about
    steps. With a depth, the condition need not hold after more steps."""
    part, (claim,), whole = _posed(session, [stated])
    if depth:
        steps = next(session.watches)
        part = part.then(counted(depth, steps))
        late = Apply(">", (Name(steps), Constant(depth)))
        claim, whole = Invariant(Apply("or", (late, claim.good)), stated), part.machine
    return Question(part, claim, whole)


def _posed(session: Session, statements: Sequence[Expr]) -> tuple[Part, list[Invariant], Machine]:
    """The same for several conditions: the part, what is claimed of it, and the part before equal variables were merged."""
    part, claims = Part(session.machine), []
    for stated in statements:
        good = stated
        if is_about_steps(session.machine, stated):
            name = next(session.watches)
            part, good = part.then(watched(stated, name)), Name(name)
        claims.append(Invariant(good, stated))
    influences = cone([claim.good for claim in claims]) if session.options.cone else Part
    part = part.then(influences)
    return part.then(session.merged).then(influences), claims, part.machine


def all_invariants(
    session: Session, run: Run, stated: Expr | None = None, *, deepest_induction: int | None
) -> JointSearch | None:
    """This invariant, and all that are to be decided, on one unrolling.

    None where there are none, a variable has no bits, or a condition is wrong, which is reported when that is asked for.
    """
    from coarsest.check.invariants.joint_bmc import JointSearch

    others = [searched_as_invariant(claim, session.machine, session.options) for claim in session.claims]
    statements = {id(condition): condition for condition in (stated, *others) if condition is not None}
    part, claims, whole = _posed(session, list(statements.values()))
    if not claims or unbounded_variables(part.machine):
        return None
    try:
        return JointSearch(part, claims, whole, run, deepest_induction=deepest_induction)
    except InputError:
        return None


def linear_claim(machine: Machine, claim: Property, run: Run) -> Linear:
    """What a formula of LTL or PSL says about paths; raises InputError for others."""
    from coarsest.logic.linear.ltl_from_expr import from_expr

    if claim.kind.is_psl:
        from coarsest.automata.psl.psl_to_automaton import psl_to_automaton
        from coarsest.logic.psl.psl import conditions
        from coarsest.logic.psl.psl_from_expr import psl_from_expr

        translated = psl_from_expr(claim.formula)
        roots = tuple(conditions(translated))
        return Linear(roots, lambda: psl_to_automaton(translated, negated=True, run=run, smallest=False))
    if not claim.kind.is_ltl or looks_ahead(machine, claim.formula):
        raise InputError("this is neither LTL without next() nor PSL")
    from coarsest.automata.ltl.ltl_to_buchi import ltl_to_buchi

    violation = from_expr(claim.formula).negation
    return Linear((claim.formula,), lambda: ltl_to_buchi(violation, run, smallest=False), claim.formula)
