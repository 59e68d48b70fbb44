"""CTL with modalities on an explicit graph, and a path that shows why a formula is false.

Reference: Hennessy, Milner 1985, "Algebraic laws for nondeterminism and concurrency" (modalities); Clarke, Emerson, Sistla 1986.
Symbols:   –
Invariant: a path begins in a state where the formula is false, and each further state follows from the one before.
Deviates:  of formulas that one path does not refute, the path leads as far as one does.
Cost:      as of CTL; a modality takes time linear in the transitions.
"""

from __future__ import annotations

import numpy as np

from coarsest.logic.expr import Apply, Constant, Expr
from coarsest.run import Run
from coarsest.search.ctl_fixpoints import CtlFixpoints
from coarsest.search.fair_states import fair_hull
from coarsest.search.witness import Path, fair_lasso, shortest
from coarsest.space.explicit.explicit import ExplicitSet
from coarsest.space.explicit.labelled_graph import GraphStates
from coarsest.space.views import Total


class CtlOnGraphs(CtlFixpoints[ExplicitSet]):
    """The states of a graph that satisfy formulas; a state without successor has a step to itself."""

    def __init__(self, graph: GraphStates, run: Run) -> None:
        super().__init__(Total(graph, graph.stuck), run)
        self.graph = graph

    def _compute(self, formula: Expr) -> ExplicitSet:
        match formula:
            case Apply("diamond" | "box" as op, (Constant(str(action)), inner)):
                return self.graph.modal(op, action, self.satisfying(inner), formula.span)
        return super()._compute(formula)

    def refutation(self, state: ExplicitSet, formula: Expr) -> Path[ExplicitSet]:
        """A path from a state where the formula is false, to where that shows."""
        space, run = self.space, self.run
        match formula:
            case Apply("and", args):
                return self.refutation(state, next(arg for arg in args if not state <= self.satisfying(arg)))
            case Apply("implies", (_, conclusion)):
                return self.refutation(state, conclusion)
            case Apply("AG", (inner,)):
                path = shortest(space, run, state, space.states, space.states - self.satisfying(inner))
                return self._further(path, inner)
            case Apply("AX", (inner,)):
                return self._further([state, space.pick(space.post(state) - self.satisfying(inner))], inner)
            case Apply("box", (Constant(str(action)), inner)):
                return self._further([state, self._by_action(state, action, self.satisfying(inner))], inner)
            case Apply("AF", (inner,)):
                avoiding = space.states - self.satisfying(inner)
                hull = fair_hull(space, run, avoiding)
                return fair_lasso(space, run, state, avoiding, hull)
        return Path((state,))

    def _further(self, path: list[ExplicitSet], inner: Expr) -> Path[ExplicitSet]:
        rest = self.refutation(path[-1], inner)
        return Path((*path[:-1], *rest.states), None if rest.loop is None else rest.loop + len(path) - 1)

    def _by_action(self, state: ExplicitSet, action: str, avoided: ExplicitSet) -> ExplicitSet:
        """A state that an action leads to, outside of a set."""
        graph = self.graph.transitions
        number = int(np.argmax(state.mask))
        row = slice(int(graph.offsets[number]), int(graph.offsets[number + 1]))
        targets = graph.targets[row][graph.actions[row] == graph.action_names.index(action)]
        mask = np.zeros(graph.states, dtype=np.bool_)
        mask[targets] = True
        return self.space.pick(ExplicitSet(mask) - avoided)
