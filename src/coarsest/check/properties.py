"""From a property of a machine to an answer with evidence."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from time import monotonic
from typing import Any

from coarsest.check.certificates import SymbolicInvariant
from coarsest.check.explore import reach_warnings
from coarsest.check.invariant import InvariantChecker, InvariantResult
from coarsest.errors import InputError, LimitExceeded
from coarsest.evidence.extend import extend_trace
from coarsest.evidence.invariants import confirm_invariant
from coarsest.evidence.replay import confirm_trace
from coarsest.evidence.trace import Trace
from coarsest.evidence.verdict import Answer, Fails, Holds, Unknown, Verdict
from coarsest.logic.expr import Apply, Expr, subexpressions
from coarsest.logic.show import show
from coarsest.logic.temporal_operators import TEMPORAL_OPERATORS
from coarsest.model.cone_of_influence import cone_variables, restrict_to
from coarsest.model.machine import Machine, Property, PropertyKind
from coarsest.run import Run
from coarsest.system.build import BuildOptions
from coarsest.system.relation.disjunctive import Disjunctive
from coarsest.system.spaces import Spaces
from coarsest.system.symbolic import SymbolicSet, SymbolicSpace

ENGINES = ("auto", "forward", "backward")
SEARCHES = ("auto", "breadth-first", "chaining")

MOST_MEMBERS_CONFIRMED = 2000
"""Inductive invariants of more states than this are not walked through by the interpreter."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckOptions:
    """How to check."""

    engine: str = "auto"
    search: str = "auto"
    cone: bool = True
    confirm: bool = True

    def __post_init__(self) -> None:
        for word, value, known in (("engine", self.engine, ENGINES), ("search", self.search, SEARCHES)):
            if value not in known:
                raise InputError(f"unknown {word} '{value}'", hint=f"known: {', '.join(known)}")


def invariant_of(claim: Property) -> Expr | None:
    """The condition that must hold in every reachable state, if that is all the property says."""
    match claim.kind, claim.formula:
        case PropertyKind.INVARIANT, formula:
            return formula
        case (PropertyKind.CTL, Apply("AG", (inner,))) | (PropertyKind.LTL, Apply("G", (inner,))):
            return None if is_temporal(inner) else inner
    return None


def is_temporal(expr: Expr) -> bool:
    return any(isinstance(part, Apply) and part.op in TEMPORAL_OPERATORS for part in subexpressions(expr))


class PropertyChecker:
    """Checks the properties of one machine; what one property has built serves the next."""

    def __init__(self, machine: Machine, build: BuildOptions, options: CheckOptions, run: Run) -> None:
        self.machine = machine
        self.options = options
        self.run = run
        self.spaces = Spaces(build, run)
        self.warnings: list[str] = []
        """What was noticed about the model as a whole."""
        self._checkers: dict[int, InvariantChecker[SymbolicSet[Any]]] = {}
        self._examined: set[int] = set()

    def answers(self, claims: Sequence[Property]) -> Iterator[Answer]:
        """One answer for each property, as soon as it is known."""
        spent: LimitExceeded | None = None
        for claim in claims:
            started = monotonic()
            try:
                if spent is not None:
                    raise spent
                answer = self._answer(claim)
            except LimitExceeded as limit:
                spent = limit if limit.limit == "time" else None
                answer = self._bare(claim, Unknown(str(limit)))
            yield replace(answer, seconds=monotonic() - started)

    def _bare(self, claim: Property, verdict: Verdict) -> Answer:
        text = claim.text or show(claim.formula)
        return Answer(claim.name, str(claim.kind), text, verdict, statistics=self.spaces.statistics())

    def _answer(self, claim: Property) -> Answer:
        good = invariant_of(claim)
        if good is None:
            return self._bare(claim, Unknown(f"{claim.kind.upper()} properties are not yet supported, only invariants"))
        return self.spaces.within_limits(lambda: self._decide(claim, good))

    def _decide(self, claim: Property, good: Expr) -> Answer:
        space = self.spaces.space(self._restricted(good))
        checker = self._checker(space)
        bad = space.states - space.where(good)
        backwards = self.options.engine == "backward"
        result = checker.backwards(bad, self.run) if backwards else checker.forwards(bad, self.run)
        warnings = tuple(self._warnings(space, result, good))
        self._examine(space, result)
        if result.path is None:
            assert result.inductive is not None
            certificate = SymbolicInvariant(space, result.inductive)
            confirmed = self.options.confirm and self._confirm_holds(space, certificate, good)
            answer = replace(self._bare(claim, Holds(certificate)), confirmed=confirmed)
        elif claim.kind is not PropertyKind.INVARIANT and (self.machine.justice or self.machine.compassion):
            because = "a reachable state violates it, but whether a fair path leads on from there is not yet decided"
            return self._bare(claim, Unknown(because))
        else:
            trace = self._trace(space, result)
            if self.options.confirm:
                confirm_trace(self.machine, trace, violates=good)
            answer = replace(self._bare(claim, Fails(trace)), confirmed=self.options.confirm)
        return replace(answer, warnings=warnings, statistics={**answer.statistics, "rings": len(checker.rings.rings)})

    def _restricted(self, good: Expr) -> Machine:
        """The machine, or its cone of influence where that leaves something away."""
        if not self.options.cone:
            return self.machine
        cone = cone_variables(self.machine, [good])
        return self.machine if len(cone) == len(self.machine.variables) else restrict_to(self.machine, cone)

    def _checker(self, space: SymbolicSpace[Any]) -> InvariantChecker[SymbolicSet[Any]]:
        checker = self._checkers.get(id(space))
        if checker is None or checker.space is not space:
            disjunctive = isinstance(space.relation, Disjunctive)
            chaining = self.options.search == "chaining" or (self.options.search == "auto" and disjunctive)
            checker = self._checkers[id(space)] = InvariantChecker(space, by_chaining=chaining)
        return checker

    def _confirm_holds(self, space: SymbolicSpace[Any], certificate: SymbolicInvariant, good: Expr) -> bool:
        if certificate.members > MOST_MEMBERS_CONFIRMED:
            return False
        confirm_invariant(space.machine, certificate.graph(), good, self.run)
        return True

    def _trace(self, space: SymbolicSpace[Any], result: InvariantResult[SymbolicSet[Any]]) -> Trace:
        states = [space.describe(state) for state in result.path or ()]
        inputs = [space.inputs_between(before, after) for before, after in pairwise(states)]
        return extend_trace(self.machine, Trace(tuple(states), tuple(inputs)))

    def _warnings(
        self, space: SymbolicSpace[Any], result: InvariantResult[SymbolicSet[Any]], good: Expr
    ) -> Iterator[str]:
        if not result.exact or result.inductive is None or not space.initial:
            return
        if isinstance(good, Apply) and good.op == "implies" and not result.inductive & space.where(good.args[0]):
            yield f"holds vacuously: '{show(good.args[0])}' is never true"

    def _examine(self, space: SymbolicSpace[Any], result: InvariantResult[SymbolicSet[Any]]) -> None:
        """Look once at the reachable states of each space for what the user should know."""
        if id(space) in self._examined or (space.initial and not result.exact):
            return
        self._examined.add(id(space))
        for warning in reach_warnings(space, result.inductive or space.empty):
            if warning not in self.warnings:
                self.warnings.append(warning)
