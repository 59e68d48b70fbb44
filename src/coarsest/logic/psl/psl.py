"""PSL formulas of the linear layer (FL), after their shorthands are written out.

    b                Atom               a condition on a state
    ! & | -> <->     Not And Or Implies Iff
    next[n] (f)      Next               on infinite words weak and strong are the same
    always f         Always
    eventually! f    Eventually
    f until g        Until              until! (strong): g must come
    {r}  {r}!        Sequence           weak: no state yet rules out that r matches;  strong: r matches
    {r} |-> f        SuffixImplication  f holds in the last state of every match of r
    f abort b        Abort              f, unless b comes before f has failed

`psl_from_expr.py` makes them, `show_psl.py` prints them, and docs/psl.md explains each operator.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

from msgspec import Struct

from coarsest.logic.expr import FALSE, TRUE, Apply, Expr
from coarsest.logic.psl.sere import Sere
from coarsest.logic.psl.sere import conditions as conditions_of_sere
from coarsest.logic.psl.sere_construction import negation


class Atom(Struct, frozen=True):
    """A condition on one state."""

    condition: Expr


class Not(Struct, frozen=True):
    operand: Psl


class And(Struct, frozen=True):
    operands: tuple[Psl, ...]


class Or(Struct, frozen=True):
    operands: tuple[Psl, ...]


class Implies(Struct, frozen=True):
    left: Psl
    right: Psl


class Iff(Struct, frozen=True):
    left: Psl
    right: Psl


class Next(Struct, frozen=True):
    """The formula holds after a number of steps."""

    operand: Psl
    steps: int = 1


class Always(Struct, frozen=True):
    operand: Psl


class Eventually(Struct, frozen=True):
    operand: Psl


class Until(Struct, frozen=True):
    """The left formula holds until the right one does, which a strong one requires to come."""

    left: Psl
    right: Psl
    strong: bool


class Sequence(Struct, frozen=True):
    """A match of a sequence begins here: a strong one ends too, a weak one may go on for ever."""

    sere: Sere
    strong: bool


class SuffixImplication(Struct, frozen=True):
    """Wherever a match of the sequence that begins here ends, the formula holds from its last state on."""

    sere: Sere
    then: Psl


class Abort(Struct, frozen=True):
    """The formula holds, or the condition comes before the formula has failed."""

    operand: Psl
    condition: Expr


Psl: TypeAlias = (
    Atom | Not | And | Or | Implies | Iff | Next | Always | Eventually | Until | Sequence | SuffixImplication | Abort
)

TRUTH = Atom(TRUE)
FALSITY = Atom(FALSE)


def operands(formula: Psl) -> tuple[Psl, ...]:
    """The formulas that a formula is made of."""
    match formula:
        case Atom() | Sequence():
            return ()
        case And() | Or():
            return formula.operands
        case Implies() | Iff() | Until():
            return (formula.left, formula.right)
        case SuffixImplication():
            return (formula.then,)
        case Not() | Next() | Always() | Eventually() | Abort():
            return (formula.operand,)


def subformulas(formula: Psl) -> Iterator[Psl]:
    """The formula and all its parts, each once."""
    visited: set[Psl] = set()
    waiting = [formula]
    while waiting:
        part = waiting.pop()
        if part not in visited:
            visited.add(part)
            yield part
            waiting.extend(operands(part))


def conditions(formula: Psl) -> list[Expr]:
    """The conditions on single states that a formula is made of, each once."""
    conditions: dict[Expr, None] = {}
    for part in subformulas(formula):
        match part:
            case Atom() | Abort():
                conditions.setdefault(part.condition)
            case Sequence() | SuffixImplication():
                conditions.update(dict.fromkeys(conditions_of_sere(part.sere)))
    return list(conditions)


def has_sequences(formula: Psl) -> bool:
    """Does a sequence occur? If not, the formula is one of LTL (an `abort` can be pushed inwards)."""
    return any(isinstance(part, Sequence | SuffixImplication) for part in subformulas(formula))


def negated(formula: Psl) -> Psl:
    """The opposite formula."""
    if isinstance(formula, Not):
        return formula.operand
    if isinstance(formula, Atom):
        return Atom(negation(formula.condition)) if formula not in (TRUTH, FALSITY) else FALSITY if formula == TRUTH else TRUTH
    return Not(formula)


def conjunction(*parts: Psl) -> Psl:
    """The conjunction of the parts; conditions become one condition, which comes first."""
    return _joined(And, "and", parts)


def disjunction(*parts: Psl) -> Psl:
    """The disjunction of the parts; conditions become one condition, which comes first."""
    return _joined(Or, "or", parts)


def _joined(kind: type[And] | type[Or], op: str, parts: tuple[Psl, ...]) -> Psl:
    neutral, absorbing = (TRUTH, FALSITY) if kind is And else (FALSITY, TRUTH)
    atoms: dict[Expr, None] = {}
    others: dict[Psl, None] = {}
    for part in parts:
        for inner in part.operands if isinstance(part, kind) else (part,):
            if inner == absorbing:
                return absorbing
            if isinstance(inner, Atom):
                atoms.setdefault(inner.condition)
            else:
                others.setdefault(inner)
    atoms.pop(neutral.condition, None)
    condition = [Atom(next(iter(atoms)) if len(atoms) == 1 else Apply(op, tuple(atoms)))] if atoms else []
    operands = (*condition, *others)
    return operands[0] if len(operands) == 1 else kind(operands) if operands else neutral


def implication(left: Psl, right: Psl) -> Psl:
    """`left -> right`; of two conditions it is a condition."""
    if isinstance(left, Atom) and isinstance(right, Atom):
        return Atom(Apply("implies", (left.condition, right.condition)))
    return Implies(left, right)


def equivalence(left: Psl, right: Psl) -> Psl:
    """`left <-> right`; of two conditions it is a condition."""
    if isinstance(left, Atom) and isinstance(right, Atom):
        return Atom(Apply("iff", (left.condition, right.condition)))
    return Iff(left, right)


def after(formula: Psl, steps: int) -> Psl:
    """The formula a number of steps later. (`next TRUE` stays: around it, an `abort` may come too late for TRUE.)"""
    if steps == 0:
        return formula
    if isinstance(formula, Next):
        return Next(formula.operand, formula.steps + steps)
    return Next(formula, steps)
