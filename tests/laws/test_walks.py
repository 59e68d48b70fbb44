"""Walks through random machines: what is drawn are steps, all of them are drawn, and by clauses as by the interpreter."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from pathlib import Path
from random import Random

import pytest

import coarsest
from coarsest import tuning
from coarsest.evidence.replay.replay import confirm_trace
from coarsest.evidence.walk import walk
from coarsest.evidence.walk.walk import Step, Walker, random_walk
from coarsest.model.interpret.interpret import Interpreter
from coarsest.model.machine import Machine
from coarsest.run import Run
from random_machines import seeded_fair_machine, seeded_machine

FREE = "MODULE main VAR x : 0..3; y : boolean; IVAR i : 0..5; ASSIGN init(x):=0; next(x) := i > 4 ? 1 : {2, 3}; INVAR x = 0 -> y"


def shown(steps: list[Step]) -> list[str]:
    return sorted(map(repr, steps))


def expected(machine: Machine, state: walk.Assignment | None) -> list[Step]:
    interpreter = Interpreter(machine)
    return [({}, found) for found in interpreter.initial_states()] if state is None else list(interpreter.successors(state))


@pytest.mark.parametrize("seed", range(40))
def test_clauses_find_the_same_steps(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    machine = seeded_machine(seed, state_bits=4)
    monkeypatch.setattr("coarsest.tuning.WALK_VALUES_IN_VAIN", -10_000)  # the interpreter gives up at once
    walker, random = Walker(machine), Random(seed)
    state: walk.Assignment | None = None
    for _ in range(4):
        steps = list(walker.steps(state))
        assert shown(steps) == shown(expected(machine, state))
        drawn = walker.any_step(state, random)
        assert (drawn is None) == (not steps)
        if drawn is None:
            break
        assert drawn in steps
        state = drawn[1]


@pytest.mark.parametrize("seed", range(30))
def test_walks_are_traces(seed: int) -> None:
    machine = seeded_fair_machine(seed)
    trace = random_walk(machine, 8, Random(seed), Run())
    if not trace.states:
        assert not expected(machine, None)
        return
    confirm_trace(machine, trace, violates=None)
    assert len(trace) == 9 or not expected(machine, trace.states[-1])


@pytest.mark.parametrize("tried", [tuning.WALK_VALUES_IN_VAIN, -10_000])
def test_every_successor_is_drawn(tried: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("coarsest.tuning.WALK_VALUES_IN_VAIN", tried)
    walker, random = Walker(coarsest.loads(FREE).machine), Random(1)
    here, draws = {"x": 0, "y": True}, 600
    drawn = Counter(tuple(step[1].values()) for step in (walker.any_step(here, random) for _ in range(draws)) if step)
    assert set(drawn) == {(x, y) for x in (1, 2, 3) for y in (False, True)}
    assert min(drawn.values()) > draws / len(drawn) / 2


def test_among_many_all_values_have_a_chance() -> None:
    walker, random = Walker(coarsest.loads("MODULE main VAR x : 0..3; y : 0..9999;").machine), Random(1)
    drawn = [walker.any_step(None, random) for _ in range(200)]
    assert {step[1]["x"] for step in drawn if step} == {0, 1, 2, 3}
    assert len({step[1]["y"] // 1000 for step in drawn if step}) == 10  # type: ignore[operator]


def test_constraints_that_trying_does_not_solve() -> None:
    text = "MODULE main VAR a : 2..3000; b : 2..3000; INIT a * b = 2999 * 2969 TRANS next(a) * next(b) = a * b & next(a) != a"
    trace = coarsest.loads(text).simulate(steps=2)
    assert [state["a"] for state in trace.states] in ([2999, 2969, 2999], [2969, 2999, 2969])


def test_no_decision_diagram_is_built(tmp_path: Path) -> None:
    declared = "".join(f"v{i} : 0..99; " for i in range(40))
    steps = "".join(f"next(v{i}) := (v{i} * v{(i * 7 + 3) % 40} + {i}) mod 100; " for i in range(40))
    (tmp_path / "many.smv").write_text(f"MODULE main VAR {declared} ASSIGN {steps}")
    program = f"""
import sys
from coarsest.cli.app import main
code = main(["simulate", {str(tmp_path / "many.smv")!r}, "--steps", "3"])
sys.exit(code or any(name.startswith(("oxidd", "dd.", "coarsest.bdd.")) for name in sys.modules))
"""
    result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert (result.returncode, result.stderr) == (0, "")
