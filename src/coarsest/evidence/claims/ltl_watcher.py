"""Linear formulas as variables that watch a path: a separate translation, so that certificates need not trust any other.

Reference: Lichtenstein, Pnueli 1985, "Checking that finite state concurrent programs satisfy their linear specification";
           Kesten, Pnueli, Raviv 1998 (as constraints, with past).
Symbols:   χ_ψ is `truth(ψ)`.
Invariant: on every path, exactly one assignment of the variables satisfies `initial`, `steps` and, infinitely often, each of
           `justice`; a variable then says at every position whether its part of the formula is true there.
Deviates:  F, G, V, O, H and T are expressed by U and S. A condition that is true infinitely often on violating paths is itself
           a justice constraint.
Cost:      one variable per X, U, Y and S; one justice constraint per U.
"""

from __future__ import annotations

from msgspec import Struct, field
from msgspec.structs import replace

from coarsest import tuning
from coarsest.evidence.effort import NotConfirmed
from coarsest.logic.branching.ctl import bounds, is_temporal
from coarsest.logic.expr import FALSE, TRUE, Apply, Expr, Name
from coarsest.logic.linear.recurrences import recurrences
from coarsest.model.machine import Machine, Variable
from coarsest.model.types import Boolean

PREFIX = "watch."
"""The names of the variables begin with this word; no identifier of a model does."""


class Watcher(Struct):
    """The additions of a formula to a machine. They are separate from it, since a machine that is stuck is watched, too."""

    variables: dict[str, Variable] = field(default_factory=dict)
    initial: list[Expr] = field(default_factory=list)
    steps: list[Expr] = field(default_factory=list)
    justice: list[Expr] = field(default_factory=list)
    _truths: dict[Expr, Expr] = field(default_factory=dict)

    def truth(self, formula: Expr) -> Expr:
        """A condition on the machine and these variables that is true exactly where the formula is true."""
        if not is_temporal(formula):
            return formula
        if formula not in self._truths:
            assert isinstance(formula, Apply)
            self._truths[formula] = self._rule(formula)
        return self._truths[formula]

    def _rule(self, formula: Apply) -> Expr:
        op, args = formula.op, formula.args
        if op in ("BF", "BG", "BO", "BH"):
            return self.truth(_unfolded(formula))
        parts = [self.truth(arg) for arg in args]
        match op, parts:
            case ("not" | "and" | "or" | "xor" | "xnor" | "implies" | "iff"), _:
                return Apply(op, tuple(parts))
            case "X", [p]:
                promise = self._variable()
                self.steps.append(_iff(promise, _next(p)))
                return promise
            case "F", [p]:
                return self._until(TRUE, p)
            case "G", [p]:
                return _not(self._until(TRUE, _not(p)))
            case "U", [p, q]:
                return self._until(p, q)
            case "V", [p, q]:
                return _not(self._until(_not(p), _not(q)))
            case ("Y" | "Z"), [p]:
                memory = self._variable()
                self.initial.append(memory if op == "Z" else _not(memory))
                self.steps.append(_iff(_next(memory), p))
                return memory
            case "O", [p]:
                return self._since(TRUE, p)
            case "H", [p]:
                return _not(self._since(TRUE, _not(p)))
            case "S", [p, q]:
                return self._since(p, q)
            case "T", [p, q]:
                return _not(self._since(_not(p), _not(q)))
        raise NotConfirmed(f"'{op}' occurs in the formula")

    def _variable(self) -> Name:
        name = f"{PREFIX}{len(self.variables)}"
        self.variables[name] = Variable(name, Boolean())
        return Name(name)

    def _until(self, p: Expr, q: Expr) -> Expr:
        until = self._variable()
        self.steps.append(_iff(until, Apply("or", (q, Apply("and", (p, _next(until)))))))
        self.justice.append(Apply("or", (_not(until), q)))
        return until

    def _since(self, p: Expr, q: Expr) -> Expr:
        since = self._variable()
        self.initial.append(_iff(since, q))
        self.steps.append(_iff(_next(since), Apply("or", (_next(q), Apply("and", (_next(p), since))))))
        return since

    def beside(self, machine: Machine) -> Machine:
        """The machine with the variables and the fairness of the watcher, but none of its other constraints."""
        return replace(
            machine,
            variables={**machine.variables, **self.variables},
            justice=(*machine.justice, *self.justice),
        )


def watch_violations(formula: Expr) -> tuple[Watcher, Expr]:
    """A watcher of a formula, and the condition that is true where the formula is false."""
    again, others = recurrences(formula)
    watcher = Watcher(justice=list(again))
    violated = [_not(watcher.truth(part)) for part in others]
    return watcher, Apply("and", tuple(violated)) if len(violated) > 1 else violated[0] if violated else TRUE


def _unfolded(formula: Apply) -> Expr:
    """F [a, b] p and its relatives, by X or Y."""
    low, high = bounds(formula)
    if high > tuning.CERTIFICATE_STEPS_UNFOLDED:
        raise NotConfirmed(f"a bound of more than {tuning.CERTIFICATE_STEPS_UNFOLDED} steps occurs in the formula")
    p = formula.args[2]
    join = "or" if formula.op in ("BF", "BO") else "and"
    move = {"BF": "X", "BG": "X", "BO": "Y", "BH": "Z"}[formula.op]
    result = p
    for _ in range(high - low):
        result = Apply(join, (p, Apply(move, (result,))))
    for _ in range(low):
        result = Apply(move, (result,))
    return result


def _not(p: Expr) -> Expr:
    return FALSE if p == TRUE else TRUE if p == FALSE else Apply("not", (p,))


def _iff(p: Expr, q: Expr) -> Expr:
    return Apply("iff", (p, q))


def _next(p: Expr) -> Expr:
    return Apply("next", (p,))
