"""PSL formulas as formulas of LTL, which exist if the automata of sequences have no cycles but loops.

Sequences built with `;`, `[*n:m]`, `b[*]`, `[->]`, `[=]` and the like are mostly of this kind; `{a; b}[*]` is not (it counts
modulo 2, which LTL cannot do). An obligation with a loop is an equation, whose solution is an until or a release:

    some:   s = A | g & X s          strong: g U A                 weak: g W A
    every:  s = B & (!g | X s)       strong: B U (B & !g)          weak: (!g) R B

Reference: Rohde, Alternating automata and the temporal logic of ordinals, 1997; Löding, Thomas, Alternating automata and logics
           over infinite words, 2000 (very weak alternating automata are LTL).
Symbols:   g is the guard of the loop, A and B are the demands of the other moves.
Invariant: the formula holds for exactly the words that meet the obligation.
Deviates:  loops of sequences only: the other operators of PSL are operators of LTL already.
Cost:      one formula per obligation; shared, but as text it can be exponential.
"""

from __future__ import annotations

from typing import Any

from coarsest.automata.components import components
from coarsest.automata.psl.psl_obligations import Obligations, Tail
from coarsest.logic.expr import conjunction
from coarsest.logic.linear.ltl import Formulas, Ltl
from coarsest.logic.linear.ltl_from_expr import from_expr
from coarsest.logic.psl.psl import Psl, conditions
from coarsest.run import Run


def psl_to_ltl(formula: Psl, run: Run | None = None) -> Ltl | None:
    """An equivalent formula of LTL, or None if a sequence in it has a longer cycle than a loop.

    >>> from coarsest.logic.expr import Name
    >>> from coarsest.logic.psl.psl import Atom, SuffixImplication
    >>> from coarsest.logic.psl.sere import StateCondition
    >>> from coarsest.logic.psl.sere_construction import concatenation, repeated
    >>> a_then_bs = concatenation(StateCondition(Name("a")), repeated(StateCondition(Name("b")), 1, None))
    >>> print(psl_to_ltl(SuffixImplication(a_then_bs, Atom(Name("c")))))
    !a | X (!b V (!b | c))
    """
    table = formulas_for(formula)
    obligations = Obligations(table, run)
    start = obligations.of(formula, positive=True)
    for automaton in obligations.automata:
        successors = [[target for _, target, _ in moves] for moves in automaton.moves]
        if any(len(component) > 1 for component in components(successors, [0])):
            return None
    return _Translation(obligations, table).of(start)


def formulas_for(formula: Psl) -> Formulas:
    """A table whose alphabet has the atoms of all conditions in a formula."""
    return from_expr(conjunction(conditions(formula))).table


class _Translation:
    """The formulas of the obligations of one table."""

    def __init__(self, obligations: Obligations, table: Formulas) -> None:
        self._obligations = obligations
        self._table = table
        self._complement = obligations.alphabet.complement
        self._done: dict[int, Ltl] = {}

    def of(self, part: int) -> Ltl:
        if part not in self._done:
            self._done[part] = self._compute(part)
        return self._done[part]

    def _compute(self, part: int) -> Ltl:
        op, *content = self._obligations.nodes[part]
        table = self._table
        match op:
            case "lit":
                return table.prop(content[0])
            case "and" | "or" | "X" | "U" | "R":
                parts = content[0] if op in ("and", "or") else content
                return table.make(op, tuple(map(self.of, parts)))
        return self._some(content[0]) if op == "some" else self._every(content[0])

    def _some(self, tail: Tail) -> Ltl:
        table, obligations = self._table, self._obligations
        automaton = obligations.automata[tail.automaton]
        open_letters = self._complement(tail.won | tail.lost)
        ways: list[Ltl] = []
        loop: Any = obligations.alphabet.empty
        for guard, target, ends in automaton.moves[tail.state]:
            outcomes = [self.of(tail.then)] if ends else []
            if target == tail.state:
                loop = loop | guard & open_letters
            elif automaton.can_go_on[target]:
                outcomes.append(table.next(self.of(obligations.some(tail._replace(state=target)))))
            ways.append(table.conjunction((table.prop(guard & open_letters), table.disjunction(outcomes))))
        now, stay = table.disjunction((table.prop(tail.won), *ways)), table.prop(loop)
        return table.release(now, table.disjunction((now, stay))) if tail.weak else table.until(stay, now)

    def _every(self, tail: Tail) -> Ltl:
        table, obligations = self._table, self._obligations
        automaton = obligations.automata[tail.automaton]
        duties = [table.prop(self._complement(tail.lost))]
        loop: Any = obligations.alphabet.empty
        for guard, target, ends in automaton.moves[tail.state]:
            outcomes = [self.of(tail.then)] if ends else []
            if target == tail.state:
                loop = loop | guard
            elif automaton.can_go_on[target]:
                outcomes.append(table.next(self.of(obligations.every(tail._replace(state=target)))))
            duties.append(table.disjunction((table.prop(tail.won | self._complement(guard)), table.conjunction(outcomes))))
        now, leave = table.conjunction(duties), table.prop(tail.won | self._complement(loop))
        return table.release(leave, now) if tail.weak else table.until(now, table.conjunction((now, leave)))
