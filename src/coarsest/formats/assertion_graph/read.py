"""Assertion graphs from text (`.ag`).

    -- what follows `--` is a comment
    GRAPH handshake
    VERTEX start INITIAL  ANT req & !ack  CONS TRUE
    VERTEX wait           ANT !ack        CONS busy
    VERTEX done FINAL     ANT ack         CONS data = 3
    EDGE start -> wait -> {wait, done}
    FAIR {wait, done}

A file holds one graph or several, each from its GRAPH to the next. ANT and CONS are conditions in the language of SMV, TRUE by
default. An EDGE may be a chain, and braces stand for several vertices; names may be used before their VERTEX. Every FAIR is one
fair set.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Any, NoReturn

from msgspec import Struct, field

from coarsest.errors import ModelProblem, NameProblem, SyntaxProblem
from coarsest.logic.expr import TRUE, Expr
from coarsest.logic.parse import Parser
from coarsest.logic.tokens import END, is_name, tokenise
from coarsest.model.assertion_graph import AssertionGraph, Vertex
from coarsest.model.machine import Machine
from coarsest.model.query.conditions import Conditions, refuse_operators_of_paths
from coarsest.text import Source, Span
from coarsest.text.near import nearest

STATEMENTS = ("GRAPH", "VERTEX", "EDGE", "FAIR")
OF_A_VERTEX = ("INITIAL", "FINAL", "ANT", "CONS")
RESERVED = frozenset((*STATEMENTS, *OF_A_VERTEX))

Mention = tuple[str, Span]
"""The name of a vertex, and where it stands."""


def read(source: Source, machine: Machine | None = None) -> tuple[AssertionGraph, ...]:
    """The graphs of a text, in their order; with a machine, their conditions are resolved and checked against it.

    >>> (graph,) = read(Source("g.ag", "GRAPH g VERTEX a INITIAL CONS !x VERTEX b FINAL EDGE a -> {a, b}"))
    >>> graph.name, graph.names_of(graph.final), sorted(graph.edges)
    ('g', ['b'], [(0, 0), (0, 1)])
    """
    reader = _Reader(source, Conditions(machine) if machine is not None else None)
    graphs = []
    names: set[str] = set()
    if reader.texts[reader.at] != "GRAPH":
        reader.fail("`GRAPH`", "an assertion graph begins with `GRAPH name`")
    while reader.texts[reader.at] != END:
        graph = reader.assertion_graph()
        if graph.name in names:
            raise NameProblem(f"there are two graphs `{graph.name}`", graph.span)
        names.add(graph.name)
        graphs.append(graph)
    return tuple(graphs)


class _Draft(Struct):
    """The part of a graph that has been read. Names are looked up at its end."""

    vertices: dict[str, Vertex] = field(default_factory=dict)
    initial: list[str] = field(default_factory=list)
    final: list[str] = field(default_factory=list)
    edges: list[tuple[Mention, Mention]] = field(default_factory=list)
    fair: list[list[Mention]] = field(default_factory=list)

    def finished(self, name: str, span: Span) -> AssertionGraph:
        index = {vertex: k for k, vertex in enumerate(self.vertices)}

        def find(mention: Mention) -> int:
            vertex, where = mention
            if vertex not in index:
                hint = _suggest(vertex, index) or f"the vertices are {', '.join(index)}"
                raise NameProblem(f"there is no vertex `{vertex}`", where, hint=hint)
            return index[vertex]

        return AssertionGraph(
            name,
            tuple(self.vertices.values()),
            frozenset((find(source), find(target)) for source, target in self.edges),
            frozenset(index[vertex] for vertex in self.initial),
            frozenset(index[vertex] for vertex in self.final),
            tuple(frozenset(map(find, members)) for members in self.fair),
            span,
        )


class _Reader(Parser):
    """A parser of expressions that knows the statements around them."""

    def __init__(self, source: Source, conditions: Conditions | None) -> None:
        super().__init__(tokenise(source))
        refuse: Callable[[Any, int], Expr] = _Reader._reserved
        self.handlers = {**self.handlers, **dict.fromkeys(RESERVED, refuse)}
        self._conditions = conditions

    def assertion_graph(self) -> AssertionGraph:
        """From GRAPH to the next one or the end."""
        self.at += 1
        name = self._name("the name of the graph after `GRAPH`")
        span = self.span_from(self.at - 1)
        draft = _Draft()
        while self.texts[self.at] not in ("GRAPH", END):
            self._statement(draft)
        graph = draft.finished(name, span)
        if not graph.vertices:
            raise ModelProblem(f"the graph `{name}` has no vertices", span, hint="a vertex is written `VERTEX name`")
        if not graph.initial:
            hint = f"mark a vertex, for example `VERTEX {graph.vertices[0].name} INITIAL`"
            raise ModelProblem(f"the graph `{name}` has no initial vertex", span, hint=hint)
        return graph

    def _statement(self, draft: _Draft) -> None:
        if self.take("VERTEX"):
            self._vertex(draft)
        elif self.take("EDGE"):
            self._edges(draft)
        elif self.take("FAIR"):
            if self.texts[self.at] != "{":
                self.fail("`{` after `FAIR`", "a fair set is written `FAIR {a, b}`")
            draft.fair.append(self._vertices("a vertex"))
        else:
            self._unknown(STATEMENTS)

    # -- vertices ----------------------------------------------------------------------------------------------------------

    def _vertex(self, draft: _Draft) -> None:
        name = self._name("the name of the vertex after `VERTEX`")
        span = self.span_from(self.at - 1)
        if name in draft.vertices:
            first = draft.vertices[name].span
            line = first.line_number if first is not None else 0
            raise NameProblem(f"there are two vertices `{name}`", span, hint=f"the first is in line {line}")
        conditions: dict[str, Expr] = {}
        while self.texts[self.at] in OF_A_VERTEX:
            word = self.texts[self.at]
            if word in conditions:
                hint = "join the conditions with `&`" if word in ("ANT", "CONS") else "once is enough"
                raise SyntaxProblem(f"a second {word} of the vertex `{name}`", self.tokens.span(self.at), hint=hint)
            self.at += 1
            conditions[word] = TRUE if word in ("INITIAL", "FINAL") else self._condition(word)
        if self.texts[self.at] not in (*STATEMENTS, END):
            self._unknown((*OF_A_VERTEX, *STATEMENTS))
        draft.vertices[name] = Vertex(name, conditions.get("ANT", TRUE), conditions.get("CONS", TRUE), span)
        if "INITIAL" in conditions:
            draft.initial.append(name)
        if "FINAL" in conditions:
            draft.final.append(name)

    def _condition(self, word: str) -> Expr:
        condition = self.whole_expression()
        what = "an antecedent" if word == "ANT" else "a consequent"
        if self._conditions is not None:
            return self._conditions.resolve(condition, what)
        refuse_operators_of_paths(condition, what)
        return condition

    def _reserved(self, _least: int) -> NoReturn:
        self.fail("an expression", f"`{self.texts[self.at]}` is a keyword of assertion graphs, and cannot name a variable here")

    # -- edges and sets ----------------------------------------------------------------------------------------------------

    def _edges(self, draft: _Draft) -> None:
        while True:
            sources = self._vertices("a vertex after `EDGE`")
            self.expect("->", after="the vertex that the edge leaves", hint="an edge is written `EDGE a -> b`")
            while True:
                targets = self._vertices("a vertex after `->`")
                draft.edges += [(source, target) for source in sources for target in targets]
                sources = targets
                if not self.take("->"):
                    break
            if not self.take(","):
                break
        if self.texts[self.at] not in (*STATEMENTS, END):
            if is_name(self.texts[self.at]):
                self.fail("`,` or `->` or a statement", "edges of one EDGE have commas between them")
            self._unknown(("->", ",", *STATEMENTS))

    def _vertices(self, expected: str) -> list[Mention]:
        """One vertex, or several in braces."""
        first = self.at
        if not self.take("{"):
            return [self._mention(expected)]
        if self.take("}"):
            raise ModelProblem("braces without a vertex", self.span_from(first), hint="name at least one vertex, as in `{a, b}`")
        members = [self._mention("a vertex")]
        while self.take(","):
            members.append(self._mention("a vertex after `,`"))
        self.expect("}", hint="several vertices are written `{a, b}`")
        return members

    def _mention(self, expected: str) -> Mention:
        name = self._name(expected)
        return name, self.span_from(self.at - 1)

    def _name(self, expected: str) -> str:
        if self.texts[self.at] in RESERVED:
            self.fail(expected, f"`{self.texts[self.at]}` is a keyword of assertion graphs")
        return self.name(expected)

    def _unknown(self, expected: Collection[str]) -> NoReturn:
        """Report a token in a position where one of these words should be."""
        token = self.texts[self.at]
        hint = "leave `;` out: a statement ends where the next begins" if token == ";" else _suggest(token, expected)
        *most, last = [f"`{word}`" for word in expected]
        named = f"{', '.join(most)} or {last}"
        if is_name(token):  # most likely a misspelt word, rather than a word before which another is missing
            raise SyntaxProblem(f"found `{token}`, expected {named}", self.tokens.span(self.at), hint=hint)
        self.fail(named, hint)


def _suggest(word: str, words: Collection[str]) -> str:
    close = nearest(word, words) or nearest(word.upper(), words)
    return f"did you mean `{close[0]}`?" if close else ""
