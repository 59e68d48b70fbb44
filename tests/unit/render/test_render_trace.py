"""Traces as text: what changes, in full, as a table; and the loop marks."""

from __future__ import annotations

import pytest

from coarsest.logic.expr import Value, Word
from coarsest.model.trace import Trace
from coarsest.render.text.columns import pack, shorten, wrap
from coarsest.render.text.trace_text import trace_to_text

MUTEX = Trace(
    (
        {"p.at": "idle", "q.at": "idle", "turn": 1, "flag": False},
        {"p.at": "trying", "q.at": "idle", "turn": 1, "flag": False},
        {"p.at": "trying", "q.at": "trying", "turn": 1, "flag": True},
    ),
    ({"who": "p"}, {"who": "q"}),
)


def test_changes_shows_the_first_state_and_then_only_what_changes() -> None:
    assert trace_to_text(MUTEX).split("\n") == [
        "0 | p.at = idle   q.at = idle   turn = 1   flag = FALSE",
        "1 | [who = p]   p.at = trying",
        "2 | [who = q]   q.at = trying   flag = TRUE",
    ]


def test_full_shows_everything_in_every_state() -> None:
    text = trace_to_text(MUTEX, style="full")
    assert text.count("turn = 1") == 3
    assert text.count("p.at = trying") == 2
    assert "[who = q]" in text


def test_table_has_a_row_for_each_variable() -> None:
    assert trace_to_text(MUTEX, style="table").split("\n") == [
        "state  0      1       2",
        "p.at   idle   trying  .",
        "q.at   idle   .       trying",
        "turn   1      .       .",
        "flag   FALSE  .       TRUE",
        "[who]         p       q",
    ]


def test_a_wide_table_is_cut_into_blocks_that_fit() -> None:
    states = tuple({"counter": number, "parity": number % 2 == 0} for number in range(40))
    lines = trace_to_text(Trace(states), style="table", width=60).split("\n")
    assert max(map(len, lines)) <= 60
    heads = [head for line in lines if line.startswith("state") for head in line.split()[1:]]
    assert heads == [str(number) for number in range(40)]


def test_a_value_that_returns_is_a_change_again() -> None:
    text = trace_to_text(Trace(({"x": 0}, {"x": 1}, {"x": 0})))
    assert text.split("\n") == ["0 | x = 0", "1 | x = 1", "2 | x = 0"]


def test_a_step_without_changes_says_so() -> None:
    assert trace_to_text(Trace(({"x": 0}, {"x": 0}))).split("\n")[1] == "1 | (nothing changes)"


@pytest.mark.parametrize("style", ["changes", "full", "table"])
def test_loops_are_marked(style: str) -> None:
    lasso = Trace(({"x": 0}, {"x": 1}), ({"go": True}, {"go": False}), loop=1)
    text = trace_to_text(lasso, style=style)
    if style == "table":
        assert "1*" in text
        assert "after state 1 comes state 1 again" in text
    else:
        assert text.index("the loop starts here") < text.index("1 | ")
        assert text.endswith("-- back to state 1   [go = FALSE]")


def test_a_trace_of_twelve_variables_fits_on_a_screen() -> None:
    def state(step: int) -> dict[str, Value]:
        return {f"process{n}.status": "critical" if step == n else "waiting" for n in range(12)}

    text = trace_to_text(Trace(tuple(state(step) for step in range(18))), width=80)
    lines = text.split("\n")
    assert len(lines) <= 25
    assert max(map(len, lines)) <= 80


def test_words_are_written_as_smv_writes_them() -> None:
    assert trace_to_text(Trace(({"w": Word(5, 8)},))) == "0 | w = 0ud8_5"


def test_an_empty_state_is_not_an_error() -> None:
    assert trace_to_text(Trace(({},))) == "0 | (nothing changes)"
    assert trace_to_text(Trace(({},)), style="table").startswith("state")


def test_an_unknown_style_is_refused() -> None:
    with pytest.raises(ValueError, match="changes, full, table"):
        trace_to_text(MUTEX, style="fancy")


def test_pack_never_exceeds_the_width_unless_a_cell_does() -> None:
    cells = [f"v{number} = {'x' * (number % 7)}" for number in range(50)]
    for width in (10, 20, 33, 80, 200):
        lines = pack(cells, width)
        assert max(map(len, lines)) <= max(width, *map(len, cells))
        assert sum(line.count("v") for line in lines) == 50
    assert pack([], 80) == []


def test_wrap_keeps_every_cell_in_order() -> None:
    cells = [str(number) for number in range(100)]
    assert " ".join(wrap(cells, 30)).split() == cells


def test_shorten_keeps_both_ends() -> None:
    text = shorten("a" * 100 + "b" * 100, 50)
    assert len(text) <= 50
    assert text.startswith("aaa")
    assert text.endswith("bbb")
