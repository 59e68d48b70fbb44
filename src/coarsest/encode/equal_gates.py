"""Gates and bits of the state that are equal in all reachable states, as cubes that no such state belongs to.

Reference: van Eijk 2000, "Sequential equivalence checking based on structural similarities"; Minato 1993, "Fast generation of
           prime-irredundant covers from binary decision diagrams" (here of truth tables).
Symbols:   a signal is an edge over bits of the state; a *class* is a list of signals that are believed to be equal, the first of
           them standing for all. The constant is the edge 0.
Invariant: signals that are in different classes differ in a state that a simulation or the solver has found.
Deviates:  gates that read inputs, or many bits, are no signals: what is found out must be short clauses over the state, for those
           who use it and those who confirm it. A question that is too hard takes its signal out.
Cost:      a question to the SAT solver for each signal in each round; a few rounds.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from random import Random

from coarsest import tuning
from coarsest.encode.cnf import CircuitCopy, CircuitSolver
from coarsest.encode.latches import SIMULATED_PATHS, planned
from coarsest.encode.relative import Cube, StepClauses
from coarsest.encode.unrolling import Network
from coarsest.errors import LimitExceeded
from coarsest.model.machine import Kind
from coarsest.run import Run

Class = list[int]


class EqualGates:
    """The classes of a network, and the cubes over the bits of a step that follow from them."""

    def __init__(self, network: Network, step: StepClauses, run: Run) -> None:
        self.network, self.aig, self.run = network, network.aig, run
        self.number = {node: bit for bit, node in enumerate(step.nodes, 1)}
        layout, variables = network.layout, network.aig.nodes
        self.after = {variables[now]: variables[then] for now, then in layout.after_of_now.items()}
        self.inputs = [variables[place] for place in layout.now(network.machine.of_kind(Kind.INPUT))]
        self.support = self._supports([*network.step.definitions.values(), step.condition])

    def _supports(self, roots: Iterable[int]) -> dict[int, frozenset[int]]:
        """For each gate that reads few bits of the state, and nothing else, which these are."""
        supports = {0: frozenset[int](), **{node: frozenset([node]) for node in (*self.number, *self.inputs)}}
        for node in self.aig.cone(roots, supports):
            below = self.aig.operands[node]
            if below is not None and all(edge >> 1 in supports for edge in below):
                support = supports[below[0] >> 1] | supports[below[1] >> 1]
                if len(support) <= tuning.EQUAL_GATE_BITS:
                    supports[node] = support
        return supports

    def cubes(self) -> list[Cube]:
        """What no reachable state belongs to, because signals are equal."""
        classes = [parts for signals in self._alike_in_simulation() if len(parts := self._small(signals)) > 1]
        classes = self._proved(classes, initial=True)
        while classes:
            self.run.step("equal gates", classes=len(classes), signals=sum(map(len, classes)))
            finer = self._proved(classes, initial=False)
            if sum(map(len, finer)) - len(finer) == sum(map(len, classes)) - len(classes):
                break
            classes = finer
        return [cube for first, *others in classes for signal in others for cube in self._where_different(first, signal) or ()]

    # Candidates

    def _alike_in_simulation(self) -> Iterator[Class]:
        history, lived = self._simulated()
        classes: dict[int, Class] = {}
        for node in sorted(history, key=lambda node: (len(self.support[node]), node)):
            past = history[node]
            negated = bool(past & lived & -lived)
            classes.setdefault(past ^ lived if negated else past, []).append(2 * node ^ negated)
        yield from classes.values()

    def _simulated(self) -> tuple[dict[int, int], int]:
        """Where each node is true on all lanes at all moments, and where lanes are alive."""
        everything = alive = (1 << (lanes := SIMULATED_PATHS)) - 1
        random, network, bits = Random(self.run.seed), self.network, list(self.number)

        def draw() -> tuple[int, int]:
            value = random.getrandbits(lanes)
            return value, value ^ everything

        values = [0] * (2 * len(self.aig.operands))
        values[1] = everything
        others = [2 * node for node in bits]
        planned(self.aig, network.initial.definitions, (), [*others, *network.initial.others]).fill(values, draw)
        for edge in network.initial.others:
            alive &= values[edge]
        later = [2 * self.after.get(node, node) for node in bits]
        assumed = [*network.legal.others, *network.step.others]
        plan = planned(self.aig, {**network.legal.definitions, **network.step.definitions}, bits,
                       [*assumed, *later, *(2 * node for node in self.support)])  # fmt: skip
        history, lived = dict.fromkeys(self.support, 0), 0
        for _ in range(tuning.SIMULATED_STEPS):
            self.run.step("simulate gates")
            plan.fill(values, draw)
            history = {node: past << lanes | values[2 * node] & alive for node, past in history.items()}
            lived = lived << lanes | alive
            for edge in assumed:
                alive &= values[edge]
            for node, (true, false) in zip(bits, [(values[edge], values[edge ^ 1]) for edge in later]):
                values[2 * node], values[2 * node + 1] = true, false
        return history, lived

    def _small(self, signals: Class) -> Class:
        """Those whose equation with the first is short."""
        first, *others = signals
        return [first, *(signal for signal in others if self._where_different(first, signal) is not None)]

    # Proofs

    def _proved(self, classes: Sequence[Class], *, initial: bool) -> list[Class]:
        """The classes, split until all signals of one are equal in initial states, or after a step from where they were equal."""
        network = self.network
        with CircuitSolver(self.aig, self.run, most_conflicts=tuning.SAT_CONFLICTS_AT_FIRST) as circuit:
            frame = circuit.frame()
            conditions = network.initial if initial else network.legal
            for bit, value in conditions.definitions.items():
                frame.bind(bit, frame.literal(value))
            for edge in conditions.others:
                circuit.add_clause(frame.literal(edge))
            if not initial:
                frame = self._after_step(circuit, frame, classes)
            return self._refined(circuit, frame, classes)

    def _after_step(self, circuit: CircuitSolver, frame: CircuitCopy, classes: Sequence[Class]) -> CircuitCopy:
        for bit, value in self.network.step.definitions.items():
            frame.bind(bit, frame.literal(value))
        for edge in self.network.step.others:
            circuit.add_clause(frame.literal(edge))
        for first, *others in classes:
            for signal in others:
                circuit.add_clause(frame.literal(first), -frame.literal(signal))
                circuit.add_clause(-frame.literal(first), frame.literal(signal))
        return circuit.frame({node: frame.literal(2 * self.after.get(node, node)) for node in self.number})

    def _refined(self, circuit: CircuitSolver, frame: CircuitCopy, classes: Sequence[Class]) -> list[Class]:
        waiting, finished = list(classes), list[Class]()
        while waiting:
            first, *others = waiting.pop()
            equal, different = [first], list[int]()
            while others:
                signal = others.pop()
                differ = self._differ(circuit, frame.literal(first), frame.literal(signal))
                if differ is None:
                    continue
                if not differ:
                    equal.append(signal)
                    continue
                others.append(signal)
                value = circuit.value(frame.literal(first))
                different += [other for other in others if circuit.value(frame.literal(other)) != value]
                others = [other for other in others if circuit.value(frame.literal(other)) == value]
            if len(different) > 1:
                waiting.append(self._small(sorted(different, key=self._size)))
            if len(equal) > 1:
                finished.append(equal)
        return finished

    def _size(self, signal: int) -> tuple[int, int]:
        return len(self.support[signal >> 1]), signal

    def _differ(self, circuit: CircuitSolver, a: int, b: int) -> bool | None:
        """Is there an example in which they differ? None if the solver does not know."""
        if a == b:
            return False
        try:
            return circuit.solve([a, -b]) or circuit.solve([-a, b])
        except LimitExceeded as limit:
            if limit.limit != "solver":
                raise
            return None

    # Equations as cubes

    def _where_different(self, one: int, other: int) -> list[Cube] | None:
        """The cubes of states in which two signals differ; None if there are too many."""
        nodes = sorted(self.support[one >> 1] | self.support[other >> 1])
        if len(nodes) > tuning.EQUAL_GATE_BITS:
            return None
        cover = _Cover(len(nodes))
        images, full = {0: 0, **dict(zip(nodes, cover.tables))}, cover.full
        for node in self.aig.cone([one, other], images):
            a, b = self.aig.operands[node] or (0, 0)
            images[node] = (images[a >> 1] ^ (full if a & 1 else 0)) & (images[b >> 1] ^ (full if b & 1 else 0))
        apart = images[one >> 1] ^ images[other >> 1] ^ (full if (one ^ other) & 1 else 0)
        cubes = cover.cubes(apart)
        if len(cubes) > tuning.EQUAL_GATE_CUBES:
            return None
        numbers = [self.number.get(node, 0) for node in nodes]
        return [frozenset(numbers[abs(place) - 1] * (1 if place > 0 else -1) for place in cube) - {0} for cube in cubes]


def _tables(width: int) -> list[int]:
    """The truth table of each variable: bit i is its value in the i-th assignment."""
    full = (1 << (1 << width)) - 1
    return [full // ((1 << (1 << place)) + 1) << (1 << place) for place in range(width)]


class _Cover:
    """Cubes that hold all rows of a truth table and no others; a literal is the number of a variable, from 1, or its negation."""

    def __init__(self, width: int) -> None:
        self.tables, self.full = _tables(width), (1 << (1 << width)) - 1

    def cubes(self, table: int) -> list[Cube]:
        return self._between(table, table, len(self.tables), frozenset())[0]

    def _between(self, least: int, most: int, width: int, cube: Cube) -> tuple[list[Cube], int]:
        """Cubes for all rows of one table, and none outside another, with the table of all their rows."""
        if not least:
            return [], 0
        if most == self.full:
            return [cube], self.full
        (least0, least1), (most0, most1) = self._halves(least, width), self._halves(most, width)
        if (least0, most0) == (least1, most1):
            return self._between(least, most, width - 1, cube)
        cubes0, rows0 = self._between(least0 & ~most1, most0, width - 1, cube | {-width})
        cubes1, rows1 = self._between(least1 & ~most0, most1, width - 1, cube | {width})
        cubes, rows = self._between((least0 & ~rows0) | (least1 & ~rows1), most0 & most1, width - 1, cube)
        table = self.tables[width - 1]
        return [*cubes0, *cubes1, *cubes], rows | (rows0 & ~table) | (rows1 & table)

    def _halves(self, rows: int, width: int) -> tuple[int, int]:
        """The rows in which a variable is false, and those in which it is true, each whatever the variable is then."""
        table, shift = self.tables[width - 1], 1 << (width - 1)
        low, high = rows & ~table, rows & table
        return low | low << shift, high | high >> shift
