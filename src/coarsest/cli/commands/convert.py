"""`coarsest convert`: from one format to another."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path
from typing import TYPE_CHECKING

from coarsest.cli.commands.show import assertion_graphs
from coarsest.cli.frame import arguments
from coarsest.cli.frame.command import Command, print_result
from coarsest.cli.frame.ledger import Ledger
from coarsest.cli.frame.method import run_of
from coarsest.cli.frame.publish import require_writable
from coarsest.errors import InputError
from coarsest.options.methods import GsteOptions
from coarsest.options.option import words

EXAMPLES = """  coarsest convert model.smv flat.smv     modules, arrays and macros opened: one flat module
  coarsest convert model.smv -            to standard output
  coarsest convert - flat.smv --from smv  from standard input
  coarsest convert queue.ag bad.hoa       an assertion graph as the automaton of what violates it
  coarsest convert lift.aut lift.ba       an explicit graph; automata (.hoa) are read as graphs, too
  coarsest convert never.hoa never.ag     an automaton as the assertion graph that nothing it accepts satisfies"""

if TYPE_CHECKING:
    from coarsest.formats import FileKind


def _parser() -> arguments.Parser:
    summary = "Translate a model or a graph into another format, or an assertion graph into an automaton and back."
    parser = arguments.Parser("convert", "IN OUT", summary, EXAMPLES)
    text = "a model, graph, assertion graph (.ag) or automaton (.hoa); '-' is standard input"
    parser.add_argument("model", metavar="IN", help=text)
    parser.add_argument("output", metavar="OUT", help="the file to write, whole or not at all; '-' is standard output")
    parser.add_argument("--from", dest="format", metavar="FORMAT", help="format of IN (default: by its suffix)")
    parser.add_argument("--to", metavar="FORMAT", help="format of OUT (default: by its suffix)")
    text = "of the assertion graph: finite or fair paths, or as it is written (fair for an automaton)"
    parser.add_argument("--semantics", choices=words(GsteOptions, "semantics"), default="auto", help=text)
    parser.add_argument("--graph", metavar="NAME", help="of several assertion graphs in a file, this one")
    parser.add_argument("-q", "--quiet", action="store_true", help="no warnings")
    parser.add_argument("-v", "--verbose", action="store_true", help="progress even when not on a terminal")
    arguments.limit_options(parser)
    return parser


def _run(args: Namespace, ledger: Ledger) -> None:
    require_writable(args.output)
    from coarsest.formats import FileKind, kind_of, machine_format, write_machine

    source, target = kind_of(args.model, args.format), kind_of(args.output, args.to)
    automaton_as_graph = source is FileKind.AUTOMATON and target is FileKind.GRAPH
    if automaton_as_graph or (source is FileKind.GRAPH and target is not FileKind.ASSERTION_GRAPHS):
        _convert_graph(args, ledger)
        return
    if {source, target} & {FileKind.ASSERTION_GRAPHS, FileKind.AUTOMATON}:
        ledger.record(result={"text": _automaton(args, source, target)})
        return
    _insist_no_assertion_graph(args)
    from coarsest.api import model as api

    format = args.to or machine_format(args.output, option="to")
    model = api.load(args.model, format=args.format)
    for warning in model.warnings:
        ledger.warn(warning.message, warning.show())
    ledger.record(result={"text": write_machine(model.machine, format)})


def _convert_graph(args: Namespace, ledger: Ledger) -> None:
    """Written here, and not by whoever owns standard output: it may be large."""
    from coarsest.files import write_whole
    from coarsest.formats import FORMATS, FileKind, graph_to_pieces, read_graph, require_graph_format

    _insist_no_assertion_graph(args)
    written = [format.name for format in FORMATS.values() if format.holds is FileKind.GRAPH and format.writer]
    if args.to not in (None, *written):
        raise InputError(f"a graph is not written as {args.to}", hint=f"graphs are written as {', '.join(written)}")
    named = f"{args.output}.{args.to}" if args.to else args.output
    require_graph_format(named)
    pieces = graph_to_pieces(read_graph(args.model, format=args.format, run=run_of(args, ledger)), named)
    if args.output == "-":
        ledger.record(result={"text": b"".join(pieces).decode("utf-8", "surrogateescape")})
    else:
        write_whole(args.output, pieces)
        ledger.record(result={})


def _conclude(args: Namespace, ledger: Ledger, because: str | None) -> int:
    return 0 if ledger.result == {} else print_result(args, ledger, because)


def _insist_no_assertion_graph(args: Namespace) -> None:
    if args.graph is not None or args.semantics != "auto":
        raise InputError("--graph and --semantics are for assertion graphs (.ag) and automata (.hoa)", hint="leave them out")


def _automaton(args: Namespace, source: FileKind | None, target: FileKind | None) -> str:
    """Theorems 1 and 2 one way, 3 and 4 the other."""
    from coarsest.automata.translate.assertion_graphs_and_buchi import graph_against, violating_paths
    from coarsest.files import read_contents
    from coarsest.formats import FileKind, read_automaton
    from coarsest.formats.assertion_graph import write as write_graphs
    from coarsest.formats.hoa import write as write_hoa
    from coarsest.model.assertion_graph import Semantics

    if target is None and args.to is None and args.output == "-":
        target = FileKind.ASSERTION_GRAPHS if source is FileKind.AUTOMATON else FileKind.AUTOMATON
    if {source, target} != {FileKind.AUTOMATON, FileKind.ASSERTION_GRAPHS}:
        words = [given or Path(path).suffix.lower().removeprefix(".") or "this" for given, path in
                 ((args.format, args.model), (args.to, args.output))]  # fmt: skip
        raise InputError(
            f"cannot translate {words[0]} into {words[1]}",
            hint="an assertion graph (.ag) becomes an automaton (.hoa), and an automaton an assertion graph",
        )
    meant = None if args.semantics == "auto" else Semantics(args.semantics)
    if source is FileKind.AUTOMATON:
        if args.graph is not None:
            raise InputError("--graph is for files with assertion graphs (.ag)", hint="leave it out")
        automaton = read_automaton(read_contents(args.model), format=args.format)
        return write_graphs.write([graph_against(automaton, meant or Semantics.FAIR)])
    graphs = assertion_graphs(args.model, args.graph)
    if len(graphs) > 1:
        names = ", ".join(graph.name for graph in graphs)
        raise InputError(f"{args.model} has {len(graphs)} assertion graphs", hint=f"choose one with --graph: {names}")
    violating = violating_paths(graphs[0], meant or graphs[0].semantics)
    return write_hoa.write(violating, name=f"what violates {graphs[0].name}", tool="coarsest")


command = Command(_parser, _run, _conclude)
