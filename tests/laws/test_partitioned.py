"""Partitioned and unpartitioned products hold the same states, vertex by vertex (Sebastiani et al. 2004, section 4)."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from campaigns import blocks
from coarsest.automata.ltl.ltl_to_buchi import ltl_to_buchi
from coarsest.automata.translate.machine_product import AUTOMATON
from coarsest.bdd.transfer import transfer
from coarsest.check.products.ltl import automaton_product
from coarsest.check.products.stutter import with_stutter
from coarsest.check.setting.session import CheckOptions, Session
from coarsest.logic.linear.ltl_from_expr import from_expr
from coarsest.run import Run
from coarsest.search.fair_states import HULLS, fair_hull
from coarsest.search.reachability import BreadthFirst, explore
from coarsest.space.bdd.build import BuildOptions
from coarsest.space.bdd.symbolic import SymbolicSpace
from coarsest.space.partitioned import PartitionedSet, PartitionedSpace
from coarsest.space.views import RestrictedSpace
from random_machines import seeded_fair_machine
from temporal_laws import block, ltl_formulas

SYSTEMS = 400
"""Some have no initial state and are left out; at least 300 are compared."""
BLOCKS = 8


def vertex_by_vertex(product: SymbolicSpace[Any], found: Any, base: SymbolicSpace[Any], vertices: int) -> PartitionedSet[Any]:
    """A set of the encoded product, split by the value of the automaton's variable and moved to the system's own manager."""
    variable = product.machine.variables[AUTOMATON]
    parts = []
    for vertex in range(vertices):
        here = product.manager.restrict(found.function, product.layout.literals(variable, vertex))
        parts.append(base.set(transfer([here], product.manager, base.manager)[0]))
    return PartitionedSet(tuple(parts))


@pytest.mark.parametrize("number", blocks(BLOCKS, by_day=4))
def test_same_states_at_every_vertex(number: int) -> None:
    compared = 0
    for seed in block(number, of=BLOCKS, machines=SYSTEMS):
        rng = Random(seed)
        machine = seeded_fair_machine(seed)
        (formula,) = ltl_formulas(rng, machine, 1, past=False)
        run = Run()
        context = Session(machine, BuildOptions(), CheckOptions(), run)
        setting = context.setting([formula])
        automaton = ltl_to_buchi(from_expr(formula))
        if not setting.arena.start:
            continue
        split = PartitionedSpace(setting.arena.space, automaton)
        product = automaton_product(setting.machine, automaton, BuildOptions(), run)
        whole = with_stutter(product.space, setting.arena) if setting.arena.stuck else product.space

        reached = explore(whole, run, product.start)
        start = split.at(automaton.initial, setting.arena.start)
        reached_split = BreadthFirst(split, start).finish(run)
        base = setting.arena.base
        assert vertex_by_vertex(product.space, reached, base, automaton.states) == reached_split
        for name in HULLS:
            fair = fair_hull(RestrictedSpace(whole, reached), run, reached, name)
            fair_split = fair_hull(RestrictedSpace(split, reached_split), run, reached_split, name)
            assert vertex_by_vertex(product.space, fair, base, automaton.states) == fair_split, name
        before = BreadthFirst(RestrictedSpace(whole, reached), reached & whole.fairness.justice[-1], backwards=True).finish(run)
        goal = reached_split & split.fairness.justice[-1]
        before_split = BreadthFirst(RestrictedSpace(split, reached_split), goal, backwards=True).finish(run)
        assert vertex_by_vertex(product.space, before, base, automaton.states) == before_split
        compared += 1
    assert compared >= 300 / BLOCKS
