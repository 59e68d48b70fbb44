"""States without infinite paths, from the ends of paths to their beginnings, each looked at once: by arrays of NumPy or CuPy.

Reference: Dovier, Piazza and Policriti, An efficient algorithm for computing bisimulation equivalence, 2004 (states by rank).
Symbols:   the height of a state is the length of its longest path; the view of a state is a hash of all that can be seen from it.
Invariant: the states with a view are those up to some height. Bisimilar states have one height and one view.
Deviates:  different states may have one view, as hashes have 64 bits: whoever checks the partition finds out. It ends when few
           states have the next height, for rounds cost little more then.
Cost:      a look at the transitions of all states without a view for each height, and one sort.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from coarsest._kernels.arrays.rows import Array, ArrayRows, Arrays, differing


class Ends(NamedTuple):
    """The class of each state with a view, numbered from 0; `classes` for all other states, whose rows are `rest`."""

    class_of: Array
    classes: int
    rest: ArrayRows


def from_the_ends(by: Arrays, rows: ArrayRows, labels: Array, salt: np.uint64) -> Ends | None:
    """The classes of states of small height; None if there are too few to be worth it. `rows` are those of all states that have
    transitions."""
    xp, states = by.np, len(labels)
    if states - rows.number < max(1, by.worth_a_round):
        return None
    has_view = xp.ones(states, dtype=np.bool_)
    has_view[rows.states] = False
    marks = labels.view(np.uint32 if labels.dtype.itemsize == 4 else np.uint64)
    views = by.state_key(xp.zeros(states, dtype=np.uint64), marks)
    while rows.number:
        is_next = rows.lead_only_to(has_view)
        number = int(is_next.sum())
        if number < max(1, by.worth_a_round):
            break
        part = rows.some(xp.flatnonzero(is_next))
        views[part.states] = by.state_key(part.signatures(views, salt), marks[part.states])
        has_view[part.states] = True
        rows = rows.some(xp.flatnonzero(~is_next))
    members = xp.flatnonzero(has_view)
    views = views[members]
    order = xp.argsort(views)
    numbers = xp.cumsum(differing(xp, views[order]), dtype=labels.dtype)
    classes = int(numbers[-1])
    class_of = xp.full(states, classes, dtype=labels.dtype)
    class_of[members[order]] = numbers - 1
    return Ends(class_of, classes, rows)
