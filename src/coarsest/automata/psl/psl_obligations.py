"""PSL formulas as alternating automata: the obligations that a formula consists of.

An obligation is a formula in negation normal form, kept in a table and named by its number:

    lit (guard)     and or (parts)     X (next)     U R (left, right)
    some (tail)     the rest of a sequence matches, and `then` holds in the last letter of the match
    every (tail)    wherever the rest of a sequence matches, `then` holds in the last letter of the match

`{r}!` is a strong `some`, `{r}` a weak one, which may also go on for ever. `{r} |-> f` is a weak `every`; a strong one, which
must run out of matches, is the negation of a weak `some`. A letter in `won` or `lost` of a tail decides it: that is an `abort`.

Reference: Vardi, An automata-theoretic approach to linear temporal logic, 1996 (alternation); IEEE 1850-2005, annex B (PSL).
Symbols:   `won` and `lost` are the letters by which the aborts around a formula make it true and false.
Invariant: equal obligations have the same number; all obligations on a cycle may last for ever, or none of them may.
Deviates:  sequences are automata whose states are obligations; an `abort` is pushed down to the letters.
Cost:      one obligation per subformula and per state of the automaton of a sequence.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from coarsest.automata.psl.sere_to_automaton import SereAutomaton, sere_to_automaton
from coarsest.logic.expr import Expr
from coarsest.logic.letters.guards import Guard
from coarsest.logic.linear.ltl import Formulas
from coarsest.logic.linear.ltl_from_expr import read_formula
from coarsest.logic.psl import psl
from coarsest.logic.psl.sere import Sere
from coarsest.run import Run


class Tail(NamedTuple):
    """The rest of a sequence: a state of its automaton."""

    automaton: int
    state: int
    then: int
    weak: bool
    won: Any
    lost: Any


class SettledLetters(NamedTuple):
    """The letters that decide a formula, because of the aborts around it."""

    won: Any
    lost: Any


class Obligations:
    """A table of obligations over the alphabet of a table of formulas."""

    def __init__(self, formulas: Formulas, run: Run | None = None) -> None:
        self.alphabet = formulas.alphabet
        self.nodes: list[tuple[Any, ...]] = []
        self.automata: list[SereAutomaton] = []
        self.run = run or Run()
        self._formulas = formulas
        self._numbers: dict[tuple[Any, ...], int] = {}
        self._automaton_of: dict[Sere, int] = {}
        self.false = self.literal(self.alphabet.empty)
        self.true = self.literal(self.alphabet.full)

    # -- obligations -------------------------------------------------------------------------------------------------------

    def _number(self, *node: Any) -> int:
        number = self._numbers.setdefault(node, len(self.nodes))
        if number == len(self.nodes):
            self.nodes.append(node)
        return number

    def literal(self, guard: Guard) -> int:
        return self._number("lit", guard)

    def both(self, *parts: int) -> int:
        return self._joined("and", parts)

    def either(self, *parts: int) -> int:
        return self._joined("or", parts)

    def _joined(self, op: str, parts: Iterable[int]) -> int:
        neutral, absorbing = (self.true, self.false) if op == "and" else (self.false, self.true)
        guard: Any = self.nodes[neutral][1]
        others: set[int] = set()
        for part in parts:
            node = self.nodes[part]
            for inner in node[1] if node[0] == op else (part,):
                if self.nodes[inner][0] == "lit":
                    letters = self.nodes[inner][1]
                    guard = guard & letters if op == "and" else guard | letters
                else:
                    others.add(inner)
        literal = self.literal(guard)
        if literal == absorbing or not others:
            return literal
        if literal != neutral:
            others.add(literal)
        return others.pop() if len(others) == 1 else self._number(op, tuple(sorted(others)))

    def next(self, part: int) -> int:
        return part if part in (self.true, self.false) else self._number("X", part)

    def until(self, left: int, right: int) -> int:
        return right if right in (self.true, self.false) or left == self.false else self._number("U", left, right)

    def release(self, left: int, right: int) -> int:
        return right if right in (self.true, self.false) or left == self.true else self._number("R", left, right)

    def some(self, tail: Tail) -> int:
        if not self.automata[tail.automaton].can_go_on[tail.state]:
            return self.false  # not even letters ⊤, with which an abort goes on, are a match
        hopeless = tail.then == self.false or not self.automata[tail.automaton].moves[tail.state]
        return self.false if hopeless and not tail.won else self._number("some", tail)

    def every(self, tail: Tail) -> int:
        if not self.automata[tail.automaton].can_go_on[tail.state]:
            return self.true
        harmless = (tail.then == self.true and tail.weak) or not self.automata[tail.automaton].moves[tail.state]
        return self.true if harmless and not tail.lost else self._number("every", tail)

    def may_last(self, part: int) -> bool:
        """May the obligation last for ever? If not, it must be met after finitely many letters."""
        op, content = self.nodes[part][:2]
        return bool(content.weak) if op in ("some", "every") else op != "U"

    def parts(self, part: int) -> frozenset[int]:
        """The conjuncts of an obligation."""
        op, content = self.nodes[part][:2]
        return frozenset(content) if op == "and" else frozenset() if part == self.true else frozenset((part,))

    # -- from formulas -----------------------------------------------------------------------------------------------------

    def of(self, formula: psl.Psl, *, positive: bool) -> int:
        """The obligation to satisfy a formula, or else to falsify it."""
        nothing = self.alphabet.empty
        return self._of(formula, SettledLetters(nothing, nothing), positive=positive)

    def guard_of(self, condition: Expr) -> Guard:
        """The letters in which a condition holds."""
        return read_formula(condition, self._formulas).guard

    def automaton_of(self, sere: Sere) -> int:
        """The number of the automaton of a sequence."""
        if sere not in self._automaton_of:
            self._automaton_of[sere] = len(self.automata)
            self.automata.append(sere_to_automaton(sere, self.guard_of, self.run))
        return self._automaton_of[sere]

    def _of(self, formula: psl.Psl, outcome: SettledLetters, *, positive: bool) -> int:
        def of(part: psl.Psl, *, positive: bool = positive) -> int:
            return self._of(part, outcome, positive=positive)

        match formula:
            case psl.Atom():
                guard: Any = self.guard_of(formula.condition)
                guard = guard if positive else self.alphabet.complement(guard)
                return self.literal((guard | outcome.won) & self.alphabet.complement(outcome.lost))
            case psl.Not():
                return of(formula.operand, positive=not positive)
            case psl.And() | psl.Or():
                parts = [of(part) for part in formula.operands]
                return self.both(*parts) if isinstance(formula, psl.And) is positive else self.either(*parts)
            case psl.Implies():
                join = self.either if positive else self.both
                return join(of(formula.left, positive=not positive), of(formula.right))
            case psl.Iff():
                holds = self.both(of(formula.left, positive=True), of(formula.right))
                return self.either(holds, self.both(of(formula.left, positive=False), of(formula.right, positive=not positive)))
            case psl.Next():
                return self._next(of(formula.operand), formula.steps, outcome)
            case psl.Always() | psl.Eventually():
                if isinstance(formula, psl.Always) is positive:
                    return self.release(self.literal(outcome.won), of(formula.operand))
                return self.until(self.literal(self.alphabet.complement(outcome.lost)), of(formula.operand))
            case psl.Until():
                return self._until(of(formula.left), of(formula.right), strong=formula.strong, positive=positive)
            case psl.Sequence():
                return self._sequence(formula, outcome, positive=positive)
            case psl.SuffixImplication():
                tail = Tail(self.automaton_of(formula.sere), 0, of(formula.then), positive, *outcome)
                return self.every(tail) if positive else self.some(tail)
            case psl.Abort():
                return self._of(formula.operand, self._aborting(formula.condition, outcome, won=positive), positive=positive)

    def _aborting(self, condition: Expr, outcome: SettledLetters, *, won: bool) -> SettledLetters:
        """The letters that decide a formula below another abort. The outer aborts take precedence."""
        settling = self.guard_of(condition) & self.alphabet.complement(outcome.won | outcome.lost)
        return outcome._replace(won=outcome.won | settling) if won else outcome._replace(lost=outcome.lost | settling)

    def _next(self, part: int, steps: int, outcome: SettledLetters) -> int:
        won, not_lost = self.literal(outcome.won), self.literal(self.alphabet.complement(outcome.lost))
        for _ in range(steps):
            part = self.either(won, self.both(not_lost, self.next(part)))
        return part

    def _until(self, left: int, right: int, *, strong: bool, positive: bool) -> int:
        if strong:
            return self.until(left, right) if positive else self.release(left, right)
        if positive:
            return self.release(right, self.either(left, right))
        return self.until(right, self.both(left, right))

    def _sequence(self, formula: psl.Sequence, outcome: SettledLetters, *, positive: bool) -> int:
        automaton = self.automaton_of(formula.sere)
        if positive:
            then = self.literal(self.alphabet.complement(outcome.lost))
            return self.some(Tail(automaton, 0, then, not formula.strong, *outcome))
        return self.every(Tail(automaton, 0, self.literal(outcome.won), formula.strong, *outcome))
