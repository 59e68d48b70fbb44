"""What is said about wrong formulas on graphs, word for word."""

from pathlib import Path

import pytest

from coarsest.api.graph import Graph
from coarsest.check.graphs.check_graph import GraphChecker
from coarsest.run import Run
from coarsest.text import Source
from golden_messages import blocks, message_for

GOLDEN = Path(__file__).parents[1] / "golden" / "graph_formula_diagnostics.txt"
PHONE = Graph.from_edges(
    3, [0, 1, 2, 1], [0, 1, 2, 3], [1, 0, 0, 2], labels=[0, 1, 1], action_names=("call", "done", "hold", "busy"),
    label_names=("free", "hold"),
)  # fmt: skip
"""`hold` is an action and a label."""


def read(source: Source) -> object:
    return GraphChecker(PHONE, Run()).claims([source.text])


@pytest.mark.parametrize(("text", "message"), blocks(GOLDEN))
def test_messages(text: str, message: str) -> None:
    assert message_for(text, "<formula>", read) == message
