"""`coarsest reproduce`: the tables of the papers, measured again, ours beside theirs."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from msgspec import convert, to_builtins

from coarsest.cli.frame import arguments
from coarsest.cli.frame.command import Command, print_result
from coarsest.cli.frame.ledger import Ledger
from coarsest.cli.frame.publish import emit, make_folder, require_writable
from coarsest.errors import InputError
from coarsest.files import write_whole
from coarsest.run import Limits

if TYPE_CHECKING:
    from coarsest.experiments.points import Paper, PointOutcome
    from coarsest.experiments.reproduce import JudgedTable

EXAMPLES = """  coarsest reproduce                       list the papers and their tables
  coarsest reproduce fisler:3 --quick      one table, in small sizes
  coarsest reproduce sebastiani -o s.jsonl keep every result; the same command continues later
  coarsest reproduce bustan:5.n --quick --plots rings   with two plots"""

SECONDS: Final = 60.0
QUICK_SECONDS: Final = 20.0
MEBIBYTES: Final = 2000


def _parser() -> arguments.CommandParser:
    summary = "Measure the tables of a paper again: exact numbers and claims about trends, ours beside theirs."
    parser = arguments.CommandParser("reproduce", "[PAPER[:TABLE]]", summary, EXAMPLES)
    parser.add_argument("paper", metavar="PAPER[:TABLE]", nargs="?", default="", help="a paper or a table (default: list them)")
    parser.add_argument("--quick", action="store_true", help="measure only small sizes, in about a minute")
    parser.add_argument("--list", action="store_true", help="list the tables, or the points of one, without measuring them")
    group = parser.add_argument_group("limits of each point", "each point is measured in a process of its own")
    group.add_argument("--timeout", dest="seconds", type=arguments.positive_number, metavar="SECONDS",
                       help=f"CPU time (default: {SECONDS:g}; with --quick {QUICK_SECONDS:g})")  # fmt: skip
    group.add_argument("--memory", dest="mebibytes", type=arguments.positive_integer, metavar="MIB", default=MEBIBYTES,
                       help="memory, in mebibytes")  # fmt: skip
    group.add_argument("--jobs", type=arguments.positive_integer, metavar="N", default=2, help="points measured at a time")
    output = parser.add_argument_group("output")
    output.add_argument("--json", action="store_true", help="print one JSON object instead of text")
    text = "keep results in a file, one JSON object a line (.jsonl); results in it are not measured again"
    output.add_argument("-o", "--output", metavar="FILE", help=text)
    output.add_argument("--plots", metavar="DIR", help="draw plots in this folder, as SVG (bustan:5.n)")
    arguments.talk_options(output, "results only: no progress")
    return parser


def _run(args: Namespace, ledger: Ledger) -> None:
    from coarsest.experiments.reproduce import PAPERS, Results, paper_named, reproduce, tables_named

    if args.list or not args.paper:
        papers = [tables_named(args.paper)] if args.paper else list(map(paper_named, PAPERS))
        ledger.record(result={"text": _catalogue(papers, points=bool(args.paper), json=args.json)})
        return
    paper = tables_named(args.paper)
    if args.output is not None and not args.output.endswith(".jsonl"):
        raise InputError(f"the results cannot be kept in '{args.output}'", hint="name a file that ends in .jsonl")
    if args.plots is not None and all(table.plot is None for table in paper.tables):
        raise InputError(f"there is nothing to plot in '{args.paper}'", hint="'bustan:5.n' has plots")
    if args.plots is not None:
        make_folder(args.plots, "plot.svg")
    require_writable(args.output)
    limits = Limits(seconds=args.seconds or (QUICK_SECONDS if args.quick else SECONDS), mebibytes=args.mebibytes)
    total = len(paper.points(quick=args.quick))

    def tell(outcome: PointOutcome) -> None:
        step = len(ledger.decided) + 1
        facts = {"of": total, "last": outcome.point}
        ledger.record(event={"task": paper.name, "step": step, "seconds": ledger.seconds, "facts": facts})
        ledger.record(decided={"index": step, "outcome": to_builtins(outcome)})

    reproduce(paper, limits, Results(args.output), quick=args.quick, jobs=args.jobs, tell=tell)


def _catalogue(papers: Sequence[Paper], *, points: bool, json: bool) -> str:
    from coarsest.experiments.report import catalogue_to_lines, catalogue_to_object
    from coarsest.render.data.json import SCHEMA, object_to_text

    if json:
        return object_to_text({"schema": SCHEMA, **catalogue_to_object(papers, points=points)}) + "\n"
    return "".join(f"{line}\n" for line in catalogue_to_lines(papers, points=points))


def _conclude(args: Namespace, ledger: Ledger, because: str | None) -> int:
    if ledger.result is not None:
        return print_result(Namespace(output=None), ledger, because)
    from coarsest.experiments.points import PointOutcome
    from coarsest.experiments.report import judged_to_lines, judged_to_object
    from coarsest.experiments.reproduce import judge, tables_named
    from coarsest.render.data.json import SCHEMA, object_to_text

    paper = tables_named(args.paper)
    measured = [convert(entry["outcome"], PointOutcome) for entry in ledger.decided.values()]
    judged = [judge(table, {outcome.point: outcome for outcome in measured}, quick=args.quick) for table in paper.tables]
    if args.json:
        about = {"schema": SCHEMA, "quick": args.quick, "reason": because, "seconds": round(ledger.seconds, 6)}
        emit(object_to_text({**about, "tables": [judged_to_object(paper, one) for one in judged]}) + "\n")
    else:
        lines = [line for one in judged for line in (*judged_to_lines(paper, one), "")]
        lines.append(f"{_summary(judged)} ({ledger.seconds:.2f} s)")
        emit("".join(f"{line}\n" for line in lines) + (f"ended early: {because}\n" if because else ""))
    if args.plots is not None:
        _write_plots(Path(args.plots), judged)
    codes = {one.code for one in judged}
    return 1 if 1 in codes else max(codes)


def _write_plots(folder: Path, judged: Sequence[JudgedTable]) -> None:
    for one in judged:
        if one.table.plot is not None:
            for fact in one.table.facts:
                write_whole(folder / f"{one.table.name}-{fact}.svg", one.table.plot(one.outcomes, fact))


def _summary(judged: Sequence[JudgedTable]) -> str:
    verdicts = [judgement.verdict for one in judged for judgement in one.judgements]
    words = {"holds": "hold", "fails": "fail", "unknown": "unknown"}
    counted = ", ".join(f"{verdicts.count(word)} {shown}" for word, shown in words.items() if word in verdicts)
    return f"{len(verdicts)} claims: {counted}"


command = Command(_parser, _run, _conclude)
