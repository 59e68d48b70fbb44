"""`coarsest simulate`: a walk through a model, at random or by hand."""

from __future__ import annotations

from argparse import Namespace
from copy import copy
from typing import TYPE_CHECKING, Final

from coarsest.api.options import SIMULATE
from coarsest.cli.frame import arguments
from coarsest.cli.frame.arguments import DOCUMENT_STYLES
from coarsest.cli.frame.command import Command, loaded, run_of
from coarsest.cli.frame.endings import RESULTS, settle_form
from coarsest.cli.frame.kinds import CommandSubject, is_graph, require_own
from coarsest.cli.frame.ledger import Ledger
from coarsest.cli.frame.overwriting import require_other_files
from coarsest.cli.frame.publish import emit, in_form, require_writable
from coarsest.errors import InputError

if TYPE_CHECKING:
    from coarsest import Trace
    from coarsest.api.graph import Graph
    from coarsest.api.model import Model

EXAMPLES = """  coarsest simulate mutex.smv                          ten random steps
  coarsest simulate mutex.smv --steps 100 --seed 7     the same hundred steps every time
  coarsest simulate mutex.smv --trace vcd -o walk.vcd  for a wave viewer
  coarsest simulate mutex.smv --interactive            choose every step
  coarsest simulate mutex.smv --constraint "!lock"     only through states where the lock is free
  coarsest simulate lift.aut                           along the transitions of an explicit graph"""


MODELS, GRAPHS = CommandSubject("models", SIMULATE), CommandSubject("explicit graphs", more=("steps", "seed"))
BY_HAND, AT_RANDOM = CommandSubject("a walk by hand"), CommandSubject("random walks", more=("timeout", "memory"))
MOST_STEPS: Final = 1_000_000


def _parser() -> arguments.CommandParser:
    parser = arguments.CommandParser("simulate", "MODEL", "Walk through a model or a graph, at random or by hand.", EXAMPLES)
    arguments.model_argument(parser)
    parser.add_argument("-i", "--interactive", action="store_true", help="choose every step yourself")
    arguments.add_choices(parser, SIMULATE.choices)
    arguments.output_options(parser, traces=True)
    arguments.limit_options(parser)
    return parser


def _run(args: Namespace, ledger: Ledger) -> None:
    require_writable(args.output)
    if args.steps > MOST_STEPS:
        raise InputError(f"a walk of {args.steps} steps is too long to keep and show", hint=f"take at most {MOST_STEPS:,}")
    if args.interactive and args.model == "-":
        raise InputError("standard input cannot be both the model and the answers", hint="name a model file")
    if args.interactive:
        _require_a_walk(args)
    from coarsest.api.model import Model

    run = run_of(args, ledger)
    system: Model | Graph
    if is_graph(args):
        require_own(args, _parser(), GRAPHS, (MODELS, GRAPHS))
        from coarsest.api.graph import read_graph

        system = read_graph(args.model, format=args.format, run=run)
    else:
        system = loaded(args, ledger)
    if args.interactive:
        from coarsest.cli.frame.walk_by_hand import walk_by_hand

        def shown(trace: Trace, path: str) -> str:
            return _shown(trace, _with_output(path, args), system)

        trace = walk_by_hand(system.walk(seed=args.seed), width=args.screen.width, shown=shown, within=args.constraint)
        if args.output is not None and trace is not None:
            emit(_shown(trace, args, system), args.output)
        return
    walked = system.constrained(args.constraint) if args.constraint and isinstance(system, Model) else system
    trace = walked.simulate(steps=args.steps, seed=args.seed, run=run)
    if len(trace) <= args.steps and not args.quiet:
        among = " among those allowed" if args.constraint else ""
        why = f"state {len(trace) - 1} has no successor{among or ' (a deadlock)'}" if len(trace) else "there is no initial state"
        ledger.record(complaint=f"note: {why}\n")
    ledger.record(result={"text": _shown(trace, args, system)})


def _with_output(path: str, args: Namespace) -> Namespace:
    """The same arguments with another output file."""
    own = copy(args)
    own.output, own.trace, own.json = path, "changes", False
    require_other_files("simulate", own)
    own.form = settle_form(command.forms, own)
    return own


def _require_a_walk(args: Namespace) -> None:
    """Raise InputError for options that a walk by hand does not take: limits, and JSON without a file."""
    require_own(args, _parser(), BY_HAND, (BY_HAND, AT_RANDOM))
    if args.json and args.output is None:
        raise InputError("--json with --interactive needs a file", hint="name one: -o walk.json")


def _shown(trace: Trace, args: Namespace, system: Model | Graph) -> str:
    from coarsest.api.model import Model
    from coarsest.api.walks import as_shown, trace_to_text

    style = "json" if args.json and args.trace not in DOCUMENT_STYLES else args.trace
    machine = system.machine if isinstance(system, Model) else None
    in_own_words = machine is not None and (machine.synchronous or machine.rounds)
    if isinstance(system, Model) and len(trace) and (args.show or in_own_words or style in ("vcd", "itf")):
        trace = as_shown(trace, system.machine, args.show) if args.show or style != "json" else trace
    if trace.unit != "state" and style == "changes":
        style = "table"
    if args.form == "html":
        from coarsest.render.page.report_page import trace_page

        return trace_page(args.model, trace)
    name = args.model if style == "json" else f"{args.model}, seed {args.seed}"
    text = trace_to_text(trace, style=style, width=args.screen.width, name=name)
    return in_form(args, text) if args.form == "markdown" else text


command = Command(_parser, _run, talks=lambda args: args.interactive, forms=(*RESULTS, "vcd", "itf"))
