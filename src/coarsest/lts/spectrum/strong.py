"""The strong notions of the spectrum, decided in an order in which each helps the next.

The finest comes first, because its yes is a yes for all. The others follow from the coarsest on, because the no of a coarse
notion is a no for all finer ones, whose formulas are only of interest if they are shallower.

Reference: van Glabbeek 1990, The linear time – branching time spectrum; Bisping 2023, Process equivalence problems as energy
           games, for what a formula costs.
Symbols:   –
Invariant: a verdict is recorded for every notion and direction, or follows from those that are.
Deviates:  no energy game: bisimulation and the simulations are polynomial and have kernels of their own, all others are
           searches along paths, which end at the first formula.
Cost:      that of the preorders, O(|P| · m); path notions exponential in the worst case, and given up within bounds.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from coarsest.errors import LimitExceeded
from coarsest.logic.modal.hennessy_milner import Builder, Formula
from coarsest.lts.certificates import FirstStepsCertificate, PathCertificate
from coarsest.lts.spectrum.ground import Ground
from coarsest.lts.spectrum.notions import BY_NAME
from coarsest.lts.spectrum.path_observations import PATH_NOTIONS, PathNotion
from coarsest.lts.spectrum.verdicts import Verdict, Verdicts

SIMULATIONS = ("2-nested-simulation", "ready-simulation", "finite-simulation")
"""The simulations, the finest first: although all need plain simulation, a yes of the others is a yes for it."""
STANDS_ON = {
    "traces": "finite-simulation", "impossible-futures": "2-nested-simulation", "possible-futures": "2-nested-simulation",
}  # fmt: skip
"""The simulation on whose classes a path notion is decided, where it is not ready simulation."""


def decide_strong(ground: Ground, verdicts: Verdicts) -> None:
    """Record a verdict for each of the strong notions, in both directions."""
    for way in (0, 1):
        attempt(verdicts, "bisimulation", way, partial(_bisimulation, ground, way))
        attempt(verdicts, "enabledness", way, partial(_enabledness, ground, way))
    for simulation in SIMULATIONS:
        for way in (0, 1):
            attempt(verdicts, simulation, way, partial(_simulation, ground, simulation, way))
    for notion in PATH_NOTIONS:
        for way in (0, 1):
            attempt(verdicts, notion.name, way, partial(_along_paths, ground, verdicts, notion, way))


def attempt(verdicts: Verdicts, notion: str, way: int, decide: Callable[[], Verdict | None]) -> None:
    """Record a verdict, or the limit that was reached, unless a yes or a formula of at most one step follows from others."""
    earlier = verdicts.at((notion, way))
    if earlier.below or (earlier.formula is not None and earlier.formula.depth <= 1 and not BY_NAME[notion].weak):
        return
    try:
        verdict = decide()
    except LimitExceeded as limit:
        verdict = Verdict(below=None, reason=str(limit))
    if verdict is not None:
        verdicts.record((notion, way), verdict)


def _bisimulation(ground: Ground, way: int) -> Verdict | None:
    ones, others = ground.sides[way], ground.sides[1 - way]
    lonely = [state for state in ones if state not in others]
    if not lonely:
        return Verdict(below=True, certificate=ground.partition)
    distinguisher = ground.distinguisher
    state = min(lonely, key=lambda state: (distinguisher.separation(state, others), state))
    return Verdict(below=False, formula=distinguisher.between(state, others))


def _simulation(ground: Ground, notion: str, way: int) -> Verdict | None:
    game, ones, others = ground.game(notion), ground.sides[way], ground.sides[1 - way]
    depths = [(depth, state) for state in ones if (depth := game.depth(state, others)) is not None]
    if not depths:
        return Verdict(below=True, certificate=ground.certificate(notion))
    return Verdict(below=False, formula=game.between(min(depths)[1], others))


def _along_paths(ground: Ground, verdicts: Verdicts, notion: PathNotion, way: int, most: int | None = None) -> Verdict | None:
    """The verdict; None if a coarser notion has a formula already, and no formula is shallower."""
    stands_on = STANDS_ON.get(notion.name, "ready-simulation")
    coarser = verdicts.at((notion.name, way)).formula
    least = most if coarser is None else coarser.depth
    classes, paths = ground.paths(stands_on)
    sides = ground.sides_by(classes.class_of)
    outcome = paths.decide(notion, sides[way], sides[1 - way], least)
    if outcome.missing is not None:
        return Verdict(below=False, formula=paths.formula(notion, outcome.missing))
    if least is not None:
        return None
    futures = ground.inclusions(notion, outcome.pairs) if stands_on == "2-nested-simulation" else ()
    if futures is None:
        return Verdict(below=True)
    return Verdict(below=True, certificate=PathCertificate(notion.name, ground.certificate(stands_on), outcome.pairs, futures))


def _enabledness(ground: Ground, way: int) -> Verdict | None:
    """Compare the first steps of the initial states, with the labels before and after."""
    ones, others = (_first_steps(ground, side) for side in (ground.sides[way], ground.sides[1 - way]))
    missing = sorted(ones - others, key=lambda step: (len(step), step))
    if not missing:
        return Verdict(below=True, certificate=FirstStepsCertificate())
    return Verdict(below=False, formula=_has_first_step(ground, missing[0], others))


def _first_steps(ground: Ground, states: list[int]) -> set[tuple[int, ...]]:
    graph, labels = ground.small, ground.small.labels.tolist()
    steps: set[tuple[int, ...]] = {(labels[state],) for state in states}
    for state in states:
        begin, end = int(graph.offsets[state]), int(graph.offsets[state + 1])
        for action, target in zip(graph.actions[begin:end].tolist(), graph.targets[begin:end].tolist()):
            steps.add((labels[state], action, labels[target]))
    return steps


def _has_first_step(ground: Ground, step: tuple[int, ...], others: set[tuple[int, ...]]) -> Formula:
    """The formula that a step is possible. It mentions labels if others can do the action with other labels."""
    make, names = Builder(), ground.small.label_names
    if len(step) == 1:
        return make.formula(make.label(names[step[0]]))
    before, action, after = step
    rivals = [other for other in others if len(other) > 1 and other[1] == action]
    end = make.label(names[after]) if any(other[0] == before for other in rivals) else make.true
    parts = [make.diamond(ground.small.action_names[action], end)]
    if any(other[0] != before and (other[2] == after or end == make.true) for other in rivals):
        parts.insert(0, make.label(names[before]))
    return make.formula(make.conjunction(parts))
