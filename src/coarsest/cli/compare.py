"""`coarsest compare`: are two systems related, and if not, what tells them apart?"""

from __future__ import annotations

import sys
from argparse import Namespace
from typing import TYPE_CHECKING, Any

from coarsest.cli import arguments
from coarsest.cli.command import Command
from coarsest.cli.ledger import Ledger
from coarsest.cli.method import run_of
from coarsest.cli.publish import emit, require_writable
from coarsest.errors import InputError

if TYPE_CHECKING:
    from coarsest.check.comparison import Comparison

RELATIONS = (
    "bisimulation", "branching-bisimulation", "branching-bisimulation-divergence", "simulation", "ready-simulation", "language",
)  # fmt: skip
LONGEST_FORMULA = 4000
SIDES = ("first", "second")

EXAMPLES = """  coarsest compare specification.aut implementation.aut                        strong bisimulation
  coarsest compare specification.aut implementation.aut --json                 for programs
  coarsest compare small.aut large.aut --certificate proof.json && coarsest confirm small.aut large.aut proof.json"""


def _parser() -> arguments.Parser:
    summary = "Are two graphs related? If not, show a formula that is true in one and false in the other."
    parser = arguments.Parser("compare", "A B", summary, EXAMPLES)
    parser.add_argument("first", metavar="A", help="a graph (.aut, .ba or .hoa); '-' is standard input")
    parser.add_argument("second", metavar="B", help="another one")
    parser.add_argument("--format", metavar="NAME", help="format of both (default: by their suffixes)")
    parser.add_argument("--by", choices=RELATIONS, default="bisimulation", metavar="RELATION",
                        help=f"one of {', '.join(RELATIONS)}")  # fmt: skip
    parser.add_argument("--preorder", action="store_true", help="only ask whether A is below B")
    arguments.output_options(parser, traces=False)
    parser.add_argument("--certificate", metavar="FILE", help="where they are related, write the evidence there, as JSON")
    arguments.limit_options(parser)
    return parser


def _run(args: Namespace, ledger: Ledger) -> None:
    require_writable(args.output)
    require_writable(args.certificate)
    if args.first == args.second == "-":
        raise InputError("A and B cannot both be standard input", hint="name a file for one of them")
    from coarsest.check.compare_graphs import compare_graphs
    from coarsest.formats.graphs import read_graph

    run = run_of(args, ledger)
    first, second = (read_graph(path, format=args.format, run=run) for path in (args.first, args.second))
    ledger.record(model=args.first)
    found = compare_graphs(first, second, by=args.by, preorder=args.preorder, run=run)
    sizes = {side: {"states": graph.states, "transitions": graph.transitions} for side, graph in zip(SIDES, (first, second))}
    document = None
    if args.certificate is not None and found.certificate is not None:
        from coarsest.formats.graph_certificate.write import certificate_to_text

        document = certificate_to_text(found.certificate)
    ledger.record(result={"facts": {**_facts(found), **sizes}, "summary": _summary(found), "document": document})


def _facts(found: Comparison) -> dict[str, Any]:
    facts: dict[str, Any] = {"related": found.related, "formula": None, "true_in": None, "depth": None, "trace": None}
    if found.difference is not None:
        from coarsest.logic.hennessy_milner_text import show

        formula, trace = found.difference.formula, found.difference.trace
        facts |= {"formula": show(formula), "true_in": SIDES[found.difference.true_in], "depth": formula.depth}
        facts["trace"] = None if trace is None else list(trace)
    return {**facts, "confirmed": True, "statistics": dict(found.statistics)}


def _summary(found: Comparison) -> str:
    return "" if found.certificate is None else found.certificate.summary


def _conclude(args: Namespace, ledger: Ledger, because: str | None) -> int:
    result = ledger.result
    unknown: dict[str, Any] = {"related": None, "formula": None, "reason": because, "statistics": ledger.so_far()}
    facts: dict[str, Any] = unknown if result is None else result["facts"]
    if result is not None and result["document"] is not None:
        emit(result["document"], args.certificate)
    if args.json:
        from coarsest.render.json import SCHEMA, object_to_text

        thing = {"schema": SCHEMA, "models": [args.first, args.second], "relation": args.by, "preorder": args.preorder, **facts}
        emit(object_to_text({**thing, "seconds": round(ledger.seconds, 6), "warnings": ledger.warnings}) + "\n", args.output)
    else:
        emit(_text(args, facts, "" if result is None else result["summary"]), args.output)
        if args.verbose and not args.quiet:
            from coarsest.render.text import statistics_to_lines

            lines = [*statistics_to_lines(facts["statistics"], args.screen.width), f"{ledger.seconds:.2f} s"]
            sys.stderr.write("".join(f"{line}\n" for line in lines))
    return 3 if facts["related"] is None else 0 if facts["related"] else 1


def _text(args: Namespace, facts: dict[str, Any], summary: str) -> str:
    if facts["related"] is None:
        return f"unknown: {facts['reason']}\n"
    relation = f"{args.by} preorder" if args.preorder else args.by
    if facts["related"]:
        evidence = "" if args.quiet else f"    evidence: {summary} (confirmed)\n"
        return f"related by {relation}\n{evidence}"
    lines = [f"not related by {relation}"]
    if not args.quiet:
        names = [args.first, args.second]
        if facts["true_in"] == "second":
            names.reverse()
        if facts["trace"] is not None:
            from coarsest.logic.hennessy_milner_text import action_text

            words = " ".join(action_text(word) for word in facts["trace"])
            lines.append(f"    {words or 'the empty trace'}\n    is a trace of {names[0]}, not of {names[1]} (confirmed on both)")
        else:
            lines.append(f"    {_abridged(facts)}\n    is true in {names[0]}, false in {names[1]} (confirmed on both)")
    return "\n".join(lines) + "\n"


def _abridged(facts: dict[str, Any]) -> str:
    text = str(facts["formula"])
    if len(text) <= LONGEST_FORMULA:
        return text
    return f"{text[:100]} … (a formula of depth {facts['depth']} with {len(text):,} characters: --json shows all of it)"


command = Command(_parser, _run, _conclude)
