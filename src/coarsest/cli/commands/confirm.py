"""`coarsest confirm`: checks evidence by code that is independent of the engines."""

from __future__ import annotations

from argparse import Namespace

from msgspec import to_builtins

from coarsest.api.options import CONFIRM_EVIDENCE
from coarsest.cli.frame import arguments
from coarsest.cli.frame.command import Command, chosen, run_of
from coarsest.cli.frame.endings import RESULTS
from coarsest.cli.frame.ledger import Ledger
from coarsest.cli.frame.publish import emit, in_form, require_writable, result_to_json
from coarsest.errors import InputError
from coarsest.text.printable import printable

EXAMPLES = """  coarsest confirm large.aut classes.json              is this partition stable?
  coarsest confirm first.aut second.aut proof.json     are these graphs related, as compare said?
  coarsest confirm mutex.smv proof.json                do the properties hold, as check --certificate said?
  coarsest confirm mutex.smv trace.json                is this a counterexample, as check --trace json said?
  coarsest confirm arbiter.aig arbiter.wit             is this a witness, written by any checker of AIGER?
  coarsest confirm mutex.smv trace.json --automaton never.hoa
                                                       does the automaton accept this path?
  coarsest confirm large.aut classes.json --json       for programs"""


def _parser() -> arguments.CommandParser:
    summary = "Check evidence, written by coarsest or another program, against the models that it is about."
    parser = arguments.CommandParser("confirm", "MODEL … EVIDENCE", summary, EXAMPLES)
    parser.add_argument("models", metavar="MODEL", nargs="+", help="the model that the evidence is about, or two models")
    parser.add_argument("evidence", metavar="EVIDENCE",
                        help="a certificate or a trace (JSON), or witnesses of AIGER; '-' is standard input")  # fmt: skip
    parser.add_argument("--format", metavar="NAME", help="format of the models (default: by their suffixes)")
    arguments.add_choices(parser, CONFIRM_EVIDENCE.choices, "automata")
    group = parser.add_argument_group("graphs in tables", "EVIDENCE is a table with the columns state and class")
    arguments.add_choices(group, CONFIRM_EVIDENCE.choices, "columns", "states", "coarsest", "scratch")
    arguments.output_options(parser)
    arguments.limit_options(parser)
    return parser


def _run(args: Namespace, ledger: Ledger) -> None:
    require_writable(args.output)
    if [*args.models, args.evidence, *args.automata].count("-") > 1:
        raise InputError("standard input can be read once", hint="name files for the others")
    ledger.record(model=args.models[0])
    from coarsest.api.confirm import confirm
    from coarsest.render.text.result_text import confirmation_to_text

    confirmation = confirm(
        args.evidence, *args.models, format=args.format, run=run_of(args, ledger), **chosen(CONFIRM_EVIDENCE, args)
    )
    ledger.record(result={"facts": to_builtins(confirmation), "text": confirmation_to_text(confirmation)})


def _conclude(args: Namespace, ledger: Ledger, because: str | None) -> int:
    result = ledger.result or {
        "facts": {"accepted": None, "reason": because}, "text": f"unknown: {printable(because or '')}\n",
    }  # fmt: skip
    facts = result["facts"]
    if args.json:
        emit(result_to_json(ledger, {"models": args.models, "evidence": args.evidence, **facts}), args.output)
    else:
        emit(in_form(args, result["text"]), args.output)
    return 3 if facts["accepted"] is None else 0 if facts["accepted"] else 1


command = Command(_parser, _run, _conclude, forms=RESULTS)
