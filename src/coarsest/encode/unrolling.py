"""The paths of a machine, step by step, in a SAT solver.

Reference: Biere, Cimatti, Clarke, Zhu 1999, "Symbolic model checking without BDDs".
Symbols:   frame t holds the bits of the state after t steps, and of the inputs of the step that leaves it.
Invariant: an assignment that satisfies the clauses is a path of as many steps as there are frames after the first.
Deviates:  a bit that a conjunct defines by others is no variable of the solver: what follows from the initial values by
           computing alone never reaches it.
Cost:      the clauses of one step for each step.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from msgspec import Struct

from coarsest.encode.aig import TRUE, Aig, AigEdge
from coarsest.encode.cnf import CircuitSolver, SatAig
from coarsest.encode.encode import Encoder, initial_conjuncts, legal_conjuncts, step_conjuncts
from coarsest.encode.layout import Layout, bits_in_order
from coarsest.logic.expr import Expr, Value
from coarsest.model.machine import Kind, Machine
from coarsest.model.trace import Trace
from coarsest.model.unbounded import require_finite
from coarsest.run import Run


class SplitConjunction(Struct, frozen=True):
    """A conjunction in two parts: bits that it defines, each by an edge over bits defined before it, and other conditions."""

    definitions: dict[int, int]
    """For the node of a variable, the edge that it equals, in an order in which they can be computed."""
    others: tuple[int, ...]


class Network:
    """A machine as an and-inverter graph: one step, and what is true of first and of all states."""

    def __init__(self, machine: Machine, run: Run) -> None:
        require_finite(machine, "its states cannot be held in bits")
        self.machine = machine
        self.aig = SatAig()
        self.layout = Layout.allocate(machine, self.aig, bits_in_order(machine, machine.variables))
        self.encoder: Encoder[AigEdge] = Encoder(self.aig, self.layout)
        self.encoder.between = lambda: run.look_at_clock("encode")
        legal = [edge.code for edge in legal_conjuncts(self.encoder)]
        initial = [edge.code for edge in initial_conjuncts(self.encoder)]
        run.step("encode", gates=len(self.aig.operands))
        step = [edge.code for edge, _ in step_conjuncts(self.encoder)]
        run.step("encode", gates=len(self.aig.operands))
        self.encoder.between = lambda: None
        now = self._nodes(self.layout.now(machine.of_kind(Kind.STATE, Kind.FROZEN)))
        after = self._nodes(self.layout.after(machine.of_kind(Kind.STATE)))
        self.legal = conditions(self.aig, legal, now)
        self.initial = conditions(self.aig, [*initial, *legal], now)
        self.step = conditions(self.aig, step, after)

    def _nodes(self, places: Iterable[int]) -> frozenset[int]:
        return frozenset(self.aig.nodes[place] for place in places)

    @property
    def gates(self) -> int:
        return len(self.aig.operands)

    def bit_at(self, node: int) -> tuple[str, int]:
        """The variable that a node holds a present bit of, and the place of the bit in it."""
        place = self.aig.variable_of[node]
        return next((name, slots.now.index(place)) for name, slots in self.layout.slots.items() if place in slots.now)

    def trace(self, moments: Sequence[Mapping[int, bool]]) -> Trace:
        """The path with these bits at each moment, by their place in the layout: of the state, and of the inputs of the step."""
        decoded = [self.decoded(bits) for bits in moments]
        inputs = tuple(taken for _, taken in decoded[:-1]) if self.machine.input_variables else ()
        return Trace(tuple(state for state, _ in decoded), inputs)

    def decoded(self, bits: Mapping[int, bool]) -> tuple[dict[str, Value], dict[str, Value]]:
        """A state and the inputs of a step from it."""
        decode = self.layout.decode
        inputs = {v.name: decode(v, bits) for v in self.machine.input_variables}
        return {v.name: decode(v, bits) for v in self.machine.state_variables}, inputs

    def edge(self, condition: Expr) -> int:
        """Where a boolean expression over state variables holds."""
        return self.encoder.constraint(condition).code


def conditions(aig: Aig, roots: Sequence[int], definable: frozenset[int]) -> SplitConjunction:
    """Split a conjunction into definitions of some variables, and the rest."""
    equations: dict[int, tuple[int, int]] = {}
    others = []
    for edge in _conjuncts(aig, roots):
        readings = [(bit, value) for bit, value in _equations(aig, edge) if bit in definable and bit not in equations]
        if readings:
            equations[readings[0][0]] = (edge, readings[0][1])
        else:
            others.append(edge)
    definitions = computable(aig, {bit: value for bit, (_, value) in equations.items()})
    return SplitConjunction(definitions, (*others, *(edge for bit, (edge, _) in equations.items() if bit not in definitions)))


def computable(aig: Aig, equations: Mapping[int, int]) -> dict[int, int]:
    """The equations that do not go in circles, in an order in which the bits can be computed."""
    reading: set[int] = set(equations)
    """The nodes above bits that have equations."""
    for node in aig.cone(equations.values()):
        if any(edge >> 1 in reading for edge in aig.operands[node] or ()):
            reading.add(node)
    definitions = {bit: value for bit, value in equations.items() if value >> 1 not in reading}
    waiting = {bit: value for bit, value in equations.items() if bit not in definitions}
    progress = True
    while progress:
        progress = False
        for bit, value in list(waiting.items()):
            if waiting.keys().isdisjoint(aig.cone([value], definitions)):
                definitions[bit] = value
                del waiting[bit]
                progress = True
    return definitions


def _conjuncts(aig: Aig, roots: Sequence[int]) -> Iterator[int]:
    """The parts of a conjunction; equations of two bits are not taken apart."""
    waiting, listed = list(reversed(roots)), set[int]()
    while waiting:
        edge = waiting.pop()
        if edge == TRUE or edge in listed:
            continue
        listed.add(edge)
        below = aig.operands[edge >> 1]
        if edge & 1 or below is None or any(True for _ in _equations(aig, edge)):
            yield edge
        else:
            waiting += reversed(below)


def _equations(aig: Aig, edge: int) -> Iterator[tuple[int, int]]:
    """The ways to read an edge as "this variable equals that edge"."""
    below = aig.operands[edge >> 1]
    if below is None:
        if edge >> 1:
            yield edge >> 1, TRUE ^ (edge & 1)
        return
    if edge & 1 or not (below[0] & 1 and below[1] & 1):
        return
    first, second = (aig.operands[part >> 1] for part in below)  # ¬(a ∧ ¬b) ∧ ¬(¬a ∧ b)
    if first is None or second is None or {part ^ 1 for part in first} != set(second):
        return
    a, b = first[0], first[1] ^ 1
    for one, other in ((a, b), (b, a)):
        if aig.operands[one >> 1] is None and one >> 1:
            yield one >> 1, other ^ (one & 1)


class Unrolling:
    """Paths from an initial state, or from any state, one step longer at a time."""

    def __init__(
        self, network: Network, run: Run, *, initial: bool, most_clauses: int | None = None, most_conflicts: int | None = None
    ) -> None:
        self.network = network
        self.circuit = CircuitSolver(network.aig, run, most_clauses=most_clauses, most_conflicts=most_conflicts)
        layout, nodes = network.layout, network.aig.nodes
        self._pairs = [(nodes[now], nodes[after]) for now, after in layout.after_of_now.items()]
        """The nodes of each bit that changes, present and future."""
        self._frozen = [nodes[place] for place in layout.now(network.machine.of_kind(Kind.FROZEN))]
        self._frames = [self.circuit.frame()]
        self._require(network.initial if initial else network.legal)

    def close(self) -> None:
        self.circuit.close()

    def _require(self, conditions: SplitConjunction) -> None:
        """Conditions on the last frame."""
        frame = self._frames[-1]
        for bit, value in conditions.definitions.items():
            frame.bind(bit, frame.literal(value))
        for edge in conditions.others:
            self.circuit.add_clause(frame.literal(edge))

    def extend(self) -> None:
        """Let paths be one step longer."""
        self._require(self.network.step)
        before = self._frames[-1]
        leaves = {now: before.literal(2 * after) for now, after in self._pairs}
        leaves |= {node: before.literal(2 * node) for node in self._frozen}
        self._frames.append(self.circuit.frame(leaves))

    def literal(self, edge: int, step: int) -> int:
        """The literal that says that an edge over the present bits is true after a number of steps."""
        return self._frames[step].literal(edge)

    def add_clause(self, *clause: int) -> None:
        """At least one of the literals is true."""
        self.circuit.add_clause(*clause)

    def require_distinct(self, one: int, other: int) -> None:
        """The states after these numbers of steps differ."""
        differences = []
        for now, _ in self._pairs:
            a, b = self.literal(2 * now, one), self.literal(2 * now, other)
            if a != b:
                differences.append(self._differ(a, b))
        self.circuit.add_clause(*differences)

    def same(self, one: int, other: int) -> int:
        """A literal that implies that the states after these numbers of steps are the same."""
        gate = self.circuit.fresh()
        for node in [now for now, _ in self._pairs]:
            a, b = self.literal(2 * node, one), self.literal(2 * node, other)
            if a != b:
                self.circuit.add_clause(-gate, -a, b)
                self.circuit.add_clause(-gate, a, -b)
        return gate

    def _differ(self, a: int, b: int) -> int:
        gate = self.circuit.fresh()  # need only imply that they differ
        self.circuit.add_clause(-gate, a, b)
        self.circuit.add_clause(-gate, -a, -b)
        return gate

    def fresh(self) -> int:
        """A literal that may have any value."""
        return self.circuit.fresh()

    def solve(self, *literals: int) -> bool:
        return self.circuit.solve(literals)

    def value(self, literal: int) -> bool:
        """The value of a literal in the last assignment."""
        return self.circuit.value(literal)

    def repeated(self) -> Iterator[tuple[int, int]]:
        """Pairs of moments of the last assignment with the same state."""
        moments: dict[tuple[bool, ...], int] = {}
        for moment, frame in enumerate(self._frames):
            state = tuple(self.circuit.value(frame.literal(2 * now)) for now, _ in self._pairs)
            if state in moments:
                yield moments[state], moment
            moments[state] = moment

    def bits(self) -> list[dict[int, bool]]:
        """The bits of the states of the last assignment, and of the inputs of the steps from these, by their place."""
        network, value = self.network, self.circuit.value
        nodes = [(place, 2 * network.aig.nodes[place]) for place in network.layout.now(network.machine.variables.values())]
        return [{place: value(frame.literal(edge)) for place, edge in nodes} for frame in self._frames]

    def moments(self) -> list[tuple[dict[str, Value], dict[str, Value]]]:
        """The states of the last assignment, each with the inputs of the step that leaves it."""
        return [self.network.decoded(bits) for bits in self.bits()]

    def trace(self) -> Trace:
        """The path of the last assignment."""
        return self.network.trace(self.bits())
