"""What a command is made of."""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Callable

from msgspec import Struct

from coarsest.cli.frame.arguments import Parser
from coarsest.cli.frame.ledger import Ledger
from coarsest.cli.frame.publish import emit


def _nothing(args: Namespace, ledger: Ledger) -> None:
    """Nothing to show before the end."""


def print_result(args: Namespace, ledger: Ledger, because: str | None) -> int:
    """Conclude a command whose result is one text."""
    if ledger.result is None:
        sys.stderr.write(f"unknown: {because}\n")
        return 3
    emit(ledger.result["text"], args.output)
    return 0


class Command(Struct, frozen=True):
    """A command in the order of its life. Only `conclude` and `follow` write results, and only where standard output is owned.

    `run` does the work and writes into the ledger; `follow` may publish what has just been decided; `conclude` publishes the rest
    and gives the exit code. Its third argument says why the work ended early, or is None.
    """

    parser: Callable[[], Parser]
    run: Callable[[Namespace, Ledger], None]
    conclude: Callable[[Namespace, Ledger, str | None], int] = print_result
    follow: Callable[[Namespace, Ledger], None] = _nothing
    talks: Callable[[Namespace], bool] | None = None  # with the user, while it runs
    plans: bool = False  # first of all, what shall be decided: a limit that is reached early names it
    forms: tuple[str, ...] = ()  # of FORMS, those that -o may be written in; none if the command decides that by itself
    other_forms: bool = False  # are there more endings, which the command itself knows?
