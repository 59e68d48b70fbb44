"""Assertion graphs: the verdict on each, with a path through graph and model where it fails."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from functools import partial
from time import monotonic

from msgspec.structs import replace

from coarsest.check.gste.decide_graph_ternary import TernaryQuestion
from coarsest.check.gste.gste_yang_seger import gste
from coarsest.check.gste.hollow_ternary import warn_of_no_fair_path, warn_of_no_start
from coarsest.check.setting.arena import Set
from coarsest.check.setting.context import CheckOptions, Context, Setting
from coarsest.check.setting.hollow import NO_INITIAL_STATE, NO_PATH_FOR_GRAPHS, warn_of_dead_ends, warn_of_unfair_start
from coarsest.errors import InputError, LimitExceeded
from coarsest.evidence.enumeration.by_enumeration import DEFAULT_BOUNDS, part_in_words
from coarsest.evidence.enumeration.enumerated_states import Bounds
from coarsest.evidence.enumeration.graph_by_enumeration import confirm_graph_holds
from coarsest.evidence.reading import Reading
from coarsest.evidence.replay.graph_path import GraphAnswer, GraphPath, confirm_graph_path, violations_along
from coarsest.evidence.verdict import Fails, Holds, Unknown
from coarsest.logic.expr import FALSE
from coarsest.model.assertion_graph import AssertionGraph, Semantics, check_graph
from coarsest.model.interpret.interpret import Interpreter
from coarsest.model.machine import Machine
from coarsest.model.parts.cone_of_influence import cone_variables
from coarsest.model.parts.extend import extend_trace
from coarsest.options.methods import BuildOptions, GsteOptions
from coarsest.run import Run, Statistic
from coarsest.search.witness import Path
from coarsest.space.graph_product import GraphProduct
from coarsest.space.partitioned import PartitionedSet
from coarsest.space.space import StateSpace
from coarsest.space.views import Within

WHATEVER_IT_COSTS = Bounds(states=10**9, steps=10**10)
TOO_MANY = f"there are more than {DEFAULT_BOUNDS.states:,} states or {DEFAULT_BOUNDS.steps:,} steps to look at (--confirm always)"
LIMIT_REACHED = "a limit was reached before all states were looked at"


class GraphOptions(GsteOptions, frozen=True, kw_only=True):
    """How to check assertion graphs."""

    def semantics_of(self, graph: AssertionGraph) -> Semantics:
        """The semantics for a graph; raises ModelProblem if the graph does not fit it."""
        semantics = graph.semantics if self.semantics == "auto" else Semantics(self.semantics)
        check_graph(graph, semantics)
        return semantics


class GraphChecker:
    """Checks assertion graphs against one machine; what one graph has built serves the next."""

    def __init__(self, machine: Machine, build: BuildOptions, options: GraphOptions, run: Run) -> None:
        self.options = options
        self.build = build
        self.run = run
        shared = CheckOptions(cone=options.cone, confirm=options.confirm, vacuity=options.vacuity)
        # Finite paths need not be fair, so fairness must not bring variables in either.
        unfair = replace(machine, justice=(), compassion=())
        self.contexts = {
            Semantics.FINITE: Context(unfair, build, shared, run),
            Semantics.FAIR: Context(machine, build, shared, run),
        }
        self._ternary: list[dict[str, Statistic]] = []
        """Of abstract searches, which have managers of their own."""

    @property
    def warnings(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(warning for context in self.contexts.values() for warning in context.warnings))

    def statistics(self) -> dict[str, int | float | str]:
        found = [*(context.spaces.statistics() for context in self.contexts.values()), *self._ternary]
        return max(found, key=lambda facts: facts["peak_nodes"])

    def order(self) -> list[str]:
        """The final order of variables of the largest space built."""
        return max((context.spaces.order() for context in self.contexts.values()), key=len)

    def answers(self, graphs: Sequence[AssertionGraph]) -> Iterator[GraphAnswer]:
        """One answer for each graph, as soon as it is known; a graph that is none raises before the first."""
        claims = [(graph, self.options.semantics_of(graph)) for graph in graphs]
        spent: LimitExceeded | None = None
        for graph, semantics in claims:
            started = monotonic()
            answer = GraphAnswer.bare(graph, semantics)
            try:
                if spent is not None:
                    raise spent
                work = self._abstract_answer if self.options.abstraction == "ternary" else self._answer
                answer = self.contexts[semantics].spaces.within_limits(partial(work, answer))
            except LimitExceeded as limit:
                spent = limit if limit.limit == "time" else None
                answer = replace(answer, verdict=Unknown(str(limit)), statistics=self.statistics())
            yield replace(answer, seconds=monotonic() - started)

    def insist_options_used(self, graphs: Sequence[AssertionGraph]) -> None:
        """Raise InputError for an option that was chosen and would have no effect on these graphs."""
        options = self.options
        semantics = {options.semantics_of(graph) for graph in graphs}
        relation = self.build.relation
        chosen = {"fair": options.fair != "auto", "prune": options.prune != "late", "relation": relation != "auto"}
        for option in [name for name, is_chosen in chosen.items() if is_chosen and options.abstraction == "ternary"]:
            raise InputError(f"'{option}' would have no effect on a search with unknown bits", hint=f"leave '{option}' out")
        if options.fair != "auto" and semantics == {Semantics.FINITE}:
            reason = "it concerns the fair semantics, and all graphs are checked on finite paths"
            raise InputError(f"'{options.fair}' for 'fair' would have no effect: {reason}", hint="leave 'fair' out")

    def _answer(self, claim: GraphAnswer) -> GraphAnswer:
        graph, semantics = claim.graph, claim.semantics
        context = self.contexts[semantics]
        setting = context.setting(graph.conditions)
        product: GraphProduct[Set] = GraphProduct(_space(context, setting, semantics), graph, semantics)
        outcome = gste(product, self.run, prune=self.options.prune, fair=self.options.fair)
        facts = {**context.spaces.statistics(), "vertices": len(graph.vertices), "rings": outcome.rings}
        claim = replace(claim, statistics=facts, reading=_reading(context.machine, graph))
        if outcome.path is not None:
            path = self._evidence(context, setting, product, outcome.path)
            return replace(claim, verdict=Fails(path.trace), confirmed=self.options.confirms, path=path)
        if semantics is Semantics.FAIR:
            warn_of_unfair_start(context, setting)
        noun = "path" if self.options.prune == "late" else "accepted path"
        reached = {vertex for vertex, states in enumerate(outcome.reached.parts) if states}
        return self._holding(claim, setting.as_trace.machine, reached, noun)

    def _abstract_answer(self, claim: GraphAnswer) -> GraphAnswer:
        """Without a space of the machine: the abstract search has its own."""
        graph, semantics, options = claim.graph, claim.semantics, self.options
        machine = self.contexts[semantics].machine
        question = TernaryQuestion(
            machine=machine, graph=graph, semantics=semantics, precise=options.precise, cone=options.cone
        )
        found = question.answer(self.build, self.run)
        self._ternary.append(found.facts)
        claim = replace(claim, statistics=found.facts, reading=_reading(machine, graph))
        if found.path is not None:
            whole, path = found.machine, found.path
            if semantics is Semantics.FINITE:
                whole, path = machine, replace(path, trace=extend_trace(machine, path.trace))
            path = self._confirmed(whole, graph, path)
            return replace(claim, verdict=Fails(path.trace), confirmed=options.confirms, path=path)
        if found.exact:  # nothing was abstracted, and only the order of the search has kept the verdict from being known
            return self._answer(claim)
        if found.reason:
            answer = replace(claim, verdict=Unknown(found.reason))
        else:
            answer = self._holding(claim, found.machine, found.reached, "path")
        self._warn_of_abstract(answer, question)
        return answer

    def _warn_of_abstract(self, answer: GraphAnswer, question: TernaryQuestion) -> None:
        """Whether fair paths start is known where there are few states; elsewhere, what can be found out is told."""
        context, concrete = self.contexts[answer.semantics], question.concrete
        warn_of_no_start(context, concrete, self.run)
        if answer.confirmed:
            warn_of_unfair_start(context, context.setting(answer.graph.conditions))
        elif not context.warnings:
            warn_of_no_fair_path(context, concrete, self.run)

    def _holding(self, claim: GraphAnswer, machine: Machine, reached: Collection[int], noun: str) -> GraphAnswer:
        """The answer that the graph holds, confirmed on the states one by one if that is wanted and they are few."""
        graph, semantics = claim.graph, claim.semantics
        warnings = tuple(_vacuity(graph, semantics, reached, noun)) if self.options.vacuity else ()
        bounds = WHATEVER_IT_COSTS if self.options.confirm == "always" else DEFAULT_BOUNDS
        enumerated = confirm_graph_holds(machine, graph, semantics, self.run, bounds) if self.options.confirms else None
        if enumerated is not None:
            enumerated = replace(enumerated, part=part_in_words(machine, self.contexts[semantics].machine))
        doubt = "" if enumerated or not self.options.confirms else TOO_MANY if bounds is DEFAULT_BOUNDS else LIMIT_REACHED
        return replace(claim, verdict=Holds(enumerated), confirmed=enumerated is not None, warnings=warnings, doubt=doubt)

    def _evidence(
        self, context: Context, setting: Setting, product: GraphProduct[Set], found: Path[PartitionedSet[Set]]
    ) -> GraphPath:
        """The path as one of the machine that the user wrote, confirmed by the interpreter."""
        states = tuple(product.state_of(pair) for pair in found.states)
        trace = setting.as_trace(Path(states, found.loop))
        machine, last_inputs = setting.as_trace.machine, {}
        if product.semantics is Semantics.FINITE:
            last = setting.arena.base.describe(states[-1])
            last_inputs = {name: last[name] for name in sorted(setting.inputs)}
            machine, trace = context.machine, extend_trace(context.machine, trace)
        vertices = tuple(product.vertex_of(pair) for pair in found.states)
        return self._confirmed(machine, product.graph, GraphPath(product.semantics, trace, vertices, (), last_inputs))

    def _confirmed(self, machine: Machine, graph: AssertionGraph, path: GraphPath) -> GraphPath:
        """The path with the places where it violates a consequent, replayed if that is wanted."""
        path = replace(path, violations=violations_along(graph, Interpreter(machine), path))
        if self.options.confirms:
            confirm_graph_path(machine, graph, path)
        return path


def _space(context: Context, setting: Setting, semantics: Semantics) -> StateSpace[Set]:
    """Where to look for paths: infinite ones may stay where the machine is stuck, finite ones end there.

    Inputs of a state are those of a step that leaves it, where there is one.
    """
    arena = setting.arena
    if not arena.start:
        context.warn(NO_INITIAL_STATE, NO_PATH_FOR_GRAPHS)
    if not arena.may_be_stuck:
        return arena.base
    if semantics is Semantics.FINITE:
        return Within(arena.base, arena.leaving | arena.stuck) if arena.inputs else arena.base
    warn_of_dead_ends(context, setting)
    return arena.space


def _reading(machine: Machine, graph: AssertionGraph) -> Reading:
    return Reading(
        mentioned=frozenset(name for condition in graph.conditions for name in machine.variables_of(condition)),
        relevant=cone_variables(machine, graph.conditions),
        fair=bool(machine.justice or machine.compassion),
    )


def _vacuity(graph: AssertionGraph, semantics: Semantics, reached: Collection[int], noun: str) -> Iterator[str]:
    """A graph that no trace follows as far as it must says nothing; vertices that none reaches say nothing.

    But where no consequent can hold, that no trace follows it is just what the graph says.
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
