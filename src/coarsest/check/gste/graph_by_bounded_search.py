"""A violation of an assertion graph of bounded length, by satisfiability: what an abstract search suspects, made concrete.

Reference: Biere, Cimatti, Clarke, Zhu 1999 (bounded model checking); the semantics is Sebastiani et al. 2004, definition 4.
Symbols:   `at[t][v]` says that the path is at vertex v after t steps.
Invariant: an assignment that satisfies the clauses up to step t is a trace of t steps beside a path of the graph, along the
           antecedents.
Deviates:  in the fair semantics the loop closes at some earlier step; fairness of the machine counts.
Cost:      the clauses of one step, and of all conditions of the graph, for each step; one question for each length.
"""

from __future__ import annotations

from collections.abc import Mapping

from coarsest.encode.layout import value_of
from coarsest.evidence.effort import Effort
from coarsest.evidence.graph_answer import GraphPath
from coarsest.evidence.sat.clauses import Clauses
from coarsest.evidence.sat.cnf_machine import MachineClauses
from coarsest.logic.expr import Value
from coarsest.model.assertion_graph import AssertionGraph, Semantics
from coarsest.model.machine import Machine, Variable
from coarsest.model.trace import Trace
from coarsest.run import Run

EFFORT = Effort(clauses=5_000_000, conflicts=200_000)


class BoundedSearch:
    """The paths of a machine beside a graph, one step longer at a time."""

    def __init__(self, machine: Machine, graph: AssertionGraph, semantics: Semantics, run: Run) -> None:
        self.machine = machine
        self.graph = graph
        self.semantics = semantics
        self.run = run
        self.clauses = Clauses(run, EFFORT)
        self.steps: list[MachineClauses] = []
        self.at: list[list[int]] = []
        self.violated: list[int] = []
        """At each step, whether the consequent is violated there."""

    def shortest(self, *, first: int, last: int) -> GraphPath | None:
        """A violating path with a number of steps between two bounds; raises NotConfirmed where the effort does not suffice."""
        try:
            for length in range(last + 1):
                self._add_step()
                if length >= first:
                    self.run.step("bounded search", steps=length)
                    found = self._finite(length) if self.semantics is Semantics.FINITE else self._lasso(length)
                    if found is not None:
                        return found
            return None
        finally:
            self.clauses.close()

    def _add_step(self) -> None:
        clauses, vertices = self.clauses, self.graph.vertices
        step = MachineClauses(clauses, self.machine, behind=self.steps[-1] if self.steps else None)
        places = clauses.vector(len(vertices))
        if self.steps:
            clauses.insist(self.steps[-1].step)
            for vertex, after in enumerate(self.graph.successors):
                clauses.insist(-self.at[-1][vertex], *(places[target] for target in after))
        else:
            clauses.insist(step.initial)
            clauses.insist(*(places[vertex] for vertex in sorted(self.graph.initial)))
        clauses.insist(clauses.every(step.domain(variable) for variable in self.machine.input_variables))
        for one in range(len(places)):
            clauses.insist(-places[one], step.condition(vertices[one].antecedent))
            for other in range(one):
                clauses.insist(-places[one], -places[other])
        bad = [clauses.both(place, -step.condition(vertex.consequent)) for place, vertex in zip(places, vertices)]
        self.steps.append(step)
        self.at.append(list(places))
        self.violated.append(clauses.some(bad))

    # The two semantics

    def _finite(self, length: int) -> GraphPath | None:
        final = [self.at[length][vertex] for vertex in self.graph.accepting(self.semantics)[0]]
        model = self.clauses.example(self.clauses.some(final), self.clauses.some(self.violated))
        return None if model is None else self._path(set(model), length, None)

    def _lasso(self, length: int) -> GraphPath | None:
        """A loop from the last step back to one of them."""
        clauses = self.clauses
        closing = self.steps[length].step
        sets = self.graph.accepting(self.semantics)
        for back in range(length + 1):
            inside = range(back, length + 1)
            first = self.steps[back].now
            same = [clauses.same(a, b) for name, v in self.steps[length].after.items() for a, b in zip(v, first[name])]
            edges = [clauses.both(self.at[length][v], self.at[back][w]) for v, w in sorted(self.graph.edges)]
            fair = [clauses.some(self.at[t][v] for t in inside for v in members) for members in sets]
            fair += [clauses.some(self.steps[t].condition(p) for t in inside) for p in self.machine.justice]
            for p, q in self.machine.compassion:
                never = clauses.every(-self.steps[t].condition(p) for t in inside)
                fair.append(clauses.either(never, clauses.some(self.steps[t].condition(q) for t in inside)))
            violated = clauses.some(self.violated)
            model = clauses.example(closing, clauses.every(same), clauses.some(edges), clauses.every(fair), violated)
            if model is not None:
                return self._path(set(model), length, back)
        return None

    # Reading the answer

    def _path(self, true: set[int], length: int, loop: int | None) -> GraphPath:
        machine = self.machine
        states = tuple(self._values(step, machine.state_variables, true) for step in self.steps[: length + 1])
        inputs = [self._values(step, machine.input_variables, true) for step in self.steps[: length + 1]]
        vertices = tuple(next(v for v, place in enumerate(places) if place in true) for places in self.at[: length + 1])
        taken = tuple(inputs if loop is not None else inputs[:-1]) if machine.input_variables else ()
        last = inputs[-1] if loop is None else {}
        return GraphPath(self.semantics, Trace(states, taken, loop), vertices, (), last)

    def _values(self, step: MachineClauses, variables: list[Variable], true: set[int]) -> Mapping[str, Value]:
        found = {}
        for variable in variables:
            code = sum(1 << place for place, bit in enumerate(step.now[variable.name]) if bit in true)
            found[variable.name] = value_of(variable.type, code)
        return found
