"""The smallest graph that behaves like a given one."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from msgspec import Struct

from coarsest.lts.certificates import GraphCertificate
from coarsest.lts.labelled import Graph, Numbers
from coarsest.lts.minimise.classes import bisimulation_classes
from coarsest.lts.minimise.quotient import quotient
from coarsest.run import Run


class LateCertificate(NamedTuple):
    """A certificate about the original and the quotient side by side, made when it is asked for; so many blocks are put in an
    order by it."""

    blocks: int
    make: Callable[[], GraphCertificate]


class Minimised(Struct, frozen=True, eq=False, dict=True):
    """A quotient, and the state of it that stands for each state of the original, or -1 where that cannot be reached."""

    graph: Graph
    state_of: Numbers
    relation: str
    algorithm: str
    work: int
    """How many transitions were looked at to find the classes."""
    claim: LateCertificate | None = None
    """Where it is not said by `state_of` alone why the quotient is related: states are merged that only simulate each other."""
    engine: str | None = None
    """Who found the classes, if not the processor."""
    warnings: tuple[str, ...] = ()
    """Why it was not done as was asked for."""
    seconds: float = 0.0
    """The time that the run took for it, if it was asked for by the name of a relation."""


def minimise(
    graph: Graph, *, algorithm: str = "auto", engine: str = "auto", keep_unreachable: bool = False, run: Run | None = None,
    choice: str = "auto",
) -> Minimised:  # fmt: skip
    """The quotient of a graph by strong bisimulation, reachable states only unless the others are wanted too.

    `choice` is of "auto", "compiled" and "pure": which kernels do the work.

    >>> graph = Graph.from_edges(4, [0, 0, 1, 2], [0, 0, 0, 0], [1, 2, 3, 3], action_names=("a",))
    >>> minimise(graph).graph, minimise(graph).state_of.tolist()
    (<Graph: 3 states, 2 transitions, 1 action>, [0, 1, 1, 2])
    """
    classes = bisimulation_classes(graph, algorithm=algorithm, engine=engine, run=run, choice=choice)
    small, state_of = quotient(graph, classes, keep_unreachable=keep_unreachable, run=run, choice=choice)
    return Minimised(
        small, state_of, "bisimulation", classes.algorithm, classes.work, engine=classes.engine, warnings=classes.warnings
    )
