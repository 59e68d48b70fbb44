"""A machine taken apart: latches and outputs are grouped so that the parts read little of each other.

Reference: Bustan 2002, section 5.4.1 (`partModel`, `shouldSplit`); Fiduccia, Mattheyses 1982 for the moves.
Symbols:   m1 and m2 are the two parts. The interaction is the number of latches of each that the other reads.
Invariant: every latch, output and constraint is in one part.
Deviates:  the thesis leaves its heuristic open. Ours begins with neighbours in the graph of who reads whom, then moves one atom
           at a time to the other side, the best first, and returns to the best halves on the way. Atoms are the bits of a
           variable.
Cost:      a round looks at each pair of atoms; there are at most `MOST_ROUNDS`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Final

from msgspec import Struct

from coarsest import tuning
from coarsest.reduce.modular.moore import Function, Moore

MOST_ROUNDS: Final = 8

Atom = frozenset[int]


def should_split(machine: Moore, atoms: Sequence[Atom]) -> bool:
    """Is a machine worth taking apart? (`shouldSplit`)"""
    return len(machine.latches) >= tuning.LATCHES_WORTH_SPLITTING and len(inside(machine, atoms)) > 1


def inside(machine: Moore, atoms: Sequence[Atom]) -> list[Atom]:
    """The atoms, restricted to the latches of a machine; its other latches, which stand for several atoms, are one more."""
    left = [frozenset(atom & machine.latches.keys()) for atom in atoms]
    left.append(frozenset(machine.latches.keys() - frozenset().union(*left)))
    return [atom for atom in left if atom]


class LatchReading(Struct, frozen=True):
    """For each atom, the latches of other atoms that it reads."""

    atoms: Sequence[Atom]
    reads: Sequence[frozenset[int]]

    @classmethod
    def of(cls, machine: Moore, atoms: Sequence[Atom]) -> LatchReading:
        support = machine.bench.manager.support
        read = [frozenset().union(*(support(machine.latches[latch]) for latch in sorted(atom))) for atom in atoms]
        return cls(atoms, [(variables & machine.latches.keys()) - atom for atom, variables in zip(atoms, read)])

    def interaction(self, left: Collection[int]) -> int:
        """The number of latches that are read across, if these atoms are one part."""
        total = 0
        for mine in (left, [number for number in range(len(self.atoms)) if number not in left]):
            own = frozenset().union(*(self.atoms[number] for number in mine))
            total += len(frozenset().union(*(self.reads[number] for number in mine)) - own)
        return total


def halves(machine: Moore, atoms: Sequence[Atom]) -> tuple[list[Atom], list[Atom]]:
    """The atoms in two groups of low interaction, neither much smaller than the other."""
    reading = LatchReading.of(machine, atoms)
    sizes = [len(atom) for atom in atoms]
    least = min(tuning.LATCHES_OF_A_PART * sum(sizes), sum(sizes) - max(sizes), sum(sizes) / 2)
    left = _first_half(_neighbours(reading), sizes)
    best = reading.interaction(left), left
    for _ in range(MOST_ROUNDS):
        better = min(_moves(reading, best[1], sizes, least), key=lambda met: met[0], default=best)
        if better[0] >= best[0]:
            break
        best = better
    return [atoms[n] for n in sorted(best[1])], [atom for n, atom in enumerate(atoms) if n not in best[1]]


def _neighbours(reading: LatchReading) -> list[int]:
    """All atoms, ordered so that each has as much as possible in common with those before it."""
    ties = [
        [len(left & right_atom) + len(right & left_atom) for right, right_atom in zip(reading.reads, reading.atoms)]
        for left, left_atom in zip(reading.reads, reading.atoms)
    ]
    waiting = sorted(range(len(ties)), key=lambda n: sum(ties[n]))
    order = [waiting.pop(0)]
    while waiting:
        following = max(waiting, key=lambda n: (sum(ties[n][m] for m in order) / (1 + sum(ties[n])), -n))
        waiting.remove(following)
        order.append(following)
    return order


def _first_half(order: Sequence[int], sizes: Sequence[int]) -> frozenset[int]:
    half: list[int] = []
    for number in order[:-1]:
        if half and sum(sizes[n] for n in half) + sizes[number] / 2 > sum(sizes) / 2:
            break
        half.append(number)
    return frozenset(half)


def _moves(
    reading: LatchReading, left: frozenset[int], sizes: Sequence[int], least: float
) -> Iterable[tuple[int, frozenset[int]]]:
    """The interaction and the left half after each move, while each atom changes sides once."""
    fixed: set[int] = set()
    while True:
        tried = []
        for number in range(len(sizes)):
            moved = left ^ {number}
            smaller = sum(sizes[n] for n in moved)
            if number not in fixed and min(smaller, sum(sizes) - smaller) >= least and 0 < len(moved) < len(sizes):
                tried.append((reading.interaction(moved), number))
        if not tried:
            return
        across, number = min(tried)
        fixed.add(number)
        left = left ^ {number}
        yield across, left


def parted(machine: Moore, groups: Sequence[Collection[Atom]], *, shared: bool = False) -> list[Moore]:
    """The machine as several that read each other's wires. Outputs and constraints go to the part that they read most of. If all
    outputs are in one of two parts, and `shared` is true, the other part takes half of them."""
    manager = machine.bench.manager
    owner = {latch: number for number, group in enumerate(groups) for atom in group for latch in atom}
    constraints = [machine.possible] if machine.possible != manager.true else []
    placed = [(_home(manager.support(output), owner), number) for number, output in machine.outputs.items()]
    if shared and len(groups) == 2 and len(placed) > 1 and len({home for home, _ in placed}) == 1:
        half = (len(placed) + 1) // 2
        placed = placed[:half] + [(1 - home, output) for home, output in placed[half:]]
    bound = [(_home(manager.support(constraint), owner), constraint) for constraint in constraints]
    everything = set(machine.latches)
    return [
        _part(
            machine, {latch for latch in machine.latches if owner[latch] == number}, everything,
            [output for home, output in placed if home == number],
            [constraint for home, constraint in bound if home == number],
        )
        for number in range(len(groups))
    ]  # fmt: skip


def _home(support: Collection[int], owner: Mapping[int, int]) -> int:
    votes = [owner[latch] for latch in support if latch in owner]
    return max(sorted(set(votes)), key=votes.count, default=0)


def _part(
    machine: Moore, own: set[int], everything: set[int], outputs: Iterable[int], constraints: Iterable[Function]
) -> Moore:
    manager = machine.bench.manager
    latches = {latch: function for latch, function in machine.latches.items() if latch in own}
    visible = {number: machine.outputs[number] for number in outputs}
    possible = manager.true
    for constraint in constraints:
        possible = possible & constraint
    support = set().union(*(manager.support(function) for function in (*latches.values(), *visible.values(), possible)))
    read = (support & everything) - own
    others = manager.cube(everything - own)
    if read:  # other parts never leave their domains
        possible = possible & manager.exists(machine.domain, manager.cube(everything - read))
    return Moore(
        machine.bench, latches, tuple(sorted(support - own)), visible,
        {latch: manager.var(latch) for latch in latches}, possible,
        manager.exists(machine.domain, others), manager.exists(machine.initial, others),
    )  # fmt: skip
