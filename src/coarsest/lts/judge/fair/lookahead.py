"""Has the duplicator an answer whenever the spoiler shows some steps, or can pairs be attacked? Checked from the definition.

An answer goes along some of the first steps shown, at least one, in states with the same labels and at least the same fairness
sets, and ends in a pair of the relation. The spoiler shows fewer steps than agreed only where a path ends.
"""

from __future__ import annotations

from collections.abc import Collection
from itertools import pairwise
from typing import TypeAlias

from coarsest.lts.certificates import Attack, AttackCertificate, CertificateCheck, LookaheadCertificate
from coarsest.lts.judge.fair.strategies import fairness_of
from coarsest.lts.judge.transitions import Transitions

Pair: TypeAlias = tuple[int, int]


def confirm_lookahead(both: Transitions, certificate: LookaheadCertificate | AttackCertificate) -> CertificateCheck:
    """Check evidence about two graphs."""
    if len(both.graphs) != 2 or certificate.relation != "direct" or certificate.ahead < 1:
        return CertificateCheck("lookahead is for direct simulation between two graphs, with a step at least")
    judge = _Judge(both, certificate.ahead)
    if isinstance(certificate, AttackCertificate):
        return CertificateCheck(judge.not_attacked(certificate), {"attacks": len(certificate.attacks)})
    ways = 1 if certificate.preorder else 2
    if len(certificate.below) != ways:
        return CertificateCheck("there is not one relation for each direction that is claimed")
    problems = (judge.not_answered(way, frozenset(certificate.below[way])) for way in range(ways))
    facts = {"pairs": sum(map(len, certificate.below))}
    return CertificateCheck(next((problem for problem in problems if problem), ""), facts)


class _Judge:
    def __init__(self, both: Transitions, ahead: int) -> None:
        self.both, self.ahead = both, ahead
        self.labels, self.fair = both.labels.tolist(), fairness_of(both)
        self.after = both.steps()
        start = both.graphs[0].states
        self.states = range(start), range(start, both.states)

    def _fit(self, own: int, other: int) -> bool:
        return bool(self.labels[own] == self.labels[other] and self.fair[own] <= self.fair[other])

    def _following(self, others: Collection[int], action: int, target: int) -> set[int]:
        return {state for other in others for by, state in self.after[other] if by == action and self._fit(target, state)}

    def not_answered(self, way: int, pairs: frozenset[Pair]) -> str:
        """Why a relation is no simulation with lookahead; empty if it is one, and initial states are below initial states."""
        for own, other in pairs:
            if own not in self.states[way] or other not in self.states[1 - way] or not self._fit(own, other):
                return f"state {own} cannot be below {other}"
        for state in self.both.initial[way].tolist():
            if not any((state, other) in pairs for other in self.both.initial[1 - way].tolist()):
                return f"no initial state of the other graph is above {state}"
        for own, other in sorted(pairs):
            waiting: list[tuple[int, set[int], int]] = [(own, {other}, 0)]
            for state, others, shown in waiting:
                for action, target in self.after[state]:
                    following = self._following(others, action, target)
                    if any((target, answer) in pairs for answer in following):
                        continue
                    if shown + 1 >= self.ahead or not self.after[target] or not following:
                        return f"state {other} is above {own}, but has no answer to steps that end in {target}"
                    waiting.append((target, following, shown + 1))
        return ""

    def not_attacked(self, certificate: AttackCertificate) -> str:
        """Why attacks do not show that an initial state has no partner; empty if they do."""
        way, begins = certificate.way, certificate.begins
        if way not in ((0,) if certificate.preorder else (0, 1)) or begins not in self.both.initial[way].tolist():
            return "the certificate does not begin in an initial state of a graph that it claims something about"
        lost: set[Pair] = set()
        for attack in certificate.attacks:
            problem = self._is_no_attack(attack, lost)
            if problem:
                return f"the steps from state {attack.state} against {attack.against} {problem}"
            lost.add((attack.state, attack.against))
        for other in self.both.initial[1 - way].tolist():
            if self._fit(begins, other) and (begins, other) not in lost:
                return f"nothing is said of the initial state {other}"
        return ""

    def _is_no_attack(self, attack: Attack, lost: set[Pair]) -> str:
        steps = [(self.both.number_of(name), target) for name, target in attack.steps]
        path = [(-1, attack.state), *steps]
        if not 1 <= len(steps) <= self.ahead or any(step not in self.after[before] for (_, before), step in pairwise(path)):
            return "are no path, or too long a one"
        answers = {attack.against}
        for action, target in steps:
            answers = self._following(answers, action, target)
            left = [answer for answer in answers if (target, answer) not in lost]
            if left:
                return f"have an answer that comes to {left[0]} beside {target}"
        if len(steps) < self.ahead and answers and self.after[path[-1][1]]:
            return "are fewer than have to be shown"
        return ""
