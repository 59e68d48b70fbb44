"""Orbits from the definition: states are sets of pairs, and a generator is applied until nothing new comes."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping

State = frozenset[tuple[str, Hashable]]


def apply(moves: Mapping[str, str], values: Mapping[str, Mapping[Hashable, Hashable]], state: State) -> State:
    """The value of each variable goes where the variable goes, by another name where it has one."""
    return frozenset((moves.get(name, name), values.get(name, {}).get(value, value)) for name, value in state)


def orbit(state: State, generators: Iterable[Callable[[State], State]]) -> set[State]:
    members, waiting = {state}, [state]
    while waiting:
        one = waiting.pop()
        for generator in generators:
            image = generator(one)
            if image not in members:
                members.add(image)
                waiting.append(image)
    return members


def orbits(states: Iterable[State], generators: list[Callable[[State], State]]) -> list[set[State]]:
    """The orbits that meet some states."""
    parts: list[set[State]] = []
    for state in states:
        if not any(state in part for part in parts):
            parts.append(orbit(state, generators))
    return parts


def quotient_edges(steps: Iterable[tuple[State, State]], parts: list[set[State]]) -> set[tuple[int, int]]:
    """R_G: from orbit to orbit where some state of the one has a step to a state of the other."""
    number = {state: place for place, part in enumerate(parts) for state in part}
    return {(number[source], number[target]) for source, target in steps}
