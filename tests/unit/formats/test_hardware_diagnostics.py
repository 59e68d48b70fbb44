"""Wrong circuits and designs, and what is said about them. After a change of wording, run this file as a program and read the
difference."""

from collections.abc import Callable
from pathlib import Path

import pytest

from coarsest.files import Contents
from coarsest.formats.aiger import read as aiger
from coarsest.formats.bench import read as bench
from coarsest.formats.blif import read as blif
from coarsest.formats.blif_mv import read as blif_mv
from coarsest.formats.btor2 import read as btor2
from coarsest.formats.vis.properties import read_properties
from coarsest.formats.vis.read import machine_of
from coarsest.model.machine import Machine
from coarsest.text import Source
from golden_messages import blocks, message_for, rewrite

GOLDEN = Path(__file__).parents[1] / "golden"
DESIGN = """typedef enum {RED, GREEN, BLUE} colour;
module main (clk); input clk; colour reg state; reg [3:0] count; reg ready; reg mem [0:3];
always @(posedge clk) begin state = GREEN; count = count + 1; ready = 0; mem[count[1:0]] = 1; end endmodule"""


def read_aiger(source: Source) -> Machine:
    return aiger.read(Contents(source.name, source.text.encode()))


def read_over_design(source: Source) -> object:
    return read_properties(source, machine_of(Source("design.v", DESIGN)))


READERS: dict[str, tuple[str, Callable[[Source], object]]] = {
    "aiger_diagnostics.txt": ("m.aag", read_aiger),
    "bench_diagnostics.txt": ("m.bench", bench.read),
    "blif_diagnostics.txt": ("m.blif", blif.read),
    "blif_mv_diagnostics.txt": ("m.mv", blif_mv.read),
    "btor2_diagnostics.txt": ("m.btor2", btor2.read),
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


if __name__ == "__main__":
    for name, reader in READERS.items():
        rewrite(GOLDEN / name, *reader)
