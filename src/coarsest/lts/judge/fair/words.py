"""Are all words along fair paths of one graph words of the other? Checked from the definitions.

That a word is missing is checked on the product of a lasso and the other graph. That none is missing follows from stems and
cycles that are closed under further steps: a fair lasso returns to a node that has met all fairness sets, and the cycle that
stands for its loop can be taken in the other graph again and again.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import TypeAlias

from coarsest.lts.certificates import (
    CertificateCheck,
    Cycle,
    LassoCertificate,
    Node,
    StrategyCertificate,
    WordsCertificate,
    WordsWay,
)
from coarsest.lts.judge.fair.fair_answers import fair_answer_to, problem_of_path
from coarsest.lts.judge.fair.strategies import columns_of, confirm_fair_simulation, cycles_of, fairness_of
from coarsest.lts.judge.transitions import STAYS, Transitions

Nodes: TypeAlias = frozenset[Node]
Rows: TypeAlias = Mapping[Node, tuple[Nodes, Nodes]]
Letter: TypeAlias = tuple[int, int]
"""What is seen of a step: the label of the state where it begins, and its action."""


def confirm_words(both: Transitions, certificate: WordsCertificate | LassoCertificate | StrategyCertificate) -> CertificateCheck:
    """Check evidence about words; a strategy of the duplicator's for game simulation is one for this, too."""
    if certificate.relation != "words":
        return CertificateCheck(f"there is no relation '{certificate.relation}' that is about words")
    if len(both.graphs) != 2:
        return CertificateCheck("this certificate is about two graphs")
    if isinstance(certificate, StrategyCertificate):
        if certificate.refutes:
            return CertificateCheck("that the spoiler wins a game does not show that a word is missing")
        strategy = StrategyCertificate("game", "duplicator", certificate.strategies, certificate.preorder)
        return confirm_fair_simulation(both, strategy)
    if isinstance(certificate, LassoCertificate):
        return CertificateCheck(_not_missing(both, certificate), {"lassos": len(certificate.lassos)})
    if len(certificate.ways) != (1 if certificate.preorder else 2):
        return CertificateCheck("there is not one inclusion for each direction that is claimed")
    problems = (_Inclusion(both, number).problem(way) for number, way in enumerate(certificate.ways))
    facts = {"stems": sum(len(way.stems) for way in certificate.ways), "cycles": sum(len(way.cycles) for way in certificate.ways)}
    return CertificateCheck(next((problem for problem in problems if problem), ""), facts)


def _not_missing(both: Transitions, certificate: LassoCertificate) -> str:
    """Why a lasso does not show that its word is missing in the other graph; empty if it does."""
    way = certificate.way
    if way not in ((0,) if certificate.preorder else (0, 1)) or len(certificate.lassos) != 1:
        return "there is not one lasso of a graph that the certificate claims something about"
    (lasso,) = certificate.lassos
    if lasso.state != certificate.begins or lasso.state not in both.initial[way].tolist():
        return "the lasso does not begin in an initial state"
    actions = list(map(both.number_of, certificate.action_names))
    path = problem_of_path(both, lasso, actions)
    if isinstance(path, str):
        return path
    if any(action == STAYS for action, _ in path[1:]):
        return "a path that ends has no word"
    labels = both.labels.tolist()
    for begin in both.initial[1 - way].tolist():
        if fair_answer_to(both, path, len(lasso.steps), begin, lambda own, other: labels[own] == labels[other]):
            return f"its word is one of the other graph, too, from state {begin}"
    return ""


class _Inclusion:
    """One direction: the words of graph `way` in those of the other."""

    def __init__(self, both: Transitions, way: int) -> None:
        self.labels, self.fair = both.labels.tolist(), fairness_of(both)
        self.steps = {state: [step for step in steps if step[0] != STAYS] for state, steps in both.steps().items()}
        self.sets = max(map(len, both.fairness), default=0)
        self.left, self.right = (self._nodes(both.initial[side].tolist()) for side in (way, 1 - way))
        self.initial = tuple(frozenset((state, 0) for state in both.initial[side].tolist()) for side in (way, 1 - way))
        self.after: dict[tuple[Letter, Node], set[Node]] = defaultdict(set)
        for node, edges in self.right.items():
            for letter, target in edges:
                self.after[letter, node].add(target)

    def _nodes(self, initial: Iterable[int]) -> dict[Node, list[tuple[Letter, Node]]]:
        waiting: list[Node] = [(state, 0) for state in initial]
        edges: dict[Node, list[tuple[Letter, Node]]] = {}
        while waiting:
            node = waiting.pop()
            if node not in edges:
                edges[node] = list(self._edges(*node))
                waiting += [target for _, target in edges[node]]
        return edges

    def _edges(self, state: int, met: int) -> Iterator[tuple[Letter, Node]]:
        for action, target in self.steps[state]:
            count = 0 if met == self.sets else met
            while count < self.sets and count in self.fair[target]:
                count += 1
            yield (self.labels[state], action), (target, count)

    def _post(self, nodes: Iterable[Node], letter: Letter) -> Nodes:
        return frozenset().union(*(self.after.get((letter, node), ()) for node in nodes))

    def problem(self, way: WordsWay) -> str:
        """Why it does not show that no word is missing; empty if it does."""
        order = list(self.left)
        number = {node: place for place, node in enumerate(order)}
        edges = [(number[node], number[target]) for node, own in self.left.items() for _, target in own]
        component = {order[node]: name for name, nodes in enumerate(cycles_of(len(order), *columns_of(edges))) for node in nodes}
        fair = {component[node] for node in component if node[1] == self.sets}
        alive = self._before({node for node, name in component.items() if name in fair})
        stems: dict[Node, list[Nodes]] = defaultdict(list)
        for stem in way.stems:
            stems[stem.node].append(frozenset(stem.reached))
        for node in self.initial[0] & alive:
            if not any(own <= self.initial[1] for own in stems[node]):
                return f"no stem begins in {node}"
        for node in alive:
            for own in stems[node]:
                for letter, target in self.left[node]:
                    if target in alive and not any(less <= self._post(own, letter) for less in stems[target]):
                        return f"no stem stands for a step from {node} to {target}"
        cycles: dict[tuple[Node, Nodes], list[Cycle]] = defaultdict(list)
        for cycle in way.cycles:
            cycles[cycle.goal, frozenset(cycle.after)].append(cycle)
        for goal in (node for node in component if node[1] == self.sets):
            inside = {node for node, name in component.items() if name == component[goal]}
            for own in stems[goal]:
                problem = self._open_cycle(goal, own, inside, cycles[goal, own])
                if problem:
                    return problem
        return ""

    def _before(self, nodes: set[Node]) -> set[Node]:
        """From which nodes of the left others can be reached."""
        before: dict[Node, list[Node]] = defaultdict(list)
        for node, own in self.left.items():
            for _, target in own:
                before[target].append(node)
        reached, waiting = set(nodes), list(nodes)
        while waiting:
            fresh = [node for node in before[waiting.pop()] if node not in reached]
            reached.update(fresh)
            waiting += fresh
        return reached

    def _open_cycle(self, goal: Node, stem: Nodes, inside: Collection[Node], cycles: Sequence[Cycle]) -> str:
        """What is missing among the cycles after a stem, or which of them cannot be taken again and again."""
        rows_at: dict[Node, list[Rows]] = defaultdict(list)
        for cycle in cycles:
            rows_at[cycle.node].append({node: (frozenset(some), frozenset(past)) for node, some, past in cycle.rows})
        begin: Rows = {node: (frozenset([node]), frozenset()) for node in self.right}
        for node, known in [(goal, [begin]), *list(rows_at.items())]:
            for rows in known:
                for letter, target in self.left.get(node, ()):
                    if target in inside and not any(self._is_extended(less, rows, letter) for less in rows_at[target]):
                        return f"no cycle of {goal} stands for a step from {node} to {target}"
        if not all(_recurs(stem, rows) for rows in rows_at[goal]):
            return f"a cycle of {goal} is not seen in the other graph again and again"
        return ""

    def _is_extended(self, less: Rows, rows: Rows, letter: Letter) -> bool:
        """Do rows say no more than what others become by a letter?"""
        for node, (some, past) in less.items():
            reached, passed = rows.get(node, (frozenset[Node](), frozenset[Node]()))
            full = frozenset(one for one in reached if one[1] == self.sets)
            if not (some <= self._post(reached, letter) and past <= self._post(passed | full, letter)):
                return False
        return True


def _recurs(stem: Nodes, rows: Rows) -> bool:
    """From a node of the stem, can the cycle be taken again and again, past nodes that have met all fairness sets?"""
    onward: dict[Node, set[Node]] = {}
    for node in rows:
        onward[node], waiting = {node}, [node]
        while waiting:
            fresh = [one for one in rows.get(waiting.pop(), (frozenset[Node](),))[0] if one not in onward[node]]
            onward[node].update(fresh)
            waiting += fresh
    turning = {node for node in rows if any(node in onward.get(one, ()) for one in rows[node][1])}
    return any(onward.get(node, {node}) & turning for node in stem)
