"""Formulas from the command line, against a flat machine."""

import pytest

from coarsest.errors import InputError, ModelProblem, NameProblem, SyntaxProblem, TypeProblem
from coarsest.formats.smv.read import read
from coarsest.logic.show import show
from coarsest.model.kinds import PropertyKind
from coarsest.model.query.formula import parse_formula
from coarsest.text import Source

MACHINE = read(
    Source(
        "m.smv",
        """
        MODULE main
        VAR n : 0..3; s : {idle, busy}; p : cell(n); a : array 0..2 of boolean; m : array 0..1 of array 1..2 of boolean;
        IVAR i : boolean;
        CONSTANTS lost;
        DEFINE high := n > 1; unlikely := s = lost;
        MODULE cell(q) VAR x : boolean; DEFINE d := x & q = 0;
        """,
    )
)


@pytest.mark.parametrize(
    ("text", "kind", "formula"),
    [
        ("n<3", "invariant", "n < 3"),
        ("p.x & !p.d", "invariant", "p.x & !p.d"),
        ("AG (s = idle -> EF s=busy)", "ctl", "AG (s = idle -> EF s = busy)"),
        ("G F high", "ltl", "G F high"),
        ("s != lost", "invariant", "s != lost"),
        ("a[1] | a[n]", "invariant", "a[1] | case n = 0 : a[0]; n = 1 : a[1]; n = 2 : a[2]; esac"),
        ("m[0][n]", "invariant", "case n = 1 : m[0][1]; n = 2 : m[0][2]; esac"),
        ("next(n) >= n", "invariant", "next(n) >= n"),
        ("i -> high", "invariant", "i -> high"),
        ("n in 1..2", "invariant", "n in {1, 2}"),
        ("MIN [high, p.x]", "compute", "MIN [high, p.x]"),
        ("G high;", "ltl", "G high"),
        ("always high && p.x", "psl", "always(high & p.x)"),
    ],
)
def test_formulas(text: str, kind: str, formula: str) -> None:
    found = parse_formula(text, MACHINE)
    assert (found.kind.value, show(found.formula)) == (kind, formula)
    assert found.span is not None
    assert found.span.source.name == "<formula>"


def test_the_kind_can_be_given() -> None:
    assert parse_formula("high", MACHINE, kind=PropertyKind.CTL).kind is PropertyKind.CTL
    with pytest.raises(SyntaxProblem, match="LTL operator"):
        parse_formula("G high", MACHINE, kind=PropertyKind.CTL)


@pytest.mark.parametrize(
    ("text", "problem", "words"),
    [
        ("hihg", NameProblem, "did you mean `high`"),
        ("p.y", NameProblem, "not declared"),
        ("s = buzy", NameProblem, "did you mean `busy`"),
        ("n", TypeProblem, "must be boolean"),
        ("n & high", TypeProblem, "needs booleans"),
        ("AG F high", ModelProblem, "in LTL write `G` for `AG`"),
        ("a[7]", InputError, "a"),
        ("high &", SyntaxProblem, "expected an expression"),
        ("high high", SyntaxProblem, "end of the formula"),
        ("", SyntaxProblem, "expected an expression"),
        ("AG next(high)", ModelProblem, "next()"),
        ("next(i)", ModelProblem, "input"),
        ("a & high", TypeProblem, "array"),
        ("high and p.x", SyntaxProblem, "conjunction is written `&`"),
        ("not high", SyntaxProblem, "negation is written `!`"),
        ("high implies p.x", SyntaxProblem, "implication is written `->`"),
        ("LTLSPEC G high", SyntaxProblem, "leave `LTLSPEC` out"),
    ],
)
def test_wrong_formulas(text: str, problem: type[InputError], words: str) -> None:
    with pytest.raises(problem) as found:
        parse_formula(text, MACHINE)
    assert words in str(found.value)
    assert str(found.value).startswith("<formula>:1:")
