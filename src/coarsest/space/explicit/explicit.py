"""Explicit state spaces: states are numbers, sets are bit sets over them, the step relation is a graph.

Cost: an operation on sets takes time linear in the number of states, an image time linear in the edges that leave the set;
no loop over states or edges runs in Python.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import cast

import numpy as np
from numpy.typing import ArrayLike

from coarsest.errors import NameProblem, TypeProblem
from coarsest.logic.expr import Apply, Constant, Expr, Name, Value
from coarsest.lts.csr import Csr, Mask
from coarsest.space.space import Fairness, State
from coarsest.text.near import nearest


class ExplicitSet:
    """A set of states of one explicit space."""

    __slots__ = ("mask",)

    def __init__(self, mask: Mask) -> None:
        mask.flags.writeable = False
        self.mask = mask

    def __and__(self, other: ExplicitSet) -> ExplicitSet:
        return ExplicitSet(self.mask & other.mask)

    def __or__(self, other: ExplicitSet) -> ExplicitSet:
        return ExplicitSet(self.mask | other.mask)

    def __sub__(self, other: ExplicitSet) -> ExplicitSet:
        return ExplicitSet(self.mask & ~other.mask)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ExplicitSet) and bool(np.array_equal(self.mask, other.mask))

    def __hash__(self) -> int:
        return hash(np.packbits(self.mask).tobytes())

    def __le__(self, other: ExplicitSet) -> bool:
        return not bool(np.any(self.mask & ~other.mask))

    def __bool__(self) -> bool:
        return bool(self.mask.any())

    def __repr__(self) -> str:
        return f"ExplicitSet({np.flatnonzero(self.mask).tolist()})"


class ExplicitSpace:
    """The states 0, 1, …, n - 1 and the edges between them.

    >>> space = ExplicitSpace.from_edges(3, [(0, 1), (1, 2)], [0], labels={"end": [2]})
    >>> space.post(space.initial), space.pre(space.where(Name("end")))
    (ExplicitSet([1]), ExplicitSet([1]))
    """

    def __init__(
        self,
        graph: Csr | Callable[[], Csr],
        initial: Mask,
        *,
        labels: Mapping[str, Mask] | None = None,
    ) -> None:
        """The graph may also be given by a function, which is called when somebody asks for steps."""
        self._given = graph
        self.size = len(initial)
        self.labels = dict(labels or {})
        self.states = ExplicitSet(np.ones(self.size, dtype=np.bool_))
        self.empty = ExplicitSet(np.zeros(self.size, dtype=np.bool_))
        self.initial = ExplicitSet(initial)
        self._found: dict[int, tuple[Expr, ExplicitSet]] = {}

    @cached_property
    def graph(self) -> Csr:
        return self._given() if callable(self._given) else self._given

    @classmethod
    def from_edges(
        cls, n: int, edges: ArrayLike, initial: ArrayLike, labels: Mapping[str, ArrayLike] | None = None
    ) -> ExplicitSpace:
        """Build from pairs of states; `initial` and the labels are masks or lists of states."""
        pairs = np.asarray(edges, dtype=np.int64).reshape(-1, 2)
        graph = Csr.from_edges(n, pairs[:, 0], pairs[:, 1])
        return cls(graph, _mask(n, initial), labels={name: _mask(n, members) for name, members in (labels or {}).items()})

    @property
    def fairness(self) -> Fairness[ExplicitSet]:
        return Fairness()

    @property
    def parts(self) -> Sequence[ExplicitSpace]:
        """A graph has nothing to split: the space is its own only part."""
        return [self]

    def post(self, states: ExplicitSet) -> ExplicitSet:
        return ExplicitSet(self.graph.image(states.mask))

    def pre(self, states: ExplicitSet) -> ExplicitSet:
        return ExplicitSet(self.graph.transposed.image(states.mask))

    def where(self, label: Expr) -> ExplicitSet:
        known = self._found.get(id(label))
        if known is None or known[0] is not label:
            known = self._found[id(label)] = label, ExplicitSet(self._labelled(label))  # holding the label keeps its id its own
        return known[1]

    def _labelled(self, label: Expr) -> Mask:
        """A boolean expression over the given labels."""
        match label:
            case Constant(bool(value)):
                return np.full(self.size, value)
            case Name(name) if name in self.labels:
                return self.labels[name]
            case Name(name):
                close = nearest(name, self.labels)
                raise NameProblem(f"no label is called '{name}'", label.span, hint=f"did you mean '{close[0]}'?" if close else "")
            case Apply(op, args) if op in CONNECTIVES:
                masks = [self._labelled(arg) for arg in args]
                return cast(Mask, CONNECTIVES[op].reduce(masks)) if op in {"and", "or"} else cast(Mask, CONNECTIVES[op](*masks))
            case Apply("implies", (premise, conclusion)):
                return ~self._labelled(premise) | self._labelled(conclusion)
        raise TypeProblem("an expression over labels is made of labels and boolean connectives", label.span)

    def pick(self, states: ExplicitSet) -> ExplicitSet:
        """The state with the least number."""
        mask = np.zeros(self.size, dtype=np.bool_)
        if states:
            mask[np.argmax(states.mask)] = True
        return ExplicitSet(mask)

    def count(self, states: ExplicitSet) -> int:
        return int(np.count_nonzero(states.mask))

    def cost(self, states: ExplicitSet) -> dict[str, int]:
        return {"states": self.count(states)}

    def describe(self, state: ExplicitSet) -> State:
        """The number of the state, and its labels."""
        number = int(np.argmax(state.mask))
        return {"state": number, **{name: bool(mask[number]) for name, mask in self.labels.items()}}

    def state(self, values: Mapping[str, Value]) -> ExplicitSet:
        """The set of the one state with that number; empty if there is none."""
        number = values.get("state")
        return self._one(number if isinstance(number, int) else None)

    def _one(self, number: int | None) -> ExplicitSet:
        return ExplicitSet(_mask(self.size, [] if number is None else [number]))


CONNECTIVES: Mapping[str, np.ufunc] = {
    "not": np.logical_not,
    "and": np.logical_and,
    "or": np.logical_or,
    "xor": np.logical_xor,
    "xnor": np.equal,
    "iff": np.equal,
    "=": np.equal,
    "!=": np.not_equal,
}


def _mask(n: int, members: ArrayLike) -> Mask:
    """A set of states from a mask or a list of numbers."""
    given = np.asarray(members)
    if given.dtype == np.bool_:
        if given.shape != (n,):
            raise ValueError(f"a mask over {n} states is expected, found one over {given.size}")
        return given.copy()
    mask = np.zeros(n, dtype=np.bool_)
    mask[given.astype(np.int64)] = True
    return mask
