"""Traces: paths of a system, as people and programs read them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from coarsest.errors import Unsupported
from coarsest.logic.expr import Value


class Trace(Struct, frozen=True):
    """States s0, s1, …; `inputs[i]` are the input values of the step from s_i to s_{i+1}.

    With `loop` given, the trace is a lasso: after the last state comes states[loop] again, by a step with inputs[-1];
    then there are as many inputs as states, otherwise one fewer.
    """

    states: tuple[Mapping[str, Value], ...]
    inputs: tuple[Mapping[str, Value], ...] = ()
    loop: int | None = None
    events: bool = False
    """Are the inputs events? Then they are shown at each step, even if they repeat."""
    unit: str = "state"
    """The word for one element of the trace: `instant` for a synchronous program."""

    def __len__(self) -> int:
        return len(self.states)

    @property
    def arrivals(self) -> tuple[Mapping[str, Value], ...]:
        """The state that each step leads to: the next state, or the begin of the loop from the last state of a lasso."""
        return self.states[1:] if self.loop is None else (*self.states[1:], self.states[self.loop])

    def __repr__(self) -> str:
        """The length, and the state that a loop returns to; `to_dataframe` and `coarsest.trace_to_text` show the contents."""
        lasso = "" if self.loop is None else f", back to {self.unit} {self.loop}"
        return f"<Trace: {len(self)} {self.unit}{'s' * (len(self) != 1)}{lasso}>"

    def to_dataframe(self) -> Any:
        """A pandas table with a row for each state: its variables, and the inputs of the step that led to it."""
        try:
            import pandas
        except ImportError:
            raise Unsupported("a table of a trace needs pandas", hint="install it: pip install pandas") from None
        rows = [{**state, **(self.inputs[number - 1] if 0 < number <= len(self.inputs) else {})}
                for number, state in enumerate(self.states)]  # fmt: skip
        names = list(dict.fromkeys(name for step in (*self.states, *self.inputs) for name in step))
        return pandas.DataFrame(rows, columns=names).rename_axis(self.unit)

    def _repr_html_(self) -> str:
        """A table of variables over states, for notebooks."""
        from coarsest.model.trace_table import trace_to_html

        return trace_to_html(self)
