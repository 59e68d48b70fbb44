"""`coarsest prove`: the steps of a proof script, and whether its conclusions follow."""

from __future__ import annotations

from argparse import Namespace
from typing import TYPE_CHECKING

from coarsest.api.options import ASSUME
from coarsest.cli.frame import arguments
from coarsest.cli.frame.command import Command, chosen, run_of
from coarsest.cli.frame.endings import REPORTS
from coarsest.cli.frame.ledger import Ledger
from coarsest.cli.frame.overwriting import require_other_files
from coarsest.cli.frame.publish import require_writable
from coarsest.cli.frame.verdicts import conclude, decided, follow

if TYPE_CHECKING:
    from coarsest import Answer

EXAMPLES = """  coarsest prove bus.proof            the steps that hold, their evidence, and what follows
  coarsest prove bus.proof -q         the verdicts alone
  coarsest prove bus.proof --json     for programs

a script:
  component arbiter = arbiter.smv
  component one = master.smv with request as request1, grant as grant1
  step arbiter |= AG !(grant1 & grant2)
  step assume AG AF grant1 : one |= AG AF !request1
  conclude arbiter || one |= AG AF !request1"""


def _parser() -> arguments.CommandParser:
    summary = "Check a proof that a system has a property, one component at a time."
    parser = arguments.CommandParser("prove", "SCRIPT", summary, EXAMPLES)
    parser.add_argument("model", metavar="SCRIPT", help="a proof script, with its files beside it; '-' is standard input")
    arguments.checking_options(parser, ASSUME.choices)
    return parser


def _run(args: Namespace, ledger: Ledger) -> None:
    from coarsest.api.prove import opened, prove

    script = opened(args.model)
    require_other_files("prove", args, also_read=script.files)
    require_writable(args.output)
    options = chosen(ASSUME, args)
    ledger.record(model=args.model)
    ledger.record(planned=[{"name": "", "kind": "step", "formula": text, "instance": ""} for text in script.planned])

    def on_answer(answer: Answer) -> None:
        ledger.record(decided=decided(answer, len(ledger.decided), args), event=None)

    prove(script, run=run_of(args, ledger), on_answer=on_answer, **options)


command = Command(_parser, _run, conclude, follow, plans=True, forms=REPORTS)
