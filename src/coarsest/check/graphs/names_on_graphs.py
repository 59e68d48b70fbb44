"""The names in a formula about a graph: which are labels and which actions, and complaints about those that are neither."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from coarsest.errors import NameProblem
from coarsest.logic.expr import Apply, Constant, Expr, Name
from coarsest.logic.modal.hennessy_milner import action_text
from coarsest.lts.labelled import INTERNAL, Graph
from coarsest.text import Span
from coarsest.text.near import nearest
from coarsest.text.printable import printable

MOST_SHOWN: Final = 8
"""A hint lists at most this many names."""


class Names:
    """The names of a graph, and the words for what is not among them."""

    def __init__(self, graph: Graph) -> None:
        self.actions = frozenset(graph.action_names)
        self.labels = frozenset(name for name in graph.label_names if name)

    def resolved(self, formula: Expr, *, on_steps: bool) -> Expr:
        """The formula with `label` and `action` where a name is both, and the internal action by the name that it has here.

        With `on_steps`, the formula may speak of the next step at each point of a path, and not only of the state.
        """
        match formula:
            case Constant():
                return formula
            case Name(name):
                return self._name(name, formula.span, on_steps=on_steps)
            case Apply("label", (Constant(str(name)),)):
                _require_known("label", name, self.labels, formula.span)
                return formula
            case Apply("action", (Constant(str(name)),)):
                action = self.action(name, formula.span)
                return self._step(Apply("action", (Constant(action),), formula.span), action, on_steps=on_steps)
            case Apply("diamond" | "box" as op, (Constant(str(name), span), inner)):
                return Apply(op, (Constant(self.action(name, span)), self.resolved(inner, on_steps=False)), formula.span)
        return Apply(formula.op, tuple(self.resolved(arg, on_steps=on_steps) for arg in formula.args), formula.span)

    def speaks_of_steps(self, formula: Expr) -> bool:
        """Is the formula about the next step, outside of modalities?"""
        match formula:
            case Name(name):
                return name not in self.labels and self._is_action(name)
            case Apply("action"):
                return True
            case Apply("diamond" | "box" | "label") | Constant():
                return False
        return any(map(self.speaks_of_steps, formula.args))

    def _is_action(self, name: str) -> bool:
        return name in self.actions or (name in INTERNAL and not self.actions.isdisjoint(INTERNAL))

    def action(self, name: str, span: Span | None) -> str:
        """The name that an action has in the graph; the internal one has two."""
        same = INTERNAL if name in INTERNAL else (name,)
        here = next((other for other in same if other in self.actions), name)
        _require_known("action", here, self.actions, span)
        return here

    def _name(self, name: str, span: Span | None, *, on_steps: bool) -> Expr:
        is_action = self._is_action(name)
        if name in self.labels:
            if is_action and on_steps:
                shown = action_text(name)
                hint = f"write label {shown} or action {shown}"
                raise NameProblem(f"'{printable(name)}' is an action and a label", span, hint=hint)
            return Name(name, span)
        if not is_action:
            sort, names = ("action or label", self.labels | self.actions) if on_steps else ("label", self.labels)
            _require_known(sort, name, names, span)
        action = self.action(name, span)
        return self._step(Name(action, span), action, on_steps=on_steps)

    def _step(self, atom: Expr, action: str, *, on_steps: bool) -> Expr:
        if not on_steps:
            hint = f"of a state one says <{action_text(action)}>true"
            raise NameProblem(f"'{printable(action)}' is an action, and this is about a state", atom.span, hint=hint)
        return atom


def _require_known(kind: str, name: str, names: Collection[str], span: Span | None) -> None:
    if name in names:
        return
    close = nearest(name, sorted(names))
    few = f"it has {', '.join(map(action_text, sorted(names)))}" if 0 < len(names) <= MOST_SHOWN else ""
    hint = f"did you mean {action_text(close[0])}?" if close else few or ("" if names else f"it has no {kind}s")
    raise NameProblem(f"the graph has no {kind} '{printable(name)}'", span, hint=hint)
