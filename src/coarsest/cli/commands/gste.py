"""`coarsest gste`: assertion graphs by generalised symbolic trajectory evaluation."""

from __future__ import annotations

from argparse import Namespace
from typing import TYPE_CHECKING, Any

from coarsest.api.options import GSTE
from coarsest.cli.frame import arguments, verdicts
from coarsest.cli.frame.command import Command, chosen, loaded, run_of
from coarsest.cli.frame.endings import REPORTS
from coarsest.cli.frame.ledger import Ledger
from coarsest.cli.frame.publish import require_writable
from coarsest.errors import InputError

if TYPE_CHECKING:
    from coarsest.evidence.assertion_graph_answer import AssertionGraphAnswer
    from coarsest.model.assertion_graph import AssertionGraphClaim

ABOUT_THE_GRAPHS = ("semantics", "abstraction", "precise")
"""Options about the question, which come before those of the method."""

EXAMPLES = """  coarsest gste handshake.smv handshake.ag                  all graphs of the file
  coarsest gste handshake.smv handshake.ag --semantics fair fair infinite paths, whatever the graphs say
  coarsest gste handshake.smv handshake.ag --trace table    the vertices and the variables of a counterexample as a table
  coarsest gste memory.smv memory.ag --abstraction ternary --precise write    unknown bits, except those of `write`
  coarsest gste handshake.smv never.hoa                     no path is accepted by the automaton
  coarsest gste handshake.smv handshake.ag --json           print JSON"""


def _parser() -> arguments.CommandParser:
    summary = "Check assertion graphs: on every path that satisfies the antecedents, the consequents must hold."
    parser = arguments.CommandParser("gste", "MODEL GRAPH", summary, EXAMPLES)
    arguments.model_argument(parser)
    text = "a file with assertion graphs (.ag), or an automaton (.hoa) that must accept nothing; '-' is standard input"
    parser.add_argument("graphs", metavar="GRAPH", help=text)
    arguments.add_choices(parser, GSTE.choices, *ABOUT_THE_GRAPHS)
    arguments.checking_options(parser, [choice for choice in GSTE.choices if choice.name not in ABOUT_THE_GRAPHS])
    return parser


def _run(args: Namespace, ledger: Ledger) -> None:
    require_writable(args.output)
    require_writable(args.save_order)
    if args.model == args.graphs == "-":
        raise InputError("model and graph cannot both be standard input", hint="name a file for one of them")
    options = chosen(GSTE, args)
    model = loaded(args, ledger)
    graphs = model.graphs(args.graphs, semantics=args.semantics)
    ledger.record(planned=[_claim(claim) for claim in model.graph_claims(*graphs, semantics=args.semantics)])

    def on_answer(answer: AssertionGraphAnswer) -> None:
        ledger.record(decided=_decided(answer, len(ledger.decided), args), event=None)

    report = model.gste(*graphs, run=run_of(args, ledger), on_answer=on_answer, on_warning=ledger.undermine, **options)
    ledger.record(statistics=dict(report.statistics))


def _claim(claim: AssertionGraphClaim) -> dict[str, str]:
    return {"name": claim.name, "kind": str(claim.kind), "formula": claim.text, "semantics": str(claim.semantics)}


def _decided(answer: AssertionGraphAnswer, index: int, args: Namespace) -> dict[str, Any]:
    """An answer for the ledger. Texts have the vertices in the trace, JSON has them beside the trace of the model."""
    from coarsest.render.data.assertion_graph_text import along_assertion_graph, assertion_graph_answer_to_object

    entry = verdicts.decided(along_assertion_graph(answer), index, args)
    if args.trace == "json":
        entry["documents"] = verdicts.decided(answer, index, args)["documents"]
    return {**entry, "object": assertion_graph_answer_to_object(answer)}


def _conclude(args: Namespace, ledger: Ledger, because: str | None) -> int:
    if because is not None:
        for index in range(len(ledger.decided), len(ledger.planned)):
            ledger.record(decided=_given_up(ledger, index, args, because))
    return verdicts.conclude(args, ledger, because)


def _given_up(ledger: Ledger, index: int, args: Namespace, because: str) -> dict[str, Any]:
    from coarsest import Answer, Unknown
    from coarsest.render.data.assertion_graph_text import assertion_graph_to_object

    claim = ledger.planned[index]
    answer = Answer(claim["name"], claim["kind"], claim["formula"], Unknown(because), statistics=ledger.so_far())
    entry = verdicts.decided(answer, index, args)
    return {**entry, "object": {**entry["object"], "graph": assertion_graph_to_object(claim["name"], claim["semantics"])}}


command = Command(_parser, _run, _conclude, verdicts.follow, plans=True, forms=REPORTS)
