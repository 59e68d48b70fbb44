"""`coarsest reach`: the reachable states of a model."""

from __future__ import annotations

import sys
from argparse import Namespace
from typing import TYPE_CHECKING, Any

from coarsest.api.options import REACH
from coarsest.cli.frame import arguments
from coarsest.cli.frame.command import Command
from coarsest.cli.frame.graph_input import ABOUT_BDDS, insist_defaults, is_graph
from coarsest.cli.frame.ledger import Ledger
from coarsest.cli.frame.method import chosen, run_of
from coarsest.cli.frame.publish import emit, require_writable

if TYPE_CHECKING:
    from coarsest.api.results import Reach

EXAMPLES = """  coarsest reach philosophers.smv
  coarsest reach philosophers.smv --json
  coarsest reach philosophers.smv --search chaining --timeout 60
  coarsest reach lift.aut                        of an explicit graph: states, diameter, transitions
  coarsest reach big.smv --save-order big.ord    and next time: --order big.ord"""

MOST_DIGITS_SHOWN = 60


def _parser() -> arguments.Parser:
    summary = "Find the reachable states of a model or graph: how many, how far, how large their BDD is."
    parser = arguments.Parser("reach", "MODEL", summary, EXAMPLES)
    arguments.model_argument(parser)
    arguments.output_options(parser, traces=False)
    arguments.limit_options(parser, nodes=True)
    group = arguments.method_group(parser)
    arguments.add_choices(group, REACH.choices)
    arguments.seed_option(group)
    return parser


def _run(args: Namespace, ledger: Ledger) -> None:
    require_writable(args.output)
    require_writable(args.save_order)
    if is_graph(args):
        _reach_graph(args, ledger)
        return
    from coarsest.api import model as api

    model = api.load(args.model, format=args.format)
    ledger.record(model=args.model)
    for warning in model.warnings:
        ledger.warn(warning.message, warning.show())
    found = model.reach(run=run_of(args, ledger), **chosen(REACH, args))
    for text in found.warnings:
        ledger.warn(text)
    ledger.record(result=_facts(found))


def _reach_graph(args: Namespace, ledger: Ledger) -> None:
    insist_defaults(args, _parser(), ABOUT_BDDS)
    from coarsest.api.graph import read_graph

    run = run_of(args, ledger)
    graph = read_graph(args.model, format=args.format, run=run)
    ledger.record(model=args.model)
    found = graph.reach(run=run)
    for text in found.warnings:
        ledger.warn(text)
    ledger.record(result={**_facts(found), "nodes": None})


def _facts(found: Reach) -> dict[str, Any]:
    """The states found before a limit are a statistic: only a complete search gives the count."""
    statistics = dict(found.statistics)
    if not found.complete:
        statistics["states_so_far"] = found.states
    return {
        "states": found.states if found.complete else None,
        "diameter": found.diameter if found.complete else None,
        "nodes": found.nodes,
        **({"transitions": found.transitions} if found.transitions is not None else {}),
        "complete": found.complete,
        "reason": found.because or None,
        "statistics": statistics,
    }


def _conclude(args: Namespace, ledger: Ledger, because: str | None) -> int:
    facts = ledger.result
    if facts is None:
        unknown = dict.fromkeys(("states", "diameter", "nodes"))
        facts = {**unknown, "complete": False, "reason": because, "statistics": ledger.so_far()}
    if args.json:
        from coarsest.render.data.json import SCHEMA, object_to_text

        seconds = round(ledger.seconds, 6)
        thing = {"schema": SCHEMA, "model": ledger.model or args.model, **facts, "seconds": seconds, "warnings": ledger.warnings}
        emit(object_to_text(thing) + "\n", args.output)
    else:
        emit(_text(facts), args.output)
        _print_statistics(args, ledger, facts)
    return 0 if facts["complete"] else 3


def _text(facts: dict[str, Any]) -> str:
    if not facts["complete"]:
        return f"unknown: {facts['reason']}\n"
    rows = {"states": _count(facts["states"]), **{name: facts.get(name) for name in ("diameter", "transitions", "nodes")}}
    width = len("diameter" if rows["transitions"] is None else "transitions")
    return "".join(f"{name:<{width}}  {value}\n" for name, value in rows.items() if value is not None)


def _count(states: int) -> str:
    digits = str(states)
    if len(digits) > MOST_DIGITS_SHOWN:
        return f"about {digits[0]}.{digits[1:4]}e{len(digits) - 1} (all {len(digits)} digits with --json)"
    return digits


def _print_statistics(args: Namespace, ledger: Ledger, facts: dict[str, Any]) -> None:
    from coarsest.render.text.text import statistics_to_lines

    if args.quiet or (facts["complete"] and not args.verbose):
        return
    lines = [*statistics_to_lines(facts["statistics"], args.screen.width), f"{ledger.seconds:.2f} s"]
    sys.stderr.write("".join(f"{line}\n" for line in lines))


command = Command(_parser, _run, _conclude, forms=("text", "json"))
