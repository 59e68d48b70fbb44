"""The alphabet over given atoms, in the form that suits their number."""

from __future__ import annotations

from collections.abc import Iterable

from coarsest.logic.expr import Expr
from coarsest.logic.letters.guards import Alphabet
from coarsest.logic.letters.truth_tables import MOST_ATOMS, TruthTables


def alphabet_over(atoms: Iterable[Expr]) -> Alphabet:
    """Truth tables for few atoms, decision diagrams for many; an atom that comes twice counts once."""
    distinct = tuple(dict.fromkeys(atoms))
    if len(distinct) <= MOST_ATOMS:
        return TruthTables(distinct)
    from coarsest.logic.letters.decision_diagrams import DecisionDiagrams

    return DecisionDiagrams(distinct)
