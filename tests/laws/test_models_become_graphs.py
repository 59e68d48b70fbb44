"""A model that is converted into a graph: its states, steps, actions and labels are those of the interpreter."""

from __future__ import annotations

from pathlib import Path
from random import Random

import numpy as np
import pytest

import coarsest
from coarsest.errors import InputError
from coarsest.logic.expr import Expr, Name
from coarsest.logic.show import show
from coarsest.model.interpret.interpret import Interpreter
from coarsest.model.machine import Machine
from coarsest.model.types import show_value
from coarsest.run import Run
from coarsest.space.explicit.graph_of_machine import graph_of
from random_expressions import Expressions
from random_machines import random_machine, seeded_machine


def label(machine: Machine, observed: list[Expr], values: dict[str, object]) -> str:
    interpreter = Interpreter(machine)
    texts = []
    for expr in observed:
        name = show(expr) if isinstance(expr, Name) else f"({show(expr)})"
        texts.append(f"{name} = {show_value(interpreter.value(expr, values))}")  # type: ignore[arg-type]
    return ", ".join(texts)


@pytest.mark.parametrize("seed", range(40))
def test_as_the_interpreter_says(seed: int) -> None:
    random = Random(seed)
    machine = seeded_machine(seed) if seed % 2 else random_machine(random, input_bits=3)
    inputs = [v.name for v in machine.input_variables if random.random() < 0.7]
    expressions = Expressions(random, {v.name: v.type for v in machine.state_variables})
    observed: list[Expr] = [Name(machine.state_variables[0].name), expressions.boolean(2)]
    interpreter = Interpreter(machine)
    states = list(interpreter.initial_states())
    if not states:
        with pytest.raises(InputError, match="no initial state"):
            graph_of(machine, inputs, observed, Run())
        return
    initial, steps, keys = len(states), set(), {tuple(state.values()): state for state in states}
    for state in states:
        for given, after in interpreter.successors(state):
            if tuple(after.values()) not in keys:
                keys[tuple(after.values())] = after
                states.append(after)
            name = ", ".join(f"{one} = {show_value(given[one])}" for one in inputs)
            steps.add((label(machine, observed, state), name, label(machine, observed, after)))
    graph = graph_of(machine, inputs, observed, Run())
    assert (graph.states, len(graph.initial)) == (len(states), initial)
    looks = np.array(graph.label_names)[graph.labels]
    assert sorted(looks) == sorted(label(machine, observed, state) for state in states)
    actions = np.array(graph.action_names)[graph.actions]
    assert set(zip(looks[graph.sources].tolist(), actions.tolist(), looks[graph.targets].tolist())) == steps


def test_reduced_as_the_model_is(tmp_path: Path) -> None:
    text = "MODULE main IVAR go : boolean; VAR n : 0..7; b : boolean; ASSIGN init(n) := 0; init(b) := FALSE;"
    text += " next(n) := go ? (n + 1) mod 8 : n; next(b) := {b, TRUE};"
    source = tmp_path / "model.smv"
    source.write_text(text)
    target = tmp_path / "graph.npz"
    coarsest.convert(str(source), str(target), observe=["n mod 2"]).write(target)
    graph = coarsest.read_graph(target)
    assert (graph.states, graph.transitions) == (16, 48)
    model = coarsest.load(str(source))
    assert "16 -> 2 states" in repr(graph.reduce())
    assert "16 -> 2 states" in repr(model.reduce(observe=["n mod 2 = 0"], actions=["go"]))


@pytest.mark.parametrize(
    ("output", "options", "message"),
    [
        ("x.smv", {"observe": ["n"]}, "--actions and --observe are for models that become graphs"),
        ("x.aut", {"actions": ["gi"]}, "the model has no input 'gi'"),
    ],
)
def test_refusals(tmp_path: Path, output: str, options: dict[str, list[str]], message: str) -> None:
    source = tmp_path / "model.smv"
    source.write_text("MODULE main IVAR go : boolean; VAR n : 0..7;")
    with pytest.raises(InputError, match=message):
        coarsest.convert(str(source), output, **options)  # type: ignore[arg-type]
