"""Formulas as Spin and Spot write them."""

from __future__ import annotations

from random import Random

import pytest

import coarsest
from coarsest.automata.translate.from_text import automaton_of
from coarsest.errors import InputError, SyntaxProblem
from coarsest.logic.linear.parse_spin_spot import Ambiguous, parse_spin_spot, with_words_of_others
from coarsest.logic.parse import parse_expression
from coarsest.logic.show import show
from coarsest.text import Source
from spot_syntax import parse as parse_otherwise

UNARY = ("!", "X", "G", "F", "[]", "<>")
BINARY = ("U", "W", "R", "V", "M", "&&", "||", "&", "|", "->", "<->")


def random_text(random: Random, size: int) -> str:
    """A formula with brackets around all that has two operands, and few blanks."""
    blank = random.choice(["", " "])
    if size <= 1:
        return random.choice(["p0", "q", "r1", "1", "0"])
    if random.random() < 0.4:
        inner = random_text(random, size - 1)
        operator = random.choice(UNARY)
        needed = operator.isalpha() and inner[0].isalnum()  # and after `!` there is none: `X! p` is PSL
        return f"{operator}{' ' if needed else '' if operator == '!' else blank}{inner}"
    cut = random.randint(1, size - 1)
    operator = random.choice(BINARY)
    around = " " if operator.isalpha() else blank
    return f"({random_text(random, cut)}{around}{operator}{around}{random_text(random, size - cut)})"


def test_against_another_parser() -> None:
    foreign = 0
    for seed in range(1500):
        text = random_text(Random(seed), 2 + seed % 9)
        try:
            read = parse_spin_spot(Source("<formula>", text))
        except SyntaxProblem as problem:
            raise AssertionError(text) from problem
        assert with_words_of_others(read) == parse_otherwise(text), text
        foreign += any(operator in text for operator in ("[]", "<>", "&&", "||", "W", "R", "M"))
    assert foreign > 500


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("[]<>p && <>[]q", "G F p & F G q"),
        ("!<>(p || q)", "!F (p | q)"),
        ("[]p U q", "G p U q"),
        ("p W q && r", "q V (p | q) & r"),
        ("a R b -> c M d", "a V b -> d U (c & d)"),
        ("[] x == 1", "G x = 1"),
        ("[] x in {1, 2}", "G x in {1, 2}"),
        ("W && R || M", "(W & R) | M"),
        ("R U W W M", None),
        ("X!p && q", "X !p & q"),
        ("GF!p & FG(q)", "G F !p & F G q"),
        ("XF p /\\ <>q \\/ r", "X F p & F q | r"),
        ("p && q U r U s", None),
        ("p && q -> r <-> s", None),
        ("p || q xor r", None),
        ("(p && q) U r -> s U t", "(p & q) U r -> s U t"),
    ],
)
def test_readings(text: str, meant: str | None) -> None:
    source = Source("<formula>", text)
    if meant is None:
        with pytest.raises(Ambiguous, match="which of them binds tighter") as refused:
            parse_spin_spot(source)
        assert refused.value.diagnostic.span is not None
        with pytest.raises(Ambiguous):
            automaton_of(source)
        return
    assert show(parse_spin_spot(source)) == show(parse_expression(meant))


@pytest.mark.parametrize(
    ("text", "shown", "kind"),
    [
        ("[](n == 1 -> <>n = 2)", "G (n = 1 -> F n = 2)", "ltl"),
        ("true U n = 2", "TRUE U n = 2", "ltl"),
        ("1 U n = 2", "TRUE U n = 2", "ltl"),
        ("GFp", "G F p", "ltl"),
        ("Xa", "Xa", "invariant"),
        ("p && Xa", "p & Xa", "invariant"),
        ("p W n = 1", "n = 1 V (p | n = 1)", "ltl"),
        ("X! p", "X! p", "psl"),
        ("G [0, 1] p", "G [0, 1] p", "ltl"),
        ("AG (p && Xa)", "AG (p & Xa)", "ctl"),
    ],
)
def test_over_a_model(text: str, shown: str, kind: str) -> None:
    """What the model declares is a name, and only the rest is read otherwise."""
    model = coarsest.loads("MODULE main VAR n : 0..3; p : boolean; Xa : boolean;")
    claim = model.formula(text)
    assert (claim.text, str(claim.kind)) == (shown, kind)


@pytest.mark.parametrize("text", ["Xq", "[] q", "p && true && m", "p && ", "[n] p", "n && p", "{p} && n"])
def test_complaints(text: str) -> None:
    model = coarsest.loads("MODULE main VAR n : 0..3; p : boolean;")
    with pytest.raises(InputError) as refused:
        model.formula(text)
    assert refused.value.diagnostic.span is not None


def test_words_of_the_automaton() -> None:
    assert automaton_of("GFa & (true U b)").alphabet.atoms == automaton_of("G F a & (TRUE U b)").alphabet.atoms
    assert automaton_of("X!a").edges == automaton_of("X (!a)").edges
