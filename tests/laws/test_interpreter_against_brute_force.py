"""The interpreter gives every expression the value that the definitions give it, and every machine its states and steps."""

from __future__ import annotations

from contextlib import suppress
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from campaigns import blocks
from coarsest.errors import InputError, ModelProblem
from coarsest.logic.expr import Apply, Expr, Value, Word, subexpressions
from coarsest.model.interpret.interpret import Interpreter
from coarsest.model.interpret.values import ValueChoice
from coarsest.model.machine import Kind, Machine, Variable
from coarsest.model.types import Boolean, Enumeration, Range, Type, WordType
from evaluation import evaluate
from oracles.brute_force import BruteForce, possible
from random_expressions import OPERATORS, Expressions, apply, const
from random_machines import (
    ill_formed_machines,
    machines,
    random_machine,
    relational_machines,
    scheduled_machines,
    seeded_machine,
    spoil,
)

VARIABLES: dict[str, Type] = {
    "b0": Boolean(),
    "b1": Boolean(),
    "n0": Range(0, 7),
    "n1": Range(-3, 2),
    "e0": Enumeration(("red", "green", "blue")),
    "e1": Enumeration(("red", 0, 1, 5)),
    "e2": Enumeration((1, 3, -2)),
    **{f"{'s' if signed else 'u'}{width}": WordType(width, signed) for width in (1, 2, 3) for signed in (False, True)},
}
MACHINE = Machine("all types", {name: Variable(name, kind) for name, kind in VARIABLES.items()})
SEEDS = 1200


def tagged(values: Any) -> set[tuple[str, Any]]:
    """As a set in which TRUE is not 1."""
    return {(type(value).__name__, value) for value in values}


def random_expression(random: Random, depth: int = 4) -> Expr:
    expressions = Expressions(random, VARIABLES, after=VARIABLES)
    kind = random.choice([*VARIABLES.values(), Range(-10, 10), WordType(2, signed=True)])
    return expressions.choice(kind, depth) if random.random() < 0.5 else expressions.of(kind, depth)


def random_state(random: Random) -> dict[str, Value]:
    return {name: random.choice(list(kind.values())) for name, kind in VARIABLES.items()}


def agree(expr: Expr, random: Random) -> None:
    interpreter = Interpreter(MACHINE)
    for _ in range(3):
        now, after = random_state(random), random_state(random)
        expected = possible(expr, MACHINE, {**now, **{f"{name}'": value for name, value in after.items()}})
        found = interpreter.value(expr, now, after)
        assert tagged(found if isinstance(found, ValueChoice) else [found]) == tagged(expected)


@pytest.mark.parametrize("block", blocks(4, by_day=2))
def test_random_expressions(block: int) -> None:
    for seed in range(block * SEEDS // 4, (block + 1) * SEEDS // 4):
        random = Random(seed)
        agree(random_expression(random), random)


@given(st.randoms(use_true_random=False), st.integers(0, 2**32))
@settings(max_examples=100, deadline=None)
def test_random_expressions_that_shrink(random: Random, seed: int) -> None:
    agree(random_expression(random, depth=3), Random(seed))


def test_every_operator_is_among_the_random_expressions() -> None:
    used: set[str] = set()
    on_words: set[str] = set()
    for seed in range(SEEDS):
        for part in subexpressions(random_expression(Random(seed))):
            if isinstance(part, Apply):
                used.add(part.op)
                with suppress(ModelProblem):  # of a part that another guards
                    if isinstance(evaluate(part.args[0], MACHINE, first_state(), first_state()), Word):
                        on_words.add(part.op)
    assert used == set(OPERATORS)
    assert on_words >= {"not", "and", "or", "xor", "xnor", "implies", "iff", "=", "!=", "<", "<=", ">", ">="}
    assert on_words >= {"neg", "+", "-", "*", "/", "mod", "abs", "min", "max", "set", "union", "in"}


def first_state() -> dict[str, Value]:
    return {name: next(iter(kind.values())) for name, kind in VARIABLES.items()}


@pytest.mark.parametrize("op", ["+", "-", "*", "/", "mod", "<", "<=", "min", "max"])
@pytest.mark.parametrize("signed", [False, True])
def test_arithmetic_of_all_words_of_three_bits(op: str, signed: bool) -> None:
    for a in WordType(3, signed).values():
        for b in WordType(3, signed).values():
            if op in {"/", "mod"} and isinstance(b, Word) and b.bits == 0:
                continue
            expr = apply(op, const(a), const(b))
            assert [evaluate(expr, MACHINE, {})] == possible(expr, MACHINE, {})


def compare_machine(machine: Machine) -> None:
    oracle, interpreter = BruteForce(machine), Interpreter(machine)
    states = list(interpreter.all_values())
    assert len(states) == len(set(states))
    assert set(states) == set(oracle.states)
    assert set(interpreter.initial_values()) == set(oracle.initial)
    steps = [(state, inputs, after) for state in states for inputs, after in interpreter.successor_values(state)]
    assert len(steps) == len(set(steps))
    assert {(before, after) for before, _, after in steps} == set(oracle.steps)
    input_names = [v.name for v in interpreter.input_variables]
    for before, inputs, after in steps:
        assert oracle.is_step(before, dict(zip(input_names, inputs)), after)


@pytest.mark.parametrize("block", blocks(4, by_day=2))
def test_random_machines(block: int) -> None:
    for seed in range(block * 60, (block + 1) * 60):
        compare_machine(seeded_machine(seed))


@given(machines | scheduled_machines | relational_machines)
@settings(max_examples=40, deadline=None)
def test_random_machines_that_shrink(machine: Machine) -> None:
    compare_machine(machine)


@pytest.mark.parametrize("seed", range(40))
def test_single_states_and_steps(seed: int) -> None:
    """Asked about a state or a step, the interpreter says yes exactly where it is one, and gives a reason otherwise."""
    machine = random_machine(Random(seed), state_bits=4)
    oracle, interpreter = BruteForce(machine), Interpreter(machine)
    everything = list(Interpreter(Machine("free", machine.variables)).all_values())
    of_inputs = Interpreter(Machine("inputs", dict(inputs_as_state(machine))))
    inputs = list(map(of_inputs.assignment, of_inputs.all_values()))
    steps = set(oracle.steps)
    for before in everything:
        state = interpreter.assignment(before)
        assert (interpreter.why_not_state(state) is None) == (before in oracle.states)
        assert (interpreter.why_not_initial(state) is None) == (before in oracle.initial)
        for after in everything:
            answers = [interpreter.why_not_step(state, given, interpreter.assignment(after)) for given in inputs]
            assert (None in answers) == ((before, after) in steps)
            assert all(answer is None or len(answer) > 5 for answer in answers)


def inputs_as_state(machine: Machine) -> list[tuple[str, Variable]]:
    return [(v.name, Variable(v.name, v.type)) for v in machine.of_kind(Kind.INPUT)]


def test_shuffled_enumeration_finds_the_same() -> None:
    for seed in range(30):
        interpreter = Interpreter(seeded_machine(seed))
        states = list(interpreter.all_values())
        assert sorted(map(repr, interpreter.all_values(Random(7)))) == sorted(map(repr, states))
        for state in states[:3]:
            shuffled = interpreter.successor_values(state, Random(7))
            assert sorted(map(repr, shuffled)) == sorted(map(repr, interpreter.successor_values(state)))


def visit(machine: Machine) -> None:
    interpreter = Interpreter(machine)
    list(interpreter.initial_values())
    for state in interpreter.all_values():
        list(interpreter.successor_values(state))


@given(ill_formed_machines())
@settings(max_examples=60, deadline=None)
def test_ill_formed_machines_give_diagnostics(machine: Machine) -> None:
    try:
        visit(machine)
    except InputError as problem:
        assert str(problem)


def test_most_ill_formed_machines_are_noticed() -> None:
    noticed = 0
    for seed in range(100):
        random = Random(seed)
        try:
            visit(spoil(random, random_machine(random, state_bits=4)))
        except InputError:
            noticed += 1
    assert noticed >= 50


@pytest.mark.parametrize(
    ("module", "constant", "value"),
    [
        ("coarsest.tuning", "WEAKENED_PARTS", -1),  # every disjunction is split, and no constraint is weakened
        ("coarsest.model.interpret.solutions", "LARGEST_SHUFFLED", 1),  # every type is large
        ("coarsest.model.interpret.compile", "NESTING", 2),  # every expression is deep
    ],
)
def test_what_is_for_large_machines_is_right_on_small_ones(
    module: str, constant: str, value: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(f"{module}.{constant}", value)
    for seed in range(300, 350):
        machine = seeded_machine(seed)
        compare_machine(machine)
        interpreter = Interpreter(machine)
        found = sorted(map(repr, interpreter.all_values(Random(seed))))
        assert found == sorted(map(repr, interpreter.all_values()))
