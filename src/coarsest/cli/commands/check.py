"""`coarsest check`: verdicts with evidence, for properties in files and on the command line."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Callable
from functools import cached_property, partial
from os.path import isdir, isfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from coarsest.api.options import CHECK
from coarsest.cli.frame import arguments
from coarsest.cli.frame.command import Command, chosen, loaded, print_result, run_of
from coarsest.cli.frame.designs import OPTIONS_OF_DESIGNS, design_options, is_one_design, parts_of, take_as_design
from coarsest.cli.frame.endings import REPORTS
from coarsest.cli.frame.kinds import CommandSubject, is_graph, require_own
from coarsest.cli.frame.ledger import Ledger
from coarsest.cli.frame.publish import require_writable
from coarsest.cli.frame.report_files import require_certificate
from coarsest.cli.frame.verdicts import conclude, decided, follow, planned
from coarsest.errors import InputError

if TYPE_CHECKING:
    from coarsest import Answer, Property
    from coarsest.api.expectations import ExpectedVerdict
    from coarsest.api.model import Model

EXAMPLES = """  coarsest check mutex.smv                       all properties of the file
  coarsest check mutex.smv --property gets_in    only this one
  coarsest check mutex.smv "x < 3"               this condition, in every reachable state
  coarsest check mutex.smv "AG EF idle"          CTL: idle can be reached from everywhere
  coarsest check mutex.smv "G (req -> F ack)"    LTL: on every path, each request is answered
  coarsest check mutex.smv "E (G F a & F b)"     CTL*: on some path, a holds infinitely often and b once
  coarsest check mutex.smv --automaton never.hoa what the automaton accepts must not happen
  coarsest check bakery.v --properties bakery.ctl --fairness bakery.fair
                                                 VIS Verilog with its property files
  coarsest check lift.aut "AG <up>true"          an explicit graph: CTL, LTL and Hennessy-Milner formulas with actions
  coarsest check big.smv --timeout 60 --memory 2000
  coarsest check mutex.smv --reduce symmetry     on representatives of states that symmetries exchange
  coarsest check mutex.smv --trace table         a counterexample as a table
  coarsest check mutex.smv --trace vcd -o t.vcd  a counterexample for a wave viewer
  coarsest check circuit.aig -o cex.wit          a counterexample as a witness of AIGER, for aigsim
  coarsest check fifo.sv --format yosys:fifo     SystemVerilog through Yosys, with this top module
  coarsest check top.sv rtl --top top -D N=8     a design in several files and folders
  coarsest check fifo.sv --depth 20              counterexamples of up to 20 steps
  coarsest check fifo.sby                        a project of SymbiYosys, task by task
  coarsest check counter.btor2 -o cex.wit        a counterexample as a witness of BTOR2, for btorsim
  coarsest check mutex.smv --certificate p.json  certificates, for coarsest confirm mutex.smv p.json
  coarsest check *.smv --strict -o report.xml    several models, for a build server (JUnit; or .sarif)
  coarsest check mutex.smv --expect verdicts.txt exit code 0 if the verdicts are as in this output of 'check -q'
  coarsest check mutex.smv --json                print JSON"""

MODELS = CommandSubject(
    "models", CHECK,
    ("nodes", "seed", "hint_files", "properties", "property_files", "fairness_files", "automata", "expect", "certificate",
     "plan", "depth_suffices", *OPTIONS_OF_DESIGNS),
)  # fmt: skip
GRAPHS = CommandSubject("explicit graphs", more=("confirm",), instead={"reduce": "reduce the graph first: coarsest reduce"})


def _parser() -> arguments.CommandParser:
    summary = "Check the properties of one or more files, or formulas."
    parser = arguments.CommandParser("check", "MODEL [MODEL ...] [FORMULA ...]", summary, EXAMPLES)
    arguments.model_argument(parser)
    text = "a condition for every reachable state, or a formula of CTL, LTL, CTL* or PSL; or another model file"
    parser.add_argument("formulas", metavar="FORMULA", nargs="*", help=text)
    text = "check only the property with this name, or with this number in the file; may be repeated"
    parser.add_argument("--property", dest="properties", action="append", default=[], metavar="NAME", help=text)
    text = "a file of properties in the format of VIS (.ctl, .ltl, .inv); may be repeated"
    parser.add_argument("--properties", dest="property_files", action="append", default=[], metavar="FILE", help=text)
    text = "a file of fairness conditions (.fair), which hold infinitely often on fair paths; may be repeated"
    parser.add_argument("--fairness", dest="fairness_files", action="append", default=[], metavar="FILE", help=text)
    arguments.hints_option(parser)
    text = "an automaton (.hoa) over conditions on the model that must accept no path; may be repeated"
    parser.add_argument("--automaton", dest="automata", action="append", default=[], metavar="FILE", help=text)
    text = "a file of expected verdicts, as 'check -q' prints them; or write them beside a property: -- expect: fails"
    parser.add_argument("--expect", metavar="FILE", help=text)
    text = "print what would be tried for each property, in which order and with which budgets, without trying it"
    parser.add_argument("--plan", action="store_true", help=text)
    text = "exit with code 0 if --depth ends the search without a counterexample"
    parser.add_argument("--depth-suffices", action="store_true", help=text)
    parser.add_argument("--strict", action="store_true", help="exit with code 1 if there is a warning")
    text = "write a certificate for every property that holds, for coarsest confirm; for AIGER models also as a circuit (.aig)"
    parser.add_argument("--certificate", metavar="FILE", help=text)
    design_options(parser)
    arguments.checking_options(parser, CHECK.choices, witnesses=True)
    return parser


def _run(args: Namespace, ledger: Ledger) -> None:
    require_writable(args.output)
    require_writable(args.save_order)
    require_certificate(args.model, args.certificate)
    models, formulas = _models(args)
    others = [*args.automata, *args.property_files, *args.fairness_files, *args.hint_files, *filter(None, [args.expect])]
    if [*models, *others].count("-") > 1:
        raise InputError("standard input can be read once", hint="name files for the others")
    parts = [part for model in models for part in parts_of(args, model, formulas)]
    for option in ("certificate", "save_order") if len(parts) > 1 else ():
        if getattr(args, option) is not None:
            raise InputError(f"--{option.replace('_', '-')} is for one model, and there are {len(parts)}", hint="check it alone")
    expected = _Expected(args)
    # All models are read before the first is checked.
    checks = [_prepared(part, ledger, expected) for part in parts]
    expected.require_all()
    ledger.record(planned=_with_headings(ledger.planned, several=len(checks) > 1))
    for check in checks:
        check()


def _models(args: Namespace) -> tuple[list[str], list[str]]:
    """The models, which are the first argument and all others that are files or folders, and the formulas, which are the rest.

    The first file of a design in several files stands for all.
    """
    more = [text for text in args.formulas if isdir(text) or (Path(text).suffix and isfile(text))]
    models, formulas = list(dict.fromkeys([args.model, *more])), [text for text in args.formulas if text not in more]
    if not is_one_design(args, models):
        return models, formulas
    take_as_design(args, models)
    return models[:1], formulas


def _with_headings(plans: list[dict[str, Any]], *, several: bool) -> list[dict[str, Any]]:
    """Mark the first property of each model for a heading, if there are several models."""
    before = [None, *(plan["model"] for plan in plans)]
    return [{**plan, "first": several and plan["model"] != last} for plan, last in zip(plans, before)]


class _Expected:
    """The expected verdicts, in a file or beside the properties."""

    def __init__(self, args: Namespace) -> None:
        self._path: str | None = args.expect
        self._used: set[ExpectedVerdict] = set()

    @cached_property
    def _entries(self) -> list[ExpectedVerdict]:
        from coarsest.api.expectations import listed
        from coarsest.files import read_text

        return [] if self._path is None else listed(read_text(self._path))

    def of(self, path: str, model: Model, claims: list[Property]) -> list[str | None]:
        """The expected verdict of each property. The file overrides comments in the model."""
        from coarsest.api.expectations import expected_beside, expected_by

        beside = dict(zip(map(id, model.properties), expected_beside(model.properties)))
        by_file, used = expected_by(self._entries, path, claims)
        self._used |= used
        return [verdict or beside.get(id(claim)) for verdict, claim in zip(by_file, claims)]

    def require_all(self) -> None:
        """Raise InputError for a line that matches no property."""
        for entry in self._entries:
            if entry not in self._used:
                message = f"there is no property to check that is '{entry.title}'"
                raise InputError(message, entry.span, hint="correct it, or leave it out")


def _prepared(args: Namespace, ledger: Ledger, expected: _Expected) -> Callable[[], None]:
    """Read a model and plan what to decide; returns a function that decides it."""
    if is_graph(args):
        return _prepared_graph(args, ledger)
    options = chosen(CHECK, args)
    model = loaded(args, ledger).with_files(
        properties=args.property_files, fairness=args.fairness_files, hints=args.hint_files
    )
    named = [model.property_named(name) for name in args.properties]
    given = [*map(model.formula, args.formulas), *map(model.never, args.automata)]
    claims = model.claims(*named, *given, deadlock=args.deadlock)
    if args.trace in arguments.WITNESS_STYLES:
        from coarsest.render.data.witness import require

        require(args.trace, model.machine, claims)
    verdicts = expected.of(args.model, model, claims)
    if not claims and args.passes:
        ledger.warn(f"{args.title}: there is nothing to check in this mode")
    plans = [planned(claim, args.title, word, args.passes) for claim, word in zip(claims, verdicts)]
    ledger.record(planned=[*ledger.planned, *plans])
    return partial(_check, args, ledger, model, claims, options)


def _check(args: Namespace, ledger: Ledger, model: Model, claims: list[Property], options: dict[str, Any]) -> None:
    if args.plan:
        ledger.record(result=_planned(args, ledger.result, model, claims, options))
        return
    if not claims:
        return
    ledger.record(model=args.title)
    before = len(ledger.decided)
    run, growth = run_of(args, ledger), None
    if args.form == "html":
        from coarsest.render.page.report_card import Growth, listening

        growth = Growth()
        run.listener = listening(growth, ledger.listen)

    def on_answer(answer: Answer) -> None:
        index = len(ledger.decided)
        words = decided(answer, index, args, claims[index - before], model.machine, plan=ledger.planned[index],
                        growth=growth.taken() if growth else ())  # fmt: skip
        ledger.record(decided=words, event=None)  # the next event is about the next property

    def on_warning(text: str) -> None:
        several = any(plan["first"] for plan in ledger.planned)
        ledger.warn(text, f"{args.title}: warning: {text}" if several else "", hollow=True)

    report = model.check(
        *claims, run=run, on_answer=on_answer, on_warning=on_warning,
        certificates=args.certificate is not None, **options,
    )  # fmt: skip
    ledger.record(statistics=dict(report.statistics))


def _planned(
    args: Namespace, before: dict[str, Any] | None, model: Model, claims: list[Property], options: dict[str, Any]
) -> dict[str, Any]:
    """The plan of a model, as text and JSON, after the plans of other models."""
    from coarsest.render.data.json import object_to_text

    plan = model.plan(*claims, **options)
    text = (before["shown"] if before else "") + "\n".join(plan.lines()) + "\n"
    models = [*(before["models"] if before else []), {"model": args.model, **plan.to_object()}]
    whole = object_to_text({"schema": 1, "models": models}) + "\n"
    return {"text": whole if args.json else text, "shown": text, "models": models}


def _prepared_graph(args: Namespace, ledger: Ledger) -> Callable[[], None]:
    """Plan to check formulas on a graph; returns a function that decides them."""
    require_own(args, _parser(), GRAPHS, (MODELS, GRAPHS))
    if args.trace in arguments.WITNESS_STYLES:
        message = f"a witness of {args.trace.upper()} is for a circuit, not for a graph"
        raise InputError(message, hint="write --trace json")
    from coarsest.api.graph import claims_of

    plans = [
        {"name": "", "kind": claim.logic.value, "formula": claim.text, "instance": "", "model": args.model}
        for claim in claims_of(args.formulas)
    ]
    ledger.record(planned=[*ledger.planned, *plans])
    return partial(_check_graph, args, ledger)


def _check_graph(args: Namespace, ledger: Ledger) -> None:
    from coarsest.api.graph import read_graph

    run = run_of(args, ledger)
    graph = read_graph(args.model, format=args.format, run=run)
    ledger.record(model=args.model)

    def on_answer(answer: Answer) -> None:
        index = len(ledger.decided)
        ledger.record(decided=decided(answer, index, args, plan=ledger.planned[index]), event=None)

    graph.check(*args.formulas, run=run, confirm=args.confirm, on_answer=on_answer, on_warning=ledger.undermine)
    ledger.record(statistics={"states": graph.states, "transitions": graph.transitions})


def _conclude(args: Namespace, ledger: Ledger, because: str | None) -> int:
    return print_result(args, ledger, because) if args.plan and ledger.result is not None else conclude(args, ledger, because)


command = Command(_parser, _run, _conclude, follow, plans=True, forms=(*REPORTS, "aiger", "btor2"))
