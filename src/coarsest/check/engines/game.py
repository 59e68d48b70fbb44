"""ACTL by game simulation: a model satisfies a formula if and only if the tableau of the formula simulates it.

States in which no fair path starts take no part in the game: whatever a formula claims of all paths from there holds.
"""

from __future__ import annotations

from coarsest.check.questions.finding import Finding, Proved, Refuted
from coarsest.check.questions.question import Branching, Question
from coarsest.check.setting.session import Session
from coarsest.errors import InputError
from coarsest.logic.branching.actl import holds_without_paths, universal
from coarsest.logic.expr import Expr
from coarsest.model.composition.actl_tableau_grumberg_long import tableau_machine
from coarsest.model.parts.promote_inputs import inputs_mentioned
from coarsest.search.fair_simulation.arena import SimulationGame
from coarsest.search.fair_simulation.game_piterman_pnueli_saar import game_simulation
from coarsest.space.bdd.symbolic import symbolic
from coarsest.space.bdd.two_machines import beside
from coarsest.space.views import RestrictedSpace


def objection(question: Question[Branching], session: Session) -> str:
    formula = question.claim.formula
    if not question.claim.is_ctl:
        return "it decides ACTL, and this is CTL*"
    if session.spaces.carrier != "bdd":
        return "the states of a tableau are beside those of the model in BDDs alone"
    if session.machine.compassion:
        return "its games handle justice only, and the model has compassion"
    if inputs_mentioned(session.machine, [formula]):
        return "it mentions inputs, which are not part of a state"
    try:
        universal(formula)
    except InputError as problem:
        return problem.diagnostic.message
    return ""


def decide(question: Question[Branching], session: Session) -> Finding:
    formula = question.claim.formula
    setting = session.setting([formula])
    arena, checker = setting.arena, setting.ctl

    def still_holds(stronger: Expr) -> bool:
        return checker.holds_from(arena.first, stronger)

    machines = beside(symbolic(arena.base), tableau_machine(setting.machine, formula), session.run, session.build)
    game = SimulationGame(machines, RestrictedSpace(arena.space, checker.fair), machines.right, arena.forget)
    won = game.answered_at_first(game_simulation(game, session.run))
    unfair = arena.first - arena.forget(checker.fair)
    lost = ((arena.first & checker.fair) - won) | (unfair - arena.space.where(holds_without_paths(formula)))
    if not lost:
        explanation = setting.explain(arena.first, formula) if arena.first else None
        return Proved(explanation=explanation, still_holds=still_holds)
    explanation = setting.explain(lost, formula)
    return Refuted(explanation.longest, explanation=explanation)
