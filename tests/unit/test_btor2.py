"""BTOR2: every operator has the value that its definition gives it, and what is decided is what the states say one by one."""

from __future__ import annotations

from itertools import product

import pytest

import coarsest
from coarsest.formats.btor2.read import read
from coarsest.formats.btor2.shapes import SHAPES
from coarsest.logic.expr import Name, Value, Word
from coarsest.model.checks.typecheck import TypeChecker
from coarsest.model.interpret.interpret import Interpreter
from coarsest.model.machine import Machine
from coarsest.text import Source
from oracles import btor2_words as oracle
from random_btor2 import OPERATORS, one_operator, random_btor2


def machine_of(text: str) -> Machine:
    return read(Source("m.btor2", text))


def held(value: oracle.Value, sort: tuple[int, int]) -> Value:
    assert isinstance(value, int)
    return Word(value, sort[0]) if sort[0] > 1 else bool(value)


def test_all_operators_are_tried() -> None:
    rest = {"input", "state", "init", "next", "bad", "constraint", "fair", "justice", "output", "read", "write"}
    constants = {"const", "constd", "consth", "zero", "one", "ones"}
    assert set(OPERATORS) == set(SHAPES) - rest - constants


@pytest.mark.parametrize("tag", OPERATORS)
@pytest.mark.parametrize("width", range(1, 6))
def test_operators(tag: str, width: int) -> None:
    """On all values of the operands, the interpreter gives what Python's numbers give."""
    for seed in range(2):
        text = one_operator(tag, width, seed)
        definition, machine = oracle.Model(text), machine_of(text)
        TypeChecker(machine.variables, machine.definitions.get).type_of(Name(machine.outputs[0]))
        (output,) = definition.tagged("output")
        result = definition.lines[abs(output.args[0])].sort
        interpreter = Interpreter(machine)
        for inputs in product(*(oracle.values_of(line.sort) for line in definition.inputs)):
            given = {name: held(value, line.sort) for name, value, line in zip(machine.variables, inputs, definition.inputs)}
            expected = held(oracle.at(definition, (), inputs).of(output.args[0]), result)
            assert interpreter.value(Name(machine.outputs[0]), {}, None, given) == expected, (text, given)


@pytest.mark.parametrize("arrays", [False, True])
@pytest.mark.parametrize("seed", range(50))
def test_verdicts(seed: int, arrays: bool) -> None:
    text = random_btor2(seed, arrays=arrays)
    definition, model = oracle.Model(text), coarsest.loads(text, format="btor2")
    bad = [oracle.is_bad(definition, number) for number in range(len(definition.bad))]
    recurs = [oracle.can_recur(definition, number) for number in range(len(definition.justice))]
    answers = model.check().answers if model.properties else ()
    assert [answer.verdict.word for answer in answers] == ["fails" if fails else "holds" for fails in (*bad, *recurs)], text
    assert all(answer.confirmed for answer in answers)
