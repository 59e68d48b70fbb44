"""Variables that are constant, or that always have the value of another, or the opposite one.

Reference: van Eijk 2000, "Sequential equivalence checking based on structural similarities" (the greatest fixpoint of classes).
Symbols:   a *class* is a list of signals that are believed to be equal, the first of them standing for all.
Invariant: no class is finer than it has to be: signals that are always equal, as induction over one step together with all
           classes shows, stay in one class.
Deviates:  signals are whole variables (and, of booleans, their negations), not gates: what is found out can be left out of a
           machine, and is an invariant that others can confirm. Candidates come from a simulation.
Cost:      a few rounds; in each, a question to the SAT solver for each variable whose next value has not the form of the one
           that stands for it.

Which values follow is taken from equations alone. That a constraint makes two variables equal is no reason to leave one of them
out, since the other would then have steps that the constraint forbids.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from math import inf
from random import Random

from msgspec import Struct

from coarsest import tuning
from coarsest.encode.aig import FALSE, TRUE
from coarsest.encode.cnf import TRUE as TRUE_LITERAL
from coarsest.encode.cnf import CircuitSolver
from coarsest.encode.latches import Latches
from coarsest.encode.layout import value_of
from coarsest.errors import LimitExceeded
from coarsest.logic.expr import Apply, Constant, Expr, Name
from coarsest.model.machine import Machine
from coarsest.model.types import Boolean
from coarsest.run import Run


class StateSignal(Struct, frozen=True):
    """A variable or, without a name, a constant of its type."""

    name: str
    is_negated: bool = False
    code: int = 0


Class = list[StateSignal]


def equal_variables(
    machine: Machine, run: Run, candidates: Collection[str], apart: Collection[str] = (), *, work: float = inf
) -> dict[str, Expr]:
    """For some of the candidates, the constant or the other variable that they are always equal to, or the negation of it.

    Variables that are `apart` stand for no other.
    Where that takes too much work, the constants that a simulation with unknown inputs has shown.
    """
    latches = Latches(machine, run)
    candidates = set(candidates) - latches.read_at_once()
    constants = latches.constants()
    classes = None
    with suppress(LimitExceeded), run.within(work=work):
        classes = _Correspondence(latches, candidates, apart).fixpoint()
    if classes is None:
        shown = {name: _code(bits, constants) for name, bits in latches.now.items() if constants.keys() >= set(bits)}
        classes = [[StateSignal("", code=code), StateSignal(name)] for name, code in shown.items() if name in candidates]
    return {
        signal.name: _as_expr(machine, signal, first)
        for first, *others in classes for signal in others if signal.name in candidates
    }  # fmt: skip


def _code(bits: Sequence[int], values: Mapping[int, bool]) -> int:
    return sum(values[node] << place for place, node in enumerate(bits))


def _equalities(classes: Sequence[Class]) -> int:
    return sum(len(signals) - 1 for signals in classes)


def _as_expr(machine: Machine, signal: StateSignal, first: StateSignal) -> Expr:
    kind = machine.variables[signal.name].type
    if not first.name:
        return Constant(value_of(kind, first.code ^ signal.is_negated))
    return Apply("not", (Name(first.name),)) if first.is_negated != signal.is_negated else Name(first.name)


class _Correspondence:
    def __init__(self, latches: Latches, candidates: Collection[str], apart: Collection[str]) -> None:
        self.latches, self.aig, self.run = latches, latches.aig, latches.run
        self.candidates, self.apart = candidates, apart

    def fixpoint(self) -> list[Class]:
        classes = self._alike_in_simulation()
        classes = self._proved(classes, self._edges(self.latches.first, {}), [])
        while True:
            self.run.step("equal latches", classes=len(classes), signals=sum(map(len, classes)))
            put_in = self._put_in(classes)
            assumed = [self.aig.put_in(put_in, edge) for edge in self.latches.assumed]
            finer = self._proved(classes, self._edges(self.latches.next, put_in, later=True), assumed)
            if _equalities(finer) == _equalities(classes):
                return classes
            classes = finer

    def _alike_in_simulation(self) -> list[Class]:
        """Signals that were equal wherever they were looked at. Those that others stand for best come first."""
        latches = self.latches
        history, lived = latches.simulate(Random(self.run.seed), tuning.SIMULATED_STEPS)
        classes: dict[object, Class] = {}
        signals = [(name, bits) for name, bits in latches.now.items() if name not in self.apart]
        for name, bits in sorted(signals, key=lambda item: item[0] in self.candidates):
            values = tuple(history[node] for node in bits)
            kind = latches.machine.variables[name].type
            signal = StateSignal(name, is_negated=kind == Boolean() and bool(values[0] & lived & -lived))
            if signal.is_negated:
                values = (values[0] ^ lived,)
            if all(value in (0, lived) for value in values):
                code = _code(bits, {node: value == lived != 0 for node, value in zip(bits, values)})
                classes.setdefault((kind, code), [StateSignal("", code=code)]).append(signal)
            else:
                classes.setdefault((kind, values), []).append(signal)
        return [signals for signals in classes.values() if len(signals) > 1]

    def _put_in(self, classes: Sequence[Class]) -> dict[int, int]:
        """For each bit of a signal that another stands for, an edge of that one."""
        images: dict[int, int] = {}
        for first, *others in classes:
            for signal in others:
                bits = self.latches.now[signal.name]
                edges = [2 * node for node in self.latches.now[first.name]] if first.name else self._constant(first, len(bits))
                images |= {node: edge ^ (first.is_negated != signal.is_negated) for node, edge in zip(bits, edges)}
        return images

    def _constant(self, signal: StateSignal, width: int) -> list[int]:
        return [TRUE if signal.code >> place & 1 else FALSE for place in range(width)]

    def _edges(self, definitions: Mapping[int, int], put_in: dict[int, int], *, later: bool = False) -> dict[str, list[int]]:
        """The bits of each variable as functions: its first values, or with `later` those after a step."""
        for node, edge in definitions.items():
            put_in[node] = self.aig.put_in(put_in, edge)
        latches = self.latches
        return {
            name: [self.aig.put_in(put_in, 2 * node) for node in (latches.after.get(name, bits) if later else bits)]
            for name, bits in latches.now.items()
        }

    def _proved(self, classes: Sequence[Class], edges: Mapping[str, Sequence[int]], assumed: Sequence[int]) -> list[Class]:
        """The classes, split until all signals of one are equal wherever the assumptions are true."""
        with CircuitSolver(self.aig, self.run, most_conflicts=tuning.SAT_CONFLICTS_AT_FIRST) as circuit:
            frame = circuit.frame()
            for edge in assumed:
                circuit.add_clause(frame.literal(edge))
            literals = {name: [frame.literal(edge) for edge in edges[name]] for name in _names(classes)}
            return _Refinement(circuit, literals).of(classes)


def _names(classes: Sequence[Class]) -> Iterator[str]:
    return (signal.name for signals in classes for signal in signals if signal.name)


class _Refinement:
    """Classes that are split wherever the solver has an example of signals that differ."""

    def __init__(self, circuit: CircuitSolver, literals: Mapping[str, Sequence[int]]) -> None:
        self.circuit, self._bits = circuit, literals

    def of(self, classes: Sequence[Class]) -> list[Class]:
        waiting, finished = list(classes), list[Class]()
        while waiting:
            first, *others = waiting.pop()
            equal: Class = [first]
            different: Class = []
            while others:
                signal = others.pop(0)
                answer = self._differ(first, signal)
                if answer is None:
                    continue
                (different if answer else equal).append(signal)
                if answer:
                    others, apart = self._split([first, *others])
                    others, different = others[1:], [*different, *apart]
                    waiting = [part for signals in waiting for part in self._split(signals) if len(part) > 1]
            if len(different) > 1:
                waiting.append(different)
            if len(equal) > 1:
                finished.append(equal)
        return finished

    def _split(self, signals: Class) -> tuple[Class, Class]:
        """Those that are equal to the first in the solver's example, and the others."""
        if not signals:
            return [], []
        value = self._example(signals[0])
        alike = [self._example(signal) == value for signal in signals]
        return [s for s, is_alike in zip(signals, alike) if is_alike], [s for s, is_alike in zip(signals, alike) if not is_alike]

    def _literals(self, signal: StateSignal, width: int) -> list[int]:
        if not signal.name:
            return [TRUE_LITERAL if signal.code >> place & 1 else -TRUE_LITERAL for place in range(width)]
        return [-literal if signal.is_negated else literal for literal in self._bits[signal.name]]

    def _example(self, signal: StateSignal) -> int:
        if not signal.name:
            return signal.code
        return sum(self.circuit.value(literal) << place for place, literal in enumerate(self._literals(signal, 0)))

    def _differ(self, first: StateSignal, signal: StateSignal) -> bool | None:
        """Is there an example in which they differ? None if the solver does not know."""
        width = len(self._bits[signal.name])
        pairs = [(a, b) for a, b in zip(self._literals(first, width), self._literals(signal, width)) if a != b]
        try:
            for a, b in pairs:
                if self.circuit.solve([a, -b]) or self.circuit.solve([-a, b]):
                    return True
        except LimitExceeded as limit:
            if limit.limit != "solver":
                raise
            return None
        return False
