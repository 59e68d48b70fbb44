"""Formulas, observed expressions and conditions over a machine that no file describes."""

from __future__ import annotations

import pytest

from coarsest.errors import InputError
from coarsest.logic.expr import Apply, Constant, Expr, Name
from coarsest.logic.parse import parse_expression
from coarsest.logic.show import show
from coarsest.model.interpret.values import OPERATORS
from coarsest.model.kinds import PropertyKind
from coarsest.model.machine import Kind, Machine, Variable
from coarsest.model.query.conditions import Conditions
from coarsest.model.query.formula import parse_formula, parse_observed, parse_value
from coarsest.model.query.lower import known_value
from coarsest.model.types import Boolean, Enumeration, Range, Type, WordType
from coarsest.text import Source, Span

TYPES: dict[str, Type] = {
    "n": Range(0, 3),
    "b": Boolean(),
    "in.b": Boolean(),
    "w": WordType(4),
    "a[1]": Boolean(),
    "a[2]": Boolean(),
    "colour": Enumeration(("red", "green")),
    "go": Boolean(),
}
MACHINE = Machine(
    "made",
    {name: Variable(name, type_, Kind.INPUT if name == "go" else Kind.STATE) for name, type_ in TYPES.items()},
    definitions={
        "rises": Apply("<", (Name("n"), Apply("next", (Name("n"),)))),
        "odd": Apply("=", (Name("colour"), Constant("strange"))),
    },
)


@pytest.mark.parametrize(
    ("text", "kind", "meant"),
    [
        ("n < 2", PropertyKind.INVARIANT, "n < 2"),
        ("AG (in.b -> AF colour = red)", PropertyKind.CTL, "AG (in.b -> AF colour = red)"),
        ("G (self.b -> F self.in.b)", PropertyKind.LTL, "G (b -> F in.b)"),
        ("AG a[1]", PropertyKind.CTL, "AG a[1]"),
        ("[] (b -> <> go)", PropertyKind.LTL, "G (b -> F go)"),
        ("w[2:1] = 0ub2_01", PropertyKind.INVARIANT, "w[2 : 1] = 0ud2_1"),
        ("n in {1 .. 3}", PropertyKind.INVARIANT, "n in {1, 2, 3}"),
        ("colour = strange", PropertyKind.INVARIANT, "colour = strange"),
    ],
)
def test_formulas(text: str, kind: PropertyKind, meant: str) -> None:
    claim = parse_formula(text, MACHINE)
    assert claim.kind is kind
    assert show(claim.formula) == meant


def test_an_array_of_variables() -> None:
    chosen = parse_formula("a[n]", MACHINE).formula
    assert show(chosen) == "case n = 1 : a[1]; n = 2 : a[2]; esac"


@pytest.mark.parametrize(
    ("text", "message", "hint"),
    [
        ("collour = red", "`collour` is not declared in module main", "did you mean `colour`?"),
        ("True", "`True` is not declared in module main", "the boolean constant is written TRUE"),
        ("w[9]", "`w[9]` indexes something that is not an array", "bits of a word"),
        ("a[3]", "`a` in `a[3]` is not declared in module main", ""),
        ("b.c", "`c` in `b.c` is asked of a value, which has no members", ""),
        ("self", "`self` is module main, a value is needed here", "name one of its variables"),
        ("a & b", "`a` is an array, a value is needed here", "index it"),
        ("AG F b", "CTL and LTL operators in one formula", "in CTL write `AF` for `F`"),
    ],
)
def test_complaints(text: str, message: str, hint: str) -> None:
    with pytest.raises(InputError) as caught:
        parse_formula(text, MACHINE)
    assert message in caught.value.diagnostic.message
    assert hint in caught.value.diagnostic.hint


@pytest.mark.parametrize("place", [None, Span(Source("m.smv", "\n\nVAR red"), 6, 9)])
def test_a_name_that_is_also_a_symbol(place: Span | None) -> None:
    """The place that is told is where the model declares it, if that is known."""
    variables = {**MACHINE.variables, "red": Variable("red", Boolean(), Kind.STATE, place)}
    with pytest.raises(InputError) as caught:
        parse_formula("AG red", Machine("made", variables))
    assert caught.value.diagnostic.message == "`red` is ambiguous"
    where = " in line 3" if place else ""
    assert caught.value.diagnostic.hint == f"it is declared{where} and also a value of an enumeration: rename one of them"


def test_what_is_observed() -> None:
    assert parse_value("n + 1", MACHINE) == Apply("+", (Name("n"), Constant(1)))
    assert parse_observed("G (b -> X in.b)", MACHINE) == [Name("b"), Name("in.b")]
    for text, words in (("rises", "about a step"), ("{1, 2}", "has one value in every state")):
        with pytest.raises(InputError, match=words):
            parse_value(text, MACHINE)


def test_conditions() -> None:
    conditions = Conditions(MACHINE)
    assert conditions.resolve(parse_expression("self.b & go"), "a guard") == Apply("and", (Name("b"), Name("go")))
    for text, words in (("F b", "`F` about paths"), ("next(b)", r"next\(\) about a step"), ("rises", "definition of `rises`")):
        with pytest.raises(InputError, match=words):
            conditions.resolve(parse_expression(text), "a guard")


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("-7 / 2", -3),
        ("-7 mod 2", -1),
        ("max(2, N) * 3", 12),
        ("case N < 4 : 1; N = 4 & !(N != 4) : 2; TRUE : 3; esac", 2),
        ("toint(TRUE) + count(TRUE, FALSE, N = 4)", 3),
        ("1 / 0", None),
        ("1 + TRUE", None),
        ("N + n", None),
        ("extend(0ub1_1, 4000000000)", None),
    ],
)
def test_constants(text: str, value: int | None) -> None:
    bodies: dict[str, Expr] = {"N": Constant(4)}
    assert known_value(parse_expression(text), bodies.get) == value


def test_constants_are_computed_as_the_interpreter_does() -> None:
    """There is one table of operators; a table of its own had once another division."""
    for op in ("+", "-", "*", "/", "mod", "min", "max"):
        for left in range(-4, 5):
            for right in (-3, -1, 1, 2):
                expr = Apply(op, (Constant(left), Constant(right)))
                assert known_value(expr, {}.get) == OPERATORS[op](left, right)
