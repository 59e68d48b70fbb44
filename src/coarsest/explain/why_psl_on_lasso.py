"""Why a PSL formula is true or false at the start of a lasso, in one sentence.

    {req; busy[*]; ack} matches from state 2 to state 5, and done is false at state 5
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from coarsest.evidence.replay.psl_on_lasso import PslOnLasso
from coarsest.explain.why_on_lasso import MOST_CLAUSES
from coarsest.logic.psl import psl
from coarsest.logic.psl.psl import FALSITY, TRUTH, Psl
from coarsest.logic.psl.sere import Sere
from coarsest.logic.psl.show_psl import show_psl
from coarsest.logic.psl.show_sere import show_sere
from coarsest.logic.show import show


def why_psl_on_lasso(formula: Psl, lasso: PslOnLasso) -> str:
    """The sentence."""
    clauses = list(dict.fromkeys(_Reasoner(lasso).clauses(formula, 0)))[:MOST_CLAUSES]
    if not clauses:
        return _is(formula, lasso.truth(formula)[0], "at state 0")
    return clauses[0] if len(clauses) == 1 else f"{', '.join(clauses[:-1])}, and {clauses[-1]}"


def _shown(formula: Psl) -> str:
    return show(formula.condition) if isinstance(formula, psl.Atom) else show_psl(formula)


def _is(formula: Psl, holds: bool, where: str) -> str:  # noqa: FBT001
    return f"{_shown(formula)} is {'true' if holds else 'false'} {where}"


def _braces(sere: Sere) -> str:
    return "{" + show_sere(sere) + "}"


class _Reasoner:
    def __init__(self, lasso: PslOnLasso) -> None:
        self.lasso = lasso

    def clauses(self, formula: Psl, at: int) -> Iterator[str]:
        """The clauses that make the formula true or false in a state."""
        holds = self.lasso.truth(formula)[at]
        match formula:
            case psl.Atom():
                if formula not in (TRUTH, FALSITY):
                    yield _is(formula, holds, f"at state {at}")
            case psl.Not():
                yield from self.clauses(formula.operand, at)
            case psl.And() | psl.Or() | psl.Implies() | psl.Iff():
                for part in self._decisive(formula, at):
                    yield from self.clauses(part, at)
            case psl.Next():
                for _ in range(formula.steps):
                    at = self.lasso.after(at)
                yield from self.clauses(formula.operand, at)
            case psl.Always() | psl.Eventually():
                yield from self._always(formula, at)
            case psl.Sequence():
                yield self._sequence(formula, at)
            case psl.SuffixImplication() if not holds:
                end = next(end for end in self.lasso.matches(formula.sere, at) if not self.lasso.truth(formula.then)[end])
                yield self._match(formula.sere, at, end)
                yield from self.clauses(formula.then, end)
            case psl.Until() if not holds:
                yield from self._until(formula, at)
            case _:
                yield _is(formula, holds, f"at state {at}")

    def _decisive(self, formula: psl.And | psl.Or | psl.Implies | psl.Iff, at: int) -> Sequence[Psl]:
        """The operands that make a connective true or false; if one is enough, a condition rather than a formula."""
        operands = psl.operands(formula)
        values = [self.lasso.truth(part)[at] for part in operands]
        match formula:
            case psl.And():
                enough = [part for part, value in zip(operands, values) if not value]
            case psl.Or():
                enough = [part for part, value in zip(operands, values) if value]
            case psl.Implies():
                enough = [part for part, value, good in zip(operands, values, (False, True)) if value == good]
            case psl.Iff():
                enough = []
        return [min(enough, key=lambda part: not isinstance(part, psl.Atom))] if enough else operands

    def _always(self, formula: psl.Always | psl.Eventually, at: int) -> Iterator[str]:
        values = self.lasso.truth(formula.operand)
        eventually = isinstance(formula, psl.Eventually)
        state = next((i for i in self.lasso.future(at) if values[i] == eventually), None)
        if state is not None:
            yield from self.clauses(formula.operand, state)
        elif at == 0:
            yield f"{_shown(formula.operand)} is {'never' if eventually else 'always'} true"
        else:
            yield _is(formula.operand, not eventually, f"from state {at} on")

    def _sequence(self, formula: psl.Sequence, at: int) -> str:
        end = next(self.lasso.matches(formula.sere, at), None)
        if end is not None:
            return self._match(formula.sere, at, end)
        late = self.lasso.too_late(formula.sere, at)
        if late is None:
            return f"{_braces(formula.sere)}, begun at state {at}, goes on for ever"
        return f"{_braces(formula.sere)}, begun at state {at}, cannot match after state {late}"

    def _match(self, sere: Sere, at: int, end: int) -> str:
        return f"{_braces(sere)} matches " + (f"at state {at}" if at == end else f"from state {at} to state {end}")

    def _until(self, formula: psl.Until, at: int) -> Iterator[str]:
        left, right = self.lasso.truth(formula.left), self.lasso.truth(formula.right)
        if not any(right[i] for i in self.lasso.future(at)):
            broken = next((i for i in self.lasso.future(at) if not left[i]), None)
            if formula.strong or broken is None:
                yield f"{_shown(formula.right)} is never true" if at == 0 else _is(formula.right, False, f"from state {at} on")
                return
        state = next(i for i in self.lasso.future(at) if not left[i])
        yield from self.clauses(formula.left, state)
        yield from self.clauses(formula.right, state)
