"""Does a strategy win the games of a fair simulation? Checked from the definitions, on the graph of the strategy alone.

First, the strategy has to be one: it answers every step that the other player can take. Then no play that it allows may be won
by the other player: what happens infinitely often in a play is a set of positions in which each leads to each, so it is enough
to look at strongly connected components.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from coarsest.logic.modal.hennessy_milner import action_text
from coarsest.lts.certificates import CertificateCheck, SimulationCertificate, StrategyCertificate, StrategyGraph
from coarsest.lts.judge.inert_components import Integers, inert_components
from coarsest.lts.judge.relations import confirm_simulation
from coarsest.lts.judge.transitions import Transitions

RELATIONS = ("direct", "delay", "game")
Edges: TypeAlias = list[tuple[int, int]]
Mask: TypeAlias = NDArray[np.bool_]


def confirm_fair_simulation(both: Transitions, certificate: StrategyCertificate | SimulationCertificate) -> CertificateCheck:
    """Check a strategy; or a relation, which is a direct simulation if it is a simulation and fair states are below fair ones."""
    if isinstance(certificate, StrategyCertificate):
        return _confirm_strategy(both, certificate)
    if certificate.relation != "direct":
        return CertificateCheck(f"there is no fair relation '{certificate.relation}' that a simulation certifies")
    plain = SimulationCertificate("simulation", certificate.blocks, certificate.above, certificate.preorder)
    outcome = confirm_simulation(both, plain)
    return outcome if outcome.problem else CertificateCheck(_unfair_above(both, certificate), outcome.facts)


def _unfair_above(both: Transitions, certificate: SimulationCertificate) -> str:
    """Is a state in a fairness set, and one above it is not?"""
    fair, blocks = fairness_of(both), certificate.blocks
    for number in range(max(map(len, both.fairness), default=0)):
        members = np.array([number in sets for sets in fair], dtype=np.bool_)
        some, every = np.zeros((2, len(certificate.above)), dtype=np.bool_)
        some[blocks[members]] = True
        every[:] = True
        every[blocks[~members]] = False
        wrong = np.argwhere(certificate.above & some[:, None] & ~every[None, :])
        if len(wrong):
            below, above = wrong[0].tolist()
            return f"a state of block {below} is in fairness set {number}, but one of block {above}, which is above it, is not"
    return ""


def fairness_of(both: Transitions) -> list[frozenset[int]]:
    """The fairness sets that each state is in. A set that a graph does not have asks for nothing: all of its states are in it."""
    sets = max(map(len, both.fairness), default=0)
    return [
        frozenset(k for k in range(sets) if k >= len(fairness) or fairness[k][state])
        for graph, fairness in zip(both.graphs, both.fairness)
        for state in range(graph.states)
    ]


def _confirm_strategy(both: Transitions, certificate: StrategyCertificate) -> CertificateCheck:
    """Does it win: for the duplicator in every direction that is claimed, for the spoiler in one?"""
    if certificate.relation not in RELATIONS:
        return CertificateCheck(f"there is no relation '{certificate.relation}' that strategies are about")
    if certificate.player not in ("duplicator", "spoiler"):
        return CertificateCheck(f"there is no player '{certificate.player}'")
    if len(both.graphs) != 2:
        return CertificateCheck("this certificate is about two graphs")
    ways = [0] if certificate.preorder else [0, 1]
    if certificate.refutes:
        ways = [certificate.way] if certificate.way in ways else []
    if len(certificate.strategies) != len(ways) or not ways:
        return CertificateCheck(f"there are {len(certificate.strategies)} strategies, not one for each direction that is claimed")
    facts = {"positions": sum(len(one.positions) for one in certificate.strategies)}
    judge = _Judge(both, certificate.relation)
    for way, strategy in zip(ways, certificate.strategies):
        problem = judge.form(strategy, way, spoiler=certificate.refutes)
        problem = problem or (judge.spoiler if certificate.refutes else judge.duplicator)(strategy, way)
        if problem:
            return CertificateCheck(problem, facts)
    return CertificateCheck("", facts)


class _Judge:
    def __init__(self, both: Transitions, relation: str) -> None:
        self.both, self.relation = both, relation
        self.labels = both.labels.tolist()
        self.steps = {state: set(steps) for state, steps in both.steps().items()}
        self.sets = max(map(len, both.fairness), default=0)
        self.fair = fairness_of(both)

    def form(self, strategy: StrategyGraph, way: int, *, spoiler: bool) -> str:
        """What is wrong with the form of a strategy."""
        count, start = len(strategy.positions), self.both.graphs[0].states
        sides = range(start), range(start, self.both.states)
        if len(strategy.after) != count or len(strategy.steps) != (count if spoiler else 0):
            return "a strategy says nothing of some positions"
        if any(not 0 <= place < count for following in strategy.after for place in following):
            return "a strategy leads to a position that it does not have"
        for own, other in strategy.positions:
            if own not in sides[way] or other not in sides[1 - way]:
                return f"in the position ({own}, {other}) a token is on a state that there is not"
            if not self._may_stand(own, other):
                return f"in the position ({own}, {other}) the duplicator has lost already"
        return ""

    def _may_stand(self, own: int, other: int) -> bool:
        return self.labels[own] == self.labels[other] and (self.relation != "direct" or self.fair[own] <= self.fair[other])

    def _beginnings(self, way: int) -> Iterator[tuple[int, list[int]]]:
        """Where the spoiler may begin, each with the states in which the duplicator may begin then."""
        for own in self.both.initial[way].tolist():
            yield own, [other for other in self.both.initial[1 - way].tolist() if self._may_stand(own, other)]

    def duplicator(self, strategy: StrategyGraph, way: int) -> str:
        """Is a step of the spoiler's not answered, or so that the spoiler wins?"""
        pairs = set(strategy.positions)
        for own, others in self._beginnings(way):
            if not any((own, other) in pairs for other in others):
                return f"the strategy does not begin where the spoiler begins in state {own}"
        for (own, other), following in zip(strategy.positions, strategy.after):
            answers = {strategy.positions[place] for place in following}
            for action, target in self.steps[own]:
                if not any((target, answer) in answers for by, answer in self.steps[other] if by == action):
                    step = f"{self.both.shown(action)} to {target}"
                    return f"in the position ({own}, {other}) there is no answer to the step {step}"
        return self._never_fair(strategy)

    def spoiler(self, strategy: StrategyGraph, way: int) -> str:
        """Is there an answer of the duplicator's that the strategy does not expect, or so that the duplicator wins?"""
        begun = [(own, other) for own, others in self._beginnings(way) if own == strategy.begins for other in others]
        if strategy.begins not in self.both.initial[way].tolist() or not set(strategy.positions).issuperset(begun):
            return "the strategy does not say how to begin against every initial state"
        for (own, other), (name, target), following in zip(strategy.positions, strategy.steps, strategy.after):
            action = self.both.number_of(name)
            if (action, target) not in self.steps[own]:
                return f"there is no step {action_text(name)} from state {own} to {target}"
            prepared = {strategy.positions[place] for place in following}
            for by, answer in self.steps[other]:
                if by == action and self._may_stand(target, answer) and (target, answer) not in prepared:
                    return f"in the position ({own}, {other}) nothing is said of the answer {answer}"
        places = [strategy.positions.index(pair) for pair in begun]
        return self._with_debts(strategy, places) if self.relation == "delay" else self._useless(strategy)

    # Plays that go on for ever

    def _members(self, strategy: StrategyGraph, side: int) -> Mask:
        """For each position and each fairness set: is the token of one side in it?"""
        rows = [[number in self.fair[position[side]] for number in range(self.sets)] for position in strategy.positions]
        return np.array(rows, dtype=np.bool_).reshape(len(strategy.positions), self.sets)

    def _never_fair(self, strategy: StrategyGraph) -> str:
        """Can the spoiler go round so that a set that the duplicator should visit is never visited?"""
        tails, heads = _edges(strategy)
        own, other = (self._members(strategy, side) for side in (0, 1))
        for number in range(self.sets if self.relation != "direct" else 0):
            away = ~other[:, number]
            if self.relation == "delay":
                away = _reached(tails, heads, away & own[:, number], away)
            inside = away[tails] & away[heads]
            for cycle in cycles_of(len(away), tails[inside], heads[inside]):
                if self.relation == "delay" or own[cycle].any(axis=0).all():
                    return f"from the position {strategy.positions[cycle[0]]} on, fairness set {number} can be avoided for ever"
        return ""

    def _useless(self, strategy: StrategyGraph) -> str:
        """Can the duplicator go round so that the spoiler is not fair, or both are?"""
        tails, heads = _edges(strategy)
        own, other = (self._members(strategy, side) for side in (0, 1))
        cycles = [c for c in cycles_of(len(own), tails, heads) if self.relation == "direct" or other[c].any(axis=0).all()]
        for number in range(self.sets if self.relation == "game" else 0):
            inside = ~own[tails, number] & ~own[heads, number]
            cycles += cycles_of(len(own), tails[inside], heads[inside])
        return _not_won(strategy, int(cycles[0][0])) if cycles else ""

    def _with_debts(self, strategy: StrategyGraph, places: list[int]) -> str:
        """Can the duplicator go round so that every visit of the spoiler's to a set is answered, now or later?"""
        def owed_at(place: int, before: frozenset[int]) -> tuple[int, frozenset[int]]:
            own, other = strategy.positions[place]
            return place, (before | self.fair[own]) - self.fair[other]

        numbers = {start: k for k, start in enumerate(dict.fromkeys(owed_at(place, frozenset()) for place in places))}
        nodes, edges = list(numbers), []
        for number, (place, owed) in enumerate(nodes):
            for following in (owed_at(next_place, owed) for next_place in strategy.after[place]):
                if following not in numbers:
                    numbers[following] = len(numbers)
                    nodes.append(following)
                edges.append((number, numbers[following]))
        for cycle in cycles_of(len(nodes), *columns_of(edges)):
            if not frozenset(range(self.sets)).intersection(*(nodes[node][1] for node in cycle.tolist())):
                return _not_won(strategy, nodes[cycle[0]][0])
        return ""


def _not_won(strategy: StrategyGraph, place: int) -> str:
    return f"through the position {strategy.positions[place]} a play can go on for ever that the spoiler does not win"


def _edges(strategy: StrategyGraph) -> tuple[Integers, Integers]:
    return columns_of([(place, head) for place, following in enumerate(strategy.after) for head in following])


def columns_of(edges: Edges) -> tuple[Integers, Integers]:
    """The tails and the heads of edges."""
    columns = np.array(edges, dtype=np.int64).reshape(-1, 2).T
    return columns[0], columns[1]


def cycles_of(nodes: int, tails: Integers, heads: Integers) -> list[Integers]:
    """Largest sets of nodes in which a path leads from each to each, and from each to itself."""
    component = inert_components(nodes, tails, heads).component
    inner = np.zeros(nodes, dtype=np.bool_)
    inner[component[tails[component[tails] == component[heads]]]] = True
    members = np.flatnonzero(inner[component])
    members = members[np.argsort(component[members], kind="stable")]
    parts = np.split(members, np.flatnonzero(np.diff(component[members])) + 1)
    return parts if len(members) else []


def _reached(tails: Integers, heads: Integers, start: Mask, through: Mask) -> Mask:
    """What can be reached from some nodes through others."""
    after: dict[int, list[int]] = defaultdict(list)
    for tail, head in zip(tails.tolist(), heads.tolist()):
        after[tail].append(head)
    reached, waiting = start.copy(), np.flatnonzero(start).tolist()
    while waiting:
        for head in after[waiting.pop()]:
            if through[head] and not reached[head]:
                reached[head] = True
                waiting.append(head)
    return reached
