"""Every pair of operators, bracketed as the manual of NuSMV 2.6 says. The table is written by hand, not taken from the parser."""

from itertools import product

import pytest

import coarsest
from coarsest.errors import SyntaxProblem
from coarsest.logic.expr import Apply, Expr
from coarsest.logic.parse import parse_expression

# Loosest first; the second field says how operators of one level associate.
LEVELS = [
    (["->"], "right"),
    (["<->"], "left"),
    (["|", "xor", "xnor"], "left"),
    (["&"], "left"),
    (["U", "V", "S", "T"], "left"),
    (["=", "!=", "<", ">", "<=", ">="], "left"),
    (["in"], "left"),
    (["union"], "left"),
    (["<<", ">>"], "left"),
    (["+", "-"], "left"),
    (["*", "/", "mod"], "left"),
    (["::"], "left"),
]
LEVEL = {operator: (level, side) for level, (operators, side) in enumerate(LEVELS) for operator in operators}


def left_first(one: str, other: str) -> bool:
    """Is `a one b other c` read as `(a one b) other c`?"""
    (level, side), (other_level, _) = LEVEL[one], LEVEL[other]
    return level > other_level or (level == other_level and side == "left")


def strip(expr: Expr) -> object:
    """The expression with chains of & and | as nested pairs, so that brackets can be compared."""
    if isinstance(expr, Apply):
        args = [strip(arg) for arg in expr.args]
        if expr.op in ("and", "or"):
            nested = args[0]
            for arg in args[1:]:
                nested = (expr.op, nested, arg)
            return nested
        return (expr.op, *args)
    return expr


def same(one: str, other: str) -> bool:
    return strip(parse_expression(one)) == strip(parse_expression(other))


@pytest.mark.parametrize(("one", "other"), list(product(LEVEL, LEVEL)))
def test_pair_of_infix_operators(one: str, other: str) -> None:
    grouped = f"(a {one} b) {other} c" if left_first(one, other) else f"a {one} (b {other} c)"
    wrong = f"a {one} (b {other} c)" if left_first(one, other) else f"(a {one} b) {other} c"
    assert same(f"a {one} b {other} c", grouped)
    assert not same(f"a {one} b {other} c", wrong)


@pytest.mark.parametrize("operator", list(LEVEL))
def test_negation_and_minus_bind_tightest(operator: str) -> None:
    assert same(f"!a {operator} b", f"(!a) {operator} b")
    assert same(f"-a {operator} b", f"(-a) {operator} b")
    assert same(f"a {operator} !b", f"a {operator} (!b)")


@pytest.mark.parametrize("prefix", ["X", "G", "F", "Y", "Z", "H", "O", "AG", "AF", "AX", "EG", "EF", "EX", "ABF 1..2", "G [0,3]"])
@pytest.mark.parametrize("operator", list(LEVEL))
def test_temporal_prefixes_stand_between_until_and_comparisons(prefix: str, operator: str) -> None:
    if LEVEL[operator][0] <= LEVEL["U"][0]:
        assert same(f"{prefix} a {operator} b", f"({prefix} a) {operator} b")
        assert same(f"a {operator} {prefix} b", f"a {operator} ({prefix} b)")
    else:
        assert same(f"{prefix} a {operator} b", f"{prefix} (a {operator} b)")
        with pytest.raises(SyntaxProblem, match="binds less tightly"):
            parse_expression(f"a {operator} {prefix} b")


@pytest.mark.parametrize(
    ("text", "brackets"),
    [
        ("!X a = b", "!(X (a = b))"),
        ("!AG a & b", "(!(AG a)) & b"),
        ("!!X a", "!(!(X a))"),
        ("a ? b : c ? d : e", "a ? b : (c ? d : e)"),
        ("a | b ? c : d", "(a | b) ? c : d"),
        ("a ? b : c <-> d", "(a ? b : c) <-> d"),
        ("a -> b ? c : d", "a -> (b ? c : d)"),
        ("a ? b -> c : d", "a ? (b -> c) : d"),
        ("a <-> b ? c : d", "a <-> (b ? c : d)"),
        ("a -> b -> c", "a -> (b -> c)"),
        ("a <-> b <-> c", "(a <-> b) <-> c"),
        ("A [a -> b U c | d]", "A [(a -> b) U (c | d)]"),
        ("E [a & b BU 1..2 c & d]", "E [(a & b) BU 1..2 (c & d)]"),
        ("A [a U b] & c", "(A [a U b]) & c"),
        ("-a[1] + b", "(-(a[1])) + b"),
        ("!a.b", "!(a.b)"),
        ("w[7:4] :: v[0:0]", "(w[7:4]) :: (v[0:0])"),
        ("(w + v)[3:0]", "((w + v)[3:0])"),
        ("a = 1..3 union 5", "a = ((1..3) union 5)"),
        ("-1..1 union 2", "((-1)..1) union 2"),
        ("a - -1", "a - (-1)"),
        ("G a U b U c", "((G a) U b) U c"),
        ("X a U b", "(X a) U b"),
        ("AG AF a -> b", "(AG (AF a)) -> b"),
    ],
)
def test_bracketing(text: str, brackets: str) -> None:
    assert same(text, brackets)


def test_the_temporal_operators_of_one_text_are_all_there() -> None:
    """The comparison above would hold for a parser that loses operators: look at one tree in full."""
    tree = strip(parse_expression("G (a -> X b U c) & !F d"))
    assert tree == (
        "and",
        ("G", ("implies", parse_expression("a"), ("U", ("X", parse_expression("b")), parse_expression("c")))),
        ("not", ("F", parse_expression("d"))),
    )


@pytest.mark.parametrize("text", ["X!p", "G (p -> X!q) & (q -> X!p)", "X!p = q", "X!X!p U q", "F X!(p & q)"])
def test_a_next_before_a_negation_is_no_strong_next(text: str) -> None:
    """Only PSL has that; places are those of the text."""
    expr = parse_expression(text)
    assert expr == parse_expression(text.replace("X!", "X !"))
    assert expr.span is not None
    assert expr.span.text == text


def test_with_a_blank_it_may_be_one() -> None:
    """In a file, where PSL has a word of its own, it is none."""
    with pytest.raises(SyntaxProblem, match="expected an expression"):
        parse_expression("X! p")
    text = "MODULE main VAR p : boolean; LTLSPEC X! p; LTLSPEC X!p; PSLSPEC X! p;"
    assert [claim.text for claim in coarsest.loads(text).properties] == ["X !p", "X !p", "X! p"]
