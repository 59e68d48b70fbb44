"""Properties decided on the quotient of a machine by bisimulation, with evidence about the machine itself."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from msgspec.structs import replace

from coarsest.automata.automaton_claim import AutomatonClaim
from coarsest.check.properties import PropertyChecker, invariant_of
from coarsest.check.setting.context import CheckOptions
from coarsest.errors import LimitExceeded
from coarsest.evidence.enumeration.automaton_on_lasso import confirm_accepted
from coarsest.evidence.replay.lasso import confirm_lasso
from coarsest.evidence.replay.replay import confirm_trace
from coarsest.evidence.verdict import Answer, Fails, Holds, Unknown
from coarsest.logic.show import show
from coarsest.model.machine import Machine, Property, PropertyKind
from coarsest.model.parts.cone_of_influence import restrict_to
from coarsest.model.parts.promote_inputs import inputs_mentioned, promote
from coarsest.model.parts.watch import is_about_steps
from coarsest.model.trace import Trace
from coarsest.reduce.partition.observation import observable_parts, observe
from coarsest.reduce.partition.quotient import renaming
from coarsest.reduce.reduce import reduce_machine
from coarsest.reduce.reduction import Reduction
from coarsest.run import Run
from coarsest.space.bdd.build import BuildOptions


class ReducedChecker(PropertyChecker):
    """Checks the properties of a machine on its quotient; what speaks of inputs or steps is checked on the machine itself."""

    def __init__(
        self, machine: Machine, build: BuildOptions, options: CheckOptions, run: Run, *, algorithm: str = "auto"
    ) -> None:
        super().__init__(machine, build, options, run)
        self._algorithm = algorithm
        self._build = build

    def answers(self, claims: Sequence[Property]) -> Iterator[Answer]:
        """One answer for each property, as soon as it is known."""
        machine, run, options = self.context.machine, self.context.run, self.context.options
        about_states = [claim for claim in claims if not self._is_about_steps(claim)]
        try:
            observation = observe(machine, observable_parts(about_states, machine), cone=options.cone)
            reduction = reduce_machine(machine, observation, self.context.spaces, run, algorithm=self._algorithm)
            sound = options.confirms and reduction.certificate.confirm(run)
        except LimitExceeded as limit:
            for claim in claims:
                yield self._bare(claim, Unknown(str(limit)))
            return
        quotient = PropertyChecker(reduction.machine, self._build, replace(options, cone=False), run)
        for claim in claims:
            moved = None if self._is_about_steps(claim) else reduction.carried(claim)
            if moved is None:
                yield from super().answers([claim])
                continue
            (answer,) = quotient.answers([moved])
            self.context.warn_as(quotient.context)
            yield self._lifted(answer, claim, reduction, sound=sound)

    def _is_about_steps(self, claim: Property) -> bool:
        machine = self.context.machine
        return is_about_steps(promote(machine, inputs_mentioned(machine, [claim.formula])), claim.formula)

    def _lifted(self, answer: Answer, claim: Property, reduction: Reduction[Any], *, sound: bool) -> Answer:
        """The answer about the quotient as one about the machine."""
        text = claim.text or show(claim.formula)
        statistics = {**answer.statistics, "classes": len(reduction.partition)}
        warnings = tuple(self._in_own_words(warning, reduction) for warning in answer.warnings)
        answer = replace(answer, name=claim.name, kind=str(claim.kind), formula=text, instance=claim.module)
        answer = replace(answer, statistics=statistics, warnings=warnings)
        match answer.verdict:
            case Fails(trace) if trace is not None and answer.verdict.explanation is None:
                lifted = reduction.lift_trace(trace, self.context.run)
                if self.context.options.confirms:
                    self._confirm(lifted, claim, reduction)
                return replace(answer, verdict=Fails(lifted), reading=None)
            case Fails():
                verdict: Fails | Holds = Fails()
            case Holds():
                verdict = Holds(reduction.certificate)
            case _:
                return answer
        doubt = "" if sound else "it was decided on the quotient, which is too large to be walked through"
        return replace(answer, verdict=verdict, confirmed=answer.confirmed and sound, doubt=doubt, reading=None)

    @staticmethod
    def _in_own_words(warning: str, reduction: Reduction[Any]) -> str:
        """A warning about the quotient with what is observed in the place of its names there."""
        for label, name in renaming(reduction.quotient).items():
            warning = re.sub(rf"\b{re.escape(name.name)}\b(?!\.)", lambda _, label=label: show(label), warning)  # type: ignore[misc]
        return warning

    def _confirm(self, trace: Trace, claim: Property, reduction: Reduction[Any]) -> None:
        machine = self.context.machine
        if trace.loop is None:
            confirm_trace(machine, trace, violates=invariant_of(claim, machine))
            return
        own = frozenset(name for name in reduction.observation.machine.variables if name in machine.variables)
        part = machine if len(own) == len(machine.variables) else restrict_to(machine, own)
        if isinstance(claim, AutomatonClaim):
            confirm_accepted(part, trace, claim.automaton)
        else:
            confirm_lasso(part, trace, claim.formula if claim.kind is PropertyKind.LTL else None)
