"""Does a certificate show that one of two graphs is below the other by a notion of the spectrum? Checked from the definitions.

A relation is checked once; then it is checked between initial states, in the direction of the question.
"""

from __future__ import annotations

import numpy as np
from msgspec.structs import replace

from coarsest import tuning
from coarsest.lts.certificates import (
    FirstStepsCertificate,
    NestedCertificate,
    PartitionCertificate,
    PathCertificate,
    SimulationCertificate,
    SpectrumCertificate,
    WeakCertificate,
)
from coarsest.lts.judge.partitions import confirm_partition
from coarsest.lts.judge.path_pairs import PathPairs
from coarsest.lts.judge.relations import confirm_simulation
from coarsest.lts.judge.transitions import Transitions
from coarsest.lts.judge.weak_relations import confirm_weak_simulation
from coarsest.lts.judge.weak_steps import with_steps
from coarsest.lts.labelled import Graph

IMPLIED_BY = {
    "traces": ("finite-simulation",),
    "failures": ("ready-simulation",), "revivals": ("ready-simulation",), "readiness": ("ready-simulation",),
    "failure-traces": ("ready-simulation",), "ready-traces": ("ready-simulation",),
    "impossible-futures": ("2-nested-simulation",), "possible-futures": ("2-nested-simulation",),
}  # fmt: skip
"""The path notions, and the simulations that imply them."""
WEAK_NOTIONS = {
    ("extended", "branching-bisimulation"): "eta-bisimulation",
    ("delayed", "bisimulation"): "delay-bisimulation",
    ("weak", "bisimulation"): "weak-bisimulation",
    ("weak", "coupled"): "coupled-simulation",
    ("weak", "finite-simulation"): "weak-simulation",
    ("weak", "traces"): "weak-traces",
}
"""The weak notions that strong notions become between other steps."""


class SpectrumJudge:
    """Judges certificates about two graphs."""

    def __init__(self, first: Graph, second: Graph) -> None:
        self._both = Transitions.of(first, second)
        self._other_steps: dict[str, Transitions | None] = {"": self._both}
        self._problems: dict[tuple[int, str], tuple[object, str]] = {}

    def problem(self, certificate: SpectrumCertificate, notion: str, way: int) -> str | None:
        """The problem with a certificate that one graph is below the other by a notion; empty if there is none, None if it was
        not checked because it is too large."""
        if shown_by(certificate) != notion:
            return f"it is about {shown_by(certificate)}"
        inner = certificate.inner if isinstance(certificate, WeakCertificate) else certificate
        if isinstance(certificate, WeakCertificate) and self._is_too_large(inner):
            return None
        by_weak_steps = isinstance(certificate, WeakCertificate) and certificate.steps == "weak"
        if by_weak_steps and isinstance(inner, PartitionCertificate | SimulationCertificate):
            return self._of_weak_relation(inner, notion) or self._of_initial(self._both, inner, way)
        steps = certificate.steps if isinstance(certificate, WeakCertificate) else ""
        if steps not in self._other_steps:
            self._other_steps[steps] = with_steps(self._both, steps)
        columns = self._other_steps[steps]
        if columns is None:
            return None
        return self._of_relation(columns, inner, steps) or self._of_initial(columns, inner, way)

    def _of_weak_relation(self, certificate: PartitionCertificate | SimulationCertificate, notion: str) -> str:
        """The problem with a relation by weak steps, which are not stored."""
        key = id(certificate), notion
        if key not in self._problems:
            if isinstance(certificate, PartitionCertificate):
                outcome = confirm_partition(self._both, replace(certificate, relation=notion))
            else:
                outcome = confirm_weak_simulation(self._both, replace(certificate, relation=notion))
            self._problems[key] = certificate, outcome.problem
        return self._problems[key][1]

    def _of_relation(self, columns: Transitions, certificate: SpectrumCertificate, steps: str) -> str:
        """The problem with a relation for any initial states, which is computed once."""
        key = id(certificate), steps
        if key not in self._problems:
            self._problems[key] = certificate, self._wrong_relation(columns, certificate, steps)
        return self._problems[key][1]

    def _wrong_relation(self, columns: Transitions, certificate: SpectrumCertificate, steps: str) -> str:
        match certificate:
            case PartitionCertificate():
                return confirm_partition(columns, certificate).problem
            case SimulationCertificate():
                return confirm_simulation(columns, certificate).problem
            case NestedCertificate():
                outer, inner = (self._of_relation(columns, part, steps) for part in (certificate.simulation, certificate.nested))
                return outer or inner or _not_nested(certificate)
            case PathCertificate():
                if shown_by(certificate.simulation) not in IMPLIED_BY.get(certificate.notion, ()):
                    return f"{shown_by(certificate.simulation)} does not imply {certificate.notion}"
                return self._of_relation(columns, certificate.simulation, steps)
        return ""

    def _is_too_large(self, certificate: SpectrumCertificate) -> bool:
        match certificate:
            case SimulationCertificate():
                return len(certificate.above) > tuning.SPECTRUM_CLASSES
            case PathCertificate():
                return self._is_too_large(certificate.simulation)
        return False

    def _of_initial(self, columns: Transitions, certificate: SpectrumCertificate, way: int) -> str:
        ones, others = columns.initial[way], columns.initial[1 - way]
        match certificate:
            case PartitionCertificate(blocks=blocks):
                lonely = set(blocks[ones].tolist()) - set(blocks[others].tolist())
                return f"no initial state of the other graph is in block {min(lonely)}" if lonely else ""
            case SimulationCertificate() | NestedCertificate():
                relation = certificate.nested if isinstance(certificate, NestedCertificate) else certificate
                related = relation.above[np.ix_(relation.blocks[ones], relation.blocks[others])].any(axis=1)
                return "" if related.all() else f"nothing is above the initial state {int(ones[~related][0])}"
            case PathCertificate():
                return PathPairs(columns, certificate).problem(ones.tolist(), others.tolist())
            case FirstStepsCertificate():
                missing = _first_steps(columns, ones.tolist()) - _first_steps(columns, others.tolist())
                return f"a first step is missing: {min(missing)}" if missing else ""
        return "there is no such certificate"


def shown_by(certificate: SpectrumCertificate) -> str:
    """The notion that a certificate is about."""
    match certificate:
        case WeakCertificate():
            kind = "coupled" if certificate.coupled else shown_by(certificate.inner)
            return WEAK_NOTIONS.get((certificate.steps, kind), "nothing")
        case PartitionCertificate() | SimulationCertificate():
            return certificate.relation
        case PathCertificate():
            return certificate.notion
        case NestedCertificate():
            return "2-nested-simulation"
    return "enabledness"


def _not_nested(certificate: NestedCertificate) -> str:
    """The problem if a block is above another in the nested simulation, but not below it in the outer one."""
    outer, inner = certificate.simulation, certificate.nested
    around = np.zeros(len(inner.above), dtype=np.int64)
    around[inner.blocks] = outer.blocks
    if (around[inner.blocks] != outer.blocks).any():
        return "a block of the nested simulation is in several of the other"
    rows, columns = np.nonzero(inner.above)
    wrong = np.flatnonzero(~outer.above[around[columns], around[rows]])
    return f"block {int(columns[wrong[0]])} is above block {int(rows[wrong[0]])}, and not below it" if len(wrong) else ""


def _first_steps(columns: Transitions, states: list[int]) -> set[tuple[int, ...]]:
    members, labels = set(states), columns.labels.tolist()
    steps: set[tuple[int, ...]] = {(labels[state],) for state in states}
    for source, action, target in zip(columns.sources.tolist(), columns.actions.tolist(), columns.targets.tolist()):
        if source in members:
            steps.add((labels[source], action, labels[target]))
    return steps
