"""Counterexamples of circuits as witnesses of AIGER 1.9, which `aigsim` replays.

The lines are: 1; the property, as `b0` or `j0`; the first values of the latches; the inputs of each step; a full stop. A witness
of a justice property ends where its loop closes.

Reference: Biere, Heljanko, Wieringa 2011, "AIGER 1.9 and beyond".
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from coarsest.errors import InputError
from coarsest.logic.expr import Value
from coarsest.model.machine import Machine, Property, Variable
from coarsest.model.trace import Trace
from coarsest.model.types import Boolean
from coarsest.render.data.witness_path import path_of, property_number, require_own_properties


def require_a_circuit(machine: Machine, claims: Iterable[Property]) -> None:
    """Raise InputError for variables or properties that a witness cannot express."""
    for variable in machine.variables.values():
        if not isinstance(variable.type, Boolean):
            message = f"a witness of AIGER has a bit for each variable, but `{variable.name}` is of type {variable.type}"
            raise InputError(message, hint="--trace json and --trace vcd are for all models")
    require_own_properties(machine, claims, "AIGER")


def witness_to_text(trace: Trace, machine: Machine, claim: Property) -> str:
    """A counterexample as a witness."""
    moments, _ = path_of(trace, machine, claim)
    latches = _bits(machine.state_variables, moments[0].state)
    rows = [_bits(machine.input_variables, moment.inputs) for moment in moments]
    return "\n".join(["1", f"{claim.kind.letter}{property_number(machine, claim)}", latches, *rows, "."]) + "\n"


def _bits(variables: Iterable[Variable], values: Mapping[str, Value]) -> str:
    """A digit for each variable; variables without a value are 0."""
    return "".join("1" if values.get(variable.name) else "0" for variable in variables)
