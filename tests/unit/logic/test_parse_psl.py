"""PSL formulas: levels of the operators, sequences, and printing back."""

import pytest

from coarsest.errors import SyntaxProblem, Unsupported
from coarsest.formats.smv.psl_text import psl_text
from coarsest.logic.expr import Apply, Expr, Name
from coarsest.logic.psl.parse_psl import parse_psl_expression
from coarsest.logic.psl.psl_from_expr import psl_from_expr
from coarsest.text import Source


def psl(text: str) -> Expr:
    return parse_psl_expression(Source("<psl>", text))


def tree(expr: Expr) -> object:
    if isinstance(expr, Apply):
        return (expr.op, *map(tree, expr.args))
    return expr.name if isinstance(expr, Name) else expr.value


@pytest.mark.parametrize(
    ("text", "brackets"),
    [
        ("always a -> b", "always (a -> b)"),
        ("never a & b", "never (a & b)"),
        ("G a -> F b", "G (a -> (F b))"),
        ("F a & b", "F (a & b)"),
        ("a -> next b until c", "a -> (next (b until c))"),
        ("a until b abort c", "a until (b abort c)"),
        ("a before b until c", "a before (b until c)"),
        ("eventually! a | b -> c", "(eventually! (a | b)) -> c"),
        ("a = b & c", "(a = b) & c"),
        ("a | b & c", "a | (b & c)"),
        ("a || b | c", "a || (b | c)"),
        ("a & always b -> c", "a & (always (b -> c))"),
        ("AG a -> b", "(AG a) -> b"),
        ("a == b", "a = b"),
        ("a && b", "a & b"),
        ("next a", "X a"),
        ("next! a", "X! a"),
    ],
)
def test_levels(text: str, brackets: str) -> None:
    assert tree(psl(text)) == tree(psl(brackets))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("{a}", ("sere", "a")),
        ("{a; b; c}", ("sere", (";", "a", "b", "c"))),
        ("{a[*]; b[*3]}", ("sere", (";", ("[*]", "a", 0), ("[*]", "b", 3, 3)))),
        ("{c[*1..2]; d[*2:inf]}", ("sere", (";", ("[*]", "c", 1, 2), ("[*]", "d", 2)))),
        ("{a[+]; [*]}", ("sere", (";", ("[*]", "a", 1), ("[*]", True, 0)))),
        ("{a[=2]; b[->]; c[->2:3]}", ("sere", (";", ("[=]", "a", 2, 2), ("[->]", "b", 1, 1), ("[->]", "c", 2, 3)))),
        ("{{a} : {b}}", ("sere", (":", ("sere", "a"), ("sere", "b")))),
        ("{{a} && {b; c}}", ("sere", ("&&", ("sere", "a"), ("sere", (";", "b", "c"))))),
        ("{a & b[*2]}", ("sere", ("[*]", ("and", "a", "b"), 2, 2))),
        ("{a} |-> {b}", ("|->", ("sere", "a"), ("sere", "b"))),
        ("{a} |=> {b}!", ("|=>!", ("sere", "a"), ("sere", "b"))),
        ("{a} (b)", ("|->", ("sere", "a"), "b")),
        ("always {a; b} |=> next c", ("always", ("|=>", ("sere", (";", "a", "b")), ("X", "c")))),
        ("a <-> {b} |=> {c}!", ("iff", "a", ("|=>!", ("sere", "b"), ("sere", "c")))),
        ("a until_ {b} |-> c -> d", ("implies", ("until_", "a", ("|->", ("sere", "b"), "c")), "d")),
        ("next {a} |-> {b}!", ("X", ("|->!", ("sere", "a"), ("sere", "b")))),
        ("{{a} | {b}} |-> c", ("|->", ("sere", ("|", ("sere", "a"), ("sere", "b"))), "c")),
        ("next[3] (a)", ("next[]", 3, "a")),
        ("next_a![1:2] (a)", ("next_a!", 1, 2, "a")),
        ("next_event(a)(b)", ("next_event", "a", "b")),
        ("next_event!(a)[2](b)", ("next_event[]!", "a", 2, "b")),
        ("next_event_e(a)[1:2](b)", ("next_event_e", "a", 1, 2, "b")),
        ("within!({a}, b) {c}", ("within!", ("sere", "a"), "b", ("sere", "c"))),
        ("whilenot_(a) {b}", ("whilenot_", "a", ("sere", "b"))),
        ("[a U b]", ("U", "a", "b")),
        ("next [a U b]", ("X", ("U", "a", "b"))),
        ("next! [a W b] & c", ("X", ("and", ("W", "a", "b"), "c"))),
        ("X [next [a U b] U c]", ("X", ("U", ("X", ("U", "a", "b")), "c"))),
        ("next [2] ([a U b])", ("next[]", 2, ("U", "a", "b"))),
        ("next [a U {b[*2]}!]", ("X", ("U", "a", ("sere!", ("[*]", "b", 2, 2))))),
        ("x in {a, b}", ("in", "x", ("set", "a", "b"))),
        ("a until!_ b", ("until!_", "a", "b")),
    ],
)
def test_trees(text: str, expected: object) -> None:
    assert tree(psl(text)) == expected
    assert tree(psl(psl_text(psl(text)))) == expected


def test_sequences_are_written_as_nusmv_reads_them() -> None:
    text = "eventually! {a; {b}[+]; c[*2]; a[*]; b[->]; c[=1:2]}"
    assert psl_text(psl(text)) == text


@pytest.mark.parametrize("text", ["always", "{a;}", "{a", "{a[*}", "a until", "[a b]", "next_a(b)", "{a} |->", "within(a) {b}"])
def test_wrong_formulas(text: str) -> None:
    with pytest.raises(SyntaxProblem):
        psl(text)


@pytest.mark.parametrize(
    ("text", "written_out"),
    [
        ("forall i in {0:2}: always x = i", "(always x = 0) & (always x = 1) & (always x = 2)"),
        ("forany i in {1, 3..4, 7}: F x = i", "(F x = 1) | (F x = 3) | (F x = 4) | (F x = 7)"),
        ("forall b in boolean: always a = b -> next a", "(always (a = FALSE -> next a)) & (always (a = TRUE -> next a))"),
        ("forall s in {idle, busy}: never at = s", "(never at = idle) & (never at = busy)"),
        ("forall i in {2}: {a[*i]; x = i} |-> next[i] (w[i + j].i)", "{a[*2]; x = 2} |-> next[2] (w[2 + j].i)"),
        (
            "forall i in {0:1}: forall j in {2:3}: always x = i + j",
            "((always x = 0 + 2) & (always x = 0 + 3)) & ((always x = 1 + 2) & (always x = 1 + 3))",
        ),
    ],
)
def test_replicated_properties(text: str, written_out: str) -> None:
    assert tree(psl(text)) == tree(psl(written_out))


@pytest.mark.parametrize("text", ["forall i in {3:1}: a", "forall i in {}: a", "forall {0:1}: a", "forall i in {!b}: a"])
def test_wrong_replications(text: str) -> None:
    with pytest.raises(SyntaxProblem):
        psl(text)


@pytest.mark.parametrize("text", ["forall i in {0:1000000000000}: a", "forall i in {0:99}: forall j in {0:99}: a"])
def test_too_many_instances_are_not_written_out(text: str) -> None:
    with pytest.raises(Unsupported, match="at most 1000"):
        psl_from_expr(psl(text))
