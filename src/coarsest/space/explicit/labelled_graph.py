"""Explicit graphs with actions and labels as state spaces: a state without successor has a step to itself."""

from __future__ import annotations

from typing import Final

import numpy as np

from coarsest.logic.expr import Apply, Constant, Expr
from coarsest.lts.csr import Csr, Mask
from coarsest.lts.labelled import Graph, Numbers
from coarsest.space.explicit.explicit import ExplicitSet, ExplicitSpace

STAYS: Final = -1
"""The number, among those of actions, of the step of a state without successor to itself."""


class GraphStates(ExplicitSpace):
    """The states of a graph; conditions are made of labels and modalities."""

    def __init__(self, graph: Graph) -> None:
        self.transitions = graph
        self.stuck = ExplicitSet(np.diff(graph.offsets) == 0)
        offsets, self.actions, targets = _total(graph, self.stuck.mask)
        initial = np.zeros(graph.states, dtype=np.bool_)
        initial[graph.initial] = True
        labels = {name: graph.labels == number for number, name in enumerate(graph.label_names) if name}
        super().__init__(Csr(offsets.astype(np.int64, copy=False), targets), initial, labels=labels)

    def modal(self, op: str, action: str, inner: ExplicitSet) -> ExplicitSet:
        """<action>φ or [action]φ, where φ is true in the inner set."""
        into = inner.mask if op == "diamond" else ~inner.mask
        taken = (self.actions == self.transitions.action_names.index(action)) & into[self.graph.targets]
        sources = np.zeros(self.graph.nodes, dtype=np.bool_)
        sources[self.graph.sources[taken]] = True
        return ExplicitSet(sources if op == "diamond" else ~sources)

    def _labelled(self, label: Expr) -> Mask:
        match label:
            case Apply("diamond" | "box" as op, (Constant(str(action)), inner)):
                return self.modal(op, action, self.where(inner)).mask
            case Apply("label", (Constant(str(name)),)):
                return self.labels[name]
        return super()._labelled(label)


def _total(graph: Graph, stuck: Mask) -> tuple[Numbers, Numbers, Numbers]:
    """Offsets, actions and targets with the steps of states that stay."""
    if not stuck.any():
        return graph.offsets, graph.actions, graph.targets
    offsets = graph.offsets.astype(np.int64)
    offsets[1:] += np.cumsum(stuck)
    stays = np.zeros(int(offsets[-1]), dtype=np.bool_)
    stays[offsets[:-1][stuck]] = True
    actions, targets = np.empty(len(stays), dtype=graph.actions.dtype), np.empty(len(stays), dtype=graph.targets.dtype)
    actions[stays], targets[stays] = STAYS, np.flatnonzero(stuck)
    actions[~stays], targets[~stays] = graph.actions, graph.targets
    return offsets, actions, targets
