"""And-inverter graphs in a SAT solver: copies of the graph, one for each moment in time, as clauses.

Reference: Tseitin 1968; Eén, Mishchenko, Sörensson 2007, "Applying logic synthesis for speeding up SAT" (choices as one gate).
Symbols:   literals of the solver are whole numbers, as in DIMACS; 1 is true.
Invariant: in every assignment that satisfies the clauses, the literal of a node has the value of the node.
Deviates:  nodes become clauses when a literal is first asked for; a gate with a constant operand is not made, and a
           conjunction that only one other conjunction reads is part of that one.
Cost:      one clause more than a conjunction has operands, four for a choice, per copy.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, Self

from coarsest import tuning
from coarsest.encode.aig import Aig, AigEdge
from coarsest.errors import LimitExceeded
from coarsest.run import Run

TRUE: Final = 1
"""The literal that is always true."""


class Gates:
    """Clauses for copies of one graph."""

    def __init__(self, aig: Aig) -> None:
        self.aig = aig
        self.new: list[list[int]] = [[TRUE]]
        """What no solver has been given yet."""
        self.literals = 1
        self._choices: dict[int, tuple[int, int, int] | None] = {}
        self._uses: list[int] = []
        """How many gates read each node."""

    def fresh(self) -> int:
        """A literal that may have any value."""
        self.literals += 1
        return self.literals

    def add_clause(self, *clause: int) -> None:
        """At least one of the literals is true."""
        if TRUE not in clause:
            self.new.append([literal for literal in clause if literal != -TRUE])

    def frame(self, leaves: Mapping[int, int] | None = None) -> CircuitCopy:
        """A copy of the graph; `leaves` are literals for some of the nodes of variables, the others are free."""
        return CircuitCopy(self, {0: -TRUE, **(leaves or {})})

    def choice(self, node: int) -> tuple[int, int, int] | None:
        """Condition, then and otherwise (edges) of a node that is the negation of a choice; None for other nodes."""
        if node not in self._choices:
            self._choices[node] = self._as_choice(node)
        return self._choices[node]

    def _as_choice(self, node: int) -> tuple[int, int, int] | None:
        below = self.aig.operands[node]
        if below is None or not (below[0] & 1 and below[1] & 1):
            return None
        first, second = (self.aig.operands[edge >> 1] for edge in below)
        if first is None or second is None:
            return None
        for condition in first:
            if condition ^ 1 in second:
                then = first[1] if first[0] == condition else first[0]
                otherwise = second[1] if second[0] == condition ^ 1 else second[0]
                return condition, then, otherwise
        return None

    def conjuncts(self, node: int) -> list[int]:
        """The edges that a node is the conjunction of, through conjunctions that nothing else reads."""
        operands = self.aig.operands
        if len(self._uses) < len(operands):
            self._count_uses()
        edges, waiting = list[int](), list(operands[node] or ())
        while waiting:
            edge = waiting.pop()
            below = operands[edge >> 1]
            if below is None or edge & 1 or self._uses[edge >> 1] > 1 or self.choice(edge >> 1) is not None:
                edges.append(edge)
            else:
                waiting += below
        return edges

    def _count_uses(self) -> None:
        operands, first = self.aig.operands, len(self._uses)
        self._uses += [0] * (len(operands) - first)
        for below in operands[first:]:
            for edge in below or ():
                self._uses[edge >> 1] += 1


class CircuitSolver(Gates):
    """A solver that holds copies of one graph; give its memory back with `close`, or use it as a context."""

    def __init__(self, aig: Aig, run: Run, *, most_clauses: int | None = None, most_conflicts: int | None = None) -> None:
        from pysat.solvers import Glucose4

        super().__init__(aig)
        self.run = run
        self.most_clauses = most_clauses
        self.most_conflicts = most_conflicts
        """A question that takes more conflicts raises LimitExceeded."""
        self.clauses = 0
        self._solver = Glucose4(incr=False)
        self._model: list[int] = []
        self._propagations = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self._solver.delete()

    def solve(self, assumptions: Sequence[int] = ()) -> bool:
        """Is there an assignment with which these literals are true? It can then be asked for with `value`."""
        if -TRUE in assumptions:
            return False
        self.clauses += len(self.new)
        if self.most_clauses is not None and self.clauses > self.most_clauses:
            raise LimitExceeded("solver", f"it takes more than {self.most_clauses} clauses")
        self._solver.append_formula(self.new)
        self.new = []
        conflicts, portion = 0, tuning.SAT_CONFLICTS_AT_FIRST
        while True:
            self.run.step("solve", clauses=self.clauses, conflicts=conflicts)
            self._solver.conf_budget(portion)
            # Otherwise the solver takes Ctrl-C for itself.
            satisfiable = self._solver.solve_limited(assumptions=list(assumptions), expect_interrupt=True)
            self._propagations = self.run.spend_propagations(self._solver, self._propagations)
            if satisfiable is not None:
                break
            conflicts, portion = conflicts + portion, 2 * portion
            if self.most_conflicts is not None and conflicts >= self.most_conflicts:
                raise LimitExceeded("solver", f"it takes more than {self.most_conflicts} conflicts of the SAT solver")
        self._model = self._solver.get_model() or [] if satisfiable else []
        return bool(satisfiable)

    def value(self, literal: int) -> bool:
        """The value of a literal in the last assignment; what no clause mentions may have any."""
        place = abs(literal) - 1
        return (self._model[place] > 0 if place < len(self._model) else False) == (literal > 0)


class CircuitCopy:
    """One copy of the graph in the solver."""

    def __init__(self, circuit: Gates, literals: dict[int, int]) -> None:
        self.circuit = circuit
        self._literals = literals

    def literal(self, edge: int) -> int:
        """The literal of an edge."""
        node = edge >> 1
        if node not in self._literals:
            self._add(node)
        return -self._literals[node] if edge & 1 else self._literals[node]

    def bind(self, node: int, literal: int) -> int:
        """Let the literal stand for a variable that was not asked for yet, or else say that it equals it."""
        if node not in self._literals:
            self._literals[node] = literal
        elif self._literals[node] != literal:
            self.circuit.add_clause(-literal, self._literals[node])
            self.circuit.add_clause(literal, -self._literals[node])
        return self._literals[node]

    def _add(self, root: int) -> None:
        literals, circuit = self._literals, self.circuit
        operands = circuit.aig.operands
        waiting = [root]
        while waiting:
            node = waiting[-1]
            if node in literals:
                waiting.pop()
                continue
            below = operands[node]
            if below is None:
                literals[node] = circuit.fresh()
                continue
            choice = circuit.choice(node)
            parts = choice or circuit.conjuncts(node)
            missing = [edge >> 1 for edge in parts if edge >> 1 not in literals]
            if missing:
                waiting += missing
            elif choice is not None:
                literals[node] = -self._choice(*(self._known(edge) for edge in choice))
            else:
                literals[node] = self._all({self._known(edge) for edge in parts})

    def _known(self, edge: int) -> int:
        return -self._literals[edge >> 1] if edge & 1 else self._literals[edge >> 1]

    def _both(self, a: int, b: int) -> int:
        return self._all({a, b})

    def _all(self, literals: set[int]) -> int:
        """The literal that is true where all of these are."""
        literals.discard(TRUE)
        if any(-literal in literals or literal == -TRUE for literal in literals):
            return -TRUE
        if len(literals) < 2:
            return next(iter(literals), TRUE)
        gate, in_order = self.circuit.fresh(), sorted(literals)
        new = self.circuit.new
        new += [[-gate, literal] for literal in in_order]
        new.append([gate, *(-literal for literal in in_order)])
        return gate

    def _choice(self, condition: int, then: int, otherwise: int) -> int:
        if abs(condition) == TRUE:
            return then if condition == TRUE else otherwise
        if then == otherwise:
            return then
        if abs(then) == TRUE:
            return -self._both(-condition, -otherwise) if then == TRUE else self._both(-condition, otherwise)
        if abs(otherwise) == TRUE:
            return -self._both(condition, -then) if otherwise == TRUE else self._both(condition, then)
        circuit = self.circuit
        gate = circuit.fresh()
        circuit.add_clause(-condition, -then, gate)
        circuit.add_clause(-condition, then, -gate)
        circuit.add_clause(condition, -otherwise, gate)
        circuit.add_clause(condition, otherwise, -gate)
        return gate


class SatAig(Aig):
    """A graph that can be asked for an example: what an encoder needs, for its complaints about a model."""

    def pick(self, f: AigEdge) -> dict[int, bool] | None:
        """Values with which f is true."""
        if f in (self.true, self.false):
            return {} if f == self.true else None
        with CircuitSolver(self, Run()) as circuit:
            frame = circuit.frame()
            if not circuit.solve([frame.literal(f.code)]):
                return None
            return {number: circuit.value(frame.literal(2 * self.nodes[number])) for number in self.support(f)}
