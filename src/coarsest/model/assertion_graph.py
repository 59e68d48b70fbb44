"""Assertion graphs, which GSTE checks: along a path of the graph, where the antecedents hold, the consequents must hold.

Reference: Sebastiani, Singerman, Tonetta, Vardi 2004, definitions 1, 2 and 4.
Symbols:   V is `vertices`, V_I `initial`, E `edges`; 𝓕 is the result of `accepting`; ant and cons are expressions at vertices.

As in that paper, and unlike Yang and Seger's own, vertices have the antecedents and consequents, not edges, and there may be any
number of initial vertices; the first state of a trace is at an initial vertex.

A sequence of states σ satisfies the graph if, on every accepting path ρ of the same length: if σ[i] satisfies the antecedent
of ρ[i] for all i, then it satisfies the consequent of ρ[i] for all i. The accepting paths are

    finite semantics    the finite paths from an initial vertex to a final one;
    fair semantics      the infinite paths from an initial vertex that visit every fair set infinitely often.

One set may serve both, like F in the paper: where there are no final vertices, those of the only fair set are final, and
conversely. Without any set, every infinite path is fair, as if all vertices were the fair set.

Definition 1 demands a successor of every vertex. The fair semantics needs it; in the finite semantics a vertex may have none, as
if an edge led to a vertex whose antecedent never holds (`made_total` adds it).
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum

from msgspec.structs import replace

from coarsest.errors import ModelProblem, NameProblem
from coarsest.logic.expr import FALSE, TRUE, Apply, Expr
from coarsest.model.kinds import PropertyKind
from coarsest.model.machine import Property
from coarsest.text import Span
from coarsest.text.placed import Placed


class Semantics(StrEnum):
    """The kind of paths that are accepting."""

    FINITE = "finite"
    FAIR = "fair"


class Vertex(Placed, frozen=True):
    """A vertex with its antecedent and its consequent."""

    name: str
    antecedent: Expr = TRUE
    consequent: Expr = TRUE
    span: Span | None = None


class AssertionGraph(Placed, frozen=True):
    """Vertices by their numbers, counted from 0.

    >>> graph = AssertionGraph("g", (Vertex("a"), Vertex("b")), frozenset({(0, 0), (0, 1)}), frozenset({0}), frozenset({1}))
    >>> graph.successors, graph.dead_ends, graph.semantics.value
    ([[0, 1], []], [1], 'finite')
    """

    name: str
    vertices: tuple[Vertex, ...]
    edges: frozenset[tuple[int, int]]
    initial: frozenset[int]
    final: frozenset[int] = frozenset()
    fair: tuple[frozenset[int], ...] = ()
    span: Span | None = None

    def __post_init__(self) -> None:
        names: set[str] = set()
        for vertex in self.vertices:
            if vertex.name in names:
                raise NameProblem(f"there are two vertices `{vertex.name}`", vertex.span)
            names.add(vertex.name)
        ends = {end for edge in self.edges for end in edge}
        for number in ends.union(self.initial, self.final, *self.fair):
            if not 0 <= number < len(self.vertices):
                raise ModelProblem(f"there is no vertex {number}", self.span, hint=f"there are {len(self.vertices)}, from 0 on")

    @property
    def successors(self) -> list[list[int]]:
        """E(v) for each vertex, in order."""
        successors: list[list[int]] = [[] for _ in self.vertices]
        for source, target in sorted(self.edges):
            successors[source].append(target)
        return successors

    @property
    def predecessors(self) -> list[list[int]]:
        """E⁻(v) for each vertex, in order."""
        predecessors: list[list[int]] = [[] for _ in self.vertices]
        for source, target in sorted(self.edges):
            predecessors[target].append(source)
        return predecessors

    @property
    def dead_ends(self) -> list[int]:
        """The vertices without successors."""
        return [vertex for vertex, after in enumerate(self.successors) if not after]

    @property
    def conditions(self) -> list[Expr]:
        """All antecedents and consequents."""
        return [condition for vertex in self.vertices for condition in (vertex.antecedent, vertex.consequent)]

    @property
    def semantics(self) -> Semantics:
        """The semantics that the graph is written for: finite if it has final vertices, and otherwise fair."""
        if self.final and self.fair:
            hint = "choose the finite or the fair semantics"
            raise ModelProblem(f"the graph `{self.name}` has final vertices as well as fair sets", self.span, hint=hint)
        return Semantics.FINITE if self.final else Semantics.FAIR

    def accepting(self, semantics: Semantics) -> tuple[frozenset[int], ...]:
        """𝓕: the only set where a finite path may end, or the sets that a fair path visits infinitely often."""
        everything = frozenset(range(len(self.vertices)))
        if semantics is Semantics.FAIR:
            return self.fair or ((self.final,) if self.final else (everything,))
        if not self.final and len(self.fair) != 1:
            message = f"the graph `{self.name}` has no final vertices, which the finite semantics needs"
            raise ModelProblem(message, self.span, hint="mark a vertex FINAL, or choose the fair semantics")
        return (self.final or self.fair[0],)

    def names_of(self, vertices: Iterable[int]) -> list[str]:
        return [self.vertices[vertex].name for vertex in vertices]


class AssertionGraphClaim(Property, frozen=True, kw_only=True):
    """The claim that the machine satisfies a graph. `formula` mentions all conditions, so that the parts they need are kept."""

    graph: AssertionGraph
    semantics: Semantics

    @classmethod
    def of(cls, graph: AssertionGraph, semantics: Semantics) -> AssertionGraphClaim:
        count = len(graph.vertices)
        text = f"{count} vert{'ex' if count == 1 else 'ices'}, {semantics} semantics"
        mentioned = Apply("and", (TRUE, *(Apply("F", (condition,)) for condition in graph.conditions)))
        return cls(PropertyKind.ASSERTION_GRAPH, mentioned, graph.name, text, graph=graph, semantics=semantics)


def check_assertion_graph(graph: AssertionGraph, semantics: Semantics) -> None:
    """Raise ModelProblem unless the graph satisfies definition 1, as far as the semantics needs it."""
    if not graph.vertices:
        raise ModelProblem(f"the graph `{graph.name}` has no vertices", graph.span, hint="a vertex is written `VERTEX name`")
    if not graph.initial:
        first = graph.vertices[0]
        hint = f"mark a vertex, for example `VERTEX {first.name} INITIAL`"
        raise ModelProblem(f"the graph `{graph.name}` has no initial vertex", graph.span or first.span, hint=hint)
    graph.accepting(semantics)
    if semantics is Semantics.FAIR and graph.dead_ends:
        vertex = graph.vertices[graph.dead_ends[0]]
        hint = f"infinite paths need an edge out of every vertex: to stay there, write `EDGE {vertex.name} -> {vertex.name}`"
        raise ModelProblem(f"the vertex `{vertex.name}` has no successor, which the fair semantics needs", vertex.span, hint=hint)


def made_total(graph: AssertionGraph, *, sink: str = "nowhere") -> AssertionGraph:
    """The graph where vertices without successors have an edge to a new vertex, whose antecedent never holds.

    No sequence satisfies the antecedents of a path through that vertex, so neither semantics changes.
    """
    dead_ends = graph.dead_ends
    if not dead_ends:
        return graph
    taken = {vertex.name for vertex in graph.vertices}
    while sink in taken:
        sink += "_"
    number = len(graph.vertices)
    edges = graph.edges | {(vertex, number) for vertex in (*dead_ends, number)}
    return replace(graph, vertices=(*graph.vertices, Vertex(sink, FALSE)), edges=frozenset(edges))
