"""The values of variables in states that were listed in columns: they are decoded where they are asked for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from coarsest import tuning
from coarsest.encode.layout import value_of
from coarsest.logic.expr import Expr, Value
from coarsest.lts.csr import Mask, Nodes
from coarsest.model.interpret.interpret import Interpreter, Values
from coarsest.model.types import contains
from coarsest.run import Run
from coarsest.space.columns.column import NotInColumns
from coarsest.space.columns.explore import StateNumbers
from coarsest.space.columns.frame import ColumnFrame
from coarsest.space.columns.successors import Successors
from coarsest.space.explicit.valuation import Codes, Valuation


class PackedValuation(Valuation):
    """A value for each state variable in each of the states of a table; labels are evaluated on columns."""

    def __init__(self, interpreter: Interpreter, successors: Successors, table: StateNumbers) -> None:
        super().__init__(interpreter, ())
        self._successors = successors
        self._packing = successors.packing
        self._table = table

    @property
    def count(self) -> int:
        return self._table.used

    def row(self, number: int) -> Values:
        return self._packing.state(self._table.states[number].tolist())

    def state(self, number: int) -> dict[str, Value]:
        return self.interpreter.assignment(self.row(number))

    def number(self, state: Mapping[str, Value]) -> int | None:
        fields = self._packing.fields.values()
        if not all(contains(field.variable.type, state[field.variable.name]) for field in fields):
            return None
        return self._table.number(self._packing.key(state))

    def where(self, label: Expr) -> Mask:
        """The states in which a boolean expression may be true; by the interpreter, if columns cannot say it."""
        result = np.zeros(self.count, dtype=np.bool_)
        try:
            for begin, frame in self._frames():
                truth = frame.truth(label)
                frame.require_defined(label, after=False)
                result[begin : begin + len(frame)] = truth.data
        except NotInColumns:
            return super().where(label)
        return result

    def _frames(self) -> Iterator[tuple[int, ColumnFrame]]:
        for begin in range(0, self.count, tuning.BATCH_ROWS):
            words = self._table.words(begin, min(self.count, begin + tuning.BATCH_ROWS))
            yield begin, ColumnFrame(self._successors.vocabulary, words)

    def steps_by(self, inputs: Sequence[str], run: Run) -> Iterator[tuple[tuple[Value, ...], Nodes, Nodes]]:
        """Values of some inputs, with the sources and targets of steps by them; NotInColumns if columns cannot say them."""
        successors = Successors(self.interpreter.machine, inputs)
        kinds = [self.interpreter.machine.variables[name].type for name in inputs]
        for begin in range(0, self.count, tuning.BATCH_ROWS):
            run.step("actions", states=begin)
            for steps in successors.of(self._table.words(begin, min(self.count, begin + tuning.BATCH_ROWS))):
                targets = self._table.enter(steps.after)
                codes = np.stack([np.broadcast_to(steps.inputs[name], len(targets)) for name in inputs], axis=1)
                for row in np.unique(codes, axis=0):
                    own = (codes == row).all(axis=1)
                    values = tuple(value_of(kind, int(code)) for kind, code in zip(kinds, row))
                    yield values, begin + steps.sources[own], targets[own]

    def _column(self, position: int) -> tuple[Codes, list[Value]]:
        """It is decoded each time: of many states, columns would take more memory than the states."""
        field = self._packing.fields[self.interpreter.state_variables[position].name]
        codes = field.codes(self._table.words(0, self.count)).astype(np.int64)
        if field.values.size > tuning.BATCH_ROWS:
            present, codes = np.unique(codes, return_inverse=True)
        else:
            present = np.flatnonzero(np.bincount(codes, minlength=field.values.size))
            codes = np.searchsorted(present, codes)
        return codes, [value_of(field.variable.type, int(code) & int(field.mask)) for code in present]
