"""`coarsest automaton`: a formula as an automaton, or as a model."""

from __future__ import annotations

import sys
from argparse import Namespace
from typing import TYPE_CHECKING, Any

from msgspec import to_builtins

from coarsest.api.options import AUTOMATON
from coarsest.cli.frame import arguments
from coarsest.cli.frame.command import Command, chosen, print_result, run_of
from coarsest.cli.frame.ledger import Ledger
from coarsest.cli.frame.publish import emit, require_writable
from coarsest.errors import InputError

if TYPE_CHECKING:
    from coarsest.api.automata import Automaton

EXAMPLES = """  coarsest automaton "G (request -> F grant)"             the words that satisfy the formula
  coarsest automaton --negate "G !(p0 = eat & p1 = eat)"  the words that violate it; any names and comparisons will do
  coarsest automaton "G F a & G F b" --kind generalised   several acceptance sets of edges
  coarsest automaton "a U b" -o until.svg                 a picture (.svg, .html or .dot)
  coarsest automaton "always {a; b[*]; c} |=> d" --json   PSL; print only its size and properties
  coarsest automaton --actl "AG (p -> AF q)" -o all.smv   the model that simulates all that satisfy the formula
  coarsest automaton -F formulas.ltl                      one automaton for each line of the file"""


def _parser() -> arguments.CommandParser:
    summary = "Translate a formula of LTL (with past) or PSL into an automaton in the Hanoi omega-automata format (HOA)."
    parser = arguments.CommandParser("automaton", "FORMULA", summary, EXAMPLES)
    parser.add_argument("formula", metavar="FORMULA", nargs="?", help="the formula; '-' reads it from standard input")
    text = "read formulas from a file, one per line; '-' is standard input, and '#' begins a comment line"
    parser.add_argument("-F", "--file", metavar="FILE", help=text)
    text = "the formula is one of ACTL, over boolean names: give its maximal model, which simulates all models that satisfy it"
    parser.add_argument("--actl", action="store_true", help=text)
    arguments.add_choices(parser, AUTOMATON.choices)
    arguments.output_options(parser)
    arguments.limit_options(parser)
    return parser


def _run(args: Namespace, ledger: Ledger) -> None:
    require_writable(args.output)
    kind = args.form or "hoa"
    if (args.formula is None) == (args.file is None):
        raise InputError("'coarsest automaton' needs FORMULA or -F FILE, and not both", hint="see 'coarsest automaton --help'")
    if args.actl or kind == "smv":
        _write_maximal_model(args, ledger)
        return
    if args.file is not None:
        _translate_list(args, kind, ledger)
        return
    from coarsest.api.automata import LinearFormula, automaton
    from coarsest.files import read_text
    from coarsest.render.data.json import SCHEMA
    from coarsest.text import Source

    source = read_text("-") if args.formula == "-" else Source("<formula>", args.formula)
    made = automaton(LinearFormula.read(source), run=run_of(args, ledger), **chosen(AUTOMATON, args))
    for text in made.warnings:
        ledger.warn(text)
    if args.json:
        text = _json({"schema": SCHEMA, **_facts(made, ledger.seconds)})
    elif kind == "hoa":
        text = made.to_hoa()
    else:
        from coarsest.api.drawings.draw import draw

        text = draw(made, to=kind)
    ledger.record(result={"text": text})


def _write_maximal_model(args: Namespace, ledger: Ledger) -> None:
    form = args.form or "smv"
    if not args.actl or form == "hoa":
        what = "a model" if form == "smv" else "an automaton"
        hint = "name an .smv file or a picture" if args.actl else "--actl makes a model of a formula of ACTL"
        raise InputError(f"'{args.output}' is for {what}, and this is {'a model' if args.actl else 'an automaton'}", hint=hint)
    for option, is_given in (("-F", args.file is not None), ("--negate", args.negated), ("--kind", args.kind != "buchi")):
        if is_given:
            raise InputError(f"{option} is for automata, not for --actl", hint=f"leave out {option}")
    from coarsest import maximal_model
    from coarsest.files import read_text
    from coarsest.render.data.json import SCHEMA

    run = run_of(args, ledger)
    made = maximal_model(read_text("-").text.strip() if args.formula == "-" else args.formula, run=run)
    if args.json:
        facts = {"schema": SCHEMA, **made.facts, "seconds": round(ledger.seconds, 6), "model": made.to_smv()}
        ledger.record(result={"text": _json(facts)})
    else:
        ledger.record(result={"text": made.to_smv() if form == "smv" else str(made.draw(to=form, run=run))})


def _translate_list(args: Namespace, kind: str, ledger: Ledger) -> None:
    """Translate the formulas of a file. All are read first, so that a mistake is reported at once."""
    if kind not in ("hoa", "json"):
        raise InputError("a picture shows one formula", hint="name an .hoa file, or give one formula instead of -F")
    from coarsest.api.automata import automaton, read_formulas

    formulas = read_formulas(args.file)
    ledger.record(planned=[{"name": "", "kind": "automaton", "formula": formula.text} for formula in formulas])
    run, warned = run_of(args, ledger), set[str]()
    for index, formula in enumerate(formulas):
        before = ledger.seconds
        made = automaton(formula, run=run, **chosen(AUTOMATON, args))
        for text in made.warnings:
            if text not in warned:
                ledger.warn(text)
        warned.update(made.warnings)
        facts = _facts(made, ledger.seconds - before)
        ledger.record(decided={"index": index, "object": facts, "text": facts["automaton"]})


def _follow(args: Namespace, ledger: Ledger) -> None:
    """Print each automaton of a list at once."""
    if not args.json and args.output is None:
        sys.stdout.write(ledger.decided[len(ledger.decided) - 1]["text"])


def _conclude(args: Namespace, ledger: Ledger, because: str | None) -> int:
    if args.file is None or (because is not None and not ledger.planned):
        return print_result(args, ledger, because)
    automata = [ledger.decided[index] for index in range(len(ledger.decided))]
    if args.json:
        from coarsest.render.data.json import SCHEMA

        facts = {"schema": SCHEMA, "automata": [one["object"] for one in automata], "seconds": round(ledger.seconds, 6)}
        emit(_json(facts), args.output)
    elif args.output is not None:
        emit("".join(one["text"] for one in automata), args.output)
    if because is None:
        return 0
    sys.stderr.write(f"undecided: {because}; {len(ledger.planned) - len(automata)} of {len(ledger.planned)} formulas are left\n")
    return 3


def _json(facts: dict[str, Any]) -> str:
    from coarsest.render.data.json import object_to_text

    return object_to_text(facts) + "\n"


def _facts(automaton: Automaton, seconds: float) -> dict[str, Any]:
    return {**to_builtins(automaton.facts), "seconds": round(seconds, 6), "automaton": automaton.to_hoa()}


command = Command(_parser, _run, _conclude, _follow, forms=("hoa", "smv", "svg", "html", "dot", "json"))
