"""The interpreter on real models: random walks are traces, and explicit state counts are those that NuSMV found."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest

from coarsest.evidence.replay.replay import confirm_trace
from coarsest.files import read_contents
from coarsest.formats import read_machine
from coarsest.model.interpret.interpret import Interpreter
from coarsest.model.machine import Machine
from coarsest.model.trace import Trace
from coarsest.space.explicit.enumerate import enumerate_machine

BENCHMARKS = Path(__file__).parents[3] / "shared" / "benchmarks"
FEW_STATES, MORE_STATES = 1000, 7000


def oracles() -> dict[str, Any]:
    """What is known of the SMV models; one unknown model where the benchmarks are missing, so that a test can say so."""
    path = BENCHMARKS / "oracles.json"
    if not path.exists():
        return {"missing.smv": {"reachable": 0, "diameter": 0}}
    return {name: facts for name, facts in json.loads(path.read_text()).items() if name.endswith(".smv")}


def known(*, low: int, high: int) -> list[str]:
    return [name for name, facts in oracles().items() if low <= facts.get("reachable", high + 1) <= high]


def models() -> list[str]:
    """Models that NuSMV accepts: where it ran out of time, it had accepted them."""
    return [name for name, facts in oracles().items() if facts.get("nusmv_2_6_0", "complete") in {"complete", "time limit"}]


def load(name: str) -> Machine:
    path = BENCHMARKS / name
    if not path.exists():
        pytest.skip("shared benchmarks not present")
    return read_machine(read_contents(path))


@pytest.mark.parametrize("name", models())
def test_random_walks_are_traces(name: str) -> None:
    machine = load(name)
    interpreter, random = Interpreter(machine), Random(1)
    states = [next(interpreter.initial_states(random))]
    inputs: list[Any] = []
    for _ in range(15):
        step = next(interpreter.successors(states[-1], random), None)
        if step is None:
            break
        inputs.append(step[0])
        states.append(step[1])
    confirm_trace(machine, Trace(tuple(states), tuple(inputs)), violates=None)


def check_count(name: str) -> None:
    facts = oracles()[name]
    space = enumerate_machine(load(name))
    assert space.count(space.states) == facts["reachable"]
    rings, frontier, reached = 0, space.initial, space.initial
    while frontier:
        frontier = space.post(frontier) - reached
        reached = reached | frontier
        rings += 1
    assert reached == space.states
    assert rings == facts.get("diameter", rings)


@pytest.mark.parametrize("name", known(low=0, high=FEW_STATES))
def test_reachable_states(name: str) -> None:
    check_count(name)


@pytest.mark.nightly
@pytest.mark.parametrize("name", known(low=FEW_STATES + 1, high=MORE_STATES))
def test_more_reachable_states(name: str) -> None:
    check_count(name)
