"""`coarsest reduce`: a smaller system with the same behaviour."""

from __future__ import annotations

import sys
from argparse import Namespace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from coarsest.api.options import REDUCE
from coarsest.cli.commands import reduce_code, reduce_graph, reduce_tables
from coarsest.cli.frame import arguments
from coarsest.cli.frame.command import Command
from coarsest.cli.frame.ledger import Ledger
from coarsest.cli.frame.method import chosen, run_of
from coarsest.cli.frame.publish import emit, require_writable
from coarsest.errors import FileProblem
from coarsest.options.methods import BuildOptions
from coarsest.options.option import choices

if TYPE_CHECKING:
    from coarsest.api.model import Reduced

MOST_CLASSES_SHOWN = 100

EXAMPLES = """  coarsest reduce controller.smv --observe output -o small.svg
  coarsest reduce mutex.smv                           observe what the properties speak of
  coarsest reduce mutex.smv --observe "G (r -> F g)"  observe what this formula speaks of
  coarsest reduce mutex.smv -o small.smv              the quotient as a model, to be checked again
  coarsest reduce mealy.smv --observe out --actions in -o small.aut
  coarsest reduce controller.lus -o controller.c      the control automaton as code; or -o controller.py
  coarsest reduce controller.lus --reactions -o controller.aut
  coarsest reduce protocol.aut -o small.aut           an explicit graph
  coarsest reduce edges.parquet -o small.parquet      a graph in a table, however large
  coarsest reduce mutex.smv --json"""


def _parser() -> arguments.Parser:
    summary = "Find the smallest system that shows the same behaviour to an observer."
    parser = arguments.Parser("reduce", "MODEL", summary, EXAMPLES)
    arguments.model_argument(parser)
    group = parser.add_argument_group("what is kept")
    arguments.add_choices(group, REDUCE.choices, "by", "observe", "actions")
    group.add_argument("--reactions", action="store_true",
                       help="the control automaton, as in code: the same outputs for the same inputs")  # fmt: skip
    group.add_argument("--trace-partitions", metavar="DIR",
                       help="write a picture of each partition on the way there: step-000.svg, step-001.svg, …")  # fmt: skip
    reduce_graph.add_options(parser)
    reduce_tables.add_options(parser)
    arguments.output_options(parser, traces=False)
    arguments.limit_options(parser, nodes=True)
    group = arguments.method_group(parser)
    arguments.add_choices(group, choices(BuildOptions))
    arguments.seed_option(group)
    arguments.add_choices(group, REDUCE.choices, "algorithm", "cone", "count")
    return parser


def _run(args: Namespace, ledger: Ledger) -> None:
    reduce_tables.insist_no_option_without_tables(args)
    for kind in (reduce_tables, reduce_graph, reduce_code):
        if kind.is_meant(args):
            kind.run(args, ledger)
            return
    reduce_graph.insist_model_relation(args)
    require_writable(args.output)
    require_writable(args.save_order)
    options = chosen(REDUCE, args)
    from coarsest.api import model as api
    from coarsest.render.picture.partition_steps import PartitionSteps
    from coarsest.render.picture.quotient_text import insist_quotient_format, quotient_to_text

    if args.output is not None:
        insist_quotient_format(args.output)
    pictures = None
    if args.trace_partitions is not None:
        pictures = PartitionSteps[Any]()
        _make_folder(args.trace_partitions)
    model = api.load(args.model, format=args.format)
    ledger.record(model=args.model)
    for warning in model.warnings:
        ledger.warn(warning.message, warning.show())
    reduce_code.warn_of_large_outputs(model.machine, args, ledger)
    found = model.reduce(run=run_of(args, ledger), watch=pictures, **options)
    document = quotient_to_text(found.reduction, args.output) if args.output is not None else None
    if pictures is not None and not pictures.complete:
        ledger.warn(f"only the first {len(pictures.pictures)} partitions are drawn")
    drawn = [] if pictures is None else pictures.pictures
    ledger.record(result={"facts": _facts(found), "document": document, "pictures": drawn})


def _make_folder(name: str) -> None:
    if not name:
        raise FileProblem("the name of a directory to write into is empty", hint="name a directory")
    try:
        Path(name).mkdir(parents=True, exist_ok=True)
    except OSError as problem:
        raise FileProblem(f"cannot make the directory '{name}': {problem.strerror}", hint="choose another place") from None
    require_writable(str(Path(name) / "step-000.svg"))


def _facts(found: Reduced) -> dict[str, Any]:
    classes = found.classes
    return {
        **({} if classes is None else {"classes": list(classes)}),
        "states": {"before": found.states_before, "after": found.states},
        "transitions": {"before": found.transitions_before, "after": found.transitions},
        "relation": found.reduction.relation,
        "algorithm": found.algorithm,
        "preserves": found.reduction.preserves,
        "counted_with": sorted(found.reduction.observation.promoted),
        "confirmed": found.confirmed,
        "statistics": dict(found.statistics),
    }


def _conclude(args: Namespace, ledger: Ledger, because: str | None) -> int:
    result = ledger.result
    if result is None:
        unknown: dict[str, Any] = {"before": None, "after": None}
        facts = {"states": unknown, "transitions": unknown, "relation": args.by, "algorithm": args.algorithm}
        result = {"facts": {**facts, "reason": because, "statistics": ledger.so_far()}, "document": None}
    if result["document"] is not None:
        emit(result["document"], args.output)
    for number, picture in enumerate(result.get("pictures", ())):
        emit(picture, str(Path(args.trace_partitions) / f"step-{number:03}.svg"))
    if args.json:
        from coarsest.render.data.json import SCHEMA, object_to_text

        seconds = round(ledger.seconds, 6)
        thing = {"schema": SCHEMA, "model": ledger.model or args.model, **result["facts"]}
        emit(object_to_text({**thing, "seconds": seconds, "warnings": ledger.warnings}) + "\n")
    elif args.output != "-":
        emit(_text(result["facts"], args.output))
        _print_statistics(args, ledger, result["facts"])
    return 3 if "reason" in result["facts"] else 0


def _text(facts: dict[str, Any], output: str | None) -> str:
    if "reason" in facts:
        return f"unknown: {facts['reason']}\n"
    rows = [(name, facts[name]["before"], facts[name]["after"]) for name in ("states", "transitions")]
    lines = [f"{name:<11}  {'?' if before is None else before} -> {after}" for name, before, after in rows]
    if facts.get("counted_with"):
        lines.append(f"counted      states together with the value of {', '.join(facts['counted_with'])}")
    lines.append(f"preserves    {facts['preserves']} over what is observed")
    classes = facts.get("classes")
    if facts.get("data") == "variables":
        lines.append("data         in variables of the code: numbers are no part of the states (--reactions makes them one)")
    if facts.get("confirmed"):
        lines.append(f"confirmed    by an independent check of every {'state' if classes is None else 'class'}")
    if classes is not None and len(classes) <= MOST_CLASSES_SHOWN:
        lines += [f"class {number:<6} {states}" for number, states in enumerate(classes)]
    if output is not None:
        lines.append(f"written      {Path(output)}")
    return "\n".join(lines) + "\n"


def _print_statistics(args: Namespace, ledger: Ledger, facts: dict[str, Any]) -> None:
    from coarsest.render.text.text import statistics_to_lines

    if args.quiet or ("reason" not in facts and not args.verbose):
        return
    lines = [*statistics_to_lines(facts["statistics"], args.screen.width), f"{ledger.seconds:.2f} s"]
    sys.stderr.write("".join(f"{line}\n" for line in lines))


command = Command(_parser, _run, _conclude)
