"""Refinement: is one machine below another by the game of fair simulation, seen on what both name?

The adversary plays on the states of the left machine in which a fair path starts: nothing is claimed of other states. Inputs that
both machines have are seen in their states; other inputs are not known before their step.
"""

from __future__ import annotations

from collections.abc import Collection

from msgspec import Struct

from coarsest.check.setting.arena import Arena
from coarsest.check.setting.ctl import CtlOnStates
from coarsest.errors import InputError
from coarsest.evidence.play import Play
from coarsest.logic.expr import Name
from coarsest.model.composition.dead_ends import PREFIX
from coarsest.model.machine import Machine
from coarsest.model.parts.promote_inputs import inputs_mentioned, promote
from coarsest.options.methods import BuildOptions
from coarsest.run import Run
from coarsest.search.fair_simulation.arena import SimulationGame
from coarsest.search.fair_simulation.game_piterman_pnueli_saar import game_simulation
from coarsest.search.fair_simulation.lost_play import lost_play
from coarsest.space.bdd.build import build
from coarsest.space.bdd.two_machines import beside
from coarsest.space.space import State
from coarsest.space.views import RestrictedSpace


class Refinement(Struct, frozen=True):
    """Whether one machine is below another, and where not."""

    holds: bool
    positions: int
    """How many pairs of states the protagonist wins from."""
    unanswered: State | None = None
    """An initial state of the left machine that no initial state of the right one simulates."""
    played_on: tuple[Machine, Machine] | None = None
    """The machines with the observed inputs in their states; None if their states have inputs that are not observed, too."""
    shared: tuple[str, ...] = ()
    """What both machines name."""
    play: Play | None = None
    """How the adversary wins from there, if by a step that cannot be answered."""


def refinement(left: Machine, right: Machine, run: Run, options: BuildOptions | None = None) -> Refinement:
    """Is the left machine below the right one?"""
    options = options or BuildOptions()
    if left.compassion or right.compassion:
        raise InputError("fair simulations handle justice only, and a machine here has compassion", hint="state it as justice")
    shared = _names_of(left) & _names_of(right)
    left, own = _with_inputs_seen(left, shared)
    right, others_own = _with_inputs_seen(right, shared)
    space = build(left, run, options)
    arena = Arena(space, own, run)
    fair = CtlOnStates(arena, run).fair
    machines = beside(space, right, run, options)
    other = Arena(machines.right, (), run)
    game = SimulationGame(machines, RestrictedSpace(arena.space, fair), other.space, arena.forget)
    winning = game_simulation(game, run)
    lost = (arena.first & fair) - game.answered_at_first(winning)
    number = space.manager.count(winning.function, len(space.bits) + len(machines.right.bits))
    played_on = None if own or others_own else (left, right)
    names = tuple(sorted(shared))
    if not lost:
        return Refinement(True, number, None, played_on, names)
    start = space.pick(lost)
    play = None if played_on is None else lost_play(game, start, run)
    return Refinement(False, number, space.describe(start), played_on, names, play)


def _names_of(machine: Machine) -> set[str]:
    """The names that a machine may have in common with another: names that were added to it are its own."""
    own = {name for name in machine.definitions if not name.startswith(PREFIX)}
    return {*own, *(name for name, variable in machine.variables.items() if not variable.added)}


def _with_inputs_seen(machine: Machine, shared: Collection[str]) -> tuple[Machine, frozenset[str]]:
    """The machine with shared inputs in its states, and with those that its fairness mentions, which are returned as well."""
    labels = inputs_mentioned(machine, [Name(name) for name in shared])
    own = inputs_mentioned(machine, machine.justice) - labels
    return promote(machine, own | labels), own
