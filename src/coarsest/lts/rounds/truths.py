"""The truth of formulas while they are put together, in a few states, as far as it is needed. Each answer is remembered.

A question about a formula and a state asks further ones, about its parts, one after the other, until it is decided. Formulas
may be as deep as graphs, so that questions wait on a stack of their own. What judges formulas afterwards is other code.
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
"""The place of a formula among the nodes, and a state."""
Asking: TypeAlias = Generator[Question, bool, bool]


class FormulaTruths:
    """What is true in the states of a graph, of formulas that are given by their places among nodes. Transitions with the action
    `mark`, if any, say that an internal path never ends."""

    def __init__(self, graph: Graph, nodes: Sequence[ModalNode], *, mark: int = -1) -> None:
        self._graph, self._nodes = graph, nodes
        self._mark = graph.action_names[mark] if mark >= 0 else None
        self._names = [INTERNAL[0] if name in INTERNAL else name for name in graph.action_names]
        self._answers: dict[Question, bool] = {}
        self._steps: dict[int, dict[str, list[int]]] = {}

    def turn_to(self, nodes: Sequence[ModalNode]) -> None:
        """Forget the answers, for others are asked about now."""
        self._nodes, self._answers = nodes, {}

    def at(self, place: int, state: int) -> bool:
        """Is the formula at this place true in the state?"""
        stack: list[tuple[Question, Asking]] = []
        question: Question = place, state
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

    def _decide(self, place: int, state: int) -> Asking:
        node = self._nodes[place]
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
                return (yield from self._until(place, state))
            case "diverges":
                return (yield from self._diverges(node.parts[0], state))
        return True

    def _until(self, place: int, state: int) -> Asking:
        """Internal steps through states in which the first part is true, to one with the last step. If there are none, there are
        none from any state on the way, and the search never goes that way again."""
        node, answers = self._nodes[place], self._answers
        along, end = node.parts
        waiting, reached = [state], {state}
        while waiting:
            here = waiting.pop()
            if answers.get((place, here)):
                return True
            if not (yield along, here):
                continue
            if node.name in INTERNAL and (yield end, here):
                return True
            for target in self._after(here, node.name):
                if (yield end, target):
                    return True
            fresh = {target for target in self._after(here, INTERNAL[0]) if answers.get((place, target), True)} - reached
            reached |= fresh
            waiting += sorted(fresh)
        answers.update(dict.fromkeys(((place, here) for here in reached), False))
        return False

    def _diverges(self, along: int, state: int) -> Asking:
        """Some of the states that internal steps lead through lie on a cycle: then not all can be taken away one by one, each
        when no step is left from it."""
        ways: dict[int, int] = {}
        before: dict[int, list[int]] = {}
        waiting = [state] if (yield along, state) else []
        while waiting:
            place = waiting.pop()
            if place in ways:
                continue
            ways[place] = 0
            endless = [place] if self._mark is not None and self._after(place, self._mark) else []
            for target in self._after(place, INTERNAL[0]) + endless:
                if (yield along, target):
                    ways[place] += 1
                    before.setdefault(target, []).append(place)
                    waiting.append(target)
        ended = [place for place, count in ways.items() if count == 0]
        for place in ended:
            for source in before.get(place, ()):
                ways[source] -= 1
                if ways[source] == 0:
                    ended.append(source)
        return len(ended) < len(ways)

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
        for place, rival in parts:
            if not self.refute(conjuncts, rival):
                conjuncts.append(place)
        return self._make.conjunction(conjuncts)

    def refute(self, places: Iterable[int], state: int) -> bool:
        """Is one of the formulas false in the state, and small enough to say so?"""
        return any(self._is_small(place) and not self._truths.at(place, state) for place in places)

    def _is_small(self, place: int) -> bool:
        if place not in self._small:
            self._small[place] = len(self._make.formula(place).nodes) <= tuning.TRIED_CONJUNCT
        return self._small[place]
