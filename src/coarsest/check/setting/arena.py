"""Where temporal formulas are evaluated: the reachable part of a space, with a step from every state, on any carrier.

A state without successor gets a step to itself, and the user is warned. Inputs that fairness or the formula speaks of are
part of the state here; a set of states of the machine is a set that does not depend on them (`forget`).
"""

from __future__ import annotations

from collections.abc import Collection
from functools import cached_property
from typing import Any, Generic

from coarsest.errors import InputError
from coarsest.logic.expr import Expr
from coarsest.model.machine import Machine
from coarsest.model.parts.cone_of_influence import cone_variables, restrict_to
from coarsest.model.parts.promote_inputs import inputs_mentioned, promote
from coarsest.run import Run
from coarsest.search.reachability import Search, search_from
from coarsest.space.carrier import Carrier
from coarsest.space.space import S, StateSpace, StepPart
from coarsest.space.views import RestrictedSpace, Total


def machine_for(machine: Machine, roots: Collection[Expr], *, cone: bool = True) -> tuple[Machine, frozenset[str]]:
    """The part of a machine that matters for formulas over the roots under its fairness, and the inputs in its states."""
    fairness = [*machine.justice, *(expr for pair in machine.compassion for expr in pair)]
    needed = [*roots, *fairness]
    inputs = inputs_mentioned(machine, needed)
    promoted = promote(machine, inputs)
    if cone:
        variables = cone_variables(promoted, needed)
        if len(variables) < len(promoted.variables):
            promoted = restrict_to(promoted, variables)
    return promoted, inputs


def hinted_steps(space: Carrier[Any], run: Run) -> list[StepPart[Any]]:
    """The steps that the hints of the machine say to take first: one part of the step relation for each hint."""
    hints = space.machine.hints
    if hints and not space.holds_diagrams:
        raise InputError("hints guide a search with BDDs, and here sets of states are not BDDs", hint="leave '--hints' out")
    if not hints:
        return []
    from coarsest.space.bdd.actions import steps_where
    from coarsest.space.bdd.symbolic import symbolic

    return [steps_where(symbolic(space), hint, run) for hint in hints]


class Arena(Generic[S]):
    """The reachable, total part of a space."""

    exact = True
    """Are its states the reachable ones, and no others?"""

    def __init__(
        self, base: Carrier[S], inputs: Collection[str], run: Run, *, start: S | None = None, search: str = "auto"
    ) -> None:
        self.base, self.search, self.run = base, search, run
        self.start = base.initial if start is None else start
        self.inputs = [v for v in base.machine.state_variables if v.name in inputs]

    def forget(self, states: S) -> S:
        """The states that agree with one of these on everything but the inputs."""
        return self.base.forget(states, self.inputs)

    @cached_property
    def reached(self) -> S:
        if self.base.only_reachable and self.start == self.base.initial:
            return self.base.states
        return self.searching.finish(self.run)

    @cached_property
    def searching(self) -> Search[S]:
        """The search for the reachable states, which may be left, and taken up again."""
        if self.base.machine.hints and self.start == self.base.initial:
            from coarsest.search.guided_ravi_somenzi import Guided

            return Guided(self.base, self.start, hinted_steps(self.base, self.run))
        return search_from(self.base, self.start, search=self.search)

    @cached_property
    def leaving(self) -> S:
        """The reachable states that have a successor, which is reachable, too.

        With equations alone, the preimage of all states is a smaller diagram. Conditions on steps may relate unreachable states
        in ways that no small diagram has.
        """
        targets = self.reached if self.base.machine.transition_constraints else self.base.states
        return self.base.pre(targets) & self.reached

    @cached_property
    def first(self) -> S:
        """The initial states, with inputs that lead on where any do."""
        return self.start & (self.leaving | self.stuck) if self.inputs and self.may_be_stuck else self.start

    @property
    def may_be_stuck(self) -> bool:
        return self.base.machine.may_be_stuck

    @cached_property
    def stuck(self) -> S:
        """The reachable states without a successor, whatever the inputs."""
        if not self.may_be_stuck:
            return self.base.empty
        return self.reached - self.forget(self.leaving)

    @cached_property
    def total(self) -> bool:
        """Has every state here a successor, once stuck states have a step to themselves?"""
        return not self.may_be_stuck or self.reached == self.leaving | self.stuck

    @cached_property
    def space(self) -> StateSpace[S]:
        """The space to compute in; where the machine is stuck, the inputs may still change."""
        reachable = self.base.narrowed(self.reached)
        return RestrictedSpace(Total(reachable, self.stuck, self.forget), self.reached) if self.stuck else reachable
