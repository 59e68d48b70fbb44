"""Comparing two graphs: the table of relations, and the confirmation of what is found."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from types import MappingProxyType
from typing import TYPE_CHECKING, TypeAlias

from msgspec.structs import replace

from coarsest.errors import EvidenceRejected, InputError
from coarsest.lts.compare.compare_by_language import compare_by_language
from coarsest.lts.compare.compare_by_partition import compare_by_bisimulation, compare_by_branching_bisimulation
from coarsest.lts.compare.compare_by_simulation import compare_by_simulation
from coarsest.lts.compare.comparison import Comparison, Difference
from coarsest.lts.judge.confirm_graphs import confirm_comparison
from coarsest.lts.judge.hennessy_milner import FormulaChecker
from coarsest.lts.union import side_by_side
from coarsest.options.option import Confirm
from coarsest.run import Run
from coarsest.text.near import nearest

if TYPE_CHECKING:
    from coarsest.lts.labelled import Graph

Method: TypeAlias = "Callable[[Graph, int, Run], Comparison]"

RELATIONS: Mapping[str, Method] = MappingProxyType(
    {
        "bisimulation": compare_by_bisimulation,
        "branching-bisimulation": compare_by_branching_bisimulation,
        "branching-bisimulation-divergence": partial(compare_by_branching_bisimulation, divergence=True),
        "simulation": partial(compare_by_simulation, preorder=False),
        "ready-simulation": partial(compare_by_simulation, preorder=False, ready=True),
        "language": partial(compare_by_language, preorder=False),
    }
)
PREORDERS: Mapping[str, Method] = MappingProxyType(
    {
        "simulation": partial(compare_by_simulation, preorder=True),
        "ready-simulation": partial(compare_by_simulation, preorder=True, ready=True),
        "language": partial(compare_by_language, preorder=True),
    }
)


def compare_graphs(
    first: Graph,
    second: Graph,
    *,
    by: str = "bisimulation",
    preorder: bool = False,
    confirm: Confirm = Confirm.AUTO,
    run: Run | None = None,
) -> Comparison:
    """Are the graphs related? With `preorder`: is the first below the second? The answer comes with confirmed evidence."""
    table = insist_relation(by, preorder=preorder)
    both = side_by_side(first, second)
    found = table[by](both, first.states, run or Run())
    if confirm is Confirm.NEVER:
        return replace(found, confirmed=False)
    if found.difference is not None:
        _confirm_difference(first, second, found.difference)
    elif found.certificate is not None:
        outcome = confirm_comparison(first, second, found.certificate)
        if not outcome.accepted:
            raise EvidenceRejected(f"a certificate of {by} was not confirmed: {outcome.problem}")
    return found


def insist_relation(by: str, *, preorder: bool) -> Mapping[str, Method]:
    """The table that a relation is in; complain if there is none."""
    table = PREORDERS if preorder else RELATIONS
    if by not in table:
        raise _no_such_relation(by, preorder=preorder)
    return table


def _confirm_difference(first: Graph, second: Graph, difference: Difference) -> None:
    truths = [FormulaChecker(graph).holds(difference.formula) for graph in (first, second)]
    if truths != [difference.true_in == 0, difference.true_in == 1]:
        raise EvidenceRejected(f"a distinguishing formula is {truths[0]} in the first and {truths[1]} in the second graph")


def _no_such_relation(by: str, *, preorder: bool) -> InputError:
    if preorder and by in RELATIONS:
        hint = f"preorders are {', '.join(PREORDERS)}"
        return InputError(f"'{by}' is an equivalence, not a preorder", hint=hint)
    table = PREORDERS if preorder else RELATIONS
    near = nearest(by, table)
    hint = f"did you mean '{near[0]}'?" if near else f"relations are {', '.join(table)}"
    return InputError(f"there is no relation '{by}'", hint=hint)
