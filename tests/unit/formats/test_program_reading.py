"""Boolean programs as machines: the example of 1994, and random programs against their meaning."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import coarsest
from broken_texts import answers, with_words_replaced
from coarsest.errors import InputError, Unsupported
from coarsest.formats.program.parse import RESERVED, parse
from coarsest.formats.program.read import read
from coarsest.formats.smv.read import read as read_smv
from coarsest.formats.smv.write import write
from coarsest.model.interpret.interpret import Interpreter
from coarsest.model.machine import Kind, Machine
from coarsest.space.explicit.enumerate import enumerate_machine
from coarsest.text import Source
from oracles.programs import graph
from random_programs import Programs

EXAMPLE = Path(__file__).parents[3] / "examples" / "minimal.prog"


def machine_of(text: str) -> Machine:
    return read(Source("m.prog", text))


def test_the_example_of_1994_has_10_states_and_20_transitions() -> None:
    model = coarsest.load(EXAMPLE)
    space = enumerate_machine(model.machine)
    assert space.count(space.states) == model.reach().states == 10
    assert len(space.graph.targets) == 20
    assert space.count(space.initial) == 4
    assert space.count(space.where(model.formula("!output").formula)) == 2


def successors(machine: Machine) -> tuple[set[object], dict[object, set[object]]]:
    interpreter = Interpreter(machine)
    initial = set(interpreter.initial_values())
    steps: dict[object, set[object]] = {}
    waiting = list(initial)
    while waiting:
        here = waiting.pop()
        if here not in steps:
            steps[here] = {after for _, after in interpreter.successor_values(here)}
            waiting.extend(steps[here])
    return initial, steps


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**32))
def test_machines_do_what_programs_mean(seed: int) -> None:
    source = Source("m.prog", Programs(seed).text())
    try:
        machine = read(source)
    except Unsupported:
        return  # more values lost before the loop than are written out
    types = {variable.name: variable.type for variable in machine.state_variables}
    expected = graph(parse(source), types)
    assert successors(machine) == expected
    if seed % 8 == 0:
        assert successors(read_smv(Source("m.smv", write(machine)))) == expected


def test_inputs_and_outputs() -> None:
    machine = machine_of("read(a); loop write(a); read(a); write(not a); if a then read(a); write(a); end; end")
    assert [variable.name for variable in machine.of_kind(Kind.INPUT)] == ["a.read", "a.read2"]
    assert machine.outputs == ("output", "output2", "output3", "output3.written")


def test_a_value_outside_its_range_is_a_failed_property() -> None:
    model = coarsest.loads("var n : 0..3; n := 0; loop write(n); n := n + 1; end", format="program")
    (answer,) = model.check()
    assert answer.verdict.word == "fails"
    assert answer.verdict.trace.states[-1]["n"] == 3
    guarded = "var n : 0..3; n := 0; loop write(n); if n < 3 then n := n + 1; else n := 0; end; end"
    assert machine_of(guarded).properties == ()


def test_claims() -> None:
    text = "read(a, b); loop assume a or b; assert b or a; if a then assert b; end; read(a, b); end"
    answers = coarsest.loads(text, format="program").check()
    assert [answer.verdict.word for answer in answers] == ["holds", "fails"]


def test_what_is_lost_before_the_loop_still_counts() -> None:
    machine = machine_of("var n : 0..3; k : 0..6; read(n); k := n + n; n := 0; loop write(k); end")
    assert sorted(state["k"] for state in Interpreter(machine).initial_states()) == [0, 2, 4, 6]


SEEDS = [EXAMPLE.read_text(encoding="utf-8"), *(Programs(seed).text() for seed in range(6))]
OTHERS = "x n m idle 0 7 1.5 := ; ( ) , .. { } = + - / é ² \x00"
WORDS = [*sorted(RESERVED), *OTHERS.split(" ")]


def test_a_lost_value_is_not_what_a_variable_of_that_name_holds() -> None:
    """The value of z that is lost is another than that of y, which z holds then."""
    machine = machine_of("var k, y, z : boolean; k := z or y; z := y; y := false; loop end")
    assert [v.name for v in machine.state_variables] == ["k", "y", "z"]
    initial, _ = successors(machine)
    assert initial == {(False, False, False), (True, False, False), (True, False, True)}


@settings(max_examples=250, deadline=None)
@given(st.sampled_from(SEEDS), st.integers(0, 2**32))
def test_mutated_programs(text: str, seed: int) -> None:
    answers(with_words_replaced(text.split(), WORDS, seed), "m.prog", read)


@settings(max_examples=100, deadline=None)
@given(st.lists(st.sampled_from(WORDS), max_size=30))
def test_random_words(words: list[str]) -> None:
    answers(" ".join(words), "m.prog", read)


@settings(max_examples=100, deadline=None)
@given(st.text(max_size=40))
def test_random_texts(text: str) -> None:
    answers(text, "m.prog", read)


DEEP = ["(" * 5000, "x := " + "not " * 5000 + "y", "loop " + "if x then " * 5000, "x := x" + " + x" * 9000]


@pytest.mark.parametrize("text", DEEP)
def test_deep_nesting_is_refused(text: str) -> None:
    with pytest.raises(InputError):
        machine_of(text)
