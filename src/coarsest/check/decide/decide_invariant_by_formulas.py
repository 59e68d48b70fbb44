"""Invariants of machines without bounds: a search from both ends, a replayed trace or an inductive formula.

Reference: –
Symbols:   –
Invariant: forwards, `reached` are the states within so many steps of an initial one; backwards, those within so many steps of
           a bad one. Neither set meets the other's start.
Deviates:  by default both searches take turns, for where one of them goes on for ever, the other may end.
Cost:      one image and one preimage per round.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise

from msgspec.structs import replace

from coarsest.check.invariants.invariant import InvariantResult
from coarsest.check.invariants.measured_invariant import MEASURED, SHORT_NAMES, measure_invariant
from coarsest.check.setting.context import Context, Decision, is_never_true
from coarsest.check.setting.hollow import DEAD_ENDS, NO_INITIAL_STATE, STEP_TO_ITSELF
from coarsest.evidence.replay.replay import confirm_last_step, confirm_trace
from coarsest.evidence.smt.formula_invariant import FormulaInvariant, confirm_formula_invariant
from coarsest.evidence.verdict import Fails, Holds
from coarsest.logic.expr import TRUE, Apply, Expr, Name, conjunction, conjuncts
from coarsest.logic.show import show
from coarsest.model.machine import Machine
from coarsest.model.parts.cone_of_influence import cone_variables, restrict_to
from coarsest.model.parts.extend import extend_trace
from coarsest.model.parts.watch import WATCH, is_about_steps, with_watch
from coarsest.model.trace import Trace
from coarsest.model.types import show_value
from coarsest.search.paths import path_from, path_to
from coarsest.search.reachability import BreadthFirst
from coarsest.space.smt.formula_spaces import FormulaSpaces
from coarsest.space.smt.smt import SmtSet, SmtSpace


class FormulaInvariantDecider:
    """Decides invariants of one machine, with sets that are formulas."""

    def __init__(self, context: Context, spaces: FormulaSpaces) -> None:
        self.context = context
        self.spaces = spaces

    def decide(self, good: Expr) -> Decision:
        """The verdict on a condition for every reachable state, or for every step from one."""
        context = self.context
        whole, step_condition = context.machine, None
        if is_about_steps(whole, good):
            step_condition, name = good, next(context.watches)
            whole, good = with_watch(whole, good, name), Name(name)
        machine = self._restricted(whole, good)
        space = self.spaces.space(machine)
        result, facts = self._search(space, space.where(good))
        self._examine(space, result)
        if result.path is not None:
            trace = self._trace(space, result.path)
            confirmed = self._confirmed(trace, good, step_condition)
            return Decision(Fails(trace), confirmed, facts=facts)
        assert result.inductive is not None
        parts = [*conjuncts(space.kept_bounds), *conjuncts(space.expression(result.inductive))]
        certificate = FormulaInvariant(conjunction([part for part in parts if part != TRUE]))
        facts = {**facts, "atoms": result.inductive.atoms}
        decision = Decision(Holds(certificate), warnings=self._vacuity(space, result, good), facts=facts)
        if not context.options.confirms:
            return decision
        confirm_formula_invariant(machine, certificate, good, context.run)
        return replace(decision, confirmed=True)

    def _search(self, space: SmtSpace, good: SmtSet) -> tuple[InvariantResult[SmtSet], Mapping[str, int]]:
        run = self.context.run
        engine = SHORT_NAMES.get(self.context.options.engine, self.context.options.engine)
        if engine in MEASURED:
            found = measure_invariant(engine, space, good, run)
            return InvariantResult(found.path, found.inductive, exact=engine == "forward"), found.facts
        forwards = BreadthFirst(space, space.initial)
        backwards = BreadthFirst(space, space.states - good, backwards=True)
        result = meet(forwards, backwards, space, self.context)
        return result, {"rings": max(len(forwards.rings), len(backwards.rings))}

    def _examine(self, space: SmtSpace, result: InvariantResult[SmtSet]) -> None:
        """Without a count: there may be infinitely many states."""
        if not space.initial:
            self.context.warn(NO_INITIAL_STATE)
        elif result.inductive is not None and space.machine.may_be_stuck:
            stuck = result.inductive - space.pre(result.inductive)
            if stuck:
                state = space.describe(space.pick(stuck))
                example = ", ".join(f"{name} = {show_value(state[name])}" for name in state if not name.startswith(WATCH))
                reachable = "reachable" if result.exact else "that may be reachable"
                self.context.warn(DEAD_ENDS, f"states {reachable} have no successor, for example {example}; {STEP_TO_ITSELF}")

    def _trace(self, space: SmtSpace, path: Sequence[SmtSet]) -> Trace:
        states = [space.describe(state) for state in path]
        own = [v.name for v in self.context.machine.state_variables if v.name in space.machine.variables]
        inputs = [space.inputs_between(before, after) or {} for before, after in pairwise(states)]
        named = tuple({name: state[name] for name in own} for state in states)
        return extend_trace(self.context.machine, Trace(named, tuple(inputs) if any(inputs) else ()))

    def _confirmed(self, trace: Trace, good: Expr, step_condition: Expr | None) -> bool:
        if not self.context.options.confirms:
            return False
        confirm_trace(self.context.machine, trace, violates=good if step_condition is None else None)
        if step_condition is not None:
            confirm_last_step(self.context.machine, trace, violates=step_condition)
        return True

    def _restricted(self, machine: Machine, good: Expr) -> Machine:
        if not self.context.options.cone:
            return machine
        cone = cone_variables(machine, [good])
        return machine if len(cone) == len(machine.variables) else restrict_to(machine, cone)

    def _vacuity(self, space: SmtSpace, result: InvariantResult[SmtSet], good: Expr) -> tuple[str, ...]:
        reached = result.inductive
        if not result.exact or reached is None or not space.initial or not self.context.options.vacuity:
            return ()
        if isinstance(good, Apply) and good.op == "implies" and is_never_true(good.args[0], reached, space):
            return (f"holds vacuously: '{show(good.args[0])}' is never true",)
        return ()


def meet(
    forwards: BreadthFirst[SmtSet], backwards: BreadthFirst[SmtSet], space: SmtSpace, context: Context
) -> InvariantResult[SmtSet]:
    """Let both searches take turns until one of them knows."""
    bad, run = backwards.reached, context.run
    while True:
        if forwards.frontier & bad:
            return InvariantResult(path_to(space, [*forwards.rings, forwards.frontier], bad), None)
        if backwards.frontier & space.initial:
            return InvariantResult(path_from(space, [*backwards.rings, backwards.frontier], space.initial), None)
        if forwards.complete:
            return InvariantResult(None, forwards.reached, exact=True)
        if backwards.complete:
            return InvariantResult(None, space.states - backwards.reached)
        forwards.advance(run)
        backwards.advance(run)
