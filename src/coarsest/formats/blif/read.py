"""BLIF to machines: latches are state variables, tables are definitions, models are put in where they are called.

A latch whose first value is not known (2, 3 or nothing) may begin with any value; `blif:zero` lets it begin with 0, as some tools
do. Of several models the first is read, as the format has it, or the one named: `blif:top`.
"""

from __future__ import annotations

from collections.abc import Mapping

from coarsest.errors import ModelProblem, NameProblem, Unsupported
from coarsest.formats.blif.parse import Call, Model, Table, Word, parse
from coarsest.formats.netlist import Netlist, title_of
from coarsest.logic.expr import FALSE, TRUE, Apply, Expr, Name, conjunction
from coarsest.model.checks.dependencies import circle
from coarsest.model.machine import Machine
from coarsest.text import Source, Span
from coarsest.text.near import nearest

LARGEST = 5_000_000
"""A hierarchy with more signals than that, all instances counted, is not opened."""


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
    mains = [word for word in words if word != "zero"] or [next(iter(models))]
    for name in mains:
        if name not in models:
            raise _no_model(name, models, Span(source, 0, 1))
    _insist_on_a_bounded_hierarchy(models)
    opening = _Opening(source, models, zero="zero" in words)
    opening.netlist.warnings += warnings
    opening.all_of(models[mains[-1]])
    return opening.netlist.machine(mains[-1])


def _no_model(name: str, models: Mapping[str, Model], span: Span) -> NameProblem:
    close = nearest(name, models)
    hint = f"did you mean `{close[0]}`?" if close else f"the models are {', '.join(list(models)[:6])}"
    return NameProblem(f"there is no model `{name}`", span, hint=hint)


def _insist_on_a_bounded_hierarchy(models: Mapping[str, Model]) -> None:
    """Complain about models that contain themselves, and about a few lines that say more than there is room for."""
    for model in models.values():
        for call in model.calls:
            if call.model.text not in models:
                raise _no_model(call.model.text, models, call.model.span)
    done: dict[str, bool] = {}
    around = circle(models, lambda name: [call.model.text for call in models[name].calls], done)
    if around is not None:
        hint = f"the circle is {' → '.join([*around[:6], around[0]])}"
        raise ModelProblem(f"the model `{around[0]}` contains itself", models[around[0]].name.span, hint=hint)
    sizes: dict[str, int] = {}
    for name in done:  # a model comes after those it contains
        sizes[name] = models[name].size + sum(sizes[call.model.text] for call in models[name].calls)
        if sizes[name] > LARGEST:
            message = f"the model `{name}` has more than {LARGEST} signals with all that it contains"
            raise Unsupported(message, models[name].name.span)


class _Opening:
    """A hierarchy of models being put into one netlist."""

    def __init__(self, source: Source, models: Mapping[str, Model], *, zero: bool) -> None:
        self.netlist = Netlist(source)
        self._models, self._zero = models, zero

    def all_of(self, main: Model) -> None:
        for word in main.inputs:
            self.netlist.input(word.text, word.span)
        for word in main.outputs:
            self.netlist.output(word.text, word.span)
        clocks = {word.text: word.span for word in main.clocks}
        for name in self._read_as_data(main) & clocks.keys() - {word.text for word in main.inputs}:
            self.netlist.input(name, clocks[name])
        waiting: list[tuple[Model, str, dict[str, str]]] = [(main, "", {})]
        while waiting:
            model, prefix, joined = waiting.pop()
            self._contents(model, prefix, joined)
            numbers: dict[str, int] = {}
            for call in model.calls:
                name = call.model.text
                number = numbers[name] = numbers.get(name, -1) + 1
                inner = self._models[name]
                waiting.append((inner, f"{prefix}{name}_{number}.", self._joined(call, inner, prefix, joined)))

    @staticmethod
    def _read_as_data(model: Model) -> set[str]:
        tables = {word.text for table in model.tables for word in table.signals[:-1]}
        return tables | {latch.input.text for latch in model.latches} | {
            actual.text for call in model.calls for _, actual in call.joined
        }  # fmt: skip

    def _joined(self, call: Call, inner: Model, prefix: str, outer: Mapping[str, str]) -> dict[str, str]:
        """The full names of the signals that a call joins to those of the model called."""
        formals = {word.text for word in (*inner.inputs, *inner.outputs, *inner.clocks)}
        joined: dict[str, str] = {}
        for formal, actual in call.joined:
            if formal.text not in formals:
                close = nearest(formal.text, formals)
                hint = f"did you mean `{close[0]}`?" if close else f"the model `{call.model.text}` has no such signal"
                message = f"`{formal.text}` is neither an input nor an output of `{call.model.text}`"
                raise NameProblem(message, formal.span, hint=hint)
            if formal.text in joined:
                raise NameProblem(f"`{formal.text}` is joined twice", formal.span)
            joined[formal.text] = outer.get(actual.text) or prefix + actual.text
        for word in inner.inputs:
            if word.text not in joined:
                raise ModelProblem(f"the input `{word.text}` of `{call.model.text}` is joined to nothing", call.model.span)
        return joined

    def _contents(self, model: Model, prefix: str, joined: Mapping[str, str]) -> None:
        def full(word: Word) -> Name:
            return Name(joined.get(word.text) or prefix + word.text, word.span)

        for latch in model.latches:
            first = False if latch.first is None and self._zero else latch.first
            self.netlist.latch(full(latch.output).name, full(latch.input), latch.output.span, first=first)
        for table in model.tables:
            *inputs, output = map(full, table.signals)
            self.netlist.function(output.name, _value(table, inputs), table.signals[-1].span)


def _value(table: Table, inputs: list[Name]) -> Expr:
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
