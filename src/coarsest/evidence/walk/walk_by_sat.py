"""The steps from one state as the solutions of a SAT solver."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from random import Random

from coarsest.encode.unrolling import Network, Unrolling
from coarsest.logic.expr import Value
from coarsest.model.machine import Machine, Variable
from coarsest.run import Run


class StepsBySat:
    """The initial states and the steps of one machine, made once for all its states."""

    def __init__(self, machine: Machine, run: Run) -> None:
        self._machine = machine
        self._network = network = Network(machine, run)
        self._starts = Unrolling(network, run, initial=True)
        self._steps = Unrolling(network, run, initial=False)
        self._steps.extend()

    def steps(
        self, state: Mapping[str, Value] | None, random: Random | None
    ) -> Iterator[tuple[Mapping[str, Value], Mapping[str, Value]]]:
        """All steps from a state, or into the initial states, as inputs and the next state; with `random`, in random order."""
        states, inputs = self._machine.state_variables, self._machine.input_variables
        if state is None:
            for _ in _solutions(self._starts, [], self._bits(self._starts, states, 0), random):
                yield {}, self._starts.trace().states[0]
            return
        paths, layout, nodes = self._steps, self._network.layout, self._network.aig.nodes
        given = [place for v in states for place in layout.literals(v, state[v.name]).items()]
        here = [paths.literal(2 * nodes[place] + (not is_one), 0) for place, is_one in given]
        for _ in _solutions(paths, here, self._bits(paths, inputs, 0) + self._bits(paths, states, 1), random):
            trace = paths.trace()
            yield trace.inputs[0] if trace.inputs else {}, trace.states[1]

    def _bits(self, paths: Unrolling, variables: Iterable[Variable], moment: int) -> list[int]:
        nodes = self._network.aig.nodes
        return [paths.literal(2 * nodes[place], moment) for place in self._network.layout.now(variables)]


def _solutions(paths: Unrolling, wanted: Sequence[int], bits: Sequence[int], random: Random | None) -> Iterator[None]:
    """Each combination of bits once, as the last assignment; the clauses against repetitions are switched off at the end."""
    switch = paths.fresh()
    try:
        while paths.solve(*wanted, switch):
            if random is not None:
                _toss(paths, [*wanted, switch], list(bits), random)
            values = [bit if paths.value(bit) else -bit for bit in bits]
            yield
            paths.add_clause(-switch, *(-bit for bit in values))
    finally:
        paths.add_clause(-switch)


def _toss(paths: Unrolling, wanted: list[int], bits: list[int], random: Random) -> None:
    """Decide the bits in random order, by a random choice wherever both values are possible."""
    random.shuffle(bits)
    for bit in bits:
        side = bit if random.random() < 0.5 else -bit
        if not paths.value(side) and not paths.solve(*wanted, side):
            side = -side
            paths.solve(*wanted, side)
        wanted.append(side)
