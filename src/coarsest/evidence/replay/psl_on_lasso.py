"""PSL on a lasso, from the definition: an evaluator that shares nothing with the automata that decide.

A sequence is matched letter by letter. After each state, some sequences remain; since there are finitely many of them, and of
positions of the lasso, the evaluation ends. For weak sequences a letter ⊤ satisfies every condition, as in IEEE 1850.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from coarsest.errors import EvidenceRejected, Unsupported
from coarsest.logic.expr import Expr, Value
from coarsest.logic.psl import psl
from coarsest.logic.psl.psl import Psl
from coarsest.logic.psl.sere import (
    EMPTY,
    VOID,
    Concatenation,
    Empty,
    Fusion,
    Intersection,
    Repetition,
    Sere,
    StateCondition,
    Union,
    nullable,
)
from coarsest.logic.psl.sere_construction import concatenation, core, fusion, intersection, repeated
from coarsest.model.interpret.interpret import Interpreter
from coarsest.model.trace import Trace

Holds = Callable[[Expr], bool]


def rests(sere: Sere, holds: Holds) -> Iterator[Sere]:
    """The sequences that may remain of a core sequence after a letter; `holds` says which conditions the letter satisfies."""
    match sere:
        case Empty():
            return
        case StateCondition():
            yield from [EMPTY] if holds(sere.condition) else []
        case Concatenation():
            yield from (concatenation(rest, sere.then) for rest in rests(sere.first, holds))
            yield from rests(sere.then, holds) if nullable(sere.first) else []
        case Fusion():
            for rest in rests(sere.first, holds):
                yield fusion(rest, sere.then)
                yield from rests(sere.then, holds) if nullable(rest) else []
        case Union():
            yield from rests(sere.one, holds)
            yield from rests(sere.other, holds)
        case Intersection():
            others = list(rests(sere.other, holds))
            yield from (intersection(rest, other) for rest in rests(sere.one, holds) for other in others)
        case Repetition():
            fewer = repeated(sere.body, max(0, sere.least - 1), None if sere.most is None else sere.most - 1)
            yield from (concatenation(rest, fewer) for rest in rests(sere.body, holds))


def _can_match(sere: Sere) -> bool:
    """Would some number of letters ⊤ complete a match?"""
    visited, waiting = {sere}, [sere]
    while waiting:
        rest = waiting.pop()
        if nullable(rest):
            return True
        fresh = {more for more in rests(rest, lambda _: True) if more != VOID} - visited
        visited |= fresh
        waiting.extend(fresh)
    return False


class PslOnLasso:
    """The truth of PSL formulas in the states of one lasso."""

    def __init__(self, trace: Trace, interpreter: Interpreter) -> None:
        if trace.loop is None:
            raise EvidenceRejected("a finite path shows nothing about a PSL formula: a lasso is needed")
        self.trace = trace
        self.interpreter = interpreter
        self.loop = trace.loop
        self._truths: dict[Psl, list[bool]] = {}
        self._conditions: dict[Expr, list[bool]] = {}

    def after(self, position: int) -> int:
        return position + 1 if position + 1 < len(self.trace) else self.loop

    def condition(self, expr: Expr) -> list[bool]:
        """The truth of a condition in each state."""
        if expr not in self._conditions:
            inputs: Sequence[Mapping[str, Value]] = self.trace.inputs or [{}] * len(self.trace)
            steps = zip(self.trace.states, inputs)
            self._conditions[expr] = [self.interpreter.satisfies(expr, state, given) for state, given in steps]
        return self._conditions[expr]

    def truth(self, formula: Psl) -> list[bool]:
        """The truth of a formula in each state."""
        if formula not in self._truths:
            self._truths[formula] = [self._at(formula, position) for position in range(len(self.trace))]
        return self._truths[formula]

    def matches(self, sere: Sere, position: int) -> Iterator[int]:
        """The last states of the non-empty matches that begin at a position; shorter matches first, each state once."""
        ended: set[int] = set()
        visited: set[tuple[int, Sere]] = set()
        here, remaining = position, {core(sere)}
        while remaining:
            remaining = self._remaining(remaining, here) - {rest for at, rest in visited if at == here}
            visited.update((here, rest) for rest in remaining)
            if here not in ended and any(map(nullable, remaining)):
                ended.add(here)
                yield here
            here = self.after(here)

    def _remaining(self, sequences: set[Sere], position: int) -> set[Sere]:
        holds = lambda condition: self.condition(condition)[position]  # noqa: E731
        return {rest for sere in sequences for rest in rests(sere, holds) if rest != VOID}

    def too_late(self, sere: Sere, position: int) -> int | None:
        """The state after which no match that begins at a position is possible any more; None if there is no such state."""
        here, remaining = position, frozenset({core(sere)})
        visited: set[tuple[int, frozenset[Sere]]] = set()
        while (here, remaining) not in visited:
            visited.add((here, remaining))
            remaining = frozenset(self._remaining(set(remaining), here))
            if any(map(nullable, remaining)):
                return None
            if not any(map(_can_match, remaining)):
                return here
            here = self.after(here)
        return None

    def _at(self, formula: Psl, at: int) -> bool:
        match formula:
            case psl.Atom():
                return self.condition(formula.condition)[at]
            case psl.Not():
                return not self.truth(formula.operand)[at]
            case psl.And():
                return all(self.truth(part)[at] for part in formula.operands)
            case psl.Or():
                return any(self.truth(part)[at] for part in formula.operands)
            case psl.Implies():
                return not self.truth(formula.left)[at] or self.truth(formula.right)[at]
            case psl.Iff():
                return self.truth(formula.left)[at] == self.truth(formula.right)[at]
            case psl.Next():
                for _ in range(formula.steps):
                    at = self.after(at)
                return self.truth(formula.operand)[at]
            case psl.Always():
                return all(self.truth(formula.operand)[i] for i in self.future(at))
            case psl.Eventually():
                return any(self.truth(formula.operand)[i] for i in self.future(at))
            case psl.Until():
                left, right = self.truth(formula.left), self.truth(formula.right)
                ends = (right[i] for i in self.future(at) if right[i] or not left[i])
                return next(ends, not formula.strong)
            case psl.Sequence():
                if formula.strong:
                    return next(self.matches(formula.sere, at), None) is not None
                return self.too_late(formula.sere, at) is None
            case psl.SuffixImplication():
                return all(self.truth(formula.then)[end] for end in self.matches(formula.sere, at))
        raise Unsupported("'abort' is not evaluated on traces")

    def future(self, position: int) -> list[int]:
        """The states from here on, each once, in the order of their first visit."""
        return [*range(position, len(self.trace)), *range(self.loop, position)]


def can_be_evaluated(formula: Psl) -> bool:
    """Is there no `abort`? That would need words with letters that are not states."""
    return not any(isinstance(part, psl.Abort) for part in psl.subformulas(formula))


def confirm_false(formula: Psl, trace: Trace, interpreter: Interpreter) -> bool:
    """Raise EvidenceRejected if the formula is true on the lasso; False if it cannot be evaluated."""
    if not can_be_evaluated(formula):
        return False
    if PslOnLasso(trace, interpreter).truth(formula)[0]:
        raise EvidenceRejected("the formula is true on the lasso")
    return True
