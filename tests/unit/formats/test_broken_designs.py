"""Designs and property files with a few words changed: reading them ends, with a model or with a message that has a place."""

from pathlib import Path
from random import Random

import pytest

from broken_texts import answers, with_words_replaced
from coarsest.errors import InputError
from coarsest.formats.vis.parsing.preprocess import preprocess
from coarsest.formats.vis.properties import read_properties
from coarsest.formats.vis.read import machine_of
from coarsest.text import Source
from random_verilog import RandomDesign

ROOT = Path(__file__).parents[3]
OTHERS = ["begin", "end", ";", "(", ")", "[", "]", "{", "}", "=", "<=", "?", ":", "case", "$ND", "0", "999", "4'b1x", "\n`", "@"]


@pytest.mark.parametrize("seed", range(60))
def test_broken_designs(seed: int) -> None:
    text = RandomDesign(seed).text() if seed % 2 else (ROOT / "examples" / "arbiter.v").read_text(encoding="utf-8")
    words = preprocess(Source("m.v", text)).texts[:-1]
    answers(with_words_replaced(words, OTHERS, seed), "m.v", machine_of)


@pytest.mark.nightly
@pytest.mark.parametrize("hundred", range(1, 101))
def test_many_broken_designs(hundred: int) -> None:
    for seed in range(100 * hundred, 100 * hundred + 100):
        test_broken_designs(seed)


SIGNS = [*"()UXA={}[];*+!5", "AG", "==", "\\define", "\\A_WAITS", "a.state", "<*1*>"]


@pytest.mark.parametrize("seed", range(60))
def test_broken_property_files(seed: int) -> None:
    words = (ROOT / "examples" / "arbiter.ctl").read_text(encoding="utf-8").split()
    random = Random(seed)
    text = with_words_replaced(words[random.randrange(20) :], SIGNS, seed)
    try:
        read_properties(Source("m.ctl", text), ARBITER)
    except InputError as error:
        assert error.diagnostic.span is not None
        assert "m.ctl:" in str(error)


@pytest.mark.nightly
@pytest.mark.parametrize("hundred", range(1, 101))
def test_many_broken_property_files(hundred: int) -> None:
    for seed in range(100 * hundred, 100 * hundred + 100):
        test_broken_property_files(seed)


ARBITER = machine_of(Source("arbiter.v", (ROOT / "examples" / "arbiter.v").read_text(encoding="utf-8")))
