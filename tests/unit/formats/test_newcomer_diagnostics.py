"""What newcomers write first, and what is said about it: where, with a caret, and how it is written.

After a change of wording, run this file as a program and read the difference.
"""

from pathlib import Path

import pytest

import coarsest
from coarsest.errors import InputError
from coarsest.formats.smv.read import read
from golden_messages import blocks, message_for, rewrite

GOLDEN = Path(__file__).parents[1] / "golden" / "newcomer_diagnostics.txt"
MODEL = "MODULE main VAR lock : boolean; at : {idle, critical}; n : 0..3;"
FORMULAS = {
    "G (lock => F !lock)": "implication is written `->`",
    "lock and at = idle": "conjunction is written `&`",
    "not lock": "negation is written `!`",
    "ag lock": "temporal operators are written in capitals: `AG`",
    "lock = 2": "toint(…) makes a number of a boolean",
    "lock = true": "the boolean constant is written TRUE",
    "at = crit": "did you mean `critical`?",
    "lok": "did you mean `lock`?",
    "G (lock -> F (at = idle": "the `(` in line 1, column 14, is not closed",
    "lock' = lock": "the value after a step is written `next(x)`",
    "0 < n < 3": "one comparison at a time",
    "n ≤ 2": "at most is written `<=`",
    "!at = idle": "`a != b` or `!(a = b)`",
    "at & lock": "compare the value with another one",
    "n % 2 = 0": "the remainder is written `mod`",
}


@pytest.mark.parametrize(("text", "message"), blocks(GOLDEN))
def test_message(text: str, message: str) -> None:
    assert message_for(f"{text}\n", "new.smv", read) == message


def test_every_message_has_a_place_a_caret_and_a_repair() -> None:
    messages = [message for _, message in blocks(GOLDEN)]
    assert len(messages) >= 25
    for message in messages:
        assert "new.smv:" in message and "^" in message and "hint: " in message


@pytest.mark.parametrize("formula", FORMULAS)
def test_formulas(formula: str) -> None:
    with pytest.raises(InputError) as problem:
        coarsest.loads(MODEL).check(formula)
    assert "<formula>:1:" in str(problem.value) and "^" in str(problem.value)
    assert FORMULAS[formula] in str(problem.value)


if __name__ == "__main__":
    rewrite(GOLDEN, "new.smv", read)
