"""The initial states of a machine and the successors of a batch of states, in columns.

Reference: –
Symbols:   a *batch* is an array of states; each row of what comes out has the row of the batch that it comes from.
Invariant: rows that violate a condition are left out as soon as all that it reads is decided.
Deviates:  inputs that nothing reads have no part in it; a step may come out more than once.
Cost:      one pass over the rows for each operator and each combination of values of the inputs that are unrolled.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from math import prod
from typing import NamedTuple

import numpy as np

from coarsest import tuning
from coarsest.model.machine import Kind, Machine
from coarsest.space.columns.column import FALSE, Array, Mask, NotInColumns, Rows, taken
from coarsest.space.columns.frame import ColumnFrame, Vocabulary
from coarsest.space.columns.packed import Field, TypeValues, Words
from coarsest.space.columns.plan import Candidates, Condition, Equation, Level, Requirements, Settle, Unknown, plan


class StepRows(NamedTuple):
    """Steps that come out together: the states after them, each with the row it comes from and inputs."""

    after: Words
    sources: Rows
    inputs: Mapping[str, int | Array]
    """The indices of their values."""


class Successors:
    """Initial states and successors of one machine. Raises NotInColumns where arrays cannot hold what it says."""

    def __init__(self, machine: Machine, also: Sequence[str] = ()) -> None:
        """Inputs in `also` are told of each step, whether something reads them or not."""
        self.machine = machine
        self.vocabulary = Vocabulary(machine)
        self.packing = self.vocabulary.packing
        self._also = also
        self._initial = self._plan_of_initial_states()
        self._unrolled, self._steps = self._plan_of_steps(also)

    def _plan_of_initial_states(self) -> list[Level]:
        machine = self.machine
        required = Requirements(machine, [(v.name, False) for v in machine.state_variables])
        for name, expr in machine.initial_values.items():
            required.equate((name, False), expr, after=False, form="init({})")
        for name, expr in machine.current_values.items():
            required.equate((name, False), expr, after=False, form="{}")
        required.constrain(machine.initial_constraints, after=False)
        required.constrain(machine.invariant_constraints, after=False)
        self._enter(required)
        return plan(required, state="an initial state")

    def _plan_of_steps(self, also: Sequence[str]) -> tuple[list[str], list[Level]]:
        machine = self.machine
        after = [(v.name, True) for v in machine.of_kind(Kind.STATE)]
        required = Requirements(machine, [*((v.name, False) for v in machine.input_variables), *after])
        for name, expr in machine.next_values.items():
            required.equate((name, True), expr, after=False, form="next({})")
        for name, expr in machine.current_values.items():
            required.equate((name, machine.variables[name].kind is Kind.STATE), expr, after=True, form="next({})")
        required.constrain(machine.transition_constraints, after=False)
        required.constrain(machine.invariant_constraints, after=True)
        self._enter(required)
        read = {one for level in required.parts for one in required.reads(level)}
        inputs = [v.name for v in machine.input_variables if (v.name, False) in read or v.name in also]
        required.unknown = [*((name, False) for name in inputs), *after]
        unrolled: list[str] = []
        for name in sorted(inputs, key=lambda name: machine.variables[name].type.size):
            if prod(machine.variables[one].type.size for one in (*unrolled, name)) <= tuning.UNROLLED:
                unrolled.append(name)
        return unrolled, plan(required, decided=[(name, False) for name in unrolled], state="a step")

    def _enter(self, required: Requirements) -> None:
        for level in required.parts:
            self.vocabulary.enter(level.expr)

    # Coming out

    def initial(self) -> Iterator[Words]:
        """The initial states, some of them perhaps more than once."""
        nothing = tuple(np.zeros(1, dtype=np.uint64) for _ in range(self.packing.words))
        for steps in self._from(ColumnFrame(self.vocabulary, nothing), self._initial, 0, nothing, None):
            yield steps.after

    def of(self, states: Words) -> Iterator[StepRows]:
        """The steps from some states."""
        if not len(states[0]):
            return
        frame = ColumnFrame(self.vocabulary, states, states)
        values = [self.vocabulary.inputs[name] for name in self._unrolled]
        for codes in product(*(range(one.size) for one in values)):
            frame.unroll({name: one.constant(code) for name, one, code in zip(self._unrolled, values, codes)})
            yield from self._from(frame, self._steps, 0, states, None)

    def _from(
        self, frame: ColumnFrame, levels: Sequence[Level], place: int, after: Words, rows: Rows | None
    ) -> Iterator[StepRows]:
        """Decide the levels from a place on; `after` is what is decided, for some rows of the frame: for all of them, if None."""
        while place < len(levels):
            level = levels[place]
            place += 1
            if isinstance(level, Settle):
                frame, rows = self._settled(frame, after, rows), None
            elif isinstance(level, Condition):
                after, rows = _satisfying(frame, level, after, rows)
            elif isinstance(level, Equation):
                after, rows = self._given(frame, level, after, rows)
            elif len(after[0]) * self._values(level.unknown).size <= tuning.MOST_ROWS:
                frame, after, rows = self._tried(frame, level, after, rows, range(self._values(level.unknown).size))
            else:
                yield from self._in_parts(frame, levels, place, after, rows)
                return
            if not len(after[0]):
                return
            if len(after[0]) > tuning.MOST_ROWS:
                for some in np.array_split(np.arange(len(after[0])), 2):
                    own = some if rows is None else rows[some]
                    yield from self._from(frame, levels, place, tuple(one[some] for one in after), own)
                return
        yield StepRows(after, frame.sources(rows), {name: self._codes_of_input(frame, name, rows) for name in self._also})

    def _in_parts(
        self, frame: ColumnFrame, levels: Sequence[Level], place: int, after: Words, rows: Rows | None
    ) -> Iterator[StepRows]:
        """The same where the candidates at the place before would be too many at once."""
        level = levels[place - 1]
        assert isinstance(level, Candidates)
        size, most = self._values(level.unknown).size, tuning.MOST_ROWS
        for row in range(0, len(after[0]), max(1, most // size)):
            some = np.arange(row, min(len(after[0]), row + max(1, most // size)))
            own = some if rows is None else rows[some]
            for code in range(0, size, most):
                words = tuple(one[some] for one in after)
                parts = self._tried(frame, level, words, own, range(code, min(size, code + most)))
                yield from self._from(parts[0], levels, place, parts[1], parts[2])

    def _values(self, unknown: Unknown) -> TypeValues:
        name = unknown[0]
        return self.vocabulary.inputs[name] if name in self.vocabulary.inputs else self.packing.fields[name].values

    def _settled(self, frame: ColumnFrame, after: Words, rows: Rows | None) -> ColumnFrame:
        """A frame of the rows as they are decided so far."""
        return ColumnFrame(self.vocabulary, after) if frame.after is None else frame.part(rows, after)

    def _tried(
        self, frame: ColumnFrame, level: Candidates, after: Words, rows: Rows | None, indices: range
    ) -> tuple[ColumnFrame, Words, Rows | None]:
        """Each row once with each of some values of the unknown."""
        name, number = level.unknown[0], len(after[0])
        again = np.repeat(np.arange(number), len(indices))
        codes = np.tile(np.asarray(indices), number)
        rows = again if rows is None else rows[again]
        after = tuple(one[again] for one in after)
        if name in self.vocabulary.inputs:
            return frame.part(rows, after, {name: self.vocabulary.inputs[name].column(codes)}), after, None
        return frame, self.packing.fields[name].put(after, codes), rows

    def _given(self, frame: ColumnFrame, level: Equation, after: Words, rows: Rows | None) -> tuple[Words, Rows | None]:
        """Each row once with each value that the equation gives the unknown there."""
        name, is_after = level.unknown
        options = frame.options(level.expr, after=level.after)
        if level.form:
            frame.require_defined(level.expr, after=level.after, rows=rows)
        if name in self.vocabulary.inputs:
            raise NotInColumns("an input has an equation")
        field = self.packing.fields[name]
        own = frame.own_column(name) if is_after else None
        parts: list[tuple[Rows | None, int | Array | None]] = []
        for condition, value in options:
            if value is own:
                codes: int | Array | None = None
            else:
                codes, wrong = field.values.codes(value)
                if wrong != FALSE and level.form:
                    frame.require_in_type(field.variable, level, condition & wrong, value, rows)
                elif wrong != FALSE:
                    condition = condition & ~wrong
            some = _where(condition, rows)
            if some is None or len(some):
                parts.append((some, None if codes is None else taken(taken(codes, rows), some)))
        return _joined(field, after, rows, parts)

    def _codes_of_input(self, frame: ColumnFrame, name: str, rows: Rows | None) -> int | Array:
        codes: int | Array = taken(self.vocabulary.inputs[name].codes(frame.inputs[name])[0], rows)
        return codes


def _satisfying(frame: ColumnFrame, level: Condition, after: Words, rows: Rows | None) -> tuple[Words, Rows | None]:
    """The rows in which a condition may be true; if it is tolerant, or has no value."""
    truth = frame.truth(level.expr, after=level.after)
    if level.tolerant:
        truth = truth | frame.undefined(level.expr, after=level.after)
    else:
        frame.require_defined(level.expr, after=level.after, rows=rows)
    some = _where(truth, rows)
    if some is None:
        return after, rows
    return tuple(one[some] for one in after), some if rows is None else rows[some]


def _where(condition: Mask, rows: Rows | None) -> Rows | None:
    """Which of these rows of a frame satisfy a condition, by their places among them; None for all."""
    if isinstance(condition.data, bool):
        return None if condition.data else np.zeros(0, dtype=np.int64)
    return np.flatnonzero(condition.data if rows is None else condition.data[rows])


def _joined(
    field: Field, after: Words, rows: Rows | None, parts: Sequence[tuple[Rows | None, int | Array | None]]
) -> tuple[Words, Rows | None]:
    """The rows of all parts with the values that they have there; None is the value that the field has already."""
    if len(parts) == 1 and parts[0][0] is None:
        codes = parts[0][1]
        return (after if codes is None else field.put(after, codes)), rows
    chosen = [np.arange(len(after[0])) if some is None else some for some, _ in parts]
    again = np.concatenate(chosen) if chosen else np.zeros(0, dtype=np.int64)
    words = [one[again] for one in after]
    pieces = []
    for some, (_, codes) in zip(chosen, parts):
        piece = after[field.place][some]
        pieces.append(piece if codes is None else (piece & field.clear) | field.placed(codes))
    if pieces:
        words[field.place] = np.concatenate(pieces)
    return tuple(words), again if rows is None else rows[again]
