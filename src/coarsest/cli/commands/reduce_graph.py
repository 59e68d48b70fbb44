"""`coarsest reduce` for explicit graphs: options, and the work."""

from __future__ import annotations

from argparse import Namespace
from typing import TYPE_CHECKING, Any

from coarsest.api.options import REDUCE_GRAPH
from coarsest.cli.frame.arguments import Parser, add_choices
from coarsest.cli.frame.ledger import Ledger
from coarsest.cli.frame.method import run_of
from coarsest.cli.frame.publish import require_writable
from coarsest.errors import InputError, Unsupported
from coarsest.files import STANDARD_INPUT
from coarsest.lts import relations
from coarsest.options.option import Confirm

if TYPE_CHECKING:
    from coarsest.lts.labelled import Graph
    from coarsest.lts.minimise.minimise import Minimised
    from coarsest.run import Run



def add_options(parser: Parser) -> None:
    """The options that only graphs have."""
    group = parser.add_argument_group("explicit graphs", "MODEL is an .aut, .ba or .hoa file, or has such a --format")
    add_choices(group, REDUCE_GRAPH.choices, "keep_unreachable")
    group.add_argument("--certificate", metavar="FILE", help="write the classes of all states there, for 'coarsest confirm'")
    group.add_argument("--minimal", action="store_true", help="with formulas that tell all classes apart, for small graphs")


def is_meant(args: Namespace) -> bool:
    """Is the model an explicit graph?"""
    from coarsest.formats import GRAPHS, kind_of

    return kind_of(args.model, args.format) in GRAPHS


def run(args: Namespace, ledger: Ledger) -> None:
    """Minimise a graph, and write the quotient."""
    _insist(args)
    from coarsest.api.graph import minimise_by
    from coarsest.formats import graph_to_pieces, read_graph, write_graph
    from coarsest.lts.compare.confirm_reduction import confirm_reduction

    watch = run_of(args, ledger)
    graph = read_graph(args.model, format=args.format, run=watch)
    ledger.record(model=args.model)
    before = {"states": graph.states, "transitions": graph.transitions}
    found = minimise_by(args.by, graph, algorithm=args.algorithm, keep_unreachable=args.keep_unreachable, run=watch)
    confirmed = confirm_reduction(graph, found, when=Confirm(args.confirm))
    document = None
    if args.output == STANDARD_INPUT:
        document = b"".join(graph_to_pieces(found.graph, args.output)).decode("utf-8", "surrogateescape")
    elif args.output is not None:  # here, and not by whoever owns standard output: it may be large
        write_graph(found.graph, args.output)
    if args.certificate is not None:
        _certify(graph, args, ledger, watch)
    ledger.record(result={"facts": {**_facts(before, found), "confirmed": confirmed}, "document": document})


def _certify(graph: Graph, args: Namespace, ledger: Ledger, run: Run) -> None:
    from coarsest.files import write_whole
    from coarsest.lts.certificate_json import certificate_to_text
    from coarsest.lts.compare.compare_graphs import certify_graph

    text = certificate_to_text(certify_graph(graph, by=args.by, minimal=args.minimal, run=run))
    if args.certificate == STANDARD_INPUT:
        ledger.record(printed=text)
    else:
        write_whole(args.certificate, text)


def insist_without(args: Namespace, kind: str, *options: str) -> None:
    """Complain about options that mean nothing for what is reduced."""
    for option in options:
        if getattr(args, option.replace("-", "_")):
            raise InputError(f"--{option} has no meaning for {kind}", hint=f"leave out --{option}")


def insist_model_relation(args: Namespace) -> None:
    """Complain about what is only for graphs, when the model is none."""
    if args.by != "bisimulation":
        hint = "reduce it to a graph first: coarsest reduce MODEL -o GRAPH.aut"
        raise Unsupported(f"only explicit graphs are reduced by {args.by}", hint=hint)
    for option in ("certificate", "minimal", "keep-unreachable"):
        if getattr(args, option.replace("-", "_")):
            raise Unsupported(f"--{option} is for explicit graphs", hint=f"leave out --{option}")


def _insist(args: Namespace) -> None:
    """Complain before the work."""
    from coarsest.formats import require_graph_format

    if args.algorithm not in relations.algorithms():
        names = ", ".join(relations.algorithms())
        raise InputError(f"the algorithm '{args.algorithm}' is not for explicit graphs", hint=f"those are {names}")
    if args.algorithm != "auto" and not relations.relations()[args.by].choices:
        raise InputError(f"there is one algorithm for {args.by}, not a choice", hint="leave out --algorithm")
    for option in ("observe", "actions"):
        if getattr(args, option):
            message = f"--{option} is for models: all labels and actions of a graph are seen"
            raise InputError(message, hint=f"leave out --{option}")
    insist_without(args, "explicit graphs", "save-order", "trace-partitions")
    if args.minimal and args.certificate is None:
        raise InputError("--minimal adds formulas to a certificate", hint="say where it goes: --certificate FILE")
    require_writable(args.output)
    require_writable(args.certificate)
    if args.output is not None:
        require_graph_format(args.output)


def _facts(before: dict[str, int], found: Minimised) -> dict[str, Any]:
    return {
        "states": {"before": before["states"], "after": found.graph.states},
        "transitions": {"before": before["transitions"], "after": found.graph.transitions},
        "relation": found.relation,
        "algorithm": found.algorithm,
        "preserves": relations.relations()[found.relation].preserves,
        "statistics": {"transitions_looked_at": found.work},
    }
