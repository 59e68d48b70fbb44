"""The work of `Model.check` and `Model.gste`: from the properties of a model to answers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from os import PathLike
from typing import TYPE_CHECKING, TypeAlias, TypeVar, cast

from msgspec.structs import replace

from coarsest.api.options import CHECK
from coarsest.api.results import Report
from coarsest.errors import InputError, NameProblem, require_type
from coarsest.evidence.verdict import Answer
from coarsest.files import read_contents
from coarsest.model.machine import Machine, Property
from coarsest.options.methods import BuildOptions, GsteOptions, check_options
from coarsest.options.option import require_effect
from coarsest.run import Limits, Run
from coarsest.text import Source

if TYPE_CHECKING:
    from coarsest.api import keywords
    from coarsest.check.answers import Checker
    from coarsest.evidence.assertion_graph_answer import AssertionGraphAnswer
    from coarsest.logic.expr import Expr
    from coarsest.model import assertion_graph

A = TypeVar("A", bound=Answer)


def parsed_formula(text: str, machine: Machine) -> Property:
    """Read a formula over the variables of a machine; errors mention properties and files of this name."""
    from coarsest.formats import or_no_file
    from coarsest.model.query.formula import parse_formula

    require_type("a formula", text, str, 'a text such as "AG p"')
    try:
        return parse_formula(text, machine)
    except InputError as problem:
        if text in (claim.name for claim in machine.properties):
            hint = f"it is the name of a property: --property {text}; in Python, check(model.property_named('{text}'))"
            raise NameProblem(problem.diagnostic.message, problem.diagnostic.span, hint=hint) from None
        raise or_no_file(text, problem) from None


def require_formulas(formulas: Sequence[object]) -> None:
    """Raise InputError unless these are formulas."""
    for formula in formulas:
        hint = "formulas are given one by one: check(a, b), or check(*formulas)" if isinstance(formula, list | tuple) else ""
        require_type("a formula", formula, str | Property, 'a text such as "AG p", or a Property', hint=hint)


Paths: TypeAlias = "Sequence[str | PathLike[str]] | str | PathLike[str]"


def machine_with_files(machine: Machine, properties: Paths, fairness: Paths, hints: Paths) -> Machine:
    """The machine with the properties, fairness constraints and hints of files; the path of a single file may stand alone."""
    from coarsest.formats.vis.properties import read_conditions, read_properties

    files = [(paths,) if isinstance(paths, str | PathLike) else paths for paths in (properties, fairness, hints)]
    claims = [claim for path in files[0] for claim in read_properties(read_contents(path).text(), machine)]
    justice, guides = (
        [condition for path in paths for condition in read_conditions(read_contents(path).text(), machine)] for paths in files[1:]
    )
    return replace(
        machine, properties=(*machine.properties, *claims), justice=(*machine.justice, *justice), hints=(*machine.hints, *guides)
    )


def save_order(build: BuildOptions, order: Callable[[], Sequence[str]]) -> None:
    """Write the variable order to a file, if the options ask for it."""
    if build.save_order is not None:
        from coarsest.bdd.order.order_file import write_order

        write_order(build.save_order, order())


def told(
    answers: Iterator[A],
    warnings: Callable[[], Sequence[str]],
    on_answer: Callable[[A], None] | None,
    on_warning: Callable[[str], None] | None,
) -> tuple[A, ...]:
    """All answers; each is reported as soon as it is known, after new warnings."""
    collected: list[A] = []
    heard: set[str] = set()
    for answer in answers:
        for text in warnings():
            if on_warning is not None and text not in heard:
                on_warning(text)
            heard.add(text)
        collected.append(answer)
        if on_answer is not None:
            on_answer(answer)
    return tuple(collected)


def run_within(timeout: float | None, run: Run | None) -> Run:
    """The given run, or one with a time limit."""
    if timeout is not None and run is not None:
        raise InputError("a run has its own time limit", hint="leave out `timeout`, or give Limits(seconds=…)")
    require_type("timeout", timeout, int | float | None, "a number of seconds")
    if timeout is not None and not timeout > 0:
        raise InputError(f"timeout is a number of seconds above 0, found {timeout}", hint="leave it out for no limit")
    return Run.given(run, Limits(seconds=timeout))


def checker_of(machine: Machine, run: Run | None, options: keywords.CheckWords) -> Checker:
    """A checker with these options."""
    from coarsest.check.answers import Checker

    if "property" in options:
        raise TypeError("there is no option 'property': formulas come first, or check(model.property_named(…))")
    build = CHECK.read(BuildOptions, options)
    how = check_options(**{name: value for name, value in options.items() if name not in BuildOptions.__struct_fields__})
    if how.show:
        how = replace(how, cone=False)  # so that shown expressions have values in every trace
    return Checker(machine, build, how, Run.given(run))


def answers_of(checker: Checker, claims: list[Property]) -> Iterator[Answer]:
    """The answers as soon as they are known, with explanations."""
    from coarsest.check.decide.classify import asked, stated_plainly
    from coarsest.check.more_counterexamples import further_counterexamples
    from coarsest.check.option_use import require_options_used, require_sets_used
    from coarsest.explain.annotate import annotated
    from coarsest.model.kinds import function

    session = checker.session
    originals, claims = claims, [stated_plainly(asked(claim), session.machine) for claim in claims]
    carrier = session.spaces.carrier
    require_options_used(session.options, session.build, session.machine, claims, carrier=carrier)
    if carrier == "explicit":
        require_sets_used(session.build, carrier, session.run)
    show = _shown(session.options.show, session.machine)
    for answer, claim, original in zip(checker.answers(claims), claims, originals):
        more = further_counterexamples(checker, claim, answer, session.options.traces - 1, list(show.values()))
        told_so = tuple(annotated(one, claim, session.machine, show) for one in more)
        answer = replace(annotated(answer, claim, session.machine, show), more=told_so)
        yield function(original.kind.answered)(answer, original) if original.kind.answered else answer
    save_order(session.build, session.order)


def _shown(texts: Sequence[str], machine: Machine) -> dict[str, Expr]:
    """The expressions that are shown along traces, by their texts."""
    if not texts:
        return {}
    from coarsest.model.query.formula import parse_value

    return {text: parse_value(text, machine) for text in texts}


def check_along(
    machine: Machine,
    graphs: Sequence[assertion_graph.AssertionGraph | str],
    build: BuildOptions,
    how: GsteOptions,
    *,
    run: Run,
    on_answer: Callable[[AssertionGraphAnswer], None] | None,
    on_warning: Callable[[str], None] | None,
) -> Report:
    """The answers to assertion graphs, or the text of some."""
    from coarsest.check.answers import Checker
    from coarsest.check.decide.along import claims_of
    from coarsest.check.option_use import require_sets_used
    from coarsest.formats.assertion_graph.read import read
    from coarsest.model.assertion_graph import AssertionGraph

    read_graphs: list[assertion_graph.AssertionGraph] = []
    for graph in graphs:
        hint = "model.graphs(path) reads them"
        require_type("what is checked", graph, str | AssertionGraph, "an assertion graph or its text", hint=hint)
        read_graphs += read(Source("<graph>", graph), machine) if isinstance(graph, str) else (graph,)
    claims = claims_of(read_graphs, how)
    checker = Checker(machine, build, how.for_check, run, how)
    session = checker.session
    carrier = session.spaces.carrier if how.abstraction == "none" else "bdd"
    semantics = "fair" if "fair" in {str(claim.semantics) for claim in claims} else "finite"
    require_effect((how, build), {"carrier": carrier, "semantics": semantics})
    require_sets_used(build, carrier, run)
    graph_answers = cast("Iterator[AssertionGraphAnswer]", checker.answers(claims))
    answers = told(graph_answers, lambda: session.warnings, on_answer, on_warning)
    save_order(build, session.order)
    return Report(answers, session.warnings, session.statistics(), machine.name)
