"""Properties that are automata: no path may be accepted."""

from __future__ import annotations

from collections.abc import Callable

from coarsest.automata.automaton import Automaton
from coarsest.logic.expr import TRUE, Apply, Expr, replace
from coarsest.logic.letters.alphabet import alphabet_over
from coarsest.logic.linear.ltl import Formulas
from coarsest.logic.linear.ltl_from_expr import read_formula
from coarsest.model.kinds import PropertyKind
from coarsest.model.machine import Property

ACCEPTED_BY = "no path is accepted by "
"""The text of a claim begins like this; the name of the automaton's file follows."""


class AutomatonClaim(Property, frozen=True, kw_only=True):
    """The claim that no fair path of the machine is accepted. `formula` only mentions the atoms."""

    automaton: Automaton

    def renamed(self, rename: Callable[[Expr], Expr | None]) -> AutomatonClaim:
        """The same claim, with parts of the atoms replaced."""
        alphabet = self.automaton.alphabet
        table = Formulas(alphabet_over(replace(atom, rename) for atom in alphabet.atoms))
        edges = [
            [(read_formula(replace(alphabet.expr(guard), rename), table).guard, marks, target) for guard, marks, target in own]
            for own in self.automaton.edges
        ]
        automaton = Automaton(table.alphabet, self.automaton.initial, edges, self.automaton.sets)
        return never(automaton, self.text)


def never(automaton: Automaton, text: str) -> AutomatonClaim:
    """The claim that no path is accepted; `text` is its text in reports."""
    mentioned = Apply("and", (TRUE, *(Apply("F", (atom,)) for atom in automaton.alphabet.atoms)))
    return AutomatonClaim(PropertyKind.AUTOMATON, mentioned, text=text, automaton=automaton)
