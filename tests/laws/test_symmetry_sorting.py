"""Representatives by sorting, against orbits that are listed by the definition."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

import coarsest
from campaigns import blocks
from coarsest.errors import Unsupported
from coarsest.model.machine import Machine
from coarsest.reduce.symmetry.group.detect import proposed_generators
from coarsest.reduce.symmetry.group.movers import mover
from coarsest.reduce.symmetry.group.permutation import Permutation
from coarsest.reduce.symmetry.sorting import SortedOrbits, SortedQuotient, Sorter, search_sorted
from coarsest.run import Run
from coarsest.space.bdd.build import build
from oracles.brute_force import BruteForce
from oracles.symmetries import orbits, quotient_edges
from random_symmetries import Symmetric

POINTERS = """MODULE main VAR p1 : 1..3; p2 : 1..3; p3 : 1..3; x1 : boolean; x2 : boolean; x3 : boolean;
ASSIGN init(x1) := FALSE; init(x2) := FALSE; init(x3) := FALSE; init(p1) := 1; init(p2) := 2; init(p3) := 3;
next(p1) := x1 ? p1 : {1, 2, 3}; next(p2) := x2 ? p2 : {1, 2, 3}; next(p3) := x3 ? p3 : {1, 2, 3};
next(x1) := x1 | p2 = 1; next(x2) := x2 | p3 = 2; next(x3) := x3 | p1 = 3;
-- symmetry: rotate p1..p3, x1..x3, p1: 1 2 3, p2: 1 2 3, p3: 1 2 3
"""
"""Each part points at one: values change names in what changes places. Parts can be rotated, not exchanged."""

LAST = """MODULE main IVAR who : 1..4; VAR last : 0..4; a : array 1..4 of {idle, busy, done};
INIT last = 0 & a[1] = idle & a[2] = idle & a[3] = idle & a[4] = idle;
ASSIGN next(last) := who;
next(a[1]) := who = 1 ? (a[1] = idle ? busy : done) : a[1]; next(a[2]) := who = 2 ? (a[2] = idle ? busy : done) : a[2];
next(a[3]) := who = 3 ? (a[3] = idle ? busy : done) : a[3]; next(a[4]) := who = 4 ? (a[4] = idle ? busy : done) : a[4];
-- symmetry: swap a[1] a[2], who: 1 2, last: 1 2
-- symmetry: rotate a[1]..a[4], who: 1 2 3 4, last: 1 2 3 4
"""
"""A shared variable points at a part, or at none; one of the generators exchanges no two parts."""


def listed_orbits(machine: Machine, generators: Sequence[Permutation]) -> list[set[Any]]:
    force = BruteForce(machine)

    def image(one: Permutation, state: Any) -> Any:
        moved = one(dict(zip(force.names, state)))
        return tuple(moved[name] for name in force.names)

    return orbits(force.reachable(), [lambda state, one=one: image(one, state) for one in generators])


def look(machine: Machine, generators: Sequence[Permutation]) -> bool:
    """Is there a representative of each orbit, and one alone where sorting says so? Are images and preimages those of R_G?"""
    space, run = build(machine), Run()
    sort, movers = Sorter(space, generators, run), [mover(space, one) for one in generators]
    rep = search_sorted(space, space.empty, sort, movers, run).representatives
    force, every = BruteForce(machine), listed_orbits(machine, generators)
    numbers = {state: number for number, orbit in enumerate(every) for state in orbit}
    sets = {state: space.state(dict(zip(force.names, state))) for state in numbers}
    chosen = [state for state, alone in sets.items() if alone <= rep]
    assert len(chosen) == space.count(rep) and {numbers[state] for state in chosen} == set(numbers.values())
    if sort.unique:
        assert len(chosen) == len(every)
        quotient = SortedQuotient(space, rep, SortedOrbits(space, rep, movers, sort, run))
        edges = quotient_edges([step for step in force.steps if step[0] in numbers], every)
        for state in chosen:
            after, before = quotient.post(sets[state]), quotient.pre(sets[state])
            assert {numbers[s] for s in chosen if sets[s] <= after} == {t for s, t in edges if s == numbers[state]}
            assert {numbers[s] for s in chosen if sets[s] <= before} == {s for s, t in edges if t == numbers[state]}
    return sort.unique


@pytest.mark.parametrize("number", blocks(20, by_day=2))
def test_one_state_of_each_orbit(number: int) -> None:
    for seed in range(number * 20, number * 20 + 20):
        symmetric = Symmetric(seed)
        assert look(symmetric.machine, symmetric.generators)


@pytest.mark.parametrize("text", [POINTERS, LAST], ids=["pointers", "last"])
@pytest.mark.parametrize("most", [1, 1000])
def test_groups_of_every_kind(text: str, most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """A small group is tried element by element; of one that is too large for that, an orbit may keep several states."""
    monkeypatch.setattr("coarsest.tuning.GROUP_ELEMENTS", most)
    machine = coarsest.loads(text).machine
    generators = proposed_generators(machine, None, Run())[1]
    assert look(machine, generators) == (text is LAST or most > 1)


def test_there_are_fewer_representatives_than_states_where_there_are_fewer_orbits() -> None:
    model = coarsest.loads(LAST)
    report = model.check("!(a[1] = done & a[2] = done & a[3] = done & a[4] = done)", reduce="symmetry")
    (answer,) = report.answers
    orbits_, states = listed_orbits(model.machine, proposed_generators(model.machine, None, Run())[1]), model.reach().states
    assert answer.verdict.word == "fails" and answer.confirmed
    (answer,) = model.check("a[1] = done -> a[1] != idle", "TRUE", reduce="symmetry").answers[1:]
    assert answer.verdict.word == "holds" and answer.confirmed
    assert answer.statistics["representatives"] == len(orbits_) < states


def test_what_is_no_symmetry_sorts_nothing() -> None:
    model = coarsest.loads("MODULE main VAR a : boolean; b : boolean; ASSIGN init(a) := TRUE; next(a) := b; next(b) := b;\n"
                           "-- symmetry: swap a b\n")  # fmt: skip
    with pytest.raises(Unsupported, match="sets are sorted by symmetries alone"):
        model.check("a | b | !a", reduce="symmetry", algorithm="sorting", wrong_generators="use")
