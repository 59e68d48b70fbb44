"""Aldébaran text: read, written, and what is said of wrong files."""

import pytest

from coarsest.errors import InputError
from coarsest.formats.aut.read import parse
from coarsest.formats.aut.write import write

DIALECTS = {
    "cadp": b'des (0, 3, 2)\n(0, i, 1)\n(0, "SEND !1, 2", 1)\n(1, SEND !1, 2, 0)\n',
    "mcrl2": b'des (0,3,2)\r\n(0,"tau",1)\r\n(0,"s(1,2)",1)\r\n(1,"s(1,2)",0)\r\n',
    "spaced": b'\n  des  ( 0 , 3 , 2 )   \n\t( 0 , a , 1 )  \n\n(0,"a,b",1)\n( 1 ,  a,b  , 0)',
}


@pytest.mark.parametrize("text", DIALECTS.values(), ids=DIALECTS)
def test_dialects_are_read(text: bytes) -> None:
    graph = parse(text)
    assert (graph.states, graph.transitions, graph.initial.tolist(), len(graph.action_names)) == (2, 3, [0], 2)
    assert graph.targets.tolist() == [1, 1, 0]
    assert graph.actions.tolist() == [0, 1, 1]
    again = parse(write(graph).encode())
    assert again.action_names == graph.action_names
    assert again.targets.tolist() == graph.targets.tolist()


@pytest.mark.parametrize(
    ("text", "place", "words"),
    [
        (b"", "x.aut:1:1", "empty"),
        (b"hello\n", "x.aut:1:1", "expected a header"),
        (b"des (3,1,2)\n", "x.aut:1:6", "initial state 3"),
        (b"des (0,0,0)\n", "x.aut:1:10", "at least one state"),
        (b"des (0,1,2)\n(0,a,5)\n", "x.aut:2:6", "no state 5"),
        (b"des (0,1,2)\n(0,a 1)\n", "x.aut:2:4", "expected a label"),
        (b"des (0,1,2)\n\n (0,a,1\n", "x.aut:3:8", "expected `)`"),
        (b"des (0,1,2)\n(0,a,1)\n(0,b,1)\n", "x.aut:3:1", "one more"),
        (b"des (0,2,2)\n(0,a,1)\n", "x.aut:1:1", "but there is 1"),
        (b"des (0,2,2)\n(0,a,1 1/2 0)\n", "x.aut:2:8", "probabilistic"),
        (b"des (0,1,2)\n(-1,a,1)\n", "x.aut:2:2", "number of a state"),
        (b"des (0,1,2)\n(0,a,1))\n", "x.aut:2:8", "end of the line"),
    ],
)
def test_wrong_files_are_explained(text: bytes, place: str, words: str) -> None:
    with pytest.raises(InputError) as caught:
        parse(text, "x.aut")
    message = str(caught.value)
    assert message.startswith(place)
    assert words in message
