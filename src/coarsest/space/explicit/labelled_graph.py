"""Explicit graphs with actions and labels as state spaces: their states, and their steps.

For formulas about actions along a path, what is counted is the step that comes next: a *position* is a transition, or a state
without successor, which stays where it is. Sets of either are bit sets; an image takes time linear in the transitions.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from coarsest.errors import NameProblem
from coarsest.logic.expr import Apply, Constant, Expr, Name
from coarsest.logic.modal.hennessy_milner import action_text
from coarsest.lts.csr import Csr, Mask
from coarsest.lts.labelled import Graph
from coarsest.space.explicit.explicit import CONNECTIVES, ExplicitSet, ExplicitSpace
from coarsest.space.space import Fairness, State
from coarsest.text import Span
from coarsest.text.near import nearest


class GraphStates(ExplicitSpace):
    """The states of a graph; conditions are made of labels and modalities."""

    def __init__(self, graph: Graph) -> None:
        initial = np.zeros(graph.states, dtype=np.bool_)
        initial[graph.initial] = True
        labels = {name: graph.labels == number for number, name in enumerate(graph.label_names) if name}
        super().__init__(Csr.from_edges(graph.states, graph.sources, graph.targets), initial, labels=labels)
        self.transitions = graph
        self.sources = graph.sources

    @property
    def stuck(self) -> ExplicitSet:
        """The states without successor."""
        return ExplicitSet(np.diff(self.transitions.offsets) == 0)

    def by_action(self, action: str, into: Mask, span: Span | None) -> Mask:
        """The states with a transition of that action into a set."""
        number = action_number(self.transitions, action, span)
        taken = (self.transitions.actions == number) & into[self.transitions.targets]
        sources = np.zeros(self.transitions.states, dtype=np.bool_)
        sources[self.sources[taken]] = True
        return sources

    def modal(self, op: str, action: str, inner: ExplicitSet, span: Span | None) -> ExplicitSet:
        """<action>φ or [action]φ, where φ is true in the inner set."""
        if op == "diamond":
            return ExplicitSet(self.by_action(action, inner.mask, span))
        return ExplicitSet(~self.by_action(action, ~inner.mask, span))

    def _labelled(self, label: Expr) -> Mask:
        match label:
            case Apply("diamond" | "box" as op, (Constant(str(action)), inner)):
                return self.modal(op, action, self.where(inner), label.span).mask
            case Name(name) if name not in self.labels and name in self.transitions.action_names:
                hint = f"of a state one says <{action_text(name)}>true"
                raise NameProblem(f"'{name}' is an action, and this formula is about states", label.span, hint=hint)
        return super()._labelled(label)


def action_number(graph: Graph, action: str, span: Span | None) -> int:
    """The number of an action; raises NameProblem if there is none of that name."""
    if action not in graph.action_names:
        close = nearest(action, graph.action_names)
        hint = f"did you mean '{close[0]}'?" if close else ""
        raise NameProblem(f"the graph has no action '{action}'", span, hint=hint)
    return graph.action_names.index(action)


class GraphSteps:
    """The positions of the paths of a graph."""

    def __init__(self, states: GraphStates) -> None:
        graph = states.transitions
        stuck = np.flatnonzero(states.stuck.mask)
        self.base = states
        self.sources = np.concatenate([states.sources, stuck])
        self.targets = np.concatenate([graph.targets, stuck])
        self.actions = np.concatenate([graph.actions, np.full(len(stuck), -1, dtype=graph.actions.dtype)])
        self.states = ExplicitSet(np.ones(len(self.sources), dtype=np.bool_))
        self.empty = ExplicitSet(np.zeros(len(self.sources), dtype=np.bool_))
        self.initial = ExplicitSet(states.initial.mask[self.sources])
        self.fairness: Fairness[ExplicitSet] = Fairness()

    @property
    def parts(self) -> Sequence[GraphSteps]:
        return [self]

    def _states(self, numbers: np.ndarray[tuple[int, ...], np.dtype[np.signedinteger]]) -> Mask:
        mask = np.zeros(self.base.transitions.states, dtype=np.bool_)
        mask[numbers] = True
        return mask

    def post(self, states: ExplicitSet) -> ExplicitSet:
        return ExplicitSet(self._states(self.targets[states.mask])[self.sources])

    def pre(self, states: ExplicitSet) -> ExplicitSet:
        return ExplicitSet(self._states(self.sources[states.mask])[self.targets])

    def where(self, label: Expr) -> ExplicitSet:
        """A condition on the state, or on the action of the step."""
        match label:
            case Name(name) if name in self.base.transitions.action_names:
                if name in self.base.labels:
                    hint = f"of an action one says <{action_text(name)}>true, which is about the state before it"
                    raise NameProblem(f"'{name}' is an action and a label", label.span, hint=hint)
                return ExplicitSet(self.actions == action_number(self.base.transitions, name, label.span))
            case Apply(op, args) if op in CONNECTIVES or op == "implies":
                masks = [self.where(arg).mask for arg in args]
                if op == "implies":
                    return ExplicitSet(~masks[0] | masks[1])
                combine = CONNECTIVES[op]
                return ExplicitSet(combine.reduce(masks) if op in ("and", "or") else combine(*masks))
        return ExplicitSet(self.base.where(label).mask[self.sources])

    def pick(self, states: ExplicitSet) -> ExplicitSet:
        mask = np.zeros(len(self.sources), dtype=np.bool_)
        if states:
            mask[np.argmax(states.mask)] = True
        return ExplicitSet(mask)

    def count(self, states: ExplicitSet) -> int:
        return int(np.count_nonzero(states.mask))

    def cost(self, states: ExplicitSet) -> dict[str, int]:
        return {"steps": self.count(states)}

    def describe(self, state: ExplicitSet) -> State:
        """The state before the step and, unless the step stays for want of a successor, its action."""
        position = int(np.argmax(state.mask))
        action = int(self.actions[position])
        values: dict[str, int | str] = {"state": int(self.sources[position])}
        return values if action < 0 else {**values, "action": self.base.transitions.action_names[action]}
