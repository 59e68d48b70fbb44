"""Properties that are assertion graphs: on every path along the antecedents, the consequents hold."""

from __future__ import annotations

from coarsest.logic.expr import TRUE, Apply
from coarsest.model.assertion_graph import AssertionGraph, Semantics
from coarsest.model.kinds import PropertyKind
from coarsest.model.machine import Property


class AssertionGraphClaim(Property, frozen=True, kw_only=True):
    """The machine satisfies a graph. `formula` says only what matters of the machine: each condition, some time."""

    graph: AssertionGraph
    semantics: Semantics

    @classmethod
    def of(cls, graph: AssertionGraph, semantics: Semantics) -> AssertionGraphClaim:
        count = len(graph.vertices)
        text = f"{count} vert{'ex' if count == 1 else 'ices'}, {semantics} semantics"
        mentioned = Apply("and", (TRUE, *(Apply("F", (condition,)) for condition in graph.conditions)))
        return cls(PropertyKind.ASSERTION_GRAPH, mentioned, graph.name, text, graph=graph, semantics=semantics)
