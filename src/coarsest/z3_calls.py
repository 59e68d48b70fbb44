"""Calls to z3 that keep the limits of a run and can be interrupted.

Python sees Ctrl-C only when a call returns. A question is therefore asked directly only if it is answered soon; otherwise it is
asked again in a thread of its own, while the calling thread waits and can interrupt it. Tactics are always applied in such a
thread: when one gives up, z3 calls back into Python, where a Ctrl-C that has come meanwhile would be lost.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final, TypeVar

from coarsest import tuning
from coarsest.errors import LimitExceeded, Unsupported
from coarsest.run import Run

if TYPE_CHECKING:
    import z3

T = TypeVar("T")

TICK: Final = 0.05
"""Seconds between two looks of the waiting thread."""


def load_z3() -> Any:
    """The module z3, if it is installed."""
    try:
        import z3
    except ImportError:
        hint = "install it with `pip install 'coarsest[smt]'`"
        message = "variables without bounds, and --carrier smt, need the solver z3, which is not installed"
        raise Unsupported(message, hint=hint) from None
    return z3


class Calls:
    """Calls in one z3 context, on behalf of one run."""

    def __init__(self, run: Run, context: Any) -> None:
        self.z3 = load_z3()
        self.run = run
        self.context = context

    def solver(self) -> Any:
        """A new solver; Python's own handler of Ctrl-C stays in place."""
        solver = self.z3.Solver(ctx=self.context)
        solver.set("ctrl_c", False)
        return solver

    def check(self, solver: Any, *assumptions: z3.BoolRef) -> Any:
        """z3's answer to a solver's question: sat, unsat or unknown."""

        def check(milliseconds: int) -> Any:
            solver.set("timeout", milliseconds)
            return solver.check(*assumptions)

        return self.ask(check, lambda answer: answer != self.z3.unknown)

    def ask(self, question: Callable[[int], T], answered: Callable[[T], bool]) -> T:
        """Ask with a time limit in milliseconds: a short one first, then all that is left."""
        left = self._milliseconds_left()
        short = tuning.Z3_DIRECT_MILLISECONDS
        answer = question(min(short, left))
        if answered(answer) or left <= short:
            self._milliseconds_left()
            return answer
        answer = self._in_thread(lambda: question(self._milliseconds_left()))
        if not answered(answer):
            self._milliseconds_left()
        return answer

    def transformed(self, formula: z3.BoolRef, *tactics: str) -> z3.BoolRef | None:
        """What the tactics of z3, one after the other, make of a formula; None where one gives up."""
        z3, context = self.z3, self.context
        tactic = z3.Tactic(tactics[0], ctx=context) if len(tactics) == 1 else z3.Then(*tactics, ctx=context)

        def apply(milliseconds: int) -> Any:
            try:
                return z3.TryFor(tactic, milliseconds, ctx=context)(formula).as_expr()
            except z3.Z3Exception:
                return None

        left = self._milliseconds_left()
        result: Any = self._in_thread(lambda: apply(left))
        if result is None:
            self._milliseconds_left()
        return result

    def _milliseconds_left(self) -> int:
        seconds = self.run.limits.seconds
        if seconds is None:
            return 2**31
        left = seconds - self.run.seconds
        if left <= 0:
            raise LimitExceeded("time", f"the time limit of {seconds:g} s was reached in the solver")
        return int(left * 1000) + 1  # when z3 has used it up, nothing is left by our clock either

    def _in_thread(self, work: Callable[[], T]) -> T:
        """Two threads in one context would destroy it, so that whoever holds the turn is in it alone, interrupted or not."""
        results: list[T] = []
        problems: list[BaseException] = []
        turn = threading.Lock()
        interrupted = threading.Event()
        over = threading.Event()

        def run() -> None:
            with turn:
                try:
                    if not interrupted.is_set():
                        results.append(work())
                except BaseException as problem:
                    problems.append(problem)
            over.set()

        try:
            threading.Thread(target=run, name="solver", daemon=True).start()
            while not over.wait(TICK):
                pass
        except BaseException:  # Ctrl-C, most likely: the solver stops soon after it is told to
            interrupted.set()
            while not turn.acquire(timeout=TICK):
                self.context.interrupt()  # once more, because it may not have begun to listen
            raise
        if problems:
            raise problems[0]
        return results[0]


def constants(z3: Any, formula: z3.ExprRef) -> list[Any]:
    """The variables in a formula."""
    variables, visited, waiting = [], set(), [formula]
    while waiting:
        part = waiting.pop()
        if part.get_id() in visited:
            continue
        visited.add(part.get_id())
        if z3.is_const(part) and part.decl().kind() == z3.Z3_OP_UNINTERPRETED:
            variables.append(part)
        waiting.extend(part.children())
    return variables


def has_quantifier(z3: Any, formula: z3.ExprRef) -> bool:
    waiting, visited = [formula], set()
    while waiting:
        part = waiting.pop()
        if z3.is_quantifier(part):
            return True
        if part.get_id() not in visited:
            visited.add(part.get_id())
            waiting.extend(part.children())
    return False
