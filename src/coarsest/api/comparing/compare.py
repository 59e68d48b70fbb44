"""compare: the Python interface to comparing models, graphs and automata.

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
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from msgspec.structs import replace

from coarsest.api.comparing.systems import required
from coarsest.api.options import COMPARE, SPECTRUM, CompareOptions
from coarsest.errors import FileProblem, InputError, LimitExceeded, Unsupported
from coarsest.files import STANDARD_INPUT
from coarsest.options.option import require_about, require_effect
from coarsest.run import Run

if TYPE_CHECKING:
    from typing import Unpack

    from coarsest.api import keywords
    from coarsest.api.model import Model
    from coarsest.automata.automaton import Automaton
    from coarsest.evidence.quotient import MachineQuotient
    from coarsest.lts.compare.comparison import Comparison
    from coarsest.lts.fair import FairGraph
    from coarsest.lts.labelled import Graph
    from coarsest.lts.spectrum.verdicts import Spectrum
    from coarsest.reduce.reduction import Reduction

    Read: TypeAlias = Model | Graph | FairGraph | Automaton
    System: TypeAlias = Read | str | os.PathLike[str]

STEP = "tau"  # the action of a step without observed inputs


class _Subject(NamedTuple):
    """What is compared for a system: the graph itself, or the quotient of a model by bisimulation."""

    graph: Graph | FairGraph
    confirmed: bool = True
    """Was the quotient confirmed against the model?"""
    reduction: Reduction[Any] | None = None
    """The reduction of the model, if its states are to be named."""

    def names(self, numbers: set[int], run: Run) -> dict[int, str]:
        """The names of some states: the values of variables in a state of the class, or the name in the file."""
        from coarsest.lts.fair import as_plain
        from coarsest.model.types import show_value

        if self.reduction is None:
            graph = as_plain(self.graph)
            return {number: graph.state_name(number) for number in sorted(numbers)} if graph.state_names else {}
        texts = {
            number: ", ".join(f"{name} = {show_value(value)}" for name, value in values.items())
            for number, values in sorted(self.reduction.examples(numbers, run).items())
        }
        return {number: text for number, text in texts.items() if text}


def require_comparable(by: str, *, preorder: bool = False) -> None:
    """Raise InputError for an unknown relation, or one without a preorder."""
    from coarsest.lts.relations import relation_called

    relation_called(by, preorder=preorder)


def read_system(
    path: str | os.PathLike[str], *, format: str | None = None, by: str = "bisimulation", run: Run | None = None
) -> Model | Graph | Automaton:
    """Read a model or a graph, in the given format or that of the suffix; standard input is a graph by default. An automaton is
    read as a graph, unless the relation is about acceptance."""
    from coarsest.formats import GRAPHS, FileKind, endings, kind_of
    from coarsest.lts.relations import relation_called

    name = os.fspath(path)
    kind = kind_of(name, format)
    if kind is FileKind.MACHINE:
        from coarsest.api.model import load_model

        return load_model(path, format=format)
    if kind is FileKind.AUTOMATON and relation_called(by).fair:
        from coarsest.api.automata import read_automaton

        return read_automaton(path, format=format)
    is_formula = not format and kind is None and any(sign in name for sign in " (!&|") and not os.path.exists(name)
    if is_formula and relation_called(by).fair:
        from coarsest.api.automata import automaton

        return automaton(name, run=run)
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
    """Are two systems (models, graphs, or files) related? With `preorder`: is the first below the second?

    The answer comes with evidence, confirmed unless `confirm` is `never` (False); quotients of models are confirmed where that is
    cheap (`auto`, or True), or `always`.

    `observe` has the observed expressions of both models; of formulas, the boolean parts are observed. `actions` are inputs that
    are observed at each step; without them steps are internal. Fair relations also compare formulas of LTL.

    >>> compare("F G a", "G F a", by="words", preorder=True).related
    True
    >>> from coarsest import Graph
    >>> coin = Graph.from_table({"source": [0, 1, 1], "action": ["coin", "tea", "coffee"], "target": [1, 2, 2]})
    >>> found = compare(coin, Graph.from_table({"source": [0, 1], "action": ["coin", "tea"], "target": [1, 2]}))
    >>> found.related, str(found.difference.formula)
    (False, '<coin><coffee>true')
    """
    how, run = COMPARE.read(CompareOptions, options), Run.given(run)
    require_comparable(how.by, preorder=how.preorder)
    require_effect((how,))
    systems = [_read(one, how, run) for one in (first, second)]
    models = _both_models(systems)
    if how.algorithm != "quotients" and (how.algorithm == "pairs" or _may_be_on_pairs(models, how)):
        return _fair_models(models, how, run)
    return _compared(systems[0], systems[1], how, run)


def _read(system: System, how: CompareOptions, run: Run) -> Read:
    return read_system(system, by=how.by, run=run) if isinstance(system, str | os.PathLike) else required(system)


def _both_models(systems: Sequence[Read]) -> list[Model]:
    """The systems if both are models; else an empty list."""
    from coarsest.api.model import Model

    models = [system for system in systems if isinstance(system, Model)]
    return models if len(models) == len(systems) else []


def _may_be_on_pairs(models: Sequence[Model], how: CompareOptions) -> bool:
    """Can the models be compared on sets of pairs?"""
    from coarsest.check.modular.fair_comparison import ON_PAIRS
    from coarsest.model.unbounded import unbounded_variables

    fair = how.by in ON_PAIRS and how.lookahead == 1
    return bool(models) and fair and not how.actions and not any(unbounded_variables(model.machine) for model in models)


def _fair_models(models: Sequence[Model], how: CompareOptions, run: Run) -> Comparison:
    """Compare by games between quotients or, if these are large or the user asks for it, on sets of pairs."""
    from coarsest.api.comparing.on_pairs import compare_on_pairs, few_classes, require_pairs

    require_pairs(how, models=bool(models))
    _require_fair(models, how)

    def on_quotients() -> Comparison:
        return _compared(models[0], models[1], how, run)

    if how.algorithm == "auto":
        with run.within(most=few_classes()):
            return on_quotients()
    return compare_on_pairs(models, how, on_quotients, run)


def _compared(first: Read, second: Read, how: CompareOptions, run: Run) -> Comparison:
    from coarsest.lts.compare.compare_graphs import compare_graphs
    from coarsest.lts.fair import as_fair

    one, other = subjects(first, second, how, run)
    comparison = compare_graphs(
        one.graph, other.graph, by=how.by, preorder=how.preorder, ahead=how.lookahead, confirm=how.confirm, run=run
    )
    if comparison.refutation is not None and how.by in ("exists", "game"):
        from coarsest.api.comparing.path_formulas import with_formula

        comparison = with_formula(as_fair(one.graph), as_fair(other.graph), comparison, how.confirm, run)
    comparison = replace(comparison, state_names=_state_names(comparison, one, other, run))
    return replace(comparison, confirmed=comparison.confirmed and one.confirmed and other.confirmed)


def _state_names(comparison: Comparison, one: _Subject, other: _Subject, run: Run) -> tuple[dict[int, str], dict[int, str]]:
    """The names of the states in a refutation, unless a limit is reached."""
    if comparison.refutation is None:
        return {}, {}
    size, states = comparison.sizes[0].states, comparison.refutation.states
    try:
        first = one.names({state for state in states if state < size}, run)
        return first, other.names({state - size for state in states if state >= size}, run)
    except LimitExceeded:
        return {}, {}


def spectrum(
    first: System, second: System, *, run: Run | None = None, **options: Unpack[keywords.SpectrumWords]
) -> Spectrum:
    """Are two systems related, by each notion of van Glabbeek's linear-time–branching-time spectrum, in either direction?

    Each *no* comes with a formula in the language of the notion. After a limit, a notion is unknown, with the reason.

    >>> from coarsest import read_graph
    >>> found = spectrum(read_graph("examples/coffee_or_tea.aut"), read_graph("examples/coffee_by_luck.aut"))
    >>> found["traces"].related, found["failures"].related, str(found["failures"].ways[1].formula)
    (True, False, '<coin>[tea]false')
    """
    from coarsest.lts.compare.compare_by_spectrum import compare_by_spectrum
    from coarsest.lts.fair import as_plain

    how = SPECTRUM.read(CompareOptions, options)
    one, other = _subjects_of(first, second, how, run)
    rows = compare_by_spectrum(as_plain(one.graph), as_plain(other.graph), confirm=how.confirm, run=run)
    return replace(rows, confirmed=rows.confirmed and one.confirmed and other.confirmed)


def _subjects_of(first: System, second: System, how: CompareOptions, run: Run | None) -> tuple[_Subject, _Subject]:
    systems = [_read(one, how, Run.given(run)) for one in (first, second)]
    return subjects(systems[0], systems[1], how, run)


def subjects(first: Read, second: Read, how: CompareOptions, run: Run | None) -> tuple[_Subject, _Subject]:
    """The graphs to compare. A model compared with a graph without labels has labels on steps, as `reduce` writes them."""
    from coarsest.api.model import Model
    from coarsest.lts.fair import as_plain
    from coarsest.lts.relations import relation_called
    from coarsest.reduce.partition.labelled_steps import labels_as_actions

    systems, observe, actions = (first, second), how.observe, how.actions
    models = [system for system in systems if isinstance(system, Model)]
    require_about((how,), ("models" if models else "graphs",))
    if relation_called(how.by).fair:
        return _fair_subjects(systems, how, Run.given(run))
    if len(models) == 2:
        _require_alike(models, observe, actions)
    shown: list[_Subject] = []
    plain = [system if isinstance(system, Model) else as_plain(_without_meaning(system)) for system in systems]
    for system, other in zip(plain, plain[::-1]):
        if not isinstance(system, Model):
            shown.append(_Subject(system))
            continue
        reduced = system.reduce(observe=observe, actions=actions, count=False, confirm=how.confirm, run=run)
        graph = _with_labels_in_order(reduced.reduction.quotient).graph()
        alone = not isinstance(other, Model) and len(other.label_names) == 1
        shown.append(_Subject(labels_as_actions(reduced.graph) if alone else _with_steps(graph), reduced.confirmed))
    return shown[0], shown[1]


def _without_meaning(system: Graph | FairGraph | Automaton) -> Graph | FairGraph:
    from coarsest.automata.automaton import Automaton

    if not isinstance(system, Automaton):
        return system
    from coarsest.formats.automaton_as_graph import automaton_to_graph

    return automaton_to_graph(system)


def _fair_subjects(systems: Sequence[Read], how: CompareOptions, run: Run) -> tuple[_Subject, _Subject]:
    """Fair graphs; for models, their quotients with the fairness constraints that are true in each class."""
    from coarsest.api.model import Model
    from coarsest.logic.show import show
    from coarsest.lts.staying import fair_staying

    models = [system for system in systems if isinstance(system, Model)]
    if not models:
        one, other = fair_graphs([system for system in systems if not isinstance(system, Model)], run)
        return _Subject(one), _Subject(other)
    if len(models) < 2:
        hint = "compare two models; or reduce the model to a graph first, and compare graphs"
        raise InputError(f"by {how.by}, a model is compared with a model", hint=hint)
    _require_fair(models, how)
    shown: list[_Subject] = []
    for model in models:
        reduced = model.reduce(observe=how.observe, actions=how.actions, count=False, confirm=how.confirm, run=run)
        visible = sorted(model.observed(how.observe), key=show)
        fair = reduced.reduction.quotient.fair_graph(visible, model.machine.justice)
        fair = replace(fair, graph=_with_steps(fair.graph))
        # Without actions, staying in a state without successor cannot be distinguished from a step to itself.
        shown.append(_Subject(fair if how.actions else fair_staying(fair, STEP), reduced.confirmed, reduced.reduction))
    return shown[0], shown[1]


def _require_fair(models: Sequence[Model], how: CompareOptions) -> None:
    """Raise an error for models that fair simulations cannot compare."""
    _require_alike(models, how.observe, how.actions, fair=True)
    if any(model.machine.compassion for model in models):
        hint = "constraints `JUSTICE p` and `FAIRNESS p` are fairness sets"
        raise Unsupported(f"COMPASSION cannot be expressed as a fairness set, which {how.by} needs", hint=hint)


def fair_graphs(systems: Sequence[Graph | FairGraph | Automaton], run: Run) -> list[FairGraph]:
    """Fair graphs; automata get a common alphabet."""
    from coarsest.automata.automaton import Automaton
    from coarsest.lts.fair import as_fair

    automata = [system for system in systems if isinstance(system, Automaton)]
    if not automata:
        return [as_fair(system) for system in systems if not isinstance(system, Automaton)]
    if len(automata) < len(systems):
        hint = "actions of a graph are names, those of an automaton are guards: convert one of them"
        raise InputError("an automaton (.hoa) is compared with an automaton", hint=hint)
    from coarsest.formats.automaton_as_graph import automata_to_fair_graphs

    return automata_to_fair_graphs(automata, run)


def _require_alike(models: Sequence[Model], observe: Sequence[str], actions: Sequence[str], *, fair: bool = False) -> None:
    """Raise InputError if an expression is observed in one model only. Fair relations do not observe fairness constraints."""
    from coarsest.logic.show import show
    from coarsest.reduce.partition.observation import observe as observation_of

    labels = [
        model.observed(observe) if fair else observation_of(model.machine, model.observed(observe), actions=actions).labels
        for model in models
    ]
    first, second = (list(map(show, seen)) for seen in labels)
    for ones, others, place in ((first, second, "first"), (second, first, "second")):
        for label in ones:
            if label not in others:
                hint = "say what to observe in both: --observe EXPR …; fairness constraints are observed, too"
                raise InputError(f"the models are not observed alike: `{label}` is seen in the {place} only", hint=hint)


def _with_labels_in_order(quotient: MachineQuotient) -> MachineQuotient:
    """The quotient with its labels sorted, independent of the order in the model."""
    from coarsest.evidence.quotient import MachineQuotient
    from coarsest.logic.show import show

    labels = dict(sorted(quotient.labels.items(), key=lambda item: show(item[0])))
    return MachineQuotient(quotient.initial, quotient.edges, labels, quotient.actions, quotient.size)


def _with_steps(graph: Graph) -> Graph:
    """The graph with internal actions for steps without an action."""
    from coarsest.lts.labelled import Graph

    names = tuple(name or STEP for name in graph.action_names)
    return Graph(graph.offsets, graph.actions, graph.targets, graph.initial, graph.labels, names, graph.label_names)
