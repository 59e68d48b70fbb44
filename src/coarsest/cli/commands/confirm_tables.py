"""`coarsest confirm` for graphs in tables: is a table of states and classes a bisimulation, and the coarsest?"""

from __future__ import annotations

from argparse import Namespace
from typing import Any

from coarsest.cli.commands.reduce_tables import column_names, is_table
from coarsest.cli.frame.arguments import Parser
from coarsest.errors import InputError
from coarsest.run import Run


def add_options(parser: Parser) -> None:
    """The options that only tables have."""
    group = parser.add_argument_group("graphs in tables", "EVIDENCE is a table with the columns state and class")
    group.add_argument("--columns", default="source,action,target", metavar="NAMES",
                       help="the columns of source, action and target, or of source and target")  # fmt: skip
    group.add_argument("--states", metavar="FILE", help="a table with the columns state and label")
    group.add_argument("--coarsest", action="store_true", help="check, too, that no classes could be one")
    group.add_argument("--scratch", metavar="DIR", help="directory with room for intermediate tables")


def is_meant(args: Namespace) -> bool:
    """Is the evidence a table?"""
    return is_table(args.evidence)


def check(args: Namespace, run: Run) -> dict[str, Any]:
    """The facts for whoever asked."""
    if len(args.models) != 1:
        raise InputError("a table of classes is about one graph", hint="coarsest confirm edges.parquet classes.parquet")
    from coarsest.api.tables import confirm_files
    from coarsest.lts.tables.minimise import require_engine
    from coarsest.lts.tables.tables import EdgeTable, StateTable

    require_engine("duckdb")
    source, *action, target = column_names(args.columns)
    edges = EdgeTable(tuple(args.models), source, action[0] if action else None, target)
    states = None if args.states is None else StateTable((args.states,))
    found = confirm_files(edges, args.evidence, states, coarsest=args.coarsest, scratch=args.scratch, run=run)
    shows = "the partition is the coarsest bisimulation" if args.coarsest else "the partition is a bisimulation"
    return {"kind": "partition", "accepted": not found, "reason": "; ".join(found) or None, "shows": shows}
