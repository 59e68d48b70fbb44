"""What the symbolic encoding of an expression gives in a state is what the interpreter gives there."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from coarsest.encode.encode import Encoder
from coarsest.encode.values import Boole, Integer, MemberTable, SymbolicChoice, WordBits
from coarsest.logic.expr import Expr, Value, Word
from coarsest.model.interpret.interpret import Interpreter
from coarsest.model.interpret.values import ValueChoice
from coarsest.model.machine import Machine, Variable
from coarsest.model.types import Range
from coarsest.run import Run
from coarsest.space.bdd.build import BuildOptions, build
from random_expressions import ALL_TYPES, Expressions

MACHINE = Machine("all types", {name: Variable(name, kind) for name, kind in ALL_TYPES.items()})
INTERPRETER = Interpreter(MACHINE)
EXPRESSIONS = 800


def new_encoder(engine: str) -> Encoder[Any]:
    return build(MACHINE, Run(), BuildOptions(bdd=engine, relation="clustered")).encoder


def values_at(encoder: Encoder[Any], symbolic: Any, bits: dict[int, bool]) -> list[Value]:
    """The values a symbolic value has under an assignment of bits."""

    def holds(function: Any) -> bool:
        return bool(encoder.manager.evaluate(function, bits))

    match symbolic:
        case Boole(where):
            return [holds(where)]
        case Integer(vector):
            return [Word(sum(1 << i for i, bit in enumerate(vector) if holds(bit)), len(vector), signed=True).value]
        case WordBits(vector, signed):
            return [Word(sum(1 << i for i, bit in enumerate(vector) if holds(bit)), len(vector), signed)]
        case MemberTable(where):
            return [value for value, here in where.items() if holds(here)]
        case SymbolicChoice(options):
            return [value for here, single in options if holds(here) for value in values_at(encoder, single, bits)]
    raise AssertionError(symbolic)


def tagged(values: Any) -> set[tuple[str, Any]]:
    return {(type(value).__name__, value) for value in values}


def check(encoder: Encoder[Any], expr: Expr, random: Random) -> None:
    symbolic = encoder.value(expr)
    for _ in range(4):
        now, after = ({name: random.choice(list(kind.values())) for name, kind in ALL_TYPES.items()} for _ in range(2))
        bits: dict[int, bool] = {}
        for name, variable in MACHINE.variables.items():
            bits |= encoder.layout.literals(variable, now[name])
            bits |= encoder.layout.literals(variable, after[name], after=True)
        expected = INTERPRETER.value(expr, now, after)
        found = values_at(encoder, symbolic, bits)
        assert tagged(found) == tagged(expected if isinstance(expected, ValueChoice) else [expected])
        assert not encoder.manager.evaluate(encoder.undefined(expr), bits)


def random_expression(random: Random) -> Expr:
    expressions = Expressions(random, ALL_TYPES, after=ALL_TYPES)
    kind = random.choice([*ALL_TYPES.values(), Range(-10, 10)])
    return expressions.choice(kind, 3) if random.random() < 0.4 else expressions.of(kind, 3)


@pytest.mark.parametrize("engine", ["oxidd", "cudd"])
@pytest.mark.parametrize("block", range(2))
def test_random_expressions(engine: str, block: int) -> None:
    encoder = new_encoder(engine)
    for seed in range(block * EXPRESSIONS // 2, (block + 1) * EXPRESSIONS // 2):
        random = Random(seed)
        check(encoder, random_expression(random), random)


@given(st.randoms(use_true_random=False), st.integers(0, 2**32))
@settings(max_examples=60, deadline=None)
def test_random_expressions_that_shrink(random: Random, seed: int) -> None:
    check(new_encoder("oxidd"), random_expression(random), Random(seed))
