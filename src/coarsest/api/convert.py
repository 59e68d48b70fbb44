"""convert: translates between formats.

>>> import coarsest
>>> print(coarsest.convert("examples/queue.ag", to="hoa", graph="alone").text.splitlines()[2])
name: "what violates alone"
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from coarsest import formats
from coarsest.errors import InputError, NameProblem
from coarsest.files import STANDARD_INPUT, read_contents, write_whole
from coarsest.formats import FileKind
from coarsest.run import Run
from coarsest.text import Diagnostic
from coarsest.text.near import nearest

if TYPE_CHECKING:
    from coarsest.api.model import Model


class Converted(Struct, frozen=True):
    """The result of a translation, not yet written."""

    pieces: str | Iterable[bytes]
    """A text or, for a graph, which may be large, its pieces, which can be read once."""
    warnings: tuple[Diagnostic, ...] = ()

    @property
    def is_graph(self) -> bool:
        return not isinstance(self.pieces, str)

    @property
    def text(self) -> str:
        """The whole text; names that are not UTF-8 are kept by `surrogateescape`."""
        return self.pieces if isinstance(self.pieces, str) else b"".join(self.pieces).decode("utf-8", "surrogateescape")

    def write(self, path: str | os.PathLike[str]) -> None:
        """Write a file, completely or not at all."""
        write_whole(path, self.pieces)


def convert(
    path: str,
    output: str = STANDARD_INPUT,
    *,
    format: str | None = None,
    to: str | None = None,
    semantics: str = "auto",
    graph: str | None = None,
    actions: Sequence[str] | None = None,
    observe: Sequence[str] = (),
    run: Run | None = None,
) -> Converted:
    """Translate a model or a graph into another format, or an assertion graph into an automaton and back.

    A model becomes the graph of its reachable states: `actions` are the inputs that name its transitions (all, if None), and
    states are labelled with the values of the expressions in `observe`.

    `format` and `to` are the formats of input and output; by default the suffixes determine them. `semantics` is that of an
    assertion graph, and `graph` chooses one of several in a file.
    """
    source, target = formats.kind_of(path, format), formats.kind_of(output, to)
    becomes_graph = source in (None, FileKind.MACHINE) and target in (FileKind.GRAPH, FileKind.TABLE)
    if not becomes_graph and (actions is not None or observe):
        raise InputError("--actions and --observe are for models that become graphs", hint="leave them out")
    automaton_as_graph = source is FileKind.AUTOMATON and target is FileKind.GRAPH
    explicit = automaton_as_graph or (source is FileKind.GRAPH and target is not FileKind.ASSERTION_GRAPHS)
    if not explicit and {source, target} & {FileKind.ASSERTION_GRAPHS, FileKind.AUTOMATON}:
        if target is None and to is None and output == STANDARD_INPUT:
            target = FileKind.ASSERTION_GRAPHS if source is FileKind.AUTOMATON else FileKind.AUTOMATON
        if {source, target} != {FileKind.AUTOMATON, FileKind.ASSERTION_GRAPHS}:
            raise _no_way((format, path), (to, output))
        is_automaton = source is FileKind.AUTOMATON
        return Converted(
            _from_automaton(path, format, semantics, graph) if is_automaton else _to_automaton(path, semantics, graph)
        )
    if graph is not None or semantics != "auto":
        raise InputError("--graph and --semantics are for assertion graphs (.ag) and automata (.hoa)", hint="leave them out")
    if becomes_graph:
        return _graph_of_model(path, output, format=format, to=to, actions=actions, observe=observe, run=run)
    return _graph(path, output, format, to, run) if explicit else _model(path, output, format, to)


def _model(path: str, output: str, format: str | None, to: str | None) -> Converted:
    from coarsest.api.model import load_model

    chosen = formats.machine_named(to).name if to else formats.machine_format(output, option="to")
    model = load_model(path, format=format)
    if chosen == "aiger":
        return _circuit(path, model, binary=output.lower().endswith(".aig") or to == "aig", format=format)
    if chosen in _NETLISTS:
        return _netlist(model, chosen)
    return Converted(formats.write_machine(model.machine, chosen), (*model.warnings, *_covers(model)))


def _graph_of_model(
    path: str, output: str, *, format: str | None, to: str | None, actions: Sequence[str] | None, observe: Sequence[str],
    run: Run | None,
) -> Converted:  # fmt: skip
    from coarsest.api.model import load_model
    from coarsest.space.explicit.graph_of_machine import graph_of

    named = f"{output}.{to}" if to else output
    formats.require_graph_format(named)
    model = load_model(path, format=format)
    inputs = [variable.name for variable in model.machine.input_variables]
    unknown = next((name for name in actions or () if name not in inputs), None)
    if unknown is not None:
        close = nearest(unknown, inputs)
        hint = f"did you mean '{close[0]}'?" if close else f"its inputs are {', '.join(inputs) or 'none'}"
        raise NameProblem(f"the model has no input '{unknown}'", hint=hint)
    observed = model.observed(observe) if observe else []
    graph = graph_of(model.machine, inputs if actions is None else actions, observed, Run.given(run))
    return Converted(formats.graph_to_pieces(graph, named), model.warnings)


def _covers(model: Model) -> Iterator[Diagnostic]:
    """Warnings about properties that SMV cannot express."""
    for claim in model.machine.properties:
        if not claim.kind.section:
            message = f"SMV cannot express {claim.kind.plural}: `{claim.name or claim.text}` is written as a comment"
            yield Diagnostic(message, claim.span, level="warning")


def _circuit(path: str, model: Model, *, binary: bool, format: str | None) -> Converted:
    """The model as an and-inverter graph; AIGER files keep their circuit."""
    from coarsest.formats.aiger.write import to_ascii, to_binary

    if (formats.machine_named(format).name if format else formats.machine_format(path)) == "aiger":
        from coarsest.formats.aiger.scan import scan

        circuit, doubts = scan(bytes(read_contents(path).data[:]), path), model.warnings
    else:
        from coarsest.encode.to_circuit import circuit_of

        circuit, more = circuit_of(model.machine)
        doubts = (*model.warnings, *more)
    return Converted([to_binary(circuit)], doubts) if binary else Converted(to_ascii(circuit).decode(), doubts)


_NETLISTS = {"blif": "BLIF", "bench": "BENCH"}


def _netlist(model: Model, format: str) -> Converted:
    """The model in BLIF or BENCH, which express violations of invariants as outputs, and no other properties."""
    from importlib import import_module

    from coarsest.encode.to_circuit import circuit_of

    circuit, _ = circuit_of(model.machine)
    title, messages = _NETLISTS[format], list[str]()
    lost = [claim.name or claim.text for claim in model.machine.properties if not claim.kind.is_invariant]
    lost += ["fairness"] if model.machine.justice or model.machine.compassion else []
    if lost:
        are = "is" if len(lost) == 1 else "are"
        messages.append(f"{title} cannot express fairness and temporal logic: {_some(lost)} {are} not written")
    names = [circuit.symbols[f"b{number}"] for number in range(len(circuit.bad))]
    if names:
        are = "is an output that is" if len(names) == 1 else "are outputs that are"
        messages.append(f"{title} has no properties: {_some(names)} {are} true where a property is false")
    warnings = (Diagnostic(message, level="warning") for message in messages)
    text: str = import_module(f"coarsest.formats.{format}.write").to_text(circuit, model.name)
    return Converted(text, (*model.warnings, *warnings))


def _some(names: list[str]) -> str:
    return f"{', '.join(names[:3])}{', …' * (len(names) > 3)}"


def _graph(path: str, output: str, format: str | None, to: str | None, run: Run | None) -> Converted:
    written = [known.name for known in formats.FORMATS.values() if known.holds is FileKind.GRAPH and known.writer]
    if to not in (None, *written):
        raise InputError(f"a graph is not written as {to}", hint=f"graphs are written as {', '.join(written)}")
    named = f"{output}.{to}" if to else output
    formats.require_graph_format(named)
    return Converted(formats.graph_to_pieces(formats.read_graph(path, format=format, run=run), named))


def _no_way(*files: tuple[str | None, str]) -> InputError:
    words = [given or Path(path).suffix.lower().removeprefix(".") or "this" for given, path in files]
    hint = "an assertion graph (.ag) becomes an automaton (.hoa), and an automaton an assertion graph"
    return InputError(f"cannot translate {words[0]} into {words[1]}", hint=hint)


def _from_automaton(path: str, format: str | None, semantics: str, graph: str | None) -> str:
    """Theorems 3 and 4 of Sebastiani and others."""
    from coarsest.api.automata import read_automaton

    if graph is not None:
        raise InputError("--graph is for files with assertion graphs (.ag)", hint="leave it out")
    return read_automaton(path, format=format).assertion_graph(semantics=semantics).to_text()


def _to_automaton(path: str, semantics: str, graph: str | None) -> str:
    """Theorems 1 and 2."""
    from coarsest.api.automata import read_assertion_graphs

    graphs = read_assertion_graphs(path, name=graph)
    if len(graphs) > 1:
        names = ", ".join(one.name for one in graphs)
        raise InputError(f"{path} has {len(graphs)} assertion graphs", hint=f"choose one with --graph: {names}")
    return graphs[0].violating(semantics=semantics).to_hoa(f"what violates {graphs[0].name}")
