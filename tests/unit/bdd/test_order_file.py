"""Order files: NuSMV's are understood, odd ones are warned about, and what was written is read again."""

from pathlib import Path

import pytest

from coarsest.bdd.order.order_file import parse_order, write_order
from coarsest.files import read_text
from coarsest.text import Source

SHARED = Path(__file__).parents[3].parent / "shared" / "benchmarks" / "smv"


def order_of(text, known):
    return parse_order(Source("m.ord", text), known)


def test_names_in_the_order_of_the_file():
    found = order_of("c\n\n-- a comment\n  a \t ignored\r\n# another\nb\n", ["a", "b", "c"])
    assert found.names == ["c", "a", "b"]
    assert found.warnings == []


def test_missing_names_are_appended_as_declared():
    assert order_of("d", ["a", "b", "c", "d"]).names == ["d", "a", "b", "c"]
    assert order_of("", ["a", "b"]).names == ["a", "b"]


def test_bits_stand_for_their_variable_and_variables_for_their_bits():
    assert order_of("x.1\ny.0\nx.0", ["y", "x"]).names == ["x", "y"]
    assert order_of("x\ny.0", ["y.1", "y.0", "x.1", "x.0"]).names == ["x.1", "x.0", "y.0", "y.1"]
    assert order_of("x.0\nx", ["x.1", "x.0"]).names == ["x.0", "x.1"]


def test_a_name_that_ends_like_a_bit():
    assert order_of("a.0\na", ["a", "a.0"]).names == ["a.0", "a"]


def test_unknown_names_are_warned_about_with_a_place_and_a_suggestion():
    found = order_of("a\ncontrolle.state\n", ["a", "controller.state"])
    assert found.names == ["a", "controller.state"]
    (warning,) = found.warnings
    assert warning.show().splitlines()[0] == "m.ord:2:1: warning: the model has no variable 'controlle.state'"
    assert "did you mean 'controller.state'?" in warning.show()


def test_a_name_mentioned_twice_keeps_its_first_place():
    found = order_of("b\na\nb\n", ["a", "b"])
    assert found.names == ["b", "a"]
    assert "twice" in found.warnings[0].show()


def test_what_was_written_is_read_again(tmp_path):
    names = ["p[1].x", "next(q).0", "_process_selector_", "e-3.a.out", "ünïcode"]
    path = tmp_path / "m.ord"
    write_order(path, names)
    found = parse_order(read_text(path), sorted(names))
    assert found.names == names
    assert found.warnings == []


@pytest.mark.skipif(not SHARED.is_dir(), reason="shared benchmarks not present")
def test_every_order_file_of_the_benchmarks_is_read():
    paths = sorted(SHARED.glob("**/*.ord"))
    assert len(paths) > 30
    for path in paths:
        source = read_text(path)
        names = [line.strip() for line in source.text.splitlines() if line.strip() and not line.startswith("--")]
        found = parse_order(source, sorted(names))
        assert found.names == list(dict.fromkeys(names))
