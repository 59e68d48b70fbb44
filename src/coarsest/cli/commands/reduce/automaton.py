"""`coarsest reduce` for automata on infinite words, which keeps acceptance and words."""

from __future__ import annotations

from argparse import Namespace
from typing import TYPE_CHECKING

from coarsest.api.options import REDUCE_AUTOMATON, WORDS
from coarsest.cli.frame.arguments import CommandParser, add_choices
from coarsest.cli.frame.command import chosen, run_of
from coarsest.cli.frame.endings import picture_kind
from coarsest.cli.frame.kinds import CommandSubject, is_automaton, is_graph
from coarsest.cli.frame.ledger import Ledger
from coarsest.cli.frame.publish import require_writable
from coarsest.errors import Unsupported
from coarsest.files import STANDARD_INPUT

if TYPE_CHECKING:
    from coarsest.api.results import ReductionFacts


SUBJECT = CommandSubject("automata on infinite words", REDUCE_AUTOMATON)


def add_options(parser: CommandParser) -> None:
    """The option that only automata have."""
    group = parser.add_argument_group("automata", "MODEL is an .hoa or .ba file, reduced by direct, delay or words")
    add_choices(group, REDUCE_AUTOMATON.choices, "lookahead")


def is_meant(args: Namespace) -> bool:
    """Is the input an automaton, and the relation one of automata?"""
    return is_graph(args) and (args.by == "words" or (args.by in WORDS and is_automaton(args)))


def run(args: Namespace, ledger: Ledger) -> tuple[ReductionFacts, str | None]:
    """Reduce and write an automaton; returns the facts and the text for standard output."""
    if not is_automaton(args):
        message = f"only Büchi automata (.hoa, .ba) are reduced by {args.by}: other graphs have no acceptance"
        raise Unsupported(message, hint="reduce by bisimulation or simulation")
    require_writable(args.output)
    from coarsest.api.automata import read_automaton
    from coarsest.formats import require_automaton_format

    kind = picture_kind(args.output)
    if args.output is not None and kind is None:
        require_automaton_format(args.output)
    run = run_of(args, ledger)
    automaton = read_automaton(args.model, format=args.format)
    ledger.record(model=args.model)
    small = automaton.reduce(by=args.by, run=run, **chosen(REDUCE_AUTOMATON, args))
    if kind is not None:
        from coarsest.api.drawings.draw import draw

        return small.facts, draw(small.automaton, to=kind, title=f"{args.model} by {args.by}", run=run)
    if args.output == STANDARD_INPUT:
        return small.facts, small.automaton.to_hoa()
    if args.output is not None:
        small.automaton.write(args.output)
    return small.facts, None
