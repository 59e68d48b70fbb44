"""Searches in graphs: kernels agree with their twins, and both with the algorithms over sets of states."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from coarsest import tuning
from coarsest.check.graphs.check_graph import claim_of
from coarsest.check.graphs.ctl_on_graphs import CtlOnGraphs
from coarsest.check.graphs.ltl_on_graphs import violating_walk
from coarsest.logic.expr import Name
from coarsest.logic.modal.parse_on_graphs import Logic
from coarsest.lts import closures
from coarsest.lts.csr import Csr, Mask
from coarsest.run import Run
from coarsest.search.ctl_fixpoints import CtlFixpoints
from coarsest.search.fair_states import fair_hull
from coarsest.search.reachability import Chaining
from coarsest.search.witness import shortest
from coarsest.space.explicit.explicit import ExplicitSet
from coarsest.space.explicit.labelled_graph import GraphStates
from random_graph_formulas import branching, linear, random_graph


@pytest.fixture(params=["compiled", "pure"], autouse=True)
def kernels(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setattr(tuning, "KERNEL_TRANSITIONS", 0 if request.param == "compiled" else 10**9)
    return str(request.param)


def random_mask(random: Random, size: int) -> Mask:
    return np.array([random.random() < 0.5 for _ in range(size)], dtype=np.bool_)


@pytest.mark.parametrize("seed", range(60))
def test_closures_are_those_over_sets(seed: int) -> None:
    random, run = Random(seed), Run()
    states = GraphStates(random_graph(random, most=12))
    graph, sets = states.graph, CtlFixpoints(states, run)
    one, other = (random_mask(random, graph.nodes) for _ in range(2))
    p, q = ExplicitSet(one.copy()), ExplicitSet(other.copy())
    assert closures.leading_into(graph, one).tolist() == sets.some_next(p).mask.tolist()
    assert closures.reaching(graph, run, one, other).tolist() == sets.some_until(p, q).mask.tolist()
    assert closures.staying(graph, run, one).tolist() == sets.some_always(p).mask.tolist()
    reached = Chaining(states, states.initial).finish(run)
    searched = closures.search(graph, run, states.initial.mask)
    assert sorted(searched.reached.tolist()) == np.flatnonzero(reached.mask).tolist()
    path = closures.shortest_path(graph, run, states.initial.mask, one, other)
    assert len(path) == len(shortest(states, run, states.initial, p, q))


@pytest.mark.parametrize("seed", range(60))
def test_cycles_are_components_that_can_be_crossed(seed: int) -> None:
    random, run = Random(seed), Run()
    graph = GraphStates(random_graph(random, most=12)).graph
    chosen = random_mask(random, graph.edges)
    cyclic, component = closures.on_cycles(graph, run, chosen)
    part = Csr.from_edges(graph.nodes, graph.sources[chosen], graph.targets[chosen])
    after = []
    for node in range(graph.nodes):
        reached = part.image(np.arange(graph.nodes) == node)
        while (more := reached | part.image(reached)).sum() > reached.sum():
            reached = more
        after.append(reached)
    for one in range(graph.nodes):
        assert cyclic[one] == after[one][one]
        for other in range(graph.nodes):
            assert (component[one] == component[other]) == (one == other or bool(after[one][other] and after[other][one]))


@pytest.mark.parametrize("block", range(3))
def test_formulas_are_those_over_sets(block: int, kernels: str) -> None:
    """The branching ones state by state; a linear one fails where the product over sets of states has a fair path."""
    verdicts = set()
    for seed in range(25 * block, 25 * (block + 1)):
        random, run = Random(seed), Run()
        states = GraphStates(random_graph(random, most=8))
        sets, arrays = _Sets(states, run), CtlOnGraphs(states, run)
        formula = claim_of(branching(random, 3)).formula
        assert arrays.satisfying(formula) == sets.satisfying(formula)
        claim = claim_of(linear(random, 3, about_steps=False))
        if claim.logic is Logic.LINEAR:
            violated = violating_walk(states, claim.formula, run) is not None
            assert violated == _violated_over_sets(states, claim.formula, run), (seed, claim.text)
            verdicts.add(violated)
    assert verdicts == {True, False}


class _Sets(CtlFixpoints[ExplicitSet]):
    """The generic fixpoints, with modalities."""

    def _compute(self, formula: object) -> ExplicitSet:
        match formula:
            case Name():
                return self.space.where(formula)
        if getattr(formula, "op", "") in ("diamond", "box"):
            action, inner = formula.args  # type: ignore[attr-defined]
            states: GraphStates = self.space  # type: ignore[assignment]
            return states.modal(formula.op, action.value, self.satisfying(inner))  # type: ignore[attr-defined]
        return super()._compute(formula)  # type: ignore[arg-type]


def _violated_over_sets(states: GraphStates, formula: object, run: Run) -> bool:
    from coarsest.automata.ltl.ltl_to_buchi import ltl_to_buchi
    from coarsest.logic.linear.ltl_from_expr import from_expr
    from coarsest.space.partitioned import PartitionedSpace
    from coarsest.space.views import RestrictedSpace

    product = PartitionedSpace(states, ltl_to_buchi(from_expr(formula).negation, run))  # type: ignore[arg-type]
    reached = Chaining(product, product.initial).finish(run)
    return bool(fair_hull(RestrictedSpace(product, reached), run, reached))


def test_a_long_path_takes_no_longer_than_a_short_one() -> None:
    """Of a ring with many states, every state is entered once: a search ring by ring over whole sets would not end here."""
    size = 60_000
    graph = Csr.from_edges(size, np.arange(size), (np.arange(size) + 1) % size)
    last = np.zeros(size, dtype=np.bool_)
    last[-1] = True
    first = np.roll(last, 1)
    assert closures.reaching(graph, Run(), np.ones(size, dtype=np.bool_), last).all()
    assert closures.search(graph, Run(), first).rings == size
    assert len(closures.shortest_path(graph, Run(), first, ~last, last)) == size
    assert not closures.staying(graph, Run(), ~last).any()
