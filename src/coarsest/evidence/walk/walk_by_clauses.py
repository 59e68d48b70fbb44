"""The steps from one state as the solutions of clauses."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from random import Random

from coarsest.evidence.decision_graphs import code_of, value_of
from coarsest.evidence.sat.clauses import Clauses
from coarsest.evidence.sat.cnf_machine import MachineClauses
from coarsest.evidence.sat.cnf_numbers import Vector
from coarsest.logic.expr import Value
from coarsest.model.machine import Machine, Variable
from coarsest.run import Run


class StepClauses:
    """The clauses of one machine, made once for all its states."""

    def __init__(self, machine: Machine, run: Run) -> None:
        self._machine = machine
        self._clauses = Clauses(run)
        self._encoded = MachineClauses(self._clauses, machine)

    def steps(
        self, state: Mapping[str, Value] | None, random: Random | None
    ) -> Iterator[tuple[dict[str, Value], dict[str, Value]]]:
        """All steps from a state, or into the initial states, as inputs and the state after; perhaps the first at random."""
        machine, encoded = self._machine, self._encoded
        states, inputs = machine.state_variables, machine.input_variables if state is not None else ()
        places = encoded.now if state is None else encoded.after
        wanted = [encoded.initial] if state is None else [encoded.step]
        if state is not None:
            for variable in states:
                wanted += _holding(encoded.now[variable.name], code_of(variable.type, state[variable.name]))
        read = [bit for v in inputs for bit in encoded.now[v.name]] + [bit for v in states for bit in places[v.name]]
        for true in self._solutions(wanted, read, random):
            yield _read(inputs, encoded.now, true), _read(states, places, true)

    def _solutions(self, wanted: Sequence[int], read: Sequence[int], random: Random | None) -> Iterator[set[int]]:
        """Each combination of bits once; a switch takes back, in the end, what keeps them from coming again."""
        clauses, switch = self._clauses, self._clauses.literal()
        try:
            while (found := clauses.example(*wanted, switch)) is not None:
                true = set(found) if random is None else self._tossed(set(found), [*wanted, switch], list(read), random)
                yield true
                clauses.insist(-switch, *(-bit if bit in true else bit for bit in read))
        finally:
            clauses.insist(-switch)

    def _tossed(self, true: set[int], wanted: list[int], read: list[int], random: Random) -> set[int]:
        """Every bit by chance where both values are possible, in random order."""
        random.shuffle(read)
        for bit in read:
            side = bit if random.random() < 0.5 else -bit
            if side not in true:
                found = self._clauses.example(*wanted, side)
                if found is None:
                    side = -side
                else:
                    true = set(found)
            wanted.append(side)
        return true


def _holding(vector: Vector, code: int) -> list[int]:
    return [bit if code >> place & 1 else -bit for place, bit in enumerate(vector)]


def _read(variables: Sequence[Variable], places: Mapping[str, Vector], true: set[int]) -> dict[str, Value]:
    """The values of variables in an assignment, given by the literals that are true in it."""
    codes = {v.name: sum(1 << place for place, bit in enumerate(places[v.name]) if bit in true) for v in variables}
    return {v.name: value_of(v.type, codes[v.name]) for v in variables}
