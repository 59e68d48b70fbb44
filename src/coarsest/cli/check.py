"""`coarsest check`: properties in the file and on the line; verdicts with evidence."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path
from typing import TYPE_CHECKING

from coarsest.cli import arguments
from coarsest.cli.command import Command
from coarsest.cli.ledger import Ledger
from coarsest.cli.method import engine_choices, run_of
from coarsest.cli.publish import require_writable
from coarsest.cli.verdicts import conclude, decided, follow
from coarsest.errors import InputError

if TYPE_CHECKING:
    from coarsest.evidence.verdict import Answer

EXAMPLES = """  coarsest check mutex.smv                       all properties of the file
  coarsest check mutex.smv "x < 3" "AG !bad"     only these: in every reachable state
  coarsest check big.smv --timeout 60 --memory 2000
  coarsest check mutex.smv --trace table         a counterexample as a table
  coarsest check mutex.smv --trace vcd -o t.vcd  a counterexample for a wave viewer
  coarsest check mutex.smv --json                for programs"""


def _parser() -> arguments.Parser:
    parser = arguments.Parser("check", "MODEL [FORMULA ...]", "Check the properties of a file, or the formulas given.", EXAMPLES)
    arguments.model_argument(parser)
    parser.add_argument("formulas", metavar="FORMULA", nargs="*", help="a condition for every reachable state, or a property")
    arguments.output_options(parser, traces=True)
    arguments.limit_options(parser)
    group = arguments.engine_options(parser)
    group.add_argument("--engine", choices=("auto", "forward", "backward"), default="auto", help="direction of the search")
    group.add_argument("--no-cone", dest="cone", action="store_false", default=True, help="keep what no property depends on")
    group.add_argument("--no-confirm", dest="confirm", action="store_false", default=True, help="do not check the evidence")
    return parser


def _run(args: Namespace, ledger: Ledger) -> None:
    require_writable(args.output)
    require_writable(args.save_order)
    _require_formulas(args.formulas)
    choices = engine_choices(args)
    from coarsest import api

    model = api.load(args.model, format=args.format)
    ledger.record(model=args.model)
    for warning in model.warnings:
        ledger.warn(warning.message, warning.show())
    claims = [model.formula(text) for text in args.formulas] or list(model.properties)
    ledger.record(planned=[{"name": claim.name, "kind": str(claim.kind), "formula": claim.text} for claim in claims])
    if not claims:
        return

    def on_answer(answer: Answer) -> None:
        ledger.record(decided=decided(answer, len(ledger.decided), args), event=None)  # what comes is about the next property

    report = model.check(
        *claims, run=run_of(args, ledger), on_answer=on_answer, engine=args.engine, cone=args.cone, confirm=args.confirm,
        **choices,
    )  # fmt: skip
    for text in report.warnings:
        ledger.warn(text)
    ledger.record(statistics=dict(report.statistics))


def _require_formulas(texts: list[str]) -> None:
    for text in texts:
        if Path(text).suffix and Path(text).is_file():
            raise InputError(f"'{text}' is a file, but a formula is expected here", hint="check one model at a time")


command = Command(_parser, _run, conclude, follow)
