"""`coarsest reduce`: a smaller system with the same behaviour."""

from __future__ import annotations

from argparse import BooleanOptionalAction, Namespace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from msgspec import to_builtins

from coarsest.api.options import REDUCE, WORDS, DrawOptions, graphs_reduced_by
from coarsest.cli.commands.reduce import automaton, code, graph, tables
from coarsest.cli.frame import arguments
from coarsest.cli.frame.command import Command, chosen, loaded, run_of
from coarsest.cli.frame.endings import picture_kind, with_place
from coarsest.cli.frame.kinds import CommandSubject, foreign, is_graph, is_table, require_own
from coarsest.cli.frame.ledger import Ledger
from coarsest.cli.frame.publish import emit, in_form, make_folder, require_writable, result_to_json, show_statistics
from coarsest.errors import FileProblem
from coarsest.options.methods import BuildOptions
from coarsest.options.option import Option, Options, choices
from coarsest.options.relations import MODELS_REDUCED_BY

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from coarsest.api.reductions import Reduced
    from coarsest.api.results import ReductionFacts
    from coarsest.run import Run


EXAMPLES = """  coarsest reduce controller.smv --observe output -o small.svg
  coarsest reduce mutex.smv                           observe what the properties mention
  coarsest reduce mutex.smv --observe "G (r -> F g)"  observe what this formula mentions
  coarsest reduce mutex.smv -o small.smv              write the quotient as a model, which can be checked
  coarsest reduce mutex.smv --by simulation           smaller; preserves LTL and ACTL*
  coarsest reduce mutex.smv --by simulation --quotient all -o classes.svg
  coarsest reduce mutex.smv --by delay -o small.smv   preserves ACTL* and LTL on fair paths, and keeps JUSTICE
  coarsest reduce mutex.smv --by symmetry             one state for each orbit of the symmetries
  coarsest reduce mealy.smv --observe out --actions in -o small.aut
  coarsest reduce circuit.blif --observe q0 --algorithm improved --every-state
  coarsest reduce controller.lus -o controller.c      the control automaton as code; or -o controller.py
  coarsest reduce controller.lus -o controller.svg    the same as a picture, a graph (.aut) or a model (.smv)
  coarsest reduce protocol.aut -o small.aut           an explicit graph
  coarsest reduce never.hoa --by delay -o small.hoa   a Büchi automaton with the same words (.hoa, .ba)
  coarsest reduce never.ba --by words --lookahead 12  smaller, by simulations that look ahead
  coarsest reduce edges.parquet -o small.parquet      a graph in a table, however large
  coarsest reduce mutex.smv --json"""


MODELS = CommandSubject("models", REDUCE, ("reactions", "trace_partitions", "nodes", "seed"))
SUBJECTS = (MODELS, graph.SUBJECT, automaton.SUBJECT, tables.SUBJECT, code.SUBJECT)


def _relations() -> Mapping[str, str]:
    """The relations by which graphs, automata and models are reduced."""
    return {**MODELS_REDUCED_BY, **WORDS, **graphs_reduced_by()}


class _RelationOptions(Options, frozen=True, kw_only=True):
    """The relation of the command `reduce`, for all kinds of input."""

    by: Annotated[
        str,
        Option(
            help="the relation between states that are merged. Models: bisimulation, simulation, direct, delay or "
            "symmetry. Automata: direct, delay or words. Graphs: all of these but symmetry and words: {words}",
            words=_relations, metavar="RELATION",
        ),
    ] = "bisimulation"  # fmt: skip


def _parser() -> arguments.CommandParser:
    summary = "Find the smallest system with the same observable behaviour."
    parser = arguments.CommandParser("reduce", "MODEL", summary, EXAMPLES)
    arguments.model_argument(parser)
    group = parser.add_argument_group("what is preserved")
    arguments.add_choices(group, choices(_RelationOptions))
    arguments.add_choices(group, REDUCE.choices, "observe", "actions", "quotient", "every_state", "count")
    text = "reduce to the control automaton, as for code: the same outputs for the same inputs (default: for Lustre with -o)"
    group.add_argument("--reactions", action=BooleanOptionalAction, default=None, help=text)
    group.add_argument("--trace-partitions", metavar="DIR",
                       help="write a picture of each partition during the reduction: step-000.svg, step-001.svg, …")  # fmt: skip
    automaton.add_options(parser)
    graph.add_options(parser)
    tables.add_options(parser)
    arguments.output_options(parser)
    arguments.limit_options(parser, nodes=True)
    group = arguments.method_group(parser)
    arguments.add_choices(group, choices(BuildOptions))
    arguments.seed_option(group)
    arguments.add_choices(group, REDUCE.choices, "algorithm", "parts", "generators", "cone")
    parser.set_defaults(report=None)
    return parser


def _settle_report(args: Namespace) -> None:
    """Let a report file replace standard output; no quotient is written then."""
    if args.form is not None and args.output is not None:
        args.report, args.output = args.output, None


def _run(args: Namespace, ledger: Ledger) -> None:
    try:
        _reduce(args, ledger)
    except FileProblem as problem:
        raise with_place(problem, args.output) from None


def _reduce(args: Namespace, ledger: Ledger) -> None:
    _settle_report(args)
    require_writable(args.report)
    kinds = ((is_table, tables), (automaton.is_meant, automaton), (is_graph, graph), (_is_code, code))
    for is_meant, kind in kinds:
        if is_meant(args):
            require_own(args, _parser(), kind.SUBJECT, SUBJECTS)
            facts, document = kind.run(args, ledger)
            _record(args, ledger, facts, document)
            return
    graph.require_model_relation(args)
    require_own(args, _parser(), MODELS, SUBJECTS)
    require_writable(args.output)
    require_writable(args.save_order)
    options = chosen(REDUCE, args)
    from coarsest.render.picture.partition_steps import PartitionSteps
    from coarsest.render.picture.quotient_text import quotient_to_text, require_quotient_format

    if args.output is not None:
        require_quotient_format(args.output)
    pictures = None
    if args.trace_partitions is not None:
        pictures = PartitionSteps[Any]()
        make_folder(args.trace_partitions, "step-000.svg")
    model = loaded(args, ledger)
    code.warn_of_large_outputs(model, args, ledger)
    run = run_of(args, ledger)
    reduced = model.reduce(run=run, watch=pictures, **options)
    document = None
    if args.output is not None:
        document = _page(args, reduced, run) or quotient_to_text(reduced.reduction, args.output)
    if pictures is not None and not pictures.complete:
        ledger.warn(f"only the first {len(pictures.pictures)} partitions are drawn")
    _record(args, ledger, reduced.facts, document, pictures=[] if pictures is None else pictures.pictures)


def _is_code(args: Namespace) -> bool:
    """Is the result a control automaton? It is by default for Lustre, unless an option is for quotients only."""
    return code.is_named(args) or (code.is_usual(args) and not any(foreign(args, _parser(), code.SUBJECT, SUBJECTS)))


def _page(args: Namespace, reduced: Reduced, run: Run) -> str | None:
    """A page on which classes open, if the output is a page and this is possible."""
    if picture_kind(args.output) != "html":
        return None
    from coarsest.api.drawings.pictures import page_of_classes

    return page_of_classes(reduced.reduction, f"{args.model} by {args.by}", DrawOptions().most, run)


def _record(args: Namespace, ledger: Ledger, facts: ReductionFacts, document: str | None, pictures: Sequence[str] = ()) -> None:
    from coarsest.render.text.result_text import reduction_to_text

    text = reduction_to_text(facts, args.output)
    ledger.record(result={"facts": to_builtins(facts), "text": text, "document": document, "pictures": list(pictures)})


def _conclude(args: Namespace, ledger: Ledger, because: str | None) -> int:
    _settle_report(args)
    if ledger.result is None:
        from coarsest.api.results import ReductionFacts, Sizes

        unknown = ReductionFacts(
            states=Sizes(), transitions=Sizes(), relation=args.by, algorithm=args.algorithm, reason=because or "",
            statistics=ledger.so_far(),
        )  # fmt: skip
        _record(args, ledger, unknown, None)
    result: dict[str, Any] = ledger.result or {}
    facts = result["facts"]
    if result["document"] is not None:
        emit(result["document"], args.output)
    for number, picture in enumerate(result["pictures"]):
        emit(picture, str(Path(args.trace_partitions) / f"step-{number:03}.svg"))
    if args.json:
        emit(result_to_json(ledger, {"model": ledger.model or args.model, **facts}), args.report)
    elif args.output != "-":
        emit(in_form(args, result["text"]), args.report)
        if "reason" in facts or args.verbose:
            show_statistics(args, ledger, facts["statistics"])
    return 3 if "reason" in facts else 0


command = Command(_parser, _run, _conclude, forms=("text", "json", "markdown"), other_forms=True)
