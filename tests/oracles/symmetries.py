"""Symmetries by the definitions: every state and every pair of states is tried, every element of a group is listed."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from typing import Any, TypeAlias, TypeVar

from coarsest.model.machine import Machine
from oracles.brute_force import BruteForce

T = TypeVar("T", bound=Hashable)

State: TypeAlias = frozenset[tuple[str, Any]]
"""Variables with their values."""


def moved(moves: Mapping[str, str], values: Mapping[str, Mapping[Any, Any]], state: State) -> State:
    """The value of each variable goes where the variable goes, by another name where it has one."""
    return frozenset((moves.get(name, name), values.get(name, {}).get(value, value)) for name, value in state)


def closure(generators: Sequence[dict[T, T]]) -> list[dict[T, T]]:
    """All products of some permutations of the same things, by composing until nothing is new."""
    things = list(generators[0]) if generators else []
    unit = {thing: thing for thing in things}
    elements = {tuple(unit.items()): unit}
    waiting = [unit]
    while waiting:
        one = waiting.pop()
        for generator in generators:
            product = {thing: generator[one[thing]] for thing in things}
            if tuple(product.items()) not in elements:
                elements[tuple(product.items())] = product
                waiting.append(product)
    return list(elements.values())


def is_symmetry(machine: Machine, move: Callable[[dict[str, Any]], dict[str, Any]]) -> bool:
    """Definition 2.11 on the listed graph: states, initial states and steps are taken to such, and nothing else is."""
    force = BruteForce(machine)

    def image(state: tuple[Any, ...]) -> tuple[Any, ...]:
        values = move(dict(zip(force.names, state)))
        return tuple(values[name] for name in force.names)

    images = {state: image(state) for state in force.states}
    if set(images.values()) != set(force.states) or {images[state] for state in force.initial} != set(force.initial):
        return False
    steps = set(force.steps)
    return {(images[before], images[after]) for before, after in steps} == steps


def orbits(states: Iterable[T], movers: Sequence[Callable[[T], T]]) -> list[set[T]]:
    """The orbits of some states, by following the generators from each."""
    left, found = set(states), []
    while left:
        orbit, waiting = set(), [left.pop()]
        while waiting:
            state = waiting.pop()
            if state not in orbit:
                orbit.add(state)
                waiting.extend(move(state) for move in movers)
        left -= orbit
        found.append(orbit)
    return found


def quotient_edges(steps: Iterable[tuple[T, T]], parts: Sequence[set[T]]) -> set[tuple[int, int]]:
    """R_G: from orbit to orbit where some state of the one has a step to a state of the other."""
    number = {state: place for place, part in enumerate(parts) for state in part}
    return {(number[source], number[target]) for source, target in steps}
