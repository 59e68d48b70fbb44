"""The page that `check -o report.html` writes: what is in it, and what a browser makes of it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from browser import CHROMIUM, Browser, browser
from coarsest.model.trace import Trace
from coarsest.render.page.report_card import MOST_POINTS, Growth
from coarsest.render.page.trace_views import TraceRow, folded, trace_table, waves
from coarsest.run import Event
from command_lines import Runner

needs_browser = pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium")
MODEL = """MODULE main
VAR n : 0..300; w : unsigned word[8]; b : boolean; hidden : 0..1; aside : boolean;
ASSIGN init(n) := 0; next(n) := n < 300 ? n + 1 : n; init(w) := 0ud8_0; next(w) := w + 0ud8_1;
  init(b) := FALSE; next(b) := n > 3; init(hidden) := 0; init(aside) := FALSE; next(aside) := !aside;
INVARSPEC NAME small := n < 200;
INVARSPEC NAME fine := w >= 0ud8_0;
CTLSPEC NAME ends := AF b
"""


@pytest.fixture
def report(run: Runner) -> str:
    Path("m.smv").write_text(MODEL)
    assert run("check", "m.smv", "-o", "report.html", "n < 250").code == 1
    assert run("check", "m.smv", "-o", "report.html").code == 1
    return Path("report.html").read_text(encoding="utf-8")


def test_what_a_report_says(report: str) -> None:
    assert report.count('class="card"') == 3
    assert "m.smv:5" in report and "   5 | INVARSPEC NAME small := n &lt; 200;" in report
    assert "again: <code>coarsest check m.smv -o report.html</code>" in report
    assert "iterations</summary><svg" in report and "Waves" in report
    assert "http" not in report.replace("http-equiv", "")
    assert 'data-unfold="0" aria-label="show 151 states"' in report


def test_the_command_can_be_typed_again(run: Runner) -> None:
    Path("m.smv").write_text(MODEL)
    run("check", "m.smv", "n < 250 & !b", "-o", "r.html")
    assert "again: <code>coarsest check m.smv &#x27;n &lt; 250 &amp; !b&#x27; -o r.html</code>" in Path("r.html").read_text()


def test_stretches_are_folded_but_no_loop_is_hidden() -> None:
    steady = TraceRow("x", (0,) * 30, True)
    assert folded([steady], 30, None) == [range(1, 29)]
    assert folded([steady], 30, 10) == [range(1, 10), range(11, 29)]
    assert folded([TraceRow("x", tuple(range(100)), True)], 100, 99) == [range(25, 75)]
    assert folded([TraceRow("x", tuple(range(60)), True)], 60, None) == []


def test_tables_and_waves_have_the_same_places() -> None:
    trace = Trace(({"x": 0, "b": False}, {"x": 1, "b": True}), ({"go": True}, {"go": False}), loop=0)
    table = trace_table(trace, ["x"])
    assert table.count("<th scope=\"col\"") == 3 and '<tr class="other" hidden>' in table
    assert "after state 1 comes state 0 again" in table
    assert "x: 0 from 0, 1 from 1" in waves(trace, ["x"]) and "[go]" not in waves(trace, ["x"])
    assert waves(Trace(({"x": 0},)), None) == ""


def test_growth_is_thinned() -> None:
    growth = Growth()
    for step in range(3 * MOST_POINTS):
        growth.listen(Event("forward", step, 0.0, {"nodes": step}))
    growth.listen(Event("other", 1, 0.0, {}))
    points = growth.taken()
    assert len(points) <= MOST_POINTS and points[0][1] == 0 and growth.points == []


@pytest.fixture(scope="module")
def window(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    with browser(tmp_path_factory.mktemp("browser")) as one:
        yield one


@needs_browser
@pytest.mark.parametrize("width", [1280, 400])
def test_a_browser_opens_it(window: Browser, report: str, width: int) -> None:
    window.open(Path("report.html"), width)
    assert window.value("document.documentElement.dataset.ready") == "yes"
    assert window.value("document.documentElement.scrollWidth") <= width
    assert window.value("[...document.querySelectorAll('.card')].map(card => card.open)") == [True, False, False]
    assert window.complaints == [] and len(window.requests) == 1


@needs_browser
def test_more_on_demand(window: Browser, report: str) -> None:
    window.open(Path("report.html"))
    visible = "[...document.querySelectorAll('.card[open] .trace tr')].filter(row => row.offsetParent).length"
    columns = "[...document.querySelectorAll('.card[open] .trace tr')[1].cells].filter(c => c.offsetParent).length"
    assert window.value(visible) == 2  # the numbers, and what the property is about
    window.value("document.querySelector('[data-others]').click()")
    assert window.value(visible) == 6
    assert window.value(columns) == 1 + 50 + 1
    window.value("document.querySelector('[data-unfold]').click()")
    assert window.value(columns) == 1 + 201
    window.value("document.querySelector('.wide').scrollLeft = 900")
    left = "document.querySelector('.wide{}').getBoundingClientRect().left"
    fixed = f"{left.format(' th[scope=row]')} - {left.format('')}"
    assert abs(window.value(fixed)) <= 1
    window.value("document.querySelector('[data-cards=all]').click()")
    assert window.value("document.querySelectorAll('.card[open]').length") == 3 and window.complaints == []
