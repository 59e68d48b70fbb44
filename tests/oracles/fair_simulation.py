"""Fair simulations by the definitions of their games, on explicit structures.

The play of a simulation game is turned into a parity game with three colours over single positions, which is solved by the
recursion of Zielonka 1998. Generalised fairness becomes plain fairness by waiting for the sets in turn.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import Any

from msgspec import Struct

from coarsest.model.machine import Machine
from oracles.brute_force import BruteForce
from oracles.fair_graphs import FairGraph, reachable

Node = Hashable


class Structure(Struct, frozen=True):
    """A Kripke structure; a path is fair if it visits each of the fairness sets infinitely often."""

    after: Mapping[Any, Sequence[Any]]
    initial: Sequence[Any]
    label: Mapping[Any, Hashable]
    fair: Sequence[set[Any]]


def structure_of(machine: Machine, seen: Sequence[str]) -> Structure:
    """The states of a machine without inputs from which fair paths start, labelled by the values of some variables."""
    return with_fair_paths(reachable_structure(machine, seen))


def reachable_structure(machine: Machine, seen: Sequence[str]) -> Structure:
    """All reachable states of a machine without inputs. A state without successor is followed by itself."""
    force = BruteForce(machine)
    assert len(force.inputs) == 1, "the machine has no inputs"
    after = {s: [t for t in force.states if force.is_step(s, force.inputs[0], t)] or [s] for s in force.states}
    fair = [{s for s in force.states if force.holds(p, dict(zip(force.names, s)))} for p in machine.justice]
    within, places = reachable(after, force.initial), [force.names.index(name) for name in seen]
    labels = {s: tuple(s[place] for place in places) for s in within}
    return Structure({s: after[s] for s in within}, list(force.initial), labels, [f & within for f in fair])


def with_fair_paths(structure: Structure) -> Structure:
    """The structure on the states from which fair paths start."""
    inside = FairGraph(structure.after, structure.fair).with_fair_path(set(structure.after))
    return Structure(
        {s: [t for t in structure.after[s] if t in inside] for s in inside},
        [s for s in structure.initial if s in inside],
        {s: structure.label[s] for s in inside},
        [each & inside for each in structure.fair],
    )


def with_one_set(structure: Structure) -> Structure:
    """Fairness sets waited for in turn."""
    sets = list(structure.fair) or [set(structure.after)]
    number = len(sets)

    def turn(s: Any, i: int) -> int:
        return (i + 1) % number if s in sets[i] else i

    return Structure(
        {(s, i): [(t, turn(s, i)) for t in targets] for s, targets in structure.after.items() for i in range(number)},
        [(s, 0) for s in structure.initial],
        {(s, i): structure.label[s] for s in structure.after for i in range(number)},
        [{(s, number - 1) for s in sets[-1]}],
    )


def simulates(left: Structure, right: Structure, by: str) -> bool:
    """Does the protagonist win, who plays on the right?"""
    left, right = with_one_set(left), with_one_set(right)
    moves: dict[Node, list[Node]] = {"lost": ["lost"]}
    colour: dict[Node, int] = {"lost": 1}
    owner: dict[Node, int] = {"lost": 0}
    waiting: list[Node] = []

    def position(s: Any, t: Any, owes: bool) -> Node:
        one, other = s in left.fair[0], t in right.fair[0]
        owes = by == "delay" and (owes or one) and not other
        node = ("adversary", s, t, owes)
        if node not in moves:
            owner[node] = 1
            moves[node] = []
            if by == "delay":
                colour[node] = 1 if owes else 2
            else:  # the protagonist fair: 2; the adversary alone: 1; neither: 0
                colour[node] = 2 if other else 1 if one else 0
            waiting.append(node)
        return node

    def answers(s: Any, targets: Sequence[Any], owes: bool) -> list[Node]:
        return [position(s, t, owes) for t in targets if left.label[s] == right.label[t]] or ["lost"]

    firsts = {s: answers(s, right.initial, False) for s in left.initial}
    while waiting:
        node = waiting.pop()
        _, s, t, owes = node  # type: ignore[misc]
        for successor in left.after[s]:
            choice = ("protagonist", successor, t, owes)
            moves[node].append(choice)
            if choice not in moves:
                owner[choice], colour[choice] = 0, 0
                moves[choice] = answers(successor, right.after[t], owes)
    won = zielonka(moves, owner, colour, set(moves))[0]
    return all(any(node in won for node in nodes) for nodes in firsts.values())


def zielonka(
    moves: Mapping[Node, Sequence[Node]], owner: Mapping[Node, int], colour: Mapping[Node, int], inside: set[Node]
) -> tuple[set[Node], set[Node]]:
    """The positions from which each player wins, the first one if the largest colour seen infinitely often is even."""
    if not inside:
        return set(), set()
    most = max(colour[node] for node in inside)
    player = most % 2
    region = attracted(moves, owner, inside, {node for node in inside if colour[node] == most}, player)
    rest = zielonka(moves, owner, colour, inside - region)
    if not rest[1 - player]:
        return (inside, set()) if player == 0 else (set(), inside)
    lost = attracted(moves, owner, inside, rest[1 - player], 1 - player)
    others = zielonka(moves, owner, colour, inside - lost)
    return (others[0], others[1] | lost) if player == 0 else (others[0] | lost, others[1])


def attracted(
    moves: Mapping[Node, Sequence[Node]], owner: Mapping[Node, int], inside: set[Node], goal: set[Node], player: int
) -> set[Node]:
    """From where a player forces the play to a goal."""
    region = set(goal)
    while True:
        more = {
            node for node in inside - region
            if (any if owner[node] == player else all)(after in region for after in moves[node] if after in inside)
        }  # fmt: skip
        if not more:
            return region
        region |= more
