"""`coarsest show`: a picture of a model, a graph or an automaton."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path

from coarsest.api.options import DRAW
from coarsest.cli.frame import arguments
from coarsest.cli.frame.command import Command, chosen, run_of
from coarsest.cli.frame.endings import unknown_ending
from coarsest.cli.frame.ledger import Ledger
from coarsest.cli.frame.publish import require_writable
from coarsest.errors import InputError

KINDS = ("svg", "html", "dot")

EXAMPLES = """  coarsest show traffic_light.smv -o light.svg                 the reachable states, up to 100
  coarsest show traffic_light.smv -o light.svg --mark "red"    colour the states where red holds
  coarsest show large.smv -o large.html                        classes of states, which open down to states
  coarsest show large.smv -o large.html --property safe        step through its counterexample
  coarsest show queue.ag -o queue.html                         all assertion graphs of a file on one page
  coarsest show queue.ag -o word.svg --graph first_word        one of them
  coarsest show automaton.hoa -o automaton.dot                 for Graphviz
  coarsest automaton "G (a -> F b)" | coarsest show - --format hoa -o b.svg"""


def _parser() -> arguments.CommandParser:
    summary = "Draw the states of a model, an explicit graph (.aut, .ba), assertion graphs (.ag) or an automaton (.hoa)."
    parser = arguments.CommandParser("show", "FILE -o PICTURE", summary, EXAMPLES)
    parser.add_argument("model", metavar="FILE", help="a model, graph or automaton; '-' is standard input")
    parser.add_argument("--format", metavar="NAME", help="format of FILE (default: by its suffix)")
    parser.add_argument("-o", "--output", metavar="PICTURE",
                        help="the picture to write, .svg, .html or .dot; '-' is standard output")  # fmt: skip
    parser.add_argument("--to", choices=KINDS, help="kind of the picture (default: by its suffix)")
    arguments.add_choices(parser, DRAW.choices)
    arguments.talk_options(parser, "no warnings")
    arguments.limit_options(parser)
    return parser


def _run(args: Namespace, ledger: Ledger) -> None:
    if args.output is None:
        name = Path(args.model).stem.strip("-") or "picture"
        raise InputError("'coarsest show' needs -o PICTURE", hint=f"for example: -o {name}.svg")
    require_writable(args.output)
    kind = args.to or kind_of(args.output)
    ending = Path(args.output).suffix.lower().removeprefix(".")
    if ending in KINDS and ending != kind:
        raise InputError(f"--to {kind} does not write '{args.output}'", hint=f"name a .{kind} file, or leave out --to")
    from coarsest.api.drawings.draw import draw

    picture = draw(
        args.model, to=kind, format=args.format, run=run_of(args, ledger), on_warning=ledger.warn_of, **chosen(DRAW, args)
    )
    ledger.record(result={"text": picture})


def kind_of(output: str) -> str:
    """The kind of picture that the name of a file asks for."""
    kind = Path(output).suffix.lower().removeprefix(".")
    if kind in KINDS:
        return kind
    if output == "-":
        raise InputError("the kind of picture for standard output is not known", hint=f"--to {'|'.join(KINDS)}")
    raise unknown_ending(output, KINDS)


command = Command(_parser, _run)
