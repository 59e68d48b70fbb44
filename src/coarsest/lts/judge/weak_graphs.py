"""The steps of graphs in which internal ones do not count, from the definition: a search from each state.

    delayed    internal steps, then an action
    extended   an action, then internal steps
    weak       internal steps, an action, internal steps

Internal steps, perhaps none, are a step with the internal action; of extended steps only those that lead elsewhere.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

import numpy as np
from msgspec.structs import replace

from coarsest.lts.certificates import SimulationCertificate
from coarsest.lts.judge.transitions import Transitions

MOST_STEPS = 5_000_000
"""More are not written down."""


def with_steps(columns: Transitions, kind: str) -> Transitions | None:
    """The same states with other steps; None if these would be too many."""
    silent: list[list[int]] = [[] for _ in range(columns.states)]
    visible: list[list[tuple[int, int]]] = [[] for _ in range(columns.states)]
    for source, action, target in zip(columns.sources.tolist(), columns.actions.tolist(), columns.targets.tolist()):
        if action == columns.internal:
            silent[source].append(target)
        else:
            visible[source].append((action, target))
    reached = [_closure(silent, state) for state in range(columns.states)]
    rows: set[tuple[int, int, int]] = set()
    for state in range(columns.states):
        rows.update((state, columns.internal, other) for other in reached[state] if kind != "extended" or other != state)
        rows.update((state, action, end) for action, end in _steps(kind, state, reached, visible))
        if len(rows) > MOST_STEPS:
            return None
    table = np.array(sorted(rows), dtype=np.int64).reshape(-1, 3)
    return replace(columns, sources=table[:, 0], actions=table[:, 1], targets=table[:, 2])


def _steps(
    kind: str, state: int, reached: list[set[int]], visible: list[list[tuple[int, int]]]
) -> Iterator[tuple[int, int]]:
    for before in [state] if kind == "extended" else reached[state]:
        for action, target in visible[before]:
            for end in [target] if kind == "delayed" else reached[target]:
                yield action, end


def _closure(silent: list[list[int]], state: int) -> set[int]:
    reached, waiting = {state}, [state]
    while waiting:
        fresh = [target for target in silent[waiting.pop()] if target not in reached]
        reached.update(fresh)
        waiting += fresh
    return reached


def uncoupled(columns: Transitions, certificate: SimulationCertificate) -> str:
    """Every state above another comes, by internal steps, to one below it."""
    blocks, above = certificate.blocks, certificate.above
    silent = columns.actions == columns.internal
    reached: dict[int, set[int]] = defaultdict(set)
    for source, block in zip(columns.sources[silent].tolist(), blocks[columns.targets[silent]].tolist()):
        reached[source].add(block)
    for state in range(columns.states):
        come_below = np.logical_or.reduce(above[sorted(reached[state])], axis=0)
        wrong = np.flatnonzero(above[:, blocks[state]] & ~come_below)
        if len(wrong):
            return f"state {state} is above block {int(wrong[0])}, and cannot come below it"
    return ""
