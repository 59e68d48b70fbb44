"""Machines whose dead ends stay where they are in compositions, too, as they do where a machine is checked alone.

A composition has no other steps than those of all its parts together. So equations and constraints of its own say that a state of
a part without successor is followed by itself, whatever the others do. Dead ends that only the parts together have are left out
of the composition (`model/composition/dead_ends.py`).
"""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from coarsest.check.certify.certificate_diagrams import DiagramWriter
from coarsest.check.setting.arena import Arena
from coarsest.check.setting.model_warnings import STEP_TO_ITSELF, without_successor
from coarsest.encode.bit_tests import about_bits
from coarsest.logic.expr import FALSE, TRUE, Apply, Expr, Name
from coarsest.model.composition.dead_ends import PREFIX
from coarsest.model.machine import Machine
from coarsest.model.unbounded import unbounded_variables
from coarsest.run import Run
from coarsest.space.bdd.build import build


class Staying(Struct, frozen=True):
    """A machine with a step from each of its reachable states."""

    machine: Machine
    warning: str = ""
    """The states that had no successor, in words."""


def staying(machine: Machine, part: str, run: Run) -> Staying:
    """The machine with a step to itself for each reachable state without successor; `part` is a word for it in names. What a file
    assumes makes no dead ends: paths that violate it do not count."""
    forbidding = {*machine.transition_constraints, *machine.invariant_constraints} - {*machine.assumptions}
    if not forbidding or unbounded_variables(machine):
        return Staying(machine)
    space = build(machine, run)
    if not space.states - space.pre(space.states):
        return Staying(machine)
    stuck = Arena(space, (), run).stuck
    if not stuck:
        return Staying(machine)
    writer = DiagramWriter()
    here, tests = _tests(machine, writer, writer.root(space, stuck.function), part)
    return Staying(_with_steps(machine, here, tests), f"{without_successor(space, stuck)}; {STEP_TO_ITSELF}")


def _tests(machine: Machine, writer: DiagramWriter, root: int, part: str) -> tuple[Expr, dict[str, Expr]]:
    """A set of states as a condition, and definitions for the nodes of its diagram."""
    graphs = writer.graphs
    conditions: dict[int, Expr] = {0: FALSE, 1: TRUE}
    definitions: dict[str, Expr] = {}
    for number in graphs.reached_from([root]):
        bit, high, low = graphs.nodes[number - 2]
        variable, bit_number, _ = graphs.bits[bit]
        test = about_bits(machine.variables[variable], {bit_number: True})
        conditions[number] = Name(f"{PREFIX}{part}.{number}")
        definitions[f"{PREFIX}{part}.{number}"] = Apply("case", (test, conditions[high], TRUE, conditions[low]))
    return conditions[root], definitions


def _with_steps(machine: Machine, stuck: Expr, tests: dict[str, Expr]) -> Machine:
    following = {name: Apply("case", (stuck, Name(name), TRUE, value)) for name, value in machine.next_values.items()}
    free = [variable.name for variable in machine.state_variables if variable.name not in following]
    same = [Apply("implies", (stuck, Apply("=", (Apply("next", (Name(name),)), Name(name))))) for name in free]
    return replace(
        machine,
        definitions={**machine.definitions, **tests},
        next_values=following,
        transition_constraints=(*(Apply("or", (stuck, rule)) for rule in machine.transition_constraints), *same),
    )
