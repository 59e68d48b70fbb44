"""Is a graph related to a smaller one by a function between their states? No other kernel shares code with this one.

Reference: van Glabbeek and Weijland, Branching time and abstraction in bisimulation semantics, 1996; Tarjan, Depth-first search
and linear graph algorithms, 1972.
Symbols: a transition of the graph is inert if its action is `internal` and the function takes both its ends to one state. If
`internal` is -1, no transition is inert, and the relation is bisimulation; otherwise it is branching bisimulation. A row is a
state of the smaller graph with its transitions, which are in strictly increasing order.
Invariant: the row of a state answers all its transitions that are not inert. A last component of inert transitions is one that
no inert transition leaves; every state reaches one, and its states together answer all of their row that is not inert.
Deviates: nothing.
Cost: one depth-first search along inert transitions, and a search in a row for each transition.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from coarsest._kernels.compile import compiled, inlined

Numbers = NDArray[np.signedinteger[Any]]
NOT_THERE: Final = -1


class _Claim(NamedTuple):
    """Two graphs and the function between them, as the arguments give them."""

    offsets: Numbers
    actions: Numbers
    targets: Numbers
    ranks: Numbers
    internal: int
    state_of: Numbers
    row_offsets: Numbers
    row_actions: Numbers
    row_targets: Numbers


@inlined
def _is_inert(claim: _Claim, state: int, place: int) -> bool:
    return bool(claim.actions[place] == claim.internal and claim.state_of[claim.targets[place]] == claim.state_of[state])


@inlined
def _is_well_formed(claim: _Claim) -> bool:
    """Is the function one into the rows, and are these in order?"""
    for state in range(len(claim.state_of)):
        if claim.state_of[state] < NOT_THERE or claim.state_of[state] >= len(claim.row_offsets) - 1:
            return False
    for row in range(len(claim.row_offsets) - 1):
        for place in range(claim.row_offsets[row], claim.row_offsets[row + 1]):
            action, target = claim.row_actions[place], claim.row_targets[place]
            if target < 0 or target >= len(claim.row_offsets) - 1:
                return False
            if place > claim.row_offsets[row]:
                before = claim.row_actions[place - 1]
                if action < before or (action == before and target <= claim.row_targets[place - 1]):
                    return False
    return True


@inlined
def _sought(claim: _Claim, row: int) -> int:
    """The number of transitions of a row that are not inert."""
    number = 0
    for place in range(claim.row_offsets[row], claim.row_offsets[row + 1]):
        silent = claim.internal >= 0 and claim.row_actions[place] == claim.ranks[claim.internal]
        number += not (silent and claim.row_targets[place] == row)
    return number


@inlined
def _answer(claim: _Claim, row: int, action: int, target: int) -> int:
    """The position of a transition in a row, or NOT_THERE."""
    low, high = claim.row_offsets[row], claim.row_offsets[row + 1]
    while low < high:
        middle = (low + high) >> 1
        if claim.row_actions[middle] < action or (claim.row_actions[middle] == action and claim.row_targets[middle] < target):
            low = middle + 1
        else:
            high = middle
    if low < claim.row_offsets[row + 1] and claim.row_actions[low] == action and claim.row_targets[low] == target:
        return int(low)
    return NOT_THERE


@inlined
def _component_agrees(claim: _Claim, members: Numbers, number: int, component: Numbers, met: Numbers) -> bool:
    """Do the transitions of a component agree with its row? `met` notes by which component a place was last met."""
    is_last, answered, row = True, 0, claim.state_of[members[0]]
    for at in range(len(members)):
        state = members[at]
        for place in range(claim.offsets[state], claim.offsets[state + 1]):
            target = claim.targets[place]
            if claim.state_of[target] < 0:
                return False
            if _is_inert(claim, state, place):
                is_last = is_last and component[target] == number
                continue
            answer = _answer(claim, row, claim.ranks[claim.actions[place]], claim.state_of[target])
            if answer == NOT_THERE:
                return False
            if met[answer] != number:
                met[answer] = number
                answered += 1
    return not is_last or answered == _sought(claim, row)


@inlined
def _entered_next(claim: _Claim, state: int, following: Numbers, order: Numbers, low: Numbers, component: Numbers) -> int:
    """The next state that the search enters by an inert transition from a state, or NOT_THERE."""
    while following[state] < claim.offsets[state + 1]:
        place = following[state]
        if _is_inert(claim, state, place):
            target = claim.targets[place]
            if order[target] == 0:
                return int(target)
            if component[target] < 0:
                low[state] = min(low[state], low[target])
        following[state] += 1
    return NOT_THERE


@compiled
def is_quotient(
    offsets: Numbers, actions: Numbers, targets: Numbers, ranks: Numbers, internal: int, state_of: Numbers,
    row_offsets: Numbers, row_actions: Numbers, row_targets: Numbers,
) -> bool:  # fmt: skip
    """Is each state related to its state of the smaller graph? `state_of` is -1 for states that have none.

    `ranks` are the numbers that actions of the graph have in the smaller one.
    """
    claim = _Claim(offsets, actions, targets, ranks, internal, state_of, row_offsets, row_actions, row_targets)
    if not _is_well_formed(claim):
        return False
    states = len(state_of)
    order, low, component = np.zeros(states, np.int64), np.zeros(states, np.int64), np.full(states, -1, np.int64)
    path, waiting, following = np.empty(states, np.int64), np.empty(states, np.int64), np.empty(states, np.int64)
    met = np.full(len(row_targets), -1, np.int64)
    entered, number, pending = 0, 0, 0
    for root in range(states):
        depth, path[0] = 0 if state_of[root] >= 0 and order[root] == 0 else -1, root
        while depth >= 0:
            state = path[depth]
            if order[state] == 0:
                entered += 1
                order[state], low[state], following[state] = entered, entered, offsets[state]
                waiting[pending] = state
                pending += 1
            target = _entered_next(claim, state, following, order, low, component)
            if target >= 0:
                depth += 1
                path[depth] = target
                continue
            depth -= 1
            if low[state] == order[state]:
                begin = pending
                while component[state] < 0:
                    begin -= 1
                    component[waiting[begin]] = number
                if not _component_agrees(claim, waiting[begin:pending], number, component, met):
                    return False
                pending, number = begin, number + 1
    return True
