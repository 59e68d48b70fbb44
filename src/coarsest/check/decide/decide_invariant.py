"""Invariants: the verdict, a shortest counterexample or an inductive invariant."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from coarsest.check.certify.certificates import SymbolicInvariant
from coarsest.check.certify.certify import certify_invariant
from coarsest.check.invariants.invariant import InvariantChecker, InvariantResult
from coarsest.check.invariants.measured_invariant import ON_THE_FLY, SHORT_NAMES, measure_invariant
from coarsest.check.setting.context import Context, Decision, is_never_true
from coarsest.check.setting.hollow import warn_of_reached
from coarsest.check.setting.traces import TraceMaker
from coarsest.evidence.enumeration.by_enumeration import part_in_words
from coarsest.evidence.replay.invariants import confirm_invariant
from coarsest.evidence.replay.replay import confirm_last_step, confirm_trace
from coarsest.evidence.verdict import Fails, Holds
from coarsest.logic.expr import Apply, Expr, Name
from coarsest.logic.show import show
from coarsest.model.machine import Machine
from coarsest.model.parts.cone_of_influence import cone_variables, restrict_to
from coarsest.model.parts.extend import extend_trace
from coarsest.model.parts.watch import is_about_steps, with_watch
from coarsest.search.witness import Path
from coarsest.space.bdd.relation.disjunctive import Disjunctive
from coarsest.space.bdd.symbolic import SymbolicSet, SymbolicSpace

MOST_MEMBERS_CONFIRMED = 2000
"""Inductive invariants of more states than this are not walked through by the interpreter."""

Set = SymbolicSet[Any]


class InvariantDecider:
    """Decides invariants of one machine; what one has built serves the next."""

    def __init__(self, context: Context) -> None:
        self.context = context
        self._checkers: dict[int, InvariantChecker[Set]] = {}
        self._examined: set[int] = set()

    def decide(self, good: Expr) -> Decision:
        """The verdict on a condition for every reachable state, or for every step from one."""
        context = self.context
        whole, step_condition = context.machine, None
        if is_about_steps(whole, good):
            step_condition, name = good, next(context.watches)
            whole, good = with_watch(whole, good, name), Name(name)
        machine = self._restricted(whole, good)
        space = context.spaces.space(machine)
        result, facts = self._search(space, space.where(good))
        self._examine(space, result)
        if result.path is not None:
            return replace(self._refuted(space, result, good, step_condition), facts=facts)
        assert result.inductive is not None
        part = part_in_words(machine, context.machine)
        certificate = SymbolicInvariant(space, result.inductive, exact=result.exact, part=part)
        decision = Decision(Holds(certificate), warnings=self._vacuity(space, result, good), facts=facts)
        small = certificate.members <= MOST_MEMBERS_CONFIRMED
        if context.options.confirms and small:
            confirm_invariant(space.machine, certificate.graph(), good, context.run)
        claim = good if step_condition is None else step_condition
        certified = certify_invariant(context, space, result.inductive, claim, needed=not small)
        confirmed = context.options.confirms and (small or certified.confirmed is not None)
        verdict = Holds(certificate, proof=certified.certificate)
        return replace(decision, verdict=verdict, confirmed=confirmed, doubt=certified.doubt)

    def _search(self, space: SymbolicSpace[Any], good: Set) -> tuple[InvariantResult[Set], Mapping[str, int]]:
        """What the engine finds, and what is worth knowing of how it did."""
        context, checker = self.context, self._checker(space)
        engine = SHORT_NAMES.get(context.options.engine, context.options.engine)
        if engine in ON_THE_FLY or (engine == "backward" and not checker.by_chaining):
            found = measure_invariant(engine, space, good, context.run)
            return InvariantResult(found.path, found.inductive), found.facts
        bad = space.states - good
        if engine == "backward":
            return checker.backwards(bad, context.run), {}
        result = checker.forwards(bad, context.run)
        return result, {"rings": len(checker.rings.rings)} if checker.rings.rings else {}

    def _refuted(
        self, space: SymbolicSpace[Any], result: InvariantResult[Set], good: Expr, step_condition: Expr | None
    ) -> Decision:
        context = self.context
        trace = TraceMaker(context.machine, space)(Path(tuple(result.path or ())))
        trace = extend_trace(context.machine, trace)
        if context.options.confirms:
            confirm_trace(context.machine, trace, violates=good if step_condition is None else None)
            if step_condition is not None:
                confirm_last_step(context.machine, trace, violates=step_condition)
        return Decision(Fails(trace), context.options.confirms)

    def _restricted(self, machine: Machine, good: Expr) -> Machine:
        """The machine, or its cone of influence where that leaves something away."""
        if not self.context.options.cone:
            return machine
        cone = cone_variables(machine, [good])
        return machine if len(cone) == len(machine.variables) else restrict_to(machine, cone)

    def _checker(self, space: SymbolicSpace[Any]) -> InvariantChecker[Set]:
        checker = self._checkers.get(id(space))
        if checker is None or checker.space is not space:
            search = self.context.options.search
            disjunctive = isinstance(space.relation, Disjunctive)
            chaining = search == "chaining" or (search == "auto" and disjunctive)
            checker = self._checkers[id(space)] = InvariantChecker(space, by_chaining=chaining)
        return checker

    def _vacuity(self, space: SymbolicSpace[Any], result: InvariantResult[Set], good: Expr) -> tuple[str, ...]:
        reached = result.inductive
        if not result.exact or reached is None or not space.initial or not self.context.options.vacuity:
            return ()
        if isinstance(good, Apply) and good.op == "implies" and is_never_true(good.args[0], reached, space):
            return (f"holds vacuously: '{show(good.args[0])}' is never true",)
        return self.context.vacuity(good, lambda stronger: reached <= space.where(stronger))

    def _examine(self, space: SymbolicSpace[Any], result: InvariantResult[Set]) -> None:
        """Look once at the reachable states of each space for what the user should know."""
        if id(space) in self._examined or result.inductive is None:
            return
        self._examined.add(id(space))
        warn_of_reached(self.context, space, result.inductive, exact=result.exact, initial=bool(space.initial))
