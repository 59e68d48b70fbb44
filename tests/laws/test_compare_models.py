"""Models are compared by their quotients: the answer is that of all their states, one by one, for every relation."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from random import Random

import pytest

import coarsest
from campaigns import blocks
from coarsest.api.comparing.compare import STEP
from coarsest.errors import CoarsestError, InputError
from coarsest.lts.compare.compare_graphs import compare_graphs
from coarsest.lts.labelled import Graph
from coarsest.lts.relations import names, relation_called
from coarsest.lts.staying import staying
from coarsest.model.interpret.interpret import Interpreter
from coarsest.model.machine import Machine
from coarsest.model.query.formula import parse_value
from random_machines import random_graph_machine

SEEDS_IN_A_BLOCK = 40
OBSERVED = ["s mod 2 = 0", "s = 3"]


def all_states(machine: Machine, actions: list[str]) -> Graph:
    """The reachable states, with what is seen of them, and of the steps."""
    interpreter = Interpreter(machine)
    labels = [parse_value(text, machine) for text in OBSERVED]
    numbers = {values: number for number, values in enumerate(dict.fromkeys(interpreter.initial_values()))}
    initial, waiting, steps = list(range(len(numbers))), list(numbers), []
    for values in waiting:
        for inputs, after in interpreter.successor_values(values):
            if after not in numbers:
                numbers[after] = len(numbers)
                waiting.append(after)
            seen = ", ".join(f"i = {str(value).upper()}" for value in inputs) if actions else "tau"
            steps.append((numbers[values], seen, numbers[after]))
    seen_of = [", ".join(str(interpreter.value(label, interpreter.assignment(values))) for label in labels) for values in numbers]
    names, label_names = sorted({action for _, action, _ in steps}), sorted(set(seen_of))
    return Graph.from_edges(
        len(numbers), [s for s, _, _ in steps], [names.index(a) for _, a, _ in steps], [t for _, _, t in steps], initial=initial,
        labels=[label_names.index(seen) for seen in seen_of], action_names=tuple(names) or ("",),
        label_names=tuple(label_names) or ("",),
    )  # fmt: skip


def pair_of_machines(seed: int) -> list[Machine]:
    found: list[Machine] = []
    random = Random(seed)
    inputs = random.random() < 0.5
    while len(found) < 2:
        machine = random_graph_machine(random, nodes=5)
        fits = [v.name for v in machine.input_variables] == ["i"] * inputs
        if not fits or machine.justice or machine.compassion:
            continue
        found.append(machine)
    return found


@cache
def systems(seed: int) -> tuple[list[coarsest.Model], list[Graph], list[str]]:
    """Two models, their graphs, and the inputs that are seen."""
    machines = pair_of_machines(seed)
    if seed % 2:
        machines[1] = machines[0]
    actions = ["i"] if machines[0].input_variables and seed % 3 else []
    return [coarsest.Model(machine) for machine in machines], [all_states(machine, actions) for machine in machines], actions


@pytest.mark.parametrize("by", names())
@pytest.mark.parametrize("block", blocks(3, by_day=1))
def test_as_all_states(by: str, block: int) -> None:
    related = 0
    for seed in range(block * SEEDS_IN_A_BLOCK, (block + 1) * SEEDS_IN_A_BLOCK):
        models, graphs, actions = systems(seed)
        if relation_called(by).fair and not actions:  # nothing tells a state that must stay from one that may
            graphs = [staying(graph, STEP) for graph in graphs]
        for preorder in (False, True) if by in names(preorder=True) else (False,):
            expected = compare_graphs(graphs[0], graphs[1], by=by, preorder=preorder).related
            found = coarsest.compare(models[0], models[1], by=by, preorder=preorder, observe=OBSERVED, actions=actions)
            assert found.related == expected, seed
            assert found.confirmed
            related += expected
    assert related < SEEDS_IN_A_BLOCK * 2


def test_a_model_and_what_reduce_wrote(tmp_path: Path) -> None:
    from coarsest.cli.app import main

    text = "MODULE main IVAR i : boolean; VAR n : 0..3; ASSIGN init(n) := {0, 2}; next(n) := i ? (n + 1) mod 4 : n;"
    path, small = tmp_path / "m.smv", tmp_path / "small.aut"
    path.write_text(text)
    for actions in ([], ["--actions", "i"]):
        observed = ["--observe", "n mod 2", *actions]
        assert main(["reduce", str(path), *observed, "-o", str(small), "--quiet"]) == 0
        assert main(["compare", str(path), str(small), *observed]) == 0
        assert main(["compare", str(small), str(path), *observed]) == 0
        assert main(["compare", str(small), str(path), "--observe", "n", *actions]) == 1


COUNTER = "MODULE main VAR n : 0..3; ASSIGN init(n) := 0; next(n) := (n + 1) mod 4;"


@pytest.mark.parametrize(
    ("first", "second", "observe", "words"),
    [
        (COUNTER, COUNTER, (), "nothing is observed"),
        (COUNTER + "INVARSPEC n < 4", COUNTER + "INVARSPEC n < 3", (), "`n < 4` is seen in the first only"),
        (COUNTER, COUNTER + "FAIRNESS n = 1", ("n",), "`n = 1` is seen in the second only"),
        (COUNTER, "MODULE main VAR m : 0..3;", ("n",), "`n` is not declared"),
    ],
)
def test_what_cannot_be_compared(first: str, second: str, observe: tuple[str, ...], words: str) -> None:
    with pytest.raises(CoarsestError, match=words):
        coarsest.compare(coarsest.loads(first), coarsest.loads(second), observe=observe)


def test_the_order_of_what_is_observed_does_not_matter() -> None:
    one, other = (coarsest.loads(COUNTER + f"INVARSPEC {x}; INVARSPEC {y}") for x, y in (("n < 4", "n > 1"), ("n > 1", "n < 4")))
    assert coarsest.compare(one, other).related


def test_only_models_are_observed() -> None:
    graph = coarsest.Graph.from_edges(1, [0], [0], [0])
    with pytest.raises(InputError, match="for models"):
        coarsest.compare(graph, graph, observe=["x"])


def test_a_large_model_with_few_classes() -> None:
    """The quotient is compared, but not all of 2^40 states are walked through."""
    bits = [f"b{number}" for number in range(40)]
    first = "MODULE main VAR " + "".join(f"{bit} : boolean; " for bit in bits) + f"DEFINE seen := {' xor '.join(bits)};"
    second = "MODULE main VAR x : boolean; DEFINE seen := x;"
    found = coarsest.compare(coarsest.loads(first), coarsest.loads(second), observe=["seen"])
    assert found.related
    assert not found.confirmed
