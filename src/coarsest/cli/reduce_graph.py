"""`coarsest reduce` for explicit graphs: options, and the work."""

from __future__ import annotations

from argparse import Namespace
from typing import TYPE_CHECKING, Any

from coarsest.cli.arguments import Parser
from coarsest.cli.ledger import Ledger
from coarsest.cli.method import run_of
from coarsest.cli.publish import require_writable
from coarsest.errors import InputError, Unsupported
from coarsest.files import STANDARD_INPUT

if TYPE_CHECKING:
    from coarsest.reduce.graph.minimise import Minimised

ALGORITHMS = ("signatures", "valmari")
RELATIONS = ("bisimulation",)


def add_options(parser: Parser) -> None:
    """The options that only graphs have."""
    group = parser.add_argument_group("explicit graphs", "MODEL is an .aut, .ba or .hoa file, or has such a --format")
    group.add_argument("--keep-unreachable", action="store_true", help="keep states that no initial state leads to")


def is_meant(args: Namespace) -> bool:
    """Is the model an explicit graph?"""
    from coarsest.formats.graphs import GRAPH_FORMATS, graph_format_of

    return args.format in GRAPH_FORMATS or (args.format is None and graph_format_of(args.model) is not None)


def run(args: Namespace, ledger: Ledger) -> None:
    """Minimise a graph, and write the quotient."""
    _insist(args)
    from coarsest.formats.graphs import graph_to_pieces, read_graph, write_graph
    from coarsest.reduce.graph.minimise import minimise

    watch = run_of(args, ledger)
    graph = read_graph(args.model, format=args.format, run=watch)
    ledger.record(model=args.model)
    before = {"states": graph.states, "transitions": graph.transitions}
    found = minimise(graph, algorithm=args.algorithm, keep_unreachable=args.keep_unreachable, run=watch)
    document = None
    if args.output == STANDARD_INPUT:
        document = b"".join(graph_to_pieces(found.graph, args.output)).decode("utf-8", "surrogateescape")
    elif args.output is not None:  # here, and not by whoever owns standard output: it may be large
        write_graph(found.graph, args.output)
    ledger.record(result={"facts": _facts(before, found), "document": document})


def _insist(args: Namespace) -> None:
    """Complain before the work."""
    from coarsest.formats.graphs import require_graph_format

    if args.by not in RELATIONS:
        raise Unsupported(f"graphs are reduced by {' or '.join(RELATIONS)}, not by {args.by}")
    if args.algorithm not in ("auto", *ALGORITHMS):
        names = ", ".join(ALGORITHMS)
        raise InputError(f"the algorithm '{args.algorithm}' is not for explicit graphs", hint=f"those are auto, {names}")
    for option in ("observe", "actions"):
        if getattr(args, option):
            message = f"--{option} is for models: all labels and actions of a graph are seen"
            raise InputError(message, hint=f"leave out --{option}")
    require_writable(args.output)
    if args.output is not None:
        require_graph_format(args.output)


def _facts(before: dict[str, int], found: Minimised) -> dict[str, Any]:
    return {
        "states": {"before": before["states"], "after": found.graph.states},
        "transitions": {"before": before["transitions"], "after": found.graph.transitions},
        "relation": found.relation,
        "algorithm": found.algorithm,
        "preserves": "the modal mu-calculus",
        "statistics": {"transitions looked at": found.work},
    }
