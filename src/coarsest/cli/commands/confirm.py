"""`coarsest confirm`: evidence checked by code that shares nothing with what found it."""

from __future__ import annotations

import json
import re
from argparse import Namespace
from collections.abc import Mapping
from functools import partial
from importlib import import_module
from types import MappingProxyType
from typing import Any

from coarsest.cli.commands import confirm_tables, confirm_traces
from coarsest.cli.frame import arguments
from coarsest.cli.frame.command import Command
from coarsest.cli.frame.ledger import Ledger
from coarsest.cli.frame.method import run_of
from coarsest.cli.frame.publish import emit, require_writable
from coarsest.errors import InputError, SyntaxProblem
from coarsest.text import Source, Span
from coarsest.text.printable import printable

CHECKERS: Mapping[str, str] = MappingProxyType(
    {
        "partition": "coarsest.cli.commands.confirm_graphs",
        "simulation": "coarsest.cli.commands.confirm_graphs",
        "inclusion": "coarsest.cli.commands.confirm_graphs",
        "properties": "coarsest.cli.commands.confirm_properties",
        "trace": "coarsest.cli.commands.confirm_traces",
    }
)
"""By the `kind` of the evidence: a module whose `check(models, thing, args, run)` gives `accepted`, `reason` and other facts."""

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
    confirm_tables.add_options(parser)
    arguments.output_options(parser, traces=False)
    arguments.limit_options(parser)
    return parser


def _run(args: Namespace, ledger: Ledger) -> None:
    require_writable(args.output)
    if [*args.models, args.evidence, *args.automata].count("-") > 1:
        raise InputError("standard input can be read once", hint="name files for the others")
    if confirm_tables.is_meant(args):
        ledger.record(model=args.models[0])
        ledger.record(result=confirm_tables.check(args, run_of(args, ledger)))
        return
    from coarsest.files import read_text

    thing = _object(read_text(args.evidence))
    kind = "trace" if confirm_traces.is_meant(thing) else thing.get("kind")
    if not isinstance(kind, str) or kind not in CHECKERS:
        hint = f"kinds of evidence are {', '.join(CHECKERS)}"
        raise InputError(f"{args.evidence} holds no evidence that is known: its kind is {kind!r}", hint=hint)
    if args.automata and kind != "trace":
        raise InputError("--automaton is for traces, but this is another kind of evidence", hint="leave --automaton out")
    ledger.record(model=args.models[0])
    facts = import_module(CHECKERS[kind]).check(args.models, thing, args, run_of(args, ledger))
    ledger.record(result={"kind": kind, **facts})


def _object(source: Source) -> dict[str, Any]:
    """The JSON object of a file."""
    from coarsest.logic.words import LONGEST_NUMBER, integer_constant

    # A number of many digits takes a time that grows with their square; where there may be one, each is looked at.
    long = re.search(rf"[0-9]{{{LONGEST_NUMBER + 1}}}", source.text)
    try:
        number = None if long is None else partial(integer_constant, span=Span(source, *long.span()))
        thing = json.loads(source.text, parse_int=number)
    except json.JSONDecodeError as error:
        place = min(error.pos, max(0, len(source.text) - 1))
        span = Span(source, place, place + 1)
        raise SyntaxProblem(f"this is no JSON: {error.msg}", span, hint="certificates are JSON objects") from error
    except RecursionError as error:
        raise SyntaxProblem("this JSON is nested too deeply", hint="certificates are JSON objects") from error
    if not isinstance(thing, dict):
        raise SyntaxProblem(f"{source.name} is no certificate: expected a JSON object", hint="certificates are JSON objects")
    return thing


def _conclude(args: Namespace, ledger: Ledger, because: str | None) -> int:
    facts = ledger.result or {"accepted": None, "reason": because}
    if args.json:
        from coarsest.render.data.json import SCHEMA, object_to_text

        thing = {"schema": SCHEMA, "models": args.models, "evidence": args.evidence, **facts}
        emit(object_to_text({**thing, "seconds": round(ledger.seconds, 6), "warnings": ledger.warnings}) + "\n", args.output)
    elif facts["accepted"] is None:
        emit(f"unknown: {printable(facts['reason'])}\n", args.output)
    elif facts["accepted"]:
        emit(f"confirmed: {facts['shows']}\n", args.output)
    else:
        emit(f"rejected: {printable(facts['reason'])}\n", args.output)
    return 3 if facts["accepted"] is None else 0 if facts["accepted"] else 1


command = Command(_parser, _run, _conclude, forms=("text", "json"))
