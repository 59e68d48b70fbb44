"""The control automaton as a graph, a picture and a model: as many states as the code has, and the same reactions."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import coarsest
from coarsest.api import graph as graphs
from coarsest.cli.app import main
from coarsest.errors import InputError, Unsupported
from coarsest.formats.program.read import read as read_program
from coarsest.logic.expr import Name
from coarsest.model.interpret.interpret import Interpreter
from coarsest.model.machine import Machine
from coarsest.reduce.controller.control_automaton import ControlAutomaton, control_automaton
from coarsest.reduce.controller.control_machine import control_machine, steps
from coarsest.text import Source
from oracles.mealy import Mealy, stimuli
from random_programs import Programs

EXAMPLES = Path(__file__).parents[3] / "examples"
MIXED = """
type mode = enum { off, slow, fast };
node main (m : mode; n : subrange [-2, 3] of int; k : uint8; go : bool) returns (o : mode; y : bool);
let
  assert go or n < 3;
  o = if go then m else (off -> pre o);
  y = n = 2 and (false -> pre (k = uint8 3));
tel
"""


def require_same_reactions(automaton: ControlAutomaton, machine: Machine, *, every: int = 1) -> None:
    """The machine of an automaton has its states, and in each of them the same reactions; so have its steps with conditions."""
    model = control_machine(automaton, machine)
    (state,) = (variable.name for variable in model.state_variables)
    interpreter = Interpreter(model)
    assert [dict(interpreter.assignment(values)) for values in interpreter.initial_values()] == [{state: automaton.initial}]
    conditions: dict[int, list[tuple[object, ...]]] = {}
    for source, condition, outputs, target in steps(automaton):
        conditions.setdefault(source, []).append((condition, outputs, target))
    for number in range(automaton.size):
        for place, inputs in enumerate(stimuli(model)):
            if place % every:
                continue
            expected = automaton.step(number, inputs)
            fixed = {interpreter._frames.now[name]: value for name, value in inputs.items()}
            after = [found for _, found in interpreter.successor_values((number,), fixed=fixed)]
            met = [s for s in conditions.get(number, []) if interpreter.value(s[0], {state: number}, inputs=inputs)]  # type: ignore[arg-type]
            if expected is None:
                assert not after and not met
                continue
            assert after == [(expected[0],)]
            assert [(outputs, target) for _, outputs, target in met] == [(expected[1], expected[0])]
            seen = tuple(interpreter.value(Name(v.name), {state: number}, inputs=inputs) for v in automaton.outputs)
            assert seen == expected[1]


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 2**32))
def test_random_programs(seed: int) -> None:
    try:
        machine = read_program(Source("m.prog", Programs(seed).text()))
        automaton = control_automaton(machine)
    except InputError:
        return  # nothing is written, or the initial states differ
    require_same_reactions(automaton, machine)
    again = control_machine(automaton, machine)
    assert len(set(Mealy(again, {name: Name(name) for name in again.outputs}).classes().values())) == automaton.size


@pytest.mark.parametrize(("text", "every"), [((EXAMPLES / "watch.lus").read_text(encoding="utf-8"), 1), (MIXED, 37)])
def test_lustre_programs(text: str, every: int) -> None:
    machine = coarsest.loads(text, format="lustre").machine
    names = ("m", "p", "running") if "running" in text else machine.outputs
    require_same_reactions(control_automaton(machine, outputs={name: Name(name) for name in names}), machine, every=every)


@pytest.mark.parametrize("options", [(), ("--observe", "m", "p", "light")])
def test_as_many_states_in_every_format(options: tuple[str, ...], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    model = str(EXAMPLES / ("watch.lus" if options else "minimal.prog"))
    counts = set()
    for suffix in ("c", "py", "aut", "dot", "svg", "smv"):
        target = tmp_path / f"x.{suffix}"
        assert main(["reduce", model, *options, "--reactions", "-o", str(target), "--no-count"]) == 0
        counts.add(capsys.readouterr().out.partition("\npreserves")[0])
    (count,) = counts
    states = int(count.partition("-> ")[2].partition("\n")[0])
    assert f"{states} states" in (tmp_path / "x.c").read_text(encoding="utf-8")
    assert graphs.read_graph(tmp_path / "x.aut").states == coarsest.load(tmp_path / "x.smv").reach().states == states
    assert (tmp_path / "x.dot").read_text(encoding="utf-8").count('label="state ') == states


def test_properties_of_inputs_and_outputs_come_along() -> None:
    text = "node n (a : bool) returns (y : bool); var z : bool; let z = true -> pre z; y = a and z;"
    model = coarsest.loads(f"{text} --%PROPERTY y => a; --%PROPERTY z; tel", format="lustre")
    small = coarsest.api.model.Model(control_machine(model.control_automaton().automaton, model.machine))
    assert [answer.formula for answer in small.check()] == ["y => a"] and small.check().holds


def test_states_with_inputs_are_said_to_be(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["reduce", str(EXAMPLES / "watch.lus"), "--observe", "m", "--no-count"]) == 0
    assert "counted      states together with the value of LL, UL\n" in capsys.readouterr().out


def test_what_cannot_be_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    wide = "node n (a, b : uint16) returns (y : bool); let y = a < b; tel"
    automaton = coarsest.loads(wide, format="lustre").control_automaton().automaton
    with pytest.raises(Unsupported, match="too long"):
        list(steps(automaton))
    assert control_machine(automaton, coarsest.loads(wide, format="lustre").machine).outputs == ("y",)
    assert main(["reduce", str(EXAMPLES / "minimal.prog"), "--reactions", "-o", str(tmp_path / "x.doc")]) == 2
    assert "known endings are" in capsys.readouterr().err
