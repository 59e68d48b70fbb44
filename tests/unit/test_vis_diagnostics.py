"""Wrong designs and property files, and what is said. After a change of wording, run this file as a program and read the
difference."""

from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from broken_texts import answers, with_words_replaced
from coarsest.errors import InputError
from coarsest.formats.vis.preprocess import preprocess
from coarsest.formats.vis.properties import read_properties
from coarsest.formats.vis.read import machine_of
from coarsest.text import Source
from golden_messages import blocks, message_for, rewrite
from random_verilog import RandomDesign

GOLDEN = Path(__file__).parent / "golden"
ROOT = Path(__file__).parents[2]
DESIGN = """typedef enum {RED, GREEN, BLUE} colour;
module main (clk); input clk; colour reg state; reg [3:0] count; reg ready; reg mem [0:3];
always @(posedge clk) begin state = GREEN; count = count + 1; ready = 0; mem[count[1:0]] = 1; end endmodule"""


def read_over_design(source: Source) -> object:
    return read_properties(source, machine_of(Source("design.v", DESIGN)))


READERS: dict[str, tuple[str, Callable[[Source], object]]] = {
    "vis_diagnostics.txt": ("m.v", machine_of),
    "vis_property_diagnostics.txt": ("m.ctl", read_over_design),
}
CASES = [(golden, text, message) for golden in READERS for text, message in blocks(GOLDEN / golden)]


@pytest.mark.parametrize(("golden", "text", "message"), CASES)
def test_message(golden: str, text: str, message: str) -> None:
    assert message_for(text, *READERS[golden]) == message


@pytest.mark.parametrize("golden", READERS)
def test_every_message_has_a_place(golden: str) -> None:
    messages = [message for _, message in blocks(GOLDEN / golden)]
    assert len(messages) >= 20
    assert all(f"{READERS[golden][0]}:" in message for message in messages)


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


ARBITER = machine_of(Source("arbiter.v", (ROOT / "examples" / "arbiter.v").read_text(encoding="utf-8")))


if __name__ == "__main__":
    for name, reader in READERS.items():
        rewrite(GOLDEN / name, *reader)
