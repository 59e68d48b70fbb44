"""`coarsest reach`: the reachable states of a model."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from msgspec import to_builtins

from coarsest.api.options import REACH
from coarsest.cli.frame import arguments
from coarsest.cli.frame.command import Command, chosen, loaded, run_of
from coarsest.cli.frame.endings import RESULTS
from coarsest.cli.frame.kinds import CommandSubject, is_graph, require_own
from coarsest.cli.frame.ledger import Ledger
from coarsest.cli.frame.publish import emit, in_form, require_writable, result_to_json, show_statistics

if TYPE_CHECKING:
    from coarsest.api.results import ReachFacts

EXAMPLES = """  coarsest reach philosophers.smv
  coarsest reach philosophers.smv --json
  coarsest reach philosophers.smv --search chaining --timeout 60
  coarsest reach lamps.blif --towards both       the states from which `both` can be reached
  coarsest reach lift.aut                        states, diameter and transitions of an explicit graph
  coarsest reach vending.v --hints vending.hint   follow these steps first, then all
  coarsest reach big.smv --save-order big.ord    next time: --order big.ord"""
MODELS, GRAPHS = CommandSubject("models", REACH, ("nodes", "seed", "hint_files")), CommandSubject("explicit graphs")


def _parser() -> arguments.CommandParser:
    summary = "Count the reachable states of a model or graph, and report their diameter and the size of their BDD."
    parser = arguments.CommandParser("reach", "MODEL", summary, EXAMPLES)
    arguments.model_argument(parser)
    arguments.hints_option(parser)
    arguments.add_choices(parser, REACH.choices, "towards")
    arguments.output_options(parser)
    arguments.limit_options(parser, nodes=True)
    group = arguments.method_group(parser)
    arguments.add_choices(group, (choice for choice in REACH.choices if choice.name != "towards"))
    arguments.seed_option(group)
    return parser


def _run(args: Namespace, ledger: Ledger) -> None:
    require_writable(args.output)
    require_writable(args.save_order)
    if is_graph(args):
        _reach_graph(args, ledger)
        return
    found = loaded(args, ledger).with_files(hints=args.hint_files).reach(run=run_of(args, ledger), **chosen(REACH, args))
    _record(found.facts, ledger, found.warnings)


def _reach_graph(args: Namespace, ledger: Ledger) -> None:
    require_own(args, _parser(), GRAPHS, (MODELS, GRAPHS))
    from coarsest.api.graph import read_graph

    run = run_of(args, ledger)
    graph = read_graph(args.model, format=args.format, run=run)
    ledger.record(model=args.model)
    found = graph.reach(run=run)
    _record(found.facts, ledger, found.warnings)


def _record(facts: ReachFacts, ledger: Ledger, warnings: Sequence[str] = ()) -> None:
    from coarsest.render.text.result_text import reach_to_text

    for text in warnings:
        ledger.warn(text)
    ledger.record(result={"facts": to_builtins(facts), "text": reach_to_text(facts)})


def _conclude(args: Namespace, ledger: Ledger, because: str | None) -> int:
    if ledger.result is None:
        from coarsest.api.results import ReachFacts

        _record(ReachFacts(reason=because, statistics=ledger.so_far()), ledger)
    result: dict[str, Any] = ledger.result or {}
    facts = result["facts"]
    if args.json:
        emit(result_to_json(ledger, {"model": ledger.model or args.model, **facts}), args.output)
    else:
        emit(in_form(args, result["text"]), args.output)
        if args.verbose or not facts["complete"]:
            show_statistics(args, ledger, facts["statistics"])
    return 0 if facts["complete"] else 3


command = Command(_parser, _run, _conclude, forms=RESULTS)
