"""Rewriting for a smaller tableau: alternatives that are pure eventualities share one waiting state.

Reference: Etessami, Holzmann, Optimizing Büchi automata, 2000 (pure eventualities).
Symbols:   e is a pure eventuality.
Invariant: e = F e, so F p | e = F (p | e).
Deviates:  this is the opposite of simplification, which makes scopes smaller; so it comes last.
Cost:      linear.
"""

from __future__ import annotations

from coarsest.logic.linear.ltl import EVENTUAL, Ltl


def gather(formula: Ltl) -> Ltl:
    """An equivalent formula where F is outside of alternatives if one of them has it."""
    done: dict[Ltl, Ltl] = {}
    for part in formula.subformulas():
        done[part] = _gathered(part, done)
    return done[formula]


def _gathered(formula: Ltl, done: dict[Ltl, Ltl]) -> Ltl:
    table = formula.table
    if formula.op == "prop":
        return formula
    args = tuple(done[arg] for arg in formula.args)
    if formula.op == "or":
        eventual = [arg for arg in args if arg.traits & EVENTUAL]
        if len(eventual) > 1 and any(arg.is_eventually for arg in eventual):
            others = (arg for arg in args if not arg.traits & EVENTUAL)
            inner = table.disjunction(arg.args[1] if arg.is_eventually else arg for arg in eventual)
            return table.disjunction((*others, table.eventually(inner)))
    return formula if args == formula.args else table.make(formula.op, args)
