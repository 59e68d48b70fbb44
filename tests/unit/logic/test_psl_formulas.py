"""PSL formulas: printing that reads back, shorthands, the two layers, what is refused."""

from random import Random

import pytest

from coarsest.errors import InputError, ModelProblem, SyntaxProblem, Unsupported
from coarsest.logic.psl.psl import has_sequences
from coarsest.logic.psl.psl_from_expr import psl_from_expr, psl_from_text
from coarsest.logic.psl.psl_layers import is_branching
from coarsest.logic.psl.show_psl import show_psl
from random_sequences import parse, psl


@pytest.mark.parametrize("size", range(8))
def test_printed_formulas_read_back(size: int) -> None:
    rng = Random(size)
    for _ in range(60):
        formula = psl_from_expr(parse(psl(rng, size, atoms=3)))
        assert psl_from_expr(parse(show_psl(formula))) == formula


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("{a; b} (c)", "{a; b} |-> c"),
        ("{a; b} |=> c", "{a; b; TRUE} |-> c"),
        ("never {a; b}", "always ({a; b} |-> FALSE)"),
        ("never a", "always !a"),
        ("eventually! {a; b}", "F {a; b}!"),
        ("next! a", "X a"),
        ("[a U b]", "a until! b"),
        ("[a W b]", "a until b"),
        ("a until_ b", "a until (a & b)"),
        ("a before! b", "!b until! (a & !b)"),
        ("next_a[1:3] (a)", "next (a & next (a & next a))"),
        ("next_e[2:3] (a)", "next[2] (a | next a)"),
        ("next_event(b) (always c)", "!b until (b & always c)"),
        ("next_a[2:inf] (a)", "next[2] (always a)"),
        ("a ? next b : next c", "(a -> next b) & (!a -> next c)"),
        ("(next a) xor (next b)", "!((next a) <-> (next b))"),
        ("{a} |-> {b}!", "{a} |-> ({b}!)"),
        ("AG ({a; b} (AX c))", "always ({a; b} |-> next c)"),
        ("AG (a -> {b; c}! & AF d)", "always (a -> {b; c}! & F d)"),
    ],
)
def test_shorthands(one: str, other: str) -> None:
    assert psl_from_expr(parse(one)) == psl_from_expr(parse(other))


def test_layers() -> None:
    assert is_branching(parse("AG (a -> EF b)"))
    assert is_branching(parse("A [a U b] & !(E [a U EX b])"))
    assert not is_branching(parse("always (a -> eventually! b)"))
    assert not is_branching(parse("AG ({a; b} (FALSE))"))
    assert not is_branching(parse("a & b"))
    assert has_sequences(psl_from_expr(parse("always {a}"))) and not has_sequences(psl_from_expr(parse("next_event(a)[3] (b)")))


@pytest.mark.parametrize(
    ("text", "kind", "words"),
    [
        ("EF {a; b}", Unsupported, "the branching operator EF"),
        ("AG EF {a; b}", Unsupported, "the branching operator EF"),
        ("(AG a) until {b}", Unsupported, "the branching operator AG under `until`"),
        ("within(a, b) {c}", Unsupported, "`within` of PSL 1.01"),
        ("whilenot!(b) {c; d}", Unsupported, "`whilenot!` of PSL 1.01"),
        ("(always a) @ clk", Unsupported, "clocked"),
        ("{a; b} = c", SyntaxProblem, "`=` cannot join temporal formulas"),
        ("next_event(b)[0] (c)", ModelProblem, "counts from 1"),
        ("next_event_a(b)[1:inf] (c)", ModelProblem, "counts from 1 to a number"),
        ("next_a[3:1] (c)", ModelProblem, "the range 3:1 is empty"),
        ("next_a[1:5000] (b)", Unsupported, "5000 steps are too many"),
        ("next[30000] (b)", Unsupported, "30000 steps are too many"),
        ("next[a] (b)", SyntaxProblem, "found `a` as a count"),
        ("next_event({a; b}) (c)", SyntaxProblem, "must be a condition on a single state"),
        ("(always a) abort (next b)", SyntaxProblem, "must be a condition on a single state"),
        ("H a", Unsupported, "PSL has no past operators"),
        ("{a; b}! |-> c", SyntaxProblem, "a strong sequence inside a sequence"),
        ("{a} |-> b!", SyntaxProblem, "makes sequences strong"),
        ("(next a) ? b : next c", SyntaxProblem, "as the condition of a case"),
    ],
)
def test_refusals_are_pointed_at(text: str, kind: type[InputError], words: str) -> None:
    with pytest.raises(kind) as raised:
        psl_from_expr(parse(text))
    assert words in str(raised.value)
    assert "^" in str(raised.value)


def test_a_formula_is_the_whole_text() -> None:
    assert psl_from_text("always {a}") == psl_from_expr(parse("always {a}"))
    with pytest.raises(SyntaxProblem, match="expected an operator or the end"):
        psl_from_text("{a}; b")
