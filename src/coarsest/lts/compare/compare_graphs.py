"""Comparing and certifying graphs by any relation; the evidence of comparisons is confirmed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from coarsest.errors import EvidenceRejected, InputError
from coarsest.lts.certificates import AttackCertificate, LookaheadCertificate
from coarsest.lts.compare.comparison import Comparison, Difference, GraphSize
from coarsest.lts.fair import FairGraph, as_fair, as_plain
from coarsest.lts.judge.confirm_graphs import confirm_comparison
from coarsest.lts.judge.forms import sees_too_much
from coarsest.lts.judge.hennessy_milner import FormulaChecker
from coarsest.lts.relations import judge_of, reduction_called, relation_called
from coarsest.lts.staying import both_staying
from coarsest.lts.union import tidied
from coarsest.memory_use import give_back
from coarsest.options.option import Confirm
from coarsest.run import Run

if TYPE_CHECKING:
    from coarsest.lts.certificates import GraphCertificate
    from coarsest.lts.labelled import Graph


def compare_graphs(
    first: Graph | FairGraph,
    second: Graph | FairGraph,
    *,
    by: str = "bisimulation",
    preorder: bool = False,
    ahead: int = 1,
    confirm: Confirm = Confirm.AUTO,
    run: Run | None = None,
) -> Comparison:
    """Are the graphs related, or, with `preorder`, is the first below the second? The answer comes with confirmed evidence. In
    direct simulation, the spoiler shows `ahead` steps before the first of them is answered."""
    relation = relation_called(by, preorder=preorder)
    if ahead > 1:
        sides = both_staying(as_fair(first), as_fair(second))
        comparison = _compared_ahead(*sides, run or Run(), by, preorder=preorder, ahead=ahead)
    else:
        comparison = relation.compared(first, second, run or Run(), preorder=preorder)
    plain = as_plain(first), as_plain(second)
    comparison = replace(comparison, sizes=tuple(GraphSize(graph.states, graph.transitions) for graph in plain))
    if confirm is Confirm.NEVER:
        return replace(comparison, confirmed=False)
    give_back()  # a judge does not need the memory of the comparison
    if comparison.difference is not None:
        _confirm_difference(*plain, comparison.difference, by)
    elif isinstance(evidence := comparison.certificate or comparison.refutation, LookaheadCertificate | AttackCertificate):
        _confirm_ahead(as_fair(first), as_fair(second), evidence)
    elif comparison.evidence is not None:
        judged = (as_fair(first), as_fair(second)) if relation.fair else plain
        outcome = confirm_comparison(judged[0], judged[1], comparison.evidence, judge_of(comparison.evidence))
        if not outcome.accepted:
            raise EvidenceRejected(f"a certificate of {by} was not confirmed: {outcome.problem}")
    return comparison


def _compared_ahead(first: FairGraph, second: FairGraph, run: Run, by: str, *, preorder: bool, ahead: int) -> Comparison:
    if by != "direct":
        raise InputError(f"{by} has no lookahead", hint="--lookahead is for --by direct")
    from coarsest.lts.compare.compare_fair_graphs import compare_by_lookahead

    return compare_by_lookahead(first, second, run, preorder=preorder, ahead=ahead)


def _confirm_ahead(first: FairGraph, second: FairGraph, evidence: LookaheadCertificate | AttackCertificate) -> None:
    from coarsest.lts.judge.fair.lookahead import confirm_lookahead
    from coarsest.lts.judge.transitions import Transitions

    problem = confirm_lookahead(Transitions.of(first, second), evidence).problem
    if problem:
        raise EvidenceRejected(f"evidence of lookahead was not confirmed: {problem}")


def _confirm_difference(first: Graph, second: Graph, difference: Difference, by: str) -> None:
    problem = sees_too_much(by, difference.formula)
    if problem:
        raise EvidenceRejected(f"a distinguishing formula sees more than {by} does: {problem}")
    truths = [FormulaChecker(graph).holds(difference.formula) for graph in (first, second)]
    if truths != [difference.true_in == 0, difference.true_in == 1]:
        raise EvidenceRejected(f"a distinguishing formula is {truths[0]} in the first and {truths[1]} in the second graph")


def certify_graph(graph: Graph, *, by: str = "bisimulation", minimal: bool = False, run: Run | None = None) -> GraphCertificate:
    """A certificate of the classes of a graph's states by a relation; with `minimal`, also formulas that distinguish them."""
    return reduction_called(by).certified(tidied(graph), run or Run(), minimal=minimal)
