"""The notions that abstract from internal steps, decided on the classes of branching bisimulation, the second finest of them.

Reference: van Glabbeek 1993, The linear time – branching time spectrum II; van Glabbeek, Weijland 1996, Branching time and
           abstraction in bisimulation semantics.
Symbols:   –
Invariant: weak, delay and η-bisimulation are strong or branching bisimulation between weak, delayed or extended steps.
Deviates:  labels count as for other relations: related states have the same label; labels on the way are not seen.
Cost:      that of the weak steps, which may be quadratic; weak traces are exponential in the worst case, and limited.
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
    """Two graphs side by side, their classes by branching bisimulation, and the steps between the classes."""

    def __init__(self, ground: Ground, run: Run) -> None:
        self.ground, self.run = ground, run
        self.small, class_of = branching_quotient(ground.small, run, divergence=False)
        self.class_of: Integers = class_of[ground.class_of]
        self.internal = internal_action(self.small)
        self.sides = ground.sides_by(self.class_of)

    @cached_property
    def plain(self) -> tuple[Collapsed, PartitionHistory]:
        return branching_partition(self.ground.small, self.run)

    @cached_property
    def divergent(self) -> tuple[Collapsed, PartitionHistory]:
        return branching_partition(self.ground.small, self.run, divergence=True)

    @cached_property
    def delayed(self) -> WeakDistinguisher:
        return self._distinguisher_with(DelayModalities(), after=False)

    @cached_property
    def weak(self) -> WeakDistinguisher:
        return self._distinguisher_with(WeakModalities(), after=True)

    def _distinguisher_with(self, make: Builder, *, after: bool) -> WeakDistinguisher:
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
        """Steps that suffice for simulations and traces. Without labels, a state has all steps of those that its internal steps
        lead to, so that internal steps need not be followed after an action, or answered."""
        labelled = len(np.unique(self.smaller.labels)) > 1
        steps = weak_transitions(self.smaller, self.run, after=labelled, most=tuning.SPECTRUM_WEAK_STEPS)
        if not labelled:
            visible = steps.actions != self.internal
            steps = with_transitions(steps, steps.sources[visible], steps.actions[visible], steps.targets[visible])
        return Ground(steps, self.ground.sides_by(self.weak_class_of), self.run)

    @cached_property
    def extended(self) -> tuple[Collapsed, PartitionHistory]:
        """The steps by an action followed by internal ones; and ⇒ for the internal action, without loops."""
        steps = weak_transitions(self.small, self.run, before=False, most=tuning.SPECTRUM_WEAK_STEPS)
        proper = (steps.actions != self.internal) | (steps.sources != steps.targets)
        steps = with_transitions(steps, steps.sources[proper], steps.actions[proper], steps.targets[proper])
        return branching_partition(steps, self.run)

    @cached_property
    def _distinguishers(self) -> dict[str, Distinguisher]:
        return {}

    def distinguisher(self, notion: str) -> Distinguisher:
        """The distinguisher by branching or η-bisimulation. Both directions use the same one."""
        if notion not in self._distinguishers:
            partitions = {"branching-bisimulation": "plain", "branching-bisimulation-divergence": "divergent"}
            collapsed, history = getattr(self, partitions.get(notion, "extended"))
            self._distinguishers[notion] = Distinguisher(
                collapsed.graph, history, self.run, internal=collapsed.internal, divergence=collapsed.divergence
            )
        return self._distinguishers[notion]

    @cached_property
    def coupled(self) -> CoupledGame:
        if self.smaller.states > tuning.SPECTRUM_CLASSES:
            raise LimitExceeded("work", f"there are more than {tuning.SPECTRUM_CLASSES:,} classes to be coupled")
        steps = weak_transitions(self.smaller, self.run, most=tuning.SPECTRUM_WEAK_STEPS)
        order = coupled_preorder(steps, self.internal, self.run)
        return CoupledGame(steps, order, self.run, make=WeakModalities(), internal=self.internal)

    @cached_property
    def simulation(self) -> SimulationCertificate:
        """The certificate of weak simulation between states of both graphs."""
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
    """The verdict, with a formula in which the internal action has the name that it has in the graphs."""
    verdict = decide(way)
    if verdict is None or verdict.formula is None:
        return verdict
    name = weak.ground.both.action_names[internal_action(weak.ground.both)]
    steps = [node.kind != "label" and node.name in INTERNAL for node in verdict.formula.nodes]
    nodes = [node._replace(name=name) if silent else node for silent, node in zip(steps, verdict.formula.nodes)]
    return replace(verdict, formula=Formula(tuple(nodes)))


def _difference(distinguisher: Distinguisher, ones: list[int], others: list[int]) -> Formula | None:
    """A shallow formula that is true in one of the first states and false in all others; None if there is none."""
    depths = [(depth, state) for state in ones if (depth := distinguisher.separation(state, others)) is not None]
    return distinguisher.between(min(depths)[1], others) if depths else None


def _branching(weak: WeakGround, notion: str, way: int) -> Verdict:
    collapsed, history = weak.divergent if notion.endswith("divergence") else weak.plain
    sides = [sorted({int(collapsed.component[state]) for state in side}) for side in weak.ground.sides]
    formula = _difference(weak.distinguisher(notion), sides[way], sides[1 - way])
    if formula is not None:
        return Verdict(below=False, formula=formula)
    blocks = history.block[collapsed.component][weak.ground.class_of].astype(np.int64)
    return Verdict(below=True, certificate=PartitionCertificate(notion, blocks))


def _eta(weak: WeakGround, way: int) -> Verdict:
    collapsed, history = weak.extended
    sides = [sorted({int(collapsed.component[state]) for state in side}) for side in weak.sides]
    formula = _difference(weak.distinguisher("eta-bisimulation"), sides[way], sides[1 - way])
    if formula is not None:
        return Verdict(below=False, formula=reworded(formula, extended_step))
    blocks = history.block[collapsed.component][weak.class_of].astype(np.int64)
    return Verdict(below=True, certificate=WeakCertificate("extended", PartitionCertificate("branching-bisimulation", blocks)))


def _bisimulation(weak: WeakGround, notion: str, way: int) -> Verdict:
    delayed = notion == "delay-bisimulation"
    distinguisher = weak.delayed if delayed else weak.weak
    formula = _difference(distinguisher, weak.sides[way], weak.sides[1 - way])
    if formula is not None:
        return Verdict(below=False, formula=formula)
    partition = PartitionCertificate("bisimulation", distinguisher.history.block[weak.class_of].astype(np.int64))
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
    """The formula with each modality replaced by one about the graph."""
    make, new = Builder(), list[int]()
    for node in formula.nodes:
        parts = [new[part] for part in node.parts]
        match node.kind:
            case "label":
                new.append(make.label(node.name))
            case "not":
                new.append(make.negation(parts[0]))
            case "and":
                new.append(make.conjunction(parts))
            case "true":
                new.append(make.true)
            case _:
                new.append(modality(make, node.name, parts))
    return make.formula(new[-1])


def weak_step(make: Builder, action: str, parts: list[int]) -> int:
    """Internal steps, perhaps an action, and internal steps: <<a>><<i>>φ, or <<i>>φ for an internal one."""
    silent = make.until(make.true, INTERNAL[0], parts[0]) if _depends_on_silent_steps(make, parts[0]) else parts[0]
    return silent if action in INTERNAL else make.until(make.true, action, silent)


def extended_step(make: Builder, action: str, parts: list[int]) -> int:
    """Internal steps to a state that is still like the first, an action there, and internal steps: φ & <<i>>(φ & <a><<i>>ψ) for
    (φ U <a>ψ) in the formula about extended steps."""
    along, end = parts
    after = make.until(make.true, INTERNAL[0], end) if _depends_on_silent_steps(make, end) else end
    if action not in INTERNAL and along == make.true:
        after = make.until(make.true, action, after)
    elif action not in INTERNAL:
        after = make.until(make.true, INTERNAL[0], make.conjunction([along, make.diamond(action, after)]))
    return make.conjunction([along, after])


def _depends_on_silent_steps(make: Builder, part: int) -> bool:
    """Does a part change its meaning after internal steps? It does not if it begins with internal steps itself."""
    node = make.nodes[part]
    return node.kind != "true" and not (node.kind == "until" and make.nodes[node.parts[0]].kind == "true")
