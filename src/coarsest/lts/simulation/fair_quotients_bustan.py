"""Smaller fair graphs that are delay equivalent, or direct equivalent, to a given one.

Reference: Bustan 2002, section 4.2.4 and figure 4.3 (delay quotient, then direct little brothers, then unreachable states);
           table 4.1 says which of these operations are safe for which simulation.
Symbols:   M is `fair`, its quotient M^Q has the classes of equivalent states; a little brother is a successor that is strictly
           below another successor of the same state.
Invariant: every graph on the way is equivalent to the first: by delay, and so by game and exists; or by direct simulation.
Deviates:  any number of fairness sets, a class being in each of those that one of its states is in; transitions have actions, and
           may be missing; bisimilar states are merged first; the steps are repeated until nothing changes; an initial state
           that is below another one is no longer initial. The smallest graph by delay is not unique, and this may not be one.
           With lookahead, direct and delay simulation are taken ahead, closed transitively: then only words are the same.
Cost:      that of the preorders, in each round; with several fairness sets, of the parity game on all pairs of states.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray

from coarsest._kernels.preorders.fair_simulations import unpacked
from coarsest.errors import Unsupported
from coarsest.lts.fair import FairGraph, as_fair, as_labelled
from coarsest.lts.games.simulation_game import simulated_pairs
from coarsest.lts.labelled import Graph, Numbers
from coarsest.lts.minimise.minimise import Minimised, minimise
from coarsest.lts.minimise.quotient import merged
from coarsest.lts.simulation.fair_preorders import fair_preorder
from coarsest.lts.simulation.preorder_ranzato_tapparo import Preorder, rows_of_bits, simulation_preorder
from coarsest.lts.simulation.smallest_bustan_grumberg import without_little_brothers
from coarsest.lts.staying import fair_staying, name_of_staying, without_staying
from coarsest.lts.union import tidied
from coarsest.run import Run

Below = NDArray[np.bool_]

MOST_PAIRS: Final = 4_000_000
"""Games on more pairs of states are refused: with their moves they would take gigabytes."""
MOST_STATES: Final = 20_000
"""Matrices of bits for more states are refused, as they would take gigabytes, too."""


class FairQuotient(Struct, frozen=True, eq=False):
    """A smaller fair graph, and its state that stands for each state of the first, or -1 if that state cannot be reached."""

    fair: FairGraph
    state_of: Numbers

    def then(self, further: FairQuotient) -> FairQuotient:
        return FairQuotient(further.fair, np.append(further.state_of, -1)[self.state_of])


def minimise_by_fair_simulation(
    graph: Graph | FairGraph, *, by: str = "direct", ahead: int = 1, keep_unreachable: bool = False, run: Run | None = None
) -> Minimised:
    """A smaller graph that is equivalent by direct or delay simulation, or with lookahead one that has the same words; the label
    `accepting` is its fairness set.

    >>> graph = Graph.from_edges(2, [0, 1], [0, 0], [1, 0], labels=[0, 1], label_names=("", "accepting"))
    >>> [minimise_by_fair_simulation(graph, by=by).graph.states for by in ("direct", "delay")]
    [2, 1]
    """
    fair = as_fair(graph)
    action = name_of_staying(fair.graph)
    small = smaller(fair_staying(fair, action), run or Run(), by=by, ahead=ahead, keep_unreachable=keep_unreachable)
    plain, looked_at = as_labelled(replace(small.fair, graph=without_staying(small.fair.graph, action))), fair.graph.transitions
    return Minimised(plain, small.state_of, by if ahead == 1 else "words", "fair-quotients", looked_at)


def smaller(fair: FairGraph, run: Run, *, by: str, ahead: int = 1, keep_unreachable: bool = False) -> FairQuotient:
    """The steps of figure 4.3, again and again; by direct simulation without the first of them."""
    def trimmed(fair: FairGraph) -> FairQuotient:
        return _through_actions(fair, lambda graph: minimise(graph, keep_unreachable=keep_unreachable, run=run))

    small = trimmed(fair)
    while True:
        states, transitions = small.fair.graph.states, small.fair.graph.transitions
        if by == "delay":
            below = _below("delay", small.fair, ahead, run)
            small = small.then(quotient(_without_initial_brothers(small.fair, below), below))
        if ahead == 1:
            small = small.then(_without_direct_brothers(small.fair, run, keep_unreachable=keep_unreachable))
        else:
            small = small.then(quotient(small.fair, _below("direct", small.fair, ahead, run)))
            small = small.then(trimmed(disconnected(small.fair, _below("direct", small.fair, ahead, run))))
        if (small.fair.graph.states, small.fair.graph.transitions) == (states, transitions):
            return small


def _below(by: str, fair: FairGraph, ahead: int, run: Run) -> Below:
    """Which states are below which."""
    if by == "delay" and len(fair.fairness) > 1:
        if ahead > 1:
            raise Unsupported("delay simulation with lookahead is for one fairness set", hint="use --by direct")
        _require_few_pairs(fair)
        return simulated_pairs(by, fair, run)
    if fair.graph.states > MOST_STATES:
        raise Unsupported(f"there are more than {MOST_STATES} states after bisimulation", hint="reduce by simulation")
    return unpacked(fair_preorder(by, fair, run, ahead=ahead), fair.graph.states)


def quotient(fair: FairGraph, below: Below) -> FairQuotient:
    """Classes of equivalent states; from one to another there is a transition if some state of the one has one, and a class is in
    the fairness sets that some state of it is in."""
    class_of = Preorder.of(below).block
    small = merged(fair.graph, class_of)
    fairness = tuple(np.isin(np.arange(small.states), class_of[members]) for members in fair.fairness)
    return FairQuotient(FairGraph(small, fairness), class_of)


def disconnected(fair: FairGraph, below: Below) -> FairGraph:
    """No transition to a state that is strictly below another successor of the same state."""
    strictly = rows_of_bits(below & ~below.T)
    return FairGraph(without_little_brothers(fair.graph, strictly), fair.fairness)


def _without_initial_brothers(fair: FairGraph, below: Below) -> FairGraph:
    """Plays may begin in the larger of two initial states: that is safe by any simulation."""
    initial = fair.graph.initial
    strictly = (below & ~below.T)[np.ix_(initial, initial)]
    return FairGraph(replace(fair.graph, initial=initial[~strictly.any(axis=1)]), fair.fairness)


def _without_direct_brothers(fair: FairGraph, run: Run, *, keep_unreachable: bool) -> FairQuotient:
    """The quotient by direct simulation, which is a simulation that knows fairness sets as actions, without little brothers; then
    what cannot be reached is left out."""
    def work(graph: Graph) -> Minimised:
        order = simulation_preorder(tidied(graph), run)
        whole = without_little_brothers(merged(graph, order.block), order.rows)
        last = minimise(whole, keep_unreachable=keep_unreachable, run=run)
        return replace(last, state_of=last.state_of[order.block])

    return _through_actions(fair, work)


def _through_actions(fair: FairGraph, work: Callable[[Graph], Minimised]) -> FairQuotient:
    """What becomes of a fair graph when its graph with fairness sets as actions is made smaller."""
    last = work(fair.with_fairness_as_actions())
    return FairQuotient(FairGraph.from_actions(last.graph, fair.words), last.state_of)


def _require_few_pairs(fair: FairGraph) -> None:
    alike = np.unique(fair.graph.labels, return_counts=True)[1].astype(np.int64)
    pairs = int((alike * alike).sum()) * (1 + len(fair.fairness))
    if pairs > MOST_PAIRS:
        message = f"delay simulation examines pairs of states with the same label, and {fair.graph.states} states have too many"
        raise Unsupported(message, hint="reduce by bisimulation or simulation")
