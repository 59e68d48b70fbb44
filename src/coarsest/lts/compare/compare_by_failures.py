"""Comparing graphs by failures: the actions that a graph may refuse after each trace, and where it may diverge."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from coarsest.logic.modal.hennessy_milner import Builder, Formula
from coarsest.lts.certificates import InclusionCertificate, Pairs, SimulationCertificate
from coarsest.lts.compare.compare_by_partition import initial_states
from coarsest.lts.compare.compare_by_preorder import ComparedQuotient, trace_formula, trace_node
from coarsest.lts.compare.comparison import Comparison, Difference
from coarsest.lts.failures.impossible_futures import FutureInclusion
from coarsest.lts.failures.refusals import Marked, marked_by_refusals, needed_refusals
from coarsest.lts.labelled import INTERNAL
from coarsest.lts.language.inclusion_antichains import Inclusion, TraceInclusion
from coarsest.lts.minimise.classes import bisimulation_classes
from coarsest.lts.minimise.quotient import merged
from coarsest.lts.rounds.weak_modalities import WeakModalities
from coarsest.lts.simulation.preorder_ranzato_tapparo import simulation_preorder
from coarsest.lts.weak.coupled_bisping_nestmann import coupled_preorder
from coarsest.lts.weak.saturated import branching_classes, weak_transitions
from coarsest.run import Run

if TYPE_CHECKING:
    from coarsest.lts.labelled import Graph


class _Failures(Struct, frozen=True, eq=False):
    """`graph` has the transitions of the marked graph, weak ones for weak failures; `class_of` is the state of it that stands for
    each original state."""

    relation: str
    simulation: str
    marked: Marked
    graph: Graph
    class_of: NDArray[np.int64]
    internal: int

    @classmethod
    def of(cls, both: Graph, run: Run, *, weak: bool, divergence: bool) -> _Failures:
        if not weak:
            class_of = bisimulation_classes(both, run=run).class_of.astype(np.int64)
            marked = marked_by_refusals(merged(both, class_of), run, internal=-1)
            return cls("failures", "ready-simulation", marked, marked.graph, class_of, -1)
        relation = "failures-divergence" if divergence else "weak-failures"
        steps, class_of, internal = branching_classes(both, run, divergence=True)
        marked = marked_by_refusals(steps, run, internal=internal, divergence=divergence)
        return cls(relation, relation, marked, weak_transitions(marked.graph, run), class_of, internal)


def compare_by_failures(
    both: Graph, first_states: int, run: Run, *, preorder: bool, weak: bool = False, divergence: bool = False
) -> Comparison:
    """Are the failures of the first of two graphs failures of the second, and conversely unless `preorder` is true?"""
    failures = _Failures.of(both, run, weak=weak, divergence=divergence)
    alike = bisimulation_classes(failures.graph, run=run).class_of
    order = simulation_preorder(merged(failures.graph, alike), run)
    blocks, above = order.block[alike].astype(np.int64), order.matrix()
    small = merged(failures.graph, blocks)
    states = [[int(failures.class_of[state]) for state in side] for side in initial_states(both, first_states)]
    sides = [sorted({int(blocks[state]) for state in side}) for side in states]
    question = TraceInclusion(small, above, run)
    answers = [question.decide(sides[way], sides[1 - way]) for way in range(1 if preorder else 2)]
    facts = {"classes": order.blocks, "refusals": len(failures.marked.ready), "inclusions": sum(len(a.pairs) for a in answers)}
    missing = [(len(answer.actions), way) for way, answer in enumerate(answers) if answer.actions is not None]
    if missing:
        way = min(missing)[1]
        difference = _difference(failures, answers[way], states[way], states[1 - way], way)
        return Comparison(failures.relation, preorder, difference=difference, statistics=facts)
    certificate = _certificate(failures, blocks, above, [answer.pairs for answer in answers], preorder=preorder)
    return Comparison(failures.relation, preorder, certificate, statistics=facts)


def _certificate(
    failures: _Failures, blocks: NDArray[np.int64], above: NDArray[np.bool_], ways: list[Pairs], *, preorder: bool
) -> InclusionCertificate:
    """The certificate about states of the graphs, without the targets of marks and the states that can do everything."""
    used, own = np.unique(blocks[failures.class_of], return_inverse=True)
    number = {block: index for index, block in enumerate(used.tolist())}
    simulation = SimulationCertificate(failures.simulation, own.reshape(-1), above[np.ix_(used, used)], preorder=True)
    moved = tuple(
        tuple((number[block], tuple(number[other] for other in others)) for block, others in pairs if block in number)
        for pairs in ways
    )
    return InclusionCertificate(failures.relation, simulation, moved, preorder)


def _difference(failures: _Failures, answer: Inclusion, ones: list[int], others: list[int], way: int) -> Difference:
    """A trace of one side, perhaps followed by a refusal or by divergence."""
    graph, marked = failures.graph, failures.marked
    word, labels = answer.actions or (), answer.labels
    mine, theirs = _along(graph, ones, word, labels), _along(graph, others, word, labels)
    make = Builder() if failures.internal < 0 else WeakModalities(silent=graph.action_names[failures.internal])
    if failures.internal >= 0:
        mine, theirs = ([states | _after(graph, states, failures.internal) for states in sets] for sets in (mine, theirs))
    chaotic = next((length for length, states in enumerate(mine) if states & set(marked.chaos)), None)
    if chaotic is not None:
        # The label after the last step may be that of a state that can do everything, which is not in the graph: leave it out.
        end = make.diverges(make.true)
        if chaotic:
            end = make.diamond(graph.action_names[word[chaotic - 1]], end)
        return _stated(failures, make, word[: max(0, chaotic - 1)], labels, way, end=end)
    if word and word[-1] >= marked.first_mark:
        menus = [menu for state in theirs[-2] if state < len(marked.menus) and (menu := marked.menus[state]) is not None]
        refused = frozenset(range(marked.first_mark)) - marked.ready[word[-1] - marked.first_mark] - {failures.internal}
        needed = needed_refusals(refused, menus)
        impossible = [make.negation(Builder.diamond(make, graph.action_names[action], make.true)) for action in needed]
        if failures.internal >= 0:
            impossible.insert(0, make.negation(Builder.diamond(make, graph.action_names[failures.internal], make.true)))
        refusal = tuple(graph.action_names[action] for action in needed)
        return _stated(failures, make, word[:-1], labels, way, end=make.conjunction(impossible), refusal=refusal)
    return _stated(failures, make, word, labels, way)


def _stated(
    failures: _Failures, make: Builder, word: tuple[int, ...], labels: tuple[int, ...], way: int, *, end: int | None = None,
    refusal: tuple[str, ...] | None = None,
) -> Difference:  # fmt: skip
    """The difference that side `way` has a trace, with `end` true after it."""
    if end is not None and isinstance(make, WeakModalities):
        end = make.silently(end)
    formula: Formula = trace_formula(failures.graph, Inclusion((), word, labels[: len(word) + 1]), make, end)
    names = tuple(failures.graph.action_names[action] for action in word)
    trace = tuple(name for name in names if failures.internal < 0 or name not in INTERNAL)
    return Difference(formula, way, trace if end is None or refusal is not None else None, refusal)


def _after(graph: Graph, states: set[int], action: int) -> set[int]:
    ends: set[int] = set()
    for state in states:
        begin, end = int(graph.offsets[state]), int(graph.offsets[state + 1])
        ends.update(graph.targets[begin:end][graph.actions[begin:end] == action].tolist())
    return ends


def compare_by_impossible_futures(both: Graph, first_states: int, run: Run, *, preorder: bool) -> Comparison:
    """Are the impossible futures of the first graph those of the second, and conversely unless `preorder` is true?"""
    relation = "impossible-futures"
    small = ComparedQuotient.of(both, run, weak=True)
    order = coupled_preorder(small.graph, small.internal, run)
    graph, above = merged(small.graph, order.block), order.matrix()
    sides = [sorted({int(order.block[state]) for state in states}) for states in small.sides(both, first_states)]
    question = FutureInclusion(graph, above, run, internal=small.internal)
    answers = [question.decide(sides[way], sides[1 - way]) for way in range(1 if preorder else 2)]
    facts = {"classes": order.blocks, "inclusions": sum(len(answer.pairs) for answer in answers)}
    missing = [(len(answer.actions), way) for way, answer in enumerate(answers) if answer.actions is not None]
    if not missing:
        blocks = order.block[small.class_of].astype(np.int64)
        simulation = SimulationCertificate("coupled-simulation", blocks, above, preorder=True)
        ways = tuple(answer.pairs for answer in answers)
        certificate = InclusionCertificate(relation, simulation, ways, preorder, question.futures)
        return Comparison(relation, preorder, certificate, statistics=facts)
    way = min(missing)[1]
    formula = _future_formula(question, graph, answers[way], small.make)
    return Comparison(relation, preorder, difference=Difference(formula, way), statistics=facts)


def _future_formula(question: FutureInclusion, graph: Graph, answer: Inclusion, make: Builder) -> Formula:
    """The formula that there is a trace after which some traces are impossible that the other side may have then."""
    if not answer.pairs:
        return trace_formula(graph, answer, make)
    ((state, others),) = answer.pairs
    own = question.lost(state, others)
    assert own is not None, "the pair was refuted"
    futures = [trace_node(graph, question.traces(other, own), make) for other in question.fallen(state, others)]
    end = make.conjunction(make.negation(future) for future in dict.fromkeys(futures))
    return trace_formula(graph, answer, make, make.diamond(INTERNAL[0], end))


def _along(graph: Graph, states: list[int], word: tuple[int, ...], labels: tuple[int, ...]) -> list[set[int]]:
    """The states with the given labels after each prefix of a word."""
    sets = [{state for state in states if graph.labels[state] == labels[0]}]
    for action, label in zip(word, labels[1:]):
        sets.append({state for state in _after(graph, sets[-1], action) if graph.labels[state] == label})
    return sets
