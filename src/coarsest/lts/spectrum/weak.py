"""The notions that abstract from internal steps, decided on the classes of branching bisimulation, the finest of them but one.

Reference: van Glabbeek 1993, The linear time – branching time spectrum II; van Glabbeek, Weijland 1996, Branching time and
           abstraction in bisimulation semantics.
Symbols:   –
Invariant: weak, delay and η-bisimulation are strong or branching bisimulation between weak, delayed or extended steps.
Deviates:  labels count as for other relations: states must have the same to be related; on the way they are not seen.
Cost:      that of the weak steps, which may be quadratic; weak traces exponential in the worst case, and given up within bounds.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property, partial
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from coarsest import tuning
from coarsest.errors import LimitExceeded
from coarsest.logic.modal.hennessy_milner import Builder, Formula
from coarsest.lts.branching.branching_bisimulation import Collapsed, branching_partition, branching_quotient
from coarsest.lts.certificates import PartitionCertificate, PathCertificate, SimulationCertificate, WeakCertificate
from coarsest.lts.labelled import INTERNAL
from coarsest.lts.minimise.quotient import merged
from coarsest.lts.rounds.distinguish_by_weak_steps import WeakDistinguisher
from coarsest.lts.rounds.distinguish_cleaveland import Distinguisher
from coarsest.lts.rounds.history import PartitionHistory
from coarsest.lts.rounds.weak_modalities import DelayModalities, WeakModalities
from coarsest.lts.spectrum.ground import Ground
from coarsest.lts.spectrum.path_observations import PATH_NOTIONS
from coarsest.lts.spectrum.strong import attempt
from coarsest.lts.spectrum.verdicts import Verdict, Verdicts
from coarsest.lts.union import internal_action
from coarsest.lts.weak.coupled_bisping_nestmann import CoupledGame, coupled_preorder
from coarsest.lts.weak.rounds_of_weak_signatures import weak_rounds
from coarsest.lts.weak.saturated import weak_transitions, with_transitions

if TYPE_CHECKING:
    from coarsest.lts.labelled import Graph
    from coarsest.run import Run

Integers = NDArray[np.int64]
Modality: TypeAlias = Callable[[Builder, str, list[int]], int]


class WeakGround:
    """Two graphs side by side, their classes by branching bisimulation, and the steps between these."""

    def __init__(self, ground: Ground, run: Run) -> None:
        self.ground, self.run = ground, run
        self.small, class_of = branching_quotient(ground.small, run, divergence=False)
        self.class_of: Integers = class_of[ground.class_of]
        self.internal = internal_action(self.small)
        self.sides = ground.sides_by(self.class_of)

    def _branching(self, graph: Graph, *, divergence: bool) -> tuple[Collapsed, PartitionHistory]:
        return branching_partition(graph, self.run, divergence=divergence)

    @cached_property
    def plain(self) -> tuple[Collapsed, PartitionHistory]:
        return self._branching(self.ground.small, divergence=False)

    @cached_property
    def divergent(self) -> tuple[Collapsed, PartitionHistory]:
        return self._branching(self.ground.small, divergence=True)

    @cached_property
    def delayed(self) -> WeakDistinguisher:
        return self._told_apart_by(DelayModalities(), after=False)

    @cached_property
    def weak(self) -> WeakDistinguisher:
        return self._told_apart_by(WeakModalities(), after=True)

    def _told_apart_by(self, make: Builder, *, after: bool) -> WeakDistinguisher:
        history = weak_rounds(self.small, self.internal, self.run, after=after)
        return WeakDistinguisher(self.small, history, self.run, silent=self.internal, make=make, after=after)

    @cached_property
    def weak_class_of(self) -> Integers:
        """The class of each state by weak bisimulation."""
        return self.weak.history.block[self.class_of].astype(np.int64)

    @cached_property
    def smaller(self) -> Graph:
        """The steps between classes of weak bisimulation."""
        return merged(self.small, self.weak.history.block)

    @cached_property
    def visible(self) -> Ground:
        """Steps that do for simulations and traces: without labels, a state can do all that its internal steps lead to, so that
        none need be followed after an action, or answered."""
        labelled = len(np.unique(self.smaller.labels)) > 1
        steps = weak_transitions(self.smaller, self.run, after=labelled, most=tuning.SPECTRUM_WEAK_STEPS)
        if not labelled:
            seen = steps.actions != self.internal
            steps = with_transitions(steps, steps.sources[seen], steps.actions[seen], steps.targets[seen])
        return Ground(steps, self.ground.sides_by(self.weak_class_of), self.run)

    @cached_property
    def extended(self) -> tuple[Collapsed, PartitionHistory]:
        """Steps of an action and internal ones after it; and ⇒ for the internal action, without standing still."""
        steps = weak_transitions(self.small, self.run, before=False, most=tuning.SPECTRUM_WEAK_STEPS)
        proper = (steps.actions != self.internal) | (steps.sources != steps.targets)
        steps = with_transitions(steps, steps.sources[proper], steps.actions[proper], steps.targets[proper])
        return self._branching(steps, divergence=False)

    @cached_property
    def _tellers(self) -> dict[str, Distinguisher]:
        return {}

    def teller(self, notion: str) -> Distinguisher:
        """The distinguisher by branching or η-bisimulation. What it computes for one direction helps in the other."""
        if notion not in self._tellers:
            partitions = {"branching-bisimulation": "plain", "branching-bisimulation-divergence": "divergent"}
            collapsed, history = getattr(self, partitions.get(notion, "extended"))
            self._tellers[notion] = Distinguisher(
                collapsed.graph, history, self.run, internal=collapsed.internal, divergence=collapsed.divergence
            )
        return self._tellers[notion]

    @cached_property
    def coupled(self) -> CoupledGame:
        if self.smaller.states > tuning.SPECTRUM_CLASSES:
            raise LimitExceeded("work", f"there are more than {tuning.SPECTRUM_CLASSES:,} classes to be coupled")
        steps = weak_transitions(self.smaller, self.run, most=tuning.SPECTRUM_WEAK_STEPS)
        order = coupled_preorder(steps, self.internal, self.run)
        return CoupledGame(steps, order, self.run, make=WeakModalities(), internal=self.internal)

    @cached_property
    def simulation(self) -> SimulationCertificate:
        """That weak simulation is one, between states of both graphs."""
        order, classes = self.visible.simulation, self.visible.class_of[self.weak_class_of]
        return SimulationCertificate("finite-simulation", order.block[classes].astype(np.int64), order.matrix(), preorder=True)


def decide_weak(ground: Ground, verdicts: Verdicts, run: Run) -> None:
    """Record a verdict for each of the weak notions, in both directions."""
    try:
        weak = WeakGround(ground, run)
    except LimitExceeded as limit:
        for way in (0, 1):
            verdicts.record(("branching-bisimulation", way), Verdict(below=None, reason=str(limit)))
        return
    deciders: dict[str, Callable[[int], Verdict | None]] = {
        "branching-bisimulation-divergence": partial(_branching, weak, "branching-bisimulation-divergence"),
        "branching-bisimulation": partial(_branching, weak, "branching-bisimulation"),
        "eta-bisimulation": partial(_eta, weak),
        "delay-bisimulation": partial(_bisimulation, weak, "delay-bisimulation"),
        "weak-bisimulation": partial(_bisimulation, weak, "weak-bisimulation"),
        "coupled-simulation": partial(_coupled, weak),
        "weak-simulation": partial(_simulation, weak),
        "weak-traces": partial(_traces, weak),
    }
    for notion, decide in deciders.items():
        for way in (0, 1):
            attempt(verdicts, notion, way, partial(_named_alike, weak, decide, way))


def _named_alike(weak: WeakGround, decide: Callable[[int], Verdict | None], way: int) -> Verdict | None:
    """The internal action has the name in formulas that it has in the graphs."""
    verdict = decide(way)
    if verdict is None or verdict.formula is None:
        return verdict
    name = weak.ground.both.action_names[internal_action(weak.ground.both)]
    steps = [node.kind != "label" and node.name in INTERNAL for node in verdict.formula.nodes]
    nodes = [node._replace(name=name) if silent else node for silent, node in zip(steps, verdict.formula.nodes)]
    return replace(verdict, formula=Formula(tuple(nodes)))


def _told_apart(tell: Distinguisher, ones: list[int], others: list[int]) -> Formula | None:
    """A shallow formula that is true in one of the first states and false in all others; None if there is none."""
    depths = [(depth, state) for state in ones if (depth := tell.separation(state, others)) is not None]
    return tell.between(min(depths)[1], others) if depths else None


def _branching(weak: WeakGround, notion: str, way: int) -> Verdict:
    collapsed, history = weak.divergent if notion.endswith("divergence") else weak.plain
    sides = [sorted({int(collapsed.component[state]) for state in side}) for side in weak.ground.sides]
    formula = _told_apart(weak.teller(notion), sides[way], sides[1 - way])
    if formula is not None:
        return Verdict(below=False, formula=formula)
    blocks = history.block[collapsed.component][weak.ground.class_of].astype(np.int64)
    return Verdict(below=True, certificate=PartitionCertificate(notion, blocks))


def _eta(weak: WeakGround, way: int) -> Verdict:
    collapsed, history = weak.extended
    sides = [sorted({int(collapsed.component[state]) for state in side}) for side in weak.sides]
    formula = _told_apart(weak.teller("eta-bisimulation"), sides[way], sides[1 - way])
    if formula is not None:
        return Verdict(below=False, formula=reworded(formula, extended_step))
    blocks = history.block[collapsed.component][weak.class_of].astype(np.int64)
    return Verdict(below=True, certificate=WeakCertificate("extended", PartitionCertificate("branching-bisimulation", blocks)))


def _bisimulation(weak: WeakGround, notion: str, way: int) -> Verdict:
    delayed = notion == "delay-bisimulation"
    tell = weak.delayed if delayed else weak.weak
    formula = _told_apart(tell, weak.sides[way], weak.sides[1 - way])
    if formula is not None:
        return Verdict(below=False, formula=formula)
    partition = PartitionCertificate("bisimulation", tell.history.block[weak.class_of].astype(np.int64))
    return Verdict(below=True, certificate=WeakCertificate("delayed" if delayed else "weak", partition))


def _coupled(weak: WeakGround, way: int) -> Verdict:
    coupled, sides = weak.coupled, weak.ground.sides_by(weak.weak_class_of)
    ones, others = sides[way], sides[1 - way]
    depths = [(depth, state) for state in ones if (depth := coupled.depth(state, others)) is not None]
    if depths:
        return Verdict(below=False, formula=coupled.between(min(depths)[1], others))
    order = coupled.preorder
    blocks = order.block[weak.weak_class_of].astype(np.int64)
    relation = SimulationCertificate("finite-simulation", blocks, order.matrix(), preorder=True)
    return Verdict(below=True, certificate=WeakCertificate("weak", relation, coupled=True))


def _simulation(weak: WeakGround, way: int) -> Verdict:
    ground = weak.visible
    game, ones, others = ground.game("finite-simulation"), ground.sides[way], ground.sides[1 - way]
    depths = [(depth, state) for state in ones if (depth := game.depth(state, others)) is not None]
    if depths:
        return Verdict(below=False, formula=reworded(game.between(min(depths)[1], others), weak_step))
    return Verdict(below=True, certificate=WeakCertificate("weak", weak.simulation))


def _traces(weak: WeakGround, way: int) -> Verdict:
    classes, paths = weak.visible.paths("finite-simulation")
    sides = weak.visible.sides_by(classes.class_of)
    outcome = paths.decide(PATH_NOTIONS[0], sides[way], sides[1 - way])
    if outcome.missing is not None:
        return Verdict(below=False, formula=reworded(paths.formula(PATH_NOTIONS[0], outcome.missing), weak_step))
    return Verdict(below=True, certificate=WeakCertificate("weak", PathCertificate("traces", weak.simulation, outcome.pairs)))


# Formulas about weak or extended steps as formulas about the graph itself


def reworded(formula: Formula, modality: Modality) -> Formula:
    """The formula with its modalities in other words."""
    make, places = Builder(), list[int]()
    for node in formula.nodes:
        parts = [places[part] for part in node.parts]
        match node.kind:
            case "label":
                places.append(make.label(node.name))
            case "not":
                places.append(make.negation(parts[0]))
            case "and":
                places.append(make.conjunction(parts))
            case "true":
                places.append(make.true)
            case _:
                places.append(modality(make, node.name, parts))
    return make.formula(places[-1])


def weak_step(make: Builder, action: str, parts: list[int]) -> int:
    """Internal steps, perhaps an action, and internal steps: <<a>><<i>>φ, or <<i>>φ for an internal one."""
    silent = make.until(make.true, INTERNAL[0], parts[0]) if _must_be_said(make, parts[0]) else parts[0]
    return silent if action in INTERNAL else make.until(make.true, action, silent)


def extended_step(make: Builder, action: str, parts: list[int]) -> int:
    """Internal steps to a state that is still like the first, an action there, and internal steps: φ & <<i>>(φ & <a><<i>>ψ) where
    (φ U <a>ψ) stands in the formula about extended steps."""
    along, end = parts
    after = make.until(make.true, INTERNAL[0], end) if _must_be_said(make, end) else end
    if action not in INTERNAL and along == make.true:
        after = make.until(make.true, action, after)
    elif action not in INTERNAL:
        after = make.until(make.true, INTERNAL[0], make.conjunction([along, make.diamond(action, after)]))
    return make.conjunction([along, after])


def _must_be_said(make: Builder, part: int) -> bool:
    """Are internal steps before a part seen? Not before what begins with internal steps itself."""
    node = make.nodes[part]
    return node.kind != "true" and not (node.kind == "until" and make.nodes[node.parts[0]].kind == "true")
