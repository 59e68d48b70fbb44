"""Formulas about explicit graphs: the engine agrees with the definition, and its evidence with both."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from coarsest.api.graph import Graph
from coarsest.check.graphs.check_graph import claim_of
from coarsest.evidence.verdict import Fails
from coarsest.logic.expr import Apply, Constant, Expr, Name
from coarsest.logic.modal.parse_on_graphs import Logic
from random_graph_formulas import ACTIONS, LABELS, branching, linear, random_graph


class Oracle:
    """By the definitions: fixpoints by repetition until nothing changes, linear formulas on all lassos up to a length."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        steps = list(zip(graph.sources.tolist(), graph.actions.tolist(), graph.targets.tolist()))
        self.steps = [(s, ACTIONS[a], t) for s, a, t in steps]
        self.total = self.steps + [(s, "", s) for s in range(graph.states) if not any(s == x for x, _, _ in self.steps)]

    def after(self, state: int) -> set[int]:
        return {t for s, _, t in self.total if s == state}

    def where(self, formula: Expr) -> set[int]:
        every = set(range(self.graph.states))
        match formula:
            case Constant(value):
                return every if value else set()
            case Name(name):
                return {s for s in every if LABELS[int(self.graph.labels[s])] == name}
            case Apply("diamond", (Constant(a), inner)):
                good = self.where(inner)
                return {s for s, action, t in self.steps if action == a and t in good}
            case Apply("box", (Constant(a), inner)):
                good = self.where(inner)
                return every - {s for s, action, t in self.steps if action == a and t not in good}
            case Apply("AU", (p, q)):
                return self._fixpoint(lambda z: self.where(q) | {s for s in self.where(p) if self.after(s) <= z}, set())
            case Apply("EU", (p, q)):
                return self._fixpoint(lambda z: self.where(q) | {s for s in self.where(p) if self.after(s) & z}, set())
            case Apply("EG", (p,)):
                return self._fixpoint(lambda z: {s for s in self.where(p) if self.after(s) & z}, every)
            case Apply("AG", (p,)):
                return self._fixpoint(lambda z: {s for s in self.where(p) if self.after(s) <= z}, every)
            case Apply("AF", (p,)):
                return self._fixpoint(lambda z: self.where(p) | {s for s in every if self.after(s) <= z}, set())
            case Apply("EF", (p,)):
                return self._fixpoint(lambda z: self.where(p) | {s for s in every if self.after(s) & z}, set())
            case Apply("AX", (p,)):
                return {s for s in every if self.after(s) <= self.where(p)}
            case Apply("EX", (p,)):
                return {s for s in every if self.after(s) & self.where(p)}
            case Apply(op, args):
                sets = [self.where(arg) for arg in args]
                table = {"not": lambda: every - sets[0], "and": lambda: set.intersection(*sets), "or": lambda: set.union(*sets),
                         "implies": lambda: (every - sets[0]) | sets[1]}  # fmt: skip
                return table[op]()
        raise AssertionError(formula)

    @staticmethod
    def _fixpoint(step: Any, start: set[int]) -> set[int]:
        here = start
        while (there := step(here)) != here:
            here = there
        return here

    def lassos(self, longest: int) -> list[tuple[list[tuple[int, str, int]], int]]:
        found = []
        waiting = [[step] for step in self.total if step[0] in self.graph.initial.tolist()]
        while waiting:
            path = waiting.pop()
            found += [(path, loop) for loop in range(len(path)) if path[loop][0] == path[-1][2]]
            if len(path) < longest:
                waiting += [[*path, step] for step in self.total if step[0] == path[-1][2]]
        return found

    def true_along(self, formula: Expr, path: list[tuple[int, str, int]], loop: int) -> bool:
        """Evaluated on a prefix so long that all rounds have become the same: three times around for each operator."""
        def depth(part: Expr) -> int:
            return 1 + max((depth(arg) for arg in part.args), default=0) if isinstance(part, Apply) else 0

        around = len(path) - loop
        length = len(path) + around * 3 * (depth(formula) + 1)
        word = [path[i] if i < len(path) else path[loop + (i - len(path)) % around] for i in range(length)]
        useful = length - around

        def at(part: Expr) -> list[bool]:
            match part:
                case Name(name) if name in ACTIONS:
                    return [step[1] == name for step in word]
                case Apply("X", (p,)):
                    inner = at(p)
                    return [*inner[1:], inner[length - around]]
                case Apply("O", (p,)):
                    inner = at(p)
                    return [any(inner[: i + 1]) for i in range(length)]
                case Apply("G" | "F" as op, (p,)):
                    inner = at(p)
                    tail = inner[useful:]
                    return [all(inner[i:] + tail) if op == "G" else any(inner[i:] + tail) for i in range(length)]
                case Apply("U", (p, q)):
                    return self._until(at(p), at(q), around)
                case Apply("V", (p, q)):
                    return [not x for x in self._until([not x for x in at(p)], [not x for x in at(q)], around)]
                case Apply("not", (p,)):
                    return [not x for x in at(p)]
                case Apply("and", args):
                    return [all(column) for column in zip(*map(at, args))]
                case Apply("or", args):
                    return [any(column) for column in zip(*map(at, args))]
                case Apply("implies", (p, q)):
                    return [y or not x for x, y in zip(at(p), at(q))]
            good = self.where(part)
            return [step[0] in good for step in word]

        return at(formula)[0]

    @staticmethod
    def _until(p: list[bool], q: list[bool], around: int) -> list[bool]:
        longer_p, longer_q = p + 2 * p[-around:], q + 2 * q[-around:]
        result = [False] * (len(longer_q) + 1)
        for i in reversed(range(len(longer_q))):
            result[i] = longer_q[i] or (longer_p[i] and result[i + 1])
        return result[: len(p)]


@pytest.mark.parametrize("block", range(4))
def test_branching_formulas(block: int) -> None:
    verdicts = set()
    for seed in range(60 * block, 60 * (block + 1)):
        random = Random(seed)
        graph = random_graph(random)
        texts = [branching(random, 3) for _ in range(3)]
        for text, answer in zip(texts, graph.check(*texts, confirm="always").answers, strict=True):
            claim = claim_of(text)
            assert claim.logic is Logic.BRANCHING
            expected = set(graph.initial.tolist()) <= Oracle(graph).where(claim.formula)
            assert (answer.verdict.word == "holds") == expected, (seed, text)
            assert answer.confirmed
            verdicts.add(expected)
    assert verdicts == {True, False}


@pytest.mark.parametrize("block", range(4))
def test_linear_formulas(block: int) -> None:
    verdicts = set()
    for seed in range(40 * block, 40 * (block + 1)):
        random = Random(seed)
        graph = random_graph(random)
        texts = [linear(random, 3) for _ in range(2)]
        texts = [text for text in texts if claim_of(text).logic is Logic.LINEAR]
        oracle = Oracle(graph)
        for text, answer in zip(texts, graph.check(*texts, confirm="always").answers, strict=True):
            claim = claim_of(text)
            refuted = any(not oracle.true_along(claim.formula, path, loop) for path, loop in oracle.lassos(4))
            assert answer.confirmed
            verdicts.add(answer.verdict.word)
            if isinstance(answer.verdict, Fails):
                trace = answer.verdict.trace
                assert trace is not None
                assert trace.loop is not None
                path = [
                    (int(state["state"]), str(step.get("action", "")), int(arrival["state"]))  # type: ignore[arg-type]
                    for state, step, arrival in zip(trace.states, trace.inputs, trace.arrivals)
                ]
                assert not oracle.true_along(claim.formula, path, trace.loop), (seed, text)
            else:
                assert not refuted, (seed, text)
    assert verdicts == {"holds", "fails"}
