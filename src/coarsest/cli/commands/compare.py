"""`coarsest compare`: are two systems related, and if not, how do they differ?"""

from __future__ import annotations

from argparse import Namespace
from typing import TYPE_CHECKING, Any

from coarsest.api.options import COMPARE, SPECTRUM
from coarsest.cli.frame import arguments
from coarsest.cli.frame.command import Command, chosen, run_of
from coarsest.cli.frame.endings import RESULTS, known_endings
from coarsest.cli.frame.kinds import CommandSubject, require_own
from coarsest.cli.frame.ledger import Ledger
from coarsest.cli.frame.publish import emit, in_form, require_writable, result_to_json, show_statistics
from coarsest.errors import InputError, Unsupported
from coarsest.options.option import Confirm

if TYPE_CHECKING:
    from coarsest.api.comparing.compare import System
    from coarsest.api.model import Model
    from coarsest.automata.automaton import Automaton
    from coarsest.lts.labelled import Graph
    from coarsest.run import Run

PICTURES = ("svg", "dot")
INPUTS = ("vcd", "stimulus")
"""The formats of input sequences that distinguish circuits."""

EXAMPLES = """  coarsest compare specification.aut implementation.aut                        strong bisimulation
  coarsest compare specification.aut implementation.aut --json                 print JSON
  coarsest compare specification.aut implementation.aut --spectrum             every notion between traces and bisimulation
  coarsest compare specification.aut implementation.aut --spectrum -o s.svg    the same as a picture
  coarsest compare protocol.smv service.smv --observe sent received            models, by what can be observed of both
  coarsest compare circuit.smv small.aut --observe out --actions in            a model and what 'reduce' made of it
  coarsest compare adder.blif adder.aig                                        circuits, by their inputs and outputs
  coarsest compare adder.blif adder.aig -o different.vcd                       the inputs that distinguish them; or .stim
  coarsest compare slow.ba fast.ba --by delay --preorder                       fair simulations of Büchi automata
  coarsest compare "G F a" "F G a" --by words                                  infinite words, of automata or formulas
  coarsest compare slow.ba fast.ba --by direct --lookahead 3 --preorder         between simulation and language
  coarsest compare large.smv larger.smv --by delay --algorithm pairs           the same for models, without their quotients
  coarsest compare slow.ba fast.ba --by game --play spoiler                    try to distinguish them yourself
  coarsest compare small.aut large.aut --certificate proof.json && coarsest confirm small.aut large.aut proof.json"""


LIMITED = ("timeout", "memory", "output")
RELATION = CommandSubject("one relation", COMPARE, ("certificate", *LIMITED))
ONE_RELATION = {"certificate": "ask for one relation: --by RELATION"}
SPECTRUM_OF = CommandSubject("all relations", SPECTRUM, ("spectrum", *LIMITED), ONE_RELATION)
GAME = CommandSubject("a game with you", COMPARE, ("play",))
SUBJECTS = (RELATION, SPECTRUM_OF, GAME)


def _parser() -> arguments.CommandParser:
    summary = "Say whether two graphs or models are related; if not, show a formula that is true of one and false of the other."
    parser = arguments.CommandParser("compare", "A B", summary, EXAMPLES)
    parser.add_argument("first", metavar="A", help="a graph (.aut, .ba or .hoa), a model or a formula; '-' is standard input")
    parser.add_argument("second", metavar="B", help="another graph, model or formula")
    parser.add_argument("--format", metavar="NAME",
                        help="format of both, or of standard input if it is one of them (default: by suffix)")  # fmt: skip
    arguments.add_choices(parser, COMPARE.choices, "by", "preorder", "lookahead")
    parser.add_argument("--spectrum", action="store_true",
                        help="compare by every notion between traces and bisimulation; with -o x.svg as a picture")  # fmt: skip
    parser.add_argument("--play", metavar="ROLE", choices=("spoiler", "duplicator"),
                        help="play the game of a simulation yourself, as the spoiler in A or as the duplicator in B")  # fmt: skip
    group = parser.add_argument_group("models", "each is reduced by bisimulation first, except with --algorithm pairs")
    arguments.add_choices(group, COMPARE.choices, "observe", "actions", "algorithm")
    arguments.output_options(parser)
    parser.add_argument("--certificate", metavar="FILE", help="if they are related, write the evidence to a file, as JSON")
    arguments.add_choices(parser, COMPARE.choices, "confirm")
    arguments.limit_options(parser)
    return parser


def _run(args: Namespace, ledger: Ledger) -> None:
    require_writable(args.output)
    require_writable(args.certificate)
    if args.first == args.second == "-":
        raise InputError("A and B cannot both be standard input", hint="name a file for one of them")
    if args.play is not None:
        _play(args, ledger)
        return
    require_own(args, _parser(), SPECTRUM_OF if args.spectrum else RELATION, SUBJECTS)
    from coarsest.api.comparing.compare import require_comparable

    require_comparable(args.by, preorder=args.preorder)
    if args.certificate is not None and args.lookahead > 1:
        raise Unsupported("there are no certificates with --lookahead", hint="leave out --certificate")
    if not args.spectrum and args.form in PICTURES:
        hint = f"--spectrum draws a picture of all relations; known endings are {known_endings(RESULTS)}"
        raise InputError(f"'{args.output}' cannot be written for one relation", hint=hint)
    run = run_of(args, ledger)
    first, second = (_read(path, args, ledger, run) for path in (args.first, args.second))
    ledger.record(model=args.first)
    decide = _spectrum if args.spectrum else _circuits if _are_circuits(args) else _comparison
    if decide is not _circuits and args.form in INPUTS:
        raise InputError(f"'{args.output}' is for inputs that distinguish circuits", hint="name a .txt or a .json file")
    decide(args, ledger, first, second, run)


def _are_circuits(args: Namespace) -> bool:
    """Are the systems two circuits, without options about states?"""
    from coarsest.api.comparing.circuits import are_circuits

    plain = args.by == "bisimulation" and not (args.preorder or args.observe or args.actions)
    return plain and are_circuits(args.first, args.second, format=args.format)


def _circuits(args: Namespace, ledger: Ledger, first: System, second: System, run: Run) -> None:
    from coarsest.api.comparing.circuits import compare_circuits
    from coarsest.api.model import Model
    from coarsest.render.text.circuit_text import circuits_to_object, circuits_to_text, inputs_to_text

    assert isinstance(first, Model) and isinstance(second, Model), "files of circuits are models"
    comparison = compare_circuits(first, second, confirm=args.confirm, run=run)
    text = circuits_to_text(comparison, [args.first, args.second], quiet=args.quiet)
    picture = inputs_to_text(comparison, args.form) if args.form in INPUTS and comparison.moments else None
    facts = circuits_to_object(comparison)
    ledger.record(result={"facts": facts, "text": text, "document": None, "picture": picture})


def _comparison(args: Namespace, ledger: Ledger, first: System, second: System, run: Run) -> None:
    from coarsest.api.comparing.compare import compare
    from coarsest.api.graph import certificate_to_text
    from coarsest.render.data.json import comparison_to_object
    from coarsest.render.text.result_text import comparison_to_text

    comparison = compare(first, second, run=run, **chosen(COMPARE, args))
    document = None
    if args.certificate is not None and comparison.evidence is not None:
        document = certificate_to_text(comparison.evidence)
    confirm = Confirm(args.confirm)
    text = comparison_to_text(comparison, [args.first, args.second], confirm=confirm, quiet=args.quiet)
    ledger.record(result={"facts": comparison_to_object(comparison), "text": text, "document": document})


def _spectrum(args: Namespace, ledger: Ledger, first: System, second: System, run: Run) -> None:
    from coarsest.api.comparing.compare import spectrum
    from coarsest.render.data.json import spectrum_to_object
    from coarsest.render.picture.pictures_of_spectra import spectrum_to_picture
    from coarsest.render.text.spectrum_text import spectrum_to_text

    notions = spectrum(first, second, run=run, **chosen(SPECTRUM, args))
    names, kind = [args.first, args.second], args.form if args.form in PICTURES else None
    text = spectrum_to_text(notions, names, confirm=Confirm(args.confirm), quiet=args.quiet)
    picture = None if kind is None else spectrum_to_picture(notions, names, kind)
    ledger.record(result={"facts": spectrum_to_object(notions), "text": text, "document": None, "picture": picture})


def _play(args: Namespace, ledger: Ledger) -> None:
    """Play a game with the user; without limits, and in text only."""
    from coarsest.api.comparing.plays import play, require_playable
    from coarsest.cli.frame.walk_by_hand import play_by_hand

    require_playable(args.by)
    require_own(args, _parser(), GAME, SUBJECTS)
    if args.json or "-" in (args.first, args.second):
        raise InputError("--play is interactive: it takes no --json, and no system from standard input", hint="name two files")
    run = run_of(args, ledger)
    first, second = (_read(path, args, ledger, run) for path in (args.first, args.second))
    play_by_hand(play(first, second, role=args.play, run=run, **chosen(COMPARE, args)))


def _read(path: str, args: Namespace, ledger: Ledger, run: Run) -> Graph | Model | Automaton:
    """A system in the format of its suffix or of --format, which is for standard input if that is one of the two."""
    from coarsest.api.comparing.compare import read_system
    from coarsest.api.model import Model

    name = None if "-" in (args.first, args.second) and path != "-" else args.format
    system = read_system(path, format=name, by=args.by, run=run)
    if not isinstance(system, Model):
        return system
    if args.certificate is not None:
        hint = f"reduce both to graphs first: coarsest reduce {path} -o GRAPH.aut"
        raise Unsupported("--certificate is for graphs: the states of a model have no numbers", hint=hint)
    for warning in system.warnings:
        ledger.warn_of(warning)
    return system


def _conclude(args: Namespace, ledger: Ledger, because: str | None) -> int:
    unknown: dict[str, Any] = {"related": None, "formula": None, "reason": because, "statistics": ledger.so_far()}
    about: dict[str, Any] = {"spectrum": True} if args.spectrum else {"relation": args.by, "preorder": args.preorder}
    result = ledger.result or {"facts": unknown, "text": f"unknown: {because}\n", "document": None}
    facts = result["facts"]
    if result["document"] is not None:
        emit(result["document"], args.certificate)
    if args.json:
        whole = {"models": [args.first, args.second], **about, **facts}
        emit(result_to_json(ledger, whole), args.output)
    else:
        if result.get("picture") is not None:
            emit(result["picture"], args.output)
            result["text"] += f"written {args.output}\n"
        beside = args.form in (*PICTURES, *INPUTS)
        emit(in_form(args, result["text"]), None if beside else args.output)
        if args.verbose:
            show_statistics(args, ledger, facts["statistics"])
    return 3 if facts["related"] is None else 0 if facts["related"] else 1


command = Command(
    _parser, _run, _conclude, talks=lambda args: args.play is not None, forms=(*RESULTS, "svg", "dot", "vcd", "stimulus")
)
