"""Tables of BLIF-MV as functions: a relation becomes a function of its inputs and of a choice.

A table relates inputs to outputs. It is a function if each input has one output. Otherwise, there is an input `x.choice` for each
output x: if the table allows the choices, they are the outputs, and if not, the outputs are those of the first row that fits. So
exactly the outputs that the table allows can occur, and all readers of a signal see the same value.

Reference: Kukimoto 1996, "BLIF-MV", section 2.
Symbols:   a row is a list of cells, those of the inputs first; a cell is a set of values, or the value of another signal.
Invariant: –
Deviates:  if an input fits no row, and there is no default, any output is allowed; a warning says so.
Cost:      quadratic in the number of rows to see whether they overlap; whether they cover all inputs is given up after some work.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import combinations, product
from typing import Final

from msgspec import Struct

from coarsest.formats.blif_mv.cells import Cell, Domain, Same, fits
from coarsest.logic.expr import FALSE, TRUE, Apply, Expr, Name, conjunction

MOST_PAIRS: Final = 1_000_000
"""A table with more pairs of rows is treated as a relation, unless all its inputs are given value by value."""
MOST_PARTS: Final = 20_000
"""A table that covers all inputs in more parts than this is treated as if it did not."""


class CellTable(Struct, frozen=True, dict=True):
    """A table with sets as cells. All signals have their names in the model; `full_name` has those in the whole circuit."""

    inputs: Sequence[Name]
    outputs: Sequence[Name]
    domains: Mapping[str, Domain]
    rows: Sequence[Sequence[Cell]]
    default: Sequence[Cell] | None
    full_name: Mapping[str, str]

    def domain(self, column: int) -> Domain:
        return self.domains[self.signal(column).name]

    def signal(self, column: int) -> Name:
        width = len(self.inputs)
        return self.inputs[column] if column < width else self.outputs[column - width]

    @cached_property
    def is_function(self) -> bool:
        """Does each input have at most one output? The answer "no" is always safe."""
        width = len(self.inputs)
        if any(_is_open(row[width:]) for row in self.rows) or (self.default and _is_open(self.default)):
            return False
        by_input: dict[tuple[int, ...], Sequence[Cell]] = {}
        general: list[Sequence[Cell]] = []
        for row in self.rows:
            key = tuple(cell for cell in row[:width] if isinstance(cell, int) and cell & (cell - 1) == 0)
            if len(key) < width:
                general.append(row)
            elif by_input.setdefault(key, row)[width:] != row[width:]:
                return False
        if len(general) * (len(general) + len(by_input)) > MOST_PAIRS:
            return False
        pairs = (*combinations(general, 2), *product(general, by_input.values()))
        return not any(
            left[width:] != right[width:]
            and all(isinstance(a, Same) or isinstance(b, Same) or a & b for a, b in zip(left[:width], right))
            for left, right in pairs
        )


def _is_open(cells: Sequence[Cell]) -> bool:
    return any(isinstance(cell, int) and cell & (cell - 1) for cell in cells)


def covers_all(table: CellTable) -> bool:
    """Does every input fit a row? The answer "no" is always safe."""
    width = len(table.inputs)
    full = [table.domain(column).full for column in range(width)]
    rows = [row[:width] for row in table.rows if not any(isinstance(cell, Same) for cell in row[:width])]
    waiting, parts = [(full, rows)], 0
    while waiting:
        box, inside = waiting.pop()
        parts += 1
        split = _column_to_split(box, inside)
        if not inside or parts > MOST_PARTS:
            return False
        if split is None:
            continue
        column, values = split
        for half in (values, box[column] & ~values):
            smaller = [*box[:column], half, *box[column + 1 :]]
            waiting.append((smaller, [row for row in inside if int(row[column]) & half]))  # type: ignore[arg-type]
    return True


def _column_to_split(box: list[int], rows: Sequence[Sequence[Cell]]) -> tuple[int, int] | None:
    """A column in which a row covers only a part of the box, and that part; None if a row covers the box, or there is no row."""
    narrowest: tuple[int, int] | None = None
    for row in rows:
        cut = next(((column, cell & part) for column, (cell, part) in enumerate(zip(row, box))
                    if isinstance(cell, int) and cell & part != part), None)  # fmt: skip
        if cut is None:
            return None
        narrowest = narrowest or cut
    return narrowest


def functions(table: CellTable, choices: Sequence[Name]) -> Iterator[Expr]:
    """The value of each output; for a relation, with a choice for each output."""
    width = len(table.inputs)
    parts = [[_fits(table, column, cell) for column, cell in enumerate(row[:width])] for row in table.rows]
    conditions = [conjunction([part for part in row if part != TRUE]) for row in parts]
    for k, output in enumerate(table.outputs):
        default = None if table.default is None else table.default[k]
        first = _first(table, k, conditions, [row[width + k] for row in table.rows], default)
        if not choices:
            yield first
        else:
            choice = Name(table.full_name[choices[k].name], output.span)
            yield Apply("case", (_allows(table, conditions, choices), choice, TRUE, first))


def _fits(table: CellTable, column: int, cell: Cell, name: str = "") -> Expr:
    signal = table.signal(column)
    return fits(Name(table.full_name[name or signal.name], signal.span), table.domain(column), cell, table.full_name)


def _allows(table: CellTable, conditions: Sequence[Expr], choices: Sequence[Name]) -> Expr:
    """Does the table allow these choices as outputs?"""
    width = len(table.inputs)

    def allows(cells: Sequence[Cell]) -> list[Expr]:
        return [_fits(table, width + k, cell, choice.name) for k, (cell, choice) in enumerate(zip(cells, choices))]

    terms = [conjunction([condition, *allows(row[width:])]) for condition, row in zip(conditions, table.rows)]
    none = Apply("not", (_any(conditions),))
    terms.append(conjunction([none, *(allows(table.default) if table.default is not None else [])]))
    return _any(terms)


def _first(table: CellTable, output: int, conditions: Sequence[Expr], cells: Sequence[Cell], default: Cell | None) -> Expr:
    """The value of an output by the first row that fits; the smallest if the row has several values."""
    values = [_smallest(table, output, cell) for cell in cells]
    last = _smallest(table, output, 1 if default is None else default)
    by_value: dict[Expr, list[Expr]] = {}
    if table.is_function:
        for value, condition in zip(values, conditions):
            by_value.setdefault(value, []).append(condition)
        groups = list(by_value.items())
    else:
        groups = [(value, [condition]) for value, condition in zip(values, conditions)]
    if default is None and groups and (len(groups) == 1 or table.is_function):
        last = groups.pop()[0]  # inputs that fit no other group have this value: they fit this one, or any value is allowed
    else:
        groups = [(value, fitting) for value, fitting in groups if value != last or not table.is_function]
    if not groups:
        return last
    if last in (FALSE, TRUE) and all(value == (TRUE if last == FALSE else FALSE) for value, _ in groups):
        holds = _any([condition for _, fitting in groups for condition in fitting])
        return holds if last == FALSE else Apply("not", (holds,))
    return Apply("case", (*(part for value, fitting in groups for part in (_any(fitting), value)), TRUE, last))


def _smallest(table: CellTable, output: int, cell: Cell) -> Expr:
    if isinstance(cell, Same):
        return Name(table.full_name[cell.signal], table.outputs[output].span)
    return table.domain(len(table.inputs) + output).constants[(cell & -cell).bit_length() - 1]


def _any(parts: Sequence[Expr]) -> Expr:
    if TRUE in parts:
        return TRUE
    return FALSE if not parts else parts[0] if len(parts) == 1 else Apply("or", tuple(parts))
