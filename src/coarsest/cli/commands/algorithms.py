"""`coarsest algorithms`: every algorithm, its paper, its file and its options."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from coarsest.cli.frame import arguments
from coarsest.cli.frame.command import Command
from coarsest.cli.frame.endings import RESULTS
from coarsest.cli.frame.ledger import Ledger
from coarsest.cli.frame.publish import in_form, require_writable

if TYPE_CHECKING:
    from coarsest.registry import Algorithm

EXAMPLES = """  coarsest algorithms
  coarsest algorithms reach      only those with 'reach' in their name or task
  coarsest algorithms --json"""


def _parser() -> arguments.Parser:
    summary = "List every algorithm with its paper and the options that choose it."
    parser = arguments.Parser("algorithms", "[WORD]", summary, EXAMPLES)
    parser.add_argument("word", metavar="WORD", nargs="?", default="", help="only algorithms with this in their name or task")
    arguments.output_options(parser)
    return parser


def _run(args: Namespace, ledger: Ledger) -> None:
    require_writable(args.output)
    from coarsest.api import model as api
    from coarsest.render.data.json import SCHEMA, object_to_text

    word = args.word.lower()
    chosen = [a for a in api.algorithms() if word in a.name.lower() or word in a.task.lower()]
    if args.json:
        keys = ("name", "task", "summary", "reference", "file", "option")
        rows = [{key: getattr(algorithm, key) for key in keys} for algorithm in chosen]
        text = object_to_text({"schema": SCHEMA, "algorithms": rows}) + "\n"
    else:
        text = "".join(f"{line}\n" for line in _listing(chosen))
    text = text or f"no algorithm has '{args.word}' in its name or task\n"
    ledger.record(result={"text": text if args.json else in_form(args, text)})


def _listing(algorithms: Iterable[Algorithm]) -> Iterator[str]:
    """Grouped by task; the order of the registry is kept."""
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
