"""Redundant brackets change nothing: an expression is read alike with all its brackets, with as few as possible, and as printed.

How tightly operators bind is written down here by hand, after the grammar of NuSMV 2.6: what the parser and the printer share
cannot hide a mistake. Neither can the replay of evidence notice one, as it reads the tree that the parser made.
"""

from __future__ import annotations

from typing import NamedTuple

from hypothesis import example, given, settings
from hypothesis import strategies as st

from coarsest.logic.expr import Apply, Constant, Expr
from coarsest.logic.parse import parse_expression
from coarsest.logic.show import show
from coarsest.logic.words import negated

ATOM, POSTFIX, PREFIX, TEMPORAL, CONDITIONAL = 100, 90, 80, 35, 15
LEVELS = {"->": 5, "<->": 10, "|": 20, "xor": 20, "xnor": 20, "&": 25, "U": 30, "V": 30, "S": 30, "T": 30}
LEVELS |= {"=": 40, "!=": 40, "<": 40, ">": 40, "<=": 40, ">=": 40, "in": 45, "union": 50, "<<": 55, ">>": 55}
LEVELS |= {"+": 60, "-": 60, "*": 65, "/": 65, "mod": 65, "::": 70}
UNARY = ("X", "G", "F", "Y", "Z", "H", "O", "AG", "AF", "AX", "EG", "EF", "EX", "G [1, 2]", "O [0, 3]", "ABF 1..2", "EBG 0..3")
SUFFIXES = ("[2:2]", "[0:0]", "[i]", "[i + 1]", "[N - 1 : 0]")
LEAVES = ("a", "p.q", "w[1]", "3", "0", "0sd3_2", "0ub4_1010", "0ud1_0", "TRUE", "1.5", "f'1/3", "self.x")
ENCLOSED = ("next({})", "toint({})", "{{{}, b}}", "case {} : 1; TRUE : 2; esac", "A [{} U b]", "E [a BU 0..2 {}]", "count({}, a)")


class Tree(NamedTuple):
    """An operator with its operands; `form` says how they are written."""

    form: str
    sign: str
    parts: tuple[Tree, ...] = ()


def operation(form: str, signs: tuple[str, ...], *parts: st.SearchStrategy[Tree]) -> st.SearchStrategy[Tree]:
    return st.builds(Tree, st.just(form), st.sampled_from(signs), st.tuples(*parts))


def larger(inner: st.SearchStrategy[Tree]) -> st.SearchStrategy[Tree]:
    return st.one_of(
        operation("prefix", ("-", "!"), inner),
        operation("suffix", SUFFIXES, inner),
        operation("infix", tuple(LEVELS), inner, inner),
        operation("temporal", UNARY, inner),
        operation("conditional", ("?",), inner, inner, inner),
        operation("enclosed", ENCLOSED, inner),
    )


TREES = st.recursive(operation("leaf", LEAVES), larger, max_leaves=12)


def all_brackets(tree: Tree) -> str:
    if tree.form == "leaf":
        return f"({tree.sign})"
    parts = [all_brackets(part) for part in tree.parts]
    return f"({written(tree, parts)})"


def written(tree: Tree, parts: list[str]) -> str:
    match tree.form:
        case "prefix" | "temporal":
            return f"{tree.sign} {parts[0]}"
        case "suffix":
            return f"{parts[0]}{tree.sign}"
        case "infix":
            return f"{parts[0]} {tree.sign} {parts[1]}"
        case "conditional":
            return f"{parts[0]} ? {parts[1]} : {parts[2]}"
        case "enclosed":
            return tree.sign.format(parts[0])
    return tree.sign


def level(tree: Tree) -> int:
    match tree.form:
        case "prefix":
            return TEMPORAL if tree.sign == "!" and level(tree.parts[0]) == TEMPORAL else PREFIX
        case "infix":
            return LEVELS[tree.sign]
        case "enclosed":
            return TEMPORAL if tree.sign[0] in "AE" else ATOM
    return {"suffix": POSTFIX, "temporal": TEMPORAL, "conditional": CONDITIONAL}.get(tree.form, ATOM)


def least_levels(tree: Tree) -> tuple[int, ...]:
    """How tightly each operand must bind to need no brackets."""
    own = level(tree)
    match tree.form:
        case "prefix":
            return (own,)
        case "suffix":
            return (POSTFIX,)
        case "temporal":
            return (TEMPORAL,)
        case "infix":
            return (own + 1, own) if tree.sign == "->" else (own, own + 1)
        case "conditional":
            return (CONDITIONAL + 1, 0, CONDITIONAL)
    return (0,)


def has_until(tree: Tree) -> bool:
    return (tree.form == "infix" and tree.sign in "UVST") or any(map(has_until, tree.parts))


def few_brackets(tree: Tree, least: int = 0) -> str:
    if tree.form == "enclosed" and level(tree) == TEMPORAL and has_until(tree.parts[0]):  # A [a U b U c] says nothing
        parts = [all_brackets(tree.parts[0])]
    else:
        parts = [few_brackets(part, needed) for part, needed in zip(tree.parts, least_levels(tree), strict=False)]
    text = written(tree, parts)
    return text if level(tree) >= least else f"({text})"


def normal(expr: Expr) -> object:
    """What the tree says: chains as pairs from the left, and a negative number in one form, since `-3` may be written `-(3)`."""
    if not isinstance(expr, Apply):
        return expr
    first, *others = (normal(arg) for arg in expr.args)
    if expr.op in ("and", "or"):
        for other in others:
            first = (expr.op, first, other)
        return first
    if expr.op == "neg" and isinstance(first, Constant) and not isinstance(first.value, bool):
        return Constant(negated(first.value))
    return (expr.op, first, *others)


def tree_of(form: str, sign: str, *parts: Tree) -> Tree:
    return Tree(form, sign, parts)


@settings(max_examples=1500, deadline=None)
@given(TREES)
@example(tree_of("prefix", "-", tree_of("suffix", "[2:2]", tree_of("leaf", "0sd3_2"))))
@example(tree_of("suffix", "[2:2]", tree_of("prefix", "-", tree_of("leaf", "0sd3_2"))))
def test_brackets_that_say_nothing_change_nothing(tree: Tree) -> None:
    bracketed = parse_expression(all_brackets(tree))
    assert normal(parse_expression(few_brackets(tree))) == normal(bracketed), few_brackets(tree)
    assert parse_expression(show(bracketed)) == bracketed


def test_the_brackets_left_are_needed() -> None:
    """The law would hold for a printer that leaves all brackets: look at some texts."""
    minus, bits = tree_of("prefix", "-", tree_of("leaf", "0sd3_2")), tree_of("leaf", "0sd3_2")
    assert few_brackets(tree_of("prefix", "-", tree_of("suffix", "[2:2]", bits))) == "- 0sd3_2[2:2]"
    assert few_brackets(tree_of("suffix", "[2:2]", minus)) == "(- 0sd3_2)[2:2]"
    a, b = tree_of("leaf", "a"), tree_of("leaf", "p.q")
    arrow = tree_of("infix", "->", a, b)
    assert few_brackets(tree_of("infix", "->", arrow, arrow)) == "(a -> p.q) -> a -> p.q"
    assert few_brackets(tree_of("prefix", "!", tree_of("temporal", "X", tree_of("infix", "=", a, b)))) == "! X a = p.q"
