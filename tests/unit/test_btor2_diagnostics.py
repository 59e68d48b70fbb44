"""Wrong BTOR2 and what is said about it. After a change of wording, run this file as a program and read the difference."""

from pathlib import Path
from random import Random

import pytest

from broken_texts import answers, with_words_replaced
from coarsest.formats.btor2.read import read
from golden_messages import blocks, message_for, rewrite
from random_btor2 import OPERATORS, random_btor2

GOLDEN = Path(__file__).parent / "golden" / "btor2_diagnostics.txt"
NAME = "m.btor2"


@pytest.mark.parametrize(("text", "message"), blocks(GOLDEN))
def test_message(text: str, message: str) -> None:
    assert message_for(text, NAME, read) == message


def test_every_message_has_a_place() -> None:
    messages = [message for _, message in blocks(GOLDEN)]
    assert len(messages) >= 30
    assert all(f"{NAME}:" in message for message in messages)


WORDS = ("\n", "9" * 20, "0", "-1", "1", "2", "3", "7", ";", "sort", "array", "é", "1\n", *OPERATORS)


def answers_for(seed: int) -> None:
    """Reading a file with a few words or characters changed ends, and well."""
    text = random_btor2(seed, arrays=seed % 2 == 0)
    answers(with_words_replaced(text.split(" "), WORDS, seed), NAME, read)
    random, changed = Random(seed), list(text)
    for _ in range(random.randint(1, 4)):
        place = random.randrange(len(changed))
        changed[place : place + random.randint(0, 3)] = random.choice(["", " ", "\n", "-", "x", "0", "12", "\0", "\u2028"])
    answers("".join(changed), NAME, read)


@pytest.mark.parametrize("first", range(0, 400, 100))
def test_broken_texts(first: int) -> None:
    for seed in range(first, first + 100):
        answers_for(seed)


@pytest.mark.nightly
def test_many_broken_texts() -> None:
    for seed in range(400, 10_400):
        answers_for(seed)


if __name__ == "__main__":
    rewrite(GOLDEN, NAME, read)
