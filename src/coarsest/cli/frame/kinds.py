"""The kind of a file (model, explicit graph, automaton or table), and the options that apply to it."""

from __future__ import annotations

from argparse import BooleanOptionalAction, Namespace
from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType

from msgspec import Struct

from coarsest.cli.frame.arguments import CommandParser
from coarsest.errors import InputError
from coarsest.options.option import Task, listed


class CommandSubject(Struct, frozen=True):
    """A kind of input or task of a command, with its options."""

    title: str
    task: Task = Task(())
    more: tuple[str, ...] = ()
    """Options of the command line that are in no struct, by their destinations."""
    instead: Mapping[str, str] = MappingProxyType({})
    """Hints for options that do not apply, by their destinations."""

    @property
    def names(self) -> frozenset[str]:
        return frozenset((*self.more, *(choice.name for choice in self.task.choices)))


def is_graph(args: Namespace) -> bool:
    """Is the input an explicit graph, by its format or name?"""
    from coarsest.formats import GRAPHS, kind_of

    return kind_of(args.model, args.format) in GRAPHS


def is_automaton(args: Namespace) -> bool:
    """Is the input an automaton on infinite words?"""
    from coarsest.formats import holds_automaton

    return holds_automaton(args.model, args.format)


def is_table(args: Namespace) -> bool:
    """Is the input a graph in a table?"""
    return holds_table(args.model, args.format)


def language_of(args: Namespace) -> str:
    """The name of the format of the model; empty if it is unknown."""
    from coarsest.formats import format_of

    format = format_of(getattr(args, "model", ""))
    return getattr(args, "format", None) or (format.name if format is not None else "")


def holds_table(path: str, format: str | None = None) -> bool:
    """Does a file hold a table?"""
    from coarsest.formats import FileKind, kind_of

    return kind_of(path, format) is FileKind.TABLE


def foreign(
    args: Namespace, parser: CommandParser, own: CommandSubject, subjects: Iterable[CommandSubject]
) -> Iterator[tuple[str, str, str]]:
    """The given options that do not apply to `own`: destination, flag, and the subjects that have it."""
    for action in parser._actions:
        owners = [subject.title for subject in subjects if action.dest in subject.names]
        if owners and own.title not in owners and getattr(args, action.dest) != parser.get_default(action.dest):
            both = isinstance(action, BooleanOptionalAction)  # --option and --no-option
            option = action.option_strings[0 if both and getattr(args, action.dest) else -1]
            yield action.dest, option, listed(owners)


def require_own(args: Namespace, parser: CommandParser, own: CommandSubject, subjects: Iterable[CommandSubject]) -> None:
    """Raise InputError for an option that does not apply to `own`."""
    for name, option, owners in foreign(args, parser, own, subjects):
        message = f"{option} is for {owners}, not for {own.title}"
        raise InputError(message, hint=f"leave out {option}{f'; {instead}' if (instead := own.instead.get(name)) else ''}")
