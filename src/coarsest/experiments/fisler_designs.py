"""The designs on which the algorithms of Fisler and Vardi 1999 are compared: some of the paper's, and ours.

The paper's are those of the VIS distribution, and are measured where they lie in `../shared/benchmarks`. The distribution has
changed since: designs are taken for the paper's where verdicts and iterations of backward reachability are the same. The
invariants of abp and of the elevators are not in the distribution, and its eisenberg is a larger one.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from coarsest.experiments.points import Facts


class InvariantDesign(Struct, frozen=True, kw_only=True):
    """An invariant of a model, how it ends, and after how many iterations of BR."""

    row: str
    arguments: Mapping[str, Any]
    holds: bool
    iterations: int
    theirs: Mapping[str, Facts] = {}
    """What the paper says of it, by algorithm."""
    quick: bool = True


def _example(row: str, name: str, invariant: str, **facts: Any) -> InvariantDesign:
    return InvariantDesign(row=row, arguments={"model": f"examples/{name}.smv", "invariant": invariant}, **facts)


def _dining(n: int, iterations: int, *, quick: bool = False) -> InvariantDesign:
    arguments = {"family": "dining", "n": n, "invariant": "!(p1.at = eating & p2.at = eating)"}
    return InvariantDesign(row=f"dining {n}", arguments=arguments, holds=True, iterations=iterations, quick=quick)


def _vis(
    row: str, path: str, number: int, iterations: int, *, seconds: tuple[float, ...], ly: int, bfh: int, pt: int,
    split_marked: tuple[int, float] | None = None,
) -> InvariantDesign:  # fmt: skip
    """A design of tables 3 to 5: seconds of BR, LY, BFH and PT, images of LY and BFH, iterations of PT; and those of PT where it
    splits marked blocks, with its seconds, unless it did not end."""
    numbers: tuple[tuple[str, int, int], ...] = (
        ("BR", iterations, iterations), ("LY", max(0, iterations - 1), ly), ("BFH", iterations, bfh), ("PT", pt, 2 * pt)
    )  # fmt: skip
    theirs: dict[str, Facts] = {
        column: {"iterations": rounds, "split images": images, "seconds": time}
        for (column, rounds, images), time in zip(numbers, seconds)
    }
    if split_marked is not None:
        theirs["PT, all"] = dict(zip(("iterations", "seconds"), split_marked))
    arguments = {"model": f"collection/vis/{path}.v", "properties": f"collection/vis/{path}.inv", "invariant": str(number)}
    return InvariantDesign(
        row=row, arguments=arguments, holds=not row.endswith("*"), iterations=iterations, theirs=theirs, quick=False
    )


DESIGNS = (
    _example("mutex*", "mutex", "mutual_exclusion", holds=False, iterations=6),
    _example("mutex", "mutex", "nobody_forgets_the_lock", holds=True, iterations=1),
    _example("philosophers*", "philosophers", "never_stuck", holds=False, iterations=8),
    _example("philosophers", "philosophers", "neighbours_do_not_eat_together", holds=True, iterations=5),
    _example("counter*", "counter", "never_full", holds=False, iterations=12),
    _example("counter", "counter", "carry_means_seven", holds=True, iterations=7, quick=False),
    _example("elevator*", "elevator", "never_at_the_top", holds=False, iterations=8),
    _dining(4, 23, quick=True),
    _dining(6, 35),
    _dining(8, 47),
    _vis("gigamax", "Gigamax/gigamax", 1, 6, seconds=(1.8, 2.3, 2.1, 2.0), ly=30, bfh=27, pt=6, split_marked=(271, 9.2)),
    _vis("bakery*", "Bakery/bakery", 1, 58, seconds=(1.3, 6.5, 126.9, 7.8), ly=342, bfh=55039, pt=212,
         split_marked=(2279, 121.5)),
    _vis("treearb4", "TreeArb/4-arbit", 1, 24, seconds=(3.5, 16.9, 99.0, 118.3), ly=138, bfh=3675, pt=232),
    _vis("coherence1", "Coherence/coherence", 2, 5, seconds=(3.6, 85.5, 33.0, 29.5), ly=24, bfh=72, pt=23,
         split_marked=(181, 70.1)),
    _vis("coherence2", "Coherence/coherence", 3, 14, seconds=(9.3, 279.3, 174.8, 567.4), ly=78, bfh=3058, pt=166,
         split_marked=(4376, 2320.2)),
    _vis("coherence3*", "Coherence/coherence", 1, 5, seconds=(6.5, 84.2, 24.4, 7.9), ly=24, bfh=116, pt=9,
         split_marked=(3533, 1003.8)),
    _vis("coherence4*", "Coherence/coherence", 5, 5, seconds=(7.3, 78.2, 34.4, 49680.0), ly=24, bfh=166, pt=685),
    _vis("tcp*", "Tcp/tcp", 1, 1, seconds=(3.1, 3.6, 3.0, 3.2), ly=0, bfh=2, pt=1, split_marked=(1, 3.2)),
)  # fmt: skip

REACHABLE = {
    "mutex": ("examples/mutex.smv", 22), "philosophers": ("examples/philosophers.smv", 644),
    "arbiter": ("collection/vis/Arbiter/arbiter.v", 73), "coherence": ("collection/vis/Coherence/coherence.v", 94738),
    "dcnew": ("collection/vis/Dcnew/dcnew.v", 186876), "treearbiter4": ("collection/vis/TreeArb/4-arbit.v", 5568),
    "elevator23": ("collection/vis/Elevator/ely2-3.v", 674077),
    "tcp": ("collection/vis/Tcp/tcp.v", 38813102452589503447040),
}  # fmt: skip
"""Designs with their reachable states. Four of the paper's have become other designs: bakery, eisenberg, minmax and fpmpy."""
