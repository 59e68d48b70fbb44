"""One step of a machine as clauses for any number of solvers, which are asked what one step from a set of states can reach.

Reference: Eén, Mishchenko, Brayton 2011, "Efficient implementation of property directed reachability", sections IV and V; Eén,
           Biere 2005, "Effective preprocessing in SAT through variable and clause elimination".
Symbols:   a cube is a set of whole numbers: i + 1 says that bit i of the state is 1, -(i + 1) that it is 0.
Invariant: the clauses of a solver hold of every state in its set; steps are asked for by the literal `moves`.
Deviates:  a step is any relation: where next values are free, or restricted, what was chosen is fixed like inputs when a
           predecessor is made larger. Bits that others define are no bits of cubes.
Cost:      the clauses of one step in each solver; a question is a call of the solver.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Final, TypeAlias

from coarsest import tuning
from coarsest.encode.cnf import TRUE, Gates
from coarsest.encode.unrolling import Network
from coarsest.logic.expr import Expr
from coarsest.model.machine import Kind
from coarsest.run import Run

Cube: TypeAlias = "frozenset[int]"

QUESTIONS_OF_A_STEP: Final = 8
"""Progress is reported once per this many questions: most take less time than the report."""


class StepClauses:
    """The clauses of one step, and the literals of bits before and after it."""

    def __init__(self, network: Network, good: Expr) -> None:
        self.gates = gates = Gates(network.aig)
        frame = gates.frame()
        self.condition = network.edge(good)
        for conditions in (network.legal, network.step):
            for bit, value in conditions.definitions.items():
                frame.bind(bit, frame.literal(value))
        nodes, layout, machine = network.aig.nodes, network.layout, network.machine
        places = layout.now(machine.of_kind(Kind.STATE, Kind.FROZEN))
        self.nodes = [nodes[place] for place in places if nodes[place] not in network.legal.definitions]
        after = {nodes[now]: nodes[then] for now, then in layout.after_of_now.items()}
        self.now = [frame.literal(2 * node) for node in self.nodes]
        self.after = [frame.literal(2 * after.get(node, node)) for node in self.nodes]
        free = [then for then in after.values() if then not in network.step.definitions]
        self.inputs = [nodes[place] for place in layout.now(machine.of_kind(Kind.INPUT))]
        self.choices = [frame.literal(2 * node) for node in (*self.inputs, *free)]
        """What a state leaves open about the step from it, the inputs first."""
        self.good = frame.literal(self.condition)
        self.legal = [[frame.literal(edge)] for edge in network.legal.others]
        self.allowed = [frame.literal(edge) for edge in network.step.others]
        """What a step must satisfy, beside the definitions of bits."""
        self.initial = [clause for bit, value in network.initial.definitions.items()
                        for clause in _equal(frame.literal(2 * bit), frame.literal(value))]  # fmt: skip
        self.initial += [[frame.literal(edge)] for edge in network.initial.others]
        self.moves = gates.fresh()
        self.steps = [[-self.moves, literal] for literal in self.allowed]
        used = [*self.now, *self.after, *self.choices, *self.allowed, self.good, self.moves]
        others = [literal for clause in (*self.legal, *self.initial) for literal in clause]
        self._defined = without_gates(gates.new, {abs(literal) for literal in (*used, *others)})

    def solver(self, run: Run, *, initial: bool = False) -> StepSolver:
        """The states, or the initial ones, and the steps from them."""
        clauses = [*self._defined, *self.legal, *self.steps, *(self.initial if initial else ())]
        return StepSolver(clauses, self.gates.literals, run)

    def definitions(self, run: Run) -> StepSolver:
        """What bits are defined to be, and nothing else: once all that is open is chosen, every literal has a value."""
        return StepSolver(self._defined, self.gates.literals, run)

    def literals_now(self, cube: Iterable[int]) -> list[int]:
        now = self.now
        return [now[bit - 1] if bit > 0 else -now[-bit - 1] for bit in cube]

    def literals_after(self, cube: Iterable[int]) -> list[int]:
        after = self.after
        return [after[bit - 1] if bit > 0 else -after[-bit - 1] for bit in cube]


def without_gates(clauses: Sequence[Sequence[int]], variables: Collection[int]) -> list[list[int]]:
    """Clauses that say the same of some variables, without most of the others: about half the gates of a circuit go, and with
    them a quarter of the time of a question.

    >>> without_gates([[1], [-3, 2], [3, -2], [-4, 3], [4, -3]], {1, 2, 4})
    [[1], [-2, 4], [-4, 2]]
    """
    from pysat.solvers import Cadical153

    with Cadical153(bootstrap_with=clauses) as solver:
        _, left = solver.process(
            rounds=1, block=False, cover=False, condition=False, decompose=False, elim=True, probe=False, probehbr=False,
            subsume=True, vivify=False, freeze=sorted({TRUE, *variables}),
        )  # fmt: skip
    return list(left)


def _equal(a: int, b: int) -> Iterator[list[int]]:
    yield [-a, b]
    yield [a, -b]


class StepSolver:
    """A solver; clauses can be added for good, or for one question."""

    def __init__(self, clauses: Sequence[Sequence[int]], literals: int, run: Run) -> None:
        from pysat.solvers import Minisat22

        self.run = run
        self._solver = Minisat22(bootstrap_with=clauses)
        self._literals = literals
        self._switches = 0
        """How many clauses were needed for one question only."""
        self._switch = 0
        """Of the last question, if it had a clause of its own."""
        self._questions = self._propagations = 0

    @property
    def is_worn(self) -> bool:
        """Is it time to build a new solver, without the clauses that are not needed any more?"""
        return self._switches > tuning.SAT_CLAUSES_OF_PAST_QUESTIONS

    def close(self) -> None:
        self._solver.delete()

    def add_clause(self, clause: Collection[int]) -> None:
        self._solver.add_clause(list(clause))

    def solve(self, assumptions: Sequence[int], clause: Sequence[int] = ()) -> bool:
        """Can the assumptions be true, beside a clause for this question alone?"""
        if self._switch:
            self._solver.add_clause([-self._switch])  # not before: few ask for the assignment, which has to be copied then
            self._switch = 0
        if clause:
            self._switches += 1
            self._switch = self._literals + self._switches
            self._solver.add_clause([-self._switch, *clause])
            assumptions = [self._switch, *assumptions]
        satisfiable, portion = None, tuning.SAT_CONFLICTS_AT_FIRST
        self._questions += 1
        counts = self._questions % QUESTIONS_OF_A_STEP == 0
        while satisfiable is None:
            if counts:
                self.run.step("solve")
            counts = True
            self._solver.conf_budget(portion)
            # Otherwise the solver takes Ctrl-C for itself.
            satisfiable = self._solver.solve_limited(assumptions=assumptions, expect_interrupt=True)
            portion *= 2
        self._propagations = self.run.spend_propagations(self._solver, self._propagations)
        return bool(satisfiable)

    def core(self) -> set[int]:
        """The assumptions that cannot be true together."""
        return set(self._solver.get_core() or ())

    def true(self, literals: Iterable[int]) -> list[bool]:
        """The values of literals in the last assignment; what no clause mentions may have any."""
        model = self._solver.get_model()
        most = len(model)
        return [(abs(x) <= most and model[abs(x) - 1] > 0) == (x > 0) if x != TRUE else True for x in literals]
