"""Direct simulation with lookahead, from its definition: all paths that the spoiler may show, and all answers, one by one."""

from __future__ import annotations

from collections.abc import Iterator

from coarsest.lts.fair import FairGraph

Path = tuple[tuple[int, int], ...]


class Shown:
    """Paths of a fair graph."""

    def __init__(self, fair: FairGraph) -> None:
        graph = fair.graph
        self.states, self.labels, self.marks = range(graph.states), graph.labels.tolist(), fair.marks.tolist()
        rows = list(zip(graph.sources.tolist(), graph.actions.tolist(), graph.targets.tolist()))
        self.after = [[(action, target) for source, action, target in rows if source == state] for state in self.states]

    def fit(self, p: int, q: int) -> bool:
        return bool(self.labels[p] == self.labels[q] and self.marks[p] & ~self.marks[q] == 0)

    def paths(self, state: int, steps: int) -> Iterator[Path]:
        """Of so many steps, or until a path ends."""
        if not steps or not self.after[state]:
            yield ()
            return
        for step in self.after[state]:
            for rest in self.paths(step[1], steps - 1):
                yield (step, *rest)

    def ends(self, state: int, path: Path) -> Iterator[int]:
        """Where answers to all steps of a path end."""
        if not path:
            yield state
            return
        for action, target in self.after[state]:
            if action == path[0][0] and self.fit(path[0][1], target):
                yield from self.ends(target, path[1:])


def direct_ahead(fair: FairGraph, ahead: int) -> set[tuple[int, int]]:
    """The greatest relation in which each path that is shown has an answer to some of its first steps."""
    shown = Shown(fair)
    relation = {(p, q) for p in shown.states for q in shown.states if shown.fit(p, q)}

    def answers(p: int, q: int) -> bool:
        return all(
            any((path[number][1], end) in relation for number in range(len(path)) for end in shown.ends(q, path[: number + 1]))
            for path in shown.paths(p, ahead) if path
        )  # fmt: skip

    while True:
        smaller = {pair for pair in relation if answers(*pair)}
        if smaller == relation:
            return relation
        relation = smaller
