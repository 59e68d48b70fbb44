"""Machines as circuits of and-gates: every bit of a state is a latch.

A bit whose next value is not given by an equation takes it from an input of its own. Constraints are remembered by a latch that
is true as long as all of them have held: what is bad counts only then, also in a state that has no successor.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from coarsest.encode.aig import FALSE, TRUE, AigEdge
from coarsest.encode.layout import bits_of
from coarsest.encode.unrolling import Network
from coarsest.logic.expr import Apply, Expr, Name, conjuncts
from coarsest.model.checks.static_types import BOOLEAN
from coarsest.model.checks.typecheck import type_of
from coarsest.model.circuit import Circuit, Gate, Latch
from coarsest.model.machine import Kind, Machine, Property, Variable
from coarsest.model.parts.watch import is_about_steps
from coarsest.run import Run
from coarsest.text import Diagnostic


def circuit_of(machine: Machine, run: Run | None = None) -> tuple[Circuit, tuple[Diagnostic, ...]]:
    """The circuit of a machine with its invariants as bad states, and what of the machine could not be written."""
    return _Translation(machine, run or Run()).result()


class _Translation:
    """A machine on its way to a circuit; literals are those of the circuit, edges those of the network."""

    def __init__(self, machine: Machine, run: Run) -> None:
        self.machine = machine
        self.network = Network(machine, run)
        self.symbols: dict[str, str] = {}
        self.warnings: list[Diagnostic] = []
        self._literals = {0: 0}
        """For each node of the network that has been translated, its literal."""
        self._gates: dict[tuple[int, int], int] = {}
        self._count = 0

    def result(self) -> tuple[Circuit, tuple[Diagnostic, ...]]:
        network, machine = self.network, self.machine
        layout, nodes = network.layout, network.aig.nodes
        state = list(machine.of_kind(Kind.STATE, Kind.FROZEN))
        free = {layout.after_of_now[place]: place for place in layout.now(machine.of_kind(Kind.STATE))}
        free = {after: now for after, now in free.items() if nodes[after] not in network.step.definitions}
        inputs = self._leaves("i", layout.now(machine.of_kind(Kind.INPUT)), self._bit_names(machine.of_kind(Kind.INPUT)))
        names = dict(zip(layout.now(state), self._bit_names(state)))
        inputs += self._leaves("i", free, [f"{names[now]}.next" for now in free.values()], first=len(inputs))
        latches = self._leaves("l", names, list(names.values()))
        valid, started = self._fresh(), self._fresh()
        for node, edge in network.step.definitions.items():
            self._literals[node] = self.literal(edge)
        always = self._all(map(self.literal, network.step.others))
        unsettled = [edge for edge in self._initial_conditions() if edge != TRUE]
        first = self._all(map(self.literal, unsettled))
        now = self._both(valid, self._both(started ^ 1, first ^ 1) ^ 1)  # after the first moment, `valid` remembers
        rows = [self._latch(place, literal) for place, literal in zip(names, latches)]
        watched = always != 1 or first != 1
        if watched:
            rows += [Latch(valid, self._both(now, always), 1), Latch(started, 1, 0)]
        now, step = (now, self._both(now, always)) if watched else (1, 1)
        bad = [self._bad(claim, number, now, step) for number, claim in enumerate(self._invariants())]
        justice = [self._justice(claim, now, always) for claim in machine.properties if not claim.kind.is_invariant]
        outputs = self._outputs()
        fairness = self._fairness()
        gates = [Gate(literal, *operands) for operands, literal in self._gates.items()]
        rest = [literals for literals in justice if literals is not None]
        return Circuit(inputs, rows, gates, outputs, bad, (), rest, fairness, self.symbols), tuple(self.warnings)

    # Leaves

    def _bit_names(self, variables: Iterable[Variable]) -> list[str]:
        names: list[str] = []
        for variable in variables:
            width = bits_of(variable.type)
            names += [variable.name] if width == 1 else [f"{variable.name}[{bit}]" for bit in range(width)]
        return names

    def _leaves(self, letter: str, places: Iterable[int], names: Sequence[str], *, first: int = 0) -> list[int]:
        literals = []
        for number, (place, name) in enumerate(zip(places, names), start=first):
            literals.append(self._fresh())
            self._literals[self.network.aig.nodes[place]] = literals[-1]
            self.symbols[f"{letter}{number}"] = name
        return literals

    def _latch(self, place: int, literal: int) -> Latch:
        network = self.network
        after = network.layout.after_of_now.get(place)
        following = literal if after is None else self.literal(2 * network.aig.nodes[after])
        value = network.initial.definitions.get(network.aig.nodes[place])
        return Latch(literal, following, {FALSE: 0, TRUE: 1}.get(-1 if value is None else value, literal))

    def _initial_conditions(self) -> list[int]:
        """What is to be true of first states, beside bits that are constants."""
        conditions, aig = self.network.initial, self.network.aig
        equal = [
            aig.differ(2 * node, edge) ^ 1 for node, edge in conditions.definitions.items() if edge not in (FALSE, TRUE)
        ]
        return [*conditions.others, *equal]

    # Gates

    def _fresh(self) -> int:
        self._count += 1
        return 2 * self._count

    def _both(self, left: int, right: int) -> int:
        left, right = max(left, right), min(left, right)
        if right == 0 or left == right ^ 1:
            return 0
        if right == 1 or left == right:
            return left
        if (left, right) not in self._gates:
            self._gates[left, right] = self._fresh()
        return self._gates[left, right]

    def _all(self, literals: Iterable[int]) -> int:
        result = 1
        for literal in literals:
            result = self._both(result, literal)
        return result

    def literal(self, edge: int) -> int:
        """The literal of an edge; all below it become gates."""
        aig, literals = self.network.aig, self._literals
        for node in aig.cone([edge]):
            if node not in literals:
                below = aig.operands[node]
                assert below is not None, "every bit is a latch, an input, or defined"
                one, other = (literals[part >> 1] ^ (part & 1) for part in below)
                literals[node] = self._both(one, other)
        return literals[edge >> 1] ^ (edge & 1)

    # Properties

    def _condition(self, condition: Expr) -> int:
        return self.literal(self.network.edge(condition))

    def _invariants(self) -> list[Property]:
        return [claim for claim in self.machine.properties if claim.kind.is_invariant]

    def _bad(self, claim: Property, number: int, now: int, step: int) -> int:
        """A violation; one of a condition on steps is of a step that there is."""
        when = step if is_about_steps(self.machine, claim.formula) else now
        self.symbols[f"b{number}"] = claim.name or claim.text
        return self._both(self._condition(claim.formula) ^ 1, when)

    def _justice(self, claim: Property, now: int, always: int) -> list[int] | None:
        """What a formula ¬(GF a ∧ GF b …) forbids; None for others, and where it may be that a path that ends forbids it."""
        hint = "AIGER can express invariants, and LTL of the form !(G F a & G F b)"
        match claim.formula:
            case Apply("not", (inner,)) if claim.kind.is_ltl and not self.machine.compassion:
                parts = [_recurring(part) for part in conjuncts(inner)]
                conditions = [part for part in parts if part is not None]
                if len(conditions) == len(parts):
                    if always == 1 or any(map(self._needs_a_step, conditions)):
                        return [now, *map(self._condition, conditions)]
                    hint = "paths of AIGER do not end, and those of the model may, where its constraints allow no step"
        message = f"the property `{claim.name or claim.text}` is not written"
        self.warnings.append(Diagnostic(message, claim.span, hint, level="warning"))
        return None

    def _needs_a_step(self, condition: Expr) -> bool:
        """Is it false wherever a constraint on steps is? Then it is not true in a state in which a path ends."""
        aig, allowed = self.network.aig, TRUE
        for edge in self.network.step.others:
            allowed = aig.both(allowed, edge)
        return aig.pick(AigEdge(aig, aig.both(self.network.edge(condition), allowed ^ 1))) is None

    def _fairness(self) -> list[int]:
        if self.machine.compassion:
            self.warnings.append(Diagnostic("AIGER cannot express compassion: it is not written", level="warning"))
        return list(map(self._condition, self.machine.justice))

    def _outputs(self) -> list[int]:
        """The outputs that are boolean."""
        names = [name for name in self.machine.outputs if type_of(Name(name), self.machine) is BOOLEAN]
        self.symbols.update((f"o{number}", name) for number, name in enumerate(names))
        return [self._condition(Name(name)) for name in names]


def _recurring(part: Expr) -> Expr | None:
    match part:
        case Apply("G", (Apply("F", (condition,)),)):
            return condition
    return None
