"""Control automata: as small as can be, and as code that reacts like the model."""

import shutil
import subprocess
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from random import Random
from typing import Any, TypeAlias

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import coarsest
from coarsest.cli.app import main
from coarsest.errors import InputError, ModelProblem
from coarsest.formats.program.read import read as read_program
from coarsest.logic.expr import Name, Word
from coarsest.model.interpret.interpret import Interpreter
from coarsest.model.machine import Machine
from coarsest.model.types import Enumeration
from coarsest.reduce.controller.control_automaton import ControlAutomaton, control_automaton
from coarsest.render.code.code_c import automaton_to_c
from coarsest.render.code.code_python import automaton_to_python
from coarsest.text import Source
from oracles.mealy import Mealy, stimuli
from random_programs import Programs

EXAMPLES = Path(__file__).parents[3] / "examples"
CONTROLS = ("m", "p", "light", "chime_on", "alarm_on", "running", "frozen")
MIXED = """
type mode = enum { off, slow, fast };
node main (m : mode; n : subrange [-2, 3] of int; k : uint8; go : bool) returns (o : mode; s : int; w : uint8; y : bool);
let
  assert go or n < 3;
  o = if go then m else (off -> pre o);
  s = if n < 0 then 0 else (0 -> if pre s + n > 5 then 5 else pre s + n);
  w = if k > uint8 100 then uint8 7 else uint8 0;
  y = s = 5 and (false -> pre (k = uint8 3));
tel
"""


def test_the_example_of_1994_has_5_states_and_7_transitions() -> None:
    automaton = control_automaton(coarsest.load(EXAMPLES / "minimal.prog").machine, cone=False)
    assert (automaton.states_before, automaton.size, len(automaton.edges())) == (10, 5, 7)


def test_an_invariant_has_one_state() -> None:
    model = coarsest.loads("node n (a : bool) returns (ok : bool); let ok = true -> pre a or not pre a; tel", format="lustre")
    assert control_automaton(model.machine).size == 1


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**32))
def test_as_small_as_can_be(seed: int) -> None:
    try:
        machine = read_program(Source("m.prog", Programs(seed).text()))
        automaton = control_automaton(machine)
    except InputError:
        return  # nothing is written, or the initial states differ
    outputs = {name: machine.definitions[name] for name in machine.outputs}
    mealy = Mealy(machine, outputs)
    classes = mealy.classes()
    assert automaton.size == len(set(classes.values()))
    paired = {classes[mealy.initial[0]]: automaton.initial}
    waiting = [mealy.initial[0]]
    while waiting:
        state = waiting.pop()
        number = paired[classes[state]]
        names = [variable.name for variable in machine.input_variables]
        for inputs in stimuli(machine):
            found = automaton.step(number, inputs)
            expected = mealy.reactions[state].get(tuple(inputs[name] for name in names))
            if expected is None:
                assert found is None
                continue
            assert found is not None
            assert [(type(v), v) for v in found[1]] == [(type(v), v) for v in expected[0]]
            after = classes[expected[1]]
            if after not in paired:
                paired[after] = found[0]
                waiting.append(expected[1])
            assert paired[after] == found[0]


def test_large_step_relations_are_not_built(monkeypatch: pytest.MonkeyPatch) -> None:
    machines = [coarsest.load(EXAMPLES / "watch.lus").machine, coarsest.loads(MIXED, format="lustre").machine]
    outputs = [{"m": Name("m"), "p": Name("p")}, None]
    found = [control_automaton(machine, outputs=seen) for machine, seen in zip(machines, outputs)]
    monkeypatch.setattr("coarsest.tuning.RELATION_NODES_OF_SIGNATURES", 0)
    assert [control_automaton(machine, outputs=seen) for machine, seen in zip(machines, outputs)] == found


Walk: TypeAlias = "list[tuple[dict[str, Any], tuple[Any, ...] | None]]"


def walk(machine: Machine, outputs: Mapping[str, Any], steps: int) -> Iterator[tuple[dict[str, Any], tuple[Any, ...] | None]]:
    """Random inputs, and what the interpreter makes of them; None where they are forbidden."""
    random, interpreter = Random(7), Interpreter(machine)
    state = next(interpreter.initial_states())
    ranges = {variable.name: list(variable.type.values()) for variable in machine.input_variables}
    places = {name: interpreter._frames.now[name] for name in ranges}
    for _ in range(steps):
        inputs = {name: random.choice(values) for name, values in ranges.items()}
        fixed = {places[name]: value for name, value in inputs.items()}
        values = tuple(state[variable.name] for variable in interpreter.state_variables)
        after = next((after for _, after in interpreter.successor_values(values, fixed=fixed)), None)
        if after is None:
            yield inputs, None
            continue
        yield inputs, tuple(interpreter.value(expr, state, inputs=inputs) for expr in outputs.values())
        state = interpreter.assignment(after)


def subject(name: str) -> tuple[Machine, dict[str, Any], ControlAutomaton]:
    machine = coarsest.loads(MIXED, format="lustre").machine if name == "mixed" else coarsest.load(EXAMPLES / name).machine
    names = CONTROLS if name == "watch.lus" else machine.outputs
    outputs = {output: Name(output) for output in names}
    return machine, outputs, control_automaton(machine, outputs=outputs)


def plain(value: Any) -> Any:
    return value.value if isinstance(value, Word) else value


@cache
def known_walk(name: str, steps: int) -> Walk:
    machine, outputs, _ = subject(name)
    return list(walk(machine, outputs, steps))


CASES = [
    ("watch.lus", 10_000), ("minimal.prog", 2000), ("mixed", 3000), pytest.param("watch.lus", 100_000, marks=pytest.mark.nightly),
]  # fmt: skip


@pytest.mark.parametrize(("name", "steps"), CASES)
def test_code_in_python(name: str, steps: int) -> None:
    _, _, automaton = subject(name)
    module: dict[str, Any] = {}
    exec(compile(automaton_to_python(automaton), "automaton.py", "exec"), module)
    code = module["Automaton"]()
    for inputs, expected in known_walk(name, steps):
        given_inputs = {key.replace(".", "_"): plain(value) for key, value in inputs.items()}
        if expected is None:
            with pytest.raises(ValueError, match="forbids"):
                code.step(**given_inputs)
        else:
            assert tuple(code.step(**given_inputs)) == tuple(map(plain, expected))


DRIVER = """
#include <stdio.h>
#include "automaton.c"
int main(void)
{{
    {prefix} self;
    {prefix}_inputs in = {{0}};
    {prefix}_outputs out = {{0}};
    long long v[{count}];
    {prefix}_start(&self);
    while (1) {{
        for (int i = 0; i < {count}; i++)
            if (scanf("%lld", &v[i]) != 1)
                return 0;
        {fill}
        if ({prefix}_step(&self, &in, &out))
            printf({format}, {values});
        else
            printf("forbidden\\n");
    }}
}}
"""


def require_c_reacts(
    text: str, automaton: ControlAutomaton, machine: Machine, seen: Mapping[str, Any], expected: Walk, folder: Path
) -> None:
    """The text compiles without warnings, and puts out what the interpreter did."""
    (folder / "automaton.c").write_text(text, encoding="utf-8")
    prefix = "n_text_" if machine.name.startswith("<") else machine.name
    inputs = [variable.name for variable in machine.input_variables]
    fill = " ".join(f"in.{name.replace('.', '_')} = v[{place}];" for place, name in enumerate(inputs))
    form = '"' + " ".join("%lld" for _ in seen) + '\\n"'
    values = ", ".join(f"(long long) out.{output}" for output in seen)
    driver = DRIVER.format(prefix=prefix, count=len(inputs), fill=fill, format=form, values=values)
    (folder / "driver.c").write_text(driver, encoding="utf-8")
    subprocess.run(["cc", "-std=c99", "-Wall", "-Wextra", "-Werror", "-c", "automaton.c"], cwd=folder, check=True)
    sanitised = ["-fsanitize=undefined", "-fno-sanitize-recover"]
    subprocess.run(["cc", "-std=c99", "-Wall", *sanitised, "driver.c", "-o", "driver"], cwd=folder, check=True)
    symbols: dict[str, int] = {}
    for variable in (*automaton.inputs, *automaton.outputs):
        if isinstance(variable.type, Enumeration):
            for member in variable.type.members:
                symbols.setdefault(str(member), len(symbols))

    def number(value: Any) -> int:
        return symbols[value] if isinstance(value, str) else int(plain(value))

    lines, fed = [], []
    for given_inputs, shown in expected:
        fed.append(" ".join(str(number(given_inputs[name])) for name in inputs))
        lines.append("forbidden" if shown is None else " ".join(str(number(value)) for value in shown))
    result = subprocess.run([folder / "driver"], input="\n".join(fed) + "\n", capture_output=True, text=True, check=True)
    assert result.stdout.splitlines() == lines


needs_compiler = pytest.mark.skipif(shutil.which("cc") is None, reason="there is no C compiler")


@needs_compiler
@pytest.mark.parametrize(("name", "steps"), CASES)
def test_code_in_c(name: str, steps: int, tmp_path: Path) -> None:
    machine, outputs, automaton = subject(name)
    require_c_reacts(automaton_to_c(automaton), automaton, machine, outputs, known_walk(name, steps), tmp_path)


DATA = """
type mode = enum { off, slow, fast };
node main (go : bool; k : subrange [-3, 4] of int; at : mode) returns (n, s : int; m : mode; high, odd : bool);
var control : int;
let
  m = if n > 5 then fast else if at = off then off else (slow -> pre m);
  n = 0 -> if go and pre n + k <= 7 and pre n + k >= -7 then pre n + k else if pre n > 0 then pre n - 1 else pre n;
  control = if high then 3 else if go then k * k else (1 -> pre control);
  s = if control = k then 0 - n else control - n;
  high = (false -> pre n > 2) and (true -> pre s < 9);
  odd = false -> not pre odd;
tel
"""


@needs_compiler
@pytest.mark.parametrize(("name", "states"), [("watch.lus", 321), ("stopwatch.lus", 5), ("vending.prog", 1), ("data", None)])
def test_numbers_are_variables_of_the_code(name: str, states: int | None, tmp_path: Path) -> None:
    model = coarsest.loads(DATA, format="lustre") if name == "data" else coarsest.load(EXAMPLES / name)
    controller = model.control_automaton(data="variables")
    assert controller.program is not None and controller.program == controller.to_c()
    assert controller.states == states or states is None
    outputs = {output: Name(output) for output in model.machine.outputs}
    expected = list(walk(model.machine, outputs, 20_000))
    require_c_reacts(controller.program, controller.automaton, model.machine, outputs, expected, tmp_path)


def test_numbers_that_are_not_variables_of_the_code() -> None:
    """Words wrap around, an assertion is about a number, division, and nothing that is remembered is a number."""
    body = "let x = 0 -> if a then {} else pre x; {} tel"
    head = "node n (a : bool; k : subrange [0, 3] of int) returns (x : int);"
    bodies = [
        MIXED,
        f"{head} {body.format('(pre x + 1) mod 3', '')}",
        f"{head} {body.format('(pre x + k) mod 3', 'assert k < 2;')}",
        "node n (a : bool) returns (x : int); let x = if a then 1 else 0; tel",
    ]
    free = "MODULE main IVAR a : boolean; VAR x : 0..4; ASSIGN next(x) := case a : 0; x > 3 : 0; TRUE : x + 1; esac;"
    with pytest.raises(ModelProblem, match="behave differently"):
        coarsest.loads(free).control_automaton(observe=["x"], data="variables")
    for text in bodies:
        assert coarsest.loads(text, format="lustre").control_automaton(data="variables").program is None
    with pytest.raises(InputError, match="unknown way to keep data"):
        coarsest.load(EXAMPLES / "watch.lus").control_automaton(data="elsewhere")


def test_from_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target = tmp_path / "watch.py"
    assert main(["reduce", str(EXAMPLES / "watch.lus"), "--observe", "m", "p", "-o", str(target)]) == 0
    assert "-> 10" in capsys.readouterr().out
    assert "class Automaton" in target.read_text(encoding="utf-8")


def test_from_python() -> None:
    controller = coarsest.load(EXAMPLES / "stopwatch.lus").control_automaton(observe=["running", "seconds > 4"])
    assert [output.name for output in controller.automaton.outputs] == ["running", "observed_2"]
    assert "int" in controller.to_c() and "class Automaton" in controller.to_python()
    assert 4 < controller.states < controller.transitions


def test_large_outputs_are_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, target = tmp_path / "n.lus", str(tmp_path / "n.py")
    text = "node n (a : bool) returns (big, other : subrange [0, 9] of int; on : bool); let big = 0 -> if a then 9 else pre big;"
    path.write_text(f"{text} other = big; on = a; tel", encoding="utf-8")
    for options in (("--no-count",), ("-o", target)):
        assert main(["reduce", str(path), *options]) == 0
        said = capsys.readouterr().err
        assert "big (10), other (10); the result may be large\n" in said and "for example --observe on\n" in said
    assert main(["reduce", str(path), "--observe", "on"]) == 0
    assert "large" not in capsys.readouterr().err


def test_what_is_not_determined_is_refused(tmp_path: Path) -> None:
    machine = coarsest.loads("MODULE main VAR x : boolean; DEFINE y := x; ASSIGN init(x) := TRUE;").machine
    with pytest.raises(ModelProblem, match="not determined"):
        control_automaton(machine, outputs={"y": Name("y")})
    with pytest.raises(InputError, match="no outputs"):
        control_automaton(machine)
    free = coarsest.loads("node n (a : bool) returns (y : bool); let y = pre a; tel", format="lustre").machine
    with pytest.raises(ModelProblem, match="behave differently"):
        control_automaton(free)
