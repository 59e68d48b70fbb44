"""The values of a machine's expressions in a batch of states, or of steps that are not complete yet.

Reference: Boncz, Zukowski, Nes 2005, "MonetDB/X100: hyper-pipelining query execution" (columns that stay in the cache).
Symbols:   –
Invariant: a value that other expressions share is computed once in a batch; one that reads an unrolled input, once for each of
           its values. Where an expression does not depend on the row it is one Python value.
Deviates:  an expression has a value in rows in which nothing asks for it, `x / y` where y is 0: what it is there does not matter.
Cost:      one pass over the rows for each operator.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from coarsest.encode.evaluate import Evaluator
from coarsest.encode.layout import value_of
from coarsest.encode.values import Boole, Single, Symbolic
from coarsest.errors import ModelProblem
from coarsest.logic.expr import Apply, Constant, Expr, Name
from coarsest.model.machine import Kind, Machine, Variable
from coarsest.model.types import show_value
from coarsest.space.columns.column import FALSE, TRUE, Mask, NotInColumns, Rows, SymbolTable, Truth, ValueColumn, taken
from coarsest.space.columns.column_operators import OPERATORS, ColumnOperators
from coarsest.space.columns.packed import Packing, TypeValues, Words
from coarsest.space.columns.plan import Equation

if TYPE_CHECKING:
    from collections.abc import Sequence


class Vocabulary:
    """What all frames of a machine share: how its states are packed, and which of its expressions are shared or read inputs."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.atoms = SymbolTable()
        self.packing = Packing(machine.state_variables, self.atoms)
        self.inputs = {variable.name: TypeValues(variable.type, self.atoms) for variable in machine.input_variables}
        self.operators = ColumnOperators(self.atoms)
        self.uses: dict[int, int] = {}
        self.reads_inputs: dict[int, bool] = {}
        self._expressions: list[Expr] = []
        """They are held, so that their identities stay their own."""

    def enter(self, expr: Expr) -> None:
        """Count how often the parts of an expression are used, definitions opened."""
        self._expressions.append(expr)
        waiting: list[tuple[Expr, bool]] = [(expr, False)]
        while waiting:
            part, done = waiting.pop()
            key = id(part)
            inner = self._inside(part)
            if done:
                self.reads_inputs[key] = any(self.reads_inputs[id(one)] for one in inner) or self._is_input(part)
                continue
            self.uses[key] = self.uses.get(key, 0) + 1
            if self.uses[key] > 1 and key not in self.reads_inputs:
                raise NotInColumns("a definition refers to itself")
            if self.uses[key] == 1:
                self._look_at(part)
                waiting.append((part, True))
                waiting.extend((one, False) for one in inner)

    def _inside(self, part: Expr) -> tuple[Expr, ...]:
        if isinstance(part, Apply):
            return part.args
        body = self.machine.definitions.get(part.name) if isinstance(part, Name) else None
        return () if body is None else (body,)

    def _look_at(self, part: Expr) -> None:
        if isinstance(part, Apply) and part.op not in OPERATORS:
            raise NotInColumns(f"'{part.op}' has no value in a single state")
        if isinstance(part, Name) and part.name not in self.machine.variables and part.name not in self.machine.definitions:
            raise NotInColumns(f"unknown name '{part.name}'")

    def _is_input(self, part: Expr) -> bool:
        return isinstance(part, Name) and part.name in self.inputs


class ColumnFrame(Evaluator[Mask]):
    """The values of expressions in some rows, each a state, perhaps with a state after it and with inputs."""

    def __init__(
        self,
        vocabulary: Vocabulary,
        now: Words,
        after: Words | None = None,
        inputs: Mapping[str, Single[Mask]] | None = None,
        origin: Rows | None = None,
    ) -> None:
        super().__init__(vocabulary.machine, vocabulary.operators, TRUE, FALSE)
        self.vocabulary = vocabulary
        self.now, self.after = now, after
        self.inputs: dict[str, Single[Mask]] = dict(inputs or {})
        self.origin = origin
        """The row of the batch that each row comes from; None if it is the same."""
        self._of_inputs: dict[tuple[int, bool], Symbolic[Mask]] = {}
        self._row: int | None = None
        self._among: Rows | None = None

    def __len__(self) -> int:
        return len(self.now[0])

    def unroll(self, inputs: Mapping[str, Single[Mask]]) -> None:
        """Go on with other values of some inputs; what does not depend on inputs stays."""
        self._of_inputs.clear()
        reads = self.vocabulary.reads_inputs
        for key in [key for key in self._undefined if reads.get(key[0], True)]:
            del self._undefined[key]
        self.inputs |= inputs

    def part(self, rows: Rows | None, after: Words | None, inputs: Mapping[str, Single[Mask]] | None = None) -> ColumnFrame:
        """Some of the rows, in another order perhaps, each with the state after it, as far as that is decided."""
        own = {name: _of_rows(value, rows) for name, value in self.inputs.items()} | dict(inputs or {})
        origin = rows if self.origin is None else taken(self.origin, rows)
        return ColumnFrame(self.vocabulary, tuple(taken(one, rows) for one in self.now), after, own, origin)

    def sources(self, rows: Rows | None) -> Rows:
        """The rows of the batch that some of these come from."""
        if self.origin is None:
            return np.arange(len(self)) if rows is None else rows
        result: Rows = taken(self.origin, rows)
        return result

    # Expressions

    def value(self, expr: Expr, *, after: bool = False) -> Symbolic[Mask]:
        key = id(expr)
        uses = self.vocabulary.uses.get(key)
        if uses is None:
            self.vocabulary.enter(expr)
        elif uses == 1 and not isinstance(expr, Constant):
            return self._compute(expr, after=after)
        if not self.vocabulary.reads_inputs.get(key):
            return super().value(expr, after=after)
        result = self._of_inputs.get((key, after))
        if result is None:
            result = self._of_inputs[key, after] = self._compute(expr, after=after)
        return result

    def undefined(self, expr: Expr, *, after: bool = False) -> Mask:
        return self._undefined.get((id(expr), after), FALSE)

    def _name(self, expr: Expr, name: str, *, after: bool) -> Symbolic[Mask]:
        if name in self.inputs:
            return self.variable(self.machine.variables[name], after=after)
        return super()._name(expr, name, after=after)

    def _rows(self, args: tuple[Expr, ...], *, after: bool) -> tuple[object, ...] | None:
        """Masks are not compared."""
        return None

    def variable(self, variable: Variable, *, after: bool = False) -> Single[Mask]:
        if variable.kind is Kind.INPUT:
            if after or variable.name not in self.inputs:
                raise NotInColumns(f"the input '{variable.name}' has no value here")
            return self.inputs[variable.name]
        if after and variable.kind is Kind.STATE:
            if self.after is None:
                raise NotInColumns("next() has no value in a single state")
            return self.vocabulary.packing.fields[variable.name].column(self.after)
        return self.vocabulary.packing.fields[variable.name].column(self.now)

    def _without_branch(self, expr: Expr, args: tuple[Expr, ...], *, after: bool) -> Symbolic[Mask]:
        """It has no value in these rows, and nothing may ask for one."""
        return self.value(args[-1], after=after)

    def own_column(self, name: str) -> Symbolic[Mask] | None:
        """The values of a variable now, if something has read them."""
        return self._variables.get((name, False))

    def options(self, expr: Expr, *, after: bool) -> Sequence[tuple[Mask, Single[Mask]]]:
        """The values that the expression may take, and in which rows."""
        return self._options(self.value(expr, after=after))

    def truth(self, expr: Expr, *, after: bool = False) -> Mask:
        """The rows in which a condition may be true; where it has no value, it is false."""
        value = self.value(expr, after=after)
        for _, option in self._options(value):
            if not isinstance(option, Boole):
                raise NotInColumns("a boolean expression is expected here")
        return self.boolean(expr, after=after)

    # Complaints

    def require_defined(self, expr: Expr, *, after: bool, rows: Rows | None = None) -> None:
        """Raise if the expression, which was evaluated, has no value in one of these rows."""
        if self._undefined and self.undefined(expr, after=after) != FALSE:
            self._among = rows
            self._row = None
            self._require_defined(expr, after=after)

    def require_in_type(self, variable: Variable, level: Equation, wrong: Mask, value: Single[Mask], rows: Rows | None) -> None:
        """Raise if a value is outside the type of the variable that it is for in one of these rows."""
        self._among, self._row = rows, None
        example = self._example(wrong)
        if example is not None and isinstance(value, ValueColumn):
            assert self._row is not None
            data = value.data if isinstance(value.data, int) else int(value.data[self._row])
            outside = show_value(self.vocabulary.atoms.values[data]) if value.kind == "atom" else data
            message = f"the value {outside} for {level.form.format(variable.name)} is outside its type {variable.type}"
            raise ModelProblem(message, level.expr.span, hint=f"it arises where {example}")

    def _example(self, where: Mask) -> str | None:
        """The state and inputs of the first row of the set that is asked about; after that, only that row counts."""
        if self._row is None:
            self._row = _first(where.data, self._among, len(self))
        elif not (where.data if isinstance(where.data, bool) else where.data[self._row]):
            return None
        return None if self._row is None else self._describe(self._row)

    def _describe(self, row: int) -> str:
        packing = self.vocabulary.packing
        state = packing.state([int(one[row]) for one in self.now])
        parts = [f"{name} = {show_value(value)}" for name, value in zip(packing.fields, state)]
        for name, value in self.inputs.items():
            values = self.vocabulary.inputs[name]
            codes = values.codes(value)[0]
            code = codes if isinstance(codes, int) else int(codes[row])
            parts.append(f"{name} = {show_value(value_of(values.kind, code))}")
        return ", ".join(parts) or "the step is taken"


def _of_rows(value: Single[Mask], rows: Rows | None) -> Single[Mask]:
    if isinstance(value, Boole):
        return value if isinstance(value.where.data, bool) else Boole(Mask(taken(value.where.data, rows)))
    assert isinstance(value, ValueColumn)
    if isinstance(value.data, int):
        return value
    return ValueColumn(taken(value.data, rows), value.kind, value.low, value.high, value.width, value.signed)


def _first(data: Truth, among: Rows | None, rows: int) -> int | None:
    """The first row of a set, among some rows."""
    if isinstance(data, bool):
        some = np.arange(rows) if among is None else among
        return int(some[0]) if data and len(some) else None
    flags = data if among is None else data[among]
    if not flags.any():
        return None
    place = int(np.argmax(flags))
    return place if among is None else int(among[place])
