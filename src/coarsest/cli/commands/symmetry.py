"""`coarsest symmetry`: the verified symmetries of a model, and those that each property keeps."""

from __future__ import annotations

from argparse import Namespace

from coarsest.api.options import SYMMETRY
from coarsest.cli.frame import arguments
from coarsest.cli.frame.command import Command, chosen, loaded, run_of
from coarsest.cli.frame.endings import RESULTS
from coarsest.cli.frame.ledger import Ledger
from coarsest.cli.frame.publish import emit, in_form, require_writable, result_to_json, show_statistics

EXAMPLES = """  coarsest symmetry mutex.smv                          the symmetries in its structure or comments
  coarsest symmetry mutex.smv --generators swap.sym    those in a file: 'swap p1 p2', 'rotate p1..p4', one per line
  coarsest symmetry mutex.smv --count                  count the orbits of the reachable states
  coarsest check mutex.smv --reduce symmetry           check on representatives"""


def _parser() -> arguments.CommandParser:
    summary = "Find the symmetries of a model, or verify those given, and say which of them each property keeps."
    parser = arguments.CommandParser("symmetry", "MODEL", summary, EXAMPLES)
    arguments.model_argument(parser)
    arguments.add_choices(parser, SYMMETRY.choices, "generators", "count")
    arguments.output_options(parser)
    arguments.limit_options(parser, nodes=True)
    group = arguments.method_group(parser)
    arguments.add_choices(group, (choice for choice in SYMMETRY.choices if choice.name not in ("generators", "count")))
    arguments.seed_option(group)
    return parser


def _run(args: Namespace, ledger: Ledger) -> None:
    from coarsest.render.text.symmetry_text import symmetries_to_text

    require_writable(args.output)
    symmetries = loaded(args, ledger).symmetries(run=run_of(args, ledger), **chosen(SYMMETRY, args))
    ledger.record(result={"facts": symmetries.facts, "text": symmetries_to_text(symmetries.facts)})


def _conclude(args: Namespace, ledger: Ledger, because: str | None) -> int:
    result = ledger.result
    if args.json:
        facts = {"order": None, "generators": [], "properties": []} if result is None else result["facts"]
        emit(result_to_json(ledger, {"model": ledger.model or args.model, "reason": because, **facts}), args.output)
    else:
        emit(in_form(args, f"unknown: {because}\n" if result is None else result["text"]), args.output)
        if args.verbose:
            show_statistics(args, ledger, ledger.so_far() if result is None else result["facts"]["statistics"])
    if result is None:
        return 3
    return 0 if all(one["symmetry"] for one in result["facts"]["generators"]) else 1


command = Command(_parser, _run, _conclude, forms=RESULTS)
