"""From formulas back to expressions, as people write them: for certificates and for the classes of a partition.

Bounds are written with the variables on the left, a value between two equal bounds as an equation, and the bits of an
enumeration as its members.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from coarsest.logic.expr import FALSE, TRUE, Apply, Constant, Expr, Name, conjunction
from coarsest.space.smt.smt_terms import Terms, members_by_index

if TYPE_CHECKING:
    import z3


class Reader:
    """Reads formulas over the present state of one machine."""

    def __init__(self, terms: Terms) -> None:
        self.terms = terms
        self.z3 = terms.z3
        self._bits: dict[int, tuple[str, int]] = {}
        self._names: dict[int, str] = {}
        for variable in terms.machine.variables.values():
            held = terms.now[variable.name]
            if members_by_index(variable.type):
                self._bits |= {bit.get_id(): (variable.name, place) for place, bit in enumerate(held)}
            else:
                self._names[held[0].get_id()] = variable.name

    def expression(self, formula: z3.BoolRef) -> Expr:
        """The expression that says the same."""
        z3 = self.z3
        if z3.is_true(formula) or z3.is_false(formula):
            return TRUE if z3.is_true(formula) else FALSE
        if z3.is_and(formula):
            return self._conjunction(formula.children())
        if z3.is_or(formula):
            match self._disjunction(formula):
                case [part]:
                    return part
                case [Apply("not", (premise,)), conclusion]:
                    return Apply("implies", (premise, conclusion))
                case parts:
                    return Apply("or", tuple(parts))
        if z3.is_not(formula):
            return self._literal(formula.arg(0), positive=False)
        return self._literal(formula, positive=True)

    def _conjunction(self, parts: Sequence[z3.BoolRef]) -> Expr:
        """The members that enumerations may have are found for all bits together; equal bounds make an equation."""
        allowed: dict[str, list[str | int]] = {}
        others: list[Expr] = []
        for part in parts:
            found = self._members(part)
            if found is None:
                others.append(self.expression(part))
            else:
                name, held = found
                allowed[name] = [member for member in allowed.get(name, held) if member in held]
        return conjunction([*(_among(name, members) for name, members in allowed.items()), *_with_equations(others)])

    def _disjunction(self, formula: z3.BoolRef) -> list[Expr]:
        """The parts; those about one enumeration are taken together."""
        allowed: dict[str, list[str | int]] = {}
        others: list[Expr] = []
        waiting = formula.children()
        for part in waiting:  # grows while it is walked
            found = self._members(part)
            if found is not None:
                name, held = found
                allowed.setdefault(name, []).extend(member for member in held if member not in allowed[name])
            elif self.z3.is_or(part):
                waiting.extend(part.children())
            else:
                others.append(self.expression(part))
        return [*(_among(name, members) for name, members in allowed.items()), *others]

    def _members(self, part: z3.BoolRef) -> tuple[str, list[str | int]] | None:
        """Which members of an enumeration a literal allows, if it is about a bit of one."""
        bit = part.arg(0) if self.z3.is_not(part) else part
        if bit.get_id() not in self._bits:
            return None
        name, place = self._bits[bit.get_id()]
        members = members_by_index(self.terms.machine.variables[name].type)
        return name, [member for index, member in enumerate(members) if bool(index >> place & 1) is (bit is part)]

    def _literal(self, atom: z3.BoolRef, *, positive: bool) -> Expr:
        z3 = self.z3
        if atom.get_id() in self._bits:
            return self._conjunction([atom if positive else z3.Not(atom)])
        if z3.is_and(atom) or z3.is_or(atom) or z3.is_not(atom):
            inner = self.expression(atom)
            return inner if positive else Apply("not", (inner,))
        kind = atom.decl().kind()
        word = {z3.Z3_OP_LE: "<=", z3.Z3_OP_GE: ">=", z3.Z3_OP_LT: "<", z3.Z3_OP_GT: ">", z3.Z3_OP_EQ: "="}.get(kind)
        if word is not None and z3.is_arith(atom.arg(0)):
            return self._comparison(word if positive else _OPPOSITE[word], atom.arg(0), atom.arg(1))
        found = self._other(atom)
        return found if positive else Apply("not", (found,))

    def _other(self, atom: z3.BoolRef) -> Expr:
        z3 = self.z3
        if atom.get_id() in self._names:
            return Name(self._names[atom.get_id()])
        args = [self.expression(arg) if z3.is_bool(arg) else self._number(arg) for arg in atom.children()]
        match atom.decl().kind():
            case z3.Z3_OP_EQ:
                return Apply("iff" if z3.is_bool(atom.arg(0)) else "=", tuple(args))
            case z3.Z3_OP_DISTINCT | z3.Z3_OP_XOR:
                return Apply("xor" if z3.is_bool(atom.arg(0)) else "!=", tuple(args))
            case z3.Z3_OP_IMPLIES:
                return Apply("implies", tuple(args))
            case z3.Z3_OP_ITE:
                return Apply("case", (args[0], args[1], TRUE, args[2]))
        raise AssertionError(f"a formula with {atom.decl().name()}")

    def _comparison(self, word: str, left: z3.ArithRef, right: z3.ArithRef) -> Expr:
        """Terms with a minus change sides."""
        sides: tuple[list[Expr], list[Expr]] = ([], [])
        bound = Fraction(0)
        for sign, side in ((1, left), (-1, right)):
            for factor, term in self._summands(side):
                factor *= sign
                if term is None:
                    bound -= factor
                else:
                    sides[factor < 0].append(self._multiple(abs(factor), term))
        if not sides[0]:
            sides, bound, word = (sides[1], []), -bound, _MIRRORED.get(word, word)
        real = any(_is_real(self.z3, term) for _, term in (*self._summands(left), *self._summands(right)) if term is not None)
        return Apply(word, (_sum(sides[0], Fraction(0), real=real), _sum(sides[1], bound, real=real)))

    def _summands(self, term: z3.ArithRef) -> list[tuple[Fraction, Any]]:
        """Factors and terms of a sum; the term None is 1."""
        z3 = self.z3
        if z3.is_int_value(term) or z3.is_rational_value(term):
            return [(_value(z3, term), None)]
        if z3.is_add(term):
            return [pair for part in term.children() for pair in self._summands(part)]
        if z3.is_mul(term) and len(term.children()) == 2 and _is_value(z3, term.arg(0)):
            return [(factor * _value(z3, term.arg(0)), inner) for factor, inner in self._summands(term.arg(1))]
        return [(Fraction(1), term)]

    def _multiple(self, factor: Fraction, term: z3.ArithRef) -> Expr:
        number = self._number(term)
        if factor == 1:
            return number
        return Apply("*", (Constant(factor if factor.denominator != 1 else factor.numerator), number))

    def _number(self, term: z3.ArithRef) -> Expr:
        z3 = self.z3
        if term.get_id() in self._names:
            return Name(self._names[term.get_id()])
        if _is_value(z3, term):
            return _constant(_value(z3, term), real=_is_real(z3, term))
        args = term.children()
        match term.decl().kind():
            case z3.Z3_OP_TO_REAL:
                return self._number(args[0])
            case z3.Z3_OP_MOD | z3.Z3_OP_IDIV as kind:
                return self._rounded_down("mod" if kind == z3.Z3_OP_MOD else "/", *map(self._number, args))
            case z3.Z3_OP_ITE:
                return Apply("case", (self.expression(args[0]), self._number(args[1]), TRUE, self._number(args[2])))
            case z3.Z3_OP_SUB | z3.Z3_OP_ADD | z3.Z3_OP_MUL as kind:
                word = {z3.Z3_OP_SUB: "-", z3.Z3_OP_ADD: "+", z3.Z3_OP_MUL: "*"}[kind]
                found, *rest = map(self._number, args)
                for part in rest:
                    found = Apply(word, (found, part))
                return found
            case z3.Z3_OP_UMINUS:
                return Apply("neg", (self._number(args[0]),))
        raise AssertionError(f"a term with {term.decl().name()}")

    @staticmethod
    def _rounded_down(word: str, number: Expr, divisor: Expr) -> Expr:
        """z3 rounds down, where `/` and `mod` go towards zero."""
        remainder = Apply("mod", (number, divisor))
        below = Apply("<", (remainder, Constant(0)))
        if word == "mod":
            return Apply("case", (below, Apply("+", (remainder, divisor)), TRUE, remainder))
        quotient = Apply("/", (number, divisor))
        return Apply("case", (below, Apply("-", (quotient, Constant(1))), TRUE, quotient))


_OPPOSITE = {"<=": ">", ">=": "<", "<": ">=", ">": "<=", "=": "!="}
_MIRRORED = {"<=": ">=", ">=": "<=", "<": ">", ">": "<"}


def _is_value(z3: Any, term: z3.ExprRef) -> bool:
    return bool(z3.is_int_value(term) or z3.is_rational_value(term))


def _is_real(z3: Any, term: z3.ExprRef) -> bool:
    return bool(z3.is_real(term)) and not z3.is_to_real(term)


def _value(z3: Any, term: z3.ExprRef) -> Fraction:
    if z3.is_int_value(term):
        return Fraction(term.as_long())
    return Fraction(term.numerator_as_long(), term.denominator_as_long())


def _constant(value: Fraction, *, real: bool) -> Constant:
    return Constant(value if real or value.denominator != 1 else value.numerator)


def _sum(parts: list[Expr], constant: Fraction, *, real: bool) -> Expr:
    if not parts:
        return _constant(constant, real=real)
    found, *rest = parts
    for part in rest:
        found = Apply("+", (found, part))
    if constant:
        found = Apply("+" if constant > 0 else "-", (found, _constant(abs(constant), real=real)))
    return found


def _among(name: str, members: list[str | int]) -> Expr:
    if len(members) == 1:
        return Apply("=", (Name(name), Constant(members[0])))
    return Apply("in", (Name(name), Apply("set", tuple(map(Constant, members))))) if members else FALSE


def _with_equations(parts: list[Expr]) -> list[Expr]:
    """The same conditions, with an equation for two bounds that are equal."""
    bounds: dict[Expr, dict[str, Expr]] = {}
    found: list[Expr] = []
    for part in parts:
        match _closed(part):
            case Apply(("<=" | ">=") as word, (left, right)):
                other = bounds.setdefault(left, {}).get({"<=": ">=", ">=": "<="}[word])
                if other is not None and isinstance(other, Apply) and other.args[1] == right:
                    found[found.index(other)] = Apply("=", (left, right))
                    continue
                bounds[left][word] = _closed(part)
                found.append(_closed(part))
                continue
        found.append(part)
    return found


def _closed(part: Expr) -> Expr:
    """A strict bound of an integer as one that is not: `n < 3` as `n <= 2`."""
    match part:
        case Apply(("<" | ">") as word, (left, Constant(int() as bound))):
            return Apply(f"{word}=", (left, Constant(bound - 1 if word == "<" else bound + 1)))
    return part
