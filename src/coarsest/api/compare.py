"""compare: the Python interface to comparing systems, be they models or graphs.

>>> import coarsest
>>> text = "MODULE main VAR n : 0..{last}; ASSIGN init(n) := 0; next(n) := (n + 1) mod {count};"
>>> six, two = (coarsest.loads(text.format(last=count - 1, count=count)) for count in (6, 2))
>>> coarsest.compare(six, two, observe=["n mod 2 = 0"]).related
True
>>> str(coarsest.compare(six, two, observe=["n = 0"]).difference.formula)
'<tau><tau>label "!(n = 0)"'
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from msgspec.structs import replace

from coarsest.api.options import COMPARE, SPECTRUM, CompareOptions
from coarsest.errors import FileProblem, InputError
from coarsest.files import STANDARD_INPUT
from coarsest.options.option import Confirm
from coarsest.run import Run

if TYPE_CHECKING:
    from typing import Unpack

    from coarsest.api import keywords
    from coarsest.api.model import Model
    from coarsest.evidence.quotient import Quotient
    from coarsest.lts.compare.comparison import Comparison
    from coarsest.lts.labelled import Graph
    from coarsest.lts.spectrum.verdicts import Spectrum

    System: TypeAlias = Model | Graph | str | os.PathLike[str]

STEP = "tau"
"""The action of a step of which nothing is seen but the states."""


class Subject(NamedTuple):
    """What is compared in place of a system: a graph itself; or the quotient of a model by bisimulation, which behaves alike."""

    graph: Graph
    confirmed: bool = True
    """Was the quotient confirmed against the model?"""


def insist_comparable(by: str, *, preorder: bool = False) -> None:
    """Complain about a relation that there is not, or that has no preorder."""
    from coarsest.lts.relations import relation_called

    relation_called(by, preorder=preorder)


def read_system(path: str | os.PathLike[str], *, format: str | None = None, run: Run | None = None) -> Model | Graph:
    """Read a model or a graph, as the format says, or the name; standard input is a graph if nothing is said."""
    from coarsest.formats import GRAPHS, FileKind, endings, kind_of

    name = os.fspath(path)
    kind = kind_of(name, format)
    if kind is FileKind.MACHINE:
        from coarsest.api.model import load

        return load(path, format=format)
    if not format and name != STANDARD_INPUT and kind not in GRAPHS:
        hint = f"graphs and models are read as {', '.join((*endings(*GRAPHS), *endings(FileKind.MACHINE)))}"
        raise FileProblem(f"the format of '{name}' is not known by its name", hint=hint)
    from coarsest.api.graph import read_graph

    return read_graph(path, format=format, run=run)


def compare(
    first: System,
    second: System,
    *,
    run: Run | None = None,
    **options: Unpack[keywords.CompareWords],
) -> Comparison:
    """Are two systems related: models, graphs, or what files hold? With `preorder`: is the first below the second?

    The answer comes with evidence, confirmed unless `confirm` is `never` (False); quotients of models are confirmed where that is
    cheap (`auto`, or True), or `always`.

    Of models is seen what `observe` says, in both of them: expressions, or formulas for their boolean parts. `actions` are
    inputs that are seen at each step; otherwise steps are internal.

    >>> from coarsest import Graph
    >>> coin = Graph.from_table({"source": [0, 1, 1], "action": ["coin", "tea", "coffee"], "target": [1, 2, 2]})
    >>> found = compare(coin, Graph.from_table({"source": [0, 1], "action": ["coin", "tea"], "target": [1, 2]}))
    >>> found.related, str(found.difference.formula)
    (False, '<coin><coffee>true')
    """
    from coarsest.lts.compare.compare_graphs import compare_graphs

    how = COMPARE.read(CompareOptions, options)
    insist_comparable(how.by, preorder=how.preorder)
    one, other = _subjects_of(first, second, how, run)
    found = compare_graphs(one.graph, other.graph, by=how.by, preorder=how.preorder, confirm=how.confirm, run=run)
    return replace(found, confirmed=found.confirmed and one.confirmed and other.confirmed)


def spectrum(
    first: System, second: System, *, run: Run | None = None, **options: Unpack[keywords.SpectrumWords]
) -> Spectrum:
    """Are two systems related, by each notion of van Glabbeek's linear-time–branching-time spectrum, in either direction?

    Each *no* comes with a formula that the observers of the notion understand. What a limit leaves open is unknown, and says why.

    >>> from coarsest import read_graph
    >>> found = spectrum(read_graph("examples/coffee_or_tea.aut"), read_graph("examples/coffee_by_luck.aut"))
    >>> found["traces"].related, found["failures"].related, str(found["failures"].ways[1].formula)
    (True, False, '<coin>[tea]false')
    """
    from coarsest.lts.compare.compare_by_spectrum import compare_by_spectrum

    how = SPECTRUM.read(CompareOptions, options)
    one, other = _subjects_of(first, second, how, run)
    rows = compare_by_spectrum(one.graph, other.graph, confirm=how.confirm, run=run)
    return replace(rows, confirmed=rows.confirmed and one.confirmed and other.confirmed)


def _subjects_of(first: System, second: System, how: CompareOptions, run: Run | None) -> tuple[Subject, Subject]:
    systems = [read_system(one, run=run) if isinstance(one, str | os.PathLike) else one for one in (first, second)]
    return subjects(systems[0], systems[1], observe=how.observe, actions=how.actions, confirm=how.confirm, run=run)


def subjects(
    first: Model | Graph,
    second: Model | Graph,
    *,
    observe: Sequence[str],
    actions: Sequence[str],
    confirm: Confirm = Confirm.AUTO,
    run: Run | None = None,
) -> tuple[Subject, Subject]:
    """The graphs to be compared. A model beside a graph without labels is seen as `reduce` writes it: labels at the steps."""
    from coarsest.api.model import Model
    from coarsest.reduce.partition.labelled_steps import labels_as_actions

    systems = first, second
    models = [system for system in systems if isinstance(system, Model)]
    if not models and (observe or actions):
        word = "observe" if observe else "actions"
        raise InputError(f"--{word} is for models: all labels and actions of a graph are seen", hint=f"leave out --{word}")
    if len(models) == 2:
        _insist_alike(models, observe, actions)
    found = []
    for system, other in zip(systems, systems[::-1]):
        if not isinstance(system, Model):
            found.append(Subject(system))
            continue
        reduced = system.reduce(observe=observe, actions=actions, count=False, confirm=confirm, run=run)
        graph = _with_labels_in_order(reduced.reduction.quotient).graph()
        alone = not isinstance(other, Model) and len(other.label_names) == 1
        found.append(Subject(labels_as_actions(reduced.graph) if alone else _with_steps(graph), reduced.confirmed))
    return found[0], found[1]


def _insist_alike(models: Sequence[Model], observe: Sequence[str], actions: Sequence[str]) -> None:
    """Whatever is seen of one model only tells them apart, which is not what was asked."""
    from coarsest.logic.show import show
    from coarsest.reduce.partition.observation import observe as observation_of

    labels = [observation_of(model.machine, model.observed(observe), actions=actions).labels for model in models]
    first, second = (list(map(show, seen)) for seen in labels)
    for ones, others, place in ((first, second, "first"), (second, first, "second")):
        for label in ones:
            if label not in others:
                hint = "say what to observe in both: --observe EXPR …; fairness constraints are observed, too"
                raise InputError(f"the models are not observed alike: `{label}` is seen in the {place} only", hint=hint)


def _with_labels_in_order(quotient: Quotient) -> Quotient:
    """Not in the order in which a model happens to name them."""
    from coarsest.evidence.quotient import Quotient
    from coarsest.logic.show import show

    labels = dict(sorted(quotient.labels.items(), key=lambda item: show(item[0])))
    return Quotient(quotient.initial, quotient.edges, labels, quotient.actions, quotient.size)


def _with_steps(graph: Graph) -> Graph:
    """A step without an action is internal."""
    from coarsest.lts.labelled import Graph

    names = tuple(name or STEP for name in graph.action_names)
    return Graph(graph.offsets, graph.actions, graph.targets, graph.initial, graph.labels, names, graph.label_names)
