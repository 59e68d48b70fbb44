"""A time limit and several properties: each gets a small share first, so that none has to wait for a slow one.

Answers come in the order of the properties. At the first property that is not decided within its share, all later ones get
their shares, and then the undecided ones get the time that is left, one after the other.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec.structs import replace

from coarsest import tuning
from coarsest.check.setting.session import Session
from coarsest.errors import LimitExceeded, Unsupported
from coarsest.evidence.verdict import Answer, Unknown
from coarsest.model.machine import Property


class FirstShares:
    """The answers that are found within the first shares; `decide` answers one property, or raises what stops it."""

    def __init__(self, session: Session, claims: Sequence[Property], decide: Callable[[Property], Answer]) -> None:
        self.session, self.claims, self.decide = session, claims, decide
        limit = session.run.limits.seconds
        assert limit is not None
        self._share = tuning.PART_OF_TIME_FOR_FIRST_SHARES * max(0.0, limit - session.run.seconds) / len(claims)
        self._answers: dict[int, Answer] = {}
        self._unsure: dict[int, Answer] = {}
        self._are_over = False

    def answer(self, number: int) -> Answer | None:
        """The answer to a property; None if its share was too small."""
        if not self._are_over:
            self._ask(number)
            if number not in self._answers:
                for later in range(number + 1, len(self.claims)):
                    self._ask(later)
                self._are_over = True
                self.session.begin_anew()  # spaces that were built within a share may obey its limit for ever
        return self._answers.get(number)

    def instead_of(self, answer: Answer, number: int) -> Answer:
        """An answer that came late or without confirmation is better than none."""
        return self._unsure.get(number, answer) if isinstance(answer.verdict, Unknown) else answer

    def _ask(self, number: int) -> None:
        run, started, warned = self.session.run, self.session.run.seconds, self.session.warned
        limits = run.limits
        run.limits = replace(limits, seconds=min(limits.seconds or 0.0, run.seconds + self._share))
        try:
            answer = self.decide(self.claims[number])
        except (LimitExceeded, Unsupported):  # it is reported when the property is asked for again
            self.session.warned = warned
            return
        finally:
            run.limits = limits
        seconds = run.seconds - started
        answer = replace(answer, seconds=seconds)
        decided = not isinstance(answer.verdict, Unknown)
        # An answer that took less than half of the share would not be different with more time.
        if 2 * seconds < self._share or (decided and (answer.confirmed or not self.session.options.confirms)):
            self._answers[number] = answer
            return
        self.session.warned = warned
        if decided:
            self._unsure[number] = answer
