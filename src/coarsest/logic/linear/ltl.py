"""Formulas of linear temporal logic with past, in negation normal form.

A `Formulas` table makes formulas over one alphabet; within a table equal formulas are the same object. Negation is no operator:
every operator has its dual, so that `negate` rewrites a formula instead of wrapping it.

    prop                        a boolean combination of atoms, as a guard: equivalent ones are equal
    and or                      of two or more: at most one prop, which comes first, then the others in the order of their making
    X, U, R                     next, until, release; F p is `true U p`, G p is `false R p`
    Y, Z, S, T                  yesterday, false and true in the first state; since; triggered, its dual

Traits are facts that follow from the form of a formula alone. A formula here is a predicate of positions in an infinite word.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Final

from coarsest.logic.expr import FALSE, TRUE, Apply, Expr
from coarsest.logic.letters.guards import Alphabet, Guard

EVENTUAL: Final = 1  # holds earlier whenever it holds later
UNIVERSAL: Final = 2  # holds later whenever it holds earlier
SAFETY: Final = 4  # every violation shows after finitely many letters
GUARANTEE: Final = 8  # every satisfaction shows after finitely many letters
OBLIGATION: Final = 16  # a boolean combination of such
PAST: Final = 32  # there is a past operator inside
FUTURE: Final = 64  # there is a future operator inside

_OF_ALL = EVENTUAL | UNIVERSAL | SAFETY | GUARANTEE | OBLIGATION
_OF_ANY = PAST | FUTURE
_CLASSES = SAFETY | GUARANTEE | OBLIGATION

DUAL = {"and": "or", "or": "and", "X": "X", "U": "R", "R": "U", "Y": "Z", "Z": "Y", "S": "T", "T": "S"}


class Ltl:
    """A formula; make it with a `Formulas` table or with `from_expr` of `ltl_from_expr.py`."""

    __slots__ = ("args", "guard", "number", "op", "table", "traits")

    def __init__(self, table: Formulas, op: str, args: tuple[Ltl, ...], guard: Guard, *, traits: int) -> None:
        self.table = table
        self.number = table.count  # in the order of making
        self.op = op
        self.args = args
        self.guard = guard  # of a prop
        self.traits = traits

    @property
    def negation(self) -> Ltl:
        """The formula that is true where this one is false."""
        return self.table.negate(self)

    @property
    def is_propositional(self) -> bool:
        return self.op == "prop"

    @property
    def is_eventually(self) -> bool:
        """Is the formula F p for some p?"""
        return self.op == "U" and self.args[0] is self.table.true

    @property
    def is_always(self) -> bool:
        """Is the formula G p for some p?"""
        return self.op == "R" and self.args[0] is self.table.false

    @property
    def is_invariant(self) -> bool:
        """Is the formula G p for a propositional p?"""
        return self.is_always and self.args[1].op == "prop"

    @property
    def is_pure_eventuality(self) -> bool:
        return bool(self.traits & EVENTUAL)

    @property
    def is_pure_universality(self) -> bool:
        return bool(self.traits & UNIVERSAL)

    @property
    def is_suspendable(self) -> bool:
        """Does the form show that the truth is the same in all positions?"""
        return self.traits & (EVENTUAL | UNIVERSAL) == EVENTUAL | UNIVERSAL

    @property
    def is_syntactic_safety(self) -> bool:
        return bool(self.traits & SAFETY)

    @property
    def is_syntactic_guarantee(self) -> bool:
        """Is the negation a syntactic safety formula? (Also called co-safety.)"""
        return bool(self.traits & GUARANTEE)

    @property
    def is_syntactic_obligation(self) -> bool:
        return bool(self.traits & OBLIGATION)

    @property
    def has_past(self) -> bool:
        return bool(self.traits & PAST)

    def subformulas(self) -> Iterator[Ltl]:
        """The formula and all its parts without repetition; parts come before formulas that contain them."""
        visited: set[int] = set()
        waiting: list[tuple[Ltl, bool]] = [(self, False)]
        while waiting:
            formula, parts_done = waiting.pop()
            if parts_done:
                yield formula
            elif formula.number not in visited:
                visited.add(formula.number)
                waiting.append((formula, True))
                waiting.extend((arg, False) for arg in reversed(formula.args))

    def to_expr(self) -> Expr:
        """The formula as an expression, with F, G, O and H where they fit."""
        op, args, table = self.op, self.args, self.table
        if op == "prop":
            return table.alphabet.expr(self.guard)
        if op in "UR" and args[0] is (table.true if op == "U" else table.false):
            return Apply("F" if op == "U" else "G", (args[1].to_expr(),))
        if op in "ST" and args[0] is (table.true if op == "S" else table.false):
            return Apply("O" if op == "S" else "H", (args[1].to_expr(),))
        parts = [arg.to_expr() for arg in args]
        if op in ("and", "or") and isinstance(parts[0], Apply) and parts[0].op == op:  # the propositional part comes first
            parts[:1] = parts[0].args
        return Apply("V" if op == "R" else op, tuple(parts))

    def __str__(self) -> str:
        from coarsest.logic.show import show

        return show(self.to_expr())

    def __repr__(self) -> str:
        return f"<Ltl {self}>"


class Formulas:
    """The formulas over one alphabet. The methods make only the simplest simplifications."""

    def __init__(self, alphabet: Alphabet) -> None:
        self.alphabet = alphabet
        self._props: dict[Guard, Ltl] = {}
        self._nodes: dict[tuple[str, tuple[Ltl, ...]], Ltl] = {}
        self._negations: dict[Ltl, Ltl] = {}
        self.count = 0
        """The number of formulas."""
        self.false = self.prop(alphabet.empty)
        self.true = self.prop(alphabet.full)

    def prop(self, guard: Guard) -> Ltl:
        """A boolean combination of atoms."""
        formula = self._props.get(guard)
        if formula is None:
            constant = not guard or guard == self.alphabet.full
            traits = _OF_ALL if constant else _CLASSES
            formula = self._props[guard] = Ltl(self, "prop", (), guard, traits=traits)
            self.count += 1
        return formula

    def atom(self, atom: Expr) -> Ltl:
        """An atom of the alphabet, or a constant."""
        if atom in (TRUE, FALSE):
            return self.true if atom == TRUE else self.false
        return self.prop(self.alphabet.of_atom(atom))

    def _make(self, op: str, args: tuple[Ltl, ...]) -> Ltl:
        key = (op, args)
        formula = self._nodes.get(key)
        if formula is None:
            formula = Ltl(self, op, args, self.alphabet.empty, traits=self._traits(op, args))
            self._nodes[key] = formula
            self.count += 1
        return formula

    # -- boolean operators -------------------------------------------------------------------------------------------------

    def conjunction(self, parts: Iterable[Ltl]) -> Ltl:
        """The conjunction of the parts."""
        return self._joined("and", parts)

    def disjunction(self, parts: Iterable[Ltl]) -> Ltl:
        """The disjunction of the parts."""
        return self._joined("or", parts)

    def _joined(self, op: str, parts: Iterable[Ltl]) -> Ltl:
        full, empty = self.alphabet.full, self.alphabet.empty
        neutral, absorbing = (full, empty) if op == "and" else (empty, full)
        guard: Any = neutral
        others: set[Ltl] = set()
        for part in parts:
            for inner in part.args if part.op == op else (part,):
                if inner.op == "prop":
                    guard = guard & inner.guard if op == "and" else guard | inner.guard
                else:
                    others.add(inner)
        if guard == absorbing or not others:
            return self.prop(guard)
        args = (*([] if guard == neutral else [self.prop(guard)]), *sorted(others, key=lambda formula: formula.number))
        return args[0] if len(args) == 1 else self._make(op, args)

    def negate(self, formula: Ltl) -> Ltl:
        """The formula with every operator replaced by its dual."""
        result = self._negations.get(formula)
        if result is None:
            if formula.op == "prop":
                result = self.prop(self.alphabet.complement(formula.guard))
            else:
                result = self.make(DUAL[formula.op], tuple(self.negate(arg) for arg in formula.args))
            self._negations[formula] = result
            self._negations.setdefault(result, formula)
        return result

    # -- temporal operators ------------------------------------------------------------------------------------------------

    def next(self, formula: Ltl) -> Ltl:
        return formula if formula is self.true or formula is self.false else self._make("X", (formula,))

    def until(self, left: Ltl, right: Ltl) -> Ltl:
        if right is self.true or right is self.false or left is self.false or left is right:
            return right
        return self._make("U", (left, right))

    def release(self, left: Ltl, right: Ltl) -> Ltl:
        if right is self.true or right is self.false or left is self.true or left is right:
            return right
        return self._make("R", (left, right))

    def eventually(self, formula: Ltl) -> Ltl:
        return self.until(self.true, formula)

    def always(self, formula: Ltl) -> Ltl:
        return self.release(self.false, formula)

    def yesterday(self, formula: Ltl) -> Ltl:
        """There is a state before, and the formula held there."""
        return formula if formula is self.false else self._make("Y", (formula,))

    def weak_yesterday(self, formula: Ltl) -> Ltl:
        """The formula held in the state before, if there is one."""
        return formula if formula is self.true else self._make("Z", (formula,))

    def since(self, left: Ltl, right: Ltl) -> Ltl:
        if right is self.true or right is self.false or left is self.false or left is right:
            return right
        return self._make("S", (left, right))

    def triggered(self, left: Ltl, right: Ltl) -> Ltl:
        if right is self.true or right is self.false or left is self.true or left is right:
            return right
        return self._make("T", (left, right))

    def make(self, op: str, args: tuple[Ltl, ...]) -> Ltl:
        """The operator of that name applied to the arguments."""
        match op:
            case "and":
                return self.conjunction(args)
            case "or":
                return self.disjunction(args)
            case "X":
                return self.next(*args)
            case "U":
                return self.until(*args)
            case "R":
                return self.release(*args)
            case "Y":
                return self.yesterday(*args)
            case "Z":
                return self.weak_yesterday(*args)
            case "S":
                return self.since(*args)
            case "T":
                return self.triggered(*args)
        raise ValueError(f"{op} is not an operator of linear temporal logic")

    # -- traits ------------------------------------------------------------------------------------------------------------

    def _traits(self, op: str, args: tuple[Ltl, ...]) -> int:
        """The traits by the form (eventual, universal: Etessami, Holzmann 2000; classes: Chang, Manna, Pnueli 1992)."""
        all_have, any_has = _OF_ALL, 0
        for arg in args:
            all_have &= arg.traits
            any_has |= arg.traits
        inside = any_has & _OF_ANY
        if op == "and" or op == "or":
            return all_have | inside
        if op == "X":
            return all_have | inside | FUTURE
        left, right = args[0], args[-1]
        if op == "U" or op == "R":
            mine, other = (GUARANTEE, EVENTUAL) if op == "U" else (SAFETY, UNIVERSAL)
            traits = right.traits & (EVENTUAL | UNIVERSAL) | all_have & mine
            if right.traits & mine and left.traits & OBLIGATION:
                traits |= OBLIGATION
            if left is self.true or left is self.false:
                traits |= other
            return traits | inside | FUTURE
        traits = all_have & _CLASSES
        if op == "Y":
            traits |= all_have & UNIVERSAL
        elif op == "Z":
            traits |= all_have & EVENTUAL
        elif left is self.true or left is self.false:
            traits |= UNIVERSAL if op == "S" else EVENTUAL
        return traits | inside | PAST
