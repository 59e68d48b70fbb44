"""The weak steps of each state as sets of blocks, from the definition.

Sets of blocks are integers with a bit for each; a component of silent transitions is handled after those that it leads to, so
that each transition is looked at once.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import TypeAlias

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from coarsest import tuning
from coarsest.lts.judge.inert_components import inert_components
from coarsest.lts.judge.transitions import Integers, Transitions

Bits: TypeAlias = int


class WeakSteps(Struct, frozen=True, eq=False, dict=True):
    """`component` is the silent component of each state. For each component: the blocks that silent steps lead to (`silent`);
    those that silent steps, an action and silent steps lead to, by action (`after`); those of divergences (`divergent`)."""

    component: list[int]
    silent: dict[int, Bits]
    after: dict[int, dict[int, Bits]]
    divergent: dict[int, Bits]

    def answers_of(self, number: int, action: int, internal: int) -> Bits:
        """The blocks that an action leads to from a component. If there are no internal steps, `internal` is -1."""
        return self.silent[number] if action == internal else self.after[number].get(action, 0)


def asked_by_block(columns: Transitions, blocks: Integers) -> dict[int, dict[int, Bits]]:
    """The blocks that transitions of each block lead to, by action."""
    asked: dict[int, dict[int, Bits]] = defaultdict(dict)
    numbers = blocks.tolist()
    for source, action, target in zip(columns.sources.tolist(), columns.actions.tolist(), columns.targets.tolist()):
        row = asked[numbers[source]]
        row[action] = row.get(action, 0) | 1 << numbers[target]
    return asked


def weak_steps(columns: Transitions, blocks: Integers) -> WeakSteps:
    """The weak steps of all states, to blocks."""
    internal = columns.internal
    inner = columns.actions == internal
    components = inert_components(columns.states, columns.sources[inner], columns.targets[inner])
    component = components.component.tolist()
    members: dict[int, list[int]] = defaultdict(list)
    for state, number in enumerate(component):
        members[number].append(state)
    steps: list[list[tuple[int, int]]] = [[] for _ in range(columns.states)]
    for source, action, target in zip(columns.sources.tolist(), columns.actions.tolist(), columns.targets.tolist()):
        steps[source].append((action, target))
    weak = WeakSteps(component, {}, {}, {})
    order = [number for number in components.closed.tolist() if number in members]
    numbers = blocks.tolist()
    for number in order:
        weak.silent[number] = _silent(weak, members[number], steps, numbers, internal)
    for number in order:
        _act(weak, number, members[number], steps, internal)
    return weak


def _silent(weak: WeakSteps, states: list[int], steps: list[list[tuple[int, int]]], blocks: list[int], internal: int) -> Bits:
    reached = 0
    own = weak.component[states[0]]
    for state in states:
        reached |= 1 << blocks[state]
        for action, target in steps[state]:
            if action == internal and weak.component[target] != own:
                reached |= weak.silent[weak.component[target]]
    return reached


def _act(weak: WeakSteps, own: int, states: list[int], steps: list[list[tuple[int, int]]], internal: int) -> None:
    """Add the weak steps of a component: those that begin with its own steps, and those of the components that it leads to."""
    after: dict[int, Bits] = {}
    divergent = 0
    for state in states:
        for action, target in steps[state]:
            number = weak.component[target]
            if action != internal:
                after[action] = after.get(action, 0) | weak.silent[number]
            elif number == own:
                divergent |= weak.silent[own]
            else:
                divergent |= weak.divergent[number]
                for later, ends in weak.after[number].items():
                    after[later] = after.get(later, 0) | ends
    weak.after[own], weak.divergent[own] = after, divergent


def with_steps(columns: Transitions, kind: str) -> Transitions | None:
    """The same states with other steps, computed by a search from each state; None if there would be too many.

        delayed    internal steps, then an action
        extended   an action, then internal steps
        weak       internal steps, an action, internal steps

    Internal steps, perhaps none, are a step with the internal action; for extended steps, only those that lead elsewhere are.
    """
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
        if len(rows) > tuning.SPECTRUM_JUDGED_STEPS:
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
