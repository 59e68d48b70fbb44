"""Several invariants of one machine at once, by paths and inductions over more and more steps, on one unrolling for all."""

from __future__ import annotations

from collections.abc import Sequence

from coarsest.check.invariants.bounded_search import bounded_searches
from coarsest.check.invariants.induction import inductions
from coarsest.check.questions.finding import Finding, Proved, Refuted, Undecided
from coarsest.check.questions.question import Invariant, Question
from coarsest.encode.unrolling import Network
from coarsest.errors import LimitExceeded
from coarsest.evidence.proof import AllPathsEnd, Induction
from coarsest.model.machine import Machine
from coarsest.model.parts.part import Part
from coarsest.run import Run, Statistic


class Together:
    """What has been found out about some invariants up to a depth."""

    def __init__(
        self, part: Part, claims: Sequence[Invariant], whole: Machine, run: Run, *, deepest_induction: int | None
    ) -> None:
        """Of the machine with variables that are equal to others (`whole`) judges know."""
        self.questions = [Question(part, claim, whole) for claim in claims]
        self.findings: dict[int, Finding] = {}
        """Of each invariant that is decided, by its number."""
        self.depth = 0
        """So many steps have been looked at."""
        self._part, self._deepest = part, deepest_induction
        self._asked = set(range(len(claims)))
        self._network = Network(part.machine, run)
        goods = [claim.good for claim in claims]
        self._paths = bounded_searches(self._network, goods, run, self._asked)
        self._inductions = inductions(self._network, goods, run, self._asked)
        self._ended: LimitExceeded | None = None

    def decide(self, number: int, *, most: int | None = None) -> Finding:
        """The finding about one of them; with `most`, no more than so many steps are looked at."""
        while number not in self.findings:
            if most is not None and self.depth >= most:
                return Undecided(f"no path of fewer than {most} steps violates it")
            self.deepen()
        return self.findings[number]

    def deepen(self) -> None:
        """Look at paths that are one step longer, and inductions over one step more."""
        if self._ended is not None:
            raise self._ended
        try:
            self._deepen()
        except LimitExceeded as limit:
            self._ended = limit
            raise
        self.depth += 1

    def _deepen(self) -> None:
        facts: dict[str, Statistic] = {"bound": self.depth, "gates": self._network.gates}
        violations = next(self._paths, None)
        if violations is None:
            self._settle({number: Proved(AllPathsEnd(self.depth), facts=facts) for number in self._asked})
            return
        self._settle({number: Refuted(trace, {**facts, "engine": "bmc"}) for number, trace in violations.items()})
        if self._asked and (self._deepest is None or self.depth < self._deepest):
            proof, facts = Induction(self.depth, self._part.equations), {**facts, "engine": "k-induction"}
            self._settle({number: Proved(proof, facts=facts) for number in next(self._inductions)})

    def _settle(self, findings: dict[int, Finding]) -> None:
        self.findings |= findings
        self._asked.difference_update(findings)  # the searches look at this very set
