"""Formulas about explicit graphs: the verdict on each, with a path where it fails."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from time import monotonic

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from coarsest.check.graphs.ctl_on_graphs import CtlOnGraphs, Walk
from coarsest.check.graphs.ltl_on_graphs import violating_walk
from coarsest.check.graphs.names_on_graphs import Names
from coarsest.errors import LimitExceeded
from coarsest.evidence.enumeration.graph_formulas import confirm_on_graph
from coarsest.evidence.verdict import Answer, Fails, Holds, Unknown, Verdict
from coarsest.logic.branching.ctl import is_temporal
from coarsest.logic.expr import Expr, Value
from coarsest.logic.modal.parse_on_graphs import Logic, parse_on_graphs
from coarsest.lts import closures
from coarsest.lts.csr import Mask
from coarsest.lts.labelled import Graph
from coarsest.lts.union import with_one_number_for_each_name
from coarsest.model.trace import Trace
from coarsest.run import Run
from coarsest.space.explicit.labelled_graph import STAYS, GraphStates
from coarsest.text import Source

NO_INITIAL_STATE = "there is no initial state: every formula holds"


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
    """Checks formulas on one graph; what one formula has built serves the next. `on_warning` hears what makes verdicts hollow."""

    def __init__(
        self, graph: Graph, run: Run, *, confirm: str = "auto", on_warning: Callable[[str], None] = lambda text: None
    ) -> None:
        self.graph = with_one_number_for_each_name(graph)
        self.run = run
        self.confirm = confirm
        self.on_warning = on_warning
        self.warnings: list[str] = []

    def claims(self, texts: Sequence[str]) -> list[GraphClaim]:
        """Read formulas, with the names that the graph has."""
        names, claims = Names(self.graph), [claim_of(text) for text in texts]
        return [replace(c, formula=names.resolved(c.formula, on_steps=c.logic is Logic.LINEAR)) for c in claims]

    def answers(self, claims: Sequence[GraphClaim]) -> Iterator[Answer]:
        """One answer for each formula, as soon as it is known."""
        for claim in claims:
            started = monotonic()
            answer = Answer("", claim.logic.value, claim.text, Unknown("it was not looked at"))
            try:
                self._warn(claim)
                verdict = self._linear(claim) if claim.logic is Logic.LINEAR else self._branching(claim)
                answer = self._confirmed(replace(answer, verdict=verdict), claim)
            except LimitExceeded as limit:
                answer = replace(answer, verdict=Unknown(str(limit)))
            yield replace(answer, seconds=monotonic() - started)

    # What formulas share

    @cached_property
    def states(self) -> GraphStates:
        return GraphStates(self.graph)

    @cached_property
    def _ctl(self) -> CtlOnGraphs:
        return CtlOnGraphs(self.states, self.run)

    @cached_property
    def _dead_ends(self) -> Mask:
        """The reachable states without successor."""
        if not self.states.stuck:
            return self.states.stuck.mask
        reached = closures.search(self.states.graph, self.run, self.states.initial.mask).before >= 0
        return np.asarray(reached & self.states.stuck.mask)

    def _warn(self, claim: GraphClaim) -> None:
        if not self.states.initial:
            self._tell(NO_INITIAL_STATE)
        elif is_temporal(claim.formula) and self._dead_ends.any():
            count, example = int(self._dead_ends.sum()), int(np.argmax(self._dead_ends))
            message = f"{count} reachable state{'s have' if count > 1 else ' has'} no successor, for example {example}"
            self._tell(f"{message}; each is given a step to itself")

    def _tell(self, message: str) -> None:
        if message not in self.warnings:
            self.warnings.append(message)
            self.on_warning(message)

    # Verdicts

    def _branching(self, claim: GraphClaim) -> Verdict:
        violating = self.states.initial - self._ctl.satisfying(claim.formula)
        if not violating:
            return Holds()
        return Fails(self._trace(self._ctl.refutation(int(np.argmax(violating.mask)), claim.formula)))

    def _linear(self, claim: GraphClaim) -> Verdict:
        walk = violating_walk(self.states, claim.formula, self.run)
        return Holds() if walk is None else Fails(self._trace(walk))

    def _trace(self, walk: Walk) -> Trace:
        """The action of a step that stays for want of a successor is the empty word."""
        names = self.graph.action_names
        actions = tuple({"action": "" if action == STAYS else names[action]} for action in walk.actions)
        return Trace(tuple(map(self._state, walk.states)), actions, walk.loop)

    def _state(self, number: int) -> dict[str, Value]:
        label = self.graph.label_names[int(self.graph.labels[number])]
        return {"state": number, **({"label": label} if len(self.graph.label_names) > 1 else {})}

    def _confirmed(self, answer: Answer, claim: GraphClaim) -> Answer:
        if self.confirm == "never":
            return answer
        evidence, doubt = confirm_on_graph(
            self.graph, claim.formula, answer.verdict, linear=claim.logic is Logic.LINEAR, patient=self.confirm == "always"
        )
        verdict = replace(answer.verdict, certificate=evidence) if isinstance(answer.verdict, Holds) else answer.verdict
        return replace(answer, verdict=verdict, confirmed=not doubt, doubt=doubt)
