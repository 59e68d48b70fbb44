"""Do pairs of a block and a set of blocks show that all failures of one graph are failures of another? From the definition.

The judge of traces judges the pairs. In addition, if silent steps lead from the block to a state that counts and can do the
actions I, they must lead from the set to a state that counts and can do no others. For failures, all states count, and no steps
are silent; for weak failures, states without internal transitions count. Where divergence counts, a set with a state that
diverges has all failures, and so have answers that lead to one, whatever its label; for other sets, no state of the block may
diverge. The simulation that the pairs are based on is judged in the same way.

For impossible futures, if silent steps lead from the block to another, they must lead from the set to a block without other
traces.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence

from coarsest.lts.certificates import CertificateCheck, InclusionCertificate, SimulationCertificate
from coarsest.lts.judge.inclusions import InclusionJudge, confirm_ways
from coarsest.lts.judge.relations import confirm_simulation, relation_problem
from coarsest.lts.judge.transitions import Transitions
from coarsest.lts.judge.weak_relations import WeakSimulations, confirm_weak_simulation, numbers_of
from coarsest.lts.judge.weak_steps import Bits, WeakSteps, weak_steps

FUTURES = "impossible-futures"
RELATIONS = ("failures", "weak-failures", "failures-divergence")


def confirm_failures(both: Transitions, certificate: InclusionCertificate) -> CertificateCheck:
    """Check a certificate that failures of the first of two graphs side by side are failures of the second; and conversely."""
    relation, simulation = certificate.relation, certificate.simulation
    needed = "ready-simulation" if relation == "failures" else relation
    if relation not in RELATIONS or simulation.relation != needed:
        return CertificateCheck(f"there is no relation '{relation}' that inclusions certify")
    below = confirm_simulation(both, simulation) if relation == "failures" else _confirm_weak(both, simulation)
    return below if below.problem else confirm_ways(both, certificate, _FailureJudge(both, certificate), below.facts)


class Menus:
    """The actions that states that count can do at once: the sets of each state (`own`), and of those that silent steps reach."""

    def __init__(self, columns: Transitions, weak: WeakSteps | None) -> None:
        menus: list[Bits] = [0] * columns.states
        for source, action in zip(columns.sources.tolist(), columns.actions.tolist()):
            menus[source] |= 1 << action
        unstable = 0 if weak is None or columns.internal < 0 else 1 << columns.internal
        self.own: dict[int, set[Bits]] = {state: {menu} for state, menu in enumerate(menus) if not menu & unstable}
        self._columns, self._weak = columns, weak
        self.reached: dict[int, set[Bits]] = self.own if weak is None else self._reached()

    def _reached(self) -> dict[int, set[Bits]]:
        """The sets that silent steps reach, for each component; a component comes after those that it leads to."""
        weak, columns, internal = self._weak, self._columns, self._columns.internal
        assert weak is not None
        onward: dict[int, set[int]] = defaultdict(set)
        for source, action, target in zip(columns.sources.tolist(), columns.actions.tolist(), columns.targets.tolist()):
            if action == internal:
                onward[weak.component[source]].add(weak.component[target])
        reached: dict[int, set[Bits]] = {number: set() for number in weak.silent}
        for state, menus in self.own.items():
            reached[weak.component[state]] |= menus
        for number in weak.silent:
            reached[number] = reached[number].union(*(reached[later] for later in onward[number]))
        return reached


class _FailureSimulations(WeakSimulations):
    """Judges the simulation, where states that diverge need no answers if divergence counts."""

    def __init__(self, columns: Transitions, certificate: SimulationCertificate) -> None:
        super().__init__(columns, certificate)
        self.menus = Menus(columns, self.weak)
        self.blocks = certificate.blocks.tolist()
        if certificate.relation == "failures-divergence":
            self.excused = {number for number, ends in self.weak.divergent.items() if ends}
            for state, block in enumerate(self.blocks):
                self.chaos |= (self.weak.component[state] in self.excused) << block

    def unrefused(self) -> Iterator[str]:
        """Problems where a state above a block does not refuse the same actions as a state of the block, or does not diverge."""
        own: dict[int, set[Bits]] = defaultdict(set)
        for state, menus in self.menus.own.items():
            own[self.blocks[state]] |= menus
        for block, higher in enumerate(self.above):
            diverges = any(number in self.excused for number in self.members[block])
            for other in numbers_of(higher):
                for number in self.members[other] - self.excused:
                    if diverges:
                        yield f"block {block} diverges, and a state of block {other} above it does not"
                    for menu in own[block]:
                        if all(able & ~menu for able in self.menus.reached[number]):
                            yield f"a state of block {other} does not refuse what one of block {block}, below it, refuses"


def _confirm_weak(columns: Transitions, certificate: SimulationCertificate) -> CertificateCheck:
    problem = relation_problem(columns, certificate)
    if not problem:
        judge = _FailureSimulations(columns, certificate)
        problem = next(judge.unanswered(), "") or next(judge.unrefused(), "")
    return CertificateCheck(problem, {"blocks": len(certificate.above)})


def confirm_impossible_futures(both: Transitions, certificate: InclusionCertificate) -> CertificateCheck:
    """Check a certificate about impossible futures: silent steps must lead from the set of each pair to a block that has, by the
    pairs about traces only, no other traces than the block of the pair."""
    if certificate.relation != FUTURES or certificate.simulation.relation != "coupled-simulation":
        return CertificateCheck(f"there is no relation '{certificate.relation}' that inclusions certify")
    below = confirm_weak_simulation(both, certificate.simulation)
    if below.problem:
        return below
    problem = InclusionJudge(both, certificate).unfounded(certificate.futures)
    judge = _FutureJudge(both, certificate)
    return CertificateCheck(problem, below.facts) if problem else confirm_ways(both, certificate, judge, below.facts)


class _FutureJudge(InclusionJudge):
    def __init__(self, both: Transitions, certificate: InclusionCertificate) -> None:
        super().__init__(both, certificate)
        self._internal = both.internal
        self._futures: dict[int, list[tuple[int, ...]]] = defaultdict(list)
        for block, others in certificate.futures:
            self._futures[block].append(others)

    def missing(self, block: int, able: Sequence[int]) -> str:
        """The problem if silent steps lead to a block, and all blocks that they lead to from the others have other traces."""
        fallen = set(able).union(*(self.steps.get(other, {}).get(self._internal, set()) for other in able))
        for own in {block} | self.steps.get(block, {}).get(self._internal, set()):
            if not any(self.follows(end, [own], self._futures) for end in fallen):
                return f"what is impossible in block {own} is possible in all blocks that should have its impossible futures"
        return ""


class _FailureJudge(InclusionJudge):
    def __init__(self, both: Transitions, certificate: InclusionCertificate) -> None:
        super().__init__(both, certificate)
        blocks = certificate.simulation.blocks
        weak = None if certificate.relation == "failures" else weak_steps(both, blocks)
        menus = Menus(both, weak)
        self._reached: dict[int, set[Bits]] = defaultdict(set)
        self._divergent: set[int] = set()
        for state, block in enumerate(blocks.tolist()):
            number = state if weak is None else weak.component[state]
            self._reached[block] |= menus.reached[number]
            if weak is not None and certificate.relation == "failures-divergence" and weak.divergent[number]:
                self._divergent.add(block)

    def excused(self, able: Collection[int]) -> bool:
        """Do some of the blocks diverge? The states of a block are above each other, so either all of them do or none."""
        return not self._divergent.isdisjoint(able)

    def missing(self, block: int, able: Sequence[int]) -> str:
        """The problem if the block diverges, or refuses actions, perhaps after silent steps, and the others do not."""
        if block in self._divergent:
            return f"block {block} diverges, and none of the blocks that should have its failures"
        for menu in self._reached[block]:
            if all(other & ~menu for number in able for other in self._reached[number]):
                return f"what a state of block {block} refuses, none of the blocks that should have its failures does"
        return ""
