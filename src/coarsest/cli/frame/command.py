"""The parts of a command, and its way from the command line to the Python interface."""

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
    """Show nothing before the end."""


def print_result(args: Namespace, ledger: Ledger, because: str | None) -> int:
    """Conclude a command whose result is one text."""
    if ledger.result is None:
        sys.stderr.write(f"unknown: {because}\n")
        return 3
    emit(ledger.result["text"], args.output)
    return 0


class Command(Struct, frozen=True):
    """The functions of a command, in the order in which they are called.

    `run` does the work and writes into the ledger; `follow` may publish the latest decision; `conclude` publishes the rest and
    returns the exit code; its third argument says why the work ended early, or is None. Only `follow` and `conclude` write
    results, in the process that owns standard output.
    """

    parser: Callable[[], CommandParser]
    run: Callable[[Namespace, Ledger], None]
    conclude: Callable[[Namespace, Ledger, str | None], int] = print_result
    follow: Callable[[Namespace, Ledger], None] = _nothing
    talks: Callable[[Namespace], bool] = lambda _: False  # does it talk with the user?
    plans: bool = False  # does it begin by listing what to decide? An early limit can then name it
    forms: tuple[str, ...] = ()  # the formats of -o among FORMS; none if the command decides itself
    other_forms: bool = False  # does the command know more endings?


def run_of(args: Namespace, ledger: Ledger) -> Run:
    """A run with the limits of the command line, whose progress goes to the ledger. Its clock started with the command."""
    limits = Limits(seconds=args.timeout, mebibytes=args.memory, nodes=getattr(args, "nodes", None))
    return Run(limits, ledger.listen, seed=getattr(args, "seed", 0), started=ledger.started)


def loaded(args: Namespace, ledger: Ledger) -> Model:
    """The model of the command line; its warnings go to the ledger."""
    from coarsest.api.model import load_model

    model = load_one_design(args) if hasattr(args, "design") else load_model(args.model, format=args.format)
    ledger.record(model=getattr(args, "title", args.model))
    for warning in model.warnings:
        ledger.warn_of(warning)
    if getattr(args, "verbose", False):
        for note in model.machine.notes:
            ledger.record(complaint=f"note: {note}\n")
    return model


def chosen(task: Task, args: Namespace) -> dict[str, Any]:
    """The options of a task from the command line, checked as far as possible without an engine."""
    choices = {choice.name: getattr(args, choice.name) for choice in task.choices if choice.option.on_command_line}
    order = choices.get("order", "auto")
    if order not in ORDERS and not isfile(order):
        near = nearest(order, ORDERS)
        hint = f"did you mean '{near[0]}'?" if near else f"known orders are {', '.join(ORDERS)}; anything else is a file"
        raise InputError(f"there is no variable order and no file '{order}'", hint=hint)
    return choices
