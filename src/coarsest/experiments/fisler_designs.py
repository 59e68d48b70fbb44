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



class Minimised(Struct, frozen=True, kw_only=True):
    """A row of table 1: a formula about a model, its verdict, the reachable states, and the blocks that are left of them."""

    row: str
    model: str
    formula: str
    holds: bool = True
    states: int
    blocks: int
    fairness: str = ""
    theirs: Facts = {}


def _minimised(row: str, path: str, formula: str, states: int, blocks: int, *seconds: float, **facts: Any) -> Minimised:
    """A design of the paper with its seconds of checking, minimising, and checking what is left."""
    theirs: Facts = dict(zip(("checking", "minimising", "checking blocks"), seconds))
    shown = {"states": "3.88e22" if states > 10**12 else states, "blocks": blocks, **theirs}
    return Minimised(
        row=row, model=f"collection/vis/{path}.v", formula=formula, states=states, blocks=blocks, theirs=shown, **facts
    )


COHERENT = "AG (cc1.block_state = EXCLUSIVE & cc2.block_state = EXCLUSIVE -> (cc1.block_add xor cc2.block_add))"
TREE, TCP_STATES = "TreeArb/4-arbit", 38813102452589503447040
MINIMISED = (
    Minimised(row="philosophers (S)", model="examples/philosophers.smv", states=644, blocks=1,
              formula="AG !(p1.at = eating & p2.at = eating)"),
    Minimised(row="philosophers* (L)", model="examples/philosophers.smv", states=644, blocks=451, holds=False,
              formula="AG EF p0.eats"),
    _minimised("arbiter (L)", "Arbiter/arbiter", "AG (reqA -> AF ackA)", 73, 64, 0.6, 11.7, 0.2,
               fairness="collection/vis/Arbiter/arbiter.fair"),
    _minimised("coherence (S)", "Coherence/coherence", COHERENT, 94738, 1, 45.5, 85, 9.3),
    _minimised("dcnew1 (S)", "Dcnew/dcnew", "AG (interpretation = go -> train != present2)", 186876, 1, 1.8, 0.9, 0.0),
    _minimised("dcnew2* (L)", "Dcnew/dcnew", "AG AF (int.state != go3 & int.state != go4)", 186876, 230, 1.8, 67.5, 0.7,
               holds=False),
    _minimised("treearbiter4-1 (S)", TREE, "AG !(C1.holdToken = myTRUE & C2.holdToken = myTRUE)", 5568, 1, 2.1, 17.4, 0.0),
    _minimised("treearbiter4-2 (L)", TREE, "AG (P3.procState = request -> AF P3.procState = lock)", 5568, 1344, 2.1, 485.7, 1.5,
               fairness=f"collection/vis/{TREE}.fair"),
    _minimised("elevator23 (S)", "Elevator/ely2-3", "AG !(e1.movement = MOVING & e1.door = OPEN)", 674077, 1, 8.0, 4.3, 1.4),
    _minimised("tcp1* (S)", "Tcp/tcp", "AG tcp_snd.snd_user.state = IDLE", TCP_STATES, 32, 2.7, 48.3, 1.2, holds=False),
    _minimised("tcp2 (S)", "Tcp/tcp", "AG tcp_snd.snd_user.state in {IDLE, SEND}", TCP_STATES, 1, 2.7, 3.5, 1.0),
)  # fmt: skip
"""Designs of table 1 that the distribution still has; S and L say whether the formula is about safety or liveness. The paper does
not print its formulas: those here are of the property files of the designs, but for the elevator, whose formula is ours.

Eisenberg, bakery, minmax and fpmpy have become other designs, and k_elev1 and the larger elevators are not in the distribution.
"""
