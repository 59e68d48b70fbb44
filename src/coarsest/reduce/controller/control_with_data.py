"""The control automaton of a program whose numbers are data: its inputs are tests of numbers, its outputs are assignments."""

from __future__ import annotations

from collections.abc import Mapping

from coarsest.errors import Unsupported
from coarsest.logic.expr import Expr
from coarsest.model.machine import Kind, Machine
from coarsest.model.parts.cone_of_influence import cone_variables, restrict_to
from coarsest.model.parts.control_and_data import Control, control_of, is_data
from coarsest.model.types import Range
from coarsest.options.methods import BuildOptions
from coarsest.reduce.controller.control_automaton import ControlAutomaton, control_automaton
from coarsest.run import Run
from coarsest.space.bdd.build import build


def automaton_without_numbers(
    machine: Machine, outputs: Mapping[str, Expr], run: Run, options: BuildOptions
) -> tuple[Control, ControlAutomaton]:
    """The automaton of boolean control, for reading: its inputs are the results of tests, its outputs name what is computed.
    Numbers need no bounds, because nothing is computed. Assertions about numbers, and computations by many cases, are refused."""
    subject = restrict_to(machine, cone_variables(machine, outputs.values()))
    data = {name for name, variable in subject.variables.items() if is_data(variable)}
    asserted = (*subject.initial_constraints, *subject.invariant_constraints, *subject.transition_constraints)
    for expr in asserted:
        if subject.variables_of(expr) & data:
            raise Unsupported("an assertion about numbers is not seen by an automaton without them", expr.span)
    control = control_of(subject, outputs)
    return control, control_automaton(control.machine, run, options, outputs=control.outputs, cone=False)


def automaton_with_data(
    machine: Machine, outputs: Mapping[str, Expr], run: Run, options: BuildOptions
) -> tuple[Control, ControlAutomaton] | None:
    """The automaton, if the outputs depend on numbers that are remembered, and these can be data: they have bounds, no assertion
    mentions them, and they are computed by few cases."""
    subject = restrict_to(machine, cone_variables(machine, outputs.values()))
    data = {name: variable for name, variable in subject.variables.items() if is_data(variable)}
    asserted = (*subject.initial_constraints, *subject.invariant_constraints, *subject.transition_constraints)
    if all(variable.kind is Kind.INPUT for variable in data.values()):
        return None
    if not all(isinstance(v.type, Range) for v in data.values()) or any(subject.variables_of(e) & data.keys() for e in asserted):
        return None
    try:
        control = control_of(subject, outputs)
    except Unsupported:
        return None
    build(subject, run, options)  # a next value outside the range of its memory is refused here
    return control, control_automaton(control.machine, run, options, outputs=control.outputs, cone=False)
