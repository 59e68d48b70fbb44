"""Subformulas that are always true or always false, which the emptiness of their tableau shows.

Reference: Tauriainen, Heljanko, Testing LTL formula translation into Büchi automata, 2002 (a formula and its negation).
Symbols:   –
Invariant: –
Deviates:  only conjunctions and disjunctions of several temporal formulas are tried: others are constant only if a part is.
Cost:      one small tableau per such subformula; large tableaux are not finished.
"""

from __future__ import annotations

from coarsest import tuning
from coarsest.automata.ltl.tableau import tableau, within_states
from coarsest.automata.tidy import is_empty
from coarsest.logic.linear.ltl import PAST, Ltl
from coarsest.run import Run


def without_constant_parts(formula: Ltl, run: Run) -> Ltl:
    """An equivalent formula without subformulas that are constant by their tableau."""
    table = formula.table
    done: dict[Ltl, Ltl] = {}
    for part in formula.subformulas():
        args = tuple(done[arg] for arg in part.args)
        result = part if args == part.args else table.make(part.op, args)
        if result.op == "and" and _is_contradiction(result, run):
            result = table.false
        elif result.op == "or" and _is_contradiction(result.negation, run):
            result = table.true
        done[part] = result
    return done[formula]


def _is_contradiction(conjunction: Ltl, run: Run) -> bool:
    if conjunction.traits & PAST or sum(part.op != "prop" for part in conjunction.args) < 2:
        return False
    with within_states(tuning.LTL_CONSTANT_PART_STATES, run):
        return is_empty(tableau(conjunction, run))
    return False
