"""Wrong assertion graphs and what is said about them, word for word.

`golden/assertion_graph_diagnostics.txt` holds blocks of an input and the message expected. After a change of wording, run this
file as a program and read the difference.
"""

from pathlib import Path

import pytest

from coarsest.errors import InputError
from coarsest.formats.assertion_graph.read import read
from coarsest.formats.smv.read import read as read_model
from coarsest.model.assertion_graph import check_graph
from coarsest.text import Source

GOLDEN = Path(__file__).parent / "golden" / "assertion_graph_diagnostics.txt"
BLOCK, MIDDLE = "════\n", "────\n"
MODEL = """MODULE main
IVAR req : boolean;
VAR busy : boolean; data : 0..3; cells : array 0..1 of boolean; at : {idle, working};
DEFINE rising := !busy & next(busy); asked := req & !busy;
"""


def blocks() -> list[tuple[str, str]]:
    found = []
    for block in GOLDEN.read_text(encoding="utf-8").split(BLOCK)[1:]:
        text, _, message = block.partition(MIDDLE)
        found.append((text.removesuffix("\n"), message))
    return found


def message_for(text: str) -> str:
    machine = read_model(Source("m.smv", MODEL))
    try:
        for graph in read(Source("g.ag", text), machine):
            check_graph(graph, graph.semantics)
    except InputError as error:
        return f"{type(error).__name__}\n{error}\n"
    return "accepted\n"


@pytest.mark.parametrize(("text", "message"), blocks())
def test_message(text: str, message: str) -> None:
    assert message_for(text) == message


def test_every_message_has_a_place_and_a_caret() -> None:
    messages = [message for _, message in blocks()]
    assert len(messages) >= 30
    for message in messages:
        assert "g.ag:" in message
        assert "^" in message


if __name__ == "__main__":
    GOLDEN.write_text("".join(f"{BLOCK}{text}\n{MIDDLE}{message_for(text)}" for text, _ in blocks()), encoding="utf-8")
