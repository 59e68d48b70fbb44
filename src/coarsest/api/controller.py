"""Control automata: what a model puts out, by the fewest states, and as code."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from msgspec import Struct

from coarsest.api.options import ControllerOptions
from coarsest.api.results import ReductionFacts, Sizes
from coarsest.errors import Unsupported
from coarsest.logic.expr import Expr, Name
from coarsest.model.machine import Kind, Machine, Variable
from coarsest.options.methods import BuildOptions
from coarsest.run import Run

if TYPE_CHECKING:
    from coarsest.reduce.controller.control_automaton import ControlAutomaton


def controller_of(machine: Machine, run: Run, build: BuildOptions, how: ControllerOptions) -> Controller:
    """The smallest automaton that gives the same outputs for the same inputs."""
    from coarsest.model.query.formula import parse_value
    from coarsest.reduce.controller.control_automaton import control_automaton

    outputs: dict[str, Expr] = {}
    for text in how.observe:
        expr = parse_value(text, machine)
        outputs[expr.name if isinstance(expr, Name) else f"observed_{len(outputs) + 1}"] = expr
    with_data = _with_data(machine, outputs, run, build) if how.data == "variables" else None
    return with_data or Controller(control_automaton(machine, run, build, outputs=outputs or None, cone=how.cone))


def _with_data(machine: Machine, outputs: Mapping[str, Expr], run: Run, build: BuildOptions) -> Controller | None:
    """The automaton with its numbers in variables of C, where that can be done."""
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
        return None  # an operation that C has not, or too large numbers


class Controller(Struct, frozen=True):
    """A control automaton: what a model puts out, by the fewest states; and as code."""

    automaton: ControlAutomaton
    program: str | None = None
    """The text in C where numbers are variables of it, and not part of the states of the automaton."""
    states_before: int | None = None
    """The reachable states of the model, where they were counted."""

    @property
    def states(self) -> int:
        return self.automaton.size

    @property
    def transitions(self) -> int:
        """Sources, targets and outputs, each combination once."""
        return len(self.automaton.edges())

    @property
    def facts(self) -> ReductionFacts:
        statistics = {"decisions": len(self.automaton.decisions), "reactions": len(self.automaton.reactions)}
        return ReductionFacts(
            states=Sizes(self.states_before, self.states), transitions=Sizes(None, self.transitions), relation="bisimulation",
            algorithm="control-automaton", preserves="CTL* and the reactions to all inputs",
            data="states" if self.program is None else "variables", statistics=statistics,
        )  # fmt: skip

    def to_c(self) -> str:
        """Tables in C, with a structure for the inputs, one for the outputs, and two functions."""
        from coarsest.render.code.code_c import automaton_to_c

        return self.program or automaton_to_c(self.automaton)

    def to_python(self) -> str:
        """Tables in Python, with a class whose method `step` takes inputs to outputs."""
        from coarsest.render.code.code_python import automaton_to_python

        return automaton_to_python(self.automaton)
