"""The smallest graph that is bisimilar to a given one."""

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
    """A certificate about the original and the quotient side by side, which is made when a judge needs it. `blocks` is the number
    of blocks that it orders, or 0 if it orders none."""

    blocks: int
    make: Callable[[], GraphCertificate]


class Minimised(Struct, frozen=True, eq=False, dict=True):
    """A quotient, and its state for each state of the original, or -1 where that was unreachable and dropped."""

    graph: Graph
    state_of: Numbers
    relation: str
    algorithm: str
    work: int
    """The number of transitions that were looked at to compute the classes."""
    claim: LateCertificate | None = None
    """The certificate that the quotient is related, if `state_of` does not suffice because merged states only simulate each
    other."""
    engine: str | None = None
    """The device that computed the classes, if not the processor."""
    warnings: tuple[str, ...] = ()
    """Reasons why it was not done as the user asked."""
    seconds: float = 0.0
    """The time of the reduction, which `Relation.minimised` measures."""


def minimise(
    graph: Graph, *, algorithm: str = "auto", engine: str = "auto", keep_unreachable: bool = False, run: Run | None = None,
    choice: str = "auto",
) -> Minimised:  # fmt: skip
    """The quotient of a graph by strong bisimulation, of the reachable states or of all. The `choice` of kernels is "auto",
    "compiled" or "pure".

    >>> graph = Graph.from_edges(4, [0, 0, 1, 2], [0, 0, 0, 0], [1, 2, 3, 3], action_names=("a",))
    >>> minimise(graph).graph, minimise(graph).state_of.tolist()
    (<Graph: 3 states, 2 transitions, 1 action>, [0, 1, 1, 2])
    """
    classes = bisimulation_classes(graph, algorithm=algorithm, engine=engine, run=run, choice=choice)
    small, state_of = quotient(graph, classes, keep_unreachable=keep_unreachable, run=run, choice=choice)
    return Minimised(
        small, state_of, "bisimulation", classes.algorithm, classes.work, engine=classes.engine, warnings=classes.warnings
    )
