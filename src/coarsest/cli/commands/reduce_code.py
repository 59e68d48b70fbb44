"""`coarsest reduce --reactions`, and `-o FILE.c` and `-o FILE.py`: the control automaton of a deterministic model."""

from __future__ import annotations

from argparse import Namespace
from math import prod
from pathlib import Path
from typing import TYPE_CHECKING, Any

from coarsest.api.options import CONTROLLER
from coarsest.cli.commands.reduce_graph import insist_without
from coarsest.cli.frame.ledger import Ledger
from coarsest.cli.frame.method import chosen, run_of
from coarsest.cli.frame.publish import require_writable
from coarsest.errors import InputError

if TYPE_CHECKING:
    from coarsest.model.machine import Machine
    from coarsest.reduce.controller.control_automaton import ControlAutomaton

SUFFIXES = (".c", ".py")
ALGORITHM = "control-automaton"
MANY_VALUES = 8


def is_meant(args: Namespace) -> bool:
    """Is the control automaton asked for, by name or because the name of the output asks for code?"""
    return args.reactions or (args.output is not None and Path(args.output).suffix.lower() in SUFFIXES)


def run(args: Namespace, ledger: Ledger) -> None:
    """Find the automaton, and write it."""
    from coarsest.api import model as api
    from coarsest.model.unbounded import unbounded_variables
    from coarsest.render.code.controller_text import controller_to_text, insist_controller_format

    require_writable(args.output)
    if args.output is not None:
        insist_controller_format(args.output)
    if args.actions:
        raise InputError("--actions has no meaning for a control automaton", hint="it reacts to all inputs")
    if args.algorithm != "auto":
        message = f"a control automaton is found by one algorithm, not by '{args.algorithm}'"
        raise InputError(message, hint="leave --algorithm out")
    insist_without(args, "a control automaton", "save-order", "trace-partitions", "certificate", "minimal", "keep-unreachable")

    model = api.load(args.model, format=args.format)
    ledger.record(model=args.model)
    for warning in model.warnings:
        ledger.warn(warning.message, warning.show())
    options = chosen(CONTROLLER, args)
    watch = run_of(args, ledger)
    in_c = args.output is not None and Path(args.output).suffix.lower() == ".c"
    if args.reactions or not in_c:
        warn_of_large_outputs(model.machine, args, ledger)
    data = "states" if args.reactions or not in_c else "variables"
    found = model.control_automaton(run=watch, data=data, **options)
    countable = args.count and not unbounded_variables(model.machine)
    before = model.reach(run=watch, order=args.order, bdd=args.bdd).states if countable else None
    if found.program is not None:
        document: str | None = found.program
    else:
        document = None if args.output is None else controller_to_text(found.automaton, model.machine, args.output)
    kept = "states" if found.program is None else "variables"
    ledger.record(result={"facts": {**_facts(found.automaton, before), "data": kept}, "document": document})


def warn_of_large_outputs(machine: Machine, args: Namespace, ledger: Ledger) -> None:
    """Where all outputs count because none is chosen, and they have many values, say which: the result will be large."""
    if args.observe or not machine.outputs:
        return
    from coarsest.reduce.controller.control_automaton import sizes_of_outputs

    sizes = sizes_of_outputs(machine)
    large = {name: size for name, size in sizes.items() if size is None or size > MANY_VALUES}
    if not large or prod(size or MANY_VALUES**2 for size in sizes.values()) <= MANY_VALUES**2:
        return
    shown = ", ".join(f"{name} ({'no bound' if size is None else size})" for name, size in large.items())
    message = f"all outputs are observed, some with many values: {shown}; the result may be large"
    small = [name for name in sizes if name not in large]
    hint = "say what of them counts, with --observe"
    if small:
        hint = f"choose some with --observe, for example --observe {' '.join(small)}"
    ledger.warn(message, f"warning: {message}\n  hint: {hint}")


def _facts(automaton: ControlAutomaton, before: int | None) -> dict[str, Any]:
    statistics = {"decisions": len(automaton.decisions), "reactions": len(automaton.reactions)}
    return {
        "states": {"before": before, "after": automaton.size},
        "transitions": {"before": None, "after": len(automaton.edges())},
        "relation": "bisimulation",
        "algorithm": ALGORITHM,
        "preserves": "CTL* and the reactions to all inputs",
        "statistics": statistics,
    }
