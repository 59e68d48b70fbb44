"""A machine beside an automaton that reads its paths.

The automaton is in a state before it reads the machine's present state; its edge fits that state, and both step together.
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from coarsest.automata.automaton import Automaton
from coarsest.logic.expr import Apply, Constant, Expr, Name
from coarsest.model.machine import Kind, Machine, Variable
from coarsest.model.types import Boolean, Range

AUTOMATON = "automaton."
"""The name of the automaton's variable, and what the names of several begin with: no identifier of a model ends so."""


def at_states(states: Iterable[int], *, one_hot: bool) -> Expr:
    """The condition that the automaton of a product is in one of these states."""
    if one_hot:
        return Apply("or", tuple(Name(f"{AUTOMATON}{state}") for state in states))
    return Apply("or", tuple(Apply("=", (Name(AUTOMATON), Constant(state))) for state in states))


def product_with_automaton(machine: Machine, automaton: Automaton, *, one_hot: bool = False) -> Machine:
    """The product; its fair paths are the fair paths of the machine that the automaton accepts.

    The automaton has at most one acceptance set, of states. It is encoded in one variable, or (`one_hot`) in one for each state.
    """
    states = range(automaton.states)
    names = [f"{AUTOMATON}{state}" for state in states] if one_hot else [AUTOMATON]

    def at(state: int) -> Expr:
        return Name(names[state]) if one_hot else Apply("=", (Name(AUTOMATON), Constant(state)))

    rules: list[Expr] = []
    for state, edges in enumerate(automaton.edges):
        ways = [Apply("and", (automaton.alphabet.expr(guard), Apply("next", (at(target),)))) for guard, _, target in edges]
        rules.append(Apply("implies", (at(state), Apply("or", tuple(ways)))))
    accepting = [s for s, edges in enumerate(automaton.edges) if edges and edges[0][1] == automaton.all_sets]
    # At least two values, so that the variable occurs in every rule: that distinguishes these rules from those of the machine.
    kind = Boolean() if one_hot else Range(0, max(automaton.states - 1, 1))
    added = {name: Variable(name, kind, Kind.STATE) for name in names}
    exactly_one = (Apply("=", (Apply("count", tuple(Name(name) for name in names)), Constant(1))),) if one_hot else ()
    return replace(
        machine,
        variables={**added, **machine.variables},
        initial_constraints=(*machine.initial_constraints, at_states(automaton.initial, one_hot=one_hot)),
        invariant_constraints=(*machine.invariant_constraints, *exactly_one),
        transition_constraints=(*machine.transition_constraints, *rules),
        justice=(*machine.justice, *((at_states(accepting, one_hot=one_hot),) if automaton.sets else ())),
    )
