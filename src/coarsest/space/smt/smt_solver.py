"""Questions to z3, within the limits of a run and interruptible.

Python sees Ctrl-C only when a call returns. A question to the solver is therefore asked directly only if it is answered soon;
otherwise it is asked again in a thread of its own, while the calling thread waits and can interrupt it. Tactics are always
applied in such a thread: when one gives up, z3 calls back into Python, where a Ctrl-C that has come meanwhile would be lost.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypeVar

from coarsest.errors import LimitExceeded, Unsupported
from coarsest.run import Run

if TYPE_CHECKING:
    import z3

T = TypeVar("T")

SHORT = 250
"""Milliseconds a call may take before it is made again in a thread of its own."""

TICK = 0.05
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


class Solver:
    """Decides formulas of one z3 context, all of them under an assumption, and eliminates quantifiers."""

    def __init__(self, run: Run, context: Any = None) -> None:
        self.z3 = load_z3()
        self.context = context or self.z3.Context()
        self.run = run
        self.calls = 0
        """How many questions were asked."""
        self.eliminations = 0
        self._solver = self.z3.Solver(ctx=self.context)
        self._solver.set("core.minimize", True)
        self._solver.set("ctrl_c", False)  # Python's own handler stays in place

    def add(self, formula: z3.BoolRef) -> None:
        """From now on, or until the end of `given`, this is taken for granted."""
        self._solver.add(formula)

    @contextmanager
    def given(self, *formulas: z3.BoolRef) -> Iterator[None]:
        """Inside, the formulas are taken for granted."""
        self._solver.push()
        try:
            self._solver.add(*formulas)
            yield
        finally:
            self._solver.pop()

    def satisfiable(self, *formulas: z3.BoolRef) -> bool:
        return self.model(*formulas) is not None

    def model(self, *formulas: z3.BoolRef) -> z3.ModelRef | None:
        """Values that make all the formulas true, if there are any."""
        with self.given(*formulas):
            return self.check()

    def check(self, *assumptions: z3.BoolRef) -> z3.ModelRef | None:
        """A model of what is taken for granted, in which the assumptions (boolean variables) are true."""
        self.calls += 1
        solver, z3 = self._solver, self.z3

        def check(milliseconds: int) -> Any:
            solver.set("timeout", milliseconds)
            return solver.check(*assumptions)

        found = self._ask(check, lambda answer: answer != z3.unknown)
        if found == z3.unknown:
            raise LimitExceeded("solver", f"the solver could not decide a formula ({solver.reason_unknown()})")
        return solver.model() if found == z3.sat else None

    def core(self) -> set[int]:
        """After `check` has found no model: the identities of assumptions that suffice for that."""
        return {mark.get_id() for mark in self._solver.unsat_core()}

    def eliminate(self, variables: Sequence[z3.ExprRef], formula: z3.BoolRef, *, method: str = "qe2") -> z3.BoolRef:
        """A formula without quantifiers that says: for some values of the variables, the formula is true.

        The methods are two of z3's own: `qe2` projects one model after the other (Bjørner, Janota 2015), `qe` looks for test
        points of the variables (Loos, Weispfenning 1993; Cooper 1972). The first gives smaller formulas. The second is wrong
        about divisions inside the quantifier (z3 5.4 gives too few values and too many), so it sees none.
        """
        z3 = self.z3
        formula = z3.simplify(formula)
        if method == "qe":
            parts, formula = without_division(z3, formula)
            variables = [*variables, *parts]
        occurring = {part.get_id() for part in constants(z3, formula)}
        bound = [variable for variable in variables if variable.get_id() in occurring]
        if not bound:  # z3 would take a goal without quantifiers for the question whether it is satisfiable
            return formula
        self.eliminations += 1
        found = self.transformed(z3.Exists(bound, formula), method)
        if has_quantifier(z3, found):
            raise LimitExceeded("solver", "the solver could not eliminate the quantifiers of a formula")
        return found

    def in_context(self, formula: z3.BoolRef) -> z3.BoolRef:
        """An equivalent formula without parts that others imply."""
        return self.transformed(formula, "ctx-solver-simplify")

    def transformed(self, formula: z3.BoolRef, *tactics: str) -> z3.BoolRef:
        """What the tactics of z3, one after the other, make of a formula."""
        z3, context = self.z3, self.context
        tactic = z3.Tactic(tactics[0], ctx=context) if len(tactics) == 1 else z3.Then(*tactics, ctx=context)

        def apply(milliseconds: int) -> Any:
            try:
                return z3.TryFor(tactic, milliseconds, ctx=context)(formula).as_expr()
            except z3.Z3Exception:
                return None

        left = self._milliseconds_left()
        found = self._in_thread(lambda: apply(left))
        if found is None:
            self._milliseconds_left()
            raise LimitExceeded("solver", f"the solver gave up on {tactics[-1]}")
        return found

    def _ask(self, question: Callable[[int], T], answered: Callable[[T], bool]) -> T:
        """Ask with a time limit in milliseconds: a short one first, then all that is left."""
        left = self._milliseconds_left()
        answer = question(min(SHORT, left))
        if answered(answer) or left <= SHORT:
            self._milliseconds_left()
            return answer
        answer = self._in_thread(lambda: question(self._milliseconds_left()))
        if not answered(answer):
            self._milliseconds_left()
        return answer

    def _milliseconds_left(self) -> int:
        seconds = self.run.limits.seconds
        if seconds is None:
            return 2**31
        left = seconds - self.run.seconds
        if left <= 0:
            raise LimitExceeded("time", f"the time limit of {seconds:g} s was reached in the solver")
        return int(left * 1000) + 1  # when z3 has used it up, nothing is left by our clock either

    def _in_thread(self, work: Callable[[], T]) -> T:
        results: list[T] = []
        problems: list[BaseException] = []

        def run() -> None:
            try:
                results.append(work())
            except BaseException as problem:
                problems.append(problem)

        thread = threading.Thread(target=run, name="solver", daemon=True)
        thread.start()
        try:
            while thread.is_alive():
                thread.join(TICK)
        except BaseException:  # Ctrl-C, most likely: the solver stops soon after it is told to
            self.context.interrupt()
            thread.join()
            raise
        if problems:
            raise problems[0]
        return results[0]


def constants(z3: Any, formula: z3.ExprRef) -> list[Any]:
    """The variables in a formula."""
    found, seen, waiting = [], set(), [formula]
    while waiting:
        part = waiting.pop()
        if part.get_id() in seen:
            continue
        seen.add(part.get_id())
        if z3.is_const(part) and part.decl().kind() == z3.Z3_OP_UNINTERPRETED:
            found.append(part)
        waiting.extend(part.children())
    return found


def has_quantifier(z3: Any, formula: z3.ExprRef) -> bool:
    waiting, seen = [formula], set()
    while waiting:
        part = waiting.pop()
        if z3.is_quantifier(part):
            return True
        if part.get_id() not in seen:
            seen.add(part.get_id())
            waiting.extend(part.children())
    return False


def without_division(z3: Any, formula: z3.BoolRef) -> tuple[list[Any], z3.BoolRef]:
    """The formula with a variable for each quotient and remainder, which it defines; and these variables."""
    fresh: list[Any] = []
    meanings: list[Any] = []
    rewritten: dict[int, Any] = {}

    def rewrite(part: Any) -> Any:
        if part.get_id() not in rewritten:
            operands = [rewrite(operand) for operand in part.children()]
            if z3.is_mod(part) or z3.is_idiv(part):
                rewritten[part.get_id()] = divided(*operands)[z3.is_mod(part)]
            else:
                rewritten[part.get_id()] = part.decl()(*operands) if operands else part
        return rewritten[part.get_id()]

    def divided(number: Any, divisor: Any) -> tuple[Any, Any]:
        quotient, remainder = (z3.FreshInt(word, ctx=number.ctx) for word in ("quotient", "remainder"))
        fresh.extend((quotient, remainder))
        meanings.append(z3.And(number == divisor * quotient + remainder, remainder >= 0, remainder < abs(divisor.as_long())))
        return quotient, remainder

    rewritten_formula = rewrite(formula)
    return fresh, z3.simplify(z3.And(rewritten_formula, *meanings)) if meanings else formula
