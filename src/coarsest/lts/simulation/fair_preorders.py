"""Direct and delay simulation between the states of a fair graph, with lookahead, as matrices of bits.

The kernels for Büchi automata do the work: a letter is an action with the label of the state that it leads to.

Reference: Bustan 2002, definitions 4.1.1 and 4.1.8, and chapter 7, which asks for relations between simulation and language
           inclusion; Mayr, Clemente 2013, Advanced automata minimization, section 4.
Symbols:   bit q of row p says that q answers p, from the first state on.
Invariant: as in _kernels/preorders.
Deviates:  with several fairness sets, delay simulation is a game on single pairs of states (lts/games).
Cost:      as in _kernels/preorders; two or more bits for each pair of states.
"""

from __future__ import annotations

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from coarsest._kernels.preorders.fair_simulations import Rows, delay_simulation, packed
from coarsest._kernels.preorders.lookahead import delay_lookahead, direct_lookahead
from coarsest.lts.fair import FairGraph
from coarsest.run import Run


class _Letters(Struct, frozen=True, eq=False):
    letters: NDArray[np.int64]
    sources: NDArray[np.int64]
    targets: NDArray[np.int64]
    accepting: NDArray[np.bool_]


def fair_preorder(by: str, fair: FairGraph, run: Run, *, ahead: int = 1, choice: str = "auto") -> Rows:
    """Which states are below which, by direct simulation, or by delay simulation for at most one fairness set.

    >>> from coarsest.lts.labelled import Graph
    >>> loops = Graph.from_edges(2, [0, 1], [0, 0], [0, 1])
    >>> fair_preorder("direct", FairGraph(loops, (np.array([True, False]),)), Run()).tolist()
    [[1], [3]]
    """
    graph, everyone = fair.graph, np.ones(fair.graph.states, dtype=np.bool_)
    marks = fair.fairness or (everyone,)
    names = np.unique(np.array(graph.action_names, dtype=object), return_inverse=True)[1]
    arrivals = np.stack([names[graph.actions], graph.labels[graph.targets]]).astype(np.int64)
    _, letters = np.unique(arrivals, axis=1, return_inverse=True) if graph.transitions else (None, arrivals[0])
    columns = np.unique(np.stack([letters.reshape(-1), graph.sources, graph.targets]).astype(np.int64), axis=1)
    letters, sources, targets = map(np.ascontiguousarray, columns)
    buchi = _Letters(letters, sources, targets, np.ascontiguousarray(marks[0]))
    if by == "direct":
        rows = direct_lookahead(buchi, ahead, run, marks=marks, choice=choice)
    elif ahead == 1:
        rows = delay_simulation(buchi, run, choice=choice)
    else:
        rows = delay_lookahead(buchi, ahead, run, choice=choice)
    seen, label = np.unique(graph.labels, return_inverse=True)
    alike = packed(np.stack([graph.labels == one for one in seen])) if len(seen) else rows
    return np.ascontiguousarray(rows & alike[label])
