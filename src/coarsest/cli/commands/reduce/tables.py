"""`coarsest reduce` for graphs in tables."""

from __future__ import annotations

from argparse import Namespace
from typing import TYPE_CHECKING

from coarsest.api.options import COLUMNS, REDUCE_TABLES
from coarsest.cli.frame.arguments import CommandParser, add_choices
from coarsest.cli.frame.command import chosen, run_of
from coarsest.cli.frame.kinds import CommandSubject, holds_table
from coarsest.cli.frame.ledger import Ledger
from coarsest.cli.frame.publish import require_writable
from coarsest.errors import FileProblem, InputError, Unsupported

if TYPE_CHECKING:
    from coarsest.api.results import ReductionFacts


SUBJECT = CommandSubject(
    "graphs in tables", REDUCE_TABLES, ("by", "columns", "states", "threads"),
    {"certificate": "the certificate of a table is a table: --partition FILE"},
)  # fmt: skip


def add_options(parser: CommandParser) -> None:
    """Add the options of tables, and `--confirm`."""
    group = parser.add_argument_group("evidence")
    add_choices(group, REDUCE_TABLES.choices, "confirm")
    summary = "MODEL is a .parquet or .csv file with a row for each transition, or a pattern for many"
    group = parser.add_argument_group("graphs in tables", summary)
    group.add_argument("--columns", default=COLUMNS, metavar="NAMES",
                       help="the columns of source, action and target, or of source and target")  # fmt: skip
    group.add_argument("--states", metavar="FILE", help="a table with the column state and the columns label, initial or both")
    add_choices(group, REDUCE_TABLES.choices, "initial", "partition", "scratch")


def _endings() -> str:
    from coarsest.formats import FileKind, endings

    return ", ".join(endings(FileKind.TABLE))


def run(args: Namespace, ledger: Ledger) -> tuple[ReductionFacts, None]:
    """Minimise a graph in tables."""
    _require(args)
    from coarsest.api.tables import reduce_tables

    ledger.record(model=args.model)
    facts = reduce_tables(
        args.model, columns=args.columns, states=args.states, format=args.format, output=args.output,
        threads=args.threads if args.threads > 1 else None, run=run_of(args, ledger), **chosen(REDUCE_TABLES, args),
    )  # fmt: skip
    return facts, None


def _require(args: Namespace) -> None:
    """Check options and outputs before the work."""
    if args.by != "bisimulation":
        raise Unsupported(f"graphs in tables are reduced by bisimulation, not by {args.by}",
                          hint="convert the table to a graph file")  # fmt: skip
    for path in (args.output, args.partition):
        require_writable(path)
    if args.partition is not None and not holds_table(args.partition):
        raise FileProblem(f"the format of '{args.partition}' is not known by its name",
                          hint=f"known endings are {_endings()}")  # fmt: skip
    if args.output is not None and not holds_table(args.output):
        _require_a_graph(args)


def _require_a_graph(args: Namespace) -> None:
    from coarsest.formats import FileKind, endings

    graphs = endings(FileKind.GRAPH, written=True)
    if not args.output.lower().endswith(tuple(graphs)):
        hint = f"known endings are {', '.join((*endings(FileKind.TABLE), *graphs))}"
        raise FileProblem(f"the quotient of a table cannot be written as '{args.output}'", hint=hint)
    if not (args.initial or args.states):
        hint = "name one: --initial STATE, or write a table: -o FILE.parquet"
        raise InputError("a graph file needs an initial state", hint=hint)
