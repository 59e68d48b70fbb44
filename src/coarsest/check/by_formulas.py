"""Properties of machines without bounds: invariants by search, everything else on the quotient, if that is finite."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from msgspec.structs import replace

from coarsest.check.invariant_answers import decide_invariant
from coarsest.check.properties import PropertyChecker, searched_as_invariant
from coarsest.check.reduced import ReducedChecker
from coarsest.check.setting.arena import machine_for
from coarsest.check.setting.context import CheckOptions, Decision
from coarsest.errors import LimitExceeded, Unsupported
from coarsest.evidence.verdict import Answer, Fails, Unknown
from coarsest.logic.show import show
from coarsest.model.machine import Machine, Property
from coarsest.model.unbounded import unbounded_variables
from coarsest.reduce.reduction import Reduction
from coarsest.run import Run
from coarsest.space.bdd.build import BuildOptions
from coarsest.space.smt.formula_spaces import FormulaSpaces

LONGEST_LASSO = 40
"""A counterexample that goes round a loop of classes need not come back to a state; so many steps are tried."""


class FormulaChecker(ReducedChecker):
    """Checks the properties of one machine with the SMT carrier; unless that is asked for, only those that depend on what has no
    bounds. The others are left to a checker with BDDs."""

    def __init__(self, machine: Machine, build: BuildOptions, options: CheckOptions, run: Run) -> None:
        super().__init__(machine, replace(build, carrier="bdd"), options, run)  # the quotient is finite
        by_bdds = PropertyChecker if options.reduce == "none" else ReducedChecker
        self._by_bdds = by_bdds(machine, build, options, run) if build.carrier == "auto" else None
        self.context.spaces = FormulaSpaces(run)  # type: ignore[assignment]  # what is asked of it here, it can do as well

    def answers(self, claims: Sequence[Property]) -> Iterator[Answer]:
        """One answer for each property, as soon as it is known."""
        if self._by_bdds is not None and all(map(self._is_finite, claims)):
            yield from self._left_to_bdds(claims)
            return
        for claim in claims:
            if self._by_bdds is not None and self._is_finite(claim):
                yield from self._left_to_bdds([claim])
                continue
            options = self.context.options
            direct = options.reduce == "none" and searched_as_invariant(claim, self.context.machine, options) is not None
            yield from PropertyChecker.answers(self, [claim]) if direct else super().answers([claim])

    def _is_finite(self, claim: Property) -> bool:
        """Has everything that the property depends on bounds?"""
        part, _ = machine_for(self.context.machine, [claim.formula], cone=self.context.options.cone)
        return not unbounded_variables(part)

    def _left_to_bdds(self, claims: Sequence[Property]) -> Iterator[Answer]:
        assert self._by_bdds is not None
        yield from self._by_bdds.answers(claims)
        self.context.warn_as(self._by_bdds.context)

    def _decision(self, claim: Property) -> Decision:
        good = searched_as_invariant(claim, self.context.machine, self.context.options)
        if good is not None:
            return decide_invariant(self.context, good)
        if not self._is_about_steps(claim):
            reason = "fairness speaks of inputs, and in some states there are inputs that lead nowhere"
            return Decision(Unknown(f"{reason}: what then happens is not seen in a quotient"))
        text = claim.text or show(claim.formula)
        hint = "invariants may speak of steps; other properties are decided on the quotient, which has states only"
        raise Unsupported(f"`{text}` speaks of inputs or steps", claim.span, hint=hint)

    def _lifted(self, answer: Answer, claim: Property, reduction: Reduction[Any], *, sound: bool) -> Answer:
        """As on a finite machine, but a loop of classes need not have a loop of states in it."""
        if not isinstance(answer.verdict, Fails) or answer.verdict.trace is None or answer.verdict.trace.loop is None:
            return super()._lifted(answer, claim, reduction, sound=sound)
        run = self.context.run
        try:
            limits = replace(run.limits, steps=LONGEST_LASSO)
            reduction.lift_trace(answer.verdict.trace, Run(limits, run.listener, run.seed, run.started))
        except LimitExceeded as limit:
            if limit.limit != "steps":
                raise
            doubt = f"the counterexample of the quotient does not come back to a state of the model within {LONGEST_LASSO} steps"
            without = replace(answer, verdict=Fails(), confirmed=False)
            return replace(super()._lifted(without, claim, reduction, sound=sound), doubt=doubt)
        return super()._lifted(answer, claim, reduction, sound=sound)
