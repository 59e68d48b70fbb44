"""`coarsest reduce` to the control automaton of a deterministic model: with --reactions, for code, and for Lustre."""

from __future__ import annotations

from argparse import Namespace
from math import prod
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from coarsest.api.options import CONTROLLER
from coarsest.cli.frame.command import chosen, loaded, run_of
from coarsest.cli.frame.kinds import CommandSubject, language_of
from coarsest.cli.frame.ledger import Ledger
from coarsest.cli.frame.publish import require_writable
from coarsest.errors import Unsupported

if TYPE_CHECKING:
    from coarsest.api.model import Model
    from coarsest.api.reductions import Controller
    from coarsest.api.results import ReductionFacts
    from coarsest.run import Run

SUFFIXES = (".c", ".py")
MANY_VALUES: Final = 8
SUBJECT = CommandSubject("control automata", CONTROLLER, ("reactions", "nodes", "seed"))


def is_named(args: Namespace) -> bool:
    """Does the user ask for the control automaton, or for code?"""
    if args.reactions or args.output is None:
        return bool(args.reactions)
    return Path(args.output).suffix.lower() in SUFFIXES


def is_usual(args: Namespace) -> bool:
    """Is a Lustre program written to a file that can hold its control automaton?"""
    from coarsest.render.code.controller_text import SUFFIXES as WRITTEN

    if args.reactions is not None or args.output is None:
        return False
    return language_of(args).partition(":")[0] in ("lustre", "lus") and Path(args.output).suffix.lower() in WRITTEN


def run(args: Namespace, ledger: Ledger) -> tuple[ReductionFacts, str | None]:
    """Find and write the automaton; returns the facts and its text."""
    from coarsest.render.code.controller_text import require_controller_format

    require_writable(args.output)
    if args.output is not None:
        require_controller_format(args.output)
    model = loaded(args, ledger)
    options = chosen(CONTROLLER, args)
    if _ways(args)[0] == "states":
        warn_of_large_outputs(model, args, ledger)
    run = run_of(args, ledger)
    controller = _controller(model, args, run, options)
    document = controller.to_text(model.machine, args.output) if args.output is not None else controller.program
    return controller.facts, document


def _ways(args: Namespace) -> list[str]:
    """Where to keep numbers, the best way first: in C, in variables; with --reactions, in the states if possible; in a picture,
    nowhere if possible."""
    from coarsest.render.code.controller_text import is_drawn

    suffix = "" if args.output is None else Path(args.output).suffix.lower()
    if not args.reactions and suffix == ".c":
        return ["variables"]
    if not suffix or not is_drawn(args.output):
        return ["states"]
    return ["states", "none"] if args.reactions else ["none", "states"]


def _controller(model: Model, args: Namespace, run: Run, options: dict[str, Any]) -> Controller:
    first, *others = _ways(args)
    try:
        return model.control_automaton(run=run, data=first, count=args.count, **options)
    except Unsupported as refusal:
        for other in others:
            try:
                return model.control_automaton(run=run, data=other, count=args.count, **options)
            except Unsupported:
                pass
        raise refusal from None


def warn_of_large_outputs(model: Model, args: Namespace, ledger: Ledger) -> None:
    """Warn if all outputs are observed because none is chosen, and some have many values."""
    if args.observe:
        return
    sizes = model.output_sizes()
    large = {name: size for name, size in sizes.items() if size is None or size > MANY_VALUES}
    if not large or prod(size or MANY_VALUES**2 for size in sizes.values()) <= MANY_VALUES**2:
        return
    shown = ", ".join(f"{name} ({'no bound' if size is None else size})" for name, size in large.items())
    message = f"all outputs are observed, some with many values: {shown}; the result may be large"
    small = [name for name in sizes if name not in large]
    hint = "choose expressions of them with --observe"
    if small:
        hint = f"choose some with --observe, for example --observe {' '.join(small)}"
    ledger.warn(message, f"warning: {message}\n  hint: {hint}")
