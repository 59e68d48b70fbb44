"""Broken texts: whatever they say, the answer is a machine or an InputError that shows the place, never another exception."""

from collections.abc import Callable, Sequence
from random import Random

from coarsest.errors import InputError
from coarsest.formats.smv.write import write
from coarsest.model.machine import Machine
from coarsest.text import Source


def answers(text: str, name: str, read: Callable[[Source], Machine]) -> None:
    """Reading must end, and well."""
    try:
        machine = read(Source(name, text))
    except InputError as error:
        assert error.diagnostic.span is not None
        assert f"{name}:" in str(error)
    else:
        write(machine)


def with_words_replaced(words: Sequence[str], others: Sequence[str], seed: int) -> str:
    """Up to three words left out, or replaced by others or by one another."""
    random = Random(seed)
    changed = list(words)
    for _ in range(random.randint(1, 3)):
        changed[random.randrange(len(changed))] = random.choice(["", *others, random.choice(changed)])
    return " ".join(changed)
