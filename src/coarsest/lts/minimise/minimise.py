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
    """A certificate about the original and the quotient side by side, which is made when it is asked for. `blocks` is the number
    of blocks that it orders, or 0 if it orders none."""

    blocks: int
    make: Callable[[], GraphCertificate]


class Minimised(Struct, frozen=True, eq=False, dict=True):
    """A quotient, and the state of it that stands for each state of the original, or -1 where that cannot be reached."""

    graph: Graph
    state_of: Numbers
    relation: str
    algorithm: str
    work: int
    """The number of transitions that were looked at to compute the classes."""
    claim: LateCertificate | None = None
    """What shows that the quotient is related, if `state_of` alone does not: states are merged that only simulate each other."""
    engine: str | None = None
    """What computed the classes, if not the processor."""
    warnings: tuple[str, ...] = ()
    """Why it was not done as was asked for."""
    seconds: float = 0.0
    """The time that the run took for it, if it was asked for by the name of a relation."""


def minimise(
    graph: Graph, *, algorithm: str = "auto", engine: str = "auto", keep_unreachable: bool = False, run: Run | None = None,
    choice: str = "auto",
) -> Minimised:  # fmt: skip
    """The quotient of a graph by strong bisimulation, with reachable states only, unless the others are kept as well.

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
