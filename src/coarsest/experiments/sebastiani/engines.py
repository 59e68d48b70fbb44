"""The same LTL question asked of each engine, with the CPU time it took and the most BDD nodes that lived at once.

    partitioned      what `coarsest check --engine partitioned` does: as `figures` while cheap, then within the reachable states
    figures          figures 6 and 7 of the paper to the letter: backwards, on all states, split by the vertices
    smc              figures 2 and 3, with the same automaton in BDD variables below those of the system: NuSMV's algorithm
    tableau          the same algorithm on the tableau of the negation, one variable for each temporal part: what ltl2smv makes
    tableau-top      with the variables of the tableau above those of the system: the paper's -topencode

For safety formulas all of them look for bad prefixes (the paper's -safety). The order of variables is that of the model
text, and it is not changed, as in NuSMV unless it is told otherwise.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Final

from msgspec import Struct

from coarsest.api.model import loads
from coarsest.automata.automaton import Automaton
from coarsest.automata.ltl.ltl_to_buchi import ltl_to_buchi
from coarsest.bdd.protocol import Manager
from coarsest.check.products.ltl import Product, automaton_product, bad_vertices, tableau_product
from coarsest.check.products.ltl_partitioned import violation_by_partition
from coarsest.check.setting.arena import machine_for
from coarsest.check.setting.session import CheckOptions, Session
from coarsest.experiments.points import Facts
from coarsest.experiments.sebastiani.models import FAMILIES
from coarsest.logic.branching.ctl import negate
from coarsest.logic.expr import Expr
from coarsest.logic.linear.ltl_from_expr import from_expr
from coarsest.model.machine import Machine
from coarsest.options.methods import BuildOptions
from coarsest.run import Run
from coarsest.search.fair_states_emerson_lei import hull_emerson_lei
from coarsest.search.reachability import BreadthFirst
from coarsest.space.bdd.build import build
from coarsest.space.partitioned import PartitionedSpace
from coarsest.space.space import S, StateSpace

ORDER = "declaration"
SMALLEST: Final = 2


class _Question(Struct, frozen=True):
    """A formula about a machine, and the automaton of the paths that violate it."""

    machine: Machine
    formula: Expr
    violating: Automaton
    options: BuildOptions
    run: Run


class Found(Struct, frozen=True):
    """Is there a violating path? When the building was done, and the manager it was done in."""

    violated: bool
    built: float
    manager: Manager[Any]


def partitioned(question: _Question) -> Found:
    """Sets split by the vertices of the automaton, as `coarsest check` looks at them."""
    session = Session(question.machine, question.options, CheckOptions(), question.run)
    setting = session.setting([question.formula])
    built = time.process_time()
    violation = violation_by_partition(setting.arena, question.violating, question.run, lambda: setting.ctl.fair)
    return Found(violation is not None, built, session.spaces.space(setting.machine).manager)


def figures(question: _Question) -> Found:
    """Figure 6 for bad prefixes, figure 7 for fair cycles, on all states of the system."""
    machine, _ = machine_for(question.machine, [question.formula])
    system = build(machine, question.run, question.options)
    built = time.process_time()
    space = PartitionedSpace(system, question.violating)
    bad = bad_vertices(question.violating)
    goal = None if bad is None else space.at(bad, system.states)
    return Found(_violated(space, goal, space.initial, question.run), built, system.manager)


def smc(question: _Question) -> Found:
    """The automaton in BDD variables at the bottom of the order; figure 2, from the goal backwards, or figure 3."""
    machine, _ = machine_for(question.machine, [question.formula])
    product = automaton_product(machine, question.violating, question.options, question.run, place="bottom")
    return _searched(product, question.run)


def tableau(question: _Question, *, place: str = "bottom") -> Found:
    """The tableau of the negation; figure 2, from where nothing is promised backwards, or figure 3."""
    machine, _ = machine_for(question.machine, [question.formula])
    violation = from_expr(question.formula).negation
    watched = violation if violation.is_syntactic_guarantee else negate(question.formula)
    product = tableau_product(machine, watched, question.options, question.run, place=place)
    return _searched(product, question.run)


def tableau_top(question: _Question) -> Found:
    return tableau(question, place="top")


def _searched(product: Product, run: Run) -> Found:
    built = time.process_time()
    return Found(_violated(product.space, product.bad, product.start, run), built, product.space.manager)


def _violated(space: StateSpace[S], goal: S | None, start: S, run: Run) -> bool:
    """E[true U goal] or E_F G true, from the start. The models have neither dead ends nor fairness of their own."""
    if goal is not None:
        return BreadthFirst(space, goal, backwards=True).meet(start, run) is not None
    return bool(hull_emerson_lei(space, run, space.states) & start)


ENGINES: Mapping[str, Callable[[_Question], Found]] = MappingProxyType(
    {"partitioned": partitioned, "figures": figures, "smc": smc, "tableau": tableau, "tableau-top": tableau_top}
)


def measure(family: str, claim: str, engine: str, n: int, *, run: Run) -> Facts:
    """Ask with fresh managers: first of the smallest model, which makes Python load what the engine needs, then in earnest.

    `seconds` are the CPU time of building BDDs and of the search, without a counterexample, `building` those of them until the
    step relation was there. Reading the model is in neither, nor is finding the automaton (`translating`), which the authors of
    the paper did by hand. `peak_nodes` are those of the manager in which the engine works: that of the system, or of the product.
    """
    if n > SMALLEST:
        _ask(family, claim, engine, SMALLEST, run=Run(run.limits))
    return _ask(family, claim, engine, n, run=run)


def _ask(family: str, claim: str, engine: str, n: int, *, run: Run) -> Facts:
    model = loads(FAMILIES[family](n))
    (formula,) = [prop.formula for prop in model.properties if prop.name == claim]
    started = time.process_time()
    violating = ltl_to_buchi(from_expr(formula).negation, run)
    begun = time.process_time()
    question = _Question(model.machine, formula, violating, BuildOptions(reorder=False, order=ORDER), run)
    outcome = ENGINES[engine](question)
    ended = time.process_time()
    return {
        "holds": not outcome.violated,
        "seconds": ended - begun,
        "building": outcome.built - begun,
        "translating": 0.0 if engine.startswith("tableau") else begun - started,
        "peak_nodes": max(outcome.manager.peak_nodes, outcome.manager.live_nodes),
    }
