"""Large machines without the variables that are constant, or always equal to another: before their states are looked for."""

from __future__ import annotations

from collections.abc import Collection

from coarsest import tuning
from coarsest.encode.layout import bits_of
from coarsest.evidence.decision_diagrams import has_one_value
from coarsest.model.machine import Kind, Machine
from coarsest.model.parts.part import Part, without
from coarsest.model.types import Boolean, WordType
from coarsest.model.unbounded import unbounded_variables
from coarsest.run import Run


def merged(machine: Machine, run: Run, own: Collection[str] | None = None) -> Part:
    """The machine without such variables, which are definitions there.

    Only its `own` variables are left out: evidence knows nothing of variables that were added to watch steps.
    """
    own = machine.variables if own is None else own
    bits = sum(bits_of(v.type) for v in machine.of_kind(Kind.STATE, Kind.FROZEN)) if not unbounded_variables(machine) else 0
    if bits < tuning.BITS_WORTH_MERGING:
        return Part(machine)
    from coarsest.model.parts.constant_variables import constant_variables

    constants = {name: constant for name, constant in constant_variables(machine).items() if name in own}
    part = Part(machine).then(without(constants))
    return part.then(lambda machine: _without_equal_variables(machine, run, own))


def _without_equal_variables(machine: Machine, run: Run, own: Collection[str]) -> Part:
    """A circuit without variables that equal others in all reachable states, which its text does not show: circuits have many."""
    candidates = [name for name, value in machine.next_values.items() if name in own and has_one_value(machine, value)]
    types = [machine.variables[name].type for name in candidates]
    bits = sum(bits_of(v.type) for v in machine.of_kind(Kind.STATE))
    plain = sum(bits_of(kind) for kind in types if isinstance(kind, Boolean | WordType))
    if bits < tuning.BITS_WORTH_MERGING or plain < tuning.CIRCUIT_SHARE * bits:
        return Part(machine)
    from coarsest.encode.correspondence import equal_variables

    apart = machine.variables.keys() - set(own)
    return Part(machine).then(without(equal_variables(machine, run, candidates, apart, work=tuning.WORK_ON_EQUAL_SIGNALS)))
