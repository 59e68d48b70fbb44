"""`coarsest convert`: translates between formats."""

from __future__ import annotations

from argparse import SUPPRESS, Namespace

from coarsest.cli.frame import arguments
from coarsest.cli.frame.command import Command, print_result, run_of
from coarsest.cli.frame.endings import picture_kind
from coarsest.cli.frame.ledger import Ledger
from coarsest.cli.frame.publish import require_writable
from coarsest.errors import InputError
from coarsest.options.methods import GsteOptions
from coarsest.options.option import words

EXAMPLES = """  coarsest convert model.smv flat.smv     one flat module, without arrays and macros
  coarsest convert model.smv -            to standard output
  coarsest convert - flat.smv --from smv  from standard input
  coarsest convert mutex.smv mutex.aut    the graph of the reachable states; transitions are named by inputs
  coarsest convert queue.ag bad.hoa       an assertion graph, as the automaton that accepts its violations
  coarsest convert lift.aut lift.ba       an explicit graph; automata (.hoa) are read as graphs, too
  coarsest convert never.hoa never.ag     an automaton, as the assertion graph that forbids what it accepts"""


def _parser() -> arguments.CommandParser:
    summary = "Translate a model or a graph into another format, or an assertion graph into an automaton and back."
    parser = arguments.CommandParser("convert", "IN OUT", summary, EXAMPLES)
    text = "a model, graph, assertion graph (.ag) or automaton (.hoa); '-' is standard input"
    parser.add_argument("model", metavar="IN", help=text)
    text = "the file to write; '-' is standard output"
    parser.add_argument("output", metavar="OUT", nargs="?", default=SUPPRESS, help=text)
    parser.add_argument("-o", "--output", metavar="OUT", help="the same as OUT")
    parser.add_argument("--from", dest="format", metavar="FORMAT", help="format of IN (default: by its suffix)")
    parser.add_argument("--to", metavar="FORMAT", help="format of OUT (default: by its suffix)")
    text = "semantics of the assertion graph: finite or fair paths, or as stated in it (fair for an automaton)"
    parser.add_argument("--semantics", choices=words(GsteOptions, "semantics"), default="auto", help=text)
    parser.add_argument("--graph", metavar="NAME", help="convert this one of several assertion graphs in a file")
    text = "inputs whose values name the transitions of a model that becomes a graph (default: all)"
    parser.add_argument("--actions", metavar="INPUT", nargs="*", help=text)
    text = "expressions of any type, whose values label the states of a model that becomes a graph"
    parser.add_argument("--observe", metavar="EXPR", nargs="+", default=(), help=text)
    arguments.talk_options(parser, "no warnings")
    arguments.limit_options(parser)
    return parser


def _run(args: Namespace, ledger: Ledger) -> None:
    if args.output is None:
        raise InputError("'coarsest convert' needs IN and OUT", hint="for example: coarsest convert model.smv flat.smv")
    if args.to is None and picture_kind(args.output) is not None:
        raise InputError(f"'{args.output}' is a picture", hint=f"draw it: coarsest show {args.model} -o {args.output}")
    require_writable(args.output)
    from coarsest.api.convert import convert

    converted = convert(
        args.model, args.output, format=args.format, to=args.to, semantics=args.semantics, graph=args.graph,
        actions=args.actions, observe=args.observe, run=run_of(args, ledger),
    )  # fmt: skip
    for warning in converted.warnings:
        ledger.warn_of(warning)
    if converted.is_graph and args.output != "-":  # here and not in the supervisor: it may be large
        converted.write(args.output)
        ledger.record(result={})
    else:
        ledger.record(result={"text": converted.text})


def _conclude(args: Namespace, ledger: Ledger, because: str | None) -> int:
    return 0 if ledger.result == {} else print_result(args, ledger, because)


command = Command(_parser, _run, _conclude)
