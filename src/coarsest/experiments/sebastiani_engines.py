"""The same LTL question asked of each engine, with the CPU time it took and the most BDD nodes that lived at once.

The engines are compared below the level of `check`, for two reasons: the peak of the product's own manager is needed, and the
paper gives the reachability of a safety violation to both sides (its option -safety), while `--ltl automaton` always looks for
fair cycles.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from coarsest.api import loads
from coarsest.automata.ltl_to_buchi import ltl_to_buchi
from coarsest.automata.machine_product import AUTOMATON
from coarsest.automata.strength import terminal_states
from coarsest.check.context import CheckOptions, Context, Setting
from coarsest.check.ltl import automaton_product, tableau_product, violation_in_partition, violation_in_product
from coarsest.check.reachability import BreadthFirst
from coarsest.errors import InputError
from coarsest.experiments.sebastiani_models import FAMILIES
from coarsest.logic.ctl import negate
from coarsest.logic.expr import Apply, Constant, Expr, Name
from coarsest.logic.ltl_from_expr import from_expr
from coarsest.model.automaton import Automaton
from coarsest.run import Limits, Run
from coarsest.system.build import BuildOptions
from coarsest.system.partitioned import PartitionedSpace
from coarsest.system.symbolic import SymbolicSpace

Answered = tuple[bool, SymbolicSpace[Any] | None]
"""Is there a violating path? And the space of the product, where one was built."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """One engine on one property of one model."""

    holds: bool
    seconds: float
    """CPU time: building the BDDs and the search, with the counterexample (`smc-safety`: without). Neither reading the model nor
    finding the automaton, which all but the tableau have in common: the authors of the paper wrote theirs by hand."""
    peak_nodes: int
    """Of the manager in which the engine works: that of the system, or that of the product."""


@dataclass(frozen=True, slots=True)
class Question:
    """A formula, and the automaton of the paths that violate it."""

    formula: Expr
    violating: Automaton


def partitioned(context: Context, setting: Setting, question: Question) -> Answered:
    """Sets split by the vertices of the automaton."""
    arena = setting.arena
    space = PartitionedSpace(arena.space, question.violating)
    return violation_in_partition(space, context.run, arena.start, setting.ctl.fair, reachable=arena.reached) is not None, None


def smc(context: Context, setting: Setting, question: Question) -> Answered:
    """The same automaton, encoded in BDD variables."""
    product = automaton_product(setting.machine, question.violating, context.build, context.run)
    return violation_in_product(product, setting.arena, context.run) is not None, product.space


def smc_safety(context: Context, setting: Setting, question: Question) -> Answered:
    """The encoded automaton of a safety formula: is a vertex that accepts whatever comes reachable?

    The machines of this experiment have neither dead ends nor fairness, so that every state begins a fair path.
    """
    space = automaton_product(setting.machine, question.violating, context.build, context.run).space
    goal = space.empty
    for vertex in terminal_states(question.violating):
        goal = goal | space.where(Apply("=", (Name(AUTOMATON), Constant(vertex))))
    return BreadthFirst(space, space.initial).meet(goal, context.run) is not None, space


def tableau(context: Context, setting: Setting, question: Question) -> Answered:
    """The tableau of the negation, one variable for each temporal subformula: what ltl2smv does."""
    product = tableau_product(setting.machine, negate(question.formula), context.build, context.run)
    return violation_in_product(product, setting.arena, context.run) is not None, product.space


Engine = Callable[[Context, Setting, Question], Answered]
ENGINES: Mapping[str, Engine] = MappingProxyType(
    {"partitioned": partitioned, "smc": smc, "smc-safety": smc_safety, "tableau": tableau}
)


def engines_for(claim: str) -> tuple[str, ...]:
    """The engines that are compared on a property."""
    return tuple(engine for engine in ENGINES if engine != "smc-safety" or claim.startswith("safety"))


def measure(family: str, claim: str, engine: str, n: int, *, reorder: bool, mebibytes: int | None = None) -> Measured:
    """Ask once, with fresh managers, after the smallest model has made Python load what the engine needs."""
    if family not in FAMILIES or engine not in ENGINES:
        raise InputError(f"there is no family '{family}' or no engine '{engine}' in this experiment")
    limits = Limits(mebibytes=mebibytes)
    _measure(FAMILIES[family](2), claim, engine, limits, reorder=reorder)
    return _measure(FAMILIES[family](n), claim, engine, limits, reorder=reorder)


def _measure(text: str, claim: str, engine: str, limits: Limits, *, reorder: bool) -> Measured:
    model = loads(text)
    (formula,) = [prop.formula for prop in model.properties if prop.name == claim]
    context = Context(model.machine, BuildOptions(reorder=reorder), CheckOptions(), Run(limits))
    question = Question(formula, ltl_to_buchi(from_expr(formula).negation, context.run))
    begun = time.process_time()
    setting = context.setting([formula])
    if engine != "partitioned":
        begun = time.process_time()  # the others compute in a product of their own, built within their time
    violated, product = ENGINES[engine](context, setting, question)
    seconds = time.process_time() - begun
    manager = (setting.arena.base if product is None else product).manager
    return Measured(holds=not violated, seconds=seconds, peak_nodes=max(manager.peak_nodes, manager.live_nodes))
