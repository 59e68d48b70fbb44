"""Counterexamples of word-level circuits as witnesses of BTOR2, which `btorsim` replays.

The lines are: sat; the property, as `b0` or `j0`; for each moment, the states (`#0`: first all,
then those without `next`) and the inputs (`@0`), each by its number among its kind, its bits and its name; a full stop. A witness
of a justice property ends with the moment to which its loop returns.

Reference: Niemetz, Preiner, Wolf, Biere 2018, "Btor2, BtorMC and Boolector 3.0", CAV, section 4.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from coarsest.errors import InputError
from coarsest.formats.btor2.lines import BtorNode, nodes_of
from coarsest.formats.btor2.read import variables_of
from coarsest.logic.expr import Value, Word
from coarsest.model.machine import Machine, Property
from coarsest.model.trace import Trace
from coarsest.render.data.witness_path import path_of, property_number, require_own_properties


def require_btor2(machine: Machine, claims: Iterable[Property]) -> None:
    """Raise InputError for a model in another format, or properties that are not in the file."""
    try:
        nodes = nodes_of(machine.source) if machine.source is not None else []
    except InputError:
        nodes = []
    if not nodes or any(name not in machine.variables for names in variables_of(nodes).values() for name in names):
        hint = "--trace json and --trace vcd are for all models"
        raise InputError("a witness of BTOR2 is for a model in BTOR2", hint=hint)
    require_own_properties(machine, claims, "BTOR2")


def witness_to_text(trace: Trace, machine: Machine, claim: Property) -> str:
    """A counterexample as a witness."""
    moments, returns_to = path_of(trace, machine, claim)
    if returns_to is not None:
        moments.append(moments[returns_to])
    assert machine.source is not None
    nodes = nodes_of(machine.source)
    names = variables_of(nodes)
    states, inputs = ([node for node in nodes if node.tag == tag] for tag in ("state", "input"))
    computed = {node.operands[0] for node in nodes if node.tag == "next"}
    lines = ["sat", f"{claim.kind.letter}{property_number(machine, claim)}"]
    for time, (state, given) in enumerate(moments):
        values = {**state, **given}
        free = [(place, node) for place, node in enumerate(states) if not time or node.number not in computed]
        if free or not time:
            lines.append(f"#{time}")
        lines += [row for place, node in free for row in _rows(place, node, names[node.number], values, f"#{time}")]
        lines.append(f"@{time}")
        lines += [row for place, node in enumerate(inputs) for row in _rows(place, node, names[node.number], values, f"@{time}")]
    return "\n".join([*lines, "."]) + "\n"


def _rows(place: int, node: BtorNode, names: Sequence[str], values: Mapping[str, Value], when: str) -> Iterator[str]:
    """A row with the value of an input or state, or a row for each element of an array."""
    label = f" {node.symbol}{when}" if node.symbol else ""
    for number, name in enumerate(names):
        index = f" [{number:0{node.sort.index_width}b}]" if node.sort.index_width else ""
        yield f"{place}{index} {_digits(values[name])}{label}"


def _digits(value: Value) -> str:
    return f"{value.bits:0{value.width}b}" if isinstance(value, Word) else str(int(bool(value)))
