"""Is every fair path answered by a whole fair path, or is there a lasso that is not? Checked from the definitions.

That a path has no fair answer is checked on the product of the lasso and the graph: an answer visits the nodes of a strongly
connected set infinitely often. That all paths have answers follows from two facts: every step towards a fair path has an answer
within the relation; and so have loops, which arcs represent: arcs are closed under further steps, up to arcs that do no less, so
that every loop does at least what one of them does.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import TypeAlias

import numpy as np

from coarsest.lts.certificates import AnswersCertificate, Arc, CertificateCheck, Lasso, LassoCertificate, StrategyCertificate
from coarsest.lts.judge.fair.strategies import columns_of, confirm_fair_simulation, cycles_of, fairness_of
from coarsest.lts.judge.transitions import Transitions

Pair: TypeAlias = tuple[int, int]
Pairs: TypeAlias = frozenset[Pair]


def confirm_answers(
    both: Transitions, certificate: AnswersCertificate | LassoCertificate | StrategyCertificate
) -> CertificateCheck:
    """Check evidence of exists simulation; a strategy of the duplicator's for game simulation is one for this, too."""
    if certificate.relation != "exists":
        return CertificateCheck(f"there is no relation '{certificate.relation}' that is about answers to whole paths")
    if len(both.graphs) != 2:
        return CertificateCheck("this certificate is about two graphs")
    if isinstance(certificate, StrategyCertificate):
        if certificate.refutes:
            return CertificateCheck("that the spoiler wins a game does not show that a path has no answer")
        strategy = StrategyCertificate("game", "duplicator", certificate.strategies, certificate.preorder)
        return confirm_fair_simulation(both, strategy)
    judge = _Judge(both)
    if isinstance(certificate, LassoCertificate):
        return CertificateCheck(judge.not_refuted(certificate), {"lassos": len(certificate.lassos)})
    ways = 1 if certificate.preorder else 2
    if not len(certificate.below) == len(certificate.arcs) == ways:
        return CertificateCheck("there is not one relation for each direction that is claimed")
    facts = {"pairs": sum(map(len, certificate.below)), "arcs": sum(map(len, certificate.arcs))}
    problems = (judge.not_answered(way, certificate.below[way], certificate.arcs[way]) for way in range(ways))
    return CertificateCheck(next((problem for problem in problems if problem), ""), facts)


Path: TypeAlias = "list[tuple[int, int]]"
"""Actions and states; the first action has no meaning."""


def problem_of_path(both: Transitions, lasso: Lasso, actions: Sequence[int]) -> Path | str:
    """The fair path of a lasso, or the reason why it has none."""
    about, after, fair = f"the lasso from state {lasso.state}", both.steps(), fairness_of(both)
    if any(not 0 <= action < len(actions) for action, _ in (*lasso.steps, *lasso.loop)) or not lasso.loop:
        return f"{about} has an action that there is not, or no loop"
    path = [(-1, lasso.state), *((actions[action], state) for action, state in (*lasso.steps, *lasso.loop))]
    if any((action, state) not in after[before] for (_, before), (action, state) in pairwise(path)):
        return f"{about} is no path"
    first, sets = len(lasso.steps), range(max(map(len, both.fairness), default=0))
    if path[-1][1] != path[first][1] or {*sets} != {k for _, state in path[first + 1 :] for k in fair[state]}:
        return f"{about} is not fair"
    return path


def fair_answer_to(both: Transitions, path: Path, first: int, begin: int, possible: Callable[[int, int], bool]) -> bool:
    """Does a fair path from `begin` follow a path whose loop begins at `first`, through states that are possible there?"""
    after, fair, sets = both.steps(), fairness_of(both), {*range(max(map(len, both.fairness), default=0))}
    nodes = {(0, begin): 0} if possible(path[0][1], begin) else {}
    waiting, edges = list(nodes), []
    for position, state in waiting:
        following = position + 1 if position + 1 < len(path) else first + 1
        for action, answer in after[state]:
            if action == path[following][0] and possible(path[following][1], answer):
                if (following, answer) not in nodes:
                    nodes[following, answer] = len(nodes)
                    waiting.append((following, answer))
                edges.append((nodes[position, state], nodes[following, answer]))
    cycles = cycles_of(len(nodes), *columns_of(edges))
    return any(sets == {k for node in cycle.tolist() for k in fair[waiting[node][1]]} for cycle in cycles)


class _Judge:
    def __init__(self, both: Transitions) -> None:
        self.both, self.labels = both, both.labels.tolist()
        self.fair = fairness_of(both)
        self.sets = frozenset(range(max(map(len, both.fairness), default=0)))
        self.after = both.steps()
        start = both.graphs[0].states
        self.states = range(start), range(start, both.states)

    # No answer

    def not_refuted(self, certificate: LassoCertificate) -> str:
        """The reason why lassos do not show that an initial state has no partner; empty if they do."""
        way = certificate.way
        if way not in ((0,) if certificate.preorder else (0, 1)) or certificate.begins not in self.both.initial[way].tolist():
            return "the certificate does not begin in an initial state of a graph that it claims something about"
        levels = {(lasso.state, lasso.against): lasso.level for lasso in certificate.lassos}
        for other in self.both.initial[1 - way].tolist():
            if self.labels[other] == self.labels[certificate.begins] and (certificate.begins, other) not in levels:
                return f"nothing is said of the initial state {other}"
        actions = list(map(self.both.number_of, certificate.action_names))
        for lasso in certificate.lassos:
            problem = self._answer_to(lasso, way, actions, levels)
            if problem:
                return problem
        return ""

    def _answer_to(self, lasso: Lasso, way: int, actions: Sequence[int], levels: dict[Pair, int]) -> str:
        about = f"the lasso from state {lasso.state} against {lasso.against}"
        if lasso.state not in self.states[way] or lasso.against not in self.states[1 - way] or not lasso.loop:
            return f"{about} has no such states, or no loop"
        path = problem_of_path(self.both, lasso, actions)
        if isinstance(path, str):
            return path

        def possible(own: int, other: int) -> bool:
            return self.labels[own] == self.labels[other] and levels.get((own, other), lasso.level) >= lasso.level

        return f"{about} has a fair answer" if fair_answer_to(self.both, path, len(lasso.steps), lasso.against, possible) else ""

    # Answers

    def not_answered(self, way: int, below: Sequence[Pair], arcs: Sequence[Arc]) -> str:
        """The reason why a relation is no exists simulation; empty if it is one, and initial states are below initial states."""
        pairs, right = frozenset(below), self.states[1 - way]
        for own, other in pairs:
            if own not in self.states[way] or other not in right or self.labels[own] != self.labels[other]:
                return f"state {own} cannot be below {other}"
        for state in self.both.initial[way].tolist():
            if not any((state, other) in pairs for other in self.both.initial[1 - way].tolist()):
                return f"no initial state of the other graph is above {state}"
        live = self._on_fair_paths(way)
        for own, other in pairs:
            for action, target in self.after[own]:
                if target in live and not any(by == action and (target, q) in pairs for by, q in self.after[other]):
                    return f"state {other} is above {own}, but has no answer to its step to {target}"
        by_start: dict[int, list[Arc]] = defaultdict(list)
        for arc in arcs:
            by_start[arc.start].append(arc)
        for cycle in self._fair_cycles(way):
            inside = frozenset(cycle)
            for state in cycle:
                if not self.sets or 0 in self.fair[state]:
                    problem = self._loops(state, inside, by_start[state], pairs, right)
                    if problem:
                        return problem
        return ""

    def _fair_cycles(self, way: int) -> list[list[int]]:
        """Strongly connected sets of states with all fairness sets among them: a fair loop stays in one of them."""
        edges = [(state, target) for state in self.states[way] for _, target in self.after[state]]
        cycles = [cycle.tolist() for cycle in cycles_of(self.both.states, *columns_of(edges))]
        return [cycle for cycle in cycles if self.sets == frozenset[int]().union(*(self.fair[s] for s in cycle))]

    def _on_fair_paths(self, way: int) -> set[int]:
        """The states from which there is a fair path."""
        live = {state for cycle in self._fair_cycles(way) for state in cycle}
        before: dict[int, list[int]] = defaultdict(list)
        for state in self.states[way]:
            for _, target in self.after[state]:
                before[target].append(state)
        waiting = list(live)
        while waiting:
            fresh = [state for state in before[waiting.pop()] if state not in live]
            live.update(fresh)
            waiting += fresh
        return live

    def _loops(self, state: int, inside: frozenset[int], arcs: Sequence[Arc], pairs: Pairs, right: range) -> str:
        """The reason why loops of a state inside a set are not answered from all states above it; empty if they are."""
        turns = max(1, len(self.sets))
        nodes = {(q - right.start) * turns + turn for p, q in pairs if p == state for turn in range(turns)}
        if not nodes:
            return ""
        ends: dict[int, list[tuple[frozenset[int], Pairs, Pairs]]] = defaultdict(list)
        for arc in arcs:
            visits = frozenset(k for k in self.sets if arc.visits >> k & 1)
            ends[arc.end].append((visits, frozenset(arc.passes), frozenset(arc.pays)))
        nothing = frozenset[int](), frozenset((node, node) for node in nodes), Pairs()
        for end, (visits, passes, pays) in [(state, nothing), *((there, one) for there in ends for one in ends[there])]:
            for action, target in self.after[end]:
                if target not in inside:
                    continue
                longer = self._longer((passes, pays), (action, target), pairs, right)
                now = visits | self.fair[target]
                if not any(now <= more and one <= longer[0] and other <= longer[1] for more, one, other in ends[target]):
                    return f"no arc from state {state} does less than one by a step from {end} to {target}"
        for visits, passes, pays in ends[state]:
            if visits >= self.sets and not nodes <= _accepted(passes, pays):
                return f"a loop of state {state} has no fair answer from a state above it"
        return ""

    def _longer(self, arc: tuple[Pairs, Pairs], step: Pair, pairs: Pairs, right: range) -> tuple[Pairs, Pairs]:
        """The pairs of nodes after one more step that the duplicator answers: the turn moves on over sets that are visited."""
        (passes, pays), (action, target) = arc, step
        turns, every = max(1, len(self.sets)), len(self.sets)
        further, paid = set(), set()
        for begin, node in passes:
            for by, answer in self.after[right.start + node // turns]:
                if by != action or (target, answer) not in pairs:
                    continue
                turn = node % turns
                turn = next((k for k in range(turn, every) if k not in self.fair[answer]), every)
                end = (answer - right.start) * turns + (turn if turn < every else 0)
                further.add((begin, end))
                if turn == every or (begin, node) in pays:
                    paid.add((begin, end))
        return frozenset(further), frozenset(paid)


def _accepted(passes: Pairs, pays: Pairs) -> set[int]:
    """The nodes from which a path can go on for ever and pay infinitely often."""
    numbers = {node: number for number, node in enumerate(sorted({node for pair in passes for node in pair}))}
    edges = [(numbers[begin], numbers[end]) for begin, end in passes]
    component = np.full(len(numbers), -1)
    for number, cycle in enumerate(cycles_of(len(numbers), *columns_of(edges))):
        component[cycle] = number
    good = {end for begin, end in pays if component[numbers[begin]] == component[numbers[end]] >= 0}
    before: dict[int, list[int]] = defaultdict(list)
    for begin, end in passes:
        before[end].append(begin)
    waiting = list(good)
    while waiting:
        fresh = [node for node in before[waiting.pop()] if node not in good]
        good.update(fresh)
        waiting += fresh
    return good
