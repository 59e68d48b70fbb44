"""`coarsest reduce` for explicit graphs."""

from __future__ import annotations

from argparse import Namespace
from typing import TYPE_CHECKING

from coarsest.api.options import REDUCE_GRAPH, REDUCE_TABLES, WORDS
from coarsest.cli.frame.arguments import CommandParser, add_choices
from coarsest.cli.frame.command import chosen, run_of
from coarsest.cli.frame.endings import picture_kind
from coarsest.cli.frame.kinds import CommandSubject, is_automaton
from coarsest.cli.frame.ledger import Ledger
from coarsest.cli.frame.publish import require_writable
from coarsest.errors import InputError, Unsupported
from coarsest.files import STANDARD_INPUT, write_whole
from coarsest.options.relations import MODELS_REDUCED_BY

if TYPE_CHECKING:
    from coarsest.api.results import ReductionFacts


SUBJECT = CommandSubject(
    "explicit graphs", REDUCE_GRAPH, ("certificate", "minimal"),
    {"every_state": "to keep all states of a graph, say --keep-unreachable"},
)  # fmt: skip


def add_options(parser: CommandParser) -> None:
    """Add the options of graphs."""
    group = parser.add_argument_group("explicit graphs", "MODEL is an .aut, .ba, .npz or .hoa file, or has such a --format")
    add_choices(group, REDUCE_GRAPH.choices, "keep_unreachable")
    add_choices(group, REDUCE_TABLES.choices, "engine")
    group.add_argument("--certificate", metavar="FILE", help="write the classes of all states to a file, for 'coarsest confirm'")
    group.add_argument("--minimal", action="store_true", help="add formulas that distinguish all classes (small graphs)")


def run(args: Namespace, ledger: Ledger) -> tuple[ReductionFacts, str | None]:
    """Minimise a graph and write the quotient; returns the facts and the text for standard output."""
    _require(args)
    run = run_of(args, ledger)
    if _is_plain(args):
        from coarsest.api.graphs.texts import reduce_text

        facts = reduce_text(args.model, args.output, by=args.by, run=run)
        if facts is not None:
            ledger.record(model=args.model)
            return facts, None
    from coarsest.api.graph import certificate_to_text, read_graph

    graph = read_graph(args.model, format=args.format, run=run)
    ledger.record(model=args.model)
    small = graph.reduce(run=run, **chosen(REDUCE_GRAPH, args))
    for warning in small.warnings:
        ledger.warn(warning)
    document: str | None = None
    kind = picture_kind(args.output)
    if kind is not None:
        from coarsest.api.drawings.draw import draw
        from coarsest.api.drawings.pictures import page_of_graph

        title = f"{args.model} by {args.by}"
        if kind == "html" and args.by == "bisimulation":
            document = page_of_graph(graph, small.graph, title, run, keep_unreachable=args.keep_unreachable)
        document = document or draw(small.graph, to=kind, title=title, run=run)
    elif args.output == STANDARD_INPUT:
        document = small.graph.to_text()
    elif args.output is not None:  # here and not in the supervisor: it may be large
        small.graph.write(args.output)
    if args.certificate is not None:
        text = certificate_to_text(graph.certify(by=args.by, minimal=args.minimal, run=run))
        if args.certificate == STANDARD_INPUT:
            ledger.record(printed=text)
        else:
            write_whole(args.certificate, text)
    return small.facts, document


def _is_plain(args: Namespace) -> bool:
    """Is an .aut file reduced to an .aut file, without further options?"""
    from coarsest.api.graphs.written import PRESERVED_BY
    from coarsest.formats import FORMATS, format_of

    usual = args.by in PRESERVED_BY and args.algorithm == args.confirm == "auto" and args.engine in ("auto", "cpu")
    usual = usual and args.quotient == "smallest"
    further = args.keep_unreachable or args.certificate is not None
    from_text = args.format is None and format_of(args.model) is FORMATS["aut"]
    return usual and not further and from_text and args.output is not None and format_of(args.output) is FORMATS["aut"]


def require_model_relation(args: Namespace) -> None:
    """Raise Unsupported for a relation by which models are not reduced."""
    if args.by not in MODELS_REDUCED_BY:
        if args.by in WORDS:
            hint = f"models are reduced by {', '.join(MODELS_REDUCED_BY)}"
            raise Unsupported(f"only Büchi automata (.hoa, .ba) are reduced by {args.by}", hint=hint)
        hint = "reduce it to a graph first: coarsest reduce MODEL -o GRAPH.aut"
        raise Unsupported(f"only explicit graphs are reduced by {args.by}", hint=hint)


def _require(args: Namespace) -> None:
    """Check options and outputs before the work."""
    from coarsest.api.graphs.texts import require_reduction
    from coarsest.formats import require_graph_format

    require_reduction(args.by, args.algorithm, args.engine)
    if args.minimal and args.certificate is None:
        raise InputError("--minimal adds formulas to a certificate", hint="say where it goes: --certificate FILE")
    require_writable(args.output)
    require_writable(args.certificate)
    if args.output is not None and picture_kind(args.output) is None:
        _require_graph(args)
        require_graph_format(args.output)


def _require_graph(args: Namespace) -> None:
    """Raise InputError if a graph is to be written as an automaton with acceptance."""
    from coarsest.formats import FileKind, kind_of

    if is_automaton(args) and kind_of(args.output) is FileKind.AUTOMATON:
        message = f"the result by {args.by} is a graph, not an automaton with acceptance"
        raise InputError(message, hint=f"reduce an automaton by {' or '.join(WORDS)}, or write .aut")
