"""Symmetries proposed by the structure of a machine: automorphisms of a coloured graph.

Reference: Junttila, Kaski 2007 (BLISS), through igraph where that is installed; else our own search: refine colours, try a twin
           for one vertex, and refine again.
Symbols:   –
Invariant: a proposal permutes variables of one type and kind, and values of one type; whether it is a symmetry is verified.
Deviates:  our own search does not backtrack: it may miss automorphisms of graphs where neighbours do not distinguish twins from
           other vertices.
Cost:      BLISS: next to nothing. Our own: a refinement of the graph for each pair of twins.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from coarsest.logic.expr import Value
from coarsest.model.machine import Machine
from coarsest.reduce.symmetry.group.declared import declared
from coarsest.reduce.symmetry.group.permutation import Permutation, objection_to, permutation
from coarsest.reduce.symmetry.group.structure import ModelStructure
from coarsest.run import Run

MOST_VERTICES: Final = 200_000
"""No symmetries are looked for in larger graphs."""


def proposed_generators(
    machine: Machine, path: str | None, run: Run, *, part: Machine | None = None
) -> tuple[bool, list[Permutation]]:
    """Generators that the user gives, in a file or in comments, or else those of the structure of the machine, or of a part.

    The first result is true if they come from the structure.
    """
    given = declared(machine, path)
    if given or path is not None:
        return False, given
    return True, detected(part or machine, run)


def detected(machine: Machine, run: Run) -> list[Permutation]:
    """Generators of the group of the machine's structure."""
    run.step("structure")
    structure = ModelStructure(machine)
    structure.all_values()
    if len(structure.colours) > MOST_VERTICES:
        return []
    generators = []
    for images in _automorphisms(structure, run):
        sigma = _projected(structure, images)
        if not sigma.is_identity and not objection_to(sigma, machine):
            generators.append(sigma)
    return list(dict.fromkeys(generators))


def _projected(structure: ModelStructure, images: Sequence[int]) -> Permutation:
    """The permutation of variables and values that an automorphism makes."""
    variable_of = {vertex: name for name, vertex in structure.variables.items()}
    value_of = {vertex: value for (_, value), vertex in structure.values.items()}
    moves = {name: variable_of[images[vertex]] for name, vertex in structure.variables.items()}
    values: dict[str, dict[Value, Value]] = {}
    for name, variable in structure.machine.variables.items():
        sort = structure.sort_of(name)
        if sort is not None:
            values[name] = {value: value_of[images[structure.values[sort, value]]] for value in variable.type.values()}
    return permutation(moves, values)


def _automorphisms(structure: ModelStructure, run: Run) -> Iterator[Sequence[int]]:
    numbers: dict[object, int] = {}
    colours = [numbers.setdefault(colour, len(numbers)) for colour in structure.colours]
    try:
        import igraph
    except ImportError:
        from coarsest.reduce.symmetry.group.automorphisms import automorphisms

        yield from automorphisms(colours, structure.edges, run)
        return
    edges = [(source, target) for source, targets in enumerate(structure.edges) for target in targets]
    graph = igraph.Graph(n=len(colours), edges=edges, directed=True)
    yield from graph.automorphism_group(color=colours)


