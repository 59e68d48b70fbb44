"""SMV text to machines: modules, parameters, arrays, processes, properties."""

import subprocess
import sys

import pytest

from coarsest.errors import FileProblem, InputError, ModelProblem, SyntaxProblem
from coarsest.files import Contents
from coarsest.formats import read_machine
from coarsest.formats.smv.read import read
from coarsest.logic.expr import Apply, Constant, Expr, Name, Word, subexpressions
from coarsest.logic.parse import parse_expression
from coarsest.logic.show import show
from coarsest.model.kinds import PropertyKind
from coarsest.model.machine import Kind, Machine
from coarsest.model.types import Boolean, Enumeration, Range, WordType
from coarsest.text import Source


def machine(text: str) -> Machine:
    return read(Source("test.smv", text))


def shown(values: dict[str, Expr]) -> dict[str, str]:
    return {name: show(value) for name, value in values.items()}


def test_sections_of_one_module() -> None:
    found = machine(
        """
        MODULE main  -- every section once
        VAR s : {idle, busy, 3}; n : -1..2; w : word[4]; v : signed word [2 + 1]; u : unsigned Word[1];
        IVAR i : boolean;
        FROZENVAR f : {1, 2};
        CONSTANTS lost, found;
        DEFINE d := s = idle; e := d & n < 0;
        ASSIGN init(s) := idle; next(s) := {busy, idle};
        INIT n = 0
        TRANS next(n) = n | i;
        INVAR w != 0ud4_3
        FAIRNESS d
        JUSTICE e;
        COMPASSION (d, e)
        SPEC AG d
        CTLSPEC NAME c := EF e;
        LTLSPEC G (d -> F e)
        INVARSPEC NAME inv := d | !d
        PSLSPEC always d;
        COMPUTE MIN [d, e]
        """
    )
    assert {name: variable.type for name, variable in found.variables.items()} == {
        "s": Enumeration(("idle", "busy", 3)),
        "n": Range(-1, 2),
        "w": WordType(4),
        "v": WordType(3, signed=True),
        "u": WordType(1),
        "i": Boolean(),
        "f": Enumeration((1, 2)),
    }
    assert [variable.name for variable in found.variables.values() if variable.kind is Kind.INPUT] == ["i"]
    assert [variable.name for variable in found.variables.values() if variable.kind is Kind.FROZEN] == ["f"]
    assert shown(dict(found.definitions)) == {"d": "s = idle", "e": "d & n < 0"}
    assert found.initial_values == {"s": Constant("idle")}
    assert found.next_values == {"s": Apply("set", (Constant("busy"), Constant("idle")))}
    assert len(found.initial_constraints) == len(found.transition_constraints) == len(found.invariant_constraints) == 1
    assert [show(expr) for expr in found.justice] == ["d", "e"]
    assert len(found.compassion) == 1
    kinds = ["ctl", "ctl", "ltl", "invariant", "psl", "compute"]
    assert [(p.kind.value, p.name) for p in found.properties] == list(zip(kinds, ["", "c", "", "inv", "", ""]))
    assert [p.text for p in found.properties][:3] == ["AG d", "EF e", "G (d -> F e)"]
    assert found.name == "test"


def test_parameters_are_references_and_shared() -> None:
    found = machine(
        """
        MODULE main
        VAR a : boolean; b : boolean; left : pair(a & b, right); right : pair(a -> b, left);
        MODULE pair(on, other)
        VAR own : boolean;
        DEFINE one := on | own; two := other.own & on;
        """
    )
    assert list(found.variables) == ["a", "b", "left.own", "right.own"]
    assert shown(dict(found.definitions)) == {
        "left.one": "a & b | left.own",
        "left.two": "right.own & (a & b)",
        "right.one": "(a -> b) | right.own",
        "right.two": "left.own & (a -> b)",
    }
    one, two = found.definitions["left.one"], found.definitions["left.two"]
    assert isinstance(one, Apply)
    assert isinstance(two, Apply)
    assert one.args[0] is two.args[1], "an actual parameter is lowered once"


def test_assignment_through_a_parameter_and_to_another_instance() -> None:
    found = machine(
        """
        MODULE main VAR x : boolean; m : set_it(x, n); n : holder;
        MODULE set_it(target, there) ASSIGN init(target) := TRUE; next(there.y) := !there.y; DEFINE there.z := target;
        MODULE holder VAR y : boolean; DEFINE w := z;
        """
    )
    assert shown(dict(found.initial_values)) == {"x": "TRUE"}
    assert shown(dict(found.next_values)) == {"n.y": "!n.y"}
    assert shown(dict(found.definitions)) == {"n.w": "n.z", "n.z": "x"}


def test_self_and_nested_instances() -> None:
    found = machine(
        """
        MODULE main VAR top : outer; DEFINE reach := top.inner.back.flag;
        MODULE outer VAR flag : boolean; inner : leaf(self);
        MODULE leaf(parent) DEFINE back_flag := parent.flag; own := self.back_flag;
        VAR back : relay(parent);
        MODULE relay(p) DEFINE flag := p.flag;
        """
    )
    assert shown(dict(found.definitions)) == {
        "reach": "top.inner.back.flag",
        "top.inner.back_flag": "top.flag",
        "top.inner.own": "top.inner.back_flag",
        "top.inner.back.flag": "top.flag",
    }


def test_arrays_become_scalars() -> None:
    found = machine(
        """
        MODULE main
        VAR a : array 0..2 of boolean; m : array -1..0 of array 1..2 of 0..3; i : 0..2;
        DEFINE N := 1; row := [a[0], !a[1], i = 2]; grid := [[1, 2], [3, 4]];
        pick := row[i]; fixed := grid[N][N - 1]; alias := m[0];
        ASSIGN next(a[N]) := a[i]; init(m[-1][2]) := alias[1];
        INVARSPEC m[0 - 1][i] > 0
        """
    )
    assert list(found.variables) == ["a[0]", "a[1]", "a[2]", "m[-1][1]", "m[-1][2]", "m[0][1]", "m[0][2]", "i"]
    assert shown(dict(found.definitions)) == {
        "N": "1",
        "pick": "case i = 0 : a[0]; i = 1 : !a[1]; i = 2 : i = 2; esac",
        "fixed": "3",
    }
    assert shown(dict(found.next_values)) == {"a[1]": "case i = 0 : a[0]; i = 1 : a[1]; i = 2 : a[2]; esac"}
    assert shown(dict(found.initial_values)) == {"m[-1][2]": "m[0][1]"}
    assert show(found.properties[0].formula) == "case i = 1 : m[-1][1]; i = 2 : m[-1][2]; esac > 0"


def test_indices_may_be_words_and_booleans() -> None:
    found = machine("MODULE main VAR a : array 0..1 of boolean; w : word[1]; b : boolean; DEFINE x := a[w]; y := a[b];")
    assert show(found.definitions["x"]) == "case toint(w) = 0 : a[0]; toint(w) = 1 : a[1]; esac"
    assert "toint(b) = 1" in show(found.definitions["y"])


def test_arrays_passed_as_parameters() -> None:
    found = machine("MODULE main VAR a : array 0..1 of boolean; m : use(a); MODULE use(v) DEFINE both := v[0] & v[1];")
    assert shown(dict(found.definitions)) == {"m.both": "a[0] & a[1]"}


def test_sugar_is_replaced() -> None:
    found = machine(
        """
        MODULE main VAR n : 0..7; w : word[4]; s : {a, b}; k : 1 + 1..2 * 4;
        DEFINE c := n = 0 ? 1 : n = 1 ? 2 : 3; r := n in 1..3; t := {n}; u := {1..2, 5};
        width := sizeof(w :: w); wide := swconst(-3, 4) = 0sd4_2; high := w[width - 5 : 2];
        long := extend(w, 2 * 2); x := uwconst(5, 3);
        """
    )
    assert found.variables["k"].type == Range(2, 8)
    assert shown(dict(found.definitions)) == {
        "c": "case n = 0 : 1; n = 1 : 2; TRUE : 3; esac",
        "r": "n in {1, 2, 3}",
        "t": "n",
        "u": "{1, 2, 5}",
        "width": "8",
        "wide": "-0sd4_3 = 0sd4_2",
        "high": "w[3 : 2]",
        "long": "extend(w, 4)",
        "x": "0ud3_5",
    }
    assert found.definitions["x"] == Constant(Word(5, 3))


def test_processes_take_turns() -> None:
    found = machine(
        """
        MODULE main
        VAR x : boolean; p1 : process flip(x); p2 : process flip(x); y : boolean;
        ASSIGN init(x) := FALSE; next(y) := x;
        MODULE flip(v) VAR inner : counter; ASSIGN next(v) := !v; FAIRNESS running
        MODULE counter VAR n : 0..3; ASSIGN next(n) := (n + 1) mod 4;
        """
    )
    selector = found.variables["_process_selector_"]
    assert selector.kind is Kind.INPUT
    assert selector.type == Enumeration(("main", "p1", "p2"))
    assert shown(dict(found.definitions)) == {
        "running": "_process_selector_ = main",
        "p1.running": "_process_selector_ = p1",
        "p2.running": "_process_selector_ = p2",
    }
    assert shown(dict(found.next_values)) == {
        "y": "case _process_selector_ = main : x; TRUE : y; esac",
        "x": "case _process_selector_ = p1 : !x; _process_selector_ = p2 : !x; TRUE : x; esac",
        "p1.inner.n": "case _process_selector_ = p1 : (p1.inner.n + 1) mod 4; TRUE : p1.inner.n; esac",
        "p2.inner.n": "case _process_selector_ = p2 : (p2.inner.n + 1) mod 4; TRUE : p2.inner.n; esac",
    }
    assert [show(expr) for expr in found.justice] == ["p1.running", "p2.running"]


def test_a_variable_that_every_process_assigns_has_no_default() -> None:
    text = "MODULE main VAR x : boolean; p : process m(x); ASSIGN next(x) := TRUE; MODULE m(v) ASSIGN next(v) := FALSE;"
    assert show(machine(text).next_values["x"]) == "case _process_selector_ = main : TRUE; _process_selector_ = p : FALSE; esac"


def test_isa_takes_over_declarations() -> None:
    found = machine("MODULE main ISA base VAR y : boolean; DEFINE d := x & y; MODULE base VAR x : boolean; INIT x")
    assert set(found.variables) == {"x", "y"}
    assert show(found.initial_constraints[0]) == "x"


def test_properties_know_their_instance() -> None:
    found = machine(
        """
        MODULE main VAR a : cell; b : cell; SPEC AG x IN a; LTLSPEC F b.x
        MODULE cell VAR x : boolean; INVARSPEC NAME mine := x; INVARSPEC x = FALSE
        """
    )
    described = [(p.kind, p.name, p.module, p.text, show(p.formula)) for p in found.properties]
    assert described == [
        (PropertyKind.CTL, "", "a", "AG x", "AG a.x"),
        (PropertyKind.LTL, "", "", "F b.x", "F b.x"),
        (PropertyKind.INVARIANT, "a.mine", "a", "x", "a.x"),
        (PropertyKind.INVARIANT, "b.mine", "b", "x", "b.x"),
        (PropertyKind.INVARIANT, "", "a", "x = FALSE", "a.x = FALSE"),
        (PropertyKind.INVARIANT, "", "b", "x = FALSE", "b.x = FALSE"),
    ]


def test_names_of_flat_files() -> None:
    declared = 'MODULE main VAR p.x[0] : boolean; state.1 : boolean; "odd" : boolean;'
    found = machine(f'{declared} DEFINE p.d := !p.x[0] & state.1 & "odd";')
    assert list(found.variables) == ["p.x[0]", "state.1", '"odd"']
    assert show(found.definitions["p.d"]) == '!p.x[0] & state.1 & "odd"'


def test_an_instance_may_have_the_name_of_a_symbol() -> None:
    assert machine("MODULE main VAR busy : cell; s : {busy, idle}; MODULE cell VAR x : boolean;").variables


def test_unused_modules_are_only_parsed() -> None:
    assert machine("MODULE main VAR x : boolean; MODULE other(p) VAR y : p..q; DEFINE z := nowhere;").variables


def test_every_name_of_a_machine_has_a_place() -> None:
    found = machine("MODULE main VAR x : 0..3; m : cell(x); ASSIGN next(x) := m.y + 1; MODULE cell(p) DEFINE y := p + p;")
    for expr in (*found.definitions.values(), *found.next_values.values()):
        assert all(part.span is not None for part in subexpressions(expr) if isinstance(part, Name))


def test_long_chains_of_definitions() -> None:
    count = 10_000
    lines = [f"d{i} := d{i + 1} + 0;" for i in range(count)]
    found = machine(f"MODULE main VAR x : 0..1; DEFINE {' '.join(lines)} d{count} := x;")
    assert len(found.definitions) == count + 1
    circular = f"MODULE main DEFINE {' '.join(lines)} d{count} := d0;"
    with pytest.raises(ModelProblem, match="depends on itself"):
        machine(circular)


def test_long_formulas() -> None:
    found = machine(f"MODULE main VAR x : boolean; INVARSPEC {' & '.join(['(x | !x)'] * 10_000)}")
    assert isinstance(found.properties[0].formula, Apply)
    assert len(found.properties[0].formula.args) == 10_000


def test_lowering_leaves_plain_expressions_as_they_are() -> None:
    text = "(x -> y & !x) xor (x <-> y)"
    found = machine(f"MODULE main VAR x : boolean; y : boolean; INVAR {text}")
    assert found.invariant_constraints[0] == parse_expression(text)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("VAR m : cell(AG x);", "cannot stand in a definition or an argument"),
        ("VAR m : cell(nowhere);", "not declared"),
        ("VAR m : cell(next(x)); TRANS next(m.d)", "next()"),
        ("VAR m : cell(next(x)); INVAR m.d", "next()"),
        ("VAR m : used(next(x));", "next() is inside another"),
        ("VAR m : cell(m.d);", "is defined by itself"),
    ],
)
def test_arguments_are_checked(text: str, words: str) -> None:
    with pytest.raises(InputError) as problem:
        machine(f"MODULE main VAR x : boolean; {text} MODULE cell(p) DEFINE d := p; MODULE used(p) TRANS next(p)")
    assert words in str(problem.value)
    assert problem.value.diagnostic.span is not None


def test_reading_imports_no_engine() -> None:
    engines = {"numpy", "oxidd", "oxidd._oxidd", "dd", "numba"}
    program = f"import sys, coarsest.formats.smv.read; print(sorted({engines} & sys.modules.keys()))"
    found = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "[]"


def test_senseless_arguments_that_are_not_used_are_only_a_warning() -> None:
    found = machine("MODULE main VAR m : cell(nowhere, AG x); x : boolean; MODULE cell(p, q) VAR y : boolean;")
    assert [(warning.level, warning.message) for warning in found.warnings] == [
        ("warning", "`nowhere` is not declared in module main"),
        ("warning", "the CTL operator AG cannot stand in a definition or an argument"),
    ]


def test_layers_and_texts_of_psl() -> None:
    text = "MODULE main VAR x : boolean; PSLSPEC AG EF (x); PSLSPEC always ( -- always\n  x /-- so --/ -> next!\tx);"
    branching, linear = read(Source("m.smv", text)).properties
    assert (branching.kind.value, branching.text) == ("ctl", "AG EF x")
    assert (linear.kind.value, linear.text) == ("psl", "always ( x -> next! x)")


def doubling(depth: int) -> str:
    modules = [f"MODULE m{number} VAR a : m{number + 1}; b : m{number + 1};" for number in range(depth)]
    return "\n".join([*modules, f"MODULE m{depth} VAR x : boolean;", "MODULE main VAR t : m0;"])


def test_instances_beyond_the_bound_are_refused() -> None:
    with pytest.raises(ModelProblem, match="more than 100000 instances") as problem:
        read(Source("m.smv", doubling(30)))
    assert "smv:instances=1000000" in (problem.value.diagnostic.hint or "")


def test_the_bound_on_instances_can_be_raised() -> None:
    contents = Contents("m.smv", doubling(5).encode())  # 1 + 1 + 2 + 4 + … + 32 instances
    with pytest.raises(ModelProblem, match="more than 63 instances"):
        read_machine(contents, "smv:instances=63")
    assert len(read_machine(contents, "smv:instances=64").variables) == 32
    with pytest.raises(FileProblem, match="is not a detail of SMV"):
        read_machine(contents, "smv:instances=many")


@pytest.mark.parametrize("joined", [".", " . "])
def test_paths_of_very_many_parts_are_refused(joined: str) -> None:
    path = joined.join(["x"] * 100_000)
    for text in (f"VAR x : boolean; INVARSPEC {path}", f"VAR x : boolean; ASSIGN next({path}) := TRUE;"):
        with pytest.raises(SyntaxProblem, match="more than 1000 parts"):
            read(Source("m.smv", f"MODULE main {text}"))


def test_long_paths_lead_somewhere() -> None:
    """As deep as instances nest."""
    modules = [f"MODULE m{number} VAR n : m{number + 1};" for number in range(150)]
    path = ".".join(["n"] * 151) + ".x"
    text = "\n".join([*modules, "MODULE m150 VAR x : boolean;", f"MODULE main VAR n : m0; INVARSPEC {path}"])
    assert list(read(Source("m.smv", text)).variables) == [path]


def test_an_enumeration_may_have_very_many_values() -> None:
    values = ", ".join(f"v{number}" for number in range(200_000))
    (variable,) = read(Source("m.smv", f"MODULE main VAR s : {{{values}}}; INVARSPEC s != v7")).variables.values()
    assert variable.type.size == 200_000


def test_a_variable_with_one_value_bounds_a_range() -> None:
    machine = read(Source("m.smv", "MODULE main VAR k : {2}; n : 5..5; x : 0..k; a : array k..n + 1 of 0..k + 1;"))
    assert machine.variables["x"].type == Range(0, 2)
    assert {name: v.type for name, v in machine.variables.items() if name.startswith("a[")} == {
        f"a[{place}]": Range(0, 3) for place in range(2, 7)
    }
