"""A second engine in a process of its own, beside the one that this process runs: IC3 beside decision diagrams.

It begins once the first has been at work for a while, and whoever has an answer first ends the other.
"""

from __future__ import annotations

from collections.abc import Callable
from contextvars import copy_context
from functools import partial

from msgspec.structs import replace

from coarsest._kernels.aside import Work
from coarsest.check.questions.finding import Finding, Proved, Refuted
from coarsest.check.questions.question import Invariant, Question
from coarsest.check.setting.workshop import Workshop
from coarsest.elsewhere import Elsewhere, is_possible
from coarsest.errors import LimitExceeded
from coarsest.logic.expr import Expr
from coarsest.model.machine import Machine
from coarsest.run import Event, Run

ALONE = 1.0
"""Seconds that the first engine has for itself."""
LOOK = 0.05
"""Seconds between two looks at the other process."""
PATIENCE, GRACE = 0.3, 1.0
"""Seconds that the first engine has to end when it is told to, and to notice that its time is over."""


class Overtaken(Exception):
    """The other process has an answer, or nobody needs one any more."""


def with_companion(question: Question[Invariant], shop: Workshop, decide: Callable[[Workshop], Finding]) -> Finding:
    """What `decide` finds or, if that is earlier, IC3.

    An operation on diagrams may take minutes, and nothing ends it. So they are built beside the main thread, which listens to the
    other process, watches limits and hears Ctrl-C; a thread whose answer is no longer needed ends when its operation does.
    """
    companion = Companion(question, shop.run)
    own = replace(shop.run, listener=companion.listener(shop.run.listener))
    work = Work(partial(copy_context().run, decide, shop.with_run(own)))
    work.name = "diagrams"  # unlike a kernel, it is not waited for when Python ends
    try:
        work.start()
        while not work.over.wait(LOOK):
            finding = companion.look()
            if finding is not None:
                return finding
        return work.result()
    except (LimitExceeded, MemoryError) as limit:
        if isinstance(limit, LimitExceeded) and limit.limit in ("time", "steps"):
            raise
        finding = companion.wait()
        if finding is None:
            raise
        return finding
    finally:
        companion.end(overtakes=not work.over.is_set())
        if not work.over.wait(PATIENCE):
            shop.begin_anew()


class Companion:
    """The other process."""

    def __init__(self, question: Question[Invariant], run: Run) -> None:
        self.question, self.run = question, run
        self._begins = run.seconds + ALONE
        self._may_begin = is_possible()
        self._is_over = False
        self._process: Elsewhere | None = None

    def listener(self, before: Callable[[Event], None] | None) -> Callable[[Event], None]:
        """Hears of every step of the first engine, and ends it when the other one has an answer."""

        def listen(event: Event) -> None:
            if before is not None and not self._is_over:
                before(event)
            if self._is_over:
                raise Overtaken

        return listen

    def look(self) -> Finding | None:
        """Begin when it is time; what the process has found, if it has. A limit of time that is passed is raised."""
        run = self.run
        if self._process is None and self._may_begin and run.seconds > self._begins:
            self._begin()
        limit = run.limits.seconds
        if limit is not None and run.seconds > limit + GRACE:
            raise LimitExceeded("time", f"the time limit of {limit:g} s was reached")
        return self._finding()

    def _begin(self) -> None:
        asked = self.question.part.machine, self.question.claim.good
        self._process = Elsewhere("coarsest.check.companion:decided", asked, self.run)

    def _finding(self) -> Finding | None:
        """What the process has found; None as long as it has not, or if it has ended without an answer."""
        finding: Proved | Refuted | None = None if self._process is None else self._process.result()
        return None if finding is None else replace(finding, facts={**finding.facts, "engine": "ic3"})

    def wait(self) -> Finding | None:
        """What the process finds, however long it takes."""
        if self._process is None and self._may_begin:
            self._begin()
        while self._process is not None and not self._process.is_over:
            self.run.step("ic3")
            self._process.wait(LOOK)
        return self._finding()

    def end(self, *, overtakes: bool) -> None:
        """Have the process end, and the first engine too, if that is still at work."""
        self._is_over = overtakes
        if self._process is not None:
            self._process.end()


def decided(asked: tuple[Machine, Expr], run: Run) -> Finding:
    """In the other process."""
    from coarsest.check.engines.on_bits.ic3 import by_ic3

    return by_ic3(*asked, run)
