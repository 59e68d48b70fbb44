"""BLIF-MV by its definition: all values of all signals that fit every table, one by one. It shares nothing with ours."""

from __future__ import annotations

from itertools import product
from typing import NamedTuple


class Table(NamedTuple):
    inputs: list[str]
    outputs: list[str]
    rows: list[list[str]]
    default: list[list[str]]  # none or one


class Circuit(NamedTuple):
    values: dict[str, list[str]]
    latches: list[tuple[str, str]]  # input, output
    tables: list[Table]
    resets: list[Table]


def parse(text: str) -> Circuit:
    """A file of one model without mistakes: `.mv` before all else, arrows in all tables."""
    circuit = Circuit({}, [], [], [])
    table = Table([], [], [], [])
    for line in text.splitlines():
        first, *rest = line.split()
        match first:
            case ".mv":
                names, size, *values = rest
                circuit.values.update({name: values or [str(n) for n in range(int(size))] for name in names.split(",")})
            case ".inputs":
                for name in rest:
                    circuit.values.setdefault(name, ["0", "1"])
            case ".latch":
                circuit.latches.append((rest[0], rest[1]))
            case ".table" | ".reset":
                arrow = rest.index("->")
                table = Table(rest[:arrow], rest[arrow + 1 :], [], [])
                (circuit.tables if first == ".table" else circuit.resets).append(table)
            case ".default":
                table.default.append(rest)
            case ".model" | ".outputs" | ".end":
                pass
            case _:
                table.rows.append([first, *rest])
    for table in [*circuit.tables, *circuit.resets]:
        for name in [*table.inputs, *table.outputs]:
            circuit.values.setdefault(name, ["0", "1"])
    for pair in circuit.latches:
        for name in pair:
            circuit.values.setdefault(name, ["0", "1"])
    return circuit


Moment = dict[str, str]


def allows(cell: str, value: str, values: list[str], now: Moment) -> bool:
    if cell == "-":
        return True
    if cell.startswith("="):
        return now[cell[1:]] == value
    if cell.startswith("!"):
        return not allows(cell[1:], value, values, now)
    if cell[0] in "({":
        parts = cell[1:-1].split(",")
        return any(allows(part, value, values, now) for part in parts)
    if "-" in cell:
        low, high = (values.index(part) for part in cell.split("-"))
        return low <= values.index(value) <= high
    return cell == value


def related(circuit: Circuit, table: Table, now: Moment) -> bool:
    """Does a table allow these values of its signals? Inputs that fit no row, without a default, go with any outputs."""

    def fits(cells: list[str], names: list[str]) -> bool:
        return all(allows(cell, now[name], circuit.values[name], now) for cell, name in zip(cells, names))

    width = len(table.inputs)
    fitting = [row for row in table.rows if fits(row[:width], table.inputs)]
    if fitting:
        return any(fits(row[width:], table.outputs) for row in fitting)
    return not table.default or fits(table.default[0], table.outputs)


def moments(circuit: Circuit) -> list[Moment]:
    names = list(circuit.values)
    everything = (dict(zip(names, values)) for values in product(*circuit.values.values()))
    return [now for now in everything if all(related(circuit, table, now) for table in circuit.tables)]


def reached_states(circuit: Circuit) -> set[tuple[str, ...]]:
    """The values of the latches that can occur; a reset table reads what is there at the first moment, but not the latches."""
    latches = [output for _, output in circuit.latches]
    all_moments = moments(circuit)
    steps: dict[tuple[str, ...], set[tuple[str, ...]]] = {}
    first: set[tuple[str, ...]] = set()
    for now in all_moments:
        after = tuple(now[source] for source, _ in circuit.latches)
        steps.setdefault(tuple(now[name] for name in latches), set()).add(after)
        if all(related(circuit, table, now) for table in circuit.resets):
            first.add(tuple(now[name] for name in latches))
    reached, waiting = set(first), list(first)
    for state in waiting:
        for after in steps.get(state, set()) - reached:
            reached.add(after)
            waiting.append(after)
    return reached


def can_have(circuit: Circuit, name: str, value: str) -> bool:
    """Can a signal have a value in a state that is reached?"""
    states = reached_states(circuit)
    latches = [output for _, output in circuit.latches]
    return any(now[name] == value and tuple(now[one] for one in latches) in states for now in moments(circuit))
