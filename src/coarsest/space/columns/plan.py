"""In which order the values of a state, or of a step, are decided for many rows at once.

Reference: –
Symbols:   an *unknown* is an input of the step, or a variable after it; of an initial state, a variable.
Invariant: an expression is evaluated when all unknowns that it reads are decided.
Deviates:  –
Cost:      of a plan, one pass over the expressions for each unknown.

An equation gives values at once, and so does a conjunct `next(x) = e` of a constraint. Where neither is ready, all values of
an unknown are candidates: of the constraint that needs the fewest candidates to be tested. What nothing reads comes last.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from math import prod
from typing import Final, TypeAlias

from msgspec import Struct

from coarsest import tuning
from coarsest.logic.expr import FALSE, TRUE, Apply, Expr, Name, subexpressions
from coarsest.model.machine import Kind, Machine
from coarsest.space.columns.column import NotInColumns

PARTIAL: Final = frozenset({"/", "mod", "<<", ">>", "case"})
"""Operators that have no value for some operands."""

Unknown: TypeAlias = "tuple[str, bool]"
"""A variable, and whether it is the one after the step."""


class Equation(Struct, frozen=True, eq=False):
    """A variable takes one of the values of an expression. Values outside its type are an error, or are left out."""

    unknown: Unknown
    expr: Expr
    after: bool
    form: str = ""
    """How its left side reads, with the name of the variable in it; empty for a constraint, whose values may be of any type."""


class Condition(Struct, frozen=True, eq=False):
    """Rows in which it is false are left out. It has to have a value, if it is not `tolerant`."""

    expr: Expr
    after: bool
    tolerant: bool = False


class Candidates(Struct, frozen=True, eq=False):
    """All values of an unknown are tried."""

    unknown: Unknown


class Settle(Struct, frozen=True, eq=False):
    """What follows reads values that were decided since the last batch was put together: a new one is."""


Level: TypeAlias = Equation | Condition | Candidates | Settle


class Requirements:
    """What decides unknowns, and what each part of it reads."""

    def __init__(self, machine: Machine, unknown: Sequence[Unknown]) -> None:
        self.machine = machine
        self.unknown = list(unknown)
        self.equations: list[Equation] = []
        self.conditions: list[Condition] = []
        self._reads: dict[tuple[int, bool], frozenset[Unknown]] = {}

    def equate(self, unknown: Unknown, expr: Expr, *, after: bool, form: str) -> None:
        if any(equation.unknown == unknown for equation in self.equations):
            raise NotInColumns(f"'{unknown[0]}' has two equations")
        if unknown not in self.unknown:
            raise NotInColumns(f"'{unknown[0]}' never changes, but an equation gives it values")
        self.equations.append(Equation(unknown, expr, after, form))

    def constrain(self, exprs: Iterable[Expr], *, after: bool) -> None:
        """Conjuncts are tested one by one; the whole has to have a value where none of them is false."""
        for expr in exprs:
            parts = list(self._conjuncts(expr, after=after))
            partial = len(parts) > 1 and self._is_partial(expr)
            self.conditions += [Condition(part, when, partial) for part, when in parts]
            if partial:
                self.conditions.append(Condition(expr, after))

    def _conjuncts(self, expr: Expr, *, after: bool) -> Iterator[tuple[Expr, bool]]:
        match expr:
            case Apply("and", args):
                for arg in args:
                    yield from self._conjuncts(arg, after=after)
            case Apply("next", (inner,)) if not after:
                yield from self._conjuncts(inner, after=True)
            case Name(name) if isinstance(body := self.machine.definitions.get(name), Apply) and body.op == "and":
                yield from self._conjuncts(body, after=after)
            case _:
                yield expr, after

    @property
    def parts(self) -> list[Equation | Condition]:
        return [*self.equations, *self.conditions]

    def reads(self, part: Equation | Condition) -> frozenset[Unknown]:
        """The variables that its expression reads, definitions opened."""
        key = id(part.expr), part.after
        if key not in self._reads:
            self._reads[key] = frozenset(self._read(part))
        return self._reads[key]

    def _read(self, level: Equation | Condition) -> Iterator[Unknown]:
        visited: set[tuple[int, bool]] = set()
        waiting: list[tuple[Expr, bool]] = [(level.expr, level.after)]
        while waiting:
            part, when = waiting.pop()
            if (id(part), when) in visited:
                continue
            visited.add((id(part), when))
            if isinstance(part, Apply):
                if when and part.op == "next":
                    raise NotInColumns("next() inside next(): only one step can be looked ahead")
                when = when or part.op == "next"
                waiting.extend((arg, when) for arg in part.args)
            elif isinstance(part, Name) and part.name in self.machine.variables:
                yield part.name, when and self.machine.variables[part.name].kind is Kind.STATE
            elif isinstance(part, Name) and part.name in self.machine.definitions:
                waiting.append((self.machine.definitions[part.name], when))

    def _is_partial(self, expr: Expr) -> bool:
        opened: set[str] = set()
        waiting = [expr]
        while waiting:
            for part in subexpressions(waiting.pop()):
                if isinstance(part, Apply) and part.op in PARTIAL and not (part.op == "case" and part.args[-2] == TRUE):
                    return True
                if isinstance(part, Name) and part.name in self.machine.definitions and part.name not in opened:
                    opened.add(part.name)
                    waiting.append(self.machine.definitions[part.name])
        return False

    def bindings(self) -> Iterator[tuple[Equation, Condition]]:
        """Equations that are conjuncts of constraints, each with the condition that it replaces."""
        for condition in self.conditions:
            for left, right in _bound(condition.expr):
                unknown = self._as_unknown(left, after=condition.after)
                if unknown is not None and not self._is_partial(right):
                    yield Equation(unknown, right, condition.after), condition

    def _as_unknown(self, expr: Expr, *, after: bool) -> Unknown | None:
        if isinstance(expr, Apply) and expr.op == "next" and not after:
            expr, after = expr.args[0], True
        place = (expr.name, after) if isinstance(expr, Name) else None
        return place if place in self.unknown else None


def _bound(expr: Expr) -> Iterator[tuple[Expr, Expr]]:
    """What a condition says to be one of the values of what."""
    match expr:
        case Name() | Apply("next"):
            yield expr, TRUE
        case Apply("not", (inner,)):
            yield inner, FALSE
        case Apply("=" | "iff", (left, right)):
            yield left, right
            yield right, left
        case Apply("in", (left, right)):
            yield left, right


def plan(requirements: Requirements, *, decided: Iterable[Unknown] = (), state: str) -> list[Level]:
    """The levels; `decided` are unknowns that have values already, `state` says of what there would be too many candidates."""
    return _Planner(requirements, set(decided)).levels(state)


class _Planner:
    def __init__(self, requirements: Requirements, decided: set[Unknown]) -> None:
        self.requirements = requirements
        self.unknown = [one for one in requirements.unknown if one not in decided]
        self.open = set(self.unknown)
        self.fresh: set[Unknown] = set()
        self.conditions = list(requirements.conditions)
        self.bindings = list(requirements.bindings())
        self.result: list[Level] = []

    def levels(self, state: str) -> list[Level]:
        self._conditions()
        while self.open:
            if not self._equations():
                self._add(Candidates(self._next_candidate()), frozenset())
            self._conditions()
        last = max((place for place, level in enumerate(self.result) if isinstance(level, Condition)), default=0)
        tried = prod(self._size(level.unknown) for level in self.result[:last] if isinstance(level, Candidates))
        if tried > tuning.CANDIDATES:
            raise NotInColumns(f"{state} has {tried:,} candidates, too many to be tried one by one")
        return self.result

    def _add(self, level: Level, reads: frozenset[Unknown]) -> None:
        if reads & self.fresh:
            self.result.append(Settle())
            self.fresh.clear()
        self.result.append(level)
        if isinstance(level, Equation | Candidates):
            self.open.discard(level.unknown)
            self.fresh.add(level.unknown)

    def _equations(self) -> bool:
        """All equations that are ready; were there some?"""
        before = len(self.result)
        for equation in self.requirements.equations:
            self._equation(equation)
        for equation, condition in self.bindings:
            if condition in self.conditions and self._equation(equation) and not condition.tolerant:
                self.conditions.remove(condition)
        return len(self.result) > before

    def _equation(self, equation: Equation) -> bool:
        reads = self.requirements.reads(equation)
        if equation.unknown not in self.open or reads & self.open:
            return False
        if not equation.form and any(strict.unknown == equation.unknown for strict in self.requirements.equations):
            return False
        self._add(equation, reads)
        return True

    def _conditions(self) -> None:
        for condition in list(self.conditions):
            reads = self.requirements.reads(condition)
            if not reads & self.open:
                self._add(condition, reads)
                self.conditions.remove(condition)

    def _next_candidate(self) -> Unknown:
        """Of what is read by the condition or equation that lacks the fewest candidates."""
        given = {equation.unknown for equation in self.requirements.equations}
        waiting: list[Condition | Equation] = [*self.conditions]
        waiting += (equation for equation in self.requirements.equations if equation.unknown in self.open)
        missing = [(self.requirements.reads(one) & self.open) - given for one in waiting]
        best = min((some for some in missing if some), key=lambda some: prod(map(self._size, some)), default=self.open - given)
        if not best:
            raise NotInColumns("equations depend on one another")
        return min((one for one in self.unknown if one in best), key=self._size)

    def _size(self, unknown: Unknown) -> int:
        return self.requirements.machine.variables[unknown[0]].type.size
