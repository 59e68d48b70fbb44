"""`coarsest check` for explicit graphs."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from coarsest.api.options import CHECK
from coarsest.cli.frame.arguments import WITNESS_STYLES, Parser
from coarsest.cli.frame.kinds import Subject, require_own
from coarsest.cli.frame.ledger import Ledger
from coarsest.cli.frame.method import run_of
from coarsest.cli.frame.verdicts import decided
from coarsest.errors import InputError

if TYPE_CHECKING:
    from coarsest import Answer

MODELS = Subject(
    "models", CHECK,
    ("nodes", "seed", "hint_files", "properties", "property_files", "fairness_files", "automata", "expect", "certificate",
     "plan"),
)  # fmt: skip
GRAPHS = Subject("explicit graphs", more=("confirm",), instead={"reduce": "reduce the graph first: coarsest reduce"})


def prepared_graph(args: Namespace, ledger: Ledger, parser: Parser) -> Callable[[], None]:
    """Plan to check the formulas given on a graph; what is given back decides them."""
    require_own(args, parser, GRAPHS, (MODELS, GRAPHS))
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
