"""From the options that people type to the options of the Python interface."""

from __future__ import annotations

from argparse import Namespace
from os.path import isfile
from typing import TYPE_CHECKING, Any

from coarsest.cli.frame.ledger import Ledger
from coarsest.errors import InputError
from coarsest.options.methods import ORDERS
from coarsest.options.option import Task
from coarsest.run import Limits, Run
from coarsest.text.near import nearest

if TYPE_CHECKING:
    from coarsest.api.model import Model


def run_of(args: Namespace, ledger: Ledger) -> Run:
    """A run with the limits that were asked for, which tells the ledger how it goes. Its clock started with the command."""
    limits = Limits(seconds=args.timeout, mebibytes=args.memory, nodes=getattr(args, "nodes", None))
    return Run(limits, ledger.listen, seed=getattr(args, "seed", 0), started=ledger.started)


def loaded(args: Namespace, ledger: Ledger) -> Model:
    """The model that was named, with what is doubtful in it told."""
    from coarsest.api.model import load

    model = load(args.model, format=args.format)
    ledger.record(model=args.model)
    for warning in model.warnings:
        ledger.warn_of(warning)
    return model


def chosen(task: Task, args: Namespace) -> dict[str, Any]:
    """What was chosen for a task, checked as far as the engine is not needed for it."""
    choices = {choice.name: getattr(args, choice.name) for choice in task.choices if choice.option.on_command_line}
    order = choices.get("order", "auto")
    if order not in ORDERS and not isfile(order):
        near = nearest(order, ORDERS)
        hint = f"did you mean '{near[0]}'?" if near else f"known orders are {', '.join(ORDERS)}; anything else is a file"
        raise InputError(f"there is no variable order and no file '{order}'", hint=hint)
    return choices
