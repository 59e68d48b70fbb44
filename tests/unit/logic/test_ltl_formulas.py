"""Formulas of linear temporal logic: reading, printing, negation, traits, simplification."""

from __future__ import annotations

import random

import pytest

from coarsest.errors import InputError
from coarsest.logic.linear.ltl import Ltl
from coarsest.logic.linear.ltl_from_expr import from_expr, read_formula
from coarsest.logic.linear.ltl_implication import Implications
from coarsest.logic.linear.ltl_simplify import simplify
from coarsest.logic.parse import parse_expression
from oracles.ltl_words import holds
from random_formulas import BOUNDED, FUTURE, PAST, formula, word


def ltl(text: str) -> Ltl:
    return from_expr(parse_expression(text))


@pytest.mark.parametrize(
    ("text", "printed"),
    [
        ("!(G (a -> F b))", "F (a & G !b)"),
        ("!(a U (b & X c))", "!a V (!b | X !c)"),
        ("a xor G b", "!a & G b | a & F !b"),
        ("G [1, 2] a", "X (a & X a)"),
        ("F [0, 0] a", "a"),
        ("F [2, 1] a", "FALSE"),
        ("!(H [1, 1] a)", "Y !a"),
        ("O a & !(b S c)", "O a & !b T !c"),
        ("p = 1 & (q & X q)", "p = 1 & q & X q"),
        ("TRUE U a", "F a"),
        ("FALSE V a", "G a"),
        ("a U a", "a"),
        ("X (a | !a)", "TRUE"),
    ],
)
def test_reading_and_printing(text: str, printed: str) -> None:
    assert str(ltl(text)) == printed


def test_printing_parses_back() -> None:
    rng = random.Random(7)
    for _ in range(200):
        first = from_expr(formula(rng, rng.randint(1, 12), operators=FUTURE + PAST + BOUNDED))
        again = read_formula(parse_expression(str(first)), first.table)
        assert again is first


def test_equal_formulas_are_the_same_object() -> None:
    table = ltl("a & b").table
    one = read_formula(parse_expression("G (a -> F b)"), table)
    other = read_formula(parse_expression("!(F (!(!a | F b)))"), table)
    assert one is other
    assert one.negation.negation is one


@pytest.mark.parametrize(
    ("text", "complaint", "hint"),
    [
        ("AG a", "`AG` is CTL, but a linear formula (LTL) is expected", "did you mean `G`?"),
        ("G (a -> EF b)", "`EF` is CTL", "did you mean `F`?"),
        ("A [a U b]", "`AU` is CTL", "did you mean `p U q`"),
        ("ABF 1..2 a", "`ABF` is CTL", "F [low, high] p"),
        ("(G a) = b", "the temporal operator `G` is inside `=`", "`<->`"),
        ("F 3", "this is a value", "compare"),
        ("F [0, 5000] a", "5000 is larger than", ""),
        ("MIN [a, b]", "`MIN` computes a number", "COMPUTE"),
    ],
)
def test_formulas_of_other_logics_are_refused_with_a_place(text: str, complaint: str, hint: str) -> None:
    with pytest.raises(InputError) as caught:
        ltl(text)
    shown = str(caught.value)
    assert complaint in shown
    assert hint in shown
    assert "^" in shown


@pytest.mark.parametrize(
    ("text", "traits"),
    [
        ("a", "safety guarantee obligation"),
        ("G a", "universal safety obligation invariant"),
        ("F a", "eventual guarantee obligation"),
        ("G (a -> X b)", "universal safety obligation"),
        ("G F a", "eventual universal"),
        ("F G a", "eventual universal"),
        ("a U b", "guarantee obligation"),
        ("a V b", "safety obligation"),
        ("(G a) U b", "obligation"),
        ("F a & G b", "obligation"),
        ("G (a -> F b)", "universal"),
        ("G (a -> O b)", "universal safety obligation past"),
        ("F (a & H b)", "eventual guarantee obligation past"),
        ("O a", "universal safety guarantee obligation past"),
        ("H a", "eventual safety guarantee obligation past"),
    ],
)
def test_traits(text: str, traits: str) -> None:
    found = ltl(text)
    names = {
        "eventual": found.is_pure_eventuality,
        "universal": found.is_pure_universality,
        "safety": found.is_syntactic_safety,
        "guarantee": found.is_syntactic_guarantee,
        "obligation": found.is_syntactic_obligation,
        "invariant": found.is_invariant,
        "past": found.has_past,
    }
    assert " ".join(name for name, has in names.items() if has) == traits


def test_eventual_and_universal_on_words() -> None:
    """An eventual formula that holds after a letter holds before it; a universal one the other way round."""
    rng = random.Random(11)
    tried = 0
    while tried < 300:
        expr = formula(rng, rng.randint(2, 9))
        found = from_expr(expr)
        if found.is_propositional or not (found.is_pure_eventuality or found.is_pure_universality):
            continue
        tried += 1
        prefix, cycle = word(rng)
        letter, _ = word(rng)
        now, later = holds(expr, [*letter[:1], *prefix], cycle), holds(expr, prefix, cycle)
        if letter and found.is_pure_eventuality:
            assert now or not later
        if letter and found.is_pure_universality:
            assert later or not now


@pytest.mark.parametrize(
    ("text", "simple"),
    [
        ("F F a", "F a"),
        ("G F X a", "G F a"),
        ("F (a U b)", "F b"),
        ("a U (b U a)", "b U a"),
        ("a U (a U b)", "a U b"),
        ("(a U b) U b", "a U b"),
        ("X a U X b", "X (a U b)"),
        ("a & X G a", "G a"),
        ("b | a & X (a U b)", "a U b"),
        ("a U b | G a", "b V (a | b)"),
        ("F a & (b V c) & (b V d)", "F a & b V (c & d)"),
        ("F G (a U b)", "G F b & F G (a | b)"),
        ("G F (a & F b)", "G (F a & F b)"),
        ("a & F a", "a"),
        ("G a & F a", "G a"),
        ("G a & F !a", "FALSE"),
        ("X a | X !a", "TRUE"),
        ("G a & (X a U b)", "G a & F b"),
        ("F a | X (b | X a V d)", "F a | X (b | G d)"),
        ("G F a & (b | F G !a)", "G F a & b"),
        ("F a | O (a & b)", "F a | O (a & b)"),
        ("a | !a & F b", "a | F b"),
        ("c U (a | F b)", "c U a | F b"),
        ("X (a & G F b)", "G F b & X a"),
        ("O O a", "O a"),
        ("a S (b S a)", "b S a"),
    ],
)
def test_simplification(text: str, simple: str) -> None:
    expected = ltl(simple)
    table = ltl(text).table
    assert simplify(read_formula(parse_expression(text), table)) is read_formula(parse_expression(simple), table), expected


def test_simplification_keeps_the_meaning() -> None:
    rng = random.Random(3)
    changed = 0
    for _ in range(400):
        expr = formula(rng, rng.randint(3, 14), operators=rng.choice((FUTURE, FUTURE + PAST)))
        original = from_expr(expr)
        simple = simplify(original)
        changed += simple is not original
        for _ in range(3):
            prefix, cycle = word(rng)
            assert holds(simple.to_expr(), prefix, cycle) == holds(expr, prefix, cycle), f"{original} became {simple}"
    assert changed > 100


def test_implications_are_true_on_words() -> None:
    rng = random.Random(5)
    found = 0
    for _ in range(3000):
        pair = from_expr(formula(rng, 9, atoms=2))
        if len(pair.args) < 2:
            continue
        one, other = pair.args[:2]
        if Implications().implies(one, other):
            found += 1
            for _ in range(5):
                prefix, cycle = word(rng, 2)
                assert not holds(one.to_expr(), prefix, cycle) or holds(other.to_expr(), prefix, cycle), f"{one} implies {other}"
    assert found > 50
