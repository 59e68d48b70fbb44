"""Questions that take a SAT solver many conflicts: it is left alone for longer and longer."""

from __future__ import annotations

from itertools import combinations

import pytest

from coarsest.encode.aig import Aig
from coarsest.encode.cnf import CircuitSolver
from coarsest.encode.relative import StepSolver
from coarsest.evidence.sat.clauses import Clauses
from coarsest.run import Event, Run

HOLES = 6
FEW = 30
"""Calls, each with twice as many conflicts as the one before: more than any question takes."""


def pigeons() -> list[list[int]]:
    """One pigeon more than holes, and no two in one; literals begin with 2."""
    literal = [[2 + HOLES * pigeon + hole for hole in range(HOLES)] for pigeon in range(HOLES + 1)]
    apart = [[-literal[a][hole], -literal[b][hole]] for a, b in combinations(range(HOLES + 1), 2) for hole in range(HOLES)]
    return [*literal, *apart]


def test_portions_grow(monkeypatch: pytest.MonkeyPatch) -> None:
    """Engines and judges, which share nothing, do so alike."""
    calls: list[Event] = []
    run = Run(listener=calls.append)
    monkeypatch.setattr("coarsest.tuning.SAT_CONFLICTS_AT_FIRST", 1)
    with CircuitSolver(Aig(), run) as circuit:
        circuit.literals = 1 + HOLES * (HOLES + 1)
        circuit.new += pigeons()
        assert not circuit.solve()
    assert not StepSolver(pigeons(), HOLES * (HOLES + 1) + 1, run).solve([])
    believer = Clauses(run)
    believer.vector(HOLES * (HOLES + 1))
    for clause in pigeons():
        believer.add_clause(*clause)
    assert believer.example() is None
    assert 6 < len(calls) < FEW
