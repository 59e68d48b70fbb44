"""BLIF to machines: latches are state variables, tables are definitions, models are put in where they are called.

A latch whose first value is not known (2, 3 or nothing) may begin with any value; `blif:zero` lets it begin with 0, as some tools
do. Of several models the first is read, as the format has it, or the one named: `blif:top`. Where its output `o` does not matter
(`.exdc`), the definition `dont_care.o` is true.
"""

from __future__ import annotations

from collections.abc import Mapping

from coarsest.formats.blif.hierarchy import instances, main_of, require_a_bounded_hierarchy
from coarsest.formats.blif.parse import BlifModel, GateTable, PlacedWord, parse
from coarsest.formats.netlist import Netlist, title_of
from coarsest.logic.expr import FALSE, TRUE, Apply, Expr, Name, conjunction
from coarsest.model.composition.side_by_side import DONT_CARE
from coarsest.model.machine import Machine
from coarsest.text import Source


def read(source: Source) -> Machine:
    """The machine of the first model.

    >>> text = ".model toggle\\n.inputs go\\n.outputs on\\n.latch d on 0\\n.names go on d\\n10 1\\n01 1\\n.end\\n"
    >>> machine = read(Source("toggle.blif", text))
    >>> list(machine.variables), machine.outputs
    (['go', 'on'], ('on_output',))
    """
    return read_with(source, "")


def read_with(source: Source, details: str) -> Machine:
    """The machine of a file with details: `zero`, unknown first values are 0; or the name of a model."""
    words = [word for word in details.split(",") if word]
    models, warnings = parse(source, title_of(source, ".blif"))
    mains = [word for word in words if word != "zero"]
    main = [main_of(models, name, source) for name in mains or [""]][-1]
    require_a_bounded_hierarchy(models)
    opening = _Opening(source, models, zero="zero" in words)
    opening.netlist.warnings += warnings
    opening.all_of(main)
    return opening.netlist.machine(main.name.text)


class _Opening:
    """A hierarchy of models being put into one netlist."""

    def __init__(self, source: Source, models: Mapping[str, BlifModel], *, zero: bool) -> None:
        self.netlist = Netlist(source)
        self._models, self._zero = models, zero

    def all_of(self, main: BlifModel) -> None:
        for word in main.inputs:
            self.netlist.input(word.text, word.span)
        for word in main.outputs:
            self.netlist.output(word.text, word.span)
        clocks = {word.text: word.span for word in main.clocks}
        for name in self._read_as_data(main) & clocks.keys() - {word.text for word in main.inputs}:
            self.netlist.input(name, clocks[name])
        for model, prefix, joined in instances(main, self._models):
            self._contents(model, prefix, joined)
        self._dont_cares(main)

    @staticmethod
    def _read_as_data(model: BlifModel) -> set[str]:
        tables = {word.text for table in model.tables for word in table.signals[:-1]}
        return tables | {latch.input.text for latch in model.latches} | {
            actual.text for call in model.calls for _, actual in call.joined
        }  # fmt: skip

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


    def _dont_cares(self, main: BlifModel) -> None:
        """Of the whole circuit, where its outputs do not matter; signals of that network are called apart."""
        own = {table.signals[-1].text for table in main.dont_cares}
        for table in main.dont_cares:
            *inputs, output = (Name(DONT_CARE * (word.text in own) + word.text, word.span) for word in table.signals)
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
