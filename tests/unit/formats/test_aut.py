"""Aldébaran text: read, written, and what is said of wrong files."""

from pathlib import Path

import pytest

from coarsest import tuning
from coarsest.errors import InputError
from coarsest.files import read_contents
from coarsest.formats.aut import read
from coarsest.formats.aut.read import parse
from coarsest.formats.aut.write import pieces, write

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
        (b"des (0,0,99999999999999999999)\n", "x.aut:1:10", "this many states"),
        (b"des (0,99999999999999999999,2)\n", "x.aut:1:8", "this many transitions"),
        (b"des (0,1,2)\n(0,a,5)\n", "x.aut:2:6", "no state 5"),
        (b"des (0,1,2)\n(0,a 1)\n", "x.aut:2:4", "expected a label"),
        (b"des (0,1,2)\n\n (0,a,1\n", "x.aut:3:8", "expected `)`"),
        (b"des (0,1,2)\n(0,a,1)\n(0,b,1)\n", "x.aut:3:1", "another one"),
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


def text_of(lines: int) -> bytes:
    names = ["a", '"b"', "i", '"c, d"', "e,f"]
    rows = [f"({k % 7}, {names[k * k % 5]}, {k * 3 % 7})\n" + "\n" * (k % 11 == 3) for k in range(lines)]
    return f"des (0, {lines}, 7)\n{''.join(rows)}".encode()


@pytest.mark.parametrize("choice", ["pure", "compiled"])
def test_parts_that_are_read_at_the_same_time(choice: str, monkeypatch: pytest.MonkeyPatch) -> None:
    text = text_of(300)
    whole = parse(text, choice=choice)
    monkeypatch.setattr(tuning, "AUT_PIECE", 500)
    monkeypatch.setattr(tuning, "TEXT_SLICE", 300)
    monkeypatch.setattr(read, "processors", lambda: 4)
    parts = parse(text, choice=choice)
    assert parts.action_names == whole.action_names
    for name in ("offsets", "actions", "targets"):
        assert getattr(parts, name).tolist() == getattr(whole, name).tolist()


@pytest.mark.parametrize("wrong", [b"(6, a, 77)\n", b"(6 a, 2)\n", b"(6, a, 2)\n"])
@pytest.mark.parametrize("place", [0.2, 0.6, 1.0])
def test_parts_are_complained_of_like_the_whole(place: float, wrong: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = text_of(300).splitlines(keepends=True)
    lines.insert(int(place * len(lines)), wrong)
    with pytest.raises(InputError) as expected:
        parse(b"".join(lines))
    monkeypatch.setattr(tuning, "AUT_PIECE", 500)
    monkeypatch.setattr(read, "processors", lambda: 4)
    with pytest.raises(InputError) as found:
        parse(b"".join(lines))
    assert str(found.value) == str(expected.value)


def test_many_names(tmp_path: Path) -> None:
    path = tmp_path / "many.aut"
    path.write_text("des (0, 30000, 2)\n" + "".join(f'(0, "{k:040}", 1)\n' for k in range(30_000)))
    graph = read.read(read_contents(path))  # large enough to be mapped
    assert graph.action_names[29_999] == f"{29_999:040}"
    assert graph.actions.tolist() == list(range(30_000))
    assert b"".join(pieces(graph)) == path.read_bytes()


def test_labels_that_are_no_text_survive() -> None:
    text = b'des (0, 2, 2)\n(0, "caf\xe9", 1)\n(0, "caf\xe8", 1)\n'
    assert b"".join(pieces(parse(text))) == text
