"""Formulas of ECTL*, or with fixpoints, that distinguish fair graphs, checked before they are shown."""

from __future__ import annotations

from msgspec.structs import replace

from coarsest import tuning
from coarsest.errors import EvidenceRejected
from coarsest.lts.certificates import LassoCertificate, StrategyCertificate
from coarsest.lts.compare.comparison import Comparison
from coarsest.lts.fair import FairGraph
from coarsest.lts.labelled import Graph
from coarsest.options.option import Confirm
from coarsest.run import Run


def with_formula(first: FairGraph, second: FairGraph, comparison: Comparison, confirm: Confirm, run: Run) -> Comparison:
    """A comparison by exists or game simulation, with the formula that says why it failed, if there is one at hand."""
    formula, refutation = None, comparison.refutation
    if isinstance(refutation, LassoCertificate):
        formula = checked_path_formula(first, second, refutation, run)
    elif isinstance(refutation, StrategyCertificate) and comparison.relation == "game" and confirm is not Confirm.NEVER:
        formula = checked_fixpoints(first, second, refutation)
    return replace(comparison, path_formula=formula or "")


def checked_path_formula(first: FairGraph, second: FairGraph, refutation: LassoCertificate, run: Run) -> str | None:
    """A formula that is true in the graph of the lassos and false in the other one, checked on both as models.

    None if actions matter, which CTL* cannot express, or if no such formula is available.
    """
    from coarsest.lts.games.simulation_game import fair_side_by_side
    from coarsest.lts.language.distinguish_by_lassos import path_formula

    both = fair_side_by_side(first, second).graph
    if both.states > tuning.CLASSES_FOR_A_GAME or len(set(both.actions.tolist())) > 1:
        return None
    place = {name: f"l{number}" for number, name in enumerate(both.label_names)}
    asked = path_formula(both, refutation, place.__getitem__)
    shown = path_formula(both, refutation, _label)
    if asked is None or shown is None:
        return None
    sides = (first, second) if refutation.way == 0 else (second, first)
    # The formula is about initial states: without a temporal operator it would be read as an invariant.
    verdicts = [_holds(fair, f"!({asked}) & (EX TRUE | !EX TRUE)", place, run) for fair in sides]
    return shown if verdicts == [False, True] else None


def checked_fixpoints(first: FairGraph, second: FairGraph, refutation: StrategyCertificate) -> str | None:
    """A formula with fair fixpoints that is true in the graph of the spoiler, who wins a game simulation, and false in the other
    one; None where it would take long to check that."""
    from coarsest.lts.games.distinguish_fairly import formula_of_strategy
    from coarsest.lts.games.simulation_game import fair_side_by_side
    from coarsest.lts.judge.fair.fixpoints import is_true_somewhere
    from coarsest.lts.staying import both_staying, name_of_staying

    if max(first.graph.states, second.graph.states, len(refutation.strategies[0].positions)) > tuning.CLASSES_FOR_A_GAME:
        return None
    both, stays = fair_side_by_side(*both_staying(first, second)).graph, name_of_staying(first.graph, second.graph)
    formula = formula_of_strategy(both, refutation)
    sides = (first, second) if refutation.way == 0 else (second, first)
    if [is_true_somewhere(fair, formula, stays) for fair in sides] != [True, False]:
        raise EvidenceRejected("the formula of a strategy does not tell the graphs apart")
    return formula.show(labels=len(both.label_names) > 1, actions=len(set(both.actions.tolist())) > 1)


def _label(name: str) -> str:
    from coarsest.logic.modal.hennessy_milner import Builder, show

    make = Builder()
    return show(make.formula(make.label(name)))


def _holds(fair: FairGraph, formula: str, place: dict[str, str], run: Run) -> bool | None:
    """Does a formula hold in all initial states of the graph, over its fair paths?"""
    from coarsest.api.model import loads
    from coarsest.evidence.verdict import Fails, Holds

    verdict = loads(as_model(fair, place)).check(formula, run=run).answers[0].verdict
    return True if isinstance(verdict, Holds) else False if isinstance(verdict, Fails) else None


def as_model(fair: FairGraph, place: dict[str, str]) -> str:
    """The graph in SMV, where paths stay in dead ends. An unreachable state is added, because graphs may have no state."""
    graph, beside = fair.graph, fair.graph.states
    after: list[list[int]] = [[] for _ in range(graph.states)]
    for source, target in zip(graph.sources.tolist(), graph.targets.tolist()):
        after[source].append(target)
    rows = [f"s = {state} : {_set(targets or [state])};" for state, targets in enumerate(after)]
    lines = ["MODULE main", f"VAR s : 0..{beside};", f"INIT s in {_set(graph.initial.tolist())}"]
    lines += ["ASSIGN next(s) := case", *rows, f"TRUE : {beside};", "esac;"]
    lines += [f"JUSTICE s in {_set([state for state in range(beside) if members[state]])}" for members in fair.fairness]
    lines += [f"DEFINE {name} := s in {_set(_labelled(graph, label))};" for label, name in place.items()]
    return "\n".join(lines) + "\n"


def _labelled(graph: Graph, label: str) -> list[int]:
    return [state for state, number in enumerate(graph.labels.tolist()) if graph.label_names[number] == label]


def _set(states: list[int]) -> str:
    return f"{{{', '.join(map(str, sorted(set(states))) if states else ['-1'])}}}"
