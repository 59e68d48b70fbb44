"""Split every class by the states that can enter what is above a class: those that answer the same are equivalent so far.

Reference: Gentilini, Piazza, Policriti 2003, From bisimulation to simulation: coarsest partition problems; the rounds are those
           of Bustan 2002, figure 3.5.
Symbols:   (Σ_i, H_i) is an `Ordered`; a splitter is pre(⋃ {ξ | (φ, ξ) ∈ H_i}) for a class φ of Σ_i.
Invariant: states are in one class of Σ_{i+1} iff they are in the same splitters of all rounds up to i, and one class is above
           another iff it is in all the splitters that the other is in: H_i is transitive, so that who enters a class above φ is
           matched by whoever matches φ.
Deviates:  sets of states; only splitters that have become smaller are looked at again, as the others have split already.
Cost:      a preimage whenever the union of the classes above a class has become smaller, and as many intersections as classes;
           a class is taken out of a union at most |Σ|² times.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from coarsest.reduce.partition.observed import Observed
from coarsest.reduce.partition.partition import TooManyBlocks
from coarsest.reduce.simulation.ordered import Matrix, Ordered, meets
from coarsest.run import Run
from coarsest.space.space import S


def refinements(observed: Observed[S], run: Run, *, most_classes: int | None = None) -> Iterator[Ordered[S]]:
    """(Σ_0, H_0), (Σ_1, H_1) and so on, as long as there is a change; raises TooManyBlocks when there are too many classes."""
    classes, above = list(observed.blocks), np.eye(len(observed.blocks), dtype=np.bool_)
    unions = list(classes)  # for each class, the states of all those above it
    smaller: Matrix = np.ones(len(classes), dtype=np.bool_)  # whose union has become smaller in the last round
    yield Ordered(classes, above)
    while smaller.any():
        if most_classes is not None and len(classes) > most_classes:
            raise TooManyBlocks
        run.step("splitters", classes=len(classes), splitters=int(smaller.sum()))
        splitters = [states for number in np.flatnonzero(smaller).tolist() for states in observed.entering(unions[number])]
        classes, inside, answers = _split(classes, splitters)
        before = above[np.ix_(inside, inside)]
        above = before & ~meets(answers, ~answers)
        lost = before & ~above
        unions = [_without(unions[parent], classes, lost[number]) for number, parent in enumerate(inside)]
        smaller = np.asarray(lost.any(axis=1))
        if smaller.any():
            yield Ordered(classes, above)


def _split(classes: Sequence[S], splitters: Sequence[S]) -> tuple[list[S], list[int], Matrix]:
    """The parts of the classes, the class that each is a part of, and which splitters it is in."""
    finer: list[S] = []
    inside: list[int] = []
    answers: list[list[bool]] = []
    for number, states in enumerate(classes):
        parts: list[tuple[S, list[bool]]] = [(states, [])]
        for splitter in splitters:
            parts = [half for part in parts for half in _halves(*part, splitter)]
        for part, row in parts:
            finer.append(part)
            inside.append(number)
            answers.append(row)
    return finer, inside, np.array(answers, dtype=np.bool_).reshape(len(finer), len(splitters))


def _halves(states: S, row: list[bool], splitter: S) -> list[tuple[S, list[bool]]]:
    both = states & splitter
    if not both:
        return [(states, [*row, False])]
    if both == states:
        return [(states, [*row, True])]
    return [(both, [*row, True]), (states - both, [*row, False])]


def _without(union: S, classes: Sequence[S], lost: Matrix) -> S:
    for number in np.flatnonzero(lost).tolist():
        union = union - classes[number]
    return union
