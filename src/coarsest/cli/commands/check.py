"""`coarsest check`: properties in the file and on the line; verdicts with evidence."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path
from typing import TYPE_CHECKING

from coarsest.api.options import CHECK
from coarsest.cli.frame import arguments
from coarsest.cli.frame.command import Command
from coarsest.cli.frame.kinds import is_graph
from coarsest.cli.frame.ledger import Ledger
from coarsest.cli.frame.method import chosen, loaded, run_of
from coarsest.cli.frame.publish import require_writable
from coarsest.cli.frame.verdicts import conclude, decided, follow, planned, require_certificate
from coarsest.errors import InputError

if TYPE_CHECKING:
    from coarsest import Answer

EXAMPLES = """  coarsest check mutex.smv                       all properties of the file
  coarsest check mutex.smv --property gets_in    only this one
  coarsest check mutex.smv "x < 3"               only this: in every reachable state
  coarsest check mutex.smv "AG EF idle"          CTL: from everywhere a path leads to idle
  coarsest check mutex.smv "G (req -> F ack)"    LTL: on every path, what is asked for comes
  coarsest check mutex.smv "E (G F a & F b)"     CTL*: some path has a again and again, and b once
  coarsest check mutex.smv --automaton never.hoa what the automaton accepts must not happen
  coarsest check bakery.v --properties bakery.ctl --fairness bakery.fair
                                                 VIS Verilog with its property files
  coarsest check lift.aut "AG <up>true"          an explicit graph: CTL, LTL and Hennessy-Milner formulas with actions
  coarsest check big.smv --timeout 60 --memory 2000
  coarsest check mutex.smv --reduce symmetry     on representatives of states that its symmetries exchange
  coarsest check mutex.smv --trace table         a counterexample as a table
  coarsest check mutex.smv --trace vcd -o t.vcd  a counterexample for a wave viewer
  coarsest check circuit.aig -o cex.wit          a counterexample as a witness of AIGER, for aigsim
  coarsest check fifo.sv --format yosys:fifo     SystemVerilog through Yosys, with this top module
  coarsest check counter.btor2 -o cex.wit        a counterexample as a witness of BTOR2, for btorsim
  coarsest check mutex.smv --certificate p.json  why the properties hold, for coarsest confirm mutex.smv p.json
  coarsest check mutex.smv --json                for programs"""


def _parser() -> arguments.Parser:
    parser = arguments.Parser("check", "MODEL [FORMULA ...]", "Check the properties of a file, or the formulas given.", EXAMPLES)
    arguments.model_argument(parser)
    text = "a condition for every reachable state, or a formula of CTL, LTL, CTL* or PSL"
    parser.add_argument("formulas", metavar="FORMULA", nargs="*", help=text)
    text = "check only the property of this name, or of this number in the file; may be repeated"
    parser.add_argument("--property", dest="properties", action="append", default=[], metavar="NAME", help=text)
    text = "a file of properties as VIS writes them (.ctl, .ltl, .inv); may be repeated"
    parser.add_argument("--properties", dest="property_files", action="append", default=[], metavar="FILE", help=text)
    text = "a file of conditions (.fair) that hold again and again on the paths that count; may be repeated"
    parser.add_argument("--fairness", dest="fairness_files", action="append", default=[], metavar="FILE", help=text)
    arguments.hints_option(parser)
    text = "an automaton (.hoa) over conditions on the model: what it accepts must not happen; may be repeated"
    parser.add_argument("--automaton", dest="automata", action="append", default=[], metavar="FILE", help=text)
    text = "write a certificate of every property that holds there, for coarsest confirm; of AIGER, also as a circuit (.aig)"
    parser.add_argument("--certificate", metavar="FILE", help=text)
    arguments.checking_options(parser, CHECK.choices, witnesses=True)
    return parser


def _run(args: Namespace, ledger: Ledger) -> None:
    require_writable(args.output)
    require_writable(args.save_order)
    require_certificate(args.model, args.certificate)
    _require_formulas(args.formulas)
    if [args.model, *args.automata, *args.property_files, *args.fairness_files, *args.hint_files].count("-") > 1:
        raise InputError("standard input can be read once", hint="name files for the others")
    if is_graph(args):
        from coarsest.cli.commands.check_graph import check_graph

        check_graph(args, ledger, _parser())
        return
    options = chosen(CHECK, args)
    model = loaded(args, ledger).with_files(
        properties=args.property_files, fairness=args.fairness_files, hints=args.hint_files
    )
    named = [model.property_named(name) for name in args.properties]
    given = [*map(model.formula, args.formulas), *map(model.never, args.automata)]
    claims = named + given or list(model.properties)
    if args.trace in arguments.WITNESS_STYLES:
        from coarsest.render.data.witness import insist_on

        insist_on(args.trace, model.machine, claims)
    ledger.record(planned=list(map(planned, claims)))
    if not claims:
        return

    def on_answer(answer: Answer) -> None:
        index = len(ledger.decided)
        words = decided(answer, index, args, claims[index], model.machine)
        ledger.record(decided=words, event=None)  # what comes is about the next property

    def on_warning(text: str) -> None:
        ledger.warn(text, hollow=True)

    report = model.check(
        *claims, run=run_of(args, ledger), on_answer=on_answer, on_warning=on_warning,
        certificates=args.certificate is not None, **options,
    )  # fmt: skip
    ledger.record(statistics=dict(report.statistics))


def _require_formulas(texts: list[str]) -> None:
    for text in texts:
        if Path(text).suffix and Path(text).is_file():
            raise InputError(f"'{text}' is a file, but a formula is expected here", hint="check one model at a time")


command = Command(_parser, _run, conclude, follow, plans=True, forms=("text", "json", "html", "vcd", "aiger", "btor2"))
