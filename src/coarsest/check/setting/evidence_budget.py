"""Evidence costs less than the answer: the work that certificates and the search for vacuity may take unasked."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from math import inf
from typing import TYPE_CHECKING, Final, TypeVar

from coarsest import tuning
from coarsest.phases import CLOCK, EVIDENCE
from coarsest.run import Budget, Run

if TYPE_CHECKING:
    from coarsest.evidence.enumeration.by_enumeration import ByEnumeration

T = TypeVar("T")

WORK_OF_A_CERTIFIED_NODE: Final = 33.0
"""Each node of a certificate is written down and becomes clauses. A certificate with too many nodes is not begun."""


class EvidenceBudget:
    """The work that may still go into evidence nobody asked for."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._in_vain = 0
        self.enumerations: list[ByEnumeration] = []
        """The judges that list the states of parts of the system."""

    @property
    def left(self) -> float:
        meter = self._run.meter
        return tuning.EVIDENCE_SHARE * (meter.work - meter.evidence) + tuning.EVIDENCE_WORK - meter.evidence

    @property
    def least(self) -> float:
        """Work for evidence that is likely to take little, even if nothing is left; less each time it was in vain."""
        return tuning.EVIDENCE_WORK * 0.5 ** (self._in_vain + sum(judge.is_large for judge in self.enumerations))

    @property
    def for_states(self) -> float:
        """The work that listing the states of a part may take. Half of what is left is for certificates, which may succeed where
        states are many."""
        return max(self.least, self.left / 2)

    def has_many_states(self, variables: Collection[str]) -> bool:
        """Are the states too many of a part with some of these variables? Then those of this part are, too."""
        return any(judge.is_large and judge.machine.variables.keys() <= set(variables) for judge in self.enumerations)

    def unless_long(self, run: Run, work: Callable[[], T], *, unasked: bool = True, at_least: float = 0.0) -> T | None:
        """The result of some work; None if nobody asked for it and it takes more than is left."""
        with self.spending(run, unasked=unasked, at_least=at_least):
            return work()
        return None

    @contextmanager
    def spending(self, run: Run, *, unasked: bool, at_least: float = 0.0) -> Iterator[Budget]:
        """Count the work within as evidence. If nobody asked for it, it ends when what is left is spent."""
        with CLOCK.phase(EVIDENCE), run.as_evidence():
            with run.within(work=max(at_least, self.left) if unasked else inf) as budget:
                yield budget
            self._in_vain += budget.spent
