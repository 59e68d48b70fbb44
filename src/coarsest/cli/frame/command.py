"""What a command is made of, and how it comes from what people type to the Python interface."""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Callable
from os.path import isfile
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from coarsest.cli.frame.arguments import CommandParser
from coarsest.cli.frame.designs import load_one_design
from coarsest.cli.frame.ledger import Ledger
from coarsest.cli.frame.publish import emit
from coarsest.errors import InputError
from coarsest.options.methods import ORDERS
from coarsest.options.option import Task
from coarsest.run import Limits, Run
from coarsest.text.near import nearest

if TYPE_CHECKING:
    from coarsest.api.model import Model


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

    parser: Callable[[], CommandParser]
    run: Callable[[Namespace, Ledger], None]
    conclude: Callable[[Namespace, Ledger, str | None], int] = print_result
    follow: Callable[[Namespace, Ledger], None] = _nothing
    talks: Callable[[Namespace], bool] | None = None  # with the user, while it runs
    plans: bool = False  # first of all, what shall be decided: a limit that is reached early names it
    forms: tuple[str, ...] = ()  # of FORMS, those that -o may be written in; none if the command decides that by itself
    other_forms: bool = False  # are there more endings, which the command itself knows?


def run_of(args: Namespace, ledger: Ledger) -> Run:
    """A run with the limits of the command line that reports progress to the ledger. Its clock started with the command."""
    limits = Limits(seconds=args.timeout, mebibytes=args.memory, nodes=getattr(args, "nodes", None))
    return Run(limits, ledger.listen, seed=getattr(args, "seed", 0), started=ledger.started)


def loaded(args: Namespace, ledger: Ledger) -> Model:
    """The model that was named; its warnings go to the ledger."""
    from coarsest.api.model import load

    model = load_one_design(args) if hasattr(args, "design") else load(args.model, format=args.format)
    ledger.record(model=getattr(args, "title", args.model))
    for warning in model.warnings:
        ledger.warn_of(warning)
    if getattr(args, "verbose", False):
        for note in model.machine.notes:
            ledger.record(complaint=f"note: {note}\n")
    return model


def chosen(task: Task, args: Namespace) -> dict[str, Any]:
    """The options that were given for a task, checked as far as this needs no engine."""
    choices = {choice.name: getattr(args, choice.name) for choice in task.choices if choice.option.on_command_line}
    order = choices.get("order", "auto")
    if order not in ORDERS and not isfile(order):
        near = nearest(order, ORDERS)
        hint = f"did you mean '{near[0]}'?" if near else f"known orders are {', '.join(ORDERS)}; anything else is a file"
        raise InputError(f"there is no variable order and no file '{order}'", hint=hint)
    return choices
