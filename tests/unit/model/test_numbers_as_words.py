"""Numbers beside words in formulas mean what they mean beside numbers; Verilog's literals and names are read."""

from __future__ import annotations

import operator

import pytest

from coarsest import loads
from coarsest.errors import InputError

MODEL = loads(
    "MODULE main FROZENVAR u : unsigned word[3]; s : signed word[3]; b : boolean; i : 0..1; DEFINE wide := extend(u, 2);",
    name="main.smv",
)
COMPARISONS = {
    "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge, "=": operator.eq, "!=": operator.ne,
    "==": operator.eq,
}  # fmt: skip
VALUES = {"u": range(8), "s": range(-4, 4)}


def states(condition: str) -> int:
    """How many values of the word in it satisfy a condition."""
    return MODEL.reach(towards=condition).states or 0


@pytest.mark.parametrize("name", VALUES)
@pytest.mark.parametrize("sign", COMPARISONS)
def test_comparisons(name: str, sign: str) -> None:
    """Of the 8 values of each other word, and of the others, none matters."""
    others = states(f"{name} = {name}") // 8
    for number in (-9, -5, -4, -1, 0, 2, 3, 4, 7, 8, 100):
        expected = sum(COMPARISONS[sign](value, number) for value in VALUES[name])
        mirrored = sum(COMPARISONS[sign](number, value) for value in VALUES[name])
        assert states(f"{name} {sign} {number}") == others * expected, number
        assert states(f"{number} {sign} {name}") == others * mirrored, number


@pytest.mark.parametrize(
    ("condition", "same"),
    [
        ("u in {1, 3, 9}", "u = 0ud3_1 | u = 0ud3_3"),
        ("u in 2..9", "u >= 0ud3_2"),
        ("u + 1 = 0", "u = 0ud3_7"),
        ("3 - u = 1", "u = 0ud3_2"),
        ("wide > 6", "u = 0ud3_7"),
        ("u[0]", "u mod 0ud3_2 = 0ud3_1"),
        ("u[2] & !u[0]", "u = 0ud3_4 | u = 0ud3_6"),
        ("b = 1", "b"),
        ("b != 1 | 0 = b", "!b"),
        ("u == 4'd5 && b == 1'b1", "u = 0ud3_5 & b"),
        ("u == 'h5", "u = 0ud3_5"),
        ("u == 8'b0000_0101", "u = 0ud3_5"),
        ("s == 3'sb111", "s = -0sd3_1"),
        ("main.u < 2", "u < 0ud3_2"),
    ],
)
def test_what_is_written_in_another_way(condition: str, same: str) -> None:
    assert MODEL.check(f"({condition}) <-> ({same})").holds


@pytest.mark.parametrize(
    ("formula", "message"),
    [
        ("u + 8 = 1", "8 is no value of unsigned word[3]"),
        ("u = 3'b1x0", "a number with undefined digits"),
        ("u = 3'b120", "these are no digits of base 2"),
        ("u[3]", "indexes something that is not an array"),
        ("b = 2", "needs"),
    ],
)
def test_wrong_numbers(formula: str, message: str) -> None:
    with pytest.raises(InputError, match=message.replace("[", r"\[")) as problem:
        MODEL.check(formula)
    assert problem.value.diagnostic.span is not None


def test_names_that_are_functions() -> None:
    """Designs have signals such as `count`, which formulas know as a function."""
    design = "1 sort bitvec 4\n2 zero 1\n3 state 1 count\n4 init 1 3 2\n5 inc 1 3\n6 next 1 3 5\n"
    model = loads(design, format="btor2")
    assert model.check("AG EF count == 15", "F count = 4'd9").holds
    assert model.check("count(count = 1, count > 0) < 3").holds
