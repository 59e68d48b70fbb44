"""Simplification of linear temporal formulas before they become automata.

Reference: Somenzi, Bloem, Efficient Büchi automata from LTL formulae, 2000; Etessami, Holzmann, Optimizing Büchi automata, 2000;
           Babiak, Křetínský, Řehák, Strejček, LTL to Büchi automata translation: fast and more deterministic, 2012 (suspension).
Symbols:   e is a pure eventuality, u a pure universality, s both: its truth is the same in all positions.
Invariant: every step keeps the formula equivalent in all positions of all words; the result of a step is simplified again.
Deviates:  each rule for `U`, `F` and `or` is applied to `R`, `G` and `and` as well, by way of the negation.
Cost:      one visit per distinct subformula that comes up, times the pairs of arguments of a conjunction.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from coarsest.logic.linear.ltl import EVENTUAL, PAST, UNIVERSAL, Ltl
from coarsest.logic.linear.ltl_implication import Implications

_SUSPENDABLE = EVENTUAL | UNIVERSAL


def simplify(formula: Ltl) -> Ltl:
    """An equivalent formula of the same table, which has a smaller automaton.

    >>> from coarsest.logic.linear.ltl_from_expr import from_expr
    >>> from coarsest.logic.parse import parse_expression
    >>> print(simplify(from_expr(parse_expression("F (q U (p & F G X r)) & (p | X F p)"))))
    F p & F G r
    """
    return Simplifier(formula).simplify(formula)


class Simplifier:
    """Remembers the simplified form of the formulas of one table."""

    def __init__(self, formula: Ltl) -> None:
        self.table = formula.table
        self._implications = Implications()
        self.implies = self._implications.implies
        self._done: dict[Ltl, Ltl] = {}

    def simplify(self, formula: Ltl) -> Ltl:
        """An equivalent formula, as simple as the rules make it."""
        result = self._done.get(formula)
        if result is None:
            if formula.op == "prop":
                return formula
            args = tuple([self.simplify(arg) for arg in formula.args])
            rebuilt = formula if args == formula.args else self.table.make(formula.op, args)
            result = rebuilt if rebuilt.op == "prop" else self._at_root(rebuilt)
            if result is not formula:
                result = self.simplify(result)
            self._done[formula] = self._done[result] = result
        return result

    def _at_root(self, formula: Ltl) -> Ltl:
        """One step at the root of a formula with simplified arguments, or the formula itself if no rule fits."""
        match formula.op:
            case "X":
                return self._next(formula)
            case "U":
                return self._until(formula)
            case "R":
                return self._dually(self._until, formula)
            case "or":
                return self._or(formula)
            case "and":
                return self._dually(self._or, formula)
            case "S":
                return self._since(formula)
            case "T":
                return self._dually(self._since, formula)
        return formula

    def _dually(self, rule: Callable[[Ltl], Ltl], formula: Ltl) -> Ltl:
        negation = formula.negation
        changed = rule(negation)
        return formula if changed is negation else changed.negation

    # -- next --------------------------------------------------------------------------------------------------------------

    def _next(self, formula: Ltl) -> Ltl:
        """X s = s; X (p & s) = X p & s, and so for or."""
        (inner,) = formula.args
        if inner.traits & _SUSPENDABLE == _SUSPENDABLE:
            return inner
        if inner.op in ("and", "or"):
            steady, others = _divide(inner.args, _SUSPENDABLE)
            if steady:
                return self.table.make(inner.op, (*steady, self.table.next(self.table.make(inner.op, others))))
        return formula

    # -- until -------------------------------------------------------------------------------------------------------------

    def _until(self, formula: Ltl) -> Ltl:
        table, implies = self.table, self.implies
        left, right = formula.args
        if right.traits & EVENTUAL or implies(left, right):
            return right
        if left is not table.true and implies(left.negation, right):
            return table.eventually(right)
        if right.op == "X" and (left.op == "X" or left is table.true):
            return table.next(table.until(left.args[0] if left.op == "X" else left, right.args[0]))
        if right.op == "U":
            if implies(left, right.args[0]):
                return right
            if implies(right.args[0], left):
                return table.until(left, right.args[1])
        if left.op == "U" and implies(left.args[1], right) and implies(right, left):
            return table.until(left.args[0], right)
        if left is table.true and right.op == "R" and right.args[0] is table.false:
            return self._eventually_always(formula, right.args[1])
        return self._until_of_parts(formula, left, right)

    def _until_of_parts(self, formula: Ltl, left: Ltl, right: Ltl) -> Ltl:
        """p U (q | e) = p U q | e; p U (q & s) = p U q & s; p U (q | G p) is weak until; superfluous parts of p."""
        table, implies = self.table, self.implies
        if right.op == "or":
            eventual, others = _divide(right.args, EVENTUAL)
            if eventual:
                return table.disjunction((*eventual, table.until(left, table.disjunction(others))))
            if left is table.true:  # F (p | u) = F p | F u, and F u has the same truth in all positions
                universal, others = _divide(right.args, UNIVERSAL)
                if universal and others:
                    return table.disjunction(table.eventually(table.disjunction(parts)) for parts in (others, universal))
            always_left = table.always(left)
            if always_left in right.args:
                others = tuple(part for part in right.args if part is not always_left)
                return table.release(table.disjunction(others), table.disjunction((left, *others)))
        if right.op == "and":
            steady, others = _divide(right.args, _SUSPENDABLE)
            if steady:
                return table.conjunction((*steady, table.until(left, table.conjunction(others))))
        if left.op == "and":
            needed = [part for part in left.args if not implies(part.negation, right)]
            if len(needed) < len(left.args):
                return table.until(table.conjunction(needed), right)
        if left.op == "or":
            needed = [part for part in left.args if not implies(part, right)]
            if len(needed) < len(left.args):
                return table.until(table.disjunction(needed), right)
        return formula

    def _eventually_always(self, formula: Ltl, inner: Ltl) -> Ltl:
        """F G (p U q) = G F q & F G (p | q); F G (p & X q) = F G (p & q); F G (p | e | u) = F G p | G e | F u."""
        table = self.table
        if inner.op == "U":
            left, right = inner.args
            return table.conjunction((table.always(table.eventually(right)), _finally_always(table.disjunction((left, right)))))
        if inner.op == "and" and any(part.op == "X" for part in inner.args):
            return _finally_always(table.conjunction(part.args[0] if part.op == "X" else part for part in inner.args))
        if inner.op == "or":
            eventual, others = _divide(inner.args, EVENTUAL)
            universal, others = _divide(others, UNIVERSAL)
            if eventual or universal:
                always = table.always(table.disjunction(eventual))
                finally_one = table.eventually(table.disjunction(universal))
                return table.disjunction((always, finally_one, _finally_always(table.disjunction(others))))
        return formula

    # -- or ----------------------------------------------------------------------------------------------------------------

    def _or(self, formula: Ltl) -> Ltl:
        parts = self._without_implied(formula.args)
        if parts is None:
            return self.table.true
        if len(parts) < len(formula.args):
            return self.table.disjunction(parts)
        return self._unit(formula) or self._folded(formula) or self._while_never(formula) or self._grouped(formula)

    def _without_implied(self, args: tuple[Ltl, ...]) -> list[Ltl] | None:
        """The parts that no other part covers; None if two parts cover everything."""
        implies = self.implies
        needed: list[Ltl] = []
        for part in args:
            if any(implies(part, other) for other in needed):
                continue
            needed = [other for other in needed if not implies(other, part)]
            if any(implies(other.negation, part) for other in needed):
                return None
            needed.append(part)
        return needed

    def _unit(self, formula: Ltl) -> Ltl | None:
        """p | !p & q = p | q; p | (p | q) & r = p | q & r."""
        table, implies = self.table, self.implies
        for place, part in enumerate(formula.args):
            if part.op == "and":
                rest = formula.args[:place] + formula.args[place + 1 :]
                needed = [inner for inner in part.args if not any(implies(other.negation, inner) for other in rest)]
                needed = [self._without(inner, rest) if inner.op == "or" else inner for inner in needed]
                changed = table.conjunction(needed)
                if changed is not part:
                    return table.disjunction((*rest, changed))
        return None

    def _without(self, formula: Ltl, present: tuple[Ltl, ...]) -> Ltl:
        """A disjunction less the parts that imply something in `present`."""
        implies = self.implies
        return self.table.disjunction(part for part in formula.args if not any(implies(part, other) for other in present))

    def _folded(self, formula: Ltl) -> Ltl | None:
        """q | X F q = F q; q | p & X (p U q) = p U q; p U q | G p = q R (p | q)."""
        table = self.table
        for place, part in enumerate(formula.args):
            until = _unrolled(part)
            if until is not None and any(self.implies(until.args[1], other) for other in formula.args if other is not part):
                return table.disjunction((*formula.args[:place], until, *formula.args[place + 1 :]))
            if part.op == "U":
                left = _can_wait_for(part)
                always = table.always(left)
                if always in formula.args:
                    weak = table.release(part.args[1], table.disjunction((left, part.args[1])))
                    others = (other for other in formula.args if other is not part and other is not always)
                    return table.disjunction((weak, *others))
        return None

    def _while_never(self, formula: Ltl) -> Ltl | None:
        """e | p = e | q, where q is p as if e never came: where e is false it stays so. F a | (X a R b) = F a | G b."""
        for event in formula.args:
            if event.traits & EVENTUAL:
                done: dict[Ltl, Ltl] = {}
                may_change = [part is not event and not part.traits & PAST for part in formula.args]
                parts = [self._without_event(part, event, done) if may else part for may, part in zip(may_change, formula.args)]
                if parts != list(formula.args):
                    return self.table.disjunction(parts)
        return None

    def _without_event(self, formula: Ltl, event: Ltl, done: dict[Ltl, Ltl]) -> Ltl:
        """A formula without past, as it is where the event does not come any more."""
        result = done.get(formula)
        if result is None:
            if self.implies(formula, event):
                result = self.table.false
            elif self.implies(event.negation, formula):
                result = self.table.true
            else:
                args = tuple(self._without_event(arg, event, done) for arg in formula.args)
                result = formula if args == formula.args else self.table.make(formula.op, args)
            done[formula] = result
        return result

    def _grouped(self, formula: Ltl) -> Ltl:
        """X p | X q = X (p | q); p U q | p U r = p U (q | r); p R r | q R r = (p | q) R r; G F p | G F q = G F (p | q)."""
        table = self.table
        groups: dict[object, list[Ltl]] = {}
        for part in formula.args:
            groups.setdefault(_group(part), []).append(part)
        if len(groups) == len(formula.args):
            return formula
        return table.disjunction(self._union(group) for group in groups.values())

    def _union(self, group: list[Ltl]) -> Ltl:
        table, first = self.table, group[0]
        if len(group) == 1:
            return first
        if first.op == "X":
            return table.next(table.disjunction(part.args[0] for part in group))
        if first.op == "U":
            return table.until(first.args[0], table.disjunction(part.args[1] for part in group))
        if first.is_always and first.args[1].is_eventually:
            return table.always(table.eventually(table.disjunction(part.args[1].args[1] for part in group)))
        return table.release(table.disjunction(part.args[0] for part in group), first.args[1])

    # -- since -------------------------------------------------------------------------------------------------------------

    def _since(self, formula: Ltl) -> Ltl:
        table, implies = self.table, self.implies
        left, right = formula.args
        if implies(left, right) or right.is_suspendable:
            return right
        if left is not table.true and implies(left.negation, right):
            return table.since(table.true, right)
        if right.op == "S":
            if implies(left, right.args[0]):
                return right
            if implies(right.args[0], left):
                return table.since(left, right.args[1])
        return formula


def _divide(parts: Iterable[Ltl], traits: int) -> tuple[tuple[Ltl, ...], tuple[Ltl, ...]]:
    """The parts with all these traits, and the other parts."""
    have: list[Ltl] = []
    lack: list[Ltl] = []
    for part in parts:
        (have if part.traits & traits == traits else lack).append(part)
    return tuple(have), tuple(lack)


def _finally_always(formula: Ltl) -> Ltl:
    return formula.table.eventually(formula.table.always(formula))


def _can_wait_for(until: Ltl) -> Ltl:
    """A formula p with which an until is `p U q`. F (r & e) is !r U (r & e): e holds at the first r if it does at a later one."""
    left, right = until.args
    if left is until.table.true and right.op == "and":
        first, *others = right.args
        if first.op == "prop" and all(part.traits & EVENTUAL for part in others):
            return first.negation
    return left


def _unrolled(part: Ltl) -> Ltl | None:
    """`p U q` where the part is `p & X (p U q)`, or `X F q`."""
    table = part.table
    if part.op == "X":
        inner = part.args[0]
        return inner if inner.op == "U" and inner.args[0] is table.true else None
    if part.op == "and":
        for step in part.args:
            if step.op == "X" and step.args[0].op == "U":
                rest = table.conjunction(other for other in part.args if other is not step)
                if rest is step.args[0].args[0]:
                    return step.args[0]
    return None


def _group(part: Ltl) -> object:
    """Parts with equal groups become one part."""
    if part.op == "X":
        return "X"
    if part.op == "U":
        return ("U", part.args[0], part.traits & _SUSPENDABLE == _SUSPENDABLE)
    if part.is_always:
        return "G F" if part.args[1].is_eventually else part
    if part.op == "R":
        return ("R", part.args[1])
    return part
