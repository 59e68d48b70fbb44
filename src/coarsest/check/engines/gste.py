"""Assertion graphs by generalised symbolic trajectory evaluation: a set of states for each vertex."""

from __future__ import annotations

from typing import Any

from coarsest.check.gste.gste_yang_seger import gste
from coarsest.check.questions.finding import Finding, Proved, Refuted
from coarsest.check.questions.question import Along, Question
from coarsest.check.setting.model_warnings import NO_INITIAL_STATE, NO_PATH_FOR_GRAPHS, warn_of_dead_ends, warn_of_unfair_start
from coarsest.check.setting.session import Session, Setting
from coarsest.model.assertion_graph import Semantics
from coarsest.search.witness import Path
from coarsest.space.assertion_graph_product import AssertionGraphProduct
from coarsest.space.space import S, StateSpace
from coarsest.space.views import RestrictedSpace


def decide(question: Question[Along], session: Session) -> Finding:
    claim = question.claim
    setting = session.setting(claim.graph.conditions)
    product: AssertionGraphProduct[Any] = AssertionGraphProduct(
        _space(session, setting, claim.semantics), claim.graph, claim.semantics
    )
    outcome = gste(product, session.run, prune=claim.how.prune, fair=claim.how.fair)
    facts = {**session.spaces.statistics(), "vertices": len(claim.graph.vertices), "rings": outcome.rings}
    if outcome.path is None:
        if claim.semantics is Semantics.FAIR:
            warn_of_unfair_start(session, setting)
        return Proved(facts=facts, vertices=frozenset(v for v, states in enumerate(outcome.reached.parts) if states))
    path = outcome.path
    states = tuple(product.state_of(pair) for pair in path.states)
    last = setting.arena.base.describe(states[-1]) if claim.semantics is Semantics.FINITE and setting.inputs else {}
    return Refuted(
        setting.trace(Path(states, path.loop)), facts,
        vertices=tuple(product.vertex_of(pair) for pair in path.states),
        last_inputs={name: last[name] for name in sorted(setting.inputs)} if last else {},
    )  # fmt: skip


def _space(session: Session, setting: Setting[S], semantics: Semantics) -> StateSpace[S]:
    """The space of the paths: infinite ones may stay where the machine is stuck, finite ones end there.

    The inputs of a state are those of a step that leaves it, if there is one.
    """
    arena = setting.arena
    if not arena.start:
        session.warn(NO_INITIAL_STATE, NO_PATH_FOR_GRAPHS)
    if not arena.may_be_stuck:
        return arena.base
    if semantics is Semantics.FINITE:
        return RestrictedSpace(arena.base, arena.leaving | arena.stuck) if arena.inputs else arena.base
    warn_of_dead_ends(session, setting)
    return arena.space
