"""`coarsest assume`: checks a model in every environment that satisfies a formula, or that another model simulates."""

from __future__ import annotations

from argparse import Namespace
from typing import TYPE_CHECKING

from coarsest.api.options import ASSUME
from coarsest.cli.frame import arguments
from coarsest.cli.frame.command import Command, chosen, loaded, run_of
from coarsest.cli.frame.endings import REPORTS
from coarsest.cli.frame.ledger import Ledger
from coarsest.cli.frame.publish import require_writable
from coarsest.cli.frame.verdicts import conclude, decided, follow, planned

if TYPE_CHECKING:
    from coarsest import Answer

EXAMPLES = """  coarsest assume "AG (grant -> AX !grant)" master.smv "AG !overrun"   under a formula of ACTL
  coarsest assume "AG AF grant" master.smv "AG (request -> AF done)"   if the environment is fair
  coarsest assume "step < 2" counter.smv                               all properties of the file, if always step < 2
  coarsest assume arbiter.smv master.smv "AG (request -> AF done)"     beside another model; equal names are one variable"""


def _parser() -> arguments.CommandParser:
    summary = "Check a model in every environment that satisfies a formula, or that another model simulates."
    parser = arguments.CommandParser("assume", "ASSUMPTION MODEL [FORMULA ...]", summary, EXAMPLES)
    text = "a condition, a formula of ACTL over the names of MODEL, or a file with a model; it drives the inputs that it names"
    parser.add_argument("assumption", metavar="ASSUMPTION", help=text)
    arguments.model_argument(parser)
    text = "a condition for every reachable state, or a formula about all paths, of CTL, LTL, CTL* or PSL"
    parser.add_argument("formulas", metavar="FORMULA", nargs="*", help=text)
    arguments.checking_options(parser, ASSUME.choices)
    return parser


def _run(args: Namespace, ledger: Ledger) -> None:
    from coarsest.api.assume import assume

    require_writable(args.output)
    require_writable(args.save_order)
    options = chosen(ASSUME, args)
    model = loaded(args, ledger)
    claims = [*map(model.formula, args.formulas)] or list(model.properties)
    ledger.record(planned=list(map(planned, claims)))

    def on_answer(answer: Answer) -> None:
        ledger.record(decided=decided(answer, len(ledger.decided), args), event=None)

    run = run_of(args, ledger)
    report = assume(args.assumption, model, *claims, run=run, on_answer=on_answer, on_warning=ledger.undermine, **options)
    ledger.record(statistics=dict(report.statistics))


command = Command(_parser, _run, conclude, follow, plans=True, forms=REPORTS)
