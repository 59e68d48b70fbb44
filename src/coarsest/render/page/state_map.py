"""A page with the states of a system: their classes, which can be opened down to states, and why states are in one class or not.

All is in one file. The graph travels with it, as arrays, and the tree of its classes, by the rounds of refinement that separated
them; what is drawn of it, and formulas that tell two classes apart, are found by the page.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from coarsest.model.types import show_value
from coarsest.render.page.assets import HEAD, asset, embedded
from coarsest.render.text.trace_text import show_changes
from coarsest.text.printable import printable

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from coarsest.lts.labelled import Graph
    from coarsest.lts.rounds.history import PartitionHistory
    from coarsest.model.trace import Trace
    from coarsest.run import Run

MOST_LISTED: Final = 100_000
MOST_STEPS: Final = 1_000_000
"""A page with more states or steps would open slowly, so it shows a sample of larger systems."""
OUTSIDE = "… has steps that lead out of the sample"

SCRIPTS = ("state_classes.js", "state_formulas.js", "state_layout.js", "state_page.js")
PAGE = HEAD + """</style>
</head>
<body>
<header>
<h1>{title}</h1>
<div class="tools">
<input type="search" id="search" placeholder="search: x = 3, !y, 17" aria-label="search states">
<button data-zoom="in" aria-label="larger">+</button><button data-zoom="out" aria-label="smaller">−</button>
<button data-zoom="fit">Fit</button>
</div>
<div class="told"><p>{notes}</p><p>{legend}<span id="count" aria-live="polite"></span></p></div>
</header>
<svg id="drawing" role="group" aria-label="the classes and states, and the steps between them"></svg>
<aside>
<div id="results" aria-live="polite"></div>
<div id="about" aria-live="polite">
<p>Choose a node to see its steps, why its states are alike, and what tells it apart from another one. A double click opens a
class. An arrow that is dashed is a step of some of the states only.</p>
<p class="dim"><kbd>Tab</kbd> next node, <kbd>Enter</kbd> choose, <kbd>o</kbd> open, <kbd>c</kbd> close, <kbd>/</kbd> search,
<kbd>+</kbd> <kbd>−</kbd> <kbd>0</kbd> size{keys}.</p>
</div>
<details id="tabled"><summary>What is drawn, as a table</summary><table id="table"></table></details>
</aside>
{path}<script type="application/json" id="data">{data}</script>
<script>
{script}</script>
</body>
</html>
"""
PATH_BAR = """<section id="path" aria-label="a path">
<b>{title}</b> <button data-step="-1" aria-label="one step back">◀</button>
<button data-step="1" aria-label="one step on">▶</button>
<input type="range" id="slider" min="0" value="0" aria-label="place on the path">
<span id="step" class="mono" aria-live="polite"></span>
</section>
"""


class MapColumn(Struct, frozen=True, eq=False):
    """The values of a variable as texts, and the index of its value in each state."""

    codes: NDArray[np.int64]
    values: Sequence[str]

    def shown(self, state: int) -> str:
        return self.values[int(self.codes[state])]


class StateMap(Struct, frozen=True, eq=False, kw_only=True):
    """The data of a page about the states of a system."""

    graph: Graph
    """A graph whose labels are the observed values, which distinguish states."""
    looks: Sequence[Sequence[str]]
    """The observed facts of each label."""
    columns: Mapping[str, MapColumn] = {}
    said: tuple[NDArray[np.int64], Sequence[str]] | None = None
    """The text at each step, by its index in a list, if it is not the action."""
    notes: Sequence[str] = ()
    marks: NDArray[np.int64] | None = None
    """For each state, the number of the condition that gives it a colour, or 0."""
    mark_names: Sequence[str] = ()
    path: tuple[str, Trace] | None = None
    """A path to step through, and its title."""
    is_sample: bool = False

    def states_of(self, trace: Trace) -> list[int] | None:
        """The numbers of the states of a path, if the map has all of them."""
        numbers: list[int] = []
        for state in trace.states:
            alike = np.ones(self.graph.states, dtype=np.bool_)
            for name, column in self.columns.items():
                text = show_value(state[name]) if name in state else None
                alike &= column.codes == column.values.index(text) if text in column.values else text is None
            if not alike.any():
                return None
            numbers.append(int(np.argmax(alike)))
        return numbers


def map_of_graph(graph: Graph) -> StateMap:
    """The states of an explicit graph, or, if it is too large for a page, those that are reached first."""
    looks = [(printable(name),) if name else () for name in graph.label_names]
    counted = f"{graph.states:,} state{'s' * (graph.states != 1)}, {graph.transitions:,} transitions"
    if graph.states <= MOST_LISTED and graph.transitions <= MOST_STEPS:
        return StateMap(graph=graph, looks=looks, notes=(counted,))
    from coarsest.lts.labelled import Graph as Labelled

    part, cut_off = first_states(graph, MOST_LISTED, MOST_STEPS)
    labels = np.where(cut_off, part.labels + len(looks), part.labels)
    names = tuple(f"{place} {name}" for place in (0, 1) for name in graph.label_names)
    part = Labelled.from_edges(
        part.states, part.sources, part.actions, part.targets, initial=part.initial, labels=labels,
        action_names=part.action_names, label_names=names,
    )  # fmt: skip
    told = f"a sample: the first {part.states:,} of {counted}"
    return StateMap(graph=part, looks=[*looks, *((*look, OUTSIDE) for look in looks)], notes=(told,), is_sample=True)


def first_states(graph: Graph, most: int, most_steps: int) -> tuple[Graph, NDArray[np.bool_]]:
    """The states of a graph that are reached first, the transitions between them, and which of them have others."""
    inside = np.zeros(graph.states, dtype=np.bool_)
    order: list[int] = []
    waiting = list(dict.fromkeys(graph.initial.tolist()))
    steps = 0
    for state in waiting:
        steps += int(graph.offsets[state + 1] - graph.offsets[state])
        if len(order) == most or steps > most_steps:
            break
        if not inside[state]:
            inside[state] = True
            order.append(state)
            row = graph.targets[graph.offsets[state] : graph.offsets[state + 1]]
            waiting.extend(row[~inside[row]].tolist())
    place = np.full(graph.states, -1, dtype=np.int64)
    place[order] = np.arange(len(order))
    sources, targets = place[graph.sources], place[graph.targets]
    both = (sources >= 0) & (targets >= 0)
    leaves = np.zeros(len(order), dtype=np.bool_)
    leaves[sources[(sources >= 0) & (targets < 0)]] = True
    part = type(graph).from_edges(
        len(order), sources[both], graph.actions[both], targets[both], labels=graph.labels[order],
        action_names=graph.action_names, label_names=graph.label_names,
        initial=[place[state] for state in graph.initial.tolist() if place[state] >= 0],
    )  # fmt: skip
    return part, leaves


def to_page(states: StateMap, title: str, most: int, run: Run) -> str:
    """The page, on which `most` nodes are drawn at first."""
    from coarsest.lts.rounds.signatures_blom_orzan import refine_by_signatures

    tree = refine_by_signatures(states.graph, run)
    numbers = [] if states.path is None else states.states_of(states.path[1])
    alike = f"{tree.blocks:,} class{'es' * (tree.blocks != 1)} of states that are alike by bisimulation"
    notes = [*states.notes, f"{alike}{' within the sample' * states.is_sample}"]
    if numbers is None:
        notes.append("the path leads out of what is shown here")
    path = _path(states.path[1], numbers) if states.path is not None and numbers else None
    legend = "".join(
        f'<span class="legend"><svg class="shade{place}"><rect width="14" height="12" rx="3"/></svg>{escape(name)}</span>'
        for place, name in enumerate(states.mark_names, start=1)
    )
    return PAGE.format(
        title=escape(title), style=asset("page.css") + asset("state_page.css"), notes=escape(" · ".join(notes)), legend=legend,
        path=PATH_BAR.format(title=escape(states.path[0])) if states.path is not None and path else "",
        script="".join(map(asset, SCRIPTS)), data=embedded({"most": most, "path": path, **_contents(states, tree)}),
        keys=", <kbd>←</kbd> <kbd>→</kbd> along the path" if path else "",
    )  # fmt: skip


def _contents(states: StateMap, tree: PartitionHistory) -> dict[str, Any]:
    """The data for the scripts: the graph, the tree of its classes, and the texts of states and steps."""
    graph = states.graph
    varying = {name: column for name, column in states.columns.items() if len(column.values) > 1}
    return {
        "sample": states.is_sample, "offsets": _numbers(graph.offsets), "targets": _numbers(graph.targets),
        "actions": _numbers(graph.actions) if len(graph.action_names) > 1 else None,
        "actionNames": [printable(name) for name in graph.action_names], "labels": _numbers(graph.labels),
        "labelNames": [", ".join(look) for look in states.looks], "labelParts": list(map(list, states.looks)),
        "initial": _numbers(graph.initial), "block": _numbers(tree.block), "parent": _numbers(tree.parent),
        "level": _numbers(tree.level), "said": None if states.said is None else _numbers(states.said[0]),
        "saidTexts": [] if states.said is None else list(states.said[1]),
        "columns": [{"name": name, "codes": _numbers(one.codes), "values": list(one.values)} for name, one in varying.items()],
        "fixed": [[name, one.values[0]] for name, one in states.columns.items() if len(one.values) == 1],
        "marks": None if states.marks is None else _numbers(states.marks), "markNames": list(states.mark_names),
    }  # fmt: skip


def _numbers(column: NDArray[Any]) -> list[int]:
    return column.tolist()  # type: ignore[no-any-return]


def _path(trace: Trace, numbers: Sequence[int]) -> dict[str, Any]:
    """The path by the numbers of its states, with inputs and changes at each step."""
    texts = []
    for place, state in enumerate(trace.states):
        before = trace.states[place - 1] if place else {}
        inputs = [f"[{text}]" for text in show_changes(trace.inputs[place - 1])] if 0 < place <= len(trace.inputs) else []
        texts.append("  ".join([*inputs, *(show_changes(state, before) or ["(nothing changes)"])]))
    return {"states": numbers, "loop": trace.loop, "unit": trace.unit, "texts": texts}


def with_path(states: StateMap, title: str, trace: Trace | None) -> StateMap:
    """The same with a path to step through, or a note if there is none."""
    if trace is None:
        return replace(states, notes=(*states.notes, f"{title}: there is no path to show"))
    return replace(states, path=(title, trace))
