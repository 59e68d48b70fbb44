"""BLIF-MV to machines: latches are state variables, tables are definitions, and models are expanded.

A table without inputs that has several values is an input with the name of its output. A latch begins with a value that its reset
table gives; without a reset table, it begins with any value. If there are several models, the first is read, as the format
defines; `blif-mv:top` reads the model `top`.
"""

from __future__ import annotations

from collections.abc import Mapping

from coarsest.errors import ModelProblem, NameProblem, TypeProblem
from coarsest.formats.blif.hierarchy import instances, main_of, require_a_bounded_hierarchy
from coarsest.formats.blif.parse import PlacedWord
from coarsest.formats.blif_mv.cells import Cell, Domain, cell_of
from coarsest.formats.blif_mv.first_values import with_first_values
from coarsest.formats.blif_mv.parse import MvModel, MvTable, parse
from coarsest.formats.blif_mv.table_functions import CellTable, covers_all, functions
from coarsest.formats.netlist import Netlist
from coarsest.logic.expr import Expr, Name
from coarsest.model.machine import Kind, Machine, Variable
from coarsest.text import Diagnostic, Source
from coarsest.text.printable import title_of

BINARY = Domain()


def read(source: Source) -> Machine:
    """The machine of the first model.

    >>> text = ".model light\\n.mv on,d 3 red green out\\n.table d\\n(red,green)\\n.latch d on\\n.reset on\\nout\\n.end\\n"
    >>> machine = read(Source("light.mv", text))
    >>> print(machine.variables["d"].type, machine.variables["on"].type)
    {red, green} {red, green, out}
    """
    return read_with(source, "")


def read_with(source: Source, details: str) -> Machine:
    """The machine of the model that `details` names."""
    models, warnings = parse(source, title_of(source.name, ".mv"))
    main = main_of(models, details, source)
    require_a_bounded_hierarchy(models)
    expansion = _Expansion(source)
    expansion.netlist.warnings += warnings
    return expansion.machine(main, models)


class _Expansion:
    """Expands a hierarchy of models into one netlist."""

    def __init__(self, source: Source) -> None:
        self.netlist = Netlist(source)
        self._domains: dict[str, Domain] = {}
        """The domains of signals that are not boolean, by their full names."""
        self._first: dict[str, Expr] = {}
        """First values, by latches."""
        self._first_choices: dict[str, Variable] = {}
        """Choices among first values, which are made once."""

    def machine(self, main: MvModel, models: Mapping[str, MvModel]) -> Machine:
        parts = list(instances(main, models))
        for model, prefix, joined in parts:
            self._declare(model, prefix, joined)
        for word in main.inputs:
            self.netlist.input(word.text, word.span)
        for word in main.outputs:
            self.netlist.output(word.text, word.span)
        for model, prefix, joined in parts:
            self._contents(model, prefix, joined)
        return with_first_values(self.netlist.machine(main.name.text), self._first, self._first_choices)

    def _declare(self, model: MvModel, prefix: str, joined: Mapping[str, str]) -> None:
        for signal, values in model.values.items():
            name, domain = joined.get(signal) or prefix + signal, Domain(values)
            if self._domains.setdefault(name, domain) != domain:
                sizes = len(self._domains[name].names), len(values)
                message = f"`{name}` has {sizes[0]} values, but is joined to `{prefix}{signal}`, which has {sizes[1]}"
                raise TypeProblem(message, model.name.span, hint="joined signals must have the same values")
            self.netlist.types[name] = domain.type(domain.full)

    def _contents(self, model: MvModel, prefix: str, joined: Mapping[str, str]) -> None:
        def full(word: PlacedWord) -> str:
            return joined.get(word.text) or prefix + word.text

        latches = {full(latch.output): latch for latch in model.latches}
        for name, latch in latches.items():
            before, after = (self._domains.get(signal, BINARY) for signal in (full(latch.input), name))
            if not set(before.names) <= set(after.names) or before.is_numbered != after.is_numbered:
                message = f"`{full(latch.input)}` has values that the latch `{name}` does not have"
                raise TypeProblem(message, latch.output.span)
            self.netlist.latch(name, Name(full(latch.input), latch.input.span), latch.output.span, first=None)
        for table in model.tables:
            self._table({word.text: full(word) for word in (*table.inputs, *table.outputs)}, table)
        for table in model.resets:
            self._reset({word.text: full(word) for word in (*table.inputs, *table.outputs)}, table, latches)

    def _with_cells(self, full_name: Mapping[str, str], table: MvTable) -> CellTable:
        signals = [*table.inputs, *table.outputs]
        domains = {word.text: self._domains.get(full_name[word.text], BINARY) for word in signals}
        others = {word.text: domains[word.text] for word in table.inputs}

        def cells(words: list[PlacedWord], columns: list[PlacedWord]) -> list[Cell]:
            return [cell_of(word, domains[column.text], others) for word, column in zip(words, columns)]

        rows = [cells(row, signals) for row in table.rows]
        default = None if table.default is None else cells(table.default, table.outputs)
        inputs, outputs = ([Name(word.text, word.span) for word in words] for words in (table.inputs, table.outputs))
        return CellTable(inputs, outputs, domains, rows, default, full_name)

    def _table(self, full_name: dict[str, str], table: MvTable) -> None:
        relation = self._with_cells(full_name, table)
        if self._is_input(relation, full_name, table):
            return
        choices = self._choices(relation, full_name, table, "choice")
        for word, choice in zip(table.outputs, choices):
            self.netlist.input(full_name[choice.name], word.span, chosen_inside=True)
        for word, value in zip(table.outputs, functions(relation, choices)):
            self.netlist.function(full_name[word.text], value, word.span)

    def _is_input(self, relation: CellTable, full_name: Mapping[str, str], table: MvTable) -> bool:
        """Does a table give one output several values, whatever happens? Then the output becomes an input."""
        values = 0
        for row in (*relation.rows, *([] if relation.default is None or relation.rows else [relation.default])):
            if len(row) > 1 or not isinstance(row[0], int):
                return False
            values |= row[0]
        if values & (values - 1) == 0:
            return False
        name, word = full_name[table.outputs[0].text], table.outputs[0]
        self.netlist.types[name] = self._domains.get(name, BINARY).type(values)
        self.netlist.input(name, word.span, chosen_inside=True)
        return True

    def _choices(self, relation: CellTable, full_name: dict[str, str], table: MvTable, title: str) -> list[Name]:
        """Names for choices, if the table is a relation; they are added to its `full_name`."""
        whole = relation.default is not None or covers_all(relation)
        if not whole:
            output = table.outputs[0]
            message = f"the table of `{output.text}` has no row for some inputs: any output is allowed for them"
            self.netlist.warnings.append(Diagnostic(message, output.span, "add a line `.default`", level="warning"))
        if whole and relation.is_function:
            return []
        choices = []
        for word in table.outputs:
            name = f"{word.text}.{title}"
            full_name[name] = f"{full_name[word.text]}.{title}"
            domain = self._domains.get(full_name[word.text], BINARY)
            self.netlist.types[full_name[name]] = domain.type(domain.full)
            choices.append(Name(name, word.span))
        return choices

    def _reset(self, full_name: dict[str, str], table: MvTable, latches: Mapping[str, object]) -> None:
        relation = self._with_cells(full_name, table)
        choices = self._choices(relation, full_name, table, "first")
        for choice in choices:
            name = full_name[choice.name]
            self._first_choices[name] = Variable(name, self.netlist.types[name], Kind.INPUT, choice.span)
        for word, value in zip(table.outputs, functions(relation, choices)):
            name = full_name[word.text]
            if name not in latches:
                raise ModelProblem(f"`{word.text}` has first values, but it is not a latch of the model", word.span)
            if name in self._first:
                raise NameProblem(f"`{word.text}` has two tables of first values", word.span)
            self._first[name] = value
