"""Do pairs of a block and a set of blocks show that all traces of one graph are traces of another? Checked from the definition.

The blocks are those of a simulation, which is checked first: a state below a block has no other traces than the block. A pair
(P, S) claims that all traces from P are traces from S. It follows if every transition of a state of P leads to a block Q such
that Q is below a block that S reaches by the same action; or Q is below P', where (P', S') is a pair, and all of S' is below
blocks that S reaches. The reason is that a shortest trace that is missing from some S would lead to a shorter one. For weak
traces, all steps are weak ones, and the simulation is a weak one. (Single steps would not do: after a silent step, the missing
trace is no shorter.)
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from typing import Any, TypeAlias

import numpy as np

from coarsest.logic.modal.hennessy_milner import action_text
from coarsest.lts.certificates import CertificateCheck, InclusionCertificate, Pairs
from coarsest.lts.judge.relations import confirm_simulation
from coarsest.lts.judge.transitions import Integers, Transitions
from coarsest.lts.judge.weak_relations import confirm_weak_simulation, numbers_of
from coarsest.lts.judge.weak_steps import asked_by_block, weak_steps

Facts: TypeAlias = dict[str, Any]
SIMULATIONS = {
    ("traces", "finite-simulation"): confirm_simulation,
    ("weak-traces", "weak-simulation"): confirm_weak_simulation,
}
"""The judge of the simulation that inclusions are based on, by the relation and the simulation."""


def confirm_inclusion(both: Transitions, certificate: InclusionCertificate) -> CertificateCheck:
    """Check a certificate that the traces of the first of two graphs side by side are traces of the second; and conversely."""
    confirm = SIMULATIONS.get((certificate.relation, certificate.simulation.relation))
    if confirm is None:
        return CertificateCheck(f"there is no relation '{certificate.relation}' that inclusions certify")
    below = confirm(both, certificate.simulation)
    return below if below.problem else confirm_ways(both, certificate, InclusionJudge(both, certificate), below.facts)


def confirm_ways(both: Transitions, certificate: InclusionCertificate, judge: InclusionJudge, below: Facts) -> CertificateCheck:
    """Check the pairs of a certificate for each direction that it claims."""
    initial = [states.tolist() for states in both.initial]
    if len(certificate.ways) != (1 if certificate.preorder else 2):
        return CertificateCheck(f"there are {len(certificate.ways)} lists of inclusions, one is needed for each direction")
    facts = {"inclusions": sum(map(len, certificate.ways)), **below}
    for direction, pairs in enumerate(certificate.ways):
        problem = judge.problem(pairs, initial[direction], initial[1 - direction])
        if problem:
            return CertificateCheck(problem, facts)
    return CertificateCheck("", facts)


def _weak_steps(both: Transitions, blocks: Integers) -> dict[int, dict[int, set[int]]]:
    """The blocks that weak steps of each block lead to, by action; silent ones are steps of the internal action."""
    weak, steps, internal = weak_steps(both, blocks), defaultdict[int, dict[int, set[int]]](dict), both.internal
    for component, block in set(zip(weak.component, blocks.tolist())):
        rows = {internal: weak.silent[component], **weak.after[component]}
        for action, ends in rows.items():
            steps[block].setdefault(action, set()).update(numbers_of(ends))
    return steps


class InclusionJudge:
    """Judges the pairs of one certificate. Subclasses add conditions, and cases in which none are needed."""

    def __init__(self, both: Transitions, certificate: InclusionCertificate) -> None:
        self._blocks, self._above = certificate.simulation.blocks, certificate.simulation.above
        self._label = np.zeros(len(self._above), dtype=np.int64)
        self._label[self._blocks] = both.labels
        self._names = both.action_names
        strong = certificate.simulation.relation in ("finite-simulation", "ready-simulation")
        rows = asked_by_block(both, self._blocks) if strong else {}
        steps = {block: {action: set(numbers_of(ends)) for action, ends in row.items()} for block, row in rows.items()}
        self.steps = steps if strong else _weak_steps(both, self._blocks)

    def problem(self, pairs: Pairs, firsts: Sequence[int], seconds: Sequence[int]) -> str:
        """The reason why pairs do not show that the traces of some states are traces of others, or an empty text."""
        stated = self._stated(pairs)
        start = {int(self._blocks[state]) for state in seconds}
        for state in firsts:
            if not self.follows(int(self._blocks[state]), start, stated):
                return self.unfounded(pairs) or f"nothing is said about the traces of the initial state {state}"
        return self.unfounded(pairs)

    def _stated(self, pairs: Pairs) -> dict[int, list[tuple[int, ...]]]:
        stated: dict[int, list[tuple[int, ...]]] = defaultdict(list)
        for block, others in pairs:
            if all(0 <= number < len(self._above) for number in (block, *others)):
                stated[block].append(others)
        return stated

    def unfounded(self, pairs: Pairs) -> str:
        """The reason why pairs do not follow from one another, or an empty text."""
        stated = self._stated(pairs)
        for block, others in pairs:
            if not all(0 <= number < len(self._above) for number in (block, *others)):
                return f"an inclusion names a block that is not among the {len(self._above)}"
        for block, others in pairs:
            able = [other for other in others if self._label[other] == self._label[block]]
            if not able:
                return f"block {block} has another label than the blocks that should have its traces"
            if self.excused(able):
                continue
            missing = self.missing(block, able)
            if missing:
                return missing
            for action, targets in self.steps.get(block, {}).items():
                answers: set[int] = set().union(*(self.steps.get(other, {}).get(action, set()) for other in able))
                for target in () if self.excused(answers) else targets:
                    if not self.follows(target, answers, stated):
                        return f"no inclusion covers block {target} after {action_text(self._names[action])} from block {block}"
        return ""

    def excused(self, able: Collection[int]) -> bool:
        """Do these blocks have all traces, so that no conditions are needed?"""
        return False

    def missing(self, block: int, able: Sequence[int]) -> str:
        """The reason why a block has something else than traces that these blocks lack, or an empty text."""
        return ""

    def follows(self, block: int, answers: Iterable[int], stated: dict[int, list[tuple[int, ...]]]) -> bool:
        """Are the traces of a block those of some others, by the simulation or by a pair?"""
        closed = np.zeros(len(self._above), dtype=np.bool_)
        for answer in answers:
            closed |= self._above[:, answer]
        if closed[block]:
            return True
        higher = np.flatnonzero(self._above[block]).tolist()
        return any(closed[list(others)].all() for number in higher for others in stated.get(number, ()))
