"""Several invariants of one machine at once, by paths and inductions over more and more steps, on one unrolling for all."""

from __future__ import annotations

from collections.abc import Sequence

from coarsest.check.invariants.bounded_search import BoundedSearch
from coarsest.check.invariants.induction import Inductions
from coarsest.check.questions.finding import Finding, Proved, Refuted, Undecided
from coarsest.check.questions.question import Invariant, Question
from coarsest.encode.unrolling import Network
from coarsest.evidence.proof import AllPathsEnd, Induction
from coarsest.model.machine import Machine
from coarsest.model.parts.part import Part
from coarsest.run import Run, Statistic


class JointSearch:
    """What has been found out about some invariants up to a depth."""

    def __init__(
        self, part: Part, claims: Sequence[Invariant], whole: Machine, run: Run, *, deepest_induction: int | None
    ) -> None:
        """`whole` is the machine before equal variables were merged; judges see that one."""
        self.questions = [Question(part, claim, whole) for claim in claims]
        self.findings: dict[int, Finding] = {}
        """The findings about decided invariants, by their numbers."""
        self.depth = 0
        """The number of steps that have been looked at."""
        self._part, self._deepest = part, deepest_induction
        self.dropped: set[int] = set()
        """The numbers of the invariants that need not be decided any more."""
        self._network = Network(part.machine, run)
        goods = [claim.good for claim in claims]
        self._paths, self._inductions = BoundedSearch(self._network, goods, run), Inductions(self._network, goods, run)

    def decide(self, number: int, *, most: int | None = None) -> Finding:
        """The finding about an invariant; with `most`, at most that many steps are looked at."""
        while number not in self.findings:
            if most is not None and self.depth >= most:
                return Undecided(f"no path of fewer than {most} steps violates it")
            self.deepen()
        return self.findings[number]

    def deepen(self) -> None:
        """Look at paths that are one step longer, and inductions over one step more."""
        facts: dict[str, Statistic] = {"bound": self.depth, "gates": self._network.gates}
        if self._paths.bound == self.depth:
            violations = self._paths.next(self.asked)
            if violations is None:
                self.findings |= {number: Proved(AllPathsEnd(self.depth), facts=facts) for number in self.asked}
                return
            self.findings |= {number: Refuted(trace, {**facts, "engine": "bmc"}) for number, trace in violations.items()}
        if self.asked and (self._deepest is None or self.depth < self._deepest):
            facts = {**facts, "engine": "k-induction"}
            for number, numbers in self._inductions.next(self.asked).items():
                others = tuple(self.questions[other].claim.stated for other in sorted(numbers))
                self.findings[number] = Proved(Induction(self.depth, self._part.equations, others), facts=facts)
        self.depth += 1

    @property
    def asked(self) -> list[int]:
        """The numbers of the invariants that are still to be decided."""
        return [number for number in range(len(self.questions)) if number not in self.findings and number not in self.dropped]

    def close(self) -> None:
        """Give the memory of the solvers back."""
        self._paths.close()
        self._inductions.close()
