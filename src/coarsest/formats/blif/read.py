"""BLIF to machines: latches are state variables, tables are definitions, and models are expanded.

A latch without a first value (2, 3 or nothing) may begin with any value; `blif:zero` lets it begin with 0, as some tools do. If
there are several models, the first is read, as the format defines; `blif:top` reads the model `top`. The definition `dont_care.o`
is true where the output `o` does not matter (`.exdc`).
"""

from __future__ import annotations

from collections.abc import Mapping

from coarsest.formats.blif.hierarchy import instances, main_of, require_a_bounded_hierarchy
from coarsest.formats.blif.parse import BlifModel, GateTable, PlacedWord, parse
from coarsest.formats.netlist import Netlist
from coarsest.logic.expr import FALSE, TRUE, Apply, Expr, Name, conjunction
from coarsest.model.composition.side_by_side import DONT_CARE
from coarsest.model.machine import Machine
from coarsest.text import Source
from coarsest.text.printable import title_of


def read(source: Source) -> Machine:
    """The machine of the first model.

    >>> text = ".model toggle\\n.inputs go\\n.outputs on\\n.latch d on 0\\n.names go on d\\n10 1\\n01 1\\n.end\\n"
    >>> machine = read(Source("toggle.blif", text))
    >>> list(machine.variables), machine.outputs
    (['go', 'on'], ('on_output',))
    """
    return read_with(source, "")


def read_with(source: Source, details: str) -> Machine:
    """The machine of a file; `details` may contain the name of a model, and `zero`, which makes missing first values 0."""
    words = [word for word in details.split(",") if word]
    models, warnings = parse(source, title_of(source.name, ".blif"))
    mains = [word for word in words if word != "zero"]
    main = [main_of(models, name, source) for name in mains or [""]][-1]
    require_a_bounded_hierarchy(models)
    expansion = _Expansion(source, models, zero="zero" in words)
    expansion.netlist.warnings += warnings
    expansion.all_of(main)
    return expansion.netlist.machine(main.name.text)


class _Expansion:
    """Expands a hierarchy of models into one netlist."""

    def __init__(self, source: Source, models: Mapping[str, BlifModel], *, zero: bool) -> None:
        self.netlist = Netlist(source)
        self._models, self._zero = models, zero

    def all_of(self, main: BlifModel) -> None:
        for word in main.inputs:
            self.netlist.input(word.text, word.span)
        for word in main.outputs:
            self.netlist.output(word.text, word.span)
        clocks = {word.text: word.span for word in main.clocks}
        data = {word.text for table in main.tables for word in table.signals[:-1]}
        data |= {latch.input.text for latch in main.latches} | {actual.text for call in main.calls for _, actual in call.joined}
        for name in data & clocks.keys() - {word.text for word in main.inputs}:
            self.netlist.input(name, clocks[name])
        for model, prefix, joined in instances(main, self._models):
            self._contents(model, prefix, joined)
        own = {table.signals[-1].text for table in main.dont_cares}
        for table in main.dont_cares:  # a network of its own, whose signals get names of their own
            *inputs, output = (Name(DONT_CARE * (word.text in own) + word.text, word.span) for word in table.signals)
            self.netlist.function(output.name, _value(table, inputs), table.signals[-1].span)

    def _contents(self, model: BlifModel, prefix: str, joined: Mapping[str, str]) -> None:
        def full(word: PlacedWord) -> Name:
            return Name(joined.get(word.text) or prefix + word.text, word.span)

        for latch in model.latches:
            first = False if latch.first is None and self._zero else latch.first
            value = None if first is None else TRUE if first else FALSE
            self.netlist.latch(full(latch.output).name, full(latch.input), latch.output.span, first=value)
        for table in model.tables:
            *inputs, output = map(full, table.signals)
            self.netlist.function(output.name, _value(table, inputs), table.signals[-1].span)


def _value(table: GateTable, inputs: list[Name]) -> Expr:
    """The function of a table."""
    span = table.signals[-1].span
    terms: list[Expr] = []
    for row in table.rows:
        literals: list[Expr] = [Apply("not", (name,)) if cell == "0" else name for cell, name in zip(row, inputs) if cell != "-"]
        terms.append(conjunction(literals))
    value = FALSE if not terms else terms[0] if len(terms) == 1 else Apply("or", tuple(terms), span)
    if table.value != "0":
        return value
    return FALSE if value == TRUE else Apply("not", (value,), span)
