"""Names for future operators below past ones: each gets a fresh atom, which is projected away from the automaton.

`O (p & F q)` becomes `O (p & v) & G (v <-> F q)`: the tableau then has obligations for the future, and atoms in the past only.

Reference: Lichtenstein, Pnueli, Zuck, The glory of the past, 1985; Kesten, Pnueli, Raviv, Algorithmic verification of linear
           temporal logic specifications, 1998 (elimination of temporal subformulas by fresh variables).
Symbols:   `named` are the subformulas that get a name.
Invariant: in a word over the larger alphabet that satisfies the new formula, the fresh atoms are determined by the others.
Deviates:  a formula and its negation share a name.
Cost:      one more conjunct per name.
"""

from __future__ import annotations

from typing import Any

from coarsest.automata.automaton import Automaton, Edge
from coarsest.logic.expr import Apply
from coarsest.logic.letters.alphabet import alphabet_over
from coarsest.logic.letters.guards import Alphabet, Guard
from coarsest.logic.linear.ltl import FUTURE, PAST, Formulas, Ltl

_PAST_OPERATORS = ("Y", "Z", "S", "T")
_FUTURE_OPERATORS = ("X", "U", "R")


def name_futures(formula: Ltl) -> Ltl:
    """A formula over a larger alphabet, with no future operator below a past one, that has the same words when projected."""
    named = _to_be_named(formula)
    if not named:
        return formula
    old = formula.table.alphabet
    larger = Formulas(alphabet_over((*old.atoms, *(Apply("future", (future.to_expr(),)) for future in named))))
    fresh = {future: larger.prop(larger.alphabet.atom(number)) for number, future in enumerate(named, len(old.atoms))}
    naming = _Naming(larger, old, fresh)
    parts = [naming.rebuilt(formula)]
    for future, name in naming.names.items():
        meant = naming.rebuilt(future)
        same = larger.disjunction((larger.conjunction((name, meant)), larger.conjunction((name.negation, meant.negation))))
        parts.append(larger.always(same))
    return larger.conjunction(parts)


def _to_be_named(formula: Ltl) -> list[Ltl]:
    """The outermost future subformulas below past operators, at every depth, but not both a formula and its negation."""
    futures: dict[Ltl, None] = {}
    for past in formula.subformulas():
        if past.op not in _PAST_OPERATORS or not past.traits & FUTURE:
            continue
        waiting = list(past.args)
        while waiting:
            part = waiting.pop()
            if part.op in _FUTURE_OPERATORS:
                if part.negation not in futures:
                    futures.setdefault(part)
            else:
                waiting.extend(part.args)
    return list(futures)


class _Naming:
    """Copies formulas into another table; below past operators with names for futures."""

    def __init__(self, table: Formulas, old: Alphabet, names: dict[Ltl, Ltl]) -> None:
        self.names = names
        self._table = table
        self._old = old

    def rebuilt(self, formula: Ltl) -> Ltl:
        if formula.op == "prop":
            return self._table.prop(transferred(formula.guard, self._old, self._table.alphabet))
        below = self._named if formula.op in _PAST_OPERATORS else self.rebuilt
        return self._table.make(formula.op, tuple(below(arg) for arg in formula.args))

    def _named(self, formula: Ltl) -> Ltl:
        if formula.op in _FUTURE_OPERATORS:
            name = self.names.get(formula)
            return name if name is not None else self.names[formula.negation].negation
        if formula.op == "prop" or not formula.traits & (FUTURE | PAST):
            return self.rebuilt(formula)
        return self._table.make(formula.op, tuple(self._named(arg) for arg in formula.args))


def transferred(guard: Guard, old: Alphabet, new: Alphabet) -> Any:
    """A guard over another alphabet with the same first atoms; missing atoms are projected away."""
    atoms = (1 << len(new.atoms)) - 1
    result: Any = new.empty
    for true, false in old.cover(guard):
        result = result | new.of_cube((true & atoms, false & atoms))
    return result


def project(automaton: Automaton, alphabet: Alphabet) -> Automaton:
    """The automaton over the first atoms only. It accepts a word if some values of the other atoms make it accepted."""
    if automaton.alphabet is alphabet:
        return automaton
    projections: dict[Guard, Any] = {}
    edges: list[list[Edge]] = []
    for own in automaton.edges:
        projected: list[Edge] = []
        for guard, marks, target in own:
            if guard not in projections:
                projections[guard] = transferred(guard, automaton.alphabet, alphabet)
            projected.append((projections[guard], marks, target))
        edges.append(projected)
    return Automaton(alphabet, automaton.initial, edges, automaton.sets)
