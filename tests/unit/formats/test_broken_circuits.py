"""Circuits with a few bytes changed: reading them ends, with a circuit or with a message that has a place."""

from pathlib import Path
from random import Random

import pytest

from broken_texts import answers
from coarsest.errors import InputError
from coarsest.files import Contents
from coarsest.formats.aiger import read as aiger
from coarsest.formats.aiger.write import to_ascii, to_binary
from coarsest.formats.bench import read as bench
from coarsest.formats.blif import read as blif
from coarsest.formats.blif_mv import read as blif_mv
from random_circuits import random_circuit

ROOT = Path(__file__).parents[3]
WORDS = (b"9" * 20, b"\n", b" ", b"0", b"-1", b".names a\n", b"=", b"()", b"\xff\xff")


def mutated(data: bytes, seed: int) -> bytes:
    """A few bytes left out, doubled, changed, or all behind a place cut off."""
    random, changed = Random(seed), bytearray(data)
    for _ in range(random.randint(1, 4)):
        place = random.randrange(len(changed) + 1)
        match random.randrange(5):
            case 0:
                del changed[place : place + random.randint(1, 6)]
            case 1:
                changed[place:place] = changed[place : place + random.randint(1, 30)]
            case 2:
                changed[place : place + 1] = bytes([random.randrange(256)])
            case 3:
                changed[place:place] = random.choice(WORDS)
            case 4 if random.random() < 0.3:
                del changed[place:]
    return bytes(changed)


def answers_for(number: int) -> None:
    """Reading what a mutated file says ends, and well."""
    circuit = random_circuit(number)
    examples = ROOT / "examples"
    for data in (to_ascii(circuit), to_binary(circuit), (examples / "arbiter.aag").read_bytes()):
        try:
            aiger.read(Contents("m.aig", mutated(data, number)))
        except InputError as error:
            assert "m.aig:" in str(error)
    for name, read in (("arbiter.blif", blif.read), ("toggle.bench", bench.read), ("crossing.mv", blif_mv.read)):
        answers(mutated((examples / name).read_bytes(), number).decode("utf-8", "replace"), name, read)


@pytest.mark.parametrize("first", range(0, 300, 100))
def test_mutated_files(first: int) -> None:
    for number in range(first, first + 100):
        answers_for(number)


@pytest.mark.nightly
def test_many_mutated_files() -> None:
    for number in range(300, 10_300):
        answers_for(number)
