"""The reachable states of a machine as an explicit graph: actions are values of inputs, labels what is observed of states."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from coarsest.errors import ModelProblem
from coarsest.logic.expr import Expr, Name
from coarsest.logic.show import show
from coarsest.lts.labelled import Graph
from coarsest.model.interpret.values import ValueChoice
from coarsest.model.machine import Machine
from coarsest.model.types import show_value
from coarsest.run import Run
from coarsest.space.explicit.enumerate import enumerate_machine
from coarsest.space.explicit.listed import ListedSpace, edges_of
from coarsest.space.explicit.valuation import Codes


def graph_of(machine: Machine, inputs: Sequence[str], observed: Sequence[Expr], run: Run) -> Graph:
    """Steps are named by the values of these inputs; without inputs, there is one action, without a name."""
    space = enumerate_machine(machine, run)
    if not space.initial:
        raise ModelProblem("there is no initial state, and a graph has one", hint="look at INIT, INVAR and init()")
    if inputs:
        steps = [(action.name, edges_of(action)) for action in space.actions(inputs, run)]
    else:
        steps = [("", space.graph)]
    labels, names = _labels(space, observed)
    return Graph.from_edges(
        space.graph.nodes,
        np.concatenate([graph.sources for _, graph in steps]),
        np.repeat(np.arange(len(steps), dtype=np.int32), [graph.edges for _, graph in steps]),
        np.concatenate([graph.targets for _, graph in steps]),
        initial=np.flatnonzero(space.initial.mask), labels=labels,
        action_names=tuple(name for name, _ in steps), label_names=names,
    )  # fmt: skip


def _labels(space: ListedSpace, observed: Sequence[Expr]) -> tuple[Codes, tuple[str, ...]]:
    """The number of each state's label, and what labels say: the value of each expression."""
    labels, names = np.zeros(space.graph.nodes, dtype=np.int64), [""]
    for expr in observed:
        codes, values = _seen(space, expr)
        present, labels = np.unique(labels * len(values) + codes, return_inverse=True)
        pairs = (divmod(int(pair), len(values)) for pair in present)
        names = [", ".join(filter(None, (names[before], values[own]))) for before, own in pairs]
        labels = labels.reshape(-1)
    order = sorted(range(len(names)), key=names.__getitem__)
    place = np.empty(len(names), dtype=np.int64)
    place[order] = np.arange(len(names))
    return place[labels], tuple(names[number] for number in order)


def _seen(space: ListedSpace, expr: Expr) -> tuple[Codes, list[str]]:
    """The value of an expression in each state: it is evaluated once for each combination of values it reads."""
    interpreter, valuation = space.interpreter, space.valuation
    _, examples, combined = np.unique(valuation.alike(interpreter.variables_read(expr)), return_index=True, return_inverse=True)
    texts: dict[str, int] = {}
    codes = np.empty(len(examples), dtype=np.int64)
    for combination, example in enumerate(examples.tolist()):
        value = interpreter.value(expr, valuation.state(example))
        assert not isinstance(value, ValueChoice), "what is observed has one value"
        name = show(expr) if isinstance(expr, Name) else f"({show(expr)})"
        codes[combination] = texts.setdefault(f"{name} = {show_value(value)}", len(texts))
    return codes[combined.reshape(-1)], list(texts)
