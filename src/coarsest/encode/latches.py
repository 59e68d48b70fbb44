"""A machine as latches: bits with first and next values, simulated on many paths at once, or with unknown inputs.

Reference: Seger, Bryant 1995, "Formal verification by symbolic evaluation of partially-ordered trajectories" (unknown bits).
Symbols:   a lane is one of many paths. An edge has one bit for each lane, on which it may be true: an edge and its negation
           are both possible where the value is unknown.
Invariant: only equations give values. Constraints are conditions on the path so far: where one was violated, a lane is dead.
Deviates:  a bit without an equation, or with one that leaves a choice, may have any value.
Cost:      two operations on whole numbers for each gate and step.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from random import Random
from typing import Final, NamedTuple

from coarsest.encode.aig import TRUE, Aig, AigEdge
from coarsest.encode.cnf import SatAig
from coarsest.encode.encode import Encoder, initial_conjuncts, legal_conjuncts, step_conjuncts
from coarsest.encode.layout import Layout, bits_in_order
from coarsest.encode.unrolling import computable
from coarsest.encode.values import SymbolicChoice
from coarsest.logic.expr import Expr
from coarsest.model.machine import Kind, Machine
from coarsest.run import Run

SIMULATED_PATHS: Final = 256
"""A simulation follows this many paths at once, one in each bit of a number."""


class EvaluationPlan(NamedTuple):
    """How values are computed from some that are given: which nodes nothing gives one, and the gates, operands first."""

    free: list[int]
    gates: list[tuple[int, int, int]]

    def fill(self, values: list[int], draw: Callable[[], tuple[int, int]]) -> None:
        """Compute the values of all edges of the plan; `draw` chooses for an edge that nothing gives one, and its negation."""
        for node in self.free:
            values[2 * node], values[2 * node + 1] = draw()
        for node, a, b in self.gates:
            values[2 * node] = values[a] & values[b]
            values[2 * node + 1] = values[a ^ 1] | values[b ^ 1]


def planned(aig: Aig, definitions: Mapping[int, int], given: Collection[int], others: Iterable[int]) -> EvaluationPlan:
    """The plan to compute what is defined, and some other edges."""
    plan, settled = EvaluationPlan([], []), {0, *given}

    def settle(edge: int) -> None:
        for node in aig.cone([edge], settled):
            settled.add(node)
            below = aig.operands[node]
            if below is None:
                plan.free.append(node)
            else:
                plan.gates.append((node, *below))

    for node, edge in definitions.items():
        settle(edge)
        if node not in settled:
            plan.gates.append((node, edge, TRUE))
            settled.add(node)
    for edge in others:
        settle(edge)
    return plan


class Latches:
    """The bits of a finite machine, with what its equations say of them."""

    def __init__(self, machine: Machine, run: Run) -> None:
        self.machine, self.run = machine, run
        self.aig = SatAig()
        layout = Layout.allocate(machine, self.aig, bits_in_order(machine, machine.variables))
        encoder: Encoder[AigEdge] = Encoder(self.aig, layout)
        nodes = self.aig.nodes
        self.now = {v.name: tuple(nodes[place] for place in layout.slots[v.name].now) for v in machine.state_variables}
        """The nodes of the bits of each state variable."""
        self.after = {v.name: tuple(nodes[place] for place in layout.slots[v.name].after) for v in machine.of_kind(Kind.STATE)}
        """The same after a step, of those that may change."""
        self.bits = [node for bits in self.now.values() for node in bits]
        self.later = [node for name, bits in self.now.items() for node in self.after.get(name, bits)]
        for _ in initial_conjuncts(encoder):  # an error of the model is reported
            run.step("latches", gates=len(self.aig.operands))
        begins = {**machine.initial_values, **machine.current_values}
        self.first = computable(self.aig, self._equations(encoder, begins, self.now, after=False))
        """The first values of bits, as edges over other bits, in an order in which they can be computed."""
        follows = self._equations(encoder, machine.next_values, self.after, after=False)
        self.next = computable(self.aig, follows | self._equations(encoder, machine.current_values, self.after, after=True))
        """The next values, of the bits after the step."""
        changing = {node for bits in self.after.values() for node in bits}
        steps = [edge.code for edge, name in step_conjuncts(encoder) if name is None]
        of_now = [edge for edge in steps if changing.isdisjoint(self.aig.cone([edge]))]
        self.assumed = [*(edge.code for edge in legal_conjuncts(encoder)), *of_now]
        """What is true of every state that a step leaves, and of the inputs of that step."""
        run.step("latches", gates=len(self.aig.operands))

    def _equations(
        self, encoder: Encoder[AigEdge], equations: Mapping[str, Expr], nodes: Mapping[str, Sequence[int]], *, after: bool
    ) -> dict[int, int]:
        """For each bit that an equation gives one value, the edge that it equals."""
        given: dict[int, int] = {}
        for name, expr in equations.items():
            value = encoder.value(expr, after=after)
            if not isinstance(value, SymbolicChoice) and name in nodes:
                bits = encoder.code(self.machine.variables[name], value)
                given |= {node: bit.code for node, bit in zip(nodes[name], bits, strict=True)}
        return given

    def read_at_once(self) -> set[str]:
        """The variables that the equations of others read at the same moment."""
        read, later = (set(self.aig.cone(definitions.values())) for definitions in (self.first, self.next))
        return {
            name for name, bits in self.now.items() if not read.isdisjoint(bits) or not later.isdisjoint(self.after.get(name, ()))
        }

    # Simulation

    def simulate(self, random: Random, steps: int) -> tuple[dict[int, int], int]:
        """For each bit, where it is true on all lanes at all moments, one after the other; and where lanes are alive."""
        everything = alive = (1 << (lanes := SIMULATED_PATHS)) - 1

        def draw() -> tuple[int, int]:
            value = random.getrandbits(lanes)
            return value, value ^ everything

        values, plan = self._begun(draw, everything), self._step()
        history, lived = dict.fromkeys(self.bits, 0), 0
        for _ in range(steps):
            self.run.step("simulate latches")
            history = {node: past << lanes | values[2 * node] & alive for node, past in history.items()}
            lived = lived << lanes | alive
            plan.fill(values, draw)
            for edge in self.assumed:
                alive &= values[edge]
            self._go_on(values)
        return history, lived

    def constants(self) -> dict[int, bool]:
        """Bits that have their first value for ever: as far as a simulation tells in which inputs are unknown."""
        values, plan = self._begun(lambda: (1, 1), 1), self._step()
        while True:
            self.run.step("simulate unknowns")
            before = [(values[2 * node], values[2 * node + 1]) for node in self.bits]
            plan.fill(values, lambda: (1, 1))
            self._go_on(values)
            for node, (may, may_not) in zip(self.bits, before):
                values[2 * node] |= may
                values[2 * node + 1] |= may_not
            if before == [(values[2 * node], values[2 * node + 1]) for node in self.bits]:
                return {node: bool(may) for node, (may, may_not) in zip(self.bits, before) if may + may_not == 1}

    def _begun(self, draw: Callable[[], tuple[int, int]], true: int) -> list[int]:
        values = [0] * (2 * len(self.aig.operands))
        values[TRUE] = true
        planned(self.aig, self.first, (), [2 * node for node in self.bits]).fill(values, draw)
        return values

    def _step(self) -> EvaluationPlan:
        return planned(self.aig, self.next, self.bits, [*self.assumed, *(2 * node for node in self.later)])

    def _go_on(self, values: list[int]) -> None:
        """What was after the step is now."""
        following = [(values[2 * node], values[2 * node + 1]) for node in self.later]
        for node, (true, false) in zip(self.bits, following):
            values[2 * node], values[2 * node + 1] = true, false
