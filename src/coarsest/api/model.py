"""load · check · reach: the Python interface, and the only place with opinions and defaults.

>>> import coarsest
>>> model = coarsest.loads('''
... MODULE main
... VAR n : 0..3;
... ASSIGN init(n) := 0; next(n) := (n + 1) mod 4;
... INVARSPEC n < 3
... ''')
>>> report = model.check()
>>> report.answers[0].verdict.word
'fails'
>>> len(report.answers[0].verdict.trace)
4
>>> model.check("AG n <= 3").holds
True
>>> model.reach().states
4
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from msgspec import Struct, field

from coarsest.api.results import Controller, Reach, Report
from coarsest.errors import InputError
from coarsest.evidence.verdict import Answer
from coarsest.files import Contents, read_contents
from coarsest.logic.expr import Expr, Name
from coarsest.model.machine import Machine, Property
from coarsest.model.trace import Trace
from coarsest.run import Run, Statistic
from coarsest.text import Diagnostic, Source

if TYPE_CHECKING:
    from coarsest.automata.automaton import Automaton
    from coarsest.automata.automaton_claim import AutomatonClaim
    from coarsest.check.properties import PropertyChecker
    from coarsest.evidence.replay.graph_path import GraphAnswer
    from coarsest.lts.labelled import Graph
    from coarsest.model.assertion_graph import AssertionGraph
    from coarsest.reduce.partition.observed import Watcher
    from coarsest.reduce.reduction import Reduction
    from coarsest.registry import Algorithm
    from coarsest.space.bdd.build import BuildOptions


A = TypeVar("A", bound=Answer)


def load(path: str | os.PathLike[str], *, format: str | None = None) -> Model:
    """Read a model from a file; `-` is standard input. The format is known by the suffix."""
    from coarsest.formats import machine_format, read_machine

    contents = read_contents(path)
    return Model(read_machine(contents, format or machine_format(os.fspath(path))))


def loads(text: str | bytes, *, format: str = "smv", name: str = "<text>") -> Model:
    """Read a model from a string, or from the bytes of a file."""
    from coarsest.formats import read_machine

    data = text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text
    return Model(read_machine(Contents(name, data), format))


def _way_to_confirm(confirm: object) -> str:
    """`True` and `False` are short for `auto` and `never`."""
    return ("auto" if confirm else "never") if isinstance(confirm, bool) else str(confirm)


def _insist_order(save_order: str | None, *, known: bool) -> None:
    if save_order is not None and not known:
        raise InputError("there is no order of variables to save: no BDD is made of the model", hint="leave '--save-order' out")


def _told(
    answers: Iterator[A],
    warnings: Callable[[], Sequence[str]],
    on_answer: Callable[[A], None] | None,
    on_warning: Callable[[str], None] | None,
) -> tuple[A, ...]:
    """All the answers, each told when it is known, after the warnings that came up on the way to it."""
    collected: list[A] = []
    told: set[str] = set()
    for answer in answers:
        for text in warnings():
            if on_warning is not None and text not in told:
                on_warning(text)
            told.add(text)
        collected.append(answer)
        if on_answer is not None:
            on_answer(answer)
    return tuple(collected)


class Reduced(Struct, frozen=True, dict=True):
    """A smaller system with the same behaviour, and how much smaller it is. None stands for what was not counted."""

    reduction: Reduction[Any]
    states_before: int | None
    transitions_before: int | None
    confirmed: bool
    """Has the interpreter walked through all states and found each to behave as its class?"""
    statistics: Mapping[str, Statistic] = field(default_factory=dict)

    def __repr__(self) -> str:
        before = "?" if self.states_before is None else self.states_before
        return f"<Reduced by {self.reduction.relation}: {before} -> {self.states} states>"

    @property
    def states(self) -> int:
        return len(self.reduction.partition)

    @property
    def transitions(self) -> int:
        return len(self.reduction.partition.edges)

    @property
    def algorithm(self) -> str:
        return self.reduction.algorithm

    @property
    def classes(self) -> tuple[str, ...] | None:
        """What is special about the states of each class, as expressions; None where sets of states are not formulas."""
        from coarsest.logic.show import show
        from coarsest.space.smt.smt import SmtSpace

        space = self.reduction.observed.space
        if not isinstance(space, SmtSpace):
            return None
        return tuple(show(space.expression(states)) for states in self.reduction.partition.classes)

    @property
    def model(self) -> Model:
        """The quotient as a model, with the properties that speak of what was observed."""
        return Model(self.reduction.machine)

    @property
    def graph(self) -> Graph:
        return self.reduction.quotient.graph()


class Model(Struct, frozen=True, dict=True):
    """A system that has been read and can be checked."""

    machine: Machine

    def __repr__(self) -> str:
        variables, properties = len(self.machine.variables), len(self.properties)
        words = f"variable{'s' * (variables != 1)}", "property" if properties == 1 else "properties"
        return f"<Model {self.name}: {variables} {words[0]}, {properties} {words[1]}>"

    @property
    def name(self) -> str:
        return self.machine.name

    @property
    def warnings(self) -> tuple[Diagnostic, ...]:
        return self.machine.warnings

    @property
    def properties(self) -> tuple[Property, ...]:
        return self.machine.properties

    def formula(self, text: str) -> Property:
        """Read a formula over the variables of this model."""
        from coarsest.model.query.formula import parse_formula

        return parse_formula(text, self.machine)

    def never(self, path: str | os.PathLike[str]) -> AutomatonClaim:
        """Read an automaton (HOA) over conditions on this model: the property that it accepts no path. `-` is standard input."""
        from coarsest.automata.automaton_claim import never
        from coarsest.formats import read_automaton

        contents = read_contents(path)
        return never(read_automaton(contents, self.machine), f"no path is accepted by {contents.name}")

    def check(
        self,
        *formulas: str | Property,
        run: Run | None = None,
        engine: str = "auto",
        reduce: str = "none",
        search: str = "auto",
        ltl: str = "auto",
        property_variables: str = "auto",
        encoding: str = "binary",
        safety: bool = False,
        fair: str = "auto",
        relation: str = "auto",
        bdd: str = "oxidd",
        order: str = "auto",
        save_order: str | None = None,
        reorder: bool = True,
        cone: bool = True,
        confirm: str | bool = "auto",
        certificates: bool = False,
        vacuity: bool = True,
        threads: int = 1,
        carrier: str = "auto",
        on_answer: Callable[[Answer], None] | None = None,
        on_warning: Callable[[str], None] | None = None,
    ) -> Report:
        """Check formulas, or all properties of the model if none is given; `on_answer` hears each answer when it is known, and
        `on_warning`, before it, what makes it hollow: no initial state, a dead end, no fair path.

        Evidence is confirmed where that is cheap (`auto`, or True), `always`, or `never` (False); with `certificates`, every
        property that holds gets a certificate that can be confirmed later.
        """
        from coarsest.space.bdd.spaces import Spaces

        checker = self._checker(
            run, engine=engine, reduce=reduce,
            search=search, ltl=ltl, property_variables=property_variables, encoding=encoding, safety=safety,
            fair=fair, relation=relation, bdd=bdd, order=order, reorder=reorder,
            cone=cone, confirm=confirm, certificates=certificates, vacuity=vacuity, threads=threads,
            carrier=carrier,
        )  # fmt: skip
        context = checker.context
        _insist_order(save_order, known=isinstance(context.spaces, Spaces))
        answers = _told(self._readable(checker, self._claims(formulas)), lambda: context.warnings, on_answer, on_warning)
        if save_order is not None:
            from coarsest.bdd.order_file import write_order

            write_order(save_order, context.spaces.order())
        return Report(answers, context.warnings, context.spaces.statistics())

    def answers(self, *formulas: str | Property, run: Run | None = None, **options: object) -> Iterator[Answer]:
        """Like `check`, but each answer comes as soon as it is known."""
        yield from self._readable(self._checker(run, **options), self._claims(formulas))

    def _readable(self, checker: PropertyChecker, claims: list[Property]) -> Iterator[Answer]:
        from coarsest.check.option_use import insist_options_used
        from coarsest.explain.annotate import annotated
        from coarsest.space.bdd.spaces import Spaces

        context = checker.context
        by_formulas = not isinstance(context.spaces, Spaces)
        insist_options_used(context.options, context.build, self.machine, claims, by_formulas=by_formulas)
        for answer, claim in zip(checker.answers(claims), claims):
            yield annotated(answer, claim, self.machine, confirm=checker.context.options.confirms)

    def _claims(self, formulas: tuple[str | Property, ...]) -> list[Property]:
        given = [self.formula(f) if isinstance(f, str) else f for f in formulas]
        return given or list(self.properties)

    def _checker(self, run: Run | None, **options: object) -> PropertyChecker:
        from coarsest.check.properties import PropertyChecker
        from coarsest.check.setting.context import CheckOptions
        from coarsest.space.bdd.build import BuildOptions
        from coarsest.space.smt.formula_spaces import needs_formulas

        for_build = {key: value for key, value in options.items() if key in BuildOptions.__struct_fields__}
        for_check = {key: value for key, value in options.items() if key not in for_build}
        if "confirm" in for_check:
            for_check["confirm"] = _way_to_confirm(for_check["confirm"])
        if needs_formulas(self.machine, str(for_build.get("carrier", "auto"))):
            from coarsest.check.by_formulas import FormulaChecker as PropertyChecker
        elif for_check.get("reduce", "none") != "none":
            from coarsest.check.reduced import ReducedChecker as PropertyChecker
        elif for_check.get("engine") == "first-of":
            from coarsest.check.first_of import FirstOfChecker as PropertyChecker
        return PropertyChecker(self.machine, BuildOptions(**for_build), CheckOptions(**for_check), run or Run())  # type: ignore[arg-type]

    def graphs(self, path: str | os.PathLike[str], *, semantics: str = "auto") -> tuple[AssertionGraph, ...]:
        """Read the assertion graphs of a file, over the variables of this model; `-` is standard input.

        An automaton (HOA) is the graph that is satisfied by what it does not accept; it is read on infinite paths, or, if
        `semantics` is "finite", on finite ones.
        """
        from coarsest.formats import FileKind, kind_of, read_assertion_graphs, read_automaton

        contents = read_contents(path)
        if kind_of(contents.name) is not FileKind.AUTOMATON and not contents.text().text.lstrip().startswith("HOA:"):
            return read_assertion_graphs(contents, self.machine)
        from coarsest.automata.translate.assertion_graphs_and_buchi import graph_against
        from coarsest.model.assertion_graph import Semantics

        meant = Semantics.FINITE if semantics == "finite" else Semantics.FAIR
        return (graph_against(read_automaton(contents, self.machine), meant),)

    def gste(
        self,
        *graphs: AssertionGraph | str,
        run: Run | None = None,
        semantics: str = "auto",
        prune: str = "late",
        fair: str = "auto",
        abstraction: str = "none",
        precise: Sequence[str] = (),
        relation: str = "auto",
        bdd: str = "oxidd",
        order: str = "auto",
        save_order: str | None = None,
        reorder: bool = True,
        cone: bool = True,
        confirm: str | bool = "auto",
        vacuity: bool = True,
        threads: int = 1,
        on_answer: Callable[[GraphAnswer], None] | None = None,
        on_warning: Callable[[str], None] | None = None,
    ) -> Report:
        """Check assertion graphs, or the text of some; `on_answer`, `on_warning` and `confirm` are as in `check`.

        >>> model = loads("MODULE main VAR n : 0..3; ASSIGN init(n) := 0; next(n) := (n + 1) mod 4;")
        >>> model.gste("GRAPH g VERTEX a INITIAL ANT n = 0 VERTEX b FINAL CONS n = 1 EDGE a -> b").holds
        True
        """
        from coarsest.check.gste.decide_graph import GraphChecker, GraphOptions
        from coarsest.formats.assertion_graph.read import read
        from coarsest.space.bdd.build import BuildOptions

        build = BuildOptions(relation=relation, bdd=bdd, order=order, reorder=reorder, threads=threads)
        options = GraphOptions(
            semantics=semantics, prune=prune, fair=fair, abstraction=abstraction, precise=tuple(precise),
            cone=cone, confirm=_way_to_confirm(confirm), vacuity=vacuity,
        )  # fmt: skip
        checker = GraphChecker(self.machine, build, options, run or Run())
        _insist_order(save_order, known=abstraction == "none")
        claims: list[AssertionGraph] = []
        for graph in graphs:
            claims += read(Source("<graph>", graph), self.machine) if isinstance(graph, str) else (graph,)
        checker.insist_options_used(claims)
        answers = _told(checker.answers(claims), lambda: checker.warnings, on_answer, on_warning)
        if save_order is not None:
            from coarsest.bdd.order_file import write_order

            write_order(save_order, checker.order())
        return Report(answers, checker.warnings, checker.statistics())

    def reach(
        self,
        *,
        run: Run | None = None,
        search: str = "auto",
        relation: str = "auto",
        bdd: str = "oxidd",
        order: str = "auto",
        save_order: str | None = None,
        reorder: bool = True,
        threads: int = 1,
    ) -> Reach:
        """Find all reachable states: breadth-first, with the diameter, unless `search` is "chaining"."""
        from coarsest.check.setting.explore import explore
        from coarsest.space.bdd.build import BuildOptions

        options = BuildOptions(relation=relation, bdd=bdd, order=order, reorder=reorder, threads=threads)
        found, names = explore(self.machine, options, run or Run(), search=search)
        if save_order is not None:
            from coarsest.bdd.order_file import write_order

            write_order(save_order, names)
        return Reach(**found)

    def reduce(
        self,
        *,
        by: str = "bisimulation",
        algorithm: str = "auto",
        observe: Sequence[str | Expr] = (),
        actions: Sequence[str] = (),
        count: bool = True,
        confirm: bool = True,
        run: Run | None = None,
        relation: str = "auto",
        bdd: str = "oxidd",
        order: str = "auto",
        save_order: str | None = None,
        reorder: bool = True,
        cone: bool = True,
        threads: int = 1,
        carrier: str = "auto",
        watch: Watcher[Any] | None = None,
    ) -> Reduced:
        """The smallest system that shows the same behaviour to whoever observes these expressions, or decides these formulas.

        Without `observe`, that is the outputs of the model or else its properties. `actions` are inputs that are seen at each
        step. With `count`, the states and transitions of the model itself are counted, too.

        >>> model = loads("MODULE main VAR n : 0..9; ASSIGN init(n) := 0; next(n) := (n + 1) mod 10;")
        >>> small = model.reduce(observe=["n mod 2 = 0"])
        >>> small.states_before, small.states, small.transitions
        (10, 2, 2)
        """
        from coarsest.check.graph_size import size_before
        from coarsest.model.unbounded import unbounded_variables
        from coarsest.reduce.partition.observation import observe as observation_of
        from coarsest.reduce.reduce import insist_relation, reduce_machine
        from coarsest.space.bdd.build import BuildOptions
        from coarsest.space.bdd.spaces import Spaces
        from coarsest.space.smt.formula_spaces import spaces_for

        insist_relation(by)
        run = run or Run()
        options = BuildOptions(relation=relation, bdd=bdd, order=order, reorder=reorder, threads=threads, carrier=carrier)
        observation = observation_of(self.machine, self.observed(observe), actions=actions, cone=cone)
        spaces = spaces_for(observation.machine, options, run)
        _insist_order(save_order, known=isinstance(spaces, Spaces))
        reduction = reduce_machine(self.machine, observation, spaces, run, algorithm=algorithm, watch=watch)
        states, transitions = None, None
        if count and isinstance(spaces, Spaces) and not unbounded_variables(self.machine):
            states, transitions = size_before(self.machine, observation, spaces, run)
        confirmed = confirm and reduction.is_confirmed(run)
        if save_order is not None:
            from coarsest.bdd.order_file import write_order

            write_order(save_order, spaces.order())
        return Reduced(reduction, states, transitions, confirmed, spaces.statistics())

    def control_automaton(
        self,
        *,
        observe: Sequence[str] = (),
        run: Run | None = None,
        bdd: str = "oxidd",
        order: str = "auto",
        cone: bool = True,
        threads: int = 1,
        data: str = "states",
    ) -> Controller:
        """The smallest automaton that gives the same outputs for the same inputs, if the model is deterministic.

        With `data="variables"`, numbers are kept in variables of the code in C where that can be done, and states are made of
        all else: for whatever the comparisons of numbers say, the automaton chooses what is assigned to them.

        >>> model = loads("node n (go : bool) returns (on : bool); let on = go -> go and not pre on; tel", format="lustre")
        >>> controller = model.control_automaton()
        >>> controller.states, controller.automaton.step(0, {"go": True})
        (2, (1, (True,)))
        """
        from coarsest.errors import InputError
        from coarsest.model.query.formula import parse_value
        from coarsest.reduce.controller.control_automaton import control_automaton
        from coarsest.space.bdd.build import BuildOptions

        outputs: dict[str, Expr] = {}
        for text in observe:
            expr = parse_value(text, self.machine)
            outputs[expr.name if isinstance(expr, Name) else f"observed_{len(outputs) + 1}"] = expr
        options = BuildOptions(bdd=bdd, order=order, threads=threads)
        if data not in ("states", "variables"):
            raise InputError(f"unknown place for data '{data}'", hint="known: states, variables")
        found = self._with_data(outputs, run or Run(), options) if data == "variables" else None
        return found or Controller(control_automaton(self.machine, run, options, outputs=outputs or None, cone=cone))

    def _with_data(self, outputs: Mapping[str, Expr], run: Run, options: BuildOptions) -> Controller | None:
        from coarsest.errors import Unsupported
        from coarsest.model.machine import Kind, Variable
        from coarsest.reduce.controller.control_automaton import output_type
        from coarsest.reduce.controller.control_with_data import automaton_with_data
        from coarsest.render.code.code_c_with_data import program_to_c

        seen = dict(outputs) or {name: self.machine.definitions[name] for name in self.machine.outputs}
        found = automaton_with_data(self.machine, seen, run, options) if seen else None
        if found is None:
            return None
        control, automaton = found
        shown = tuple(Variable(name, output_type(self.machine, expr), Kind.INPUT) for name, expr in seen.items())
        try:
            return Controller(automaton, program_to_c(control, automaton, self.machine, shown))
        except Unsupported:
            return None  # an operation that C has not, or too large numbers

    def observed(self, observe: Sequence[str | Expr] = ()) -> list[Expr]:
        """What to observe: as asked for, or what the model itself says, its outputs or else its properties."""
        from coarsest.errors import InputError
        from coarsest.model.query.formula import parse_observed
        from coarsest.reduce.partition.observation import observable_parts

        if observe:
            return [label for one in observe for label in (parse_observed(one, self.machine) if isinstance(one, str) else [one])]
        if self.machine.outputs:
            return [Name(name) for name in self.machine.outputs]
        if not self.properties:
            hint = "say what to observe: expressions over the variables, for example with --observe x"
            raise InputError("the model has neither outputs nor properties, so that nothing is observed", hint=hint)
        return observable_parts(self.properties, self.machine)

    def simulate(self, *, steps: int = 10, seed: int = 0, run: Run | None = None) -> Trace:
        """A random path from an initial state; shorter than asked for where a state has no successor."""
        from random import Random

        from coarsest.evidence.walk.walk import random_walk

        return random_walk(self.machine, steps, Random(seed), run or Run())

    def to_smv(self) -> str:
        """The model as one flat SMV module."""
        from coarsest.formats.smv.write import write

        return write(self.machine)


def automaton(formula: str, *, kind: str = "buchi", negated: bool = False, run: Run | None = None) -> Automaton:
    """An automaton for the words that satisfy an LTL or PSL formula, or (`negated`) for those that do not.

    >>> automaton("G (request -> F grant)").states
    2
    """
    from coarsest.automata.translate.from_text import automaton_of

    return automaton_of(formula, kind=kind, negated=negated, run=run)


def algorithms() -> tuple[Algorithm, ...]:
    """Every algorithm, with its paper."""
    from coarsest.registry import ALGORITHMS

    return ALGORITHMS
