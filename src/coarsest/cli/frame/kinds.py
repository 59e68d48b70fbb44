"""What the file holds that was named: a model, an explicit graph or a table; and options that have no meaning for it."""

from __future__ import annotations

from argparse import BooleanOptionalAction, Namespace
from collections.abc import Mapping
from types import MappingProxyType

from coarsest.cli.frame.arguments import Parser
from coarsest.errors import InputError

ABOUT_BDDS: Mapping[str, str] = MappingProxyType(
    dict.fromkeys(
        ("search", "merge", "hint_files", "carrier", "relation", "bdd", "order", "save_order", "reorder", "threads", "nodes"),
        "it is about how sets of states of a model are kept, and the states of a graph are listed",
    )
)
"""Options by the name of their value, each with why it has no meaning."""


def is_graph(args: Namespace) -> bool:
    """Is what shall be read an explicit graph, by its format or its name?"""
    from coarsest.formats import GRAPHS, kind_of

    return kind_of(args.model, args.format) in GRAPHS


def is_automaton(args: Namespace) -> bool:
    """Is it an automaton on infinite words?"""
    from coarsest.formats import holds_automaton

    return holds_automaton(args.model, args.format)


def is_table(args: Namespace) -> bool:
    """Is it a graph in a table?"""
    return holds_table(args.model, args.format)


def language_of(args: Namespace) -> str:
    """The name of the format of the model, as far as one was named."""
    from coarsest.formats import format_of

    format = format_of(getattr(args, "model", ""))
    return getattr(args, "format", None) or (format.name if format is not None else "")


def holds_table(path: str, format: str | None = None) -> bool:
    """Does a file hold a table?"""
    from coarsest.formats import FileKind, kind_of

    return kind_of(path, format) is FileKind.TABLE


def insist_defaults(args: Namespace, parser: Parser, reasons: Mapping[str, str], kind: str = "explicit graphs") -> None:
    """Complain about options that were chosen and have no meaning for what was named."""
    for action in parser._actions:
        if action.dest in reasons and getattr(args, action.dest) != parser.get_default(action.dest):
            both = isinstance(action, BooleanOptionalAction)  # --option and --no-option
            option = action.option_strings[0 if both and getattr(args, action.dest) else -1]
            message = f"{option} has no meaning for {kind}: {reasons[action.dest]}"
            raise InputError(message, hint=f"leave out {option}")
