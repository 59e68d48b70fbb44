"""CTL with modalities on an explicit graph, and a path that shows why a formula is false.

Reference: Hennessy, Milner 1985, "Algebraic laws for nondeterminism and concurrency" (modalities); Clarke, Emerson, Sistla 1986.
Symbols:   –
Invariant: a path begins in a state where the formula is false, and each further state follows from the one before.
Deviates:  where no single path refutes a formula, the path shows as much as a path can.
Cost:      each operator takes time linear in the transitions; a bounded one up to as many times as its upper bound says.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from msgspec import Struct

from coarsest.logic.expr import Apply, Constant, Expr
from coarsest.lts import closures
from coarsest.lts.csr import Mask
from coarsest.run import Run
from coarsest.search.ctl_fixpoints import CtlFixpoints
from coarsest.space.explicit.explicit import ExplicitSet
from coarsest.space.explicit.labelled_graph import GraphStates


class Walk(Struct, frozen=True):
    """Numbers of states, one after the other, and the actions that lead to the next; with `loop`, the last one leads there."""

    states: tuple[int, ...]
    actions: tuple[int, ...]
    loop: int | None = None


class CtlOnGraphs(CtlFixpoints[ExplicitSet]):
    """The states of a graph that satisfy formulas."""

    space: GraphStates

    def __init__(self, states: GraphStates, run: Run) -> None:
        super().__init__(states, run)
        self.graph = states.graph

    def _compute(self, formula: Expr) -> ExplicitSet:
        match formula:
            case Apply("diamond" | "box" as op, (Constant(str(action)), inner)):
                return self.space.modal(op, action, self.satisfying(inner))
        return super()._compute(formula)

    def some_next(self, p: ExplicitSet) -> ExplicitSet:
        return ExplicitSet(closures.leading_into(self.graph, p.mask))

    def some_until(self, through: ExplicitSet, goal: ExplicitSet) -> ExplicitSet:
        return ExplicitSet(closures.reaching(self.graph, self.run, through.mask, goal.mask))

    def some_always(self, p: ExplicitSet) -> ExplicitSet:
        return ExplicitSet(closures.staying(self.graph, self.run, p.mask))

    # Paths

    def refutation(self, state: int, formula: Expr) -> Walk:
        """A path from a state where the formula is false, to where that shows."""
        match formula:
            case Apply("and", args):
                return self.refutation(state, next(arg for arg in args if not self.satisfying(arg).mask[state]))
            case Apply("implies", (_, conclusion)):
                return self.refutation(state, conclusion)
            case Apply("AG", (inner,)):
                start, everywhere, bad = self._only(state), self.space.states.mask, ~self.satisfying(inner).mask
                return self._further(closures.shortest_path(self.graph, self.run, start, everywhere, bad), inner)
            case Apply("AX", (inner,)):
                return self._further([state, self._successor(state, ~self.satisfying(inner).mask)], inner)
            case Apply("box", (Constant(str(action)), inner)):
                number = self.space.transitions.action_names.index(action)
                target = self._successor(state, ~self.satisfying(inner).mask, number)
                return self._further([state, target], inner, (number,))
            case Apply("AF", (inner,)):
                return self._staying(state, ~self.satisfying(inner).mask)
        return Walk((state,), ())

    def _only(self, state: int) -> Mask:
        mask = np.zeros(self.graph.nodes, dtype=np.bool_)
        mask[state] = True
        return mask

    def _staying(self, state: int, members: Mask) -> Walk:
        """A walk for ever along members."""
        staying = closures.staying(self.graph, self.run, members)
        cyclic, component = closures.on_cycles(self.graph, self.run, staying[self.graph.sources] & staying[self.graph.targets])
        path = closures.shortest_path(self.graph, self.run, self._only(state), staying, cyclic & staying)
        states, loop = closures.closed(self.graph, self.run, path, staying & (component == component[path[-1]]))
        return Walk(tuple(states), self._actions([*states, states[loop]]), loop)

    def _further(self, path: list[int], inner: Expr, actions: tuple[int, ...] | None = None) -> Walk:
        rest = self.refutation(path[-1], inner)
        taken = self._actions(path) if actions is None else actions
        loop = None if rest.loop is None else rest.loop + len(path) - 1
        return Walk((*path[:-1], *rest.states), (*taken, *rest.actions), loop)

    def _successor(self, state: int, goal: Mask, action: int | None = None) -> int:
        """A successor in the goal, by a given action or any."""
        row = slice(int(self.graph.offsets[state]), int(self.graph.offsets[state + 1]))
        targets = self.graph.targets[row]
        fitting = goal[targets] if action is None else goal[targets] & (self.space.actions[row] == action)
        return int(targets[np.argmax(fitting)])

    def _actions(self, path: list[int]) -> tuple[int, ...]:
        """An action for each step."""
        actions = []
        for source, target in pairwise(path):
            row = slice(int(self.graph.offsets[source]), int(self.graph.offsets[source + 1]))
            actions.append(int(self.space.actions[row][np.argmax(self.graph.targets[row] == target)]))
        return tuple(actions)
