"""`coarsest algorithms`: every algorithm, its paper, its file and its options."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from coarsest import tuning
from coarsest.cli.frame import arguments
from coarsest.cli.frame.command import Command
from coarsest.cli.frame.endings import RESULTS
from coarsest.cli.frame.ledger import Ledger
from coarsest.cli.frame.publish import in_form, require_writable

if TYPE_CHECKING:
    from coarsest.registry import Algorithm
    from coarsest.tuning import Threshold

EXAMPLES = """  coarsest algorithms
  coarsest algorithms reach      only those with 'reach' in their name or task
  coarsest algorithms --tuning   the thresholds that were chosen by measuring
  coarsest algorithms --json"""


def _parser() -> arguments.CommandParser:
    summary = "List every algorithm with its paper and the options that choose it."
    parser = arguments.CommandParser("algorithms", "[WORD]", summary, EXAMPLES)
    parser.add_argument("word", metavar="WORD", nargs="?", default="", help="only those with this in their name or task")
    text = "list the thresholds that were chosen by measuring, instead of algorithms"
    parser.add_argument("--tuning", action="store_true", help=text)
    arguments.output_options(parser)
    return parser


def _run(args: Namespace, ledger: Ledger) -> None:
    require_writable(args.output)
    from coarsest.api import model as api
    from coarsest.render.data.json import SCHEMA, object_to_text

    word = args.word.lower()
    if args.tuning:
        numbers = [number for number in tuning.TABLE.values() if word in number.name.lower()]
        document, lines = {"tuning": [number._asdict() for number in numbers]}, _table(numbers)
    else:
        chosen = [a for a in api.algorithms() if word in a.name.lower() or word in a.task.lower()]
        keys = ("name", "task", "summary", "reference", "file", "option")
        document = {"algorithms": [{key: getattr(algorithm, key) for key in keys} for algorithm in chosen]}
        lines = _listing(chosen)
    if args.json:
        ledger.record(result={"text": object_to_text({"schema": SCHEMA, **document}) + "\n"})
        return
    nothing = f"no {'number' if args.tuning else 'algorithm'} has '{args.word}' in its name{'' if args.tuning else ' or task'}\n"
    ledger.record(result={"text": in_form(args, "".join(f"{line}\n" for line in lines) or nothing)})


def _table(numbers: Iterable[Threshold]) -> Iterator[str]:
    """A line with the value and range of each threshold, and one with its reason."""
    for number in numbers:
        yield f"{number.name} = {number.value:g} {number.unit} ({number.low:g} to {number.high:g})"
        yield f"    {number.why}{f' Measured: {number.measured}.' if number.measured else ''}"


def _listing(algorithms: Iterable[Algorithm]) -> Iterator[str]:
    """Algorithms by task, in the order of the registry."""
    by_task: dict[str, list[Algorithm]] = {}
    for algorithm in algorithms:
        by_task.setdefault(algorithm.task, []).append(algorithm)
    for number, (task, group) in enumerate(by_task.items()):
        yield from ["", task] if number else [task]
        for algorithm in group:
            yield f"  {algorithm.name}: {algorithm.summary}"
            for key, text in (("paper", algorithm.reference), ("file", algorithm.file), ("option", algorithm.option)):
                if text:
                    yield f"      {key:<7} {text}"


command = Command(_parser, _run, forms=RESULTS)
