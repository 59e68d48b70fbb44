"""Control automata of programs whose numbers have no bounds: they can be looked at, and are no code."""

from __future__ import annotations

from pathlib import Path

import pytest

import coarsest
from coarsest.errors import Unsupported
from command_lines import Runner

THERMOSTAT = """node thermostat (degrees : int; on : bool) returns (heat : bool; count : int);
let
  heat = false -> on and (if pre heat then degrees < 22 else degrees < 18);
  count = 0 -> if heat then pre count + 1 else pre count;
tel
"""


def test_comparisons_are_inputs_and_what_is_computed_is_shown() -> None:
    controller = coarsest.loads(THERMOSTAT, format="lustre").control_automaton(data="none")
    assert controller.states == 3 and controller.facts.data == "none"
    assert "on & degrees < 22 / heat = TRUE, count = pre count + 1" in controller.draw(to="dot")
    assert ".pre" not in controller.draw(to="dot") and "test_" not in controller.draw(to="dot")


def test_it_is_no_code() -> None:
    controller = coarsest.loads(THERMOSTAT, format="lustre").control_automaton(data="none")
    for write in (controller.to_c, controller.to_python):
        with pytest.raises(Unsupported, match="numbers that are left out"):
            write()


def test_the_automaton_follows_the_program() -> None:
    """Whatever the comparisons say: the control of the program and the automaton, side by side, for random inputs."""
    from random import Random

    model = coarsest.loads(THERMOSTAT, format="lustre")
    controller = model.control_automaton(data="none")
    assert controller.control is not None
    random, state, heat = Random(3), controller.automaton.initial, False
    for instant in range(200):
        degrees, on = random.randrange(10, 30), random.random() < 0.8
        expected = instant > 0 and on and degrees < (22 if heat else 18)
        tests = {name: degrees < int(str(test.args[1].value)) for name, test in controller.control.tests.items()}
        inputs = {variable.name: tests.get(variable.name, on) for variable in controller.automaton.inputs}
        reaction = controller.automaton.step(state, inputs)
        assert reaction is not None
        state, outputs = reaction
        shown = {variable.name.strip(): value for variable, value in zip(controller.automaton.outputs, outputs)}
        assert shown["heat"] is expected
        heat = expected


def test_an_assertion_about_numbers_is_refused() -> None:
    asserted = THERMOSTAT.replace("let\n", "let\n  assert count < 9;\n")
    with pytest.raises(Unsupported, match="an assertion about numbers"):
        coarsest.loads(asserted, format="lustre").control_automaton(data="none")


def test_code_needs_bounds_and_pictures_do_not(run: Runner) -> None:
    Path("t.lus").write_text(THERMOSTAT)
    assert run("reduce", "t.lus", "--reactions", "-o", "t.svg").code == 0
    for name in ("t.c", "t.py", "t.smv"):
        refused = run("reduce", "t.lus", "--reactions", "-o", name)
        assert refused.code == 2 and "t.lus:4:11: error: no bounds are known" in refused.err


@pytest.mark.parametrize("ending", ["svg", "html", "dot", "aut"])
def test_lustre_that_is_written_is_its_control_automaton(ending: str, run: Runner) -> None:
    Path("thermostat.lus").write_text(THERMOSTAT)
    result = run("reduce", "thermostat.lus", "-o", f"t.{ending}")
    assert result.code == 0 and "states       ? -> 3" in result.out and result.err == ""
    assert "heat = TRUE, count = pre count + 1" in Path(f"t.{ending}").read_text()


def test_numbers_with_bounds_are_no_states_of_what_is_looked_at(run: Runner) -> None:
    program = "node count (go : bool) returns (n : subrange [0, 99] of int; up : bool);\nlet\n  up = go -> go <> pre up;\n" \
        "  n = 0 -> if up and pre n < 99 then pre n + 1 else pre n;\ntel\n"  # fmt: skip
    Path("count.lus").write_text(program)
    assert "-> 3\n" in run("reduce", "count.lus", "-o", "count.aut").out
    assert "go <> " not in Path("count.aut").read_text() and "/ n = pre n + 1, up = TRUE" in Path("count.aut").read_text()
    assert "-> 201\n" in run("reduce", "count.lus", "--reactions", "-o", "count.aut").out
    assert run("reduce", "count.lus", "-o", "count.smv").code == 0 and "MODULE main" in Path("count.smv").read_text()


def test_who_asks_for_a_quotient_gets_it(run: Runner) -> None:
    Path("flip.lus").write_text("node f (go : bool) returns (up : bool); let up = false -> if go then not pre up else pre up;tel")
    assert " / up = " in written(run, "flip.lus")
    for options in (["--no-reactions"], ["--by", "simulation"], ["--algorithm", "refine-then-reach"]):
        assert " / up = " not in written(run, "flip.lus", *options)


def written(run: Runner, *arguments: str) -> str:
    result = run("reduce", *arguments, "-o", "written.aut")
    assert result.code == 0, result.err
    return Path("written.aut").read_text()
