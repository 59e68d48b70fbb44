"""Static types: a table of operators against operand types, written from the rules of NuSMV 2.6."""

from itertools import product
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from coarsest.errors import InputError, ModelProblem, TypeProblem
from coarsest.formats.smv.read import read
from coarsest.logic.expr import Apply, Constant, Name
from coarsest.logic.parse import parse_expression
from coarsest.model.checks.static_types import Basic
from coarsest.model.checks.typecheck import check_boolean, check_machine, type_of
from coarsest.model.machine import Machine, Variable
from coarsest.model.types import Boolean, Enumeration, Range, WordType
from coarsest.text import Source
from random_expressions import Expressions

MACHINE = Machine(
    "types",
    {
        name: Variable(name, kind)
        for name, kind in {
            "bool1": Boolean(),
            "int1": Range(0, 7),
            "int2": Enumeration((1, 5)),
            "sym1": Enumeration(("red", "green")),
            "sym2": Enumeration(("up", "down", "red")),
            "mix1": Enumeration(("none", 1, 2)),
            "u4": WordType(4),
            "s4": WordType(4, signed=True),
            "u1": WordType(1),
            "u5": WordType(5),
        }.items()
    },
    definitions={
        "def1": parse_expression("bool1 & int1 > 2"),
        "bools": parse_expression("{TRUE, bool1}"),
        "ints": parse_expression("{1, int1}"),
    },
)
OPERANDS = [*MACHINE.variables, "def1", "bools", "ints"]
KIND = {
    "bool1": "b", "def1": "b", "int1": "i", "int2": "i", "sym1": "s", "sym2": "s", "mix1": "m",
    "u4": "u4", "s4": "s4", "u1": "u1", "u5": "u5", "bools": "B", "ints": "I",
}  # fmt: skip
OPERATORS = ["&", "|", "xor", "xnor", "->", "<->", "+", "-", "*", "/", "mod", "<", "<=", ">", ">=", "=", "!="]
OPERATORS += ["<<", ">>", "::", "union", "in"]
WORDS = {"u4", "s4", "u1", "u5"}


def accepts(text: str) -> bool:
    try:
        type_of(parse_expression(text), MACHINE)
    except TypeProblem as error:
        assert error.diagnostic.span is not None
        return False
    return True


def expected(operator: str, left: str, right: str) -> bool:
    same = left == right
    if operator in ("&", "|", "xor", "xnor", "->", "<->"):
        return same and (left == "b" or left in WORDS)
    if operator in ("+", "-", "*", "/", "mod", "<", "<=", ">", ">="):
        return same and (left == "i" or left in WORDS)
    if operator in ("=", "!="):
        return (same and left not in "BI") or {left, right} in ({"i", "m"}, {"s", "m"})
    if operator in ("<<", ">>"):
        return left in WORDS and (right == "i" or right.startswith("u"))
    if operator == "::":
        return left in WORDS and right in WORDS
    sets = [{"b": "B", "i": "I", "s": "S", "m": "M"}.get(kind, kind) for kind in (left, right)]
    if set(sets) & WORDS:
        return False
    if operator == "union":
        return True
    assert operator == "in"
    return sets[0] == sets[1] or "M" in sets


@pytest.mark.parametrize("operator", OPERATORS)
def test_binary_operators(operator: str) -> None:
    for left, right in product(OPERANDS, OPERANDS):
        text = f"{left} {operator} {right}"
        assert accepts(text) == expected(operator, KIND[left], KIND[right]), text


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("int1 + 1", "integer"),
        ("u4 :: s4", "unsigned word[8]"),
        ("s4[2:1]", "unsigned word[2]"),
        ("extend(s4, 3)", "signed word[7]"),
        ("resize(u4, 2)", "unsigned word[2]"),
        ("signed(u4)", "signed word[4]"),
        ("unsigned(s4)", "unsigned word[4]"),
        ("word1(bool1)", "unsigned word[1]"),
        ("bool(u1)", "boolean"),
        ("bool(int1)", "boolean"),
        ("toint(s4) + toint(bool1)", "integer"),
        ("count(bool1, def1)", "integer"),
        ("{1, 2}", "set of integers"),
        ("{red, 1}", "set of symbols and integers"),
        ("sym1 union int1", "set of symbols and integers"),
        ("case bool1 : 1; TRUE : 2; esac", "integer"),
        ("case bool1 : 1; TRUE : sym1; esac", "symbol or integer"),
        ("case bool1 : 1; TRUE : {2, 3}; esac", "set of integers"),
        ("case bool1 : u4; TRUE : u4 + u4; esac", "unsigned word[4]"),
        ("-s4", "signed word[4]"),
        ("!u4", "unsigned word[4]"),
        ("next(int1)", "integer"),
        ("abs(int1) + min(int1, int2)", "integer"),
        ("max(u4, u4)", "unsigned word[4]"),
        ("u4 << u5", "unsigned word[4]"),
        ("AG bool1 -> E [bool1 U def1]", "boolean"),
        ("G [0, 3] bool1", "boolean"),
    ],
)
def test_types_of_results(text: str, kind: str) -> None:
    symbols = {"red", "green"}

    def resolved(expr: object) -> object:
        if isinstance(expr, Name):
            return Constant(expr.name) if expr.name in symbols else expr
        return Apply(expr.op, tuple(map(resolved, expr.args))) if isinstance(expr, Apply) else expr  # type: ignore[arg-type]

    assert str(type_of(resolved(parse_expression(text)), MACHINE)) == kind  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "text",
    [
        *("!int1", "-bool1", "-sym1", "signed(s4)", "unsigned(u4)", "word1(u1)", "bool(u4)", "toint(sym1)", "count(int1)"),
        *("case int1 : 1; esac", "case bool1 : 1; TRUE : bool1; esac", "case bool1 : u4; TRUE : 1; esac", "extend(int1, 2)"),
        *("bool1[0:0]", "AG int1", "G sym1", "E [bool1 U int1]", "{u4, u4}", "min(int1, u4)", "max(sym1, sym1)"),
    ],
)
def test_rejected(text: str) -> None:
    assert not accepts(text)


@pytest.mark.parametrize("text", ["u4[4:0]", "u4[1:2]", "u4 << 5", "resize(u4, 0)", "ABF 3..1 bool1", "u4 >> 0ud5_9"])
def test_rejected_by_value(text: str) -> None:
    with pytest.raises(ModelProblem):
        type_of(parse_expression(text), MACHINE)


def test_conditions_must_be_boolean() -> None:
    check_boolean(parse_expression("u1 = u1"), MACHINE)
    with pytest.raises(TypeProblem, match="bool"):
        check_boolean(parse_expression("u1"), MACHINE)


@pytest.mark.parametrize(
    ("declared", "value", "fine"),
    [
        ("boolean", "{TRUE, FALSE}", True),
        ("boolean", "0", False),
        ("0..3", "{1, 2} union 3", True),
        ("0..3", "b", False),
        ("0..3", "case b : 7; TRUE : 1; esac", True),  # out of range only where b holds: not for static types to say
        ("0..3", "7", False),
        ("{p, q}", "p", True),
        ("{p, q}", "{p, q}", True),
        ("{p, q}", "r", False),
        ("{p, 1}", "1", True),
        ("{p, 1}", "other", True),
        ("{p, q}", "b", False),
        ("word[3]", "0ud3_1", True),
        ("word[3]", "0sd3_1", False),
        ("word[3]", "1", False),
        ("{1, 2}", "other2", True),
    ],
)
def test_assignments(declared: str, value: str, fine: bool) -> None:
    text = f"MODULE main VAR b : boolean; other : {{p, r}}; other2 : 0..9; x : {declared}; ASSIGN init(x) := {value};"
    if fine:
        read(Source("m.smv", text))
    else:
        with pytest.raises((TypeProblem, ModelProblem)):
            read(Source("m.smv", text))


@settings(max_examples=150, deadline=None)
@given(st.integers(0, 2**32))
def test_random_well_typed_expressions_are_accepted(seed: int) -> None:
    variables = {"a": Boolean(), "n": Range(-2, 3), "s": Enumeration(("red", "green")), "w": WordType(3), "v": WordType(3, True)}
    expr = Expressions(Random(seed), variables, after=variables).boolean(4)
    declared = {name: Variable(name, kind) for name, kind in variables.items()}
    machine = Machine("m", declared, transition_constraints=(expr,))
    try:
        check_machine(machine)
    except TypeProblem as error:  # the generator also has operators on sets and sets of words, which NuSMV does not allow
        assert "set" in str(error)
    else:
        assert type_of(expr, machine) is Basic.BOOLEAN


def test_every_problem_is_an_input_error() -> None:
    assert issubclass(TypeProblem, InputError)
