"""Decision diagrams as arrays, and back."""

from __future__ import annotations

import random

import numpy as np
import pytest
from oxidd.bcdd import BCDDFunction

from coarsest.bdd.arrays import NodeArrays, all_nodes, diagrams_of, into_manager, nodes_from_dot
from coarsest.bdd.oxidd import OxiddManager


def random_manager(seed: int, variables: int = 9) -> tuple[OxiddManager, list[BCDDFunction]]:
    """Functions in a manager with any order of variables, some of which do not matter."""
    rng, manager = random.Random(seed), OxiddManager(nodes=1 << 18, cache=1 << 10)
    manager.add_variables([f"v{number}" for number in range(variables)])
    functions = []
    for _ in range(rng.randint(1, 6)):
        f = manager.var(rng.randrange(variables))
        for _ in range(rng.randint(0, 30)):
            g = manager.var(rng.randrange(variables))
            f = rng.choice((f & g, f | g, f ^ g, ~f))
        functions.append(f)
    order = list(range(variables))
    rng.shuffle(order)
    manager.set_order(order)
    manager.collect()
    return manager, functions


@pytest.mark.parametrize("seed", range(60))
def test_arrays_and_functions_and_arrays_again(seed: int) -> None:
    manager, functions = random_manager(seed)
    nodes = all_nodes(manager)
    assert nodes is not None
    assert len(nodes.then) == manager.live_nodes
    other = OxiddManager(nodes=1 << 18, cache=1 << 10)
    other.add_variables(manager.names)
    other.set_order(manager.order)
    roots = into_manager(nodes, other, other.order)
    other.collect()
    assert len(roots) == len(nodes.roots)
    again = all_nodes(other)
    assert again is not None
    assert again.level_sizes == nodes.level_sizes
    assert diagrams_in(again) == diagrams_in(nodes)
    assert functions  # they keep the nodes


def diagrams_in(nodes: NodeArrays) -> set[tuple[int, int, int, bool]]:
    """Each node by its level and its children, whatever their numbers within a level are."""
    number: dict[tuple[int, int, int, bool], int] = {}
    numbers = [-1] * (len(nodes.then) + 1)  # at -1 the constant
    edges = zip(nodes.levels.tolist(), nodes.then.tolist(), nodes.otherwise.tolist(), nodes.complemented.tolist())
    for at, (level, then, otherwise, complemented) in reversed(list(enumerate(edges))):
        parts = level, numbers[then], numbers[otherwise], complemented
        assert parts not in number  # else two nodes would be the same function
        number[parts] = numbers[at] = hash(parts)
    return set(number)


@pytest.mark.parametrize("seed", range(40))
def test_what_is_there_already_is_read_as_itself(seed: int) -> None:
    manager, functions = random_manager(seed)
    nodes = all_nodes(manager)
    assert nodes is not None
    roots = into_manager(nodes, manager, manager.order)
    manager.collect()
    again = all_nodes(manager)
    assert again is not None
    assert diagrams_in(again) == diagrams_in(nodes)
    assert len(roots) == len(nodes.roots)
    assert functions  # they keep the nodes


@pytest.mark.parametrize("seed", range(40))
def test_the_functions_are_the_same(seed: int) -> None:
    """Each node says what the function that begins there says: by walking through the arrays."""
    manager, functions = random_manager(seed, variables=6)
    nodes = all_nodes(manager)
    assert nodes is not None
    order, levels = manager.order, nodes.levels

    def value(node: int, point: int) -> bool:
        negated = False
        while node >= 0:
            if point >> order[levels[node]] & 1:
                node = int(nodes.then[node])
            else:
                negated ^= bool(nodes.complemented[node])
                node = int(nodes.otherwise[node])
        return not negated

    tables = {tuple(value(node, point) for point in range(64)) for node in range(len(nodes.then))}
    for f in functions:
        table = tuple(manager.evaluate(f, {number: bool(point >> number & 1) for number in range(6)}) for point in range(64))
        assert table in tables or tuple(not truth for truth in table) in tables or len(set(table)) == 1


@pytest.mark.parametrize("text", [b"", b"digraph DD {\n}\n", b"[style=invis];\n  x1 -> x0 [style=\"solid\"];\n"])
def test_a_text_that_is_not_understood(text: bytes) -> None:
    with pytest.raises((ValueError, IndexError)):
        nodes_from_dot(text)


def test_numbers_of_any_length() -> None:
    manager, functions = random_manager(7)
    nodes = all_nodes(manager)
    assert nodes is not None
    assert nodes.then.dtype == nodes.otherwise.dtype == np.int32
    assert functions


@pytest.mark.parametrize("seed", range(40))
def test_functions_as_arrays(seed: int) -> None:
    """At each point the way through the arrays ends where the function says."""
    manager, functions = random_manager(seed, variables=6)
    functions += [manager.true, manager.false, ~functions[0]]
    levels, children, roots = diagrams_of(manager, functions)
    for point in range(64):
        values = {variable: bool(point >> variable & 1) for variable in range(6)}
        for root, function in zip(roots.tolist(), functions, strict=True):
            edge, negated = root, False
            while edge >> 1 < len(levels):
                negated ^= bool(edge & 1)
                edge = int(children[edge & ~1 | values[manager.order[levels[edge >> 1]]]])
            assert (negated ^ bool(edge & 1)) != manager.evaluate(function, values)
    below = children >> 1
    assert ((below < np.arange(len(levels)).repeat(2)) | (below == len(levels))).all()
