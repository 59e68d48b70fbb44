"""A machine reduced by direct or delay simulation: fairness constraints are not seen, but fair paths are answered by fair paths.

Reference: Bustan 2002, section 4.2.4; lts/simulation/fair_quotients_bustan.py.
Symbols:   the inner reduction is the quotient by bisimulation, for which fairness constraints are labels, too; on its classes the
           games are played.
Invariant: the machine is bisimilar to that quotient, and the quotient equivalent to the smaller structure.
Deviates:  a class without successor stays where it is on paths, as the states of machines do; only such classes stand for it.
Cost:      that of both reductions.
"""

from __future__ import annotations

from functools import cached_property, reduce
from operator import or_

import numpy as np
from msgspec.structs import replace

from coarsest.errors import EvidenceRejected, Unsupported
from coarsest.evidence.quotient import MachineQuotient
from coarsest.logic.expr import Expr, Name, Value
from coarsest.lts.fair import FairGraph
from coarsest.lts.language.path_along import Looks, path_along
from coarsest.lts.simulation.fair_quotients_bustan import FairQuotient, smaller
from coarsest.lts.staying import fair_staying
from coarsest.model.machine import Machine, Property
from coarsest.model.trace import Trace
from coarsest.reduce.lift import ClassPath
from coarsest.reduce.partition.certificate import StablePartition
from coarsest.reduce.partition.partition import Lazy, Partition
from coarsest.reduce.partition.quotient import unused
from coarsest.reduce.reduction import Reduction
from coarsest.reduce.simulation.reduction import Simulated
from coarsest.run import Run
from coarsest.space.space import S

STOPPED = "stopped"
"""The action of the step to itself that a class without successor has in games."""


class FairReduction(Simulated[S], frozen=True, dict=True):
    """Classes of classes, by a simulation that knows what is fair."""

    relation: str
    inner: Reduction[S]
    """By bisimulation."""
    whole: FairGraph
    """Its quotient."""
    small: FairQuotient
    ahead: int = 1
    """With lookahead, the structure has the same words, and need not be equivalent otherwise."""

    @property
    def preserves(self) -> str:
        return super().preserves if self.ahead == 1 else "LTL"

    def objection(self, claim: Property) -> str:
        if self.ahead > 1 and claim.kind.is_branching:
            return "with lookahead, only what is said of single paths is preserved"
        return super().objection(claim)

    @property
    def leaves_out_initial_states(self) -> bool:
        return not set(self.small.state_of[self.whole.graph.initial].tolist()) <= set(self.partition.initial)

    @cached_property
    def constraints(self) -> tuple[Expr, ...]:
        """The fairness constraints of the quotient: those of the original if they are seen, and new names for the others."""
        names = {label.name for label in self.observation.visible if isinstance(label, Name)}
        fresh = [Name(unused(f"fair_{number}", names)) for number in range(1, len(self.original.justice) + 1)]
        return tuple(p if p in self.observation.visible else name for p, name in zip(self.original.justice, fresh))

    @cached_property
    def quotient(self) -> MachineQuotient:
        first, quotient = _representatives(self.small), self.inner.quotient
        labels: dict[Expr, tuple[Value, ...]] = {
            label: tuple(quotient.labels[label][number] for number in first) for label in self.observation.visible
        }
        labels |= {p: tuple(map(bool, members)) for p, members in zip(self.constraints, self.small.fair.fairness)}
        return MachineQuotient(self.partition.initial, self.partition.edges, labels, quotient.actions, len(self.partition))

    @cached_property
    def machine(self) -> Machine:
        return self._machine(replace(self.original, justice=self.constraints))

    @cached_property
    def certificate(self) -> StablePartition[S]:
        """That of the quotient by bisimulation: games show the rest."""
        return self.inner.certificate

    def class_path(self, trace: Trace, run: Run) -> ClassPath:
        """States of a class answer each other's steps in time, but need not have the steps of their class: so a path that looks
        alike is looked for among the classes by bisimulation."""
        path = super().class_path(trace, run)
        graph, quotient = self.small.fair.graph, self.inner.quotient
        names = list(map(quotient.action_name, range(len(quotient.actions))))
        stuck = set(range(graph.states)) - {source for source, _, _ in self.partition.edges}
        actions = [STOPPED if at in stuck else names[action] for at, action in zip(path.classes, path.actions)]
        labels = [graph.label_names[graph.labels[number]] for number in path.classes]
        along = path_along(self.whole, Looks(labels, actions, path.loop), run)
        if along is None:
            raise EvidenceRejected(f"no path of the model has the labels of a path of its structure by {self.relation}")
        steps = [path.actions[place] for place in along.places if place < len(actions)]
        return ClassPath(along.states, steps, along.loop)

    def lift(self, path: ClassPath, run: Run) -> Trace:
        return self.inner.lift(path, run)


def fair_reduction(inner: Reduction[S], relation: str, run: Run, *, ahead: int = 1) -> FairReduction[S]:
    """The quotient by bisimulation made smaller."""
    machine, observation = inner.original, inner.observation
    if machine.compassion:
        hint = "constraints `JUSTICE p` and `FAIRNESS p` are fairness sets"
        raise Unsupported(f"COMPASSION cannot be expressed as a fairness set, which {relation} simulation is about", hint=hint)
    whole = fair_staying(inner.quotient.fair_graph(observation.visible, machine.justice), STOPPED)
    small = smaller(whole, run, by=relation, ahead=ahead)
    partition = _partition(inner, small)
    return FairReduction(machine, observation, inner.observed, partition, "fair-quotients", relation, inner, whole, small, ahead)


def _representatives(small: FairQuotient) -> list[int]:
    """For each state of the small graph, the first class that it stands for."""
    numbers, first = np.unique(small.state_of, return_index=True)
    return [int(first[place]) for place in np.flatnonzero(numbers >= 0).tolist()]


def _partition(inner: Reduction[S], small: FairQuotient) -> Partition[S]:
    graph, classes = small.fair.graph, inner.partition.classes
    names = list(map(inner.quotient.action_name, range(len(inner.quotient.actions))))
    triples = zip(graph.sources.tolist(), graph.actions.tolist(), graph.targets.tolist())
    steps = [(source, graph.action_names[action], target) for source, action, target in triples]
    edges = sorted((source, names.index(name), target) for source, name, target in steps if name != STOPPED)
    members = [np.flatnonzero(small.state_of == number).tolist() for number in range(graph.states)]
    looks = tuple(inner.partition.looks[number] for number in _representatives(small))
    united = Lazy[S](len(members), lambda number: reduce(or_, (classes[one] for one in members[number])))
    return Partition(united, tuple(sorted(graph.initial.tolist())), tuple(edges), looks)
