"""The truth of formulas under construction in a few states, as far as it is needed. Each answer is remembered.

A question about a formula and a state asks further questions about its parts, one after the other, until it is decided. Formulas
may be as deep as graphs, so the stack of questions is explicit. Finished formulas are judged by other code.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Sequence
from typing import TYPE_CHECKING, TypeAlias

from coarsest import tuning
from coarsest.logic.modal.hennessy_milner import Builder, ModalNode
from coarsest.lts.labelled import INTERNAL

if TYPE_CHECKING:
    from coarsest.lts.labelled import Graph

Question: TypeAlias = tuple[int, int]
"""The node of a formula, and a state."""
Asking: TypeAlias = Generator[Question, bool, bool]


class FormulaTruths:
    """The truth of formulas, given by their nodes, in the states of a graph. Transitions with the action `mark`, if any, say that
    an internal path never ends."""

    def __init__(self, graph: Graph, nodes: Sequence[ModalNode], *, mark: int = -1) -> None:
        self._graph, self._nodes = graph, nodes
        self._mark = graph.action_names[mark] if mark >= 0 else None
        self._names = [INTERNAL[0] if name in INTERNAL else name for name in graph.action_names]
        self._answers: dict[Question, bool] = {}
        self._steps: dict[int, dict[str, list[int]]] = {}

    def turn_to(self, nodes: Sequence[ModalNode]) -> None:
        """Forget the answers, because the next questions are about other formulas."""
        self._nodes, self._answers = nodes, {}

    def at(self, node: int, state: int) -> bool:
        """Is the formula of a node true in a state?"""
        stack: list[tuple[Question, Asking]] = []
        question: Question = node, state
        answer = self._answers.get(question)
        while True:
            if answer is None:
                stack.append((question, self._decide(*question)))
            elif not stack:
                return answer
            question, asking = stack[-1]
            try:
                needed = asking.send(answer) if answer is not None else next(asking)
                question, answer = needed, self._answers.get(needed)
            except StopIteration as decided:
                answer = self._answers[question] = decided.value
                stack.pop()

    def _decide(self, number: int, state: int) -> Asking:
        node = self._nodes[number]
        match node.kind:
            case "label":
                return bool(self._graph.label_names[self._graph.labels[state]] == node.name)
            case "not":
                return not (yield node.parts[0], state)
            case "and":
                for part in node.parts:
                    if not (yield part, state):
                        return False
            case "diamond":
                for target in self._after(state, node.name):
                    if (yield node.parts[0], target):
                        return True
                return False
            case "deadlock":
                return bool(self._after(state, node.name))
            case "until":
                return (yield from self._until(number, state))
            case "diverges":
                return (yield from self._diverges(node.parts[0], state))
        return True

    def _until(self, number: int, state: int) -> Asking:
        """Do internal steps through states where the first part is true lead to the last step? If not, they do not from any state
        on the way either, and these answers are remembered."""
        node, answers = self._nodes[number], self._answers
        along, end = node.parts
        waiting, reached = [state], {state}
        while waiting:
            here = waiting.pop()
            if answers.get((number, here)):
                return True
            if not (yield along, here):
                continue
            if node.name in INTERNAL and (yield end, here):
                return True
            for target in self._after(here, node.name):
                if (yield end, target):
                    return True
            fresh = {target for target in self._after(here, INTERNAL[0]) if answers.get((number, target), True)} - reached
            reached |= fresh
            waiting += sorted(fresh)
        answers.update(dict.fromkeys(((number, here) for here in reached), False))
        return False

    def _diverges(self, along: int, state: int) -> Asking:
        """Is a state that internal steps lead to on a cycle? If so, removing states without remaining steps leaves some."""
        steps: dict[int, int] = {}
        before: dict[int, list[int]] = {}
        waiting = [state] if (yield along, state) else []
        while waiting:
            here = waiting.pop()
            if here in steps:
                continue
            steps[here] = 0
            endless = [here] if self._mark is not None and self._after(here, self._mark) else []
            for target in self._after(here, INTERNAL[0]) + endless:
                if (yield along, target):
                    steps[here] += 1
                    before.setdefault(target, []).append(here)
                    waiting.append(target)
        removed = [here for here, count in steps.items() if count == 0]
        for here in removed:
            for source in before.get(here, ()):
                steps[source] -= 1
                if steps[source] == 0:
                    removed.append(source)
        return len(removed) < len(steps)

    def _after(self, state: int, action: str) -> list[int]:
        steps = self._steps.get(state)
        if steps is None:
            graph, steps = self._graph, {}
            begin, end = int(graph.offsets[state]), int(graph.offsets[state + 1])
            for number, target in zip(graph.actions[begin:end].tolist(), graph.targets[begin:end].tolist()):
                steps.setdefault(self._names[number], []).append(target)
            self._steps[state] = steps
        return steps.get(INTERNAL[0] if action in INTERNAL else action, [])


class Conjunctions:
    """Conjunctions without superfluous parts, about the states of a graph."""

    def __init__(self, graph: Graph, make: Builder, *, mark: int = -1) -> None:
        self._make, self._truths = make, FormulaTruths(graph, make.nodes, mark=mark)
        self._small: dict[int, bool] = {}

    def against(self, parts: Iterable[tuple[int, int]]) -> int:
        """The conjunction of formulas, each given with a state in which it is false; one is left out if an earlier one is
        false there too."""
        conjuncts: list[int] = []
        for node, rival in parts:
            if not self.refute(conjuncts, rival):
                conjuncts.append(node)
        return self._make.conjunction(conjuncts)

    def refute(self, nodes: Iterable[int], state: int) -> bool:
        """Is one of the formulas false in the state? Large formulas are not evaluated."""
        return any(self._is_small(node) and not self._truths.at(node, state) for node in nodes)

    def _is_small(self, node: int) -> bool:
        if node not in self._small:
            self._small[node] = len(self._make.formula(node).nodes) <= tuning.TRIED_CONJUNCT
        return self._small[node]
