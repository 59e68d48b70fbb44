"""Several counterexamples to invariants of random machines: all different, all right, and as many as there are."""

from __future__ import annotations

from random import Random

import pytest

from campaigns import blocks
from coarsest import Fails, Model
from coarsest.errors import InputError
from coarsest.evidence.replay.replay import confirm_trace
from coarsest.model.kinds import PropertyKind
from coarsest.model.machine import Property
from oracles.brute_force import BruteForce, Undefined
from random_expressions import Expressions
from random_machines import random_machine

MOST = 5
MACHINES = 40
"""So many machines are in a block."""


@pytest.mark.parametrize("block", blocks(8, by_day=1))
def test_as_many_as_there_are(block: int) -> None:
    counts = set()
    for seed in range(block * MACHINES, (block + 1) * MACHINES):
        random = Random(f"further {seed}")
        machine = random_machine(random, state_bits=4)
        types = {variable.name: variable.type for variable in machine.state_variables}
        good = Expressions(random, types).boolean(2)
        try:
            oracle = BruteForce(machine)
            bad = oracle.reachable() - oracle.where(good)
            (answer,) = Model(machine).check(Property(PropertyKind.INVARIANT, good), traces=MOST, cone=False)
        except (InputError, Undefined):
            continue
        traces = [one.verdict.trace for one in (answer, *answer.more) if isinstance(one.verdict, Fails)]
        ends = set()
        for trace in traces:
            assert trace is not None
            confirm_trace(machine, trace, violates=good)
            ends.add(tuple(trace.states[-1][name] for name in oracle.names))
        assert len(ends) == min(MOST, len(bad)) and ends <= bad
        assert len({str(trace.states) for trace in traces if trace is not None}) == len(traces) <= MOST
        by_end = [tuple(trace.states[-1][name] for name in oracle.names) for trace in traces if trace is not None]
        assert len(set(by_end[: len(ends)])) == len(ends)  # other ends first, then other paths
        counts.add((len(ends), len(traces)))
    assert (0, 0) in counts and len(counts) > 2
