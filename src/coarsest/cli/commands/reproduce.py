"""`coarsest reproduce`: measures the tables of papers again, and shows both results."""

from __future__ import annotations

import os
import sys
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

COLLECTION = "COARSEST_COLLECTION"
"""The environment variable that passes the folder of models to the processes of points."""

EXAMPLES = """  coarsest reproduce                       list the papers and their tables
  coarsest reproduce fisler:3 --quick      one table, in small sizes
  coarsest reproduce sebastiani --results s.jsonl    keep every result; the same command continues later
  coarsest reproduce sebastiani --from s.jsonl -o report.html    a page with the results so far
  coarsest reproduce bustan:5.n --quick --plots rings    with two plots"""

SECONDS: Final = 60.0
QUICK_SECONDS: Final = 20.0
MEBIBYTES: Final = 2000


def _parser() -> arguments.CommandParser:
    summary = "Measure the tables of a paper again, and compare exact numbers and claims about trends with the paper."
    parser = arguments.CommandParser("reproduce", "[PAPER[:TABLE]]", summary, EXAMPLES)
    about = "a paper, a table, or all papers (default: list them)"
    parser.add_argument("paper", metavar="PAPER[:TABLE]|all", nargs="?", default="", help=about)
    parser.add_argument("--quick", action="store_true", help="measure only small sizes, in about a minute for each paper")
    parser.add_argument("--list", action="store_true", help="list the tables, or the points of one, without measuring them")
    text = f"the folder with models of other authors (default: ${COLLECTION}, or ../shared/benchmarks of the repository)"
    parser.add_argument("--collection", metavar="DIR", help=text)
    group = parser.add_argument_group("limits of each point", "each point is measured in a process of its own")
    group.add_argument("--timeout", dest="seconds", type=arguments.positive_number, metavar="SECONDS",
                       help=f"CPU time (default: {SECONDS:g}; with --quick {QUICK_SECONDS:g})")  # fmt: skip
    group.add_argument("--memory", dest="mebibytes", type=arguments.positive_integer, metavar="MIB", default=MEBIBYTES,
                       help="memory, in mebibytes")  # fmt: skip
    group.add_argument("--jobs", type=arguments.positive_integer, metavar="N", default=2, help="points measured at a time")
    output = parser.add_argument_group("output")
    output.add_argument("--json", action="store_true", help="print one JSON object instead of text")
    text = "write a page (.html), or keep results (.jsonl, as --results does)"
    output.add_argument("-o", "--output", metavar="FILE", help=text)
    text = "keep results in a file, one JSON object per line (.jsonl); points with results in it are not measured again"
    output.add_argument("--results", metavar="FILE", help=text)
    output.add_argument("--from", dest="kept", metavar="FILE", help="show the results in this file without measuring")
    output.add_argument("--plots", metavar="DIR", help="draw plots in this folder, as SVG (bustan:5.n, sebastiani)")
    arguments.talk_options(output, "results only: no progress")
    return parser


def _run(args: Namespace, ledger: Ledger) -> None:
    if args.collection is not None:
        if not Path(args.collection).is_dir():
            raise InputError(f"there is no folder '{args.collection}'", hint="--collection names a folder with models")
        os.environ[COLLECTION] = str(Path(args.collection).resolve())  # the processes of points read it
    from coarsest.experiments.reproduce import PAPERS, Results, paper_named, papers_named, reproduce

    if args.list or not args.paper:
        papers = papers_named(args.paper) if args.paper else list(map(paper_named, PAPERS))
        ledger.record(result={"text": _catalogue(papers, points=bool(args.paper), json=args.json)})
        return
    papers = papers_named(args.paper)
    _require_sensible_files(args, papers)
    limits = Limits(seconds=args.seconds or (QUICK_SECONDS if args.quick else SECONDS), mebibytes=args.mebibytes)
    total = sum(len(paper.points(quick=args.quick)) for paper in papers)

    def tell(outcome: PointOutcome) -> None:
        step = len(ledger.decided) + 1
        facts = {"of": total, "last": outcome.point}
        ledger.record(event={"task": outcome.paper, "step": step, "seconds": ledger.seconds, "facts": facts})
        ledger.record(decided={"index": step, "outcome": to_builtins(outcome)})

    if args.kept is not None:
        for outcome in Results(args.kept).outcomes:
            tell(outcome)
        return
    results = Results(args.results)
    for paper in papers:
        reproduce(paper, limits, results, quick=args.quick, jobs=args.jobs, tell=tell)


def _require_sensible_files(args: Namespace, papers: Sequence[Paper]) -> None:
    """Raise InputError for unsuitable file names. `-o FILE.jsonl` means `--results`."""
    if args.output is not None and args.output.endswith(".jsonl") and args.results is None:
        args.results, args.output = args.output, None
    if args.kept is not None and args.results is not None:
        raise InputError("--from measures nothing, so there are no results to keep", hint="leave out one of the two")
    if args.kept is not None and not Path(args.kept).is_file():
        raise InputError(f"there is no file '{args.kept}'", hint="--from names a file that --results kept")
    if args.results is not None and not args.results.endswith(".jsonl"):
        raise InputError(f"the results cannot be kept in '{args.results}'", hint="name a file that ends in .jsonl")
    if args.output is not None and not args.output.endswith(".html"):
        raise InputError(f"a report cannot be written to '{args.output}'", hint="name a file that ends in .html or .jsonl")
    if args.plots is not None and not any(table.plots for paper in papers for table in paper.tables):
        raise InputError(f"there is nothing to plot in '{args.paper}'", hint="'bustan:5.n' and 'sebastiani' have plots")
    if args.plots is not None:
        make_folder(args.plots, "plot.svg")
    for path in (args.results, args.output):
        require_writable(path)


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
    from coarsest.experiments.report import judged_to_lines, judged_to_object, report_page
    from coarsest.experiments.reproduce import judge, papers_named
    from coarsest.render.data.json import SCHEMA, object_to_text

    measured: dict[str, dict[str, PointOutcome]] = {}
    for entry in ledger.decided.values():
        outcome = convert(entry["outcome"], PointOutcome)
        measured.setdefault(outcome.paper, {})[outcome.point] = outcome
    judged = [
        (paper, judge(table, measured.get(paper.name, {}), quick=args.quick))
        for paper in papers_named(args.paper)
        for table in paper.tables
    ]
    summary = f"{_summary([one for _, one in judged])} ({ledger.seconds:.2f} s)"
    if args.output is not None:
        emit(report_page(judged, summary, " ".join(["coarsest", *sys.argv[1:]]), because), args.output)
    if args.json:
        about = {"schema": SCHEMA, "quick": args.quick, "reason": because, "seconds": round(ledger.seconds, 6)}
        emit(object_to_text({**about, "tables": [judged_to_object(paper, one) for paper, one in judged]}) + "\n")
    else:
        lines = [line for paper, one in judged for line in (*judged_to_lines(paper, one), "")] if args.output is None else []
        emit("".join(f"{line}\n" for line in [*lines, summary]) + (f"ended early: {because}\n" if because else ""))
    if args.plots is not None:
        for _, one in judged:
            for name, picture in one.plots().items():
                write_whole(Path(args.plots) / f"{name}.svg", picture)
    codes = {one.code for _, one in judged}
    return 1 if 1 in codes else max(codes)


def _summary(judged: Sequence[JudgedTable]) -> str:
    verdicts = [judgement.verdict for one in judged for judgement in one.judgements]
    words = {"holds": "hold", "fails": "fail", "unknown": "unknown"}
    counted = ", ".join(f"{verdicts.count(word)} {shown}" for word, shown in words.items() if word in verdicts)
    return f"{len(verdicts)} claims: {counted}"


command = Command(_parser, _run, _conclude)
