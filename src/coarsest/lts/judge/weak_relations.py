"""Is a relation between blocks of states a weak simulation? Checked from the definition, block by block.

If a state of block C has a transition with action a into block B, then every state above C gets by silent steps, an a, and
silent steps, to a state above B; by silent steps alone, perhaps none, if a is internal. For a coupled simulation, silent
steps also lead from every state above C to a state below C.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from coarsest.logic.modal.hennessy_milner import action_text
from coarsest.lts.certificates import CertificateCheck, SimulationCertificate
from coarsest.lts.judge.relations import relation_problem
from coarsest.lts.judge.transitions import Transitions
from coarsest.lts.judge.weak_steps import Bits, WeakSteps, asked_by_block, weak_steps

RELATIONS = ("weak-simulation", "coupled-simulation")


def confirm_weak_simulation(columns: Transitions, certificate: SimulationCertificate) -> CertificateCheck:
    """Check that the relation is one between blocks of the states, respects labels, is reflexive, and is a weak simulation."""
    if certificate.relation not in RELATIONS:
        return CertificateCheck(f"there is no relation '{certificate.relation}' that a weak simulation certifies")
    facts = {"blocks": len(certificate.above)}
    problem = relation_problem(columns, certificate)
    if not problem:
        judge = WeakSimulations(columns, certificate)
        problem = next(judge.unanswered(), "")
        if not problem and certificate.relation == "coupled-simulation":
            problem = next(judge.uncoupled(), "")
    return CertificateCheck(problem, facts)


class WeakSimulations:
    """Judges a weak simulation, with the weak steps of states as sets of blocks."""

    def __init__(self, columns: Transitions, certificate: SimulationCertificate) -> None:
        self.columns, self.above, self.below = columns, rows_of(certificate.above), rows_of(certificate.above.T)
        self.weak: WeakSteps = weak_steps(columns, certificate.blocks)
        self.asked = asked_by_block(columns, certificate.blocks)
        self._internal, self._answered = columns.internal, dict[int, set[tuple[int, Bits]]]()
        self.excused: set[int] = set()
        """The silent components whose steps need no answers."""
        self.chaos: Bits = 0
        """The blocks that answer everything."""
        self.members: dict[int, set[int]] = defaultdict(set)
        """The silent components with states in each block."""
        for state, block in enumerate(certificate.blocks.tolist()):
            self.members[block].add(self.weak.component[state])

    def unanswered(self) -> Iterator[str]:
        """Problems where a state above a block cannot answer a step of the block."""
        asking: dict[tuple[int, int], list[int]] = defaultdict(list)
        for block, row in self.asked.items():
            for action, ends in row.items():
                for end in numbers_of(ends):
                    asking[action, end].append(block)
        for (action, end), blocks in asking.items():
            unable = self._unable(action, self.above[end])
            for block in blocks:
                if self.above[block] & unable:
                    step = f"{action_text(self.columns.action_names[action])} into block {end}"
                    yield f"a state above block {block} cannot answer its step {step}"

    def uncoupled(self) -> Iterator[str]:
        """Problems where silent steps do not lead from a state above a block to one below it."""
        for block, higher in enumerate(self.above):
            if higher & self._unable(self._internal, self.below[block]):
                yield f"silent steps from a state above block {block} lead to none below it"

    def _unable(self, action: int, ends: Bits) -> Bits:
        """The blocks with a state from which no weak step leads to any of some blocks."""
        unable = 0
        for block, answers in self._answers(action):
            if not answers & (ends | self.chaos):
                unable |= 1 << block
        return unable

    def _answers(self, action: int) -> set[tuple[int, Bits]]:
        """The sets of blocks that an action leads to from states of each block, as pairs, since few states of a block differ."""
        if action not in self._answered:
            self._answered[action] = {
                (block, self.weak.answers_of(number, action, self._internal))
                for block, components in self.members.items()
                for number in components - self.excused
            }
        return self._answered[action]


def rows_of(above: NDArray[np.bool_]) -> list[Bits]:
    """The rows of a matrix as sets."""
    packed = np.packbits(above, axis=1, bitorder="little")
    return [int.from_bytes(row.tobytes(), "little") for row in packed]


def numbers_of(bits: Bits) -> Iterator[int]:
    """The members of a set."""
    while bits:
        lowest = bits & -bits
        yield lowest.bit_length() - 1
        bits ^= lowest
