"""Automorphisms of a coloured graph, for installations without a library that finds them.

Reference: McKay 1981, "Practical graph isomorphism": individualise a vertex, refine the colours, and compare.
Symbols:   –
Invariant: every result is an automorphism, for it has been checked edge by edge.
Deviates:  there is no search tree: where refinement leaves a choice, the first vertex of a colour gets the first twin that fits
           so far, and a wrong choice is never reconsidered.
Cost:      a refinement of the graph, about linear in its edges, for each pair of vertices of one colour that is tried.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from coarsest.run import Run


def automorphisms(colours: Sequence[int], edges: Sequence[Sequence[int]], run: Run) -> Iterator[list[int]]:
    """Generators of a group of automorphisms: for each vertex, and each twin not yet in its orbit, one that takes it there.

    Vertices are fixed one after another until all colours differ, and then handled from the last one back: automorphisms that
    move a vertex keep those that were fixed before it.
    """
    finder = _Finder(edges, run)
    levels, fixed = [], finder.refined(list(colours), [])
    while cells := _cells(fixed):
        levels.append((fixed, min(cells)))
        fixed = finder.refined(fixed, [levels[-1][1][0]])
    orbit = list(range(len(colours)))

    def root(vertex: int) -> int:
        while orbit[vertex] != vertex:
            orbit[vertex] = vertex = orbit[orbit[vertex]]
        return vertex

    for fixed, (vertex, *twins) in reversed(levels):
        for twin in twins:
            images = finder.mapping(fixed, vertex, twin) if root(twin) != root(vertex) else None
            if images is not None:
                for source, target in enumerate(images):
                    orbit[root(source)] = root(target)
                yield images


def _cells(colours: Sequence[int]) -> list[list[int]]:
    """The vertices of each colour that several vertices have."""
    by_colour: dict[int, list[int]] = {}
    for vertex, colour in enumerate(colours):
        by_colour.setdefault(colour, []).append(vertex)
    return [cell for cell in by_colour.values() if len(cell) > 1]


class _Finder:
    """Refines colours of one graph. Equal numbers of colours mean the same in every refinement."""

    def __init__(self, edges: Sequence[Sequence[int]], run: Run) -> None:
        self.run = run
        self.out = [tuple(targets) for targets in edges]
        into: list[list[int]] = [[] for _ in edges]
        for source, targets in enumerate(edges):
            for target in targets:
                into[target].append(source)
        self.into = [tuple(sources) for sources in into]
        self._steps = {(source, target) for source, targets in enumerate(edges) for target in targets}
        self._names: dict[object, int] = {}

    def refined(self, colours: list[int], alone: Sequence[int]) -> list[int]:
        """Colours refined by those of neighbours until no colour splits. The vertices `alone` first get colours of their own."""
        colours = list(colours)
        for vertex in alone:
            colours[vertex] = self._name(("alone", colours[vertex]))
        count = 0
        while len(set(colours)) > count:
            self.run.step("automorphisms")
            count = len(set(colours))
            colours = [
                self._name((colour, tuple(sorted([colours[t] for t in out])), tuple(sorted([colours[s] for s in into]))))
                for colour, out, into in zip(colours, self.out, self.into)
            ]
        return colours

    def _name(self, colour: object) -> int:
        return self._names.setdefault(colour, len(self._names))

    def mapping(self, colours: list[int], vertex: int, twin: int) -> list[int] | None:
        """An automorphism that takes the vertex to its twin, and keeps the colours."""
        left, right = self.refined(colours, [vertex]), self.refined(colours, [twin])
        while sorted(left) == sorted(right):
            images = _matched(left, right)
            if all((images[source], images[target]) in self._steps for source, target in self._steps):
                return images
            cells, twins = _cells(left), _cells(right)
            if not cells:
                return None
            first = min(cells)
            colour = left[first[0]]
            candidates = next(cell for cell in twins if right[cell[0]] == colour)
            image = first[0] if first[0] in candidates else candidates[0]
            left, right = self.refined(left, [first[0]]), self.refined(right, [image])
        return None


def _matched(left: Sequence[int], right: Sequence[int]) -> list[int]:
    """For each vertex, a vertex of the same colour on the right: itself if possible, else the next in turn."""
    waiting: dict[int, list[int]] = {}
    for vertex in reversed(range(len(right))):
        if left[vertex] != right[vertex]:
            waiting.setdefault(right[vertex], []).append(vertex)
    return [vertex if left[vertex] == right[vertex] else waiting[left[vertex]].pop() for vertex in range(len(left))]
