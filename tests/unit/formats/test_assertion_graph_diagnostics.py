"""Wrong assertion graphs and what is said about them. After a change of wording, run this file and read the difference."""

from pathlib import Path

import pytest

from coarsest.formats.assertion_graph.read import read
from coarsest.formats.smv.read import read as read_model
from coarsest.model.assertion_graph import check_assertion_graph
from coarsest.text import Source
from golden_messages import blocks, message_for, rewrite

GOLDEN = Path(__file__).parents[1] / "golden" / "assertion_graph_diagnostics.txt"
MODEL = """MODULE main
IVAR req : boolean;
VAR busy : boolean; data : 0..3; cells : array 0..1 of boolean; at : {idle, working};
DEFINE rising := !busy & next(busy); asked := req & !busy;
"""


def read_and_check(source: Source) -> None:
    for graph in read(source, read_model(Source("m.smv", MODEL))):
        check_assertion_graph(graph, graph.semantics)


@pytest.mark.parametrize(("text", "message"), blocks(GOLDEN))
def test_message(text: str, message: str) -> None:
    assert message_for(text, "g.ag", read_and_check) == message


def test_every_message_has_a_place_and_a_caret() -> None:
    messages = [message for _, message in blocks(GOLDEN)]
    assert len(messages) >= 30
    for message in messages:
        assert "g.ag:" in message
        assert "^" in message


if __name__ == "__main__":
    rewrite(GOLDEN, "g.ag", read_and_check)
