"""Clocks of a design: if there is a single clock, and only its edges matter, a step of the machine is an edge of it."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from msgspec.structs import replace

from coarsest.formats.btor2.lines import nodes_of
from coarsest.logic.expr import Name, subexpressions
from coarsest.model.checks.dependencies import ordered_definitions
from coarsest.model.machine import Machine
from coarsest.text import Diagnostic, Source

ONE_CLOCK, ALL_MOMENTS = "async2sync", "clk2fflogic"
_EDGES = ("posedge", "negedge", "event")


def only_clock(folder: Path) -> str | None:
    """The name of the only clock, if it is an input, and the design uses only its edges of one kind; empty if there is no clock;
    else None. Instances may have other names for it."""
    info = (folder / "design.info").read_text(encoding="utf-8", errors="replace")
    edges = [words for words in map(str.split, info.splitlines()) if len(words) == 2 and words[0] in _EDGES]
    text = (folder / "design.btor2").read_text(encoding="utf-8", errors="replace")
    nodes = {node.number: node for node in nodes_of(Source("the design as BTOR2", text))}
    same: dict[int, int] = {}
    for number, node in nodes.items():
        is_alias = node.tag == "uext" and node.parameters == (0,) and node.operands[0] > 0
        same[number] = same[node.operands[0]] if is_alias else number
    clocks = {(kind, same.get(int(number), 0)) for kind, number in edges}
    if len(clocks) > 1 or any(kind == "event" for kind, _ in clocks):
        return None
    readers = (node for number, node in nodes.items() if same[number] == number)
    read = {same[abs(operand)] for node in readers for operand in node.operands}
    if not all(clock in nodes and nodes[clock].tag == "input" and clock not in read for _, clock in clocks):
        return None
    return next((nodes[clock].symbol or f"input_{clock}" for _, clock in clocks), "")


def without_names(names: Iterable[str], machine: Machine) -> Machine:
    """The machine without variables and definitions that have these names or depend on them; nothing else may read them."""
    removed = set(names)
    for name in ordered_definitions(machine.definitions):
        if any(isinstance(part, Name) and part.name in removed for part in subexpressions(machine.definitions[name])):
            removed.add(name)
    variables, definitions = ({name: entry for name, entry in entries.items() if name not in removed}
                              for entries in (machine.variables, machine.definitions))  # fmt: skip
    return replace(machine, variables=variables, definitions=definitions)


def about_clocks(name: str) -> Diagnostic:
    message = "the design has several clocks, or uses one as a value: each step is a moment at which any of them may change"
    return Diagnostic(f"{name}: {message}", level="warning")
