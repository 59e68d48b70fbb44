"""Linear temporal logic from expressions, with errors for formulas of other logics."""

from __future__ import annotations

from collections.abc import Iterable

from coarsest.errors import InputError, SyntaxProblem, TypeProblem
from coarsest.logic.branching.ctl import is_temporal
from coarsest.logic.expr import FALSE, TRUE, Apply, Constant, Expr, subexpressions
from coarsest.logic.letters.alphabet import alphabet_over
from coarsest.logic.linear.ltl import Formulas, Ltl
from coarsest.logic.operators import BOOLEAN_CONNECTIVES
from coarsest.logic.temporal_operators import COMPUTE_OPERATORS, CTL_OPERATORS, LTL_OPERATORS, PSL_OPERATORS, bound_of

_NOT_BELOW_ATOMS = CTL_OPERATORS | LTL_OPERATORS | COMPUTE_OPERATORS | PSL_OPERATORS
_LINEAR = {"AX": "X", "EX": "X", "AF": "F", "EF": "F", "AG": "G", "EG": "G", "AU": "U", "EU": "U"}


def from_expr(expr: Expr, *, atoms: Iterable[Expr] = ()) -> Ltl:
    """The formula of an expression. Its alphabet has the given atoms first, then those of the formula in their order.

    >>> from coarsest.logic.parse import parse_expression
    >>> formula = from_expr(parse_expression("!(G (x = 1 -> F y))"))
    >>> print(formula, formula.is_syntactic_safety, formula.has_past)
    F (x = 1 & G !y) False False
    """
    collected = dict.fromkeys(atoms)
    _collect_atoms(expr, collected)
    return read_formula(expr, Formulas(alphabet_over(collected)))


def read_formula(expr: Expr, table: Formulas) -> Ltl:
    """The formula of an expression, over an alphabet with all its atoms."""
    return _Reader(table).read(expr)


def _collect_atoms(expr: Expr, collected: dict[Expr, None]) -> None:
    visited: set[int] = set()
    waiting = [expr]
    while waiting:
        part = waiting.pop()
        if id(part) in visited:
            continue
        visited.add(id(part))
        if isinstance(part, Apply) and part.op in BOOLEAN_CONNECTIVES | LTL_OPERATORS:
            waiting.extend(reversed(part.args))
        elif not isinstance(part, Constant):
            _refuse_temporal_operators(part)
            collected.setdefault(part)


def _refuse_temporal_operators(atom: Expr) -> None:
    """Raise at a temporal operator in an atom, which is an expression over one state."""
    if isinstance(atom, Apply) and atom.op in _NOT_BELOW_ATOMS:
        raise _foreign(atom)
    for part in subexpressions(atom):
        if isinstance(part, Apply) and part.op in _NOT_BELOW_ATOMS:
            outer = atom.op if isinstance(atom, Apply) else ""
            hint = "between formulas, equality is written `<->`" if outer in ("=", "!=") else ""
            message = f"the temporal operator `{part.op}` is inside `{outer}`, which takes values of one state"
            raise TypeProblem(message, part.span, hint=hint)


def _foreign(expr: Apply) -> InputError:
    op = expr.op
    if op in CTL_OPERATORS:
        linear = _LINEAR.get(op)
        if linear == "U":
            hint = f"did you mean `p U q`, without `{op[0]} [ ]`?"
        elif linear:
            hint = f"did you mean `{linear}`? Linear formulas speak about one path and have no path quantifier"
        else:
            hint = "did you mean `F [low, high] p` or `G [low, high] p`?"
        return SyntaxProblem(f"`{op}` is CTL, but a linear formula (LTL) is expected", expr.span, hint=hint)
    if op in COMPUTE_OPERATORS:
        return SyntaxProblem(f"`{op}` computes a number; a formula is expected", expr.span, hint="it belongs in COMPUTE")
    return SyntaxProblem(f"`{op}` is PSL, but a linear formula (LTL) is expected", expr.span)


class _Reader:
    """Reads each shared part of an expression once."""

    def __init__(self, table: Formulas) -> None:
        self._table = table
        self._done: dict[int, Ltl] = {}

    def read(self, expr: Expr) -> Ltl:
        formula = self._done.get(id(expr))
        if formula is None:
            formula = self._done[id(expr)] = self._read(expr)
            if formula.op == "prop" and not isinstance(expr, Constant) and not is_temporal(expr):  # p U p is p
                self._table.alphabet.remember(formula.guard, expr)
        return formula

    def _read(self, expr: Expr) -> Ltl:
        if isinstance(expr, Apply):
            if expr.op in BOOLEAN_CONNECTIVES:
                return self._connective(expr.op, [self.read(arg) for arg in expr.args])
            if expr.op in LTL_OPERATORS:
                return self._bounded(expr) if expr.op in ("BG", "BF", "BH", "BO") else self._temporal(expr)
        elif isinstance(expr, Constant) and expr not in (TRUE, FALSE):
            raise TypeProblem("a formula is expected, but this is a value", expr.span, hint="compare it with something")
        return self._table.atom(expr)

    def _connective(self, op: str, args: list[Ltl]) -> Ltl:
        table = self._table
        if op == "and":
            return table.conjunction(args)
        if op == "or":
            return table.disjunction(args)
        left, right = args[0], args[-1]
        if op == "not":
            return left.negation
        if op == "implies":
            return table.disjunction((left.negation, right))
        if op == "xor":
            left = left.negation
        both = table.conjunction((left, right))
        return table.disjunction((both, table.conjunction((left.negation, right.negation))))

    def _temporal(self, expr: Apply) -> Ltl:
        table = self._table
        args = tuple(self.read(arg) for arg in expr.args)
        match expr.op:
            case "F":
                return table.eventually(*args)
            case "G":
                return table.always(*args)
            case "O":
                return table.since(table.true, *args)
            case "H":
                return table.triggered(table.false, *args)
            case "V":
                return table.release(*args)
        return table.make(expr.op, args)

    def _bounded(self, expr: Apply) -> Ltl:
        """G [low, high] p is X … X (p & X (p & …)); the other three alike."""
        table = self._table
        low, high = map(bound_of, expr.args[:2])
        formula = self.read(expr.args[2])
        step = {"BG": table.next, "BF": table.next, "BH": table.weak_yesterday, "BO": table.yesterday}[expr.op]
        every = expr.op in ("BG", "BH")
        if high < low:
            return table.true if every else table.false
        result = formula
        for _ in range(high - low):
            result = table.make("and" if every else "or", (formula, step(result)))
        for _ in range(low):
            result = step(result)
        return result
