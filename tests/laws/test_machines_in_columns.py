"""Machines over arrays against the interpreter: states, steps, values of expressions, and errors."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace

from campaigns import blocks
from coarsest import tuning
from coarsest.errors import InputError
from coarsest.logic.expr import Expr, Name, Value, Word
from coarsest.model.interpret.interpret import Interpreter, Values
from coarsest.model.interpret.values import ValueChoice
from coarsest.model.machine import Kind, Machine, Variable
from coarsest.model.types import Boolean, Enumeration, Range, Type, WordType
from coarsest.run import Run
from coarsest.space.columns.column import NotInColumns, ValueColumn
from coarsest.space.columns.explore import Exploration
from coarsest.space.columns.frame import ColumnFrame, Vocabulary
from coarsest.space.columns.successors import Successors
from random_expressions import ALL_TYPES, Expressions, apply, const
from random_machines import random_arithmetic_machine, random_graph_machine, random_machine, seeded_machine, spoil

Listed = tuple[set[Values], set[Values], set[tuple[Values, Values]]]
"""Initial states, states and steps."""

MACHINES: dict[str, Callable[[int], Machine]] = {
    "seeded": seeded_machine,
    "arithmetic": lambda seed: random_arithmetic_machine(Random(seed)),
    "graph": lambda seed: random_graph_machine(Random(seed)),
    "large": lambda seed: random_machine(Random(seed), state_bits=8, input_bits=4),
}


def by_interpreter(machine: Machine) -> Listed:
    interpreter = Interpreter(machine)
    initial = set(interpreter.initial_values())
    states, steps = dict.fromkeys(initial), set()
    waiting = list(states)
    for state in waiting:
        for _, after in interpreter.successor_values(state):
            steps.add((state, after))
            if after not in states:
                states[after] = None
                waiting.append(after)
    return initial, set(states), steps


def in_columns(machine: Machine) -> Listed:
    exploration = Exploration(machine, Run())
    exploration.finish()
    rows = [exploration.packing.state(key) for key in exploration.table.states.tolist()]
    graph = exploration.graph()
    steps = list(zip(graph.sources.tolist(), graph.targets.tolist()))
    assert len(set(rows)) == len(rows) == exploration.met
    assert len(set(steps)) == len(steps) == exploration.steps
    return set(rows[: exploration.initial]), set(rows), {(rows[a], rows[b]) for a, b in steps}


def outcome(explored: Callable[[Machine], Any], machine: Machine) -> Any:
    try:
        return explored(machine)
    except InputError as problem:
        return type(problem)


@pytest.mark.parametrize("block", blocks(20, by_day=2))
@pytest.mark.parametrize("kind", MACHINES)
def test_the_same_states_and_steps(kind: str, block: int) -> None:
    for seed in range(block * 25, (block + 1) * 25):
        machine = MACHINES[kind](seed)
        assert in_columns(machine) == by_interpreter(machine), seed


@pytest.mark.parametrize("seed", range(40))
@pytest.mark.parametrize(("batch", "rows", "unrolled"), [(1, 1, 1), (3, 2, 1), (2, 7, 4)])
def test_however_batches_are_cut(seed: int, batch: int, rows: int, unrolled: int, monkeypatch: pytest.MonkeyPatch) -> None:
    machine = MACHINES["large" if seed % 2 else "seeded"](seed)
    expected = by_interpreter(machine)
    monkeypatch.setattr(tuning, "BATCH_ROWS", batch)
    monkeypatch.setattr(tuning, "MOST_ROWS", rows)
    monkeypatch.setattr(tuning, "UNROLLED", unrolled)
    assert in_columns(machine) == expected


@pytest.mark.parametrize("block", blocks(20, by_day=2))
def test_the_same_errors(block: int) -> None:
    """Of equations. Where constraints leave states out, it depends on the order of tests which errors are met."""
    errors = 0
    for seed in range(block * 50, (block + 1) * 50):
        machine = spoil(Random(seed), seeded_machine(seed))
        machine = replace(machine, initial_constraints=(), invariant_constraints=(), transition_constraints=())
        expected, actual = outcome(by_interpreter, machine), outcome(in_columns, machine)
        errors += isinstance(actual, type) and actual is not NotInColumns
        assert actual == expected or actual is NotInColumns, seed
    assert errors


# Values of expressions

TYPES: dict[str, Type] = {
    **ALL_TYPES,
    "n2": Range(-40_000, 40_000),
    "n3": Range(5, 5),
    **{f"{'s' if signed else 'u'}{width}": WordType(width, signed) for width in (8, 33, 64) for signed in (False, True)},
}
EXTREMES = (0, 1, -1, -2)


def some_value(random: Random, kind: Type) -> Value:
    match kind:
        case Boolean():
            return random.random() < 0.5
        case Range(low, high):
            return random.choice([low, high, random.randint(low, high)])
        case Enumeration(members):
            return random.choice(members)
        case WordType(width, signed):
            number = random.choice([*EXTREMES, 1 << (width - 1), random.getrandbits(width)])
            return Word.of(number, width, signed=signed)
    raise AssertionError(kind)


def read(vocabulary: Vocabulary, options: Any, row: int) -> set[tuple[type, Value]]:
    """The values that an expression may have in a row."""
    result: set[tuple[type, Value]] = set()
    for condition, single in options:
        if condition.data if isinstance(condition.data, bool) else condition.data[row]:
            data = single.data if isinstance(single, ValueColumn) else single.where.data
            datum = data.item(row % data.size) if isinstance(data, np.ndarray) else data
            value: Value = datum
            if isinstance(single, ValueColumn) and single.kind == "word":
                assert 0 <= datum < 1 << single.width
                value = Word(datum, single.width, single.signed)
            elif isinstance(single, ValueColumn) and single.kind == "atom":
                value = vocabulary.atoms.values[datum]
            elif isinstance(single, ValueColumn):
                assert single.low <= datum <= single.high
            else:
                value = bool(datum)
            result.add((value.__class__, value))
    return result


def expected_of(interpreter: Interpreter, expr: Expr, state: dict[str, Value]) -> Any:
    try:
        value = interpreter.value(expr, state)
    except InputError:
        return None
    values = value if isinstance(value, ValueChoice) else (value,)
    return {(one.__class__, one) for one in values}


def check_expression(expr: Expr, random: Random) -> bool:
    """Has it, in random states, the values that the interpreter finds? Gives False if arrays cannot hold it."""
    machine = Machine("m", {name: Variable(name, kind) for name, kind in TYPES.items()})
    states = [{name: some_value(random, kind) for name, kind in TYPES.items()} for _ in range(12)]
    vocabulary = Vocabulary(machine)
    keys = [vocabulary.packing.key(state) for state in states]
    words = tuple(np.array([key[place] for key in keys], dtype=np.uint64) for place in range(vocabulary.packing.words))
    assert [vocabulary.packing.state(key) for key in keys] == [tuple(state.values()) for state in states]
    frame = ColumnFrame(vocabulary, words)
    try:
        options = frame.options(expr, after=False)
    except NotInColumns:
        return False
    undefined = frame.undefined(expr).data
    interpreter = Interpreter(machine)
    for row, state in enumerate(states):
        expected = expected_of(interpreter, expr, state)
        lacks = undefined if isinstance(undefined, bool) else bool(undefined[row])
        assert lacks == (expected is None), (expr, state)
        assert lacks or read(vocabulary, options, row) == expected, (expr, state)
    return True


@pytest.mark.parametrize("block", blocks(20, by_day=3))
def test_the_same_values(block: int) -> None:
    """Of all operators, with guarded divisions and without."""
    checked, number = 0, 60
    for seed in range(block * number, (block + 1) * number):
        random = Random(seed)
        expressions = Expressions(random, {**ALL_TYPES, "n2": TYPES["n2"], "n3": TYPES["n3"]})
        kind = random.choice(list(ALL_TYPES.values()))
        expr = expressions.choice(kind, random.randint(1, 4))
        if random.random() < 0.3:
            expr = apply(random.choice(["/", "mod"]), Name("n2"), expressions.integer(2))
        elif random.random() < 0.1:
            expr = apply("case", expressions.boolean(2), expr)
        checked += check_expression(expr, random)
    assert checked > number // 2


@pytest.mark.parametrize("width", [1, 2, 8, 9, 16, 31, 32, 33, 63, 64])
@pytest.mark.parametrize("signed", [False, True])
def test_words_of_any_width(width: int, signed: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    word = WordType(width, signed)
    monkeypatch.setitem(TYPES, "a", word)
    monkeypatch.setitem(TYPES, "b", word)
    monkeypatch.setitem(TYPES, "d", Range(0, width))
    a, b, d = Name("a"), Name("b"), Name("d")
    binary = [
        "+",
        "-",
        "*",
        "/",
        "mod",
        "min",
        "max",
        "and",
        "or",
        "xor",
        "xnor",
        "implies",
        "iff",
        "=",
        "!=",
        "<",
        "<=",
        ">",
        ">=",
    ]
    exprs: list[Expr] = [apply(op, a, b) for op in binary]
    exprs += [apply(op, a) for op in ("not", "neg", "abs", "signed", "unsigned", "bool")]
    exprs += [apply(op, a, d) for op in ("<<", ">>")]
    exprs += [apply("resize", a, const(to)) for to in (1, width, 64)] + [apply("bits", a, const(width - 1), const(width // 2))]
    exprs += [apply("toint", a)] if signed or width < 64 else []
    exprs += [apply("::", a, apply("bits", b, const(0), const(0))), apply("extend", a, const(1))] if width < 64 else []
    for number, expr in enumerate(exprs):
        assert check_expression(expr, Random(number)), expr


# What arrays cannot hold


def refusal(machine: Machine) -> str:
    with pytest.raises(NotInColumns) as problem:
        Successors(machine)
    return problem.value.diagnostic.message


def test_what_is_refused() -> None:
    wide = Machine("m", {"x": Variable("x", WordType(65))})
    assert refusal(wide) == "arrays cannot hold words of 65 bits: 64 are the most"
    numbers = {f"n{place}": Variable(f"n{place}", Range(0, 999)) for place in range(4)}
    first, second, third, fourth = (apply("next", Name(name)) for name in numbers)
    total = apply("=", apply("+", apply("+", first, second), apply("+", third, fourth)), const(7))
    message = refusal(Machine("m", numbers, transition_constraints=(total,)))
    assert message == "a step has 1,000,000,000,000 candidates, too many to be tried one by one"


def test_a_wrong_value_comes_with_a_state() -> None:
    step = apply("+", Name("x"), Name("i"))
    kinds = {"x": Variable("x", Range(0, 3)), "i": Variable("i", Range(0, 1), Kind.INPUT)}
    machine = Machine("m", kinds, initial_values={"x": const(0)}, next_values={"x": step})
    with pytest.raises(InputError) as problem:
        in_columns(machine)
    assert problem.value.diagnostic.message == "the value 4 for next(x) is outside its type 0..3"
    assert problem.value.diagnostic.hint == "it arises where x = 3, i = 1"
