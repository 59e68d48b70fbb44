"""The expressions, states and steps of a machine as formulas of z3, written from the interpreter's point of view.

A term says for all states what the interpreter computes in one: an expression has one value or, if it leaves a choice, several
values, each under a condition. Nothing is shared with the formulas of the engines.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cached_property, reduce
from itertools import product
from typing import TYPE_CHECKING, Any, TypeAlias

from msgspec import Struct

from coarsest import tuning
from coarsest.errors import EvidenceRejected
from coarsest.evidence.effort import NotConfirmed
from coarsest.evidence.smt.operators import Single, TermOperators
from coarsest.evidence.smt.questions import Questions
from coarsest.logic.expr import Apply, Constant, Expr, Name, Value
from coarsest.logic.operators import SETTLED_BY
from coarsest.model.machine import Kind, Machine, Variable
from coarsest.model.types import Boolean, Enumeration, IntegerType, Range, RealType, Type
from coarsest.run import Run

if TYPE_CHECKING:
    import z3

Key: TypeAlias = tuple[int, bool]
"""An expression, by its identity, now or after the step."""


class PossibleValues(Struct, frozen=True):
    """The values that an expression may have, each with its condition."""

    options: Sequence[tuple[z3.BoolRef, Single]]
    single: bool = True
    """Is exactly one of the conditions true?"""


class MachineFormulas:
    """One machine; every shared part of an expression is made once."""

    def __init__(self, machine: Machine, run: Run) -> None:
        self.machine = machine
        self.questions = Questions(run)
        self.z3 = self.questions.z3
        self.context = self.questions.context
        self.operators = TermOperators(self.questions)
        self.true = self.z3.BoolVal(True, self.context)
        self.false = self.z3.BoolVal(False, self.context)
        self.now = {v.name: self._term(v, v.name) for v in machine.variables.values()}
        self.after = {v.name: self._term(v, f"next({v.name})") for v in machine.of_kind(Kind.STATE)}
        self.after |= {v.name: self.now[v.name] for v in machine.of_kind(Kind.FROZEN)}
        self.problems: list[z3.BoolRef] = []
        """Conditions under which an expression has no value, or a variable is given a value outside its type."""
        self._possible: dict[Key, tuple[Expr, PossibleValues]] = {}
        self._lacking: dict[Key, z3.BoolRef] = {}
        for variable in machine.variables.values():
            self.questions.assume(self.domain(variable))
            if variable.kind is Kind.STATE:
                self.questions.assume(self.domain(variable, after=True))

    def every(self, formulas: Sequence[z3.BoolRef]) -> z3.BoolRef:
        parts = [formula for formula in formulas if not self.z3.is_true(formula)]
        if any(self.z3.is_false(part) for part in parts):
            return self.false
        return self.z3.And(parts) if parts else self.true

    def some(self, formulas: Sequence[z3.BoolRef]) -> z3.BoolRef:
        parts = [formula for formula in formulas if not self.z3.is_false(formula)]
        if any(self.z3.is_true(part) for part in parts):
            return self.true
        return self.z3.Or(parts) if parts else self.false

    def opposite(self, formula: z3.BoolRef) -> z3.BoolRef:
        return self.z3.simplify(self.z3.Not(formula)) if self._is_constant(formula) else self.z3.Not(formula)

    def _is_constant(self, formula: z3.BoolRef) -> bool:
        return bool(self.z3.is_true(formula) or self.z3.is_false(formula))

    # Variables

    def _term(self, variable: Variable, name: str) -> Any:
        """The term for a variable; a symbol of an enumeration is represented by its index."""
        match variable.type:
            case Boolean():
                return self.z3.Bool(name, self.context)
            case RealType():
                return self.z3.Real(name, self.context)
            case Range() | IntegerType() | Enumeration():
                return self.z3.Int(name, self.context)
        raise NotConfirmed(f"the type {variable.type} occurs in it")

    def domain(self, variable: Variable, *, after: bool = False) -> z3.BoolRef:
        """The condition that a variable has a value of its type."""
        term = (self.after if after else self.now)[variable.name]
        match variable.type:
            case Range(low, high):
                return self.z3.And(low <= term, term <= high)
            case Enumeration(members) if _has_symbols(variable.type):
                return self.z3.And(term >= 0, term < len(members))
            case Enumeration(members):
                return self.z3.Or([term == member for member in members])
        return self.true

    def _variable(self, variable: Variable, *, after: bool) -> PossibleValues:
        if after and variable.name not in self.after:
            raise NotConfirmed(f"next({variable.name}) of an input occurs in it")
        term = (self.after if after else self.now)[variable.name]
        if isinstance(variable.type, Enumeration) and _has_symbols(variable.type):
            return PossibleValues([(term == index, self._constant(member)) for index, member in enumerate(variable.type.members)])
        return PossibleValues([(self.true, term)])

    def _constant(self, value: Value) -> Single:
        match value:
            case str():
                return value
            case bool():
                return self.true if value else self.false
            case int():
                return self.operators.number(value)
            case Fraction():
                return self.z3.RealVal(value, self.context)
        raise NotConfirmed("a word occurs in it")

    def has_value(self, name: str, value: Value) -> z3.BoolRef:
        """The condition that a variable has this value now."""
        variable = self._variable(self.machine.variables[name], after=False)
        constant = self._constant(value)
        return self.some([self.every([when, self.operators.equal(term, constant)]) for when, term in variable.options])

    # Expressions

    def possible(self, expr: Expr, *, after: bool = False) -> PossibleValues:
        """The values of an expression now, or after the step. There is no recursion, since expressions may be deep."""
        waiting = [(expr, after)]
        opening: set[Key] = set()
        while waiting:
            part, later = waiting[-1]
            key = id(part), later
            missing = [(p, when) for p, when in self._parts(part, after=later) if (id(p), when) not in self._possible]
            if key in self._possible or not missing:
                waiting.pop()
                if key not in self._possible:  # the expression is kept, so that its identity stays its own
                    self._possible[key] = part, self._compute(part, after=later)
            elif key in opening:
                raise NotConfirmed("a definition refers to itself")
            else:
                opening.add(key)
                waiting.extend(missing)
        return self._possible[id(expr), after][1]

    def _parts(self, expr: Expr, *, after: bool) -> list[tuple[Expr, bool]]:
        match expr:
            case Apply(op, args):
                return [(arg, after or op == "next") for arg in args]
            case Name(name) if name not in self.machine.variables:
                if name not in self.machine.definitions:
                    raise NotConfirmed(f"the name '{name}' has no meaning in the model")
                return [(self.machine.definitions[name], after)]
        return []

    def _compute(self, expr: Expr, *, after: bool) -> PossibleValues:
        parts = self._parts(expr, after=after)
        values = [self._possible[id(part), later][1] for part, later in parts]
        lacking = [self._lacking.get((id(part), later), self.false) for part, later in parts]
        match expr:
            case Constant(value):
                return PossibleValues([(self.true, self._constant(value))])
            case Name(name) if name in self.machine.variables:
                return self._variable(self.machine.variables[name], after=after)
            case Name() | Apply("next"):
                result, where = values[0], lacking[0]
            case Apply("case"):
                result, where = self._case(values, lacking)
            case Apply(op):
                result, where = self._apply(op, values, lacking)
        if not self.z3.is_false(where):
            self._lacking[id(expr), after] = where
        return result

    def _can_be(self, value: PossibleValues, *, truth: bool) -> z3.BoolRef:
        apply = self.operators.apply
        options = [(when, term if truth else apply("not", [term])) for when, term in value.options]
        return self.some([self.every([when, apply("and", [term])]) for when, term in options])

    def _apply(self, op: str, values: list[PossibleValues], lacking: list[z3.BoolRef]) -> tuple[PossibleValues, z3.BoolRef]:
        """The values of an operator, and the condition under which it has none."""
        where = [self.some(lacking)]
        if op in ("set", "union"):
            every = [option for value in values for option in value.options]
            return self._joined(every, single=len(values) == 1 and values[0].single), where[0]
        if op == "in":
            return PossibleValues([(self.true, self._included(*values))]), where[0]
        if len(values) > 1 and reduce(lambda n, value: n * len(value.options), values, 1) > tuning.JUDGED_COMBINATIONS:
            raise NotConfirmed(f"choices meet in more than {tuning.JUDGED_COMBINATIONS} combinations")
        options = []
        for combination in product(*(value.options for value in values)):
            condition = self.every([when for when, _ in combination])
            operands = [term for _, term in combination]
            where.append(self.every([condition, self.operators.lacks_value(op, operands)]))
            options.append((condition, self.operators.apply(op, operands)))
        if op in SETTLED_BY and not self.z3.is_false(where[0]):  # an operand that settles the result makes the others unnecessary
            first, others = SETTLED_BY[op]
            unsettled = [self._can_be(value, truth=not (others if number else first)) for number, value in enumerate(values)]
            settled = self.opposite(self.every([self.some(pair) for pair in zip(unsettled, lacking)]))
            where[0] = self.every([where[0], self.opposite(settled)])
            options.append((settled, self._constant(others)))
        return self._joined(options, single=all(value.single for value in values)), self.some(where)

    def _included(self, element: PossibleValues, collection: PossibleValues) -> z3.BoolRef:
        """Is every value of the element a value of the collection?"""
        inside = []
        for condition, term in element.options:
            members = [self.every([when, self.operators.equal(term, member)]) for when, member in collection.options]
            inside.append(self.some([self.opposite(condition), self.some(members)]))
        return self.every(inside)

    def _case(self, values: list[PossibleValues], lacking: list[z3.BoolRef]) -> tuple[PossibleValues, z3.BoolRef]:
        """The values of a case: a condition that can be true leads to its value, one that can be false to the next condition."""
        reached, options, where = self.true, list[Any](), []
        for number in range(0, len(values), 2):
            condition, then = values[number], values[number + 1]
            taken = self.every([reached, self._can_be(condition, truth=True)])
            where += [self.every([reached, lacking[number]]), self.every([taken, lacking[number + 1]])]
            options += [(self.every([taken, when]), term) for when, term in then.options]
            reached = self.every([reached, self._can_be(condition, truth=False)])
        return self._joined(options, single=all(value.single for value in values)), self.some([*where, reached])

    def _joined(self, options: Sequence[tuple[z3.BoolRef, Single]], *, single: bool) -> PossibleValues:
        """As few options as possible: a symbol has one option, and a single value is one term.

        If some of the numbers are real, all are.
        """
        z3 = self.z3
        options = [(when, value) for when, value in options if not z3.is_false(when)] or list(options)
        if any(not isinstance(value, str) and z3.is_real(value) for _, value in options):
            options = [(when, z3.ToReal(v) if not isinstance(v, str) and z3.is_int(v) else v) for when, v in options]
        terms = [(when, value) for when, value in options if not isinstance(value, str)]
        if single and len(terms) == len(options) and len({term.sort().name() for _, term in terms}) == 1:
            *others, (_, last) = terms
            return PossibleValues([(self.true, reduce(lambda rest, option: z3.If(*option, rest), reversed(others), last))])
        symbols: dict[str, list[Any]] = {}
        for when, value in options:
            if isinstance(value, str):
                symbols.setdefault(value, []).append(when)
        return PossibleValues([*terms, *((self.some(whens), symbol) for symbol, whens in symbols.items())], single)

    def condition(self, expr: Expr, *, after: bool = False) -> z3.BoolRef:
        """The condition that a boolean expression can be true; that it may have no value is added to the problems."""
        value = self.possible(expr, after=after)
        self.problems.append(self._lacking.get((id(expr), after), self.false))
        return self._can_be(value, truth=True)

    # States and steps

    def equation(self, name: str, expr: Expr, terms: Mapping[str, Any], *, after: bool = False) -> z3.BoolRef:
        """The condition that a variable, with its term in `terms`, has a value of the expression."""
        value = self.possible(expr, after=after)
        self.problems.append(self._lacking.get((id(expr), after), self.false))
        variable, cases = self.machine.variables[name], []
        for condition, possible in value.options:
            equal, inside = self._holds(variable.type, terms[name], possible)
            cases.append(self.every([condition, equal]))
            self.problems.append(self.every([condition, self.opposite(inside)]))
        return self.some(cases)

    def _holds(self, kind: Type, term: Any, value: Single) -> tuple[z3.BoolRef, z3.BoolRef]:
        """The conditions that a variable of the type has the value, and that the value is of the type."""
        equal, z3 = self.operators.equal, self.z3
        number: Any = value if not isinstance(value, str) and z3.is_arith(value) else None
        match kind:
            case Enumeration(members):
                here = [equal(value, self._constant(member)) for member in members]
                if not _has_symbols(kind):
                    return equal(term, value), self.some(here)
                return self.some([self.every([same, term == index]) for index, same in enumerate(here)]), self.some(here)
            case Range(low, high) if number is not None and z3.is_int(number):
                return equal(term, number), self.every([number >= low, number <= high])
            case Boolean() if not isinstance(value, str) and z3.is_bool(value):
                return equal(term, value), self.true
            case (IntegerType() | RealType()) if number is not None and (z3.is_int(number) or isinstance(kind, RealType)):
                return equal(term, number), self.true
        return self.false, self.false

    def _always(self, *, after: bool) -> list[z3.BoolRef]:
        """The conditions that are true in every state."""
        machine, terms = self.machine, self.after if after else self.now
        parts = [self.domain(v, after=after) for v in machine.of_kind(Kind.STATE, Kind.FROZEN)]
        parts += [self.equation(name, expr, terms, after=after) for name, expr in machine.current_values.items()]
        return parts + [self.condition(expr, after=after) for expr in machine.invariant_constraints]

    @cached_property
    def legal(self) -> z3.BoolRef:
        """The current state is a state of the machine."""
        return self.every(self._always(after=False))

    @cached_property
    def initial(self) -> z3.BoolRef:
        machine = self.machine
        parts = [self.equation(name, expr, self.now) for name, expr in machine.initial_values.items()]
        parts += [self.condition(expr) for expr in machine.initial_constraints]
        return self.every([self.legal, *parts])

    @cached_property
    def step(self) -> z3.BoolRef:
        """The inputs lead from the current state of the machine to the next state."""
        machine = self.machine
        parts = [self.domain(variable) for variable in machine.input_variables]
        parts += [self.equation(name, expr, self.after) for name, expr in machine.next_values.items()]
        parts += [self.condition(expr) for expr in machine.transition_constraints]
        return self.every([self.legal, *parts, *self._always(after=True)])

    def require_defined(self) -> None:
        """Raise EvidenceRejected if an expression in a condition may have no value, or a value of the wrong type."""
        if self.questions.example(self.some(self.problems)) is not None:
            raise EvidenceRejected("an expression has no value, or none of its type")
        self.problems.clear()


def _has_symbols(kind: Enumeration) -> bool:
    return not all(isinstance(member, int) for member in kind.members)
