"""BTOR2 with a few words or characters changed: reading it ends, with a model or with a message that has a place."""

from random import Random

import pytest

from broken_texts import answers, with_words_replaced
from coarsest.formats.btor2.read import read
from random_btor2 import OPERATORS, random_btor2

NAME = "m.btor2"


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
