"""Random designs: the machine's initial states and steps are those of an interpreter that walks the text."""

from itertools import product
from random import Random
from typing import Any

import pytest

from coarsest.formats.vis.parsing.parse import parse
from coarsest.formats.vis.read import machine_of
from coarsest.logic.expr import Apply, Expr, Value, Word, subexpressions
from coarsest.model.interpret.interpret import Interpreter
from coarsest.text import Source
from oracles.verilog_steps import Simulation
from random_verilog import RandomDesign

STEPS = 4


def plain(value: Value) -> Any:
    return value.bits if isinstance(value, Word) else int(value) if isinstance(value, bool) else value


def flat(state: dict[str, Any]) -> dict[str, Any]:
    """Arrays as their elements; what loops count with is no part of a state, nor are combinational registers."""
    values: dict[str, Any] = {}
    for name, value in state.items():
        if isinstance(value, list):
            values |= {f"{name}[{place}]": element for place, element in enumerate(value)}
        elif name not in ("k", "v"):
            values[name] = value
    return values


def choices_in(expr: Expr) -> list[Apply]:
    return [part for part in subexpressions(expr) if isinstance(part, Apply) and part.op == "$ND"]


@pytest.mark.parametrize("seed", range(60))
def test_steps_are_those_of_the_text(seed: int) -> None:
    agree(seed)


@pytest.mark.nightly
@pytest.mark.parametrize("hundred", range(100, 140))
def test_steps_of_many_designs(hundred: int) -> None:
    for seed in range(100 * hundred, 100 * hundred + 100):
        agree(seed)


def agree(seed: int) -> None:
    text = RandomDesign(seed).text()
    source = Source("random.v", text)
    interpreter = Interpreter(machine_of(source))
    design = parse(source)
    simulation = Simulation(design, design.modules["main"])
    simulation.begin()
    states = [{name: plain(value) for name, value in state.items()} for state in interpreter.initial_states()]
    assert states == [flat(simulation.state)], text
    state = next(interpreter.initial_states())
    random = Random(seed)
    free = [part for assignment in design.modules["main"].assignments for part in choices_in(assignment.value)]
    for _ in range(STEPS):
        before = simulation.state
        outside = random.randrange(1 << simulation.width_of("i"))
        expected = []
        for chosen in product(*(range(len(part.args)) for part in free)):
            simulation.state = before
            simulation.chosen = {id(part): place for part, place in zip(free, chosen)}
            simulation.step({"i": outside})
            expected.append((flat(simulation.state), simulation.state))
        steps = [after for inputs, after in interpreter.successors(state) if plain(inputs.get("i", outside)) == outside]
        shown = [{name: plain(value) for name, value in after.items()} for after in steps]
        assert {as_items(values) for values in shown} == {as_items(values) for values, _ in expected}, text
        state = random.choice(steps)
        values = {name: plain(value) for name, value in state.items()}
        simulation.state = next(whole for flattened, whole in expected if flattened == values)


def as_items(values: dict[str, Any]) -> frozenset[tuple[str, Any]]:
    return frozenset(values.items())
