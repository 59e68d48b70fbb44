"""Answers about assertion graphs: the verdict, and the path through graph and model where one fails."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct, field

from coarsest.evidence.verdict import Answer, Verdict
from coarsest.logic.expr import Value
from coarsest.model.assertion_graph import AssertionGraph, AssertionGraphClaim, Semantics
from coarsest.model.trace import Trace


class AssertionGraphPath(Struct, frozen=True):
    """A trace, the vertex of the graph at each of its states, and the positions at which a consequent is violated.

    Inputs belong to the step that leaves a state; `last_inputs` are the inputs at the end of a finite path, where no step
    follows. In the fair semantics the trace is a lasso, and the vertices repeat with its states.
    """

    semantics: Semantics
    trace: Trace
    vertices: tuple[int, ...]
    violations: tuple[int, ...]
    last_inputs: Mapping[str, Value] = field(default_factory=dict)

    def inputs_at(self, position: int) -> Mapping[str, Value]:
        """The inputs at a state."""
        return self.trace.inputs[position] if position < len(self.trace.inputs) else self.last_inputs


class AssertionGraphAnswer(Answer, frozen=True, kw_only=True):
    """The verdict on an assertion graph; if it fails, with the path through graph and model."""

    graph: AssertionGraph
    semantics: Semantics
    path: AssertionGraphPath | None = None

    @classmethod
    def bare(cls, claim: AssertionGraphClaim, verdict: Verdict) -> AssertionGraphAnswer:
        """A verdict without evidence."""
        return cls(claim.name, str(claim.kind), claim.text, verdict, graph=claim.graph, semantics=claim.semantics)
