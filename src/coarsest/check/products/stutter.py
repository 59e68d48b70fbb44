"""A product whose system can get stuck: there the system stays where it is while the watcher goes on."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

from coarsest.check.setting.arena import Arena
from coarsest.run import Run
from coarsest.space.bdd.relation.disjunctive import SchedulerChoice, SchedulerEvent
from coarsest.space.bdd.relation.schedule import schedule
from coarsest.space.bdd.relation.step import Conjunct, Step
from coarsest.space.bdd.symbolic import SymbolicSet, SymbolicSpace
from coarsest.space.space import StateSpace, StepPart
from coarsest.space.views import View

Set = SymbolicSet[Any]


class _Stuttering(View[Set]):
    """The space with one more part of its step relation."""

    def __init__(self, base: StateSpace[Set], event: SchedulerEvent[Any], space: SymbolicSpace[Any]) -> None:
        super().__init__(base)
        self._extra = _SetPart(event, space)

    @cached_property
    def parts(self) -> Sequence[StepPart[Set]]:
        return [*self.base.parts, self._extra]

    def post(self, states: Set) -> Set:
        return self.base.post(states) | self._extra.post(states)

    def pre(self, states: Set) -> Set:
        return self.base.pre(states) | self._extra.pre(states)


class _SetPart:
    def __init__(self, event: SchedulerEvent[Any], space: SymbolicSpace[Any]) -> None:
        self._event = event
        self._space = space

    def post(self, states: Set) -> Set:
        return self._space.set(self._event.post(states.function))

    def pre(self, states: Set) -> Set:
        return self._space.set(self._event.pre(states.function)) & self._space.states


def with_stutter(product: SymbolicSpace[Any], system: Arena[Set]) -> StateSpace[Set]:
    """The product in which a stuck state of the system is followed by itself, the watcher stepping."""
    machine = system.base.machine
    watcher = frozenset(product.machine.variables) - frozenset(machine.variables)
    conjuncts = [c for c in product.step.conjuncts if _is_watchers(product, c, watcher)]
    stuck = _stuck_in(product, system, [c for c in product.step.conjuncts if not _is_watchers(product, c, watcher)])
    unchanged = frozenset(name for name in machine.variables if product.layout.slots[name].after)
    free = frozenset(v.name for v in system.inputs)  # inputs that are part of the state may still change
    event = SchedulerEvent(
        Step(product.manager, product.layout, conjuncts),
        SchedulerChoice(Conjunct(stuck, None, frozenset(product.manager.support(stuck))), unchanged - free, tuple(conjuncts)),
        Run(),
    )
    return _Stuttering(product, event, product)


def _is_watchers(product: SymbolicSpace[Any], conjunct: Conjunct[Any], watcher: frozenset[str]) -> bool:
    """Is the conjunct about a variable of the watcher?"""
    slots = [product.layout.slots[name] for name in watcher]
    bits = {bit for s in slots for bit in (*s.now, *s.after)}
    return conjunct.target in watcher or bool(conjunct.support & bits)


def _stuck_in(product: SymbolicSpace[Any], system: Arena[Set], own: Sequence[Conjunct[Any]]) -> Any:
    """The stuck states of the system, in the product's manager: no step that its own conjuncts allow leaves them."""
    manager, step = product.manager, product.step
    quantified = [*step.after, *step.inputs, *product.layout.now(system.inputs)]
    leaving = schedule(manager, [c.relation for c in own], [c.support for c in own], quantified).apply(manager, manager.true)
    return product.states.function & ~leaving
