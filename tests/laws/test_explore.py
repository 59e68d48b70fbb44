"""States listed batch after batch up to the first violation, against the definition and against all states at once."""

from __future__ import annotations

from itertools import pairwise
from random import Random

import numpy as np
import pytest

import coarsest
from coarsest import tuning
from coarsest.evidence.verdict import Fails
from coarsest.logic.expr import Apply, Constant, Expr, Name, Value, conjunction
from coarsest.model.interpret.interpret import Interpreter
from coarsest.model.kinds import PropertyKind
from coarsest.model.machine import Machine, Property
from coarsest.run import Run
from coarsest.space.columns.explore import Exploration
from coarsest.space.explicit.enumerate import StateLister, StatesInColumns, StatesSoFar, lister
from oracles.brute_force import BruteForce
from random_expressions import Expressions
from random_machines import random_arithmetic_machine, random_machine, random_scheduled_machine, seeded_machine


def machine_of(seed: int) -> Machine:
    match seed % 4:
        case 0:
            return random_scheduled_machine(Random(seed), processes=2)
        case 1:
            return random_arithmetic_machine(Random(seed))
        case 2:
            return random_machine(Random(seed), state_bits=6, input_bits=3)
    return seeded_machine(5000 + seed)


def conditions(machine: Machine, seed: int, number: int) -> list[Expr]:
    expressions = Expressions(Random(seed), {v.name: v.type for v in machine.state_variables})
    return [expressions.boolean(3) for _ in range(number)]


@pytest.mark.parametrize("batch", [1, 3, 1 << 12])
@pytest.mark.parametrize("carrier", ["explicit", "bdd"])
def test_shortest_violations(batch: int, carrier: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two properties of one machine: the second one goes on with the list of the first."""
    monkeypatch.setattr(tuning, "BATCH_ROWS", batch)
    fails = 0
    for seed in range(24):
        machine = machine_of(seed)
        oracle, model = BruteForce(machine), coarsest.Model(machine)
        claims = [Property(PropertyKind.INVARIANT, good) for good in conditions(machine, seed, 2)]
        for claim, answer in zip(claims, model.check(*claims, engine="explore", carrier=carrier).answers):
            expected = oracle.shortest_counterexample(claim.formula)
            assert (answer.verdict.word, answer.confirmed) == ("holds" if expected is None else "fails", True), seed
            if isinstance(answer.verdict, Fails):
                assert answer.verdict.trace is not None
                assert len(answer.verdict.trace) == expected
                fails += 1
    assert 10 < fails < 40


@pytest.mark.parametrize("batch", [1, 2, 1 << 12])
def test_steps_that_are_listed_afterwards(batch: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tuning, "BATCH_ROWS", batch)
    for seed in range(40):
        at_once, afterwards = (Exploration(machine_of(seed), Run(), lists_steps=listed) for listed in (True, False))
        at_once.finish()
        afterwards.finish()
        assert at_once.steps == afterwards.steps
        assert at_once.graph().targets.tolist() == afterwards.graph().targets.tolist()
        assert at_once.graph().offsets.tolist() == afterwards.graph().offsets.tolist()
        without = [number for number, steps in enumerate(np.diff(at_once.graph().offsets).tolist()) if not steps]
        assert [number for some in afterwards.stuck for number in some.tolist()] == without


def path_by(states: StateLister, condition: Expr) -> list[dict[str, Value]]:
    end = states.first(condition)
    assert end is not None
    return [states.state(number) for number in states.path_to(end)]


def test_paths_by_both_listers() -> None:
    longest = 0
    for seed in range(40):
        machine = machine_of(seed)
        columns, interpreted = lister(machine, Run()), StatesSoFar(machine, Run())
        assert isinstance(columns, StatesInColumns)
        interpreter = Interpreter(machine)
        if not interpreted.space().initial:
            continue
        last = interpreter.assignment(interpreted.space().valuation.row(interpreted.met - 1))
        condition = conjunction([Apply("=", (Name(name), Constant(value))) for name, value in last.items()])
        paths = [path_by(columns, condition), path_by(interpreted, condition)]
        assert len(paths[0]) == len(paths[1])
        for path in paths:
            assert interpreter.why_not_initial(path[0]) is None
            assert all(interpreter.inputs_between(*step) is not None for step in pairwise(path))
            assert interpreter.satisfies(condition, path[-1])
        longest = max(longest, len(paths[0]))
    assert longest >= 2


def test_it_stops_at_the_first_violation() -> None:
    model = coarsest.loads("MODULE main VAR n : word[40]; ASSIGN init(n) := 0ud40_0; next(n) := n + 0ud40_1;")
    (answer,) = model.check("n != 0ud40_900", engine="explore").answers
    assert isinstance(answer.verdict, Fails) and answer.confirmed
    assert answer.verdict.trace is not None and len(answer.verdict.trace) == 901


def test_variables_without_bounds() -> None:
    """The interpreter lists their states, of which there may be few."""
    model = coarsest.loads("MODULE main VAR n : integer; ASSIGN init(n) := 0; next(n) := n < 90 ? n + 1 : 0;")
    answers = model.check("n < 40", "n <= 90", engine="explore").answers
    assert [answer.verdict.word for answer in answers] == ["fails", "holds"]
