"""Code is generated for models whose names and numbers are not made for it: it compiles, and it reacts as the model does."""

import keyword
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

import coarsest
from coarsest.errors import Unsupported
from coarsest.model.machine import Kind, Variable
from coarsest.model.types import Boolean, Enumeration, Range, Type, WordType
from coarsest.reduce.controller.control_automaton import ControlAutomaton
from coarsest.render.code.c_names import KEYWORDS_AND_MACROS, LIBRARY
from coarsest.render.code.code_c import automaton_to_c
from coarsest.render.code.code_python import automaton_to_python

HEADERS = (
    "assert", "complex", "ctype", "errno", "fenv", "float", "inttypes", "iso646", "limits", "locale", "math", "setjmp", "signal",
    "stdarg", "stdbool", "stddef", "stdint", "stdio", "stdlib", "string", "tgmath", "time", "wchar", "wctype",
)  # fmt: skip
OWN = (
    "start", "step", "inputs", "outputs", "roots", "reactions", "decisions", "state", "self", "in", "out", "bits", "place",
    "nothing",
)  # fmt: skip
ALIKE = ["a.b", "a_b", "a-b", "a$b", "a#b", "ä", "ö", "1x", "n1x", "_x", "__x", "_X", "a_b_"]
PYTHON = (
    "ROOTS", "DECISIONS", "REACTIONS", "Automaton", "Outputs", "ValueError", "count", "index", "_fields", "_asdict", "int", "str",
)  # fmt: skip
OF_C = [*sorted(KEYWORDS_AND_MACROS | LIBRARY), "INT_MAX", "SIGINT", "PRId64"]
NAMES = list(dict.fromkeys([*OWN, *ALIKE, *PYTHON, *keyword.kwlist, *OF_C]))

needs_compiler = pytest.mark.skipif(shutil.which("cc") is None, reason="there is no C compiler")


def automaton(name: str, inputs: dict[str, Type], outputs: dict[str, Type]) -> ControlAutomaton:
    """One state in which an input decides between the first and the last values of the outputs."""
    given, seen = (tuple(Variable(key, kind, Kind.INPUT) for key, kind in part.items()) for part in (inputs, outputs))
    values = [list(v.type.values()) for v in seen]
    reactions = ((0, tuple(of[0] for of in values)), (0, tuple(of[-1] for of in values)))
    return ControlAutomaton(name, given, seen, 0, ((0, 0),), (0,), ((0, -1, -2),), reactions, 1)


def hostile(name: str) -> ControlAutomaton:
    """Every hostile name is an input, an output and a value."""
    kinds: dict[str, Type] = {n: Boolean() for n in NAMES} | {"state": Enumeration(tuple(NAMES))}
    return automaton(name, kinds, kinds)


def compiles(text: str, folder: Path, *options: str, headers: bool = True) -> None:
    before = "".join(f"#include <{header}.h>\n" for header in HEADERS) if headers else ""
    (folder / "code.c").write_text(before + text, encoding="utf-8")
    strict = ["-std=c99", "-Wall", "-Wextra", "-pedantic", "-Werror"]
    subprocess.run(["cc", *strict, *options, "-c", "code.c", "-o", "code.o"], cwd=folder, check=True)


@needs_compiler
@pytest.mark.parametrize("headers", [False, True])
def test_hostile_names_compile(headers: bool, tmp_path: Path) -> None:
    compiles(automaton_to_c(hostile("step")), tmp_path, headers=headers)


@needs_compiler
def test_hostile_models_compile(tmp_path: Path) -> None:
    """Models called like anything, all in one file after all headers, with an enumeration each."""
    kind = Enumeration(("t", "start", "max", "f"))
    names = dict.fromkeys(name.lower() for name in (*OWN, *keyword.kwlist, *OF_C))
    compiles("\n".join(automaton_to_c(automaton(n, {n: Boolean()}, {n: kind})) for n in names), tmp_path)
    compiles(automaton_to_c(automaton("size", {"x": Boolean()}, {"y": kind})), tmp_path)
    compiles(automaton_to_c(automaton("*/ int x; /*", {"x": Boolean()}, {"y": kind})), tmp_path)


@needs_compiler
def test_values_of_a_lustre_program_like_the_code(tmp_path: Path) -> None:
    text = f"type t = enum {{ {', '.join(OWN[:7])} }};\nnode main (go : bool) returns (at : t; inputs_2 : bool);\nlet\n"
    text += "  at = start -> if go then pre at else step; inputs_2 = at = reactions;\ntel\n"
    compiles(coarsest.loads(text, format="lustre").control_automaton().to_c(), tmp_path)


def test_hostile_names_in_python() -> None:
    module: dict[str, Any] = {}
    exec(compile(automaton_to_python(hostile('"""\\')), "automaton.py", "exec"), module)
    code = module["Automaton"]()
    parameters = code.step.__code__.co_varnames[1 : 1 + code.step.__code__.co_kwonlyargcount]
    given: dict[str, Any] = dict.fromkeys(parameters, True) | {"state": "place"}
    assert tuple(code.step(**given)) == tuple(NAMES[-1] if name == "state" else True for name in NAMES)
    with pytest.raises(ValueError, match="outside its type"):
        code.step(**(given | {"state": "something else"}))


WIDE = [
    Range(-5, 3), Range(-(2**31), 2**31 - 1), Range(0, 2**31), Range(-(2**40), 7), Range(-(2**63), 2**63 - 1),
    Range(1, 2**64 - 1), Enumeration((0, -(2**35), 2**35)), Enumeration(("a", 2**33)),
]  # fmt: skip


def _ends(kind: Range | Enumeration) -> tuple[Any, Any]:
    """The first and the last value of a type."""
    return (kind.low, kind.high) if isinstance(kind, Range) else (kind.members[0], kind.members[-1])


def _wide(kind: Range | Enumeration) -> ControlAutomaton:
    """The highest bit of an input is what decides, and both ends of its type are what is put out."""
    variable, seen = Variable("x", kind, Kind.INPUT), Variable("y", kind, Kind.INPUT)
    first, last = _ends(kind)
    top = (kind.size - 1).bit_length() - 1
    return ControlAutomaton("wide", (variable,), (seen,), 0, ((0, top),), (0,), ((0, -1, -2),), ((0, (first,)), (0, (last,))), 1)


DRIVER = """
#include <stdio.h>
int main(void)
{{
    wide self; wide_inputs in; wide_outputs out;
    wide_start(&self);
    in.x = {first}; if (!wide_step(&self, &in, &out) || out.y != {first}) return 1;
    in.x = {last}; if (!wide_step(&self, &in, &out) || out.y != {last}) return 2;
    {outside}
    return 0;
}}
"""


def _constant(value: int | str) -> str:
    if isinstance(value, str):
        return f"wide_{value}"
    return f"{value}ULL" if value >= 2**63 else f"({value + 1}LL - 1)" if value < 0 else f"{value}LL"


@needs_compiler
@pytest.mark.parametrize("kind", WIDE, ids=str)
def test_wide_numbers(kind: Range | Enumeration, tmp_path: Path) -> None:
    first, last = map(_constant, _ends(kind))
    outside = ""
    if isinstance(kind, Range) and -(2**31) < kind.low < 0:
        outside = f"in.x = {kind.low - 1}; if (wide_step(&self, &in, &out)) return 3;"
    elif isinstance(kind, Range) and kind.low == 1:
        outside = "in.x = 0; if (wide_step(&self, &in, &out)) return 3;"
    text = automaton_to_c(_wide(kind)) + DRIVER.format(first=first, last=last, outside=outside)
    (tmp_path / "code.c").write_text(text, encoding="utf-8")
    strict = ["-std=c99", "-Wall", "-Wextra", "-pedantic", "-Werror", "-fsanitize=undefined", "-fno-sanitize-recover"]
    subprocess.run(["cc", *strict, "code.c", "-o", "code"], cwd=tmp_path, check=True)
    subprocess.run([tmp_path / "code"], check=True)


@needs_compiler
@pytest.mark.parametrize("kind", [WordType(64), WordType(64, True), WordType(8, True), WordType(1)], ids=str)
def test_words_compile(kind: WordType, tmp_path: Path) -> None:
    small = automaton("words", {"x": kind}, {"y": Boolean()})
    compiles(automaton_to_c(small), tmp_path)


@pytest.mark.parametrize("kind", [Range(0, 2**64), Range(-1, 2**63), WordType(65)], ids=str)
def test_too_wide_numbers_are_refused_in_c_only(kind: Type) -> None:
    wide = automaton("wide", {"x": kind}, {"y": Boolean()})
    with pytest.raises(Unsupported, match=r"`x` .* does not fit into 64 bits"):
        automaton_to_c(wide)
    module: dict[str, Any] = {}
    exec(compile(automaton_to_python(wide), "automaton.py", "exec"), module)
    top = 2**64 if isinstance(kind, Range) and kind.low == 0 else 2**63
    assert module["Automaton"]().step(x=top) is not None
