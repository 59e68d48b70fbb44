"""Is a formula of Hennessy–Milner logic true in a state of a graph? By the definition, and only where the answer is needed.

A first pass, from the formula to its parts, collects the states in which each part matters; a second, from the parts to
the formula, finds those among them in which it is true. This shares no code with the computation of relations or formulas.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import TYPE_CHECKING

from coarsest.logic.modal.hennessy_milner import Formula, ModalNode
from coarsest.lts.labelled import INTERNAL

if TYPE_CHECKING:
    from coarsest.lts.labelled import Graph


class FormulaChecker:
    """Decides formulas on one graph. Actions and labels are found by their names."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._steps: dict[int, dict[str, list[int]]] = {}
        self._names = ["i" if name in INTERNAL else name for name in graph.action_names]

    def satisfying(self, formula: Formula, states: Iterable[int]) -> set[int]:
        """Those of the given states in which the formula is true."""
        needed: list[set[int]] = [set() for _ in formula.nodes]
        needed[-1] = set(states)
        for number in reversed(range(len(formula.nodes))):
            self._ask(formula.nodes[number], needed[number], needed)
        true_at: list[set[int]] = []
        for node, asked in zip(formula.nodes, needed):
            true_at.append(self._decide(node, asked, true_at))
        return true_at[-1]

    def holds(self, formula: Formula) -> bool:
        """Is the formula true in some initial state?"""
        return bool(self.satisfying(formula, self._graph.initial.tolist()))

    def _ask(self, node: ModalNode, asked: set[int], needed: list[set[int]]) -> None:
        """Add the states in which the parts of a node matter, if the node itself matters in the states `asked`."""
        if not asked or not node.parts:
            return
        match node.kind:
            case "diamond":
                needed[node.parts[0]].update(*(self._after(state, node.name) for state in asked))
            case "diverges":
                needed[node.parts[0]] |= self._silently_reached(asked)
            case "until":
                along, end = node.parts
                reached = self._silently_reached(asked)
                needed[along] |= reached
                needed[end].update(*(self._after(state, node.name) for state in reached))
                if node.name in INTERNAL:
                    needed[end] |= reached
            case _:
                for part in node.parts:
                    needed[part] |= asked

    def _decide(self, node: ModalNode, asked: set[int], true_at: list[set[int]]) -> set[int]:
        if not asked:
            return set()
        match node.kind:
            case "label":
                names, labels = self._graph.label_names, self._graph.labels
                return {state for state in asked if names[labels[state]] == node.name}
            case "not":
                return asked - true_at[node.parts[0]]
            case "and":
                return asked.intersection(*(true_at[part] for part in node.parts))
            case "diamond":
                end = true_at[node.parts[0]]
                return {state for state in asked if not end.isdisjoint(self._after(state, node.name))}
            case "deadlock":
                return {state for state in asked if self._graph.offsets[state] == self._graph.offsets[state + 1]}
            case "until":
                return self._until(node, asked, true_at)
            case "diverges":
                return self._divergent(asked, true_at[node.parts[0]])
        return asked

    def _until(self, node: ModalNode, asked: set[int], true_at: list[set[int]]) -> set[int]:
        """The least set: states with φ where the last step is possible, or an internal step leads into the set."""
        along, end = (true_at[part] for part in node.parts)
        reached = self._silently_reached(asked) & along
        satisfying = {state for state in reached if not end.isdisjoint(self._after(state, node.name))}
        if node.name in INTERNAL:
            satisfying |= reached & end
        before: dict[int, list[int]] = defaultdict(list)
        for state in reached:
            for target in self._after(state, INTERNAL[0]):
                before[target].append(state)
        waiting = list(satisfying)
        while waiting:
            fresh = [source for source in before[waiting.pop()] if source not in satisfying]
            satisfying.update(fresh)
            waiting += fresh
        return asked & satisfying

    def _divergent(self, asked: set[int], along: set[int]) -> set[int]:
        """The greatest set: states with φ and an internal step that stays in the set."""
        left = self._silently_reached(asked) & along
        steps: dict[int, int] = {}
        before: dict[int, list[int]] = defaultdict(list)
        for state in left:
            targets = [target for target in self._after(state, INTERNAL[0]) if target in left]
            steps[state] = len(targets)
            for target in targets:
                before[target].append(state)
        waiting = [state for state, count in steps.items() if count == 0]
        while waiting:
            gone = waiting.pop()
            left.discard(gone)
            for source in before[gone]:
                steps[source] -= 1
                if steps[source] == 0:
                    waiting.append(source)
        return asked & left

    def _silently_reached(self, states: set[int]) -> set[int]:
        """The states reached by any number of internal steps."""
        reached = set(states)
        waiting = list(states)
        while waiting:
            fresh = [target for target in self._after(waiting.pop(), INTERNAL[0]) if target not in reached]
            reached.update(fresh)
            waiting += fresh
        return reached

    def _after(self, state: int, action: str) -> list[int]:
        steps = self._steps.get(state)
        if steps is None:
            steps = self._steps[state] = defaultdict(list)
            graph = self._graph
            begin, end = int(graph.offsets[state]), int(graph.offsets[state + 1])
            for number, target in zip(graph.actions[begin:end].tolist(), graph.targets[begin:end].tolist()):
                steps[self._names[number]].append(target)
        return steps.get("i" if action in INTERNAL else action, [])
