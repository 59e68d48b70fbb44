"""Comparing fair graphs by fair simulations (direct, delay, game and exists) and by words (Bustan 2002, sections 4.1 and 4.2)."""

from __future__ import annotations

from itertools import product

import numpy as np
from msgspec.structs import replace

from coarsest.lts.certificates import (
    AnswersCertificate,
    AttackCertificate,
    Lasso,
    LassoCertificate,
    LookaheadCertificate,
    SimulationCertificate,
    StrategyCertificate,
    WordsCertificate,
    WordsWay,
)
from coarsest.lts.closures import reachable
from coarsest.lts.compare.compare_by_partition import initial_states
from coarsest.lts.compare.comparison import Comparison
from coarsest.lts.fair import FairGraph
from coarsest.lts.games.simulation_game import DUPLICATOR, SPOILER, fair_side_by_side, simulation_game, strategy_of
from coarsest.lts.language.fair_inclusion import FairAnswers, needed_lassos
from coarsest.lts.language.word_inclusion import included
from coarsest.lts.minimise.classes import bisimulation_classes
from coarsest.lts.minimise.quotient import merged
from coarsest.lts.simulation.lookahead_mayr_clemente import LookaheadSimulation
from coarsest.lts.simulation.preorder_ranzato_tapparo import simulation_preorder
from coarsest.lts.staying import both_staying
from coarsest.run import Run


def compare_by_fair_game(first: FairGraph, second: FairGraph, run: Run, *, preorder: bool, by: str) -> Comparison:
    """Does the duplicator win with a token in the second graph, and also in the first unless `preorder` is true?"""
    both = fair_side_by_side(first, second)
    names, sides = both.graph.action_names, initial_states(both.graph, first.graph.states)
    strategies, facts = [], {"positions": 0}
    for way, (ones, others) in enumerate([sides, sides[::-1]][: 1 if preorder else 2]):
        pairs = np.array(list(product(ones, others)), dtype=np.int64).reshape(-1, 2)
        solved = simulation_game(by, both, pairs, run)
        facts["positions"] += solved.game.vertices
        won, roots = (array.reshape(len(ones), len(others)) for array in (solved.simulated, solved.roots))
        lost = np.flatnonzero(~won.any(axis=1))
        if len(lost):
            line = roots[lost[0]]
            strategy = replace(strategy_of(solved, SPOILER, line[line >= 0], names), begins=ones[lost[0]])
            refutation = StrategyCertificate(by, "spoiler", (strategy,), preorder, way)
            return Comparison(by, preorder, refutation=refutation, statistics=facts)
        best = np.array([line[wins][0] for line, wins in zip(roots, won)], dtype=np.int64)
        strategies.append(strategy_of(solved, DUPLICATOR, best, names))
    certificate = StrategyCertificate(by, "duplicator", tuple(strategies), preorder)
    return Comparison(by, preorder, certificate, statistics=facts)


def compare_by_direct_simulation(first: FairGraph, second: FairGraph, run: Run, *, preorder: bool) -> Comparison:
    """Does the second simulate the first so that fair states are simulated by fair states, and conversely unless `preorder` is
    true? Members of a fairness set have a step to themselves by an action for it, which simulation must answer. Where the answer
    is no, a game gives the reason."""
    both = fair_side_by_side(first, second)
    graph = both.with_fairness_as_actions()
    bisimilar = bisimulation_classes(graph, run=run).class_of
    order = simulation_preorder(merged(graph, bisimilar), run)
    sides = initial_states(both.graph, first.graph.states)
    for ones, others in [sides, sides[::-1]][: 1 if preorder else 2]:
        if not all(any(order.below(int(bisimilar[p]), int(bisimilar[q])) for q in others) for p in ones):
            return compare_by_fair_game(first, second, run, preorder=preorder, by="direct")
    blocks = order.block[bisimilar].astype(np.int64)
    certificate = SimulationCertificate("direct", blocks, order.matrix(), preorder)
    return Comparison("direct", preorder, certificate, statistics={"classes": order.blocks})


def compare_by_lookahead(first: FairGraph, second: FairGraph, run: Run, *, preorder: bool, ahead: int) -> Comparison:
    """Direct simulation where the spoiler shows `ahead` steps before the first is answered. Direct simulation implies it."""
    direct = compare_by_direct_simulation(first, second, run, preorder=preorder)
    if direct.related:
        return direct
    both, size = fair_side_by_side(first, second), first.graph.states
    sides = initial_states(both.graph, size)
    reached = np.sort(reachable(both.graph, run).reached).tolist()
    states = [state for state in reached if state < size], [state for state in reached if state >= size]
    below = []
    for way in range(1 if preorder else 2):
        simulation = LookaheadSimulation(both, states[way], states[1 - way], ahead, run)
        others = sides[1 - way]
        for begins in sides[way]:
            if not any(simulation.below[begins] >> other & 1 for other in others):
                attacks = simulation.needed([(begins, other) for other in others])
                refutation = AttackCertificate("direct", ahead, attacks, begins, preorder, way)
                return Comparison("direct", preorder, refutation=refutation, statistics={"attacks": len(simulation.attacks)})
        below.append(simulation.pairs())
    certificate = LookaheadCertificate("direct", ahead, tuple(below), preorder)
    return Comparison("direct", preorder, certificate, statistics={"pairs": sum(map(len, below))})


def compare_by_answers(first: FairGraph, second: FairGraph, run: Run, *, preorder: bool) -> Comparison:
    """Has every fair path of the first an answer in the second, state by state, and conversely unless `preorder` is true?

    If the duplicator wins the game, there are answers. If not, they are searched for, which is hard."""
    played = compare_by_fair_game(first, second, run, preorder=preorder, by="game")
    if isinstance(played.certificate, StrategyCertificate):
        certificate = StrategyCertificate("exists", "duplicator", played.certificate.strategies, preorder)
        return Comparison("exists", preorder, certificate, statistics=played.statistics)
    both, size = fair_side_by_side(first, second), first.graph.states
    sides = initial_states(both.graph, size)
    reached = np.sort(reachable(both.graph, run).reached).tolist()
    states = [state for state in reached if state < size], [state for state in reached if state >= size]
    below, arcs = [], []
    for way in range(1 if preorder else 2):
        question = FairAnswers(both, states[way], states[1 - way], run)
        related, lassos = question.related(sides[way], sides[1 - way])
        pairs = {(states[way][row], states[1 - way][column]) for row, column in np.argwhere(related).tolist()}
        lost = [p for p in sides[way] if not any((p, q) in pairs for q in sides[1 - way])]
        if lost:
            reasons = [needed_lassos(both.graph, lassos, [(p, q) for q in sides[1 - way]]) for p in lost]
            needed = min(reasons, key=lambda reason: sum(len(lasso.steps) + len(lasso.loop) for lasso in reason))
            begins = lost[reasons.index(needed)]
            refutation = LassoCertificate("exists", needed, begins, preorder, both.graph.action_names, way)
            return Comparison("exists", preorder, refutation=refutation, statistics={"lassos": len(lassos)})
        below.append(tuple(sorted(pairs)))
        arcs.append(question.arcs(related, size if way == 0 else 0))
    answers = AnswersCertificate("exists", tuple(below), tuple(arcs), preorder)
    return Comparison("exists", preorder, answers, statistics={"arcs": sum(map(len, arcs))})


def compare_by_words(first: FairGraph, second: FairGraph, run: Run, *, preorder: bool) -> Comparison:
    """Are the words along fair paths of the first words along fair paths of the second, and conversely unless `preorder` is true?

    If the duplicator wins the game, they are. If not, inclusion of words is decided, which is hard."""
    played = compare_by_fair_game(*both_staying(first, second), run, preorder=preorder, by="game")
    if isinstance(played.certificate, StrategyCertificate):
        certificate = StrategyCertificate("words", "duplicator", played.certificate.strategies, preorder)
        return Comparison("words", preorder, certificate, statistics=played.statistics)
    both = fair_side_by_side(first, second)
    sides, ways = initial_states(both.graph, first.graph.states), list[WordsWay]()
    for way, (ones, others) in enumerate([sides, sides[::-1]][: 1 if preorder else 2]):
        answer = included(both, ones, others, run)
        if isinstance(answer, Lasso):
            refutation = LassoCertificate("words", (answer,), answer.state, preorder, both.graph.action_names, way)
            return Comparison("words", preorder, refutation=refutation)
        ways.append(answer)
    facts = {"stems": sum(len(way.stems) for way in ways), "cycles": sum(len(way.cycles) for way in ways)}
    return Comparison("words", preorder, WordsCertificate("words", tuple(ways), preorder), statistics=facts)
