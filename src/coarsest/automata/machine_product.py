"""A machine beside an automaton that reads its paths.

The automaton is in a state before it reads the machine's present state; its edge fits that state, and both step together.
"""

from __future__ import annotations

from dataclasses import replace

from coarsest.logic.expr import FALSE, Apply, Constant, Expr, Name
from coarsest.model.automaton import Automaton
from coarsest.model.machine import Kind, Machine, Variable
from coarsest.model.types import Range

AUTOMATON = "automaton."
"""The name of the automaton's variable: no identifier of a model ends so."""


def product_with_automaton(machine: Machine, automaton: Automaton) -> Machine:
    """The product; its fair paths are the fair paths of the machine that the automaton accepts.

    The automaton has at most one acceptance set, of states.
    """
    here = Name(AUTOMATON)

    def at(state: int) -> Expr:
        return Apply("=", (here, Constant(state)))

    def one_of(states: list[int]) -> Expr:
        return Apply("in", (here, Apply("set", tuple(Constant(s) for s in states)))) if states else FALSE

    rules: list[Expr] = []
    for state, edges in enumerate(automaton.edges):
        ways = [
            Apply("and", (automaton.alphabet.expr(guard), Apply("next", (at(target),)))) for guard, _, target in edges
        ]
        rules.append(Apply("implies", (at(state), Apply("or", tuple(ways)))))
    accepting = [s for s, edges in enumerate(automaton.edges) if edges and edges[0][1] == automaton.all_sets]
    justice = (one_of(accepting),) if automaton.sets else ()
    return replace(
        machine,
        variables={AUTOMATON: Variable(AUTOMATON, Range(0, max(automaton.states - 1, 1)), Kind.STATE), **machine.variables},
        initial_constraints=(*machine.initial_constraints, one_of(list(automaton.initial))),
        transition_constraints=(*machine.transition_constraints, *rules),
        justice=(*machine.justice, *justice),
    )
