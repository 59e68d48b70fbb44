"""Graphs from terms, as papers write them: `a.(b + tau.c)` can do a, and then b, or c after an internal step."""

from __future__ import annotations

import re
from random import Random

from coarsest.lts.labelled import Graph


class _Reader:
    def __init__(self, text: str) -> None:
        self.tokens = [*re.findall(r"[a-z]+|[0.+()]", text), "end"]
        self.edges: list[tuple[int, str, int]] = []
        self.states = 0

    def new(self) -> int:
        self.states += 1
        return self.states - 1

    def sum_at(self, state: int) -> None:
        self.summand_at(state)
        while self.tokens[0] == "+":
            self.tokens.pop(0)
            self.summand_at(state)

    def summand_at(self, state: int) -> None:
        token = self.tokens.pop(0)
        if token == "(":
            self.sum_at(state)
            assert self.tokens.pop(0) == ")"
        elif token != "0":
            target = self.new()
            self.edges.append((state, token, target))
            if self.tokens[0] == ".":
                self.tokens.pop(0)
                self.summand_at(target)


def graph_of(term: str) -> Graph:
    reader = _Reader(term)
    reader.sum_at(reader.new())
    assert reader.tokens == ["end"]
    names = tuple(sorted({action for _, action, _ in reader.edges})) or ("a",)
    columns = [[edge[0] for edge in reader.edges], [names.index(edge[1]) for edge in reader.edges],
               [edge[2] for edge in reader.edges]]  # fmt: skip
    return Graph.from_edges(reader.states, *columns, action_names=names)


def random_term(random: Random, depth: int) -> str:
    """A tree whose states often have the same traces."""
    if depth == 0:
        return random.choice(["b", "c", "b + c"])
    return " + ".join(f"a.({random_term(random, depth - 1)})" for _ in range(random.randint(1, 3)))
