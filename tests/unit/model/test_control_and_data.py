"""Control without data: for the true values of the tests it does what the program does, and chooses what that computes."""

from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import coarsest
from coarsest.errors import InputError
from coarsest.formats.lustre.read import read
from coarsest.logic.expr import Name
from coarsest.model.interpret.interpret import Interpreter
from coarsest.model.machine import Machine
from coarsest.model.parts.control_and_data import Control, control_of, is_data, next_of
from coarsest.reduce.controller.control_automaton import control_automaton
from coarsest.text import Source
from random_lustre import LustrePrograms

ROOT = Path(__file__).parents[3]
WATCH = ROOT.parent / "shared" / "benchmarks" / "lustre" / "velus-examples" / "original" / "new_watch.lus"


def require_same_steps(machine: Machine, control: Control, seed: int, steps: int = 15) -> None:
    """Along a random walk, what control says is what the interpreter finds."""
    random, program, small = Random(seed), Interpreter(machine), Interpreter(control.machine)
    here = next(program.initial_values(random))
    for _ in range(steps):
        found = next(program.successor_values(here, random), None)
        if found is None:
            return
        state, after = program.assignment(here), program.assignment(found[1])
        inputs = dict(zip((v.name for v in machine.input_variables), found[0]))
        tests = {name: program.value(expr, state, inputs=inputs) for name, expr in control.tests.items()}
        kept = {name: value for name, value in state.items() if name in control.machine.variables}
        told = {name: value for name, value in {**inputs, **tests}.items() if name in control.machine.variables}
        for name, expr in control.outputs.items():
            value = small.value(expr, kept, inputs=told)  # type: ignore[arg-type]
            if name in control.choices:
                value = program.value(control.choices[name][value], state, inputs=inputs)  # type: ignore[index]
            memory = next((v for v in machine.variables if next_of(v) == name), None)
            assert value == (program.value(Name(name), state, inputs=inputs) if memory is None else after[memory])
        for name, expr in control.machine.next_values.items():
            assert small.value(expr, kept, inputs=told) == after[name]  # type: ignore[arg-type]
        here = found[1]


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 2**32))
def test_random_programs(seed: int) -> None:
    try:
        machine = read(Source("r.lus", LustrePrograms(seed).text()))
        control = control_of(machine, {name: Name(name) for name in machine.outputs})
    except InputError:
        return  # a program that is refused, or one with too many cases
    assert not any(is_data(variable) for variable in control.machine.variables.values())
    require_same_steps(machine, control, seed)


@pytest.mark.parametrize(("name", "states", "minimal"), [("watch.lus", 321, 321), ("stopwatch.lus", 5, 5)])
def test_examples(name: str, states: int, minimal: int) -> None:
    machine = coarsest.load(ROOT / "examples" / name).machine
    control = control_of(machine, {output: Name(output) for output in machine.outputs})
    require_same_steps(machine, control, 1, steps=300)
    automaton = control_automaton(control.machine, outputs=control.outputs)
    assert (automaton.states_before, automaton.size) == (states, minimal)


@pytest.mark.skipif(not WATCH.exists(), reason="shared benchmarks not present")
def test_the_watch_of_1994_has_81_states_and_41_minimal() -> None:
    """As in the table of Bouajjani et al., whose compiler made states of boolean memories alone."""
    machine = coarsest.load(WATCH, format="lustre:ALARM_DURATION=3").machine
    control = control_of(machine, {output: Name(output) for output in machine.outputs})
    automaton = control_automaton(control.machine, outputs=control.outputs, cone=False)
    assert (automaton.states_before, automaton.size) == (81, 41)
