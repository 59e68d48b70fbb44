"""A violation of an assertion graph of bounded length, by satisfiability: what an abstract search suspects, made concrete.

Reference: Biere, Cimatti, Clarke, Zhu 1999 (bounded model checking); the semantics is Sebastiani et al. 2004, definition 4.
Symbols:   `at[t][v]` says that the path is at vertex v after t steps.
Invariant: an assignment that satisfies the clauses up to step t is a trace of t steps beside a path of the graph, along the
           antecedents.
Deviates:  in the fair semantics the loop closes at some earlier step; fairness of the machine counts.
Cost:      the clauses of one step, and of all conditions of the graph, for each step; one question for each length.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from coarsest.encode.unrolling import Network, Unrolling
from coarsest.evidence.assertion_graph_answer import AssertionGraphPath
from coarsest.logic.expr import Expr
from coarsest.model.assertion_graph import AssertionGraph, Semantics
from coarsest.model.machine import Machine
from coarsest.model.trace import Trace
from coarsest.run import Run

MOST_CLAUSES: Final = 5_000_000
MOST_CONFLICTS: Final = 200_000
"""Beyond these numbers, a search, or one of its questions, is given up with `unknown`."""


class AssertionGraphSearch:
    """The paths of a machine beside a graph, one step longer at a time."""

    def __init__(self, machine: Machine, graph: AssertionGraph, semantics: Semantics, run: Run) -> None:
        self.machine, self.graph, self.semantics, self.run = machine, graph, semantics, run
        self.network = Network(machine, run)
        self.paths = Unrolling(self.network, run, initial=True, most_clauses=MOST_CLAUSES, most_conflicts=MOST_CONFLICTS)
        self.at: list[list[int]] = []
        self.violated: list[int] = []
        """At each step, a literal that implies that the consequent is violated there."""

    def shortest(self, *, first: int, last: int) -> AssertionGraphPath | None:
        """A violating path with a number of steps between two bounds; raises LimitExceeded where the effort does not suffice."""
        finite = self.semantics is Semantics.FINITE
        try:
            for length in range(last + 1):
                if length and finite:
                    self.paths.extend()
                self._add_vertices(length)
                if not finite:
                    self.paths.extend()  # the step that closes a loop
                if length >= first:
                    self.run.step("bounded search", steps=length)
                    path = self._finite(length) if finite else self._lasso(length)
                    if path is not None:
                        return path
            return None
        finally:
            self.paths.close()

    def _holds(self, condition: Expr, step: int) -> int:
        return self.paths.literal(self.network.edge(condition), step)

    def _add_vertices(self, step: int) -> None:
        paths, graph, encoder = self.paths, self.graph, self.network.encoder
        here = [paths.fresh() for _ in graph.vertices]
        if step:
            for left, after in enumerate(graph.successors):
                paths.add_clause(-self.at[-1][left], *(here[target] for target in after))
        paths.add_clause(*(here[entered] for entered in (range(len(here)) if step else sorted(graph.initial))))
        for variable in self.machine.input_variables:
            paths.add_clause(paths.literal(encoder.domain(variable).code, step))
        for index, vertex in enumerate(graph.vertices):
            paths.add_clause(-here[index], self._holds(vertex.antecedent, step))
            for other in range(index):
                paths.add_clause(-here[index], -here[other])
        pairs = zip(here, graph.vertices)
        self.violated.append(self._some(self._every([is_at, -self._holds(v.consequent, step)]) for is_at, v in pairs))
        self.at.append(here)

    # Literals that imply all, or one, of others

    def _every(self, literals: Iterable[int]) -> int:
        gate = self.paths.fresh()
        for literal in literals:
            self.paths.add_clause(-gate, literal)
        return gate

    def _some(self, literals: Iterable[int]) -> int:
        gate = self.paths.fresh()
        self.paths.add_clause(-gate, *literals)
        return gate

    # The two semantics

    def _finite(self, length: int) -> AssertionGraphPath | None:
        final = self._some(self.at[length][vertex] for vertex in self.graph.accepting(self.semantics)[0])
        return self._path(length, None) if self.paths.solve(final, self._some(self.violated)) else None

    def _lasso(self, length: int) -> AssertionGraphPath | None:
        """A loop from the last step back to one of them."""
        violated = self._some(self.violated)
        for back in range(length + 1):
            edges = [self._every([self.at[length][v], self.at[back][w]]) for v, w in sorted(self.graph.edges)]
            fair = self._fair(range(back, length + 1))
            if self.paths.solve(violated, self._some(edges), self.paths.same(back, length + 1), *fair):
                return self._path(length, back)
        return None

    def _fair(self, inside: range) -> list[int]:
        """What a loop must visit: every fair set of the graph, and the fairness of the machine."""
        fair = [self._some(self.at[t][v] for t in inside for v in members) for members in self.graph.accepting(self.semantics)]
        fair += [self._some(self._holds(p, t) for t in inside) for p in self.machine.justice]
        for p, q in self.machine.compassion:
            never = self._every(-self._holds(p, t) for t in inside)
            fair.append(self._some([never, *(self._holds(q, t) for t in inside)]))
        return fair

    def _path(self, length: int, loop: int | None) -> AssertionGraphPath:
        value, states_and_inputs = self.paths.value, self.paths.moments()[: length + 1]
        vertices = tuple(next(v for v, is_at in enumerate(at) if value(is_at)) for at in self.at[: length + 1])
        inputs = tuple(taken for _, taken in states_and_inputs)
        taken = (inputs if loop is not None else inputs[:-1]) if self.machine.input_variables else ()
        trace = Trace(tuple(state for state, _ in states_and_inputs), taken, loop)
        return AssertionGraphPath(self.semantics, trace, vertices, (), inputs[-1] if loop is None else {})
