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
from coarsest.errors import InputError, LimitExceeded, require_type
from coarsest.evidence.confirmation import UNASKED
from coarsest.evidence.enumeration.graph_formulas import confirm_on_graph
from coarsest.evidence.verdict import Answer, Fails, Holds, Unknown, Verdict
from coarsest.evidence.walk.graph_walk import state_values, step_values
from coarsest.formats import or_no_file
from coarsest.logic.branching.ctl import is_temporal
from coarsest.logic.expr import Expr
from coarsest.logic.modal.parse_on_graphs import Logic, parse_on_graphs
from coarsest.lts import closures
from coarsest.lts.labelled import Graph
from coarsest.lts.union import with_one_number_for_each_name
from coarsest.model.trace import Trace
from coarsest.run import Run
from coarsest.space.explicit.labelled_graph import GraphStates
from coarsest.text import Source

NO_INITIAL_STATE = "there is no initial state: every formula holds"


class GraphClaim(Struct, frozen=True):
    """A formula about a graph."""

    formula: Expr
    logic: Logic
    text: str


def claim_of(text: str) -> GraphClaim:
    """Read a formula about any graph."""
    require_type("a formula", text, str, 'a text such as "AG p"')
    try:
        formula, logic = parse_on_graphs(Source("<formula>", text))
    except InputError as problem:
        raise or_no_file(text, problem) from None
    return GraphClaim(formula, logic, " ".join(text.split()))


class GraphChecker:
    """Checks formulas on one graph; what one formula has built serves the next. `on_warning` hears of vacuous verdicts."""

    def __init__(
        self, graph: Graph, run: Run, *, confirm: str = "auto", on_warning: Callable[[str], None] = lambda text: None
    ) -> None:
        self.graph = with_one_number_for_each_name(graph)
        self.run, self.confirm, self.on_warning = run, confirm, on_warning
        self.warnings: list[str] = []

    def claims(self, texts: Sequence[str]) -> list[GraphClaim]:
        """Read formulas and resolve their names. Without temporal operators, names say whether a formula is about steps, and so
        about paths."""
        names, claims = Names(self.graph), [claim_of(text) for text in texts]
        for index, (text, claim) in enumerate(zip(texts, claims)):
            try:
                on_steps = claim.logic is Logic.LINEAR
                on_steps = on_steps or (not is_temporal(claim.formula) and names.speaks_of_steps(claim.formula))
                formula = names.resolved(claim.formula, on_steps=on_steps)
            except InputError as problem:
                raise or_no_file(text, problem) from None
            claims[index] = replace(claim, formula=formula, logic=Logic.LINEAR if on_steps else claim.logic)
        return claims

    def answers(self, claims: Sequence[GraphClaim]) -> Iterator[Answer]:
        """One answer for each formula, as soon as it is known."""
        for claim in claims:
            started = monotonic()
            answer = Answer("", claim.logic.value, claim.text, Unknown("it was not checked"))
            try:
                self._warn(claim)
                verdict = self._linear(claim) if claim.logic is Logic.LINEAR else self._branching(claim)
                answer = replace(answer, verdict=self._confirmed(verdict, claim))
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
    def _dead_ends(self) -> str:
        """A warning about reachable states without successor, if there are any."""
        if not self.states.stuck:
            return ""
        reached = closures.reachable(self.graph, self.run).reached
        return closures.without_successor(reached[self.states.stuck.mask[reached]])

    def _warn(self, claim: GraphClaim) -> None:
        if not self.states.initial:
            self._warn_once(NO_INITIAL_STATE)
        elif (claim.logic is Logic.LINEAR or is_temporal(claim.formula)) and self._dead_ends:
            self._warn_once(f"{self._dead_ends}; each is given a step to itself")

    def _warn_once(self, message: str) -> None:
        if message not in self.warnings:
            self.warnings.append(message)
            self.on_warning(message)

    # Verdicts

    def _branching(self, claim: GraphClaim) -> Verdict:
        violating = self.states.initial - self._ctl.satisfying(claim.formula)
        if not violating:
            return Holds(confirmation=UNASKED)
        trace = self._trace(self._ctl.refutation(int(np.argmax(violating.mask)), claim.formula))
        return Fails(trace, confirmation=UNASKED)

    def _linear(self, claim: GraphClaim) -> Verdict:
        walk = violating_walk(self.states, claim.formula, self.run)
        return Holds(confirmation=UNASKED) if walk is None else Fails(self._trace(walk), confirmation=UNASKED)

    def _trace(self, walk: Walk) -> Trace:
        names = (*self.graph.action_names, "")  # the last one for STAYS, which is -1
        steps = tuple(step_values(names[action]) for action in walk.actions)
        return Trace(tuple(state_values(self.graph, number) for number in walk.states), steps, walk.loop, events=True)

    def _confirmed(self, verdict: Verdict, claim: GraphClaim) -> Verdict:
        if self.confirm == "never" or isinstance(verdict, Unknown):
            return verdict
        linear, patient = claim.logic is Logic.LINEAR, self.confirm == "always"
        confirmation = confirm_on_graph(self.graph, claim.formula, verdict, linear=linear, patient=patient)
        return replace(verdict, confirmation=confirmation)
