"""PSL on a lasso, from the definition: an evaluator that shares nothing with the automata which decide.

A sequence is matched letter by letter: what remains of it after a state are again sequences, finitely many, so that together with
the places of the lasso only finitely much can happen. For weak sequences a letter ⊤ satisfies every condition, as in IEEE 1850.
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
    """What may remain of a core sequence after a letter that satisfies the conditions that `holds` says."""
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
    """Would letters ⊤, as many as it takes, complete a match?"""
    seen, waiting = {sere}, [sere]
    while waiting:
        rest = waiting.pop()
        if nullable(rest):
            return True
        fresh = {more for more in rests(rest, lambda _: True) if more != VOID} - seen
        seen |= fresh
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
        self._known: dict[Psl, list[bool]] = {}
        self._conditions: dict[Expr, list[bool]] = {}

    def after(self, place: int) -> int:
        return place + 1 if place + 1 < len(self.trace) else self.loop

    def condition(self, expr: Expr) -> list[bool]:
        """The truth of a condition in each state."""
        if expr not in self._conditions:
            inputs: Sequence[Mapping[str, Value]] = self.trace.inputs or [{}] * len(self.trace)
            steps = zip(self.trace.states, inputs)
            self._conditions[expr] = [self.interpreter.satisfies(expr, state, given) for state, given in steps]
        return self._conditions[expr]

    def truth(self, formula: Psl) -> list[bool]:
        """The truth of a formula in each state."""
        if formula not in self._known:
            self._known[formula] = [self._at(formula, place) for place in range(len(self.trace))]
        return self._known[formula]

    def matches(self, sere: Sere, place: int) -> Iterator[int]:
        """The last states of the matches, none of them empty, that begin at a place; shorter matches first, each state once."""
        ended: set[int] = set()
        seen: set[tuple[int, Sere]] = set()
        here, remaining = place, {core(sere)}
        while remaining:
            remaining = self._remaining(remaining, here) - {rest for at, rest in seen if at == here}
            seen.update((here, rest) for rest in remaining)
            if here not in ended and any(map(nullable, remaining)):
                ended.add(here)
                yield here
            here = self.after(here)

    def _remaining(self, sequences: set[Sere], place: int) -> set[Sere]:
        holds = lambda condition: self.condition(condition)[place]  # noqa: E731
        return {rest for sere in sequences for rest in rests(sere, holds) if rest != VOID}

    def too_late(self, sere: Sere, place: int) -> int | None:
        """The state from which on no match that begins at a place is possible any more; None if there is no such state."""
        here, remaining = place, frozenset({core(sere)})
        seen: set[tuple[int, frozenset[Sere]]] = set()
        while (here, remaining) not in seen:
            seen.add((here, remaining))
            remaining = frozenset(self._remaining(set(remaining), here))
            if any(map(nullable, remaining)):
                return None
            if not any(map(_can_match, remaining)):
                return here
            here = self.after(here)
        return None

    def _at(self, formula: Psl, place: int) -> bool:
        match formula:
            case psl.Atom():
                return self.condition(formula.condition)[place]
            case psl.Not():
                return not self.truth(formula.operand)[place]
            case psl.And():
                return all(self.truth(part)[place] for part in formula.operands)
            case psl.Or():
                return any(self.truth(part)[place] for part in formula.operands)
            case psl.Implies():
                return not self.truth(formula.left)[place] or self.truth(formula.right)[place]
            case psl.Iff():
                return self.truth(formula.left)[place] == self.truth(formula.right)[place]
            case psl.Next():
                for _ in range(formula.steps):
                    place = self.after(place)
                return self.truth(formula.operand)[place]
            case psl.Always():
                return all(self.truth(formula.operand)[i] for i in self.future(place))
            case psl.Eventually():
                return any(self.truth(formula.operand)[i] for i in self.future(place))
            case psl.Until():
                return self._until(self.truth(formula.left), self.truth(formula.right), place, strong=formula.strong)
            case psl.Sequence():
                if formula.strong:
                    return next(self.matches(formula.sere, place), None) is not None
                return self.too_late(formula.sere, place) is None
            case psl.SuffixImplication():
                return all(self.truth(formula.then)[end] for end in self.matches(formula.sere, place))
        raise Unsupported("'abort' is not evaluated on traces")

    def future(self, place: int) -> list[int]:
        """The states from here on, each once, in the order of their first visit."""
        return [*range(place, len(self.trace)), *range(self.loop, place)]

    def _until(self, left: Sequence[bool], right: Sequence[bool], place: int, *, strong: bool) -> bool:
        for i in self.future(place):
            if right[i]:
                return True
            if not left[i]:
                return False
        return not strong


def can_be_evaluated(formula: Psl) -> bool:
    """Is there no `abort`? That would need words with letters that no state is."""
    return not any(isinstance(part, psl.Abort) for part in psl.subformulas(formula))


def confirm_false(formula: Psl, trace: Trace, interpreter: Interpreter) -> bool:
    """Raise EvidenceRejected if the formula is true on the lasso; False if it cannot be evaluated."""
    if not can_be_evaluated(formula):
        return False
    if PslOnLasso(trace, interpreter).truth(formula)[0]:
        raise EvidenceRejected("the formula is true on the lasso")
    return True
