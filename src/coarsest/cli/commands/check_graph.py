"""`coarsest check` for explicit graphs."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from coarsest.cli.frame.arguments import WITNESS_STYLES, Parser
from coarsest.cli.frame.kinds import ABOUT_BDDS, insist_defaults
from coarsest.cli.frame.ledger import Ledger
from coarsest.cli.frame.method import run_of
from coarsest.cli.frame.verdicts import decided
from coarsest.errors import InputError

if TYPE_CHECKING:
    from coarsest import Answer

ONE_WAY = "there is one method for formulas about graphs"
MEANINGLESS = {
    **ABOUT_BDDS,
    **dict.fromkeys(
        ("algorithm", "generators", "wrong_generators", "representatives", "subset", "hint", "rounds"),
        "only models have symmetries",
    ),
    **dict.fromkeys(
        ("engine", "ltl", "fair", "property_variables", "encoding", "safety", "deadlock", "traces", "jobs", "race", "plan"),
        ONE_WAY,
    ),
    "show": "a state of a graph has no variables",
    "properties": "a graph has no properties of its own, only the formulas given",
    "automata": "an automaton speaks of conditions on a model",
    "certificate": "only verdicts about models have certificates",
    "expect": "a graph has no properties of its own",
    "reduce": "reduce it first with coarsest reduce",
    "cone": "the whole graph is checked",
    "vacuity": "formulas about graphs are not checked for vacuity",
    "seed": "nothing is chosen at random",
}


def prepared_graph(args: Namespace, ledger: Ledger, parser: Parser) -> Callable[[], None]:
    """Plan to check the formulas given on a graph; what is given back decides them."""
    insist_defaults(args, parser, MEANINGLESS)
    if args.trace in WITNESS_STYLES:
        message = f"a witness of {args.trace.upper()} is for a circuit, not for a graph"
        raise InputError(message, hint="write --trace json")
    from coarsest.api.graph import claims_of

    plans = [
        {"name": "", "kind": claim.logic.value, "formula": claim.text, "instance": "", "model": args.model}
        for claim in claims_of(args.formulas)
    ]
    ledger.record(planned=[*ledger.planned, *plans])
    return partial(_check, args, ledger)


def _check(args: Namespace, ledger: Ledger) -> None:
    from coarsest.api.graph import read_graph

    run = run_of(args, ledger)
    graph = read_graph(args.model, format=args.format, run=run)
    ledger.record(model=args.model)

    def on_answer(answer: Answer) -> None:
        index = len(ledger.decided)
        ledger.record(decided=decided(answer, index, args, plan=ledger.planned[index]), event=None)

    def on_warning(text: str) -> None:
        ledger.warn(text, hollow=True)

    graph.check(*args.formulas, run=run, confirm=args.confirm, on_answer=on_answer, on_warning=on_warning)
    ledger.record(statistics={"states": graph.states, "transitions": graph.transitions})
