"""What notebooks show without being asked: pictures of small systems, tables, and short words for everything."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import coarsest
from coarsest.errors import InputError
from coarsest.evidence.confirmation import UNASKED

EXAMPLES = Path(__file__).parents[3] / "examples"
LONGEST = 120
"""A short text has no more characters."""


@pytest.fixture(scope="module")
def model() -> coarsest.Model:
    return coarsest.load(EXAMPLES / "mutex.smv")


def graph() -> coarsest.Graph:
    return coarsest.read_graph(EXAMPLES / "two_cells.aut")


def drawable() -> list[Any]:
    small = coarsest.load(EXAMPLES / "minimal.prog")
    automaton = coarsest.automaton("G (a -> F b)")
    queue = coarsest.read_assertion_graphs(EXAMPLES / "queue.ag")[0]
    return [small, small.reduce(), graph(), graph().reduce(), automaton, automaton.reduce(), queue]


@pytest.mark.parametrize("number", range(7))
def test_small_systems_are_shown_as_pictures(number: int, tmp_path: Path) -> None:
    system = drawable()[number]
    assert system._repr_svg_().startswith("<svg")
    assert repr(system).startswith("<") and len(repr(system)) < LONGEST
    drawing = system.draw(title="a picture")
    assert drawing.startswith("<svg") and "a picture" in drawing and drawing._repr_svg_() == drawing
    page = system.draw(to="html")
    assert page._repr_html_() == page and page._repr_svg_() is None
    page.write(tmp_path / "page.html")
    assert (tmp_path / "page.html").read_text() == page
    assert "digraph" in system.draw(to="dot")


def test_large_systems_are_not_drawn_unasked(model: coarsest.Model) -> None:
    assert model._repr_svg_() is not None
    large = coarsest.loads("MODULE main VAR n : 0..999; ASSIGN init(n) := 0; next(n) := (n + 1) mod 1000;")
    assert large._repr_svg_() is None and large.reduce(observe=["n"], count=False)._repr_svg_() is None
    wide = coarsest.Graph.from_edges(50, range(50), [0] * 50, [(n + 1) % 50 for n in range(50)])
    assert wide._repr_svg_() is None and wide.draw().startswith("<svg")
    with pytest.raises(InputError, match="too many for a picture"):
        large.draw(large="refuse")


def test_verdicts_and_facts_are_shown_as_html(model: coarsest.Model) -> None:
    failed, held = model.check("AG !lock")[0], model.check("AG (lock | !lock)")[0]
    assert "fails</b> <code>AG !lock</code>" in failed._repr_html_() and "<table" in failed._repr_html_()
    assert "holds</b>" in held.verdict._repr_html_() and "fails</b>" in failed.verdict._repr_html_()
    undecided = coarsest.Unknown("the time is <over>", "a longer --timeout")
    assert "&lt;over&gt;; next, try a longer --timeout" in undecided._repr_html_()
    assert f">{model.reach().states:,}<" in model.reach()._repr_html_()
    symmetries = model.symmetries()
    assert f">{symmetries.order}<" in symmetries._repr_html_()


def test_a_mistake_is_shown_without_the_way_through_our_code(model: coarsest.Model) -> None:
    with pytest.raises(InputError) as mistake:
        model.check("AG nothing")
    (shown,) = mistake.value._render_traceback_()
    assert shown.startswith("NameProblem: <formula>:1:4: error: `nothing` is not declared")
    assert coarsest.LimitExceeded("time", "too late")._render_traceback_() == ["LimitExceeded: too late"]


def test_a_name_may_stand_alone_where_a_list_is_expected(model: coarsest.Model) -> None:
    assert model.reduce(observe="lock").states == model.reduce(observe=["lock"]).states
    assert isinstance(coarsest.load(EXAMPLES / "two_cells.aut"), coarsest.Graph)


def test_answers_by_their_names(model: coarsest.Model) -> None:
    report = model.check()
    assert report["gets_in"] is report[3] and report["AG EF first.at = critical"] is report[2]
    with pytest.raises(KeyError, match="no answer is about 'get_in', but one is about 'gets_in'"):
        report["get_in"]


def test_short_words(model: coarsest.Model) -> None:
    report = model.check()
    things = [*report, *(answer.verdict for answer in report), report["gets_in"].verdict.trace, model.reach()]
    things += [report["can_get_in"].verdict.explanation, coarsest.Unknown("it is late")]  # type: ignore[union-attr]
    assert all(repr(thing).startswith("<") and len(repr(thing)) <= LONGEST for thing in things)
    assert repr(coarsest.Fails(confirmation=UNASKED)) == "<Fails>"
    assert repr(model.reach()) == "<Reach: 22 states, diameter 10>"
    assert repr(coarsest.Trace(({"x": 1},))) == "<Trace: 1 state>"


def test_every_record_has_few_words(model: coarsest.Model) -> None:
    pair = [coarsest.read_graph(EXAMPLES / name) for name in ("coffee_or_tea.aut", "coffee_by_luck.aut")]
    lamp = coarsest.loads("node n (go : bool) returns (on : bool); let on = go -> go and not pre on; tel", format="lustre")
    reduction, controller = model.reduce().reduction, lamp.control_automaton()
    things = [*model.properties, model.walk(), model.symmetries(), coarsest.spectrum(*pair), coarsest.compare(*pair), controller]
    things += [controller.automaton, reduction.quotient, reduction.partition.classes[0], model.simulate()]
    assert all(repr(thing).startswith("<") and len(repr(thing)) <= LONGEST for thing in things)
    assert repr(coarsest.spectrum(*pair)) == "<Spectrum: related by 2 of 13 notions, the finest is traces>"
    assert controller._repr_svg_().startswith("<svg") and "go / on" in controller.draw(to="dot")
    assert "picture" in controller.draw(to="html")


def test_limits_by_a_keyword(model: coarsest.Model) -> None:
    assert model.check("AG EF first.at = critical", timeout=600).holds
    (answer,) = model.check("AG EF first.at = critical", timeout=1e-9)
    assert answer.verdict.word == "unknown" and "time limit" in repr(answer.verdict)
    (answer,) = graph().check("AG EF <put>true", timeout=1e-9)
    assert answer.verdict.word == "unknown"
    with pytest.raises(InputError, match="a run has its own time limit"):
        model.check(timeout=3, run=coarsest.Run())


def test_a_trace_as_a_table(model: coarsest.Model) -> None:
    pandas = pytest.importorskip("pandas")
    trace = model.check()["gets_in"].verdict.trace  # type: ignore[union-attr]
    assert trace is not None
    table = trace.to_dataframe()
    assert list(table.columns) == ["lock", "first.at", "second.at", "who"] and len(table) == 6
    assert pandas.isna(table.loc[0, "who"]) and list(table["who"][1:]) == [step["who"] for step in trace.inputs[:-1]]


def test_a_comparison_is_true_where_systems_are_related() -> None:
    paths = [EXAMPLES / "coffee_or_tea.aut", EXAMPLES / "coffee_by_luck.aut"]
    same, other = coarsest.compare(paths[0], paths[0]), coarsest.compare(*paths)
    assert same and not other
    assert "<b>related</b>" in same._repr_html_() and "[coin]&lt;tea&gt;true" in other._repr_html_()
    assert len(repr(same)) < LONGEST and "[coin]<tea>true" in repr(other)
