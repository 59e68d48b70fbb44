"""Assertion graphs: from a graph to a question, to an engine, and from what it finds to a judged decision."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from msgspec.structs import replace

from coarsest import tuning
from coarsest.check.gste.graph_by_bounded_search import AssertionGraphSearch
from coarsest.check.questions.finding import Finding, Proved, Refuted, Undecided
from coarsest.check.questions.question import Along, Question
from coarsest.check.setting.model_warnings import (
    EMPTY_CLAIMS,
    NO_FAIR_PATH,
    NO_INITIAL_STATE,
    NO_PATH_FOR_GRAPHS,
    warn_of_unfair_start,
)
from coarsest.check.setting.session import Decision, Session
from coarsest.errors import LimitExceeded
from coarsest.evidence.assertion_graph_answer import AssertionGraphPath
from coarsest.evidence.confirmation import UNASKED, Unconfirmed, part_in_words
from coarsest.evidence.enumeration.assertion_graph_by_enumeration import confirm_assertion_graph_holds
from coarsest.evidence.enumeration.enumerated_states import EnumerationBounds
from coarsest.evidence.reading import Reading
from coarsest.evidence.replay.assertion_graph_path import confirm_assertion_graph_path, violations_along
from coarsest.evidence.verdict import Fails, Holds, Unknown
from coarsest.logic.expr import FALSE, TRUE
from coarsest.model.assertion_graph import AssertionGraph, AssertionGraphClaim, Semantics, Vertex, check_assertion_graph
from coarsest.model.interpret.interpret import Interpreter
from coarsest.model.machine import Machine
from coarsest.model.parts.cone_of_influence import cone_variables
from coarsest.model.parts.part import Part, cone
from coarsest.options.engines import engine_named
from coarsest.options.methods import GsteOptions
from coarsest.options.option import Confirm

WHATEVER_IT_COSTS = EnumerationBounds(states=10**9, steps=10**10)
LIMIT_REACHED = "a limit was reached before all states were examined"
_HERE = frozenset({0})
NOTHING_HAPPENS = AssertionGraph("nothing happens", (Vertex("v", TRUE, FALSE),), frozenset({(0, 0)}), _HERE, _HERE)
"""An assertion graph that every path violates."""


def claims_of(graphs: Sequence[AssertionGraph], how: GsteOptions) -> list[AssertionGraphClaim]:
    """What the graphs claim; raises ModelProblem if a graph does not fit the semantics that is asked for."""
    claims = []
    for graph in graphs:
        semantics = graph.semantics if how.semantics == "auto" else Semantics(how.semantics)
        check_assertion_graph(graph, semantics)
        claims.append(AssertionGraphClaim.of(graph, semantics))
    return claims


def decide(session: Session, claim: AssertionGraphClaim) -> Decision:
    """The verdict on a graph; where it fails, with a path through graph and model."""
    if claim.semantics is Semantics.FINITE:
        session = session.without_fairness()
    machine = session.machine
    fairness = [*machine.justice, *(part for pair in machine.compassion for part in pair)]
    part = Part(machine).then(cone([*claim.graph.conditions, *fairness])) if session.options.cone else Part(machine)
    question = Question(part, Along(claim.graph, claim.semantics, session.how_along))
    abstract = session.how_along.abstraction == "ternary"
    finding = engine_named("gste-ternary" if abstract else "gste").decide(question, session)
    if isinstance(finding, Undecided) and finding.is_for_others:
        return _judged(session, question, engine_named("gste").decide(question, session))
    decision = _judged(session, question, finding)
    if abstract and not isinstance(finding, Refuted):
        _warn_of_abstract(session, question, confirmed=decision.confirmed)
    return decision


def _warn_of_abstract(session: Session, question: Question[Along], *, confirmed: bool) -> None:
    """Warn if there is no initial state, or no fair path starts.

    An abstract circuit is never stuck, for every step of it is given by equations. A SAT solver knows whether there is an initial
    state. Where states are many, it knows that a fair path starts only if it finds a short one.
    """
    machine, run = question.part.machine, session.run
    try:
        if AssertionGraphSearch(machine, NOTHING_HAPPENS, Semantics.FINITE, run).shortest(first=0, last=0) is None:
            session.warn(NO_INITIAL_STATE, NO_PATH_FOR_GRAPHS)
    except LimitExceeded as limit:
        _require_of_solver(limit)
        session.warn(NO_INITIAL_STATE, f"it is not known whether there is an initial state, because {limit}")
    if confirmed:
        warn_of_unfair_start(session, session.setting(question.claim.graph.conditions))
    elif not session.warnings and (machine.justice or machine.compassion):
        why = _why_no_fair_path(session, question)
        if why:
            doubt = f"it is not known whether a fair path starts in any initial state{why}"
            session.warn(NO_FAIR_PATH, f"{doubt}. If there is none, {EMPTY_CLAIMS}")


def _why_no_fair_path(session: Session, question: Question[Along]) -> str:
    """Why no fair path from an initial state was found; empty if one was."""
    last = tuning.STEPS_OF_A_SAT_PROBE
    try:
        search = AssertionGraphSearch(question.part.machine, NOTHING_HAPPENS, Semantics.FAIR, session.run)
        found = search.shortest(first=0, last=last) is not None
    except LimitExceeded as limit:
        _require_of_solver(limit)
        return f", because {limit}"
    return "" if found else f": none of up to {last} steps, with its loop, was found"


def _require_of_solver(limit: LimitExceeded) -> None:
    """Raise limits of the run again; those of one search end only that."""
    if limit.limit != "solver":
        raise limit


# Judgement


def _judged(session: Session, question: Question[Along], finding: Finding) -> Decision:
    if isinstance(finding, Undecided):
        decision = Decision(Unknown(finding.because), facts=finding.facts)
    elif isinstance(finding, Refuted):
        path = _confirmed(session, question, finding)
        decision = Decision(Fails(path.trace, confirmation=session.by_replay), facts=finding.facts, along=path)
    else:
        assert isinstance(finding, Proved)
        decision = _holding(session, question, finding)
    return replace(decision, reading=_reading(session.machine, question.claim.graph))


def _confirmed(session: Session, question: Question[Along], finding: Refuted) -> AssertionGraphPath:
    """The path as one of the machine that the user wrote, with its violations of consequents; replayed, if that is wanted."""
    claim, trace = question.claim, question.part.back(finding.trace)
    machine = session.machine if trace.loop is None else question.part.machine
    path = AssertionGraphPath(claim.semantics, trace, finding.vertices, (), finding.last_inputs)
    path = replace(path, violations=violations_along(claim.graph, Interpreter(machine), path))
    if session.options.confirms:
        confirm_assertion_graph_path(machine, claim.graph, path)
    return path


def _holding(session: Session, question: Question[Along], finding: Proved) -> Decision:
    """The graph holds, confirmed on the states one by one if that is wanted and they are few."""
    claim, machine, options = question.claim, question.part.machine, session.options
    noun = "path" if claim.how.prune == "late" else "accepted path"
    warnings = tuple(_vacuity(claim.graph, claim.semantics, finding.vertices, noun)) if options.vacuity else ()
    asked = options.confirm is Confirm.ALWAYS
    bounds = WHATEVER_IT_COSTS if asked else EnumerationBounds()
    enumerated = None
    if options.confirms:
        enumerated = confirm_assertion_graph_holds(machine, claim.graph, claim.semantics, session.run, bounds)
    if enumerated is not None:
        enumerated = replace(enumerated, part=part_in_words(machine, session.machine))
    too_many = f"there are more than {bounds.states:,} states or {bounds.steps:,} steps to look at (--confirm always)"
    nobody = Unconfirmed(LIMIT_REACHED if asked else too_many) if options.confirms else UNASKED
    return Decision(Holds(confirmation=enumerated or nobody), warnings, finding.facts)


def _reading(machine: Machine, graph: AssertionGraph) -> Reading:
    return Reading(
        mentioned=frozenset(name for condition in graph.conditions for name in machine.variables_of(condition)),
        relevant=cone_variables(machine, graph.conditions),
        fair=bool(machine.justice or machine.compassion),
    )


def _vacuity(graph: AssertionGraph, semantics: Semantics, reached: Collection[int], noun: str) -> Iterator[str]:
    """Warn of a graph that no trace follows as far as it must, or of vertices that no trace reaches: they say nothing.

    But a graph whose consequents are all false says just that no trace follows it.
    """
    if all(vertex.consequent == FALSE for vertex in graph.vertices):
        return
    nothing = f"along the antecedents, no {noun} of the model reaches"
    for members in graph.accepting(semantics):
        if members.isdisjoint(reached):
            which = "a final vertex" if semantics is Semantics.FINITE else "every fair set"
            yield f"holds vacuously: {nothing} {which}"
            return
    idle = [vertex.name for number, vertex in enumerate(graph.vertices) if number not in reached]
    if idle:
        yield f"{nothing} the vert{'ex' if len(idle) == 1 else 'ices'} {', '.join(idle)}"
