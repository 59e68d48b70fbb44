"""The notions of the spectrum, slowly, from their definitions: greatest fixpoints over pairs of states, and searches through all
pairs of a state and a set of states that one observation leads to. Nothing is left out, nothing is reduced."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import chain, combinations, product

from coarsest.lts.labelled import Graph
from oracles.graph_relations import Pair, Steps, labels, steps


def subsets(actions: Iterable[str]) -> Iterator[frozenset[str]]:
    pool = sorted(actions)
    return map(frozenset, chain.from_iterable(combinations(pool, size) for size in range(len(pool) + 1)))


class Definitions:
    """Of one graph, which may be two side by side."""

    def __init__(self, graph: Graph) -> None:
        self.moves: Steps = steps(graph)
        self.label = labels(graph)
        self.states = range(graph.states)
        self.alphabet = {"i" if name == "tau" else name for name in graph.action_names}
        self.ready = [frozenset(action for action, _ in out) for out in self.moves]

    # Relations between states

    def greatest(self, start: set[Pair], keeps: Callable[[set[Pair], Pair], bool]) -> set[Pair]:
        current = start
        while True:
            smaller = {pair for pair in current if keeps(current, pair)}
            if smaller == current:
                return current
            current = smaller

    def alike(self) -> set[Pair]:
        return {(s, t) for s, t in product(self.states, repeat=2) if self.label[s] == self.label[t]}

    def _answers(self, relation: set[Pair], pair: Pair) -> bool:
        s, t = pair
        return all(any(b == a and (x, y) in relation for b, y in self.moves[t]) for a, x in self.moves[s])

    def simulation(self) -> set[Pair]:
        return self.greatest(self.alike(), self._answers)

    def ready_simulation(self) -> set[Pair]:
        return self.greatest({(s, t) for s, t in self.alike() if self.ready[s] == self.ready[t]}, self._answers)

    def nested_simulation(self) -> set[Pair]:
        """Simulations within the converse of simulation."""
        return self.greatest({(t, s) for s, t in self.simulation()}, self._answers)

    def bisimulation(self) -> set[Pair]:
        return self.greatest(self.alike(), lambda relation, pair: self._answers(relation, pair)
                             and self._answers({(y, x) for x, y in relation}, pair[::-1]))  # fmt: skip

    # Observations along paths

    def after(self, states: Iterable[int], action: str, label: str) -> frozenset[int]:
        return frozenset(t for s in states for a, t in self.moves[s] if a == action and self.label[t] == label)

    def positions(
        self, firsts: Iterable[int], seconds: Iterable[int], seen: Callable[[int], Iterable[Callable[[int], bool]]]
    ) -> Iterator[tuple[int, frozenset[int]]]:
        """All (p, Q): some observation leads to p, and to the states of Q from those of the second. `seen` gives what can be seen
        of a state on the way, each as a condition that the other states must fulfil, too."""
        second = list(seconds)
        waiting = [(p, frozenset(q for q in second if self.label[q] == self.label[p])) for p in firsts]
        entered = set(waiting)
        while waiting:
            p, others = waiting.pop()
            yield p, others
            for condition in seen(p):
                fitting = [q for q in others if condition(q)]
                for action, x in self.moves[p]:
                    position = x, self.after(fitting, action, self.label[x])
                    if position not in entered:
                        entered.add(position)
                        waiting.append(position)

    def nothing(self, p: int) -> Iterator[Callable[[int], bool]]:
        yield lambda q: True

    def refusals(self, p: int) -> Iterator[Callable[[int], bool]]:
        for refused in subsets(self.alphabet - self.ready[p]):
            yield lambda q, refused=refused: not refused & self.ready[q]  # type: ignore[misc]

    def menus(self, p: int) -> Iterator[Callable[[int], bool]]:
        yield lambda q: self.ready[q] == self.ready[p]

    def revivals(self, p: int) -> Iterator[Callable[[int], bool]]:
        yield from self.refusals(p)
        for refused in subsets(self.alphabet - self.ready[p]):
            for action in self.ready[p]:
                yield lambda q, refused=refused, action=action: (  # type: ignore[misc]
                    not refused & self.ready[q] and action in self.ready[q])  # fmt: skip

    def has_traces(self, one: int, other: int) -> bool:
        """Are all traces of one state traces of the other?"""
        return all(others for _, others in self.positions([one], [other], self.nothing))

    def possible(self, p: int) -> Iterator[Callable[[int], bool]]:
        yield lambda q: self.has_traces(p, q) and self.has_traces(q, p)

    def impossible(self, p: int) -> Iterator[Callable[[int], bool]]:
        """All traces that it has not: those of fewer are a weaker observation."""
        yield lambda q: self.has_traces(q, p)

    def included(self, notion: str, firsts: list[int], seconds: list[int]) -> bool:
        along = {"failure-traces": self.refusals, "ready-traces": self.menus}.get(notion, self.nothing)
        last = {
            "traces": self.nothing, "failures": self.refusals, "failure-traces": self.refusals, "readiness": self.menus,
            "ready-traces": self.menus, "revivals": self.revivals, "possible-futures": self.possible,
            "impossible-futures": self.impossible,
        }[notion]  # fmt: skip
        return all(
            any(condition(q) for q in others)
            for p, others in self.positions(firsts, seconds, along)
            for condition in last(p)
        )  # fmt: skip

    def first_steps(self, states: Iterable[int]) -> set[tuple[str, ...]]:
        here = list(states)
        return {(self.label[s],) for s in here} | {(self.label[s], a, self.label[t]) for s in here for a, t in self.moves[s]}

    def below(self, notion: str, firsts: list[int], seconds: list[int]) -> bool:
        """Is one graph below the other, by a strong notion? Given are their initial states."""
        if notion == "enabledness":
            return self.first_steps(firsts) <= self.first_steps(seconds)
        relations = {
            "finite-simulation": self.simulation, "ready-simulation": self.ready_simulation,
            "2-nested-simulation": self.nested_simulation, "bisimulation": self.bisimulation,
        }  # fmt: skip
        if notion not in relations:
            return self.included(notion, firsts, seconds)
        relation = relations[notion]()
        return all(any((s, t) in relation for t in seconds) for s in firsts)


class WeakDefinitions(Definitions):
    """Of the notions that abstract from internal steps. Labels on the way are not seen, except by branching bisimulation."""

    def __init__(self, graph: Graph) -> None:
        super().__init__(graph)
        self.silent = [self._silently(state) for state in self.states]

    def _silently(self, state: int) -> set[int]:
        reached = {state}
        while True:
            more = reached | {t for s in reached for a, t in self.moves[s] if a == "i"}
            if more == reached:
                return reached
            reached = more

    def weakly(self, state: int, action: str) -> set[int]:
        """By ⇒a⇒, or ⇒ for the internal action."""
        if action == "i":
            return self.silent[state]
        return {u for s in self.silent[state] for a, t in self.moves[s] if a == action for u in self.silent[t]}

    def _weak(self, relation: set[Pair], pair: Pair) -> bool:
        s, t = pair
        return all(any((x, y) in relation for y in self.weakly(t, a)) for a, x in self.moves[s])

    def weak_simulation(self) -> set[Pair]:
        return self.greatest(self.alike(), self._weak)

    def weak_bisimulation(self) -> set[Pair]:
        return self._symmetric(self._weak)

    def delay_bisimulation(self) -> set[Pair]:
        def answers(relation: set[Pair], pair: Pair) -> bool:
            s, t = pair
            return all(
                (a == "i" and (x, t) in relation)
                or any((x, y) in relation for u in self.silent[t] for b, y in self.moves[u] if b == a)
                for a, x in self.moves[s]
            )

        return self._symmetric(answers)

    def eta_bisimulation(self) -> set[Pair]:
        def answers(relation: set[Pair], pair: Pair) -> bool:
            s, t = pair
            return all(
                (a == "i" and (x, t) in relation)
                or any((s, u) in relation and (x, z) in relation
                       for u in self.silent[t] for b, y in self.moves[u] if b == a for z in self.silent[y])
                for a, x in self.moves[s]
            )  # fmt: skip

        return self._symmetric(answers)

    def coupled_simulation(self) -> set[Pair]:
        return self.greatest(self.alike(), lambda relation, pair: self._weak(relation, pair)
                             and any((y, pair[0]) in relation for y in self.silent[pair[1]]))  # fmt: skip

    def _symmetric(self, answers: Callable[[set[Pair], Pair], bool]) -> set[Pair]:
        return self.greatest(self.alike(), lambda relation, pair: answers(relation, pair)
                             and answers({(y, x) for x, y in relation}, pair[::-1]))  # fmt: skip

    def weak_traces_included(self, firsts: list[int], seconds: list[int]) -> bool:
        """All (p, Q) that weak steps and looks at labels lead to."""
        waiting = [(p, frozenset(seconds)) for p in firsts]
        entered = set(waiting)
        while waiting:
            p, others = waiting.pop()
            fitting = [q for q in others if self.label[q] == self.label[p]]
            if not fitting:
                return False
            for action in self.alphabet | {"i"}:
                answers = frozenset(y for q in fitting for y in self.weakly(q, action))
                for position in ((x, answers) for x in self.weakly(p, action)):
                    if position not in entered:
                        entered.add(position)
                        waiting.append(position)
        return True

    def below(self, notion: str, firsts: list[int], seconds: list[int]) -> bool:
        if notion == "weak-traces":
            return self.weak_traces_included(firsts, seconds)
        relations = {
            "weak-simulation": self.weak_simulation, "coupled-simulation": self.coupled_simulation,
            "weak-bisimulation": self.weak_bisimulation, "delay-bisimulation": self.delay_bisimulation,
            "eta-bisimulation": self.eta_bisimulation,
        }  # fmt: skip
        if notion not in relations:
            return super().below(notion, firsts, seconds)
        relation = relations[notion]()
        return all(any((s, t) in relation for t in seconds) for s in firsts)
