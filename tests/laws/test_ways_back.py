"""Every change of a machine knows the way back: its traces become traces of the machine that it was made from."""

from __future__ import annotations

from random import Random

import pytest

from coarsest.evidence.replay.lasso import confirm_steps
from coarsest.evidence.replay.replay import confirm_trace
from coarsest.logic.expr import Name
from coarsest.model.interpret.interpret import Interpreter
from coarsest.model.machine import Machine
from coarsest.model.parts.cone_of_influence import restrict_to
from coarsest.model.parts.part import Part, cone, promoted, watched
from coarsest.model.trace import Trace
from random_machines import random_condition, random_machine, random_scheduled_machine


def random_part(random: Random, machine: Machine) -> Part:
    part = Part(machine)
    for number in range(random.randint(1, 4)):
        match random.choice("cpw"):
            case "c":
                names = random.sample(sorted(part.machine.variables), min(2, len(part.machine.variables)))
                part = part.then(cone([Name(name) for name in names]))
            case "p":
                inputs = [v.name for v in part.machine.input_variables]
                part = part.then(promoted(frozenset(random.sample(inputs, random.randint(0, len(inputs))))))
            case "w":
                condition = random_condition(random, part.machine, inputs=True)
                part = part.then(watched(condition, f"watch.{number}"))
    return part


def random_trace(random: Random, machine: Machine, *, steps: int) -> Trace | None:
    """A walk by the interpreter; with a loop where it comes back to a state."""
    interpreter = Interpreter(machine)
    first = next(interpreter.initial_states(random), None)
    if first is None:
        return None
    states, inputs = [first], []
    for _ in range(steps):
        move = next(iter(interpreter.successors(states[-1], shuffle=random)), None)
        if move is None:
            break
        given, after = move
        inputs.append(given)
        if after in states and random.random() < 0.5:
            return Trace(tuple(states), tuple(inputs) if machine.input_variables else (), states.index(after))
        states.append(after)
    return Trace(tuple(states), tuple(inputs) if machine.input_variables else ())


@pytest.mark.parametrize("block", range(8))
def test_what_comes_back_is_a_trace(block: int) -> None:
    lassos = longer = 0
    for seed in range(40 * block, 40 * (block + 1)):
        random = Random(seed)
        make = random.choice((random_machine, random_scheduled_machine))
        machine = make(random)
        part = random_part(random, machine)
        trace = random_trace(random, part.machine, steps=5)
        if trace is None:
            continue
        back = part.back(trace)
        assert len(back) == len(trace)
        assert back.loop == trace.loop
        if back.loop is None:
            confirm_trace(machine, back, violates=None)
            longer += len(back) > 1
            continue
        lassos += 1
        own = frozenset(back.states[0]).union(*back.inputs[:1])
        confirm_steps(Interpreter(restrict_to(machine, own)), back)
    assert longer > 5
    assert lassos
