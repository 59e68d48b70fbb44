"""Smaller models: the work and results of `Model.reduce` and `Model.control_automaton`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, cast

from msgspec import field
from msgspec.structs import replace

from coarsest.api.checking import save_order
from coarsest.api.drawings.drawn import Drawn
from coarsest.api.options import ControllerOptions, ReduceOptions
from coarsest.api.results import ReductionFacts, Sizes
from coarsest.errors import InputError, Unsupported
from coarsest.logic.expr import Expr, Name
from coarsest.model.machine import Kind, Machine, Variable
from coarsest.options.methods import BuildOptions
from coarsest.options.option import require_effect
from coarsest.run import Run, Statistic

if TYPE_CHECKING:
    from coarsest.api.model import Model
    from coarsest.lts.labelled import Graph
    from coarsest.model.parts.control_and_data import Control
    from coarsest.reduce.controller.control_automaton import ControlAutomaton
    from coarsest.reduce.partition.observation import Observation
    from coarsest.reduce.partition.observed import Watcher
    from coarsest.reduce.reduction import Reduction
    from coarsest.reduce.symmetry.orbit_reduction import OrbitReduction
    from coarsest.space.carrier import Spaces


class Reduced(Drawn, frozen=True, dict=True):
    """A smaller system with the same behaviour, with both sizes; None if not counted."""

    reduced_from: Model
    reduction: Reduction[Any]
    states_before: int | None
    transitions_before: int | None
    confirmed: bool
    """Has the interpreter compared every state with its class?"""
    statistics: Mapping[str, Statistic] = field(default_factory=dict)

    def __repr__(self) -> str:
        before = "?" if self.states_before is None else self.states_before
        return f"<Reduced by {self.reduction.relation}: {before} -> {self.states} states>"

    def _drawable(self) -> Reduction[Any]:
        return self.reduction

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
        """Expressions that distinguish the classes; None if sets of states are not formulas."""
        from coarsest.logic.show import show
        if not self.reduction.observed.holds_formulas:
            return None
        space: Any = self.reduction.observed.space
        return tuple(show(space.expression(states)) for states in self.reduction.partition.classes)

    @property
    def symmetries(self) -> int | None:
        """The number of symmetries that keep the observed expressions, if the model was reduced by symmetry."""
        if self.reduction.relation != "symmetry":
            return None
        from coarsest.reduce.symmetry.group.group import Group

        return Group(cast("OrbitReduction[Any]", self.reduction).generators).order

    @property
    def facts(self) -> ReductionFacts:
        return ReductionFacts(
            states=Sizes(self.states_before, self.states), transitions=Sizes(self.transitions_before, self.transitions),
            relation=self.reduction.relation, algorithm=self.algorithm, preserves=self.reduction.preserves,
            confirmed=bool(self.confirmed), classes=self.classes,
            counted_with=tuple(sorted(self.reduction.observation.promoted)), symmetries=self.symmetries,
            statistics=self.statistics,
        )  # fmt: skip

    @property
    def model(self) -> Model:
        """The quotient as a model, with the properties about observed expressions."""
        return type(self.reduced_from)(self.reduction.machine)

    @property
    def graph(self) -> Graph:
        return self.reduction.quotient.graph()


def reduce_model(model: Model, build: BuildOptions, how: ReduceOptions, run: Run, watch: Watcher[Any] | None = None) -> Reduced:
    """The work of `Model.reduce`."""
    from coarsest.check.certify.confirm_classes import are_confirmed
    from coarsest.check.graph_size import size_before
    from coarsest.check.option_use import require_sets_used
    from coarsest.model.unbounded import unbounded_variables
    from coarsest.reduce.partition.observation import observe as observation_of
    from coarsest.reduce.reduce import reduce_machine
    from coarsest.space.carriers import spaces_for

    require_effect((how,))
    machine = replace(model.machine, initial_values={}, initial_constraints=()) if how.every_state else model.machine
    observation = observation_of(machine, model.observed(how.observe), actions=how.actions, cone=how.cone)
    spaces = spaces_for(observation.machine, build, run)
    require_sets_used(build, spaces.carrier, run)
    if how.by == "symmetry":
        reduction: Reduction[Any] = _by_orbits(machine, observation, spaces, run, how, watch=watch)
    else:
        reduction = reduce_machine(
            machine, observation, spaces, run, relation=how.by, algorithm=how.algorithm, parts=how.parts,
            quotient=how.quotient, lookahead=how.lookahead, watch=watch,
        )  # fmt: skip
    states, transitions = None, None
    if how.count and spaces.carrier != "smt" and not unbounded_variables(machine):
        states, transitions = size_before(machine, observation, spaces, run)
    confirmed = are_confirmed(reduction, run, how.confirm)
    save_order(build, spaces.order)
    return Reduced(model, reduction, states, transitions, confirmed, spaces.statistics())


def _by_orbits(
    machine: Machine, observation: Observation, spaces: Spaces[Any], run: Run, how: ReduceOptions, *, watch: Watcher[Any] | None
) -> OrbitReduction[Any]:
    """The quotient by the symmetries that keep the observed expressions."""
    from coarsest.api.symmetries import symmetries_of_observed
    from coarsest.reduce.symmetry.orbit_reduction import orbit_reduction, require_orbits

    require_orbits(how.algorithm, spaces.carrier, observation, watch)

    def work() -> OrbitReduction[Any]:
        generators = symmetries_of_observed(machine, observation, spaces, run, how.generators)
        return orbit_reduction(machine, observation, spaces, generators, run, algorithm=how.algorithm)

    return spaces.within_limits(work)


def controller_of(machine: Machine, run: Run, build: BuildOptions, how: ControllerOptions) -> Controller:
    """The smallest automaton that gives the same outputs for the same inputs."""
    from coarsest.model.query.formula import parse_value
    from coarsest.reduce.controller.control_automaton import control_automaton

    outputs: dict[str, Expr] = {}
    for text in how.observe:
        expr = parse_value(text, machine)
        outputs[expr.name if isinstance(expr, Name) else f"observed_{len(outputs) + 1}"] = expr
    with_data = _with_data(machine, outputs, run, build) if how.data == "variables" else None
    if with_data is not None:
        return with_data
    if how.data == "none":
        return _without_numbers(machine, outputs, run, build)
    return Controller(control_automaton(machine, run, build, outputs=outputs or None, cone=how.cone))


def _without_numbers(machine: Machine, outputs: Mapping[str, Expr], run: Run, build: BuildOptions) -> Controller:
    """The automaton of boolean control, whether numbers have bounds or not."""
    from coarsest.reduce.controller.control_with_data import automaton_without_numbers

    observed = dict(outputs) or {name: machine.definitions[name] for name in machine.outputs}
    if not observed:
        raise InputError("this model names no outputs", hint="say what to observe: --observe EXPR")
    control, automaton = automaton_without_numbers(machine, observed, run, build)
    return Controller(automaton, control=control if control.tests or control.choices else None)


def _with_data(machine: Machine, outputs: Mapping[str, Expr], run: Run, build: BuildOptions) -> Controller | None:
    """The automaton with its numbers in variables of C; None if this is impossible."""
    from coarsest.reduce.controller.control_automaton import output_type
    from coarsest.reduce.controller.control_with_data import automaton_with_data
    from coarsest.render.code.code_c_with_data import program_to_c

    observed = dict(outputs) or {name: machine.definitions[name] for name in machine.outputs}
    split = automaton_with_data(machine, observed, run, build) if observed else None
    if split is None:
        return None
    control, automaton = split
    shown = tuple(Variable(name, output_type(machine, expr), Kind.INPUT) for name, expr in observed.items())
    try:
        return Controller(automaton, program_to_c(control, automaton, machine, shown))
    except Unsupported:
        return None  # an operation that C lacks, or too large numbers


class Controller(Drawn, frozen=True):
    """A control automaton: the smallest one with the outputs of a model; also as code."""

    automaton: ControlAutomaton
    program: str | None = None
    """The code in C if numbers are its variables, not part of the states."""
    states_before: int | None = None
    """The number of reachable states of the model, if they were counted."""
    control: Control | None = None
    """If numbers are left out: the meaning of tests among the inputs and of choices among the outputs. Such an automaton can
    be drawn, but not made into code."""

    def __repr__(self) -> str:
        return f"<Controller {self.automaton.name}: {self.states} states, {self.transitions} transitions>"

    def _drawable(self) -> Controller:
        return self

    @property
    def states(self) -> int:
        return self.automaton.size

    @property
    def transitions(self) -> int:
        """The number of combinations of source, target and outputs."""
        return len(self.automaton.edges())

    @property
    def facts(self) -> ReductionFacts:
        statistics = {"decisions": len(self.automaton.decisions), "reactions": len(self.automaton.reactions)}
        return ReductionFacts(
            states=Sizes(self.states_before, self.states), transitions=Sizes(None, self.transitions), relation="bisimulation",
            algorithm="control-automaton", preserves=self._preserves,
            data="none" if self.control is not None else "states" if self.program is None else "variables", statistics=statistics,
        )  # fmt: skip

    @property
    def _preserves(self) -> str:
        if self.control is not None:  # comparisons that exclude one another are separate inputs here
            return "the reactions, for whatever comparisons of numbers say,"
        return "CTL* and the reactions to all inputs"

    def to_c(self) -> str:
        """Tables in C, with a structure for the inputs, one for the outputs, and two functions."""
        from coarsest.render.code.code_c import automaton_to_c

        self._require_code()
        return self.program or automaton_to_c(self.automaton)

    def to_python(self) -> str:
        """Tables in Python, with a class whose method `step` takes inputs to outputs."""
        from coarsest.render.code.code_python import automaton_to_python

        self._require_code()
        return automaton_to_python(self.automaton)

    def to_text(self, original: Machine, path: str) -> str:
        """The automaton in the format of a file name."""
        from coarsest.render.code.controller_text import controller_to_text, is_drawn

        if not is_drawn(path):
            self._require_code()
        return self.program or controller_to_text(self.automaton, original, path, self.control)

    def _require_code(self) -> None:
        """Raise Unsupported if numbers are left out, because code cannot compute them."""
        if self.control is not None:
            hint = "declare a range, or write .svg, .html, .dot or .aut, which show the automaton without its numbers"
            raise Unsupported("code cannot contain numbers that are left out or unbounded", hint=hint)
