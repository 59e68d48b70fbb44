"""Pages with the states of a system: what travels in them, and what a browser makes of it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import coarsest
from browser import CHROMIUM, Browser, browser
from coarsest.errors import InputError
from coarsest.model.types import show_value
from coarsest.render.page.state_map import first_states, map_of_graph

needs_browser = pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium")
MUTEX = "examples/mutex.smv"
GRID = """MODULE main
VAR x : 0..59; y : 0..39; IVAR i : boolean;
ASSIGN init(x) := 0; init(y) := 0; next(x) := i ? (x + 1) mod 60 : x; next(y) := i ? y : (y + 1) mod 40;
INVARSPEC NAME far := !(x mod 3 = 2 & y mod 2 = 1)
"""
ALL_INSIDE = """(() => {
  const frame = document.getElementById('drawing').getBoundingClientRect();
  return [...document.querySelectorAll('.node')].map(node => node.getBoundingClientRect()).every(
    node => node.left >= frame.left - 1 && node.right <= frame.right + 1 && node.bottom <= frame.bottom + 1);
})()"""
VALUES_NOW = "Object.fromEntries(data.columns.map(c => [c.name, c.values[c.codes[data.path.states[step]]]]))"
WRONG_PAIRS = """(() => {
  const wrong = [];
  const depth = f => f.kind === 'can' ? 1 + depth(f.inner) : f.kind === 'not' ? depth(f.inner)
    : f.kind === 'all' ? Math.max(0, ...f.found.map(depth)) : 0;
  for (let s = 0; s < 12; s++) for (let t = 0; t < 12; t++) {
    const d = distinguish(s, t);
    if ((d === null) !== (data.block[s] === data.block[t])) wrong.push([s, t]);
    if (d && !(d.confirmed && depth(d.formula) <= d.depth)) wrong.push([s, t]);
  }
  return wrong;
})()"""
FORMULAS = "graph.nodes.map(n => distinguish(n.example, graph.nodes[0].example)).map(d => d && shown(d.formula))"


def data_of(page: str) -> dict[str, Any]:
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL)
    assert found is not None
    return json.loads(found[1])


@pytest.fixture(scope="module")
def window(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    with browser(tmp_path_factory.mktemp("browser")) as one:
        yield one


def opened(window: Browser, folder: Path, page: str, width: int = 1280) -> Browser:
    path = folder / "page.html"
    path.write_text(page, encoding="utf-8")
    window.open(path, width)
    assert window.value("document.documentElement.dataset.ready") == "yes"
    return window


def test_a_page_has_all_states_and_their_classes() -> None:
    model = coarsest.loads(GRID)
    data = data_of(model.draw(to="html", most=20))
    assert len(data["block"]) == 2400 and len(data["parent"]) == 6 == model.reduce().states
    assert len(data["targets"]) == 4800
    x, y = data["columns"]
    assert (x["name"], y["name"]) == ("x", "y") and len(x["values"]) == 60
    by_class: dict[int, set[tuple[int, int]]] = {}
    for state, block in enumerate(data["block"]):
        values = int(x["values"][x["codes"][state]]), int(y["values"][y["codes"][state]])
        by_class.setdefault(block, set()).add((values[0] % 3, values[1] % 2))
    assert sorted(map(len, by_class.values())) == [1] * 6


def test_few_states_have_their_inputs_at_the_steps() -> None:
    data = data_of(coarsest.draw(MUTEX, to="html"))
    assert len(data["block"]) == 22 and "who = two" in data["saidTexts"]
    assert len(data["said"]) == len(data["targets"])


def test_a_sample_says_that_it_is_one() -> None:
    big = coarsest.loads(GRID.replace("59", "2999").replace("39", "299").replace("60", "3000").replace("40", "300"))
    page = big.draw(to="html")
    assert "a sample: the first 2,000 reachable states, of more" in page
    data = data_of(page)
    assert data["sample"] and any("lead out of the sample" in name for name in data["labelNames"])


def test_nothing_in_a_page_ends_its_script() -> None:
    graph = coarsest.Graph.from_edges(2, [0], [0], [1], action_names=("</script><b>",))
    page = graph.draw(to="html")
    assert "</script><b>" not in page and data_of(page)["actionNames"] == ["</script><b>"]


def test_the_first_states_of_a_graph() -> None:
    chain = coarsest.Graph.from_edges(50, range(49), [0] * 49, range(1, 50))
    part, leaves = first_states(chain, 10, 1000)
    assert part.states == 10 and part.transitions == 9 and np.flatnonzero(leaves).tolist() == [9]
    assert map_of_graph(chain).graph is chain


@pytest.mark.parametrize(
    ("system", "options", "complaint"),
    [
        (MUTEX, {"to": "svg", "property": "gets_in"}, "only a page can step through a path"),
        ("examples/buffer.aut", {"to": "html", "property": "1"}, "--property is for models"),
        (MUTEX, {"to": "html", "property": "get_in"}, "get_in"),
    ],
)
def test_wrong_use(system: str, options: dict[str, Any], complaint: str) -> None:
    with pytest.raises(InputError, match=complaint):
        coarsest.draw(system, **options)


@needs_browser
@pytest.mark.parametrize("width", [1280, 400])
def test_it_opens_from_a_file_and_fits_the_window(window: Browser, tmp_path: Path, width: int) -> None:
    page = opened(window, tmp_path, coarsest.draw(MUTEX, to="html", property="mutual_exclusion"), width)
    assert page.value("document.documentElement.scrollWidth") <= width
    assert page.value(ALL_INSIDE)
    assert page.complaints == [] and [one.startswith("file:") for one in page.requests] == [True]


@needs_browser
def test_a_path_is_stepped_through_by_keys(window: Browser, tmp_path: Path) -> None:
    page = opened(window, tmp_path, coarsest.draw(MUTEX, to="html", property="gets_in"))
    (answer,) = coarsest.load(MUTEX).check(coarsest.load(MUTEX).property_named("gets_in"))
    trace = answer.verdict.trace
    for place, state in enumerate(trace.states):
        shown = page.value(VALUES_NOW)
        assert shown == {name: show_value(state[name]) for name in shown}
        assert page.value("document.querySelectorAll('.node.now').length") == 1
        assert page.value("document.getElementById('step').textContent").startswith(f"state {place} of {len(trace) - 1}")
        page.press("ArrowRight")
    assert page.value("step") == trace.loop  # and round again
    page.press("Home")
    page.press("ArrowLeft")
    assert page.value("step") == 0 and page.complaints == []


@needs_browser
def test_classes_open_down_to_states_and_close(window: Browser, tmp_path: Path) -> None:
    page = opened(window, tmp_path, coarsest.loads(GRID).draw(to="html", most=20))
    assert page.value("graph.nodes.map(n => [n.kind, n.size])") == [["class", 400]] * 6
    page.value("document.querySelector('.node').dispatchEvent(new MouseEvent('click', { bubbles: true })); null")
    assert page.value("document.querySelector('#about h2').textContent").startswith("class ")
    page.press("o")
    kinds = page.value("graph.nodes.map(n => n.kind)")
    assert (kinds.count("state"), kinds.count("class"), kinds.count("more")) == (24, 5, 1)
    assert page.value("graph.nodes.find(n => n.kind === 'more').size") == 400 - 24
    page.press("c")
    assert page.value("graph.nodes.length") == 6
    page.value("search('x = 17, y = 3'); document.querySelector('#results button').click()")
    assert page.value("document.querySelector('#about table').textContent") == "x17y3"
    assert page.value("new Set(graph.nodeOf).size === graph.nodes.length") and page.complaints == []


@needs_browser
def test_blocks_that_are_too_many_are_cut_by_rounds(window: Browser, tmp_path: Path) -> None:
    chain = coarsest.Graph.from_edges(3000, range(2999), [0] * 2999, range(1, 3000))
    page = opened(window, tmp_path, chain.draw(to="html", most=10))
    assert page.value("graph.nodes.length") == 10
    told = page.value("choose('c0'); document.getElementById('about').textContent")
    assert "No formula with at most 9 nested modalities" in told
    page.press("o")
    assert page.value("graph.nodes.length") == 11
    page.value("reveal(1500); draw(true)")
    assert page.value("graph.nodes[graph.nodeOf[1500]].kind") == "state" and page.complaints == []


@needs_browser
def test_formulas_tell_classes_apart_as_ours_do(window: Browser, tmp_path: Path) -> None:
    """The page finds them by itself, so they are compared with the rounds, and looked up in the graph."""
    generator = np.random.default_rng(5)
    for _ in range(6):
        sources, targets = generator.integers(12, size=24), generator.integers(12, size=24)
        graph = coarsest.Graph.from_edges(
            12, sources, generator.integers(2, size=24), targets, labels=generator.integers(2, size=12),
            action_names=("a", "b"), label_names=("", "p"),
        )  # fmt: skip
        page = opened(window, tmp_path, graph.draw(to="html"))
        assert page.value(WRONG_PAIRS) == []


@needs_browser
def test_the_words_of_formulas(window: Browser, tmp_path: Path) -> None:
    page = opened(window, tmp_path, coarsest.draw("examples/coffee_by_luck.aut", to="html"))
    texts = page.value(FORMULAS)
    assert texts[0] is None and {"<coffee>true", "<tea>true"} & set(texts)
    page = opened(window, tmp_path, coarsest.loads(GRID).draw(to="html"))
    assert all(text is None or text.startswith(("EX", "AX", "!(", "(")) for text in page.value(FORMULAS))
    assert page.value("negation('!(!(x = 2))')") == "!(x = 2)" and page.value("negation('x & y')") == "!(x & y)"


@needs_browser
@pytest.mark.parametrize("width", [1280, 400])
def test_other_pictures_fit_the_window_too(window: Browser, tmp_path: Path, width: int) -> None:
    wide = coarsest.automaton("G (a -> F b) & G (c -> F d) & G (e -> F f)").draw(to="html")
    page = opened(window, tmp_path, wide, width)
    assert page.value("document.documentElement.scrollWidth") <= width
    before = page.value("document.querySelector('.picture svg').getBoundingClientRect().width")
    assert before <= width
    page.value("document.querySelector('.picture').focus()")
    page.press("+")
    assert page.value("document.querySelector('.picture svg').getBoundingClientRect().width") > before
    assert page.complaints == [] and len(page.requests) == 1


@needs_browser
def test_what_is_opened_stays_small(window: Browser, tmp_path: Path) -> None:
    generator = np.random.default_rng(2)
    many = coarsest.Graph.from_edges(
        5000, generator.integers(5000, size=20000), generator.integers(3, size=20000), generator.integers(5000, size=20000),
        action_names=("a", "b", "c"),
    )  # fmt: skip
    page = opened(window, tmp_path, many.draw(to="html"))
    for _ in range(3):
        page.value("choose(graph.nodes.reduce((a, b) => b.kind === 'class' && b.size > a.size ? b : a).key); act('open')")
        assert page.value("graph.nodes.length") < 250
    page.value("reveal(4321); draw(true)")
    assert page.value("graph.nodes[graph.nodeOf[4321]].kind") == "state" and page.value("graph.nodes.length") < 300
    assert page.value("graph.nodes.reduce((sum, node) => sum + node.size, 0)") == 5000 and page.complaints == []


@needs_browser
def test_dark_and_light(window: Browser, tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    path.write_text(coarsest.draw(MUTEX, to="html"), encoding="utf-8")
    colours = []
    for dark in (False, True):
        window.open(path, dark=dark)
        colours.append(window.value("getComputedStyle(document.body).backgroundColor"))
    assert colours[0] == "rgb(255, 255, 255)" != colours[1]


@needs_browser
def test_classes_of_a_quotient_open(window: Browser, tmp_path: Path) -> None:
    """What `reduce -o quotient.html` writes: the classes that it counts, each of which opens."""
    reduced = coarsest.load("examples/minimal.prog").reduce()
    page = opened(window, tmp_path, reduced.draw(to="html"))
    assert page.value("graph.nodes.length") == reduced.states == 5
    page.value("choose(graph.nodes.find(node => node.size > 1).key); act('open')")
    assert page.value("graph.nodes.length") > 5 and page.complaints == []
    assert "Why different" in page.value("document.getElementById('about').textContent")


@pytest.mark.parametrize("name", ["mutex.smv", "traffic_light.smv", "minimal.prog", "lamp.smv"])
def test_pages_have_the_classes_that_were_counted(name: str) -> None:
    reduced = coarsest.load(f"examples/{name}").reduce()
    page = reduced.draw(to="html")
    if 'id="data"' in page:
        assert len(set(data_of(page)["block"])) == reduced.states
    else:  # its numbers have no bounds
        assert page.count("class ") >= reduced.states and name == "lamp.smv"


def test_the_page_of_a_reduced_graph_has_its_states(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from coarsest.cli.app import main

    monkeypatch.chdir(tmp_path)
    Path("g.aut").write_text('des (0, 4, 5)\n(0, "a", 1)\n(0, "a", 2)\n(1, "b", 0)\n(2, "b", 0)\n')  # nothing leads to 3 and 4
    assert main(["reduce", "g.aut", "-o", "g.html"]) == 0
    data = data_of(Path("g.html").read_text())
    assert len(data["block"]) == 3 and len(set(data["block"])) == 2 and data["most"] == 2
    assert main(["reduce", "g.aut", "--keep-unreachable", "-o", "g.html"]) == 0
    assert len(data_of(Path("g.html").read_text())["block"]) == 5
