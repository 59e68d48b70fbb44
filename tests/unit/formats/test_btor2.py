"""BTOR2: every operator has the value that its definition gives it, and what is decided is what the states say one by one."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest

import coarsest
from coarsest.errors import Unsupported
from coarsest.formats.btor2.read import read
from coarsest.formats.btor2.shapes import SHAPES
from coarsest.formats.smv.write import write
from coarsest.logic.expr import Name, Value, Word
from coarsest.logic.show import show
from coarsest.model.checks.typecheck import TypeChecker
from coarsest.model.interpret.interpret import Interpreter
from coarsest.model.machine import Machine
from coarsest.render.data.btor2_witness import witness_to_text
from coarsest.text import Source
from command_lines import Runner
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
def test_verdicts_and_witnesses(seed: int, arrays: bool) -> None:
    text = random_btor2(seed, arrays=arrays)
    definition, model = oracle.Model(text), coarsest.loads(text, format="btor2")
    bad = [oracle.is_bad(definition, number) for number in range(len(definition.bad))]
    recurs = [oracle.can_recur(definition, number) for number in range(len(definition.justice))]
    answers = model.check().answers if model.properties else ()
    assert [answer.verdict.word for answer in answers] == ["fails" if fails else "holds" for fails in (*bad, *recurs)], text
    for answer, claim in zip(answers, model.properties):
        if isinstance(answer.verdict, coarsest.Fails):
            assert answer.confirmed
            assert answer.verdict.trace is not None
            oracle.replay(definition, witness_to_text(answer.verdict.trace, model.machine, claim))


@pytest.mark.parametrize("seed", range(100, 110))
def test_the_same_in_smv(seed: int) -> None:
    """Written as SMV, where every operator has to be spelled, a model has the same verdicts."""
    model = coarsest.loads(random_btor2(seed, arrays=seed % 2 == 0), format="btor2")
    again = coarsest.loads(write(model.machine), format="smv")
    words = [[answer.verdict.word for answer in one.check().answers] if one.properties else [] for one in (model, again)]
    assert words[0] == words[1]
    assert again.reach().states == model.reach().states


COUNTER = Path(__file__).parents[3] / "examples" / "counter.btor2"


def test_names_kinds_and_types() -> None:
    """States without `next` are inputs, unless something begins with what they are; names are symbols that are free."""
    lines = ["1 sort bitvec 1", "2 sort bitvec 3", "3 input 2 a", "4 state 2 a", "5 input 2", "6 state 2 b", "7 init 2 6 5"]
    machine = machine_of("\n".join([*lines, "8 state 2", "9 next 2 8 8", "10 inc 2 8 more", "11 output -10 a"]))
    kinds = {name: str(variable.kind) for name, variable in machine.variables.items()}
    assert kinds == {"a": "input", "state_4": "input", "input_5": "state", "b": "state", "state_8": "state"}
    assert str(machine.variables["a"].type) == "unsigned word[3]"
    assert machine.outputs == ("output_0",)
    assert show(machine.definitions["output_0"]) == "!more"
    assert "b" not in machine.next_values


def test_a_constraint_counts_up_to_the_bad_moment_and_no_further() -> None:
    lines = ["1 sort bitvec 1", "2 input 1 go", "3 zero 1", "4 state 1 on", "5 init 1 4 3", "6 next 1 4 2", "7 constraint -4"]
    answers = coarsest.loads("\n".join([*lines, "8 bad 4", "9 bad 2"]), format="btor2").check().answers
    assert [answer.verdict.word for answer in answers] == ["holds", "fails"]


def test_shared_lines_stay_shared() -> None:
    """Five thousand lines, each of which is read twice by the next one."""
    lines = ["1 sort bitvec 2", "2 sort bitvec 1", "3 zero 1", "4 state 1", "5 init 1 4 3", "6 inc 1 4"]
    lines += [f"{number} {('and', 'or')[number % 2]} 1 {number - 1} {number - 1}" for number in range(7, 5007)]
    model = coarsest.loads("\n".join([*lines, "5007 next 1 4 5006", "5008 redand 2 4", "5009 bad 5008"]), format="btor2")
    (answer,) = model.check().answers
    assert isinstance(answer.verdict, coarsest.Fails)
    assert answer.verdict.trace is not None
    assert len(answer.verdict.trace) == 4


def test_arrays_that_are_too_large() -> None:
    lines = ["1 sort bitvec 12", "2 sort array 1 1", "3 state 2", "4 input 1"]
    lines += [f"{number} write 2 {number - 1 if number > 5 else 3} 4 4" for number in range(5, 5 + 64)]
    with pytest.raises(Unsupported, match="too many lines about large arrays"):
        machine_of("\n".join(lines))


def test_witnesses_on_the_command_line(run: Runner) -> None:
    answer = run("check", str(COUNTER), "--property", "reaches_six", "--trace", "btor2")
    assert answer.code == 1
    oracle.replay(oracle.Model(COUNTER.read_text()), answer.out)
    assert run("check", str(COUNTER), "--property", "reaches_six", "-o", "cex.wit").code == 1
    assert Path("cex.wit").read_text() == answer.out
    assert "and `!go` is none" in run("check", str(COUNTER), "!go", "-o", "cex.wit").err
    assert "`value` is of type unsigned word[3]" in run("check", str(COUNTER), "--trace", "aiger").err
    Path("counter.smv").write_text("MODULE main VAR n : 0..3; INVARSPEC n < 3")
    assert "is for a model in BTOR2" in run("check", "counter.smv", "--trace", "btor2").err
