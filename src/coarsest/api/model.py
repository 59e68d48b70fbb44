"""load · check · reach: the Python interface to models.

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
from typing import TYPE_CHECKING, Any, Final

from msgspec.structs import replace

from coarsest.api import options as tasks
from coarsest.api.drawings.drawn import Drawn
from coarsest.api.results import Reach, Report
from coarsest.errors import InputError, require_type
from coarsest.evidence.verdict import Answer
from coarsest.files import STANDARD_INPUT, Contents, read_contents
from coarsest.logic.expr import Expr, Name
from coarsest.model.machine import NO_DEADLOCK, Machine, Property
from coarsest.model.trace import Trace
from coarsest.options.methods import BuildOptions, ReachOptions
from coarsest.options.option import require_effect
from coarsest.run import Run
from coarsest.text import Diagnostic
from coarsest.text.near import nearest

if TYPE_CHECKING:
    from typing import Unpack

    from coarsest.api import automata, keywords
    from coarsest.api.graph import Graph
    from coarsest.api.reductions import Controller, Reduced
    from coarsest.api.symmetries import Symmetries
    from coarsest.api.walks import RecordedWalk
    from coarsest.automata.automaton_claim import AutomatonClaim
    from coarsest.check.answers import Checker
    from coarsest.check.plan import Plans
    from coarsest.evidence.assertion_graph_answer import AssertionGraphAnswer
    from coarsest.model import assertion_graph
    from coarsest.model.assertion_graph import AssertionGraphClaim
    from coarsest.reduce.partition.observed import Watcher
    from coarsest.registry import Algorithm

MOST_NAMED: Final = 20
"""The number of properties in a hint."""


def load(path: str | os.PathLike[str], *, format: str | None = None) -> Model | Graph:
    """Read a model, or a graph, from a file; `-` is a model on standard input. By default the suffix determines the format."""
    from coarsest.api.graph import graph_unless_model

    return graph_unless_model(path, format) or load_model(path, format=format)


def load_model(path: str | os.PathLike[str], *, format: str | None = None) -> Model:
    """Read a model from a file, and refuse a graph."""
    from coarsest.formats import machine_format, read_machine

    by_name = machine_format(STANDARD_INPUT) if os.fspath(path) == STANDARD_INPUT else None
    return Model(read_machine(read_contents(path), format or by_name))


def loads(text: str | bytes, *, format: str = "smv", name: str = "<text>") -> Model:
    """Read a model from a string, or from the bytes of a file."""
    from coarsest.formats import format_of, read_machine

    require_type("a model", text, str | bytes, "a text, or the bytes of a file")
    if isinstance(text, str) and text.split() == [text] and format_of(text) is not None:
        raise InputError(f"'{text}' is the name of a file, and not the text of a model", hint="load(…) reads a file")
    data = text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text
    return Model(read_machine(Contents(name, data), format))


class Model(Drawn, frozen=True, dict=True):
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

    def property_named(self, name: str | int) -> Property:
        """The property of the file with this name, or with this number, counted from 1."""
        name = str(name)
        for claim in self.properties:
            if claim.name == name:
                return claim
        number = len(self.properties)
        if name.isdecimal() and 1 <= int(name) <= number:
            return self.properties[int(name) - 1]
        near = nearest(name, [claim.name for claim in self.properties if claim.name])
        names = ", ".join(claim.name or str(place) for place, claim in enumerate(self.properties[:MOST_NAMED], 1))
        more = ", …" * (number > MOST_NAMED)
        others = f"its properties, by name or by number from 1, are {names}{more}" if number else "it has none"
        raise InputError(f"the model has no property '{name}'", hint=f"did you mean '{near[0]}'?" if near else others)

    def formula(self, text: str) -> Property:
        """Read a formula over the variables of this model. Assumptions in the file apply to it as to its properties."""
        from coarsest.api.checking import parsed_formula
        from coarsest.model.query.assumed import under_assumptions

        return under_assumptions(parsed_formula(text, self.machine), self.machine)

    def condition(self, text: str) -> Expr:
        """Read a condition on the states of this model."""
        from coarsest.api.checking import parsed_formula

        claim = parsed_formula(text, self.machine)
        if not claim.kind.is_invariant:
            raise InputError(f"'{text}' is not a condition on states", hint="a condition has no temporal operators")
        return claim.formula

    def with_files(
        self,
        *,
        properties: Sequence[str | os.PathLike[str]] = (),
        fairness: Sequence[str | os.PathLike[str]] = (),
        hints: Sequence[str | os.PathLike[str]] = (),
    ) -> Model:
        """The model with the formulas of property files as VIS writes them (`.ctl`, `.ltl`, `.inv`), with those of fairness files
        (`.fair`) as conditions that hold again and again, and with those of `.hint` files as steps to follow first in a search.

        >>> model = load("examples/arbiter.v").with_files(properties=["examples/arbiter.ctl"])
        >>> model.properties[0].kind.value
        'ctl'
        """
        if not properties and not fairness and not hints:
            return self
        from coarsest.api.checking import machine_with_files

        return Model(machine_with_files(self.machine, properties, fairness, hints))

    def never(self, path: str | os.PathLike[str]) -> AutomatonClaim:
        """Read an automaton (HOA) over conditions on this model: the property that it accepts no path. `-` is standard input."""
        from coarsest.automata.automaton_claim import ACCEPTED_BY, never
        from coarsest.formats import read_automaton

        contents = read_contents(path)
        return never(read_automaton(contents, self.machine), f"{ACCEPTED_BY}{contents.name}")

    def check(
        self,
        *formulas: str | Property,
        run: Run | None = None,
        on_answer: Callable[[Answer], None] | None = None,
        on_warning: Callable[[str], None] | None = None,
        timeout: float | None = None,
        **options: Unpack[keywords.CheckWords],
    ) -> Report:
        """Check formulas, or all properties of the model if none is given.

        `on_answer` gets each answer as soon as it is known, and `on_warning`, before it, the warnings that undermine it. With
        `timeout`, properties that are undecided after this many seconds are unknown. Evidence is confirmed where that is cheap
        (`auto`, or True), `always`, or `never` (False); `certificates` makes a certificate of every property that holds.
        """
        from coarsest.api.checking import answers_of, run_within, told

        checker, claims = self._checker(formulas, run_within(timeout, run), options)
        answers = told(answers_of(checker, claims), lambda: checker.session.warnings, on_answer, on_warning)
        return Report(answers, checker.session.warnings, checker.session.statistics(), self.name, tuple(claims))

    def plan(self, *formulas: str | Property, **options: Unpack[keywords.CheckWords]) -> Plans:
        """What `check` would try for each property, in which order and with which budgets, without trying it.

        >>> plan, = loads("MODULE main VAR x : 0..3; ASSIGN next(x) := x; INVARSPEC x < 4").plan().properties
        >>> plan.decided_as, [attempt.way for attempt in plan.attempts]
        ('invariant', ['forward'])
        """
        from coarsest.check.plan import plans

        return plans(*self._checker(formulas, None, options))

    def answers(
        self, *formulas: str | Property, run: Run | None = None, **options: Unpack[keywords.CheckWords]
    ) -> Iterator[Answer]:
        """Like `check`, but each answer comes as soon as it is known."""
        from coarsest.api.checking import answers_of

        yield from answers_of(*self._checker(formulas, run, options))

    def _checker(
        self, formulas: Sequence[str | Property], run: Run | None, options: keywords.CheckWords
    ) -> tuple[Checker, list[Property]]:
        """The checker, and the properties to check."""
        from coarsest.api.checking import checker_of
        from coarsest.model.query.assumed import with_assumptions_fair

        claims = self.claims(*formulas, deadlock=options.get("deadlock", "loop"))
        return checker_of(with_assumptions_fair(self.machine, claims), run, options), claims

    def claims(self, *formulas: str | Property, deadlock: str = "loop") -> list[Property]:
        """The properties that `check` decides: formulas, or all properties; `deadlock="fail"` adds the absence of deadlocks."""
        from coarsest.api.checking import require_formulas

        require_formulas(formulas)
        given = [self.formula(f) if isinstance(f, str) else f for f in formulas]
        claims = given or list(self.properties)
        if deadlock == "fail" and not any(claim.kind == NO_DEADLOCK.kind for claim in claims):
            claims.insert(0, NO_DEADLOCK)
        return claims

    def graphs(self, path: str | os.PathLike[str], *, semantics: str = "auto") -> tuple[automata.AssertionGraph, ...]:
        """Read the assertion graphs of a file, over the variables of this model; `-` is standard input.

        An automaton (HOA) becomes the graph that holds for all paths that it does not accept: infinite paths or, if
        `semantics` is "finite", finite ones.
        """
        from coarsest.api.automata import assertion_graphs_about

        return assertion_graphs_about(self.machine, path, semantics=semantics)

    def gste(
        self,
        *graphs: assertion_graph.AssertionGraph | str,
        run: Run | None = None,
        on_answer: Callable[[AssertionGraphAnswer], None] | None = None,
        on_warning: Callable[[str], None] | None = None,
        **options: Unpack[keywords.GsteWords],
    ) -> Report:
        """Check assertion graphs, or their text; `on_answer`, `on_warning` and `confirm` are as in `check`.

        >>> model = loads("MODULE main VAR n : 0..3; ASSIGN init(n) := 0; next(n) := (n + 1) mod 4;")
        >>> model.gste("GRAPH g VERTEX a INITIAL ANT n = 0 VERTEX b FINAL CONS n = 1 EDGE a -> b").holds
        True
        """
        from coarsest.api.checking import check_along
        from coarsest.options.methods import GsteOptions

        build, how = tasks.GSTE.read(BuildOptions, options), tasks.GSTE.read(GsteOptions, options)
        return check_along(self.machine, graphs, build, how, run=Run.given(run), on_answer=on_answer, on_warning=on_warning)

    def graph_claims(
        self, *graphs: assertion_graph.AssertionGraph, semantics: str = "auto"
    ) -> tuple[AssertionGraphClaim, ...]:
        """The claims that `gste` decides: one for each graph, in its semantics."""
        from coarsest.check.decide.along import claims_of
        from coarsest.options.methods import GsteOptions

        return tuple(claims_of(graphs, GsteOptions(semantics=semantics)))

    def reach(self, *, run: Run | None = None, **options: Unpack[keywords.ReachWords]) -> Reach:
        """Find all reachable states: breadth-first, with the diameter, unless `search` is "chaining".

        With `towards`, a condition, find all states, reachable or not, from which a state that satisfies it can be reached (the
        transitive preimage of the condition).

        >>> model = loads("MODULE main VAR n : 0..9; ASSIGN init(n) := 0; next(n) := n < 7 ? n + 1 : n;")
        >>> model.reach().states, model.reach(towards="n = 3").states
        (8, 4)
        """
        from coarsest.api.checking import save_order
        from coarsest.check.option_use import require_sets_used, require_unguided
        from coarsest.check.setting.explore import explore

        build, how = tasks.REACH.read(BuildOptions, options), tasks.REACH.read(ReachOptions, options)
        run = Run.given(run)
        carrier = "bdd" if build.carrier == "auto" else build.carrier
        require_effect((how, build), {"carrier": carrier})
        require_sets_used(build, carrier, run)
        require_unguided(self.machine, how.search)
        goal = None if how.towards is None else self.condition(how.towards)
        facts, names = explore(self.machine, build, run, search=how.search, merge=how.merge, towards=goal)
        save_order(build, lambda: names)
        return Reach(**facts)

    def symmetries(self, *, run: Run | None = None, **options: Unpack[keywords.SymmetryWords]) -> Symmetries:
        """The verified symmetries of the model, and those that each property keeps.

        >>> toggle = "MODULE main VAR a : array 1..3 of boolean; i : 1..3; ASSIGN next(a[1]) := (i = 1) xor a[1];"
        >>> toggle += " next(a[2]) := (i = 2) xor a[2]; next(a[3]) := (i = 3) xor a[3];"
        >>> loads(toggle).symmetries().order
        6
        """
        from coarsest.api.symmetries import find_symmetries

        build, how = tasks.SYMMETRY.read(BuildOptions, options), tasks.SYMMETRY.read(tasks.SymmetryOptions, options)
        return find_symmetries(self.machine, build, Run.given(run), generators=how.generators, count=how.count)

    def reduce(
        self, *, run: Run | None = None, watch: Watcher[Any] | None = None, **options: Unpack[keywords.ReduceWords]
    ) -> Reduced:
        """The smallest system with the same behaviour for an observer of these expressions or formulas.

        By default, the outputs of the model are observed or, without outputs, its properties. `actions` are inputs that are
        observed at each step. With `count`, the states and transitions of the model itself are counted, too. `watch` gets each
        partition. With `every_state`, every state is an initial state.

        >>> model = loads("MODULE main VAR n : 0..9; ASSIGN init(n) := 0; next(n) := (n + 1) mod 10;")
        >>> small = model.reduce(observe=["n mod 2 = 0"])
        >>> small.states_before, small.states, small.transitions
        (10, 2, 2)
        """
        from coarsest.api.reductions import reduce_model

        build, how = tasks.REDUCE.read(BuildOptions, options), tasks.REDUCE.read(tasks.ReduceOptions, options)
        return reduce_model(self, build, how, Run.given(run), watch)

    def control_automaton(self, *, run: Run | None = None, **options: Unpack[keywords.ControllerWords]) -> Controller:
        """The smallest automaton that gives the same outputs for the same inputs, if the model is deterministic.

        With `data="variables"`, numbers become variables of the code in C if possible: their comparisons are inputs of the
        automaton, which chooses the assignments to them. With `count`, the states of the model are counted, too, if there are
        finitely many.

        >>> model = loads("node n (go : bool) returns (on : bool); let on = go -> go and not pre on; tel", format="lustre")
        >>> controller = model.control_automaton()
        >>> controller.states, controller.automaton.step(0, {"go": True})
        (2, (1, (True,)))
        """
        from coarsest.api.reductions import controller_of
        from coarsest.model.unbounded import unbounded_variables

        build, how = tasks.CONTROLLER.read(BuildOptions, options), tasks.CONTROLLER.read(tasks.ControllerOptions, options)
        controller = controller_of(self.machine, Run.given(run), build, how)
        if not how.count or unbounded_variables(self.machine):
            return controller
        return replace(controller, states_before=self.reach(run=run, order=build.order, bdd=build.bdd).states)

    def output_sizes(self) -> Mapping[str, int | None]:
        """The number of values of each output; None if it is unbounded."""
        from coarsest.reduce.controller.control_automaton import sizes_of_outputs

        return sizes_of_outputs(self.machine)

    def observed(self, observe: Sequence[str | Expr] = ()) -> list[Expr]:
        """The observed expressions: those given or, by default, the outputs of the model or else the parts of its properties."""
        from coarsest.model.query.formula import parse_observed
        from coarsest.reduce.partition.observation import observable_parts

        if observe:
            return [label for one in observe for label in (parse_observed(one, self.machine) if isinstance(one, str) else [one])]
        if self.machine.outputs:
            return [Name(name) for name in self.machine.outputs]
        if not self.properties:
            hint = "say what to observe: expressions over the variables, for example with --observe x"
            raise InputError("the model has neither outputs nor properties, so nothing is observed", hint=hint)
        return observable_parts(self.properties, self.machine)

    def simulate(self, *, run: Run | None = None, **options: Unpack[keywords.SimulateWords]) -> Trace:
        """A random path from an initial state, which ends early in a state without successor. `show` has expressions to show
        along it; `constraint` restricts it to states and steps that satisfy these conditions.

        >>> model = loads("MODULE main VAR n : 0..9; ASSIGN init(n) := 0; next(n) := {n, (n + 1) mod 10};")
        >>> max(state["n"] for state in model.simulate(steps=50, constraint=["n < 3"]).states)
        2
        """
        from random import Random

        from coarsest.api.walks import as_shown
        from coarsest.evidence.walk.walk import random_walk

        how = tasks.SIMULATE.read(tasks.SimulateOptions, options)
        trace = random_walk(self.constrained(how.constraint).machine, how.steps, Random(how.seed), Run.given(run))
        return as_shown(trace, self.machine, how.show) if how.show and len(trace) else trace

    def walk(self, *, seed: int = 0, run: Run | None = None) -> RecordedWalk:
        """A walk that has not begun, in which the caller chooses every step."""
        from coarsest.api.walks import RecordedWalk
        from coarsest.evidence.walk.walk import Walker

        return RecordedWalk(
            Walker(self.machine, run), seed=seed, within=lambda conditions: Walker(self.constrained(conditions).machine, run)
        )

    def constrained(self, conditions: Sequence[str]) -> Model:
        """The model without states, or steps if it mentions inputs or next values, that violate a condition."""
        from coarsest.model.parts.watch import is_about_steps

        machine = self.machine
        for condition in map(self.condition, (conditions,) if isinstance(conditions, str) else conditions):
            if is_about_steps(machine, condition):
                machine = replace(machine, transition_constraints=(*machine.transition_constraints, condition))
            else:
                machine = replace(machine, invariant_constraints=(*machine.invariant_constraints, condition))
        return Model(machine)

    def to_smv(self) -> str:
        """The model as one flat SMV module."""
        from coarsest.formats.smv.write import write

        return write(self.machine)


def algorithms() -> tuple[Algorithm, ...]:
    """All algorithms, with their papers."""
    from coarsest.lts.relations import relations
    from coarsest.registry import ALGORITHMS, Algorithm

    return (*ALGORITHMS, *(Algorithm(*method) for relation in relations().values() for method in relation.methods))
