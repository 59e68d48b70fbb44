"""Tokens, constants, deep and long expressions, and printing."""

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from coarsest.errors import SyntaxProblem, Unsupported
from coarsest.logic.expr import TRUE, Apply, Constant, Expr, Name, Word
from coarsest.logic.parse import DEEPEST, parse_expression
from coarsest.logic.show import show
from coarsest.logic.tokens import KEYWORDS, tokenise
from coarsest.text import Source


def texts(text: str) -> list[str]:
    return tokenise(Source("t", text)).texts[:-1]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("e-1.ack-out", ["e-1.ack-out"]),
        ("a - b", ["a", "-", "b"]),
        ("x--y is a name", ["x--y", "is", "a", "name"]),
        ("x -- comment\n+ y", ["x", "+", "y"]),
        ("x /-- over\nlines --/ y", ["x", "y"]),
        ("0..7", ["0", "..", "7"]),
        ("a..b", ["a", "..", "b"]),
        ("state.0", ["state.0"]),
        ("a<->b->c<=d", ["a", "<->", "b", "->", "c", "<=", "d"]),
        ("0ub4_1010 0h_ff -0sd8_3", ["0ub4_1010", "0h_ff", "-", "0sd8_3"]),
        ("until!x before!=y", ["until!", "x", "before", "!=", "y"]),
        ("a[*3] b[+]", ["a", "[*", "3", "]", "b", "[+]"]),
        ('"quoted name"', ['"quoted name"']),
        ("# 12 \"file.h\"\nx", ["x"]),
        ("a\u00e9b", ["a", "\u00e9", "b"]),
    ],
)
def test_tokens(text: str, expected: list[str]) -> None:
    assert texts(text) == expected


def test_token_places() -> None:
    tokens = tokenise(Source("t", "  ab -- x\n  :=\tcd"))
    assert [(text, tokens.source.line_and_column(start)) for text, start in zip(tokens.texts, tokens.starts)] == [
        ("ab", (1, 3)),
        (":=", (2, 3)),
        ("cd", (2, 6)),
        ("", (2, 8)),
    ]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("12", 12),
        ("-12", -12),
        ("+12", 12),
        ("TRUE", True),
        ("0ub4_1010", Word(10, 4)),
        ("0b4_1010", Word(10, 4)),
        ("0uB_1010", Word(10, 4)),
        ("0uo_17", Word(15, 6)),
        ("0uh8_fF", Word(255, 8)),
        ("0uh_f_f", Word(255, 8)),
        ("0sb4_1111", Word(15, 4, signed=True)),
        ("0ud8_2_5_5", Word(255, 8)),
        ("-0sd8_3", Word(253, 8, signed=True)),
        ("-0sd4_8", Word(8, 4, signed=True)),
        ("-0ud4_3", Word(13, 4)),
    ],
)
def test_constants(text: str, value: object) -> None:
    found = parse_expression(text)
    assert isinstance(found, Constant)
    assert found == Constant(value)  # type: ignore[arg-type]
    assert found.span is not None
    assert found.span.text == text


@pytest.mark.parametrize("text", ["0ud8_256", "0ub_12", "0uo4_8", "0ud_3", "0ub0_0", "0sd4_9", "0ud99999999999_1", "9" * 5000])
def test_wrong_constants(text: str) -> None:
    with pytest.raises(SyntaxProblem):
        parse_expression(text)


@pytest.mark.parametrize(
    ("text", "value"), [("1.5", "3/2"), ("2e3", "2000"), ("1.0e-3", "1/1000"), ("f'2/6", "1/3"), ("-F'1/3", "-1/3"), ("0.0", "0")]
)
def test_real_constants_are_exact(text: str, value: str) -> None:
    assert parse_expression(text) == Constant(Fraction(value))
    assert parse_expression(show(Constant(Fraction(value)))) == Constant(Fraction(value))


@pytest.mark.parametrize("text", ["f'1/0", "1e99999", "1e-1001", "0." + "3" * 5000])
def test_wrong_real_constants(text: str) -> None:
    with pytest.raises(SyntaxProblem):
        parse_expression(text)


def test_unsupported_constants() -> None:
    with pytest.raises(Unsupported):
        parse_expression("READ(a, 1)")


def test_paths_are_names_and_other_indices_are_not() -> None:
    assert parse_expression("a.b [ 3 ] . c[-1].2") == Name("a.b[3].c[-1].2")
    assert parse_expression("a[i].b") == Apply(".", (Apply("index", (Name("a"), Name("i"))), Name("b")))
    assert parse_expression("self.x") == Name("self.x")


def test_spans_cover_brackets_and_operators() -> None:
    expr = parse_expression("x & (a | b) -> c")
    assert isinstance(expr, Apply)
    assert expr.span is not None
    assert expr.span.text == "x & (a | b) -> c"
    left = expr.args[0]
    assert left.span is not None
    assert left.span.text == "x & (a | b)"


@pytest.mark.parametrize("operator", ["&", "|"])
def test_long_chains_stay_shallow(operator: str) -> None:
    expr = parse_expression(f" {operator} ".join(f"x{i}" for i in range(20_000)))
    assert isinstance(expr, Apply)
    assert len(expr.args) == 20_000
    assert all(isinstance(arg, Name) for arg in expr.args)


DEEP = {
    "brackets": lambda n: "(" * n + "a" + ")" * n,
    "negations": lambda n: "!" * n + "a",
    "minus": lambda n: "- " * n + "a",
    "sums": lambda n: " + ".join(["a"] * n),
    "implications": lambda n: " -> ".join(["a"] * n),
    "exclusive": lambda n: " xor ".join(["a"] * n),
    "conditionals": lambda n: "a ? b : " * n + "c",
    "cases": lambda n: "case a : " * n + "b" + "; esac" * n,
    "indices": lambda n: "a[" * n + "i" + "]" * n,
    "sets": lambda n: "{" * n + "a" + "}" * n,
    "temporal": lambda n: "G " * n + "a",
    "quantifiers": lambda n: "A [a U " * n + "b" + "]" * n,
    "nexts": lambda n: "next(" * n + "a" + ")" * n,
    "members": lambda n: "f(a)[i]" + "[j]" * n,
    "mixed": lambda n: "(a + " * (n // 2) + "b" + " + a)" * (n // 2),
}


@pytest.mark.parametrize("shape", DEEP)
def test_nesting_beyond_the_limit_is_refused(shape: str) -> None:
    with pytest.raises(SyntaxProblem):
        parse_expression(DEEP[shape](50_000))


@pytest.mark.parametrize("shape", sorted(DEEP.keys() - {"members"}))
def test_nesting_below_the_limit_is_read_and_printed(shape: str) -> None:
    expr = parse_expression(DEEP[shape](DEEPEST // 2 - 10))
    assert parse_expression(show(expr)) == expr


# -- printing --------------------------------------------------------------------------------------------------------------

names = st.sampled_from(["a", "b", "x-y", "p.q", "c[0]", "d[-1].e", "_f$#", "self.g"]).map(Name)
words = st.builds(Word, st.integers(0, 15), st.just(4), st.booleans())
constants = st.one_of(st.booleans(), st.integers(-9, 9), words).map(Constant)
integers = st.integers(0, 7).map(Constant)


def operation(ops: list[str], *args: st.SearchStrategy[Expr]) -> st.SearchStrategy[Expr]:
    return st.builds(Apply, st.sampled_from(ops), st.tuples(*args))


BINARY = ["implies", "iff", "xor", "xnor", "=", "!=", "<", "<=", ">", ">=", "in", "union", "<<", ">>", "+", "-", "*", "/"]
BINARY += ["mod", "::", "..", "U", "V", "S", "T", "extend", "resize", "min", "max", "swconst", "uwconst"]


def extended(inner: st.SearchStrategy[Expr]) -> st.SearchStrategy[Expr]:
    return st.one_of(
        operation(["not", "neg", "next", "bool", "word1", "toint", "signed", "unsigned", "sizeof", "abs"], inner),
        operation(BINARY, inner, inner),
        operation(["X", "G", "F", "Y", "Z", "H", "O", "AG", "AF", "AX", "EG", "EF", "EX"], inner),
        operation(["BG", "BF", "BH", "BO", "ABF", "ABG", "EBF", "EBG"], integers, integers, inner),
        operation(["?:", "bits", "and", "or", "set", "count"], inner, inner, inner),
        operation(["and", "or", "set", "count", "case"], inner, inner),
        operation(["case", "and", "or"], inner, inner, inner, inner),
        operation(["index"], names, names),
    )


expressions = st.recursive(st.one_of(names, constants), extended, max_leaves=25)


@settings(max_examples=400, deadline=None)
@given(expressions)
def test_printing_and_parsing_give_the_expression_back(expr: Expr) -> None:
    assert parse_expression(show(expr)) == expr


def extended_branching(inner: st.SearchStrategy[Expr]) -> st.SearchStrategy[Expr]:
    return st.one_of(
        operation(["AU", "EU", "implies", "xor"], inner, inner),
        operation(["ABU", "EBU"], integers, integers, inner, inner),
        operation(["AG", "EF", "not"], inner),
        operation(["and"], inner, inner, inner),
    )


path_formulas = st.recursive(names, extended_branching, max_leaves=15)


@settings(max_examples=150, deadline=None)
@given(path_formulas)
def test_printing_of_path_quantifiers(expr: Expr) -> None:
    assert parse_expression(show(expr)) == expr


@pytest.mark.parametrize(
    "text",
    [
        *("!(a & b)", "a & b | c", "(a | b) & c", "-(3)", "-(-a)", "a - -3", "(-0sd4_8)[1 : 0]", "case a : 1; TRUE : x; esac"),
        *("A [a U b] -> EF c", "MIN [a, b]", "G [1, 2] a = b", "ABF 0..3 a", "x in 0..3 union {5, 7}", "(a -> b) -> c"),
    ],
)
def test_minimal_brackets(text: str) -> None:
    assert show(parse_expression(text)) == text


def test_no_keyword_is_a_name() -> None:
    for word in KEYWORDS - {"self", "TRUE", "FALSE"}:
        with pytest.raises((SyntaxProblem, Unsupported)):
            parse_expression(word)


def test_where_it_was_written_is_no_difference() -> None:
    one, other = parse_expression("a -> TRUE"), parse_expression("   a  ->  TRUE")
    assert (one == other, one != other) == (True, False)
    assert isinstance(one, Apply)
    assert (one.args[1] == TRUE, one.args[1] != TRUE) == (True, False)
    assert (Constant(1) == TRUE, Constant(1) != TRUE) == (False, True)
