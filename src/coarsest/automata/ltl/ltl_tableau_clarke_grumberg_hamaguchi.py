"""LTL by a symbolic tableau: the formula becomes variables and constraints beside the machine.

Reference: Clarke, Grumberg, Hamaguchi 1997, "Another look at LTL model checking"; past operators as in Lichtenstein, Pnueli,
           Zuck 1985.
Symbols:   el(φ) are the `variables`, sat(g) is the result of `satisfied` for g.
Invariant: on a fair path of the product, `satisfied(g)` implies g at every position if g is not under a negation in the formula,
           and is implied by it if g is under negations only; and every path of the machine has a labelling with the true values.
Deviates:  F, G, O, H and the bounded forms have their own rules; past operators are equations, not constraints. There are only
           the justice constraints that the invariant needs: for U and F where they are asserted, for V and G where they are
           denied (the rest of the invariant follows by induction from the constraints on steps).
Cost:      one variable per X, U, V and per past operator; one justice constraint per U and F asserted, V and G denied.

Bad prefixes. Let g have negations at propositions alone, and no V or G (a guarantee: the negation of a safety formula;
operators of the past are allowed). A position where every promise is false is `settled`. Then a word satisfies g if and only
if it has a prefix s_0 … s_k along which the tableau can go from `satisfied(g)` to a settled position:

*If.* Each `satisfied(h)` that is true somewhere on s_0 … s_k is true of the word there, by induction on h. Propositions: the
same. And, or: monotone. X p: the promise is false at k, and before k it is what `satisfied(p)` is one position later, which
implies p. p U q: backwards from k, where its promise is false and q decides; before, by the claim of its promise, which is
monotone in p, q and the promise itself. Past operators: forwards from 0, by equations that are monotone, too. What comes
after k was not used.

*Only if.* Settle the promises at some k, and let the constraints give them their values backwards, the equations give
memories theirs: there is exactly one such labelling of s_0 … s_k. If h is true at i, its label there is true for every k
from some k_h on, again by induction: X p and p U q use finitely many later positions, past operators finitely many earlier
ones, so that the largest of their bounds will do.

Under negations this fails: a promise that is false claims something about what comes. So a formula is brought into negation
normal form first (`satisfied_normal`), where `p <-> X q` has two promises, one for X q and one for X !q.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from msgspec import Struct, field
from msgspec.structs import replace

from coarsest.errors import InputError
from coarsest.logic.branching.ctl import is_temporal
from coarsest.logic.expr import FALSE, TRUE, Apply, Expr, Name
from coarsest.logic.linear.ltl import Ltl
from coarsest.logic.temporal_operators import CTL_OPERATORS, LTL_OPERATORS, bound_of
from coarsest.model.machine import Kind, Machine, Variable
from coarsest.model.types import Boolean

PREFIX = "ltl-tableau."
"""Names of tableau variables begin like this; identifiers of models cannot, because the dot ends the name of an instance."""


ASSERTED: Final = 1
DENIED: Final = 2
"""The senses in which a part occurs in a formula: under an even or an odd number of negations."""


class Tableau(Struct):
    """The variables and constraints that a formula adds to a machine."""

    variables: dict[str, Variable] = field(default_factory=dict)
    initial_values: dict[str, Expr] = field(default_factory=dict)
    next_values: dict[str, Expr] = field(default_factory=dict)
    transitions: list[Expr] = field(default_factory=list)
    justice: list[Expr] = field(default_factory=list)
    promises: list[Name] = field(default_factory=list)
    """The variables that claim something about the next state."""
    _satisfied: dict[Expr, Expr] = field(default_factory=dict)

    def satisfied(self, formula: Expr) -> Expr:
        """An expression over the machine and the tableau: paths from states where it is true satisfy the formula."""
        return self._label(formula, _senses(formula))

    def _label(self, formula: Expr, senses: Mapping[Expr, int]) -> Expr:
        if not is_temporal(formula):
            return formula
        label = self._satisfied.get(formula)
        if label is None:
            assert isinstance(formula, Apply)
            label = self._satisfied[formula] = self._rule(formula, senses)
        return label

    def _rule(self, formula: Apply, senses: Mapping[Expr, int]) -> Expr:
        op, args = formula.op, formula.args
        if op in CTL_OPERATORS:
            hint = f"without the path quantifier it is LTL: '{op[1:]}'" if op[1:] in ("X", "F", "G", "U") else ""
            raise InputError(f"'{op}' is an operator of CTL; this is an LTL formula", formula.span, hint=hint)
        if op in ("BF", "BG", "BO", "BH"):
            return self._label(unfold_bounds(formula), senses)
        parts = tuple(self._label(arg, senses) for arg in args)
        # Formulas that unfolding makes are X or Y, which need no justice.
        return self._applied(op, parts, senses.get(formula, ASSERTED)) or Apply(op, parts, formula.span)

    def satisfied_normal(self, formula: Ltl) -> Expr:
        """The same for a formula in negation normal form."""
        labels: dict[Ltl, Expr] = {}
        for part in formula.subformulas():
            if part.is_propositional:
                labels[part] = part.table.alphabet.expr(part.guard)
            else:
                parts = tuple(labels[arg] for arg in part.args)
                op = "V" if part.op == "R" else part.op
                labels[part] = self._applied(op, parts, ASSERTED) or Apply(op, parts)
        return labels[formula]

    def settled(self) -> Expr:
        """The condition that no promise is made about the future."""
        return Apply("not", (Apply("or", tuple(self.promises)),)) if self.promises else TRUE

    def _applied(self, op: str, parts: tuple[Expr, ...], senses: int) -> Expr | None:
        """A temporal operator of LTL applied to the labels of its arguments; None for other operators."""
        p, q = (parts[0], parts[-1]) if parts else (TRUE, TRUE)
        match op:
            case "X":
                return self._next_satisfies(lambda _: p)
            case "U":
                return self._until(p, q, senses)
            case "F":
                return self._until(TRUE, q, senses)
            case "V":
                return self._release(p, q, senses)
            case "G":
                return self._release(FALSE, q, senses)
            case "Y" | "Z":
                return self._before(lambda _: p, first=op == "Z")
            case "S":
                return self._since(p, q)
            case "O":
                return self._since(TRUE, q)
            case "T":
                return self._triggered(p, q)
            case "H":
                return self._triggered(FALSE, q)
        return None

    def _new(self) -> Name:
        name = f"{PREFIX}{len(self.variables)}"
        self.variables[name] = Variable(name, Boolean(), Kind.STATE)
        return Name(name)

    def _next_satisfies(self, claim: Callable[[Name], Expr]) -> Name:
        """A variable that is true where the claim (which may mention it) is true in the next state."""
        promise = self._new()
        self.promises.append(promise)
        self.transitions.append(Apply("iff", (promise, Apply("next", (claim(promise),)))))
        return promise

    def _until(self, p: Expr, q: Expr, senses: int) -> Expr:
        def now(later: Expr) -> Expr:
            return _or(q, _and(p, later))

        result = now(self._next_satisfies(now))
        if senses & ASSERTED:
            self.justice.append(_or(Apply("not", (result,)), q))
        return result

    def _release(self, p: Expr, q: Expr, senses: int) -> Expr:
        def now(later: Expr) -> Expr:
            return _and(q, _or(p, later))

        result = now(self._next_satisfies(now))
        if senses & DENIED:
            self.justice.append(_or(result, Apply("not", (q,))))
        return result

    def _before(self, claim: Callable[[Name], Expr], *, first: bool) -> Name:
        """A variable that is true where the claim was true in the state before; `first` in a first state."""
        memory = self._new()
        self.initial_values[memory.name] = TRUE if first else FALSE
        self.next_values[memory.name] = claim(memory)
        return memory

    def _since(self, p: Expr, q: Expr) -> Expr:
        def now(before: Expr) -> Expr:
            return _or(q, _and(p, before))

        return now(self._before(now, first=False))

    def _triggered(self, p: Expr, q: Expr) -> Expr:
        def now(before: Expr) -> Expr:
            return _and(q, _or(p, before))

        return now(self._before(now, first=True))


def _senses(formula: Expr) -> dict[Expr, int]:
    """The senses in which each temporal part of the formula occurs."""
    senses: dict[Expr, int] = {}
    waiting = [(formula, ASSERTED)]
    while waiting:
        part, sense = waiting.pop()
        added = sense & ~senses.get(part, 0)
        if not (added and isinstance(part, Apply) and is_temporal(part)):
            continue
        senses[part] = senses.get(part, 0) | added
        other = (added & ASSERTED and DENIED) | (added & DENIED and ASSERTED)
        match part.op:
            case "not":
                waiting.append((part.args[0], other))
            case "implies":
                waiting += [(part.args[0], other), (part.args[1], added)]
            case "and" | "or":
                waiting += [(arg, added) for arg in part.args]
            case op if op in LTL_OPERATORS:  # all of them are monotone
                waiting += [(arg, added) for arg in part.args]
            case _:
                waiting += [(arg, ASSERTED | DENIED) for arg in part.args]
    return senses


def unfold_bounds(formula: Apply) -> Expr:
    """F [a, b] p and its relatives, by X or Y."""
    low, high, p = formula.args
    first, last = bound_of(low), bound_of(high)
    if first > last:
        raise InputError(f"the bounds {first}, {last} are empty or negative", formula.span)
    join = "or" if formula.op in ("BF", "BO") else "and"
    shift = {"BF": "X", "BG": "X", "BO": "Y", "BH": "Z"}[formula.op]
    result: Expr = p
    for _ in range(last - first):
        result = Apply(join, (p, Apply(shift, (result,))))
    for _ in range(first):
        result = Apply(shift, (result,))
    return result


def _and(p: Expr, q: Expr) -> Expr:
    if p == FALSE or q == FALSE:
        return FALSE
    return q if p == TRUE else p if q == TRUE else Apply("and", (p, q))


def _or(p: Expr, q: Expr) -> Expr:
    if p == TRUE or q == TRUE:
        return TRUE
    return q if p == FALSE else p if q == FALSE else Apply("or", (p, q))


class TableauProduct(Struct, frozen=True):
    """A machine beside the tableau of a formula."""

    machine: Machine
    satisfied: Expr
    """Fair paths from states where this is true satisfy the formula; a path that satisfies it can be labelled to begin there."""
    settled: Expr
    """True where no promise is made: if the formula is a guarantee in negation normal form, paths to such states satisfy it."""


def product_with_tableau(machine: Machine, formula: Expr | Ltl) -> TableauProduct:
    """The machine beside the tableau of a formula, which may be in negation normal form."""
    tableau = Tableau()
    satisfied = tableau.satisfied_normal(formula) if isinstance(formula, Ltl) else tableau.satisfied(formula)
    product = replace(
        machine,
        variables={**machine.variables, **tableau.variables},
        initial_values={**machine.initial_values, **tableau.initial_values},
        next_values={**machine.next_values, **tableau.next_values},
        transition_constraints=(*machine.transition_constraints, *tableau.transitions),
        justice=(*machine.justice, *tableau.justice),
    )
    return TableauProduct(product, satisfied, tableau.settled())
