"""Is one machine below another by a fair simulation, seen on given expressions? Played on sets of pairs of states.

Unlike refinement, this is about all paths, fair or not: the answer is that of a comparison of the machines' quotients, without
computing these. A state without successor stays where it is.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import zip_longest
from types import MappingProxyType

from msgspec import Struct

from coarsest.errors import Unsupported
from coarsest.evidence.play import ObservedPairs, Play
from coarsest.logic.expr import TRUE
from coarsest.logic.show import show
from coarsest.model.unbounded import require_finite
from coarsest.options.methods import BuildOptions
from coarsest.reduce.partition.observation import Observation
from coarsest.run import Run
from coarsest.search.fair_simulation.arena import SimulationGame
from coarsest.search.fair_simulation.delay_etessami_wilke_schuller import delay_simulation
from coarsest.search.fair_simulation.direct_dill_hu_wong_toi import direct_simulation
from coarsest.search.fair_simulation.game_piterman_pnueli_saar import game_simulation
from coarsest.search.fair_simulation.lost_play import lost_play
from coarsest.space.bdd.build import build
from coarsest.space.bdd.two_machines import Set, beside
from coarsest.space.space import State, StateSpace
from coarsest.space.views import Total

ON_PAIRS: Mapping[str, Callable[[SimulationGame, Run], Set]] = MappingProxyType(
    {"direct": direct_simulation, "delay": delay_simulation, "game": game_simulation}
)
"""The fair simulations that are computed on sets of pairs."""


class OnPairs(Struct, frozen=True):
    """Whether one machine is below another, and where not."""

    positions: int
    """How many pairs of states the duplicator wins from."""
    unanswered: State | None = None
    """An initial state that no initial state of the other machine answers."""
    play: Play | None = None
    """How the spoiler wins from there, if by a step that cannot be answered."""

    @property
    def below(self) -> bool:
        return self.unanswered is None


def below_on_pairs(left: Observation, right: Observation, by: str, run: Run, options: BuildOptions | None = None) -> OnPairs:
    """Does the duplicator win on the right, wherever the spoiler begins on the left?"""
    options = options or BuildOptions()
    for side in (left, right):
        require_finite(side.machine, "its states cannot be held in BDDs")
        if side.actions:
            raise Unsupported("on sets of pairs, steps have no actions", hint="compare quotients: --algorithm quotients")
    space = build(left.machine, run, options)
    machines = beside(space, right.machine, run, options, labels=look_of(left, right).alike)
    game = SimulationGame(machines, _total(space), _total(machines.right))
    winning = ON_PAIRS[by](game, run)
    number = space.manager.count(winning.function, len(space.bits) + len(machines.right.bits))
    lost = space.initial - game.answered_at_first(winning)
    if not lost:
        return OnPairs(number)
    start = space.pick(lost)
    return OnPairs(number, space.describe(start), lost_play(game, start, run))


def _total(space: StateSpace[Set]) -> StateSpace[Set]:
    return Total(space, space.states - space.pre(space.states))


def look_of(left: Observation, right: Observation, by: str = "") -> ObservedPairs:
    """What is seen of both; in direct simulations, fairness as well."""
    on_left, on_right = (sorted(side.visible, key=show) for side in (left, right))
    fair = tuple(zip_longest(left.machine.justice, right.machine.justice, fillvalue=TRUE)) if by == "direct" else ()
    return ObservedPairs(tuple(zip(on_left, on_right, strict=True)), fair)
