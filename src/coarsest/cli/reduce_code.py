"""`coarsest reduce -o FILE.c` and `-o FILE.py`: the control automaton of a deterministic model, as code."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from coarsest.cli.ledger import Ledger
from coarsest.cli.method import engine_choices, run_of
from coarsest.cli.publish import require_writable
from coarsest.errors import InputError

if TYPE_CHECKING:
    from coarsest.model.machine import Machine
    from coarsest.reduce.control_automaton import ControlAutomaton

SUFFIXES = (".c", ".py")
ALGORITHM = "control-automaton"


def is_meant(args: Namespace) -> bool:
    """Does the name of the output ask for code?"""
    return args.output is not None and Path(args.output).suffix.lower() in SUFFIXES


def run(args: Namespace, ledger: Ledger) -> None:
    """Find the automaton, and write it as code."""
    require_writable(args.output)
    if args.actions:
        raise InputError("--actions has no meaning for code", hint="code reacts to all inputs")
    if args.algorithm != "auto":
        raise InputError(f"code is made by one algorithm, not by '{args.algorithm}'", hint="leave --algorithm out")
    from coarsest import api
    from coarsest.reduce.control_automaton import control_automaton
    from coarsest.system.build import BuildOptions

    model = api.load(args.model, format=args.format)
    ledger.record(model=args.model)
    for warning in model.warnings:
        ledger.warn(warning.message, warning.show())
    choices = engine_choices(args)
    options = BuildOptions(**{name: choices[name] for name in ("bdd", "order", "threads")})
    outputs = _outputs(model.machine, args.observe) if args.observe else None
    watch = run_of(args, ledger)
    automaton = control_automaton(model.machine, watch, options, outputs=outputs, cone=args.cone)
    before = model.reach(run=watch, order=args.order, bdd=args.bdd).states if args.count else None
    ledger.record(result={"facts": _facts(automaton, before), "document": _code(automaton, args.output)})


def _outputs(machine: Machine, texts: list[str]) -> dict[str, Any]:
    from coarsest.formats.smv.expression import parse_value
    from coarsest.logic.expr import Name

    found: dict[str, Any] = {}
    for text in texts:
        expr = parse_value(text, machine)
        found[expr.name if isinstance(expr, Name) else f"observed_{len(found) + 1}"] = expr
    return found


def _code(automaton: ControlAutomaton, path: str) -> str:
    if Path(path).suffix.lower() == ".c":
        from coarsest.render.code_c import automaton_to_c

        return automaton_to_c(automaton)
    from coarsest.render.code_python import automaton_to_python

    return automaton_to_python(automaton)


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
