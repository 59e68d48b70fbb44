"""Formulas about explicit graphs: the verdict on each, with a path where it fails."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from time import monotonic

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from coarsest.automata.ltl.ltl_to_buchi import ltl_to_buchi
from coarsest.check.graphs.ctl_on_graphs import CtlOnGraphs
from coarsest.check.products.ltl import violation_in_partition
from coarsest.errors import LimitExceeded
from coarsest.evidence.enumeration.graph_formulas import confirm_on_graph
from coarsest.evidence.verdict import Answer, Fails, Holds, Unknown, Verdict
from coarsest.logic.branching.ctl import is_temporal
from coarsest.logic.expr import Expr, Value, names
from coarsest.logic.linear.ltl_from_expr import from_expr
from coarsest.logic.modal.parse_on_graphs import Logic, parse_on_graphs
from coarsest.lts.labelled import Graph
from coarsest.model.trace import Trace
from coarsest.run import Run
from coarsest.search.reachability import Chaining
from coarsest.search.witness import Path
from coarsest.space.explicit.explicit import ExplicitSet
from coarsest.space.explicit.labelled_graph import GraphStates, GraphSteps
from coarsest.space.partitioned import PartitionedSpace
from coarsest.space.views import Total, Within
from coarsest.text import Source


class GraphClaim(Struct, frozen=True):
    """A formula about a graph."""

    formula: Expr
    logic: Logic
    text: str


def claim_of(text: str) -> GraphClaim:
    """Read a formula about a graph."""
    formula, logic = parse_on_graphs(Source("<formula>", text))
    return GraphClaim(formula, logic, " ".join(text.split()))


class GraphChecker:
    """Checks formulas on one graph; what one formula has built serves the next."""

    def __init__(self, graph: Graph, run: Run, *, confirm: str = "auto") -> None:
        self.graph = graph
        self.run = run
        self.confirm = confirm
        self.states = GraphStates(graph)
        self.warnings: list[str] = []
        self._branching = CtlOnGraphs(self.states, run)
        self._reached: ExplicitSet | None = None

    def answers(self, claims: Sequence[GraphClaim]) -> Iterator[Answer]:
        """One answer for each formula, as soon as it is known."""
        for claim in claims:
            started = monotonic()
            answer = Answer("", claim.logic.value, claim.text, Unknown("it was not looked at"))
            try:
                self._warn(claim)
                verdict = self._linear(claim) if claim.logic is Logic.LINEAR else self._states(claim)
                answer = self._confirmed(replace(answer, verdict=verdict), claim)
            except LimitExceeded as limit:
                answer = replace(answer, verdict=Unknown(str(limit)))
            yield replace(answer, seconds=monotonic() - started)

    @property
    def reached(self) -> ExplicitSet:
        if self._reached is None:
            self._reached = Chaining(self.states, self.states.initial).finish(self.run)
        return self._reached

    def _warn(self, claim: GraphClaim) -> None:
        stuck = self.states.stuck & self.reached
        if is_temporal(claim.formula) and stuck:
            count, example = self.states.count(stuck), int(np.argmax(stuck.mask))
            message = f"{count} reachable state{'s have' if count > 1 else ' has'} no successor, for example {example}"
            message += "; each is given a step to itself"
            if message not in self.warnings:
                self.warnings.append(message)

    # Verdicts

    def _states(self, claim: GraphClaim) -> Verdict:
        checker, states = self._branching, self.states
        violating = states.initial - checker.satisfying(claim.formula)
        if not violating:
            return Holds()
        return Fails(self._trace_of_states(checker.refutation(states.pick(violating), claim.formula)))

    def _linear(self, claim: GraphClaim) -> Verdict:
        automaton = ltl_to_buchi(from_expr(claim.formula).negation, self.run)
        mentions_actions = any(name in self.graph.action_names for name in names(claim.formula))
        space: Total[ExplicitSet] | GraphSteps
        if mentions_actions:
            space = GraphSteps(self.states)
            reached = Chaining(space, space.initial).finish(self.run)
        else:
            space, reached = Total(self.states, self.states.stuck), self.reached
        product = PartitionedSpace(Within(space, reached), automaton)
        lasso = violation_in_partition(product, self.run, space.initial, reached, reachable=reached)
        if lasso is None:
            return Holds()
        path = lasso()
        return Fails(self._trace_of_steps(path, space) if isinstance(space, GraphSteps) else self._trace_of_states(path))

    # Traces

    def _state(self, number: int) -> dict[str, Value]:
        graph = self.graph
        label = graph.label_names[int(graph.labels[number])]
        return {"state": number, **({"label": label} if len(graph.label_names) > 1 else {})}

    def _trace_of_steps(self, path: Path[ExplicitSet], steps: GraphSteps) -> Trace:
        values = [steps.describe(position) for position in path.states]
        states = tuple(self._state(int(value["state"])) for value in values)  # type: ignore[arg-type]
        return Trace(states, tuple({"action": value.get("action", "")} for value in values), path.loop)

    def _trace_of_states(self, path: Path[ExplicitSet]) -> Trace:
        numbers = [int(np.argmax(state.mask)) for state in path.states]
        arrivals = [*numbers, *([] if path.loop is None else [numbers[path.loop]])]
        actions = tuple({"action": self._action(*step)} for step in pairwise(arrivals))
        return Trace(tuple(map(self._state, numbers)), actions, path.loop)

    def _action(self, source: int, target: int) -> str:
        """An action that leads from one state to another; the empty word where a state without successor stays."""
        graph = self.graph
        row = slice(int(graph.offsets[source]), int(graph.offsets[source + 1]))
        actions = graph.actions[row][graph.targets[row] == target]
        return graph.action_names[int(actions[0])] if len(actions) else ""

    def _confirmed(self, answer: Answer, claim: GraphClaim) -> Answer:
        if self.confirm == "never":
            return answer
        evidence, doubt = confirm_on_graph(
            self.graph, claim.formula, answer.verdict, linear=claim.logic is Logic.LINEAR, patient=self.confirm == "always"
        )
        verdict = replace(answer.verdict, certificate=evidence) if isinstance(answer.verdict, Holds) else answer.verdict
        return replace(answer, verdict=verdict, confirmed=not doubt, doubt=doubt)
