"""`coarsest confirm`: evidence checked by code that shares nothing with what found it."""

from __future__ import annotations

from argparse import Namespace

from msgspec import to_builtins

from coarsest.cli.commands.reduce_tables import COLUMNS, is_table
from coarsest.cli.frame import arguments
from coarsest.cli.frame.command import Command
from coarsest.cli.frame.ledger import Ledger
from coarsest.cli.frame.method import run_of
from coarsest.cli.frame.publish import emit, require_writable, result_to_json
from coarsest.errors import InputError
from coarsest.text.printable import printable

EXAMPLES = """  coarsest confirm large.aut classes.json              is this partition stable?
  coarsest confirm first.aut second.aut proof.json     are these graphs related, as compare said?
  coarsest confirm mutex.smv proof.json                do the properties hold, as check --certificate said?
  coarsest confirm mutex.smv trace.json                is this a counterexample, as check --trace json said?
  coarsest confirm mutex.smv trace.json --automaton never.hoa
                                                       does the automaton accept this path?
  coarsest confirm large.aut classes.json --json       for programs"""


def _parser() -> arguments.Parser:
    summary = "Check evidence that was written by coarsest, or by anyone else, against the models that it is about."
    parser = arguments.Parser("confirm", "MODEL … EVIDENCE", summary, EXAMPLES)
    parser.add_argument("models", metavar="MODEL", nargs="+", help="what the evidence is about: a model, or two")
    parser.add_argument("evidence", metavar="EVIDENCE", help="a file with a certificate or a trace (JSON); '-' is standard input")
    parser.add_argument("--format", metavar="NAME", help="format of the models (default: by their suffixes)")
    text = "the automaton (.hoa) that a trace is about, as it was given to check; may be repeated"
    parser.add_argument("--automaton", dest="automata", action="append", default=[], metavar="FILE", help=text)
    group = parser.add_argument_group("graphs in tables", "EVIDENCE is a table with the columns state and class")
    group.add_argument("--columns", default=COLUMNS, metavar="NAMES",
                       help="the columns of source, action and target, or of source and target")  # fmt: skip
    group.add_argument("--states", metavar="FILE", help="a table with the columns state and label")
    group.add_argument("--coarsest", action="store_true", help="check, too, that no classes could be one")
    group.add_argument("--scratch", metavar="DIR", help="directory with room for intermediate tables")
    arguments.output_options(parser, traces=False)
    arguments.limit_options(parser)
    return parser


def _run(args: Namespace, ledger: Ledger) -> None:
    require_writable(args.output)
    if [*args.models, args.evidence, *args.automata].count("-") > 1:
        raise InputError("standard input can be read once", hint="name files for the others")
    evidence = None
    if not is_table(args.evidence):
        from coarsest.api.confirm import confirm, evidence_of
        from coarsest.files import read_text

        evidence = evidence_of(read_text(args.evidence))
    elif len(args.models) != 1:
        raise InputError("a table of classes is about one graph", hint="coarsest confirm edges.parquet classes.parquet")
    ledger.record(model=args.models[0])
    run = run_of(args, ledger)
    if evidence is not None:
        confirmation = confirm(evidence, *args.models, name=args.evidence, format=args.format, automata=args.automata, run=run)
    else:
        from coarsest.api.tables import confirm_table

        confirmation = confirm_table(
            args.models[0], args.evidence, columns=args.columns, states=args.states, coarsest=args.coarsest,
            scratch=args.scratch, run=run,
        )  # fmt: skip
    from coarsest.render.text.result_text import confirmation_to_text

    ledger.record(result={"facts": to_builtins(confirmation), "text": confirmation_to_text(confirmation)})


def _conclude(args: Namespace, ledger: Ledger, because: str | None) -> int:
    result = ledger.result or {
        "facts": {"accepted": None, "reason": because}, "text": f"unknown: {printable(because or '')}\n",
    }  # fmt: skip
    facts = result["facts"]
    if args.json:
        emit(result_to_json(ledger, {"models": args.models, "evidence": args.evidence, **facts}), args.output)
    else:
        emit(result["text"], args.output)
    return 3 if facts["accepted"] is None else 0 if facts["accepted"] else 1


command = Command(_parser, _run, _conclude, forms=("text", "json"))
