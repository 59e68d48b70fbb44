"""Parity games: the winner is that of the definition, and each strategy wins by what cycles of it there are."""

from __future__ import annotations

from itertools import product
from random import Random

import numpy as np
import pytest

from coarsest.lts.games.game import Game
from coarsest.lts.games.parity_zielonka import solve
from coarsest.run import Run
from oracles.parity_strategies import wrong_in_solution


def random_game(random: Random, *, vertices: int = 6, priorities: int = 4) -> Game:
    """Perhaps with dead ends."""
    count = random.randint(1, vertices)
    edges = {(random.randrange(count), random.randrange(count)) for _ in range(random.randint(0, 2 * count))}
    return Game.from_edges(
        [random.randrange(2) for _ in range(count)], [random.randrange(priorities) for _ in range(count)], sorted(edges)
    )


def winner_by_definition(game: Game) -> list[int]:
    """All positional strategies of player 0 are tried against all of player 1: one of each is enough, for parity games."""
    after = [game.graph.successors(vertex).tolist() for vertex in range(game.vertices)]
    own = [[v for v in range(game.vertices) if game.owner[v] == player and after[v]] for player in (0, 1)]
    strategies = [[dict(zip(some, moves)) for moves in product(*(after[v] for v in some))] for some in own]

    def won(start: int, moves: dict[int, int]) -> bool:
        path, vertex = [], start
        while vertex not in path:
            path.append(vertex)
            if vertex not in moves:
                return bool(game.owner[vertex] == 1)
            vertex = moves[vertex]
        return max(int(game.priority[v]) for v in path[path.index(vertex) :]) % 2 == 0

    return [0 if any(all(won(v, one | other) for other in strategies[1]) for one in strategies[0]) else 1
            for v in range(game.vertices)]  # fmt: skip


def check(seed: int, choice: str = "pure") -> None:
    game = random_game(Random(seed))
    solution = solve(game, Run(), choice=choice)
    assert solution.winner.tolist() == winner_by_definition(game)
    columns = game.graph.sources, game.graph.targets, game.owner, game.priority
    assert wrong_in_solution(*columns, winner=solution.winner, choice=solution.choice) == ""


def test_winners_and_strategies() -> None:
    for seed in range(150):
        check(seed)


@pytest.mark.nightly
def test_winners_and_strategies_campaign() -> None:
    for seed in range(1000, 4000):
        check(seed)


def test_kernel_and_twin() -> None:
    for seed in range(30):
        game = random_game(Random(seed), vertices=40)
        pure, compiled = (solve(game, Run(), choice=choice) for choice in ("pure", "compiled"))
        assert pure.winner.tolist() == compiled.winner.tolist()
        for solution in (pure, compiled):
            columns = game.graph.sources, game.graph.targets, game.owner, game.priority
            assert wrong_in_solution(*columns, winner=solution.winner, choice=solution.choice) == ""


def test_the_judge_sees_what_is_wrong() -> None:
    """A winner that is not one, a strategy that leaves its region, and one that lets the other player win."""
    rejected = 0
    for seed in range(150):
        game = random_game(Random(seed))
        solution = solve(game, Run(), choice="pure")
        columns = game.graph.sources, game.graph.targets, game.owner, game.priority
        turned = solution.winner.copy()
        turned[0] = 1 - turned[0]
        assert wrong_in_solution(*columns, winner=turned, choice=solution.choice)
        own = np.flatnonzero(solution.choice >= 0)
        if len(own):
            nowhere = solution.choice.copy()
            nowhere[own[0]] = -1
            assert wrong_in_solution(*columns, winner=solution.winner, choice=nowhere)
            rejected += 1
    assert rejected > 50
