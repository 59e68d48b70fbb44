"""`coarsest compare`: are two systems related, and if not, what tells them apart?"""

from __future__ import annotations

import sys
from argparse import Namespace
from typing import TYPE_CHECKING, Any

from coarsest.api.options import COMPARE
from coarsest.cli.frame import arguments
from coarsest.cli.frame.command import Command
from coarsest.cli.frame.ledger import Ledger
from coarsest.cli.frame.method import run_of
from coarsest.cli.frame.publish import emit, require_writable
from coarsest.errors import FileProblem, InputError, Unsupported
from coarsest.lts import relations
from coarsest.options.option import Confirm

if TYPE_CHECKING:
    from coarsest.api.model import Model
    from coarsest.lts.compare.comparison import Comparison
    from coarsest.lts.labelled import Graph
    from coarsest.run import Run

LONGEST_FORMULA = 4000
SIDES = ("first", "second")

EXAMPLES = """  coarsest compare specification.aut implementation.aut                        strong bisimulation
  coarsest compare specification.aut implementation.aut --json                 for programs
  coarsest compare protocol.smv service.smv --observe sent received            models, by what is observed in both
  coarsest compare circuit.smv small.aut --observe out --actions in            a model and what 'reduce' made of it
  coarsest compare small.aut large.aut --certificate proof.json && coarsest confirm small.aut large.aut proof.json"""


def _parser() -> arguments.Parser:
    summary = "Are two graphs or models related? If not, show a formula that is true in one and false in the other."
    parser = arguments.Parser("compare", "A B", summary, EXAMPLES)
    parser.add_argument("first", metavar="A", help="a graph (.aut, .ba or .hoa) or a model; '-' is standard input")
    parser.add_argument("second", metavar="B", help="another one")
    parser.add_argument("--format", metavar="NAME",
                        help="format of both, or of standard input if that is one of them (default: by suffix)")  # fmt: skip
    arguments.add_choices(parser, COMPARE.choices, "by", "preorder")
    group = parser.add_argument_group("models", "each is reduced by bisimulation first")
    arguments.add_choices(group, COMPARE.choices, "observe", "actions")
    arguments.output_options(parser, traces=False)
    parser.add_argument("--certificate", metavar="FILE", help="where they are related, write the evidence there, as JSON")
    arguments.add_choices(parser, COMPARE.choices, "confirm")
    arguments.limit_options(parser)
    return parser


def _run(args: Namespace, ledger: Ledger) -> None:
    require_writable(args.output)
    require_writable(args.certificate)
    if args.first == args.second == "-":
        raise InputError("A and B cannot both be standard input", hint="name a file for one of them")
    from coarsest.api.compare import subjects
    from coarsest.lts.compare.compare_graphs import compare_graphs

    relations.relation_called(args.by, preorder=args.preorder)
    run = run_of(args, ledger)
    first, second = (_read(path, args, ledger, run) for path in (args.first, args.second))
    ledger.record(model=args.first)
    confirm = Confirm(args.confirm)
    pair = subjects(first, second, observe=args.observe, actions=args.actions, confirm=confirm, run=run)
    found = compare_graphs(pair[0].graph, pair[1].graph, by=args.by, preorder=args.preorder, confirm=confirm, run=run)
    sizes = {side: {"states": one.graph.states, "transitions": one.graph.transitions} for side, one in zip(SIDES, pair)}
    confirmed = found.confirmed and pair[0].confirmed and pair[1].confirmed
    document = None
    if args.certificate is not None and found.certificate is not None:
        from coarsest.lts.certificate_json import certificate_to_text

        document = certificate_to_text(found.certificate)
    facts = {**_facts(found, confirmed=confirmed), **sizes}
    ledger.record(result={"facts": facts, "summary": _summary(found), "labels": _sees_labels(found), "document": document})


def _read(path: str, args: Namespace, ledger: Ledger, run: Run) -> Graph | Model:
    """A graph or a model, by the suffix, or in the format that was named: for standard input, if that is one of them."""
    from coarsest.formats import GRAPHS, FileKind, endings, kind_of, read_graph

    name = None if "-" in (args.first, args.second) and path != "-" else args.format
    kind = kind_of(path, name)
    if kind is not FileKind.MACHINE:
        if not name and path != "-" and kind not in GRAPHS:
            hint = f"graphs and models are read as {', '.join((*endings(*GRAPHS), *endings(FileKind.MACHINE)))}"
            raise FileProblem(f"the format of '{path}' is not known by its name", hint=hint)
        return read_graph(path, format=name, run=run)
    if args.certificate is not None:
        hint = f"reduce both to graphs first: coarsest reduce {path} -o GRAPH.aut"
        raise Unsupported("--certificate is for graphs: the states of a model have no numbers", hint=hint)
    from coarsest.api import model as api

    model = api.load(path, format=name)
    for warning in model.warnings:
        ledger.warn(warning.message, warning.show())
    return model


def _facts(found: Comparison, *, confirmed: bool) -> dict[str, Any]:
    facts: dict[str, Any] = {"related": found.related, "formula": None, "true_in": None, "depth": None, "trace": None}
    if found.difference is not None:
        from coarsest.logic.modal.hennessy_milner import show

        formula, trace = found.difference.formula, found.difference.trace
        facts |= {"formula": show(formula), "true_in": SIDES[found.difference.true_in], "depth": formula.depth}
        facts["trace"] = None if trace is None else list(trace)
    return {**facts, "confirmed": confirmed, "statistics": dict(found.statistics)}


def _summary(found: Comparison) -> str:
    return "" if found.certificate is None else found.certificate.summary


def _sees_labels(found: Comparison) -> bool:
    """Is a trace only told by the labels on the way?"""
    return found.difference is not None and any(node.kind == "label" for node in found.difference.formula.nodes)


def _conclude(args: Namespace, ledger: Ledger, because: str | None) -> int:
    result = ledger.result
    unknown: dict[str, Any] = {"related": None, "formula": None, "reason": because, "statistics": ledger.so_far()}
    facts: dict[str, Any] = unknown if result is None else result["facts"]
    if result is not None and result["document"] is not None:
        emit(result["document"], args.certificate)
    if args.json:
        from coarsest.render.data.json import SCHEMA, object_to_text

        thing = {"schema": SCHEMA, "models": [args.first, args.second], "relation": args.by, "preorder": args.preorder, **facts}
        emit(object_to_text({**thing, "seconds": round(ledger.seconds, 6), "warnings": ledger.warnings}) + "\n", args.output)
    else:
        emit(_text(args, facts, result or {}), args.output)
        if args.verbose and not args.quiet:
            from coarsest.render.text.text import statistics_to_lines

            lines = [*statistics_to_lines(facts["statistics"], args.screen.width), f"{ledger.seconds:.2f} s"]
            sys.stderr.write("".join(f"{line}\n" for line in lines))
    return 3 if facts["related"] is None else 0 if facts["related"] else 1


def _text(args: Namespace, facts: dict[str, Any], result: dict[str, Any]) -> str:
    if facts["related"] is None:
        return f"unknown: {facts['reason']}\n"
    relation = f"{args.by} preorder" if args.preorder else args.by
    if facts["related"]:
        where = _how_sure(args, facts, "confirmed", "confirmed on the quotients")
        evidence = "" if args.quiet else f"    evidence: {result['summary']} ({where})\n"
        return f"related by {relation}\n{evidence}"
    lines = [f"not related by {relation}"]
    if not args.quiet:
        names = [args.first, args.second]
        if facts["true_in"] == "second":
            names.reverse()
        where = _how_sure(args, facts, "confirmed on both", "confirmed on both quotients")
        if facts["trace"] is not None and not result["labels"]:
            from coarsest.logic.modal.hennessy_milner import action_text

            words = " ".join(action_text(word) for word in facts["trace"])
            lines.append(f"    {words or 'the empty trace'}\n    is a trace of {names[0]}, not of {names[1]} ({where})")
        else:
            lines.append(f"    {_abridged(facts)}\n    is true in {names[0]}, false in {names[1]} ({where})")
    return "\n".join(lines) + "\n"


def _how_sure(args: Namespace, facts: dict[str, Any], confirmed: str, on_quotients: str) -> str:
    return "not confirmed" if args.confirm == Confirm.NEVER else confirmed if facts["confirmed"] else on_quotients


def _abridged(facts: dict[str, Any]) -> str:
    text = str(facts["formula"])
    if len(text) <= LONGEST_FORMULA:
        return text
    return f"{text[:100]} … (a formula of depth {facts['depth']} with {len(text):,} characters: --json shows all of it)"


command = Command(_parser, _run, _conclude, forms=("text", "json"))
