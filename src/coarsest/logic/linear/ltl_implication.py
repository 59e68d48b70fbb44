"""Implication between formulas, as far as their form shows it.

Reference: Somenzi, Bloem, Efficient Büchi automata from LTL formulae, 2000, section 3.
Symbols:   –
Invariant: a remembered answer is sound: `True` only if every position of every word that satisfies the one satisfies the other.
Deviates:  propositional parts are compared as guards, so that their implication is exact; the past is taken in.
Cost:      every pair of subformulas is compared once.
"""

from __future__ import annotations

from coarsest.logic.linear.ltl import EVENTUAL, UNIVERSAL, Ltl


class Implications:
    """Answers about the formulas of one table."""

    def __init__(self) -> None:
        self._known: dict[tuple[Ltl, Ltl], bool] = {}

    def implies(self, left: Ltl, right: Ltl) -> bool:
        """Is it plain that `left` implies `right`?"""
        if left is right:
            return True
        if left.op == "prop" and right.op == "prop":
            return bool(left.guard & right.guard == left.guard)
        key = (left, right)
        implied = self._known.get(key)
        if implied is None:
            table = left.table
            implied = left is table.false or right is table.true or self._implies(left, right)
            self._known[key] = implied
        return implied

    def cover(self, left: Ltl, right: Ltl) -> bool:
        """Do the rules show that one of the formulas always holds?"""
        return self.implies(left.negation, right)

    def _implies(self, left: Ltl, right: Ltl) -> bool:
        implies = self.implies
        if left.op == "or":
            return all(implies(arg, right) for arg in left.args)
        if right.op == "and":
            return all(implies(left, arg) for arg in right.args)
        if left.op == "and" and any(implies(arg, right) for arg in left.args):
            return True
        if right.op == "or" and any(implies(left, arg) for arg in right.args):
            return True
        return self._opened_left(left, right) or self._opened_right(left, right) or self._same_operator(left, right)

    def _opened_left(self, left: Ltl, right: Ltl) -> bool:
        """Does `right` follow from the unfolding of `left`?"""
        implies = self.implies
        match left.op:
            case "U" | "S":
                first, last = left.args
                if implies(last, right) and (implies(first, right) or (left.op == "U" and right.traits & EVENTUAL)):
                    return True
            case "R" | "T":
                return implies(left.args[1], right)
            case "X":
                return bool(right.traits & EVENTUAL) and implies(left.args[0], right)
        return False

    def _opened_right(self, left: Ltl, right: Ltl) -> bool:
        """Does the unfolding of `right` follow from `left`?"""
        implies = self.implies
        match right.op:
            case "U" | "S":
                return implies(left, right.args[1])
            case "R" | "T":
                first, last = right.args
                if implies(left, last) and (implies(left, first) or (right.op == "R" and left.traits & UNIVERSAL)):
                    return True
            case "X":
                return bool(left.traits & UNIVERSAL) and implies(left, right.args[0])
        return False

    def _same_operator(self, left: Ltl, right: Ltl) -> bool:
        """Every operator is monotonic; `p U q` implies `r R s` when q ends what must be released."""
        implies = self.implies
        if left.op == right.op or (left.op, right.op) == ("Y", "Z"):
            if left.op in ("and", "or", "prop"):
                return False
            return all(implies(one, other) for one, other in zip(left.args, right.args))
        if (left.op, right.op) in (("U", "R"), ("S", "T")):
            first, last = left.args
            return implies(last, right.args[0]) and implies(last, right.args[1]) and implies(first, right.args[1])
        return False
