"""Machines written as SMV: what is written reads back as the same machine."""

from random import Random

import pytest
from msgspec.structs import replace

from coarsest.errors import InputError
from coarsest.files import Contents
from coarsest.formats import read_machine, write_machine
from coarsest.formats.smv.read import read
from coarsest.formats.smv.write import write
from coarsest.logic.expr import Apply, Constant, Name
from coarsest.model.kinds import PropertyKind
from coarsest.model.machine import Machine, Property, Variable
from coarsest.model.types import Boolean, Enumeration, Range, WordType
from coarsest.text import Source
from random_expressions import Expressions


def bare(machine: Machine) -> Machine:
    """What must survive writing: everything but names and texts for people."""
    properties = tuple(replace(found, text="", module="") for found in machine.properties)
    return replace(machine, name="", source=None, warnings=(), properties=properties)


def again(machine: Machine) -> Machine:
    return read(Source("again.smv", write(machine)))


TEXTS = {
    "sections": """
        MODULE main VAR s : {idle, busy, 3}; n : -1..2; w : word[4]; v : signed word[3];
        IVAR i : boolean; FROZENVAR f : {1, 2}; VAR last : boolean;
        CONSTANTS lost; DEFINE d := s = idle; e := s = lost;
        ASSIGN init(s) := idle; next(s) := {busy, idle}; last := d; INIT n = 0 TRANS next(n) = n | i INVAR w != 0ud4_3
        FAIRNESS d COMPASSION (d, e) SPEC AG d LTLSPEC NAME p := G (d -> F [1, 3] e) INVARSPEC w[2:1] = 0ud2_1 | v < -0sd3_2
        COMPUTE MAX [d, e] SPEC A [d BU 1..3 e]
        PSLSPEC always {d; e[*2..3]; !d[+]} |=> {e}!; PSLSPEC next_event_a!(d)[1:2](e) & (d until!_ e); PSLSPEC [d W e];
        """,
    "instances": """
        MODULE main VAR a : array 0..1 of boolean; m : cell(a[0] & a[1], n); n : cell(TRUE, m);
        MODULE cell(p, other) VAR x : boolean; in-side : array -1..0 of 0..3; ASSIGN next(x) := p & other.x ? {TRUE, x} : FALSE;
        INVARSPEC in-side[-1] + in-side[0] < 7
        """,
    "processes": """
        MODULE main VAR x : boolean; p : process flip(x); q : process nest(x);
        MODULE flip(v) ASSIGN next(v) := !v; FAIRNESS running
        MODULE nest(v) VAR inner : process flip(v); ASSIGN init(v) := TRUE;
        """,
}


@pytest.mark.parametrize("name", TEXTS)
def test_written_machines_read_back(name: str) -> None:
    machine = read(Source("m.smv", TEXTS[name]))
    found = again(machine)
    assert bare(found) == bare(machine)
    assert list(found.variables) == list(machine.variables)
    assert write(found).splitlines()[1:] == write(machine).splitlines()[1:]


def test_random_machines_read_back() -> None:
    variables = {"a": Boolean(), "n": Range(-2, 3), "s": Enumeration(("red", "green")), "w": WordType(3), "v": WordType(3, True)}
    declared = {name: Variable(name, kind) for name, kind in variables.items()}
    read_back = 0
    for seed in range(300):
        make = Expressions(Random(seed), variables, after=variables)
        machine = Machine("m", declared, transition_constraints=(make.boolean(4), make.boolean(3)))
        try:
            found = again(machine)
        except InputError as error:
            assert "set" in str(error)  # the generator has operators on sets
            continue
        assert flat(found) == flat(machine), seed
        read_back += 1
    assert read_back > 150


def flat(machine: Machine) -> object:
    """The constraints, with sets in sets joined and sets of one replaced by their member, as lowering does."""

    def clean(expr: object) -> object:
        if not isinstance(expr, Apply):
            return expr
        args = [clean(arg) for arg in expr.args]
        if expr.op == "set":
            joined = [part for arg in args for part in (arg[1:] if isinstance(arg, tuple) and arg[0] == "set" else (arg,))]
            return ("set", *joined) if len(joined) > 1 else joined[0]
        return (expr.op, *args)

    return [clean(expr) for expr in machine.transition_constraints]


def test_names_that_smv_cannot_spell_get_others() -> None:
    names = ["next", "a b", "a_b", "1x", "é", "x$y", "p.in.q", "a\nb", "G", "$20$"]
    variables = {name: Variable(name, Enumeration(("case", "ok"))) for name in names}
    formula = Apply("and", tuple(Apply("=", (Name(name), Constant("case"))) for name in names))
    machine = Machine("odd", variables, properties=(Property(PropertyKind.INVARIANT, formula, name="my name"),))
    text = write(machine)
    found = read(Source("m.smv", text))
    assert len(found.variables) == len(names)
    assert "a_b" in found.variables
    assert "x$y" in found.variables
    kept = found.properties[0].formula
    assert isinstance(kept, Apply)
    assert [part.args[0] for part in kept.args if isinstance(part, Apply)] == [Name(name) for name in found.variables]
    assert "'a b'" in text


def test_shared_parameters_do_not_explode() -> None:
    depth = 60
    modules = [f"MODULE m{i}(p) VAR next_one : m{i + 1}(p & !p | p); DEFINE d := p;" for i in range(depth)]
    text = f"MODULE main VAR x : boolean; y : 0..1; top : m0(x & y = 1); {' '.join(modules)} MODULE m{depth}(p) INVARSPEC p"
    machine = read(Source("m.smv", text))
    written = write(machine)
    assert len(written) < 100_000
    found = read(Source("again.smv", written))
    assert found.variables == machine.variables
    assert set(machine.definitions) < set(found.definitions)
    assert write(found).splitlines()[1:] == written.splitlines()[1:]


def test_writing_by_format_name() -> None:
    machine = read_machine(Contents("m.smv", b"MODULE main VAR x : boolean;"))
    assert write_machine(machine, "smv") == write(machine)
    for name in ("svm", "nothing"):
        with pytest.raises(InputError, match="no format"):
            write_machine(machine, name)
    with pytest.raises(InputError, match="not a model that coarsest reads"):
        read_machine(Contents("m.txt", b""))


@pytest.mark.parametrize("times", ["[*n]", "[*n:k]", "[*2:n]", "[=n]", "[->n]", "[*2:3]", "[*]", "[+]", "[->]", "[*2:inf]"])
def test_repetitions_are_written_as_they_were_read(times: str) -> None:
    """Also those whose count is no number: they are refused when they are decided, not when they are written."""
    text = f"MODULE main VAR a : boolean; n : 0..2; k : 0..2; PSLSPEC {{a{times}}};"
    assert f"{{a{times}}};" in write(read(Source("counts.smv", text)))
