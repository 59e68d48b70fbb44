"""Measurements of the structures of Bustan's thesis: reduced, and looked at step by step."""

from __future__ import annotations

from collections.abc import Sequence
from time import process_time
from typing import Any

import numpy as np

from coarsest.api import model as api
from coarsest.experiments import bustan_models
from coarsest.experiments.points import Facts
from coarsest.logic.expr import Name
from coarsest.reduce.partition.observation import observe
from coarsest.reduce.partition.observed import Observed
from coarsest.reduce.simulation import partition_bustan_grumberg, quotients_bustan_grumberg, splitters_gentilini_piazza_policriti
from coarsest.reduce.simulation.algorithms import minimise_by
from coarsest.reduce.simulation.ordered import Ordered
from coarsest.reduce.simulation.reduction import SimulationReduction
from coarsest.run import Run
from coarsest.space.bdd.build import build
from coarsest.space.space import S

FIGURES = {"3.4": bustan_models.FIGURE_3_4, "3.6": bustan_models.FIGURE_3_6}


def family(n: int, by: str, algorithm: str = "auto", *, run: Run) -> Facts:
    """M_n reduced. Its states are told as text: a number of JSON may have no more than 64 bits."""
    model = api.loads(bustan_models.family(n))
    started = process_time()
    reduced = model.reduce(observe=["a"], by=by, algorithm=algorithm, run=run)
    seconds = process_time() - started
    reduction = reduced.reduction
    classes = len(reduction.ordered) if isinstance(reduction, SimulationReduction) else reduced.states
    return {"states": str(reduced.states_before), "classes": classes, "left": reduced.states, "seconds": seconds}


def smallest(figure: str, algorithm: str, *, run: Run) -> Facts:
    """An example reduced in one go."""
    _, _, small = minimise_by(algorithm, _observed(figure), run)
    return {"states": len(small.partition), "transitions": len(small.partition.edges), "reachable": len(small.partition)}


def steps(figure: str, *, every: bool, brothers: str = "", run: Run) -> Facts:
    """The minimising algorithm, figure 3.3: the quotient, without little brothers, without what cannot be reached."""
    observed = _observed(figure)
    *_, ordered = partition_bustan_grumberg.refinements(observed, run)
    structure = quotients_bustan_grumberg.quotient(observed, ordered, every=every)
    labels = [next(i for i, block in enumerate(observed.blocks) if states <= block) for states in ordered.classes]
    if brothers == "one by one":
        structure = quotients_bustan_grumberg.disconnect_one_by_one(structure, labels, run)
    elif brothers == "in one pass":
        structure = quotients_bustan_grumberg.disconnect_in_one_pass(structure)
    elif brothers == "at once":
        structure = quotients_bustan_grumberg.disconnect_at_once(structure)
    reached, transitions = quotients_bustan_grumberg.reachable(structure)
    return {
        "states": len(ordered), "transitions": structure.transitions,
        "reachable": int(reached.sum()), "between": transitions,
    }  # fmt: skip


def rounds(figure: str, algorithm: str, number: int, *, run: Run) -> Facts:
    """The partition and the order after so many rounds; the last round, if there are not so many."""
    observed = _observed(figure)
    module = partition_bustan_grumberg if algorithm == "partition" else splitters_gentilini_piazza_policriti
    every = list(module.refinements(observed, run))
    return {"rounds": len(every) - 1, "states": len(every[-1]), **_told(observed, every[min(number, len(every) - 1)])}


def _observed(figure: str) -> Observed[Any]:
    machine = api.loads(FIGURES[figure]).machine
    space = build(machine)
    labels = observe(machine, [Name(name) for name in machine.definitions])
    return Observed.by(space, labels.sets(space, Run()))


def _told(observed: Observed[S], ordered: Ordered[S]) -> Facts:
    """Classes by the numbers of their states, and which of them are below others: as the thesis writes them."""
    members = [_members(observed, states) for states in ordered.classes]
    names = ["{" + ", ".join(map(str, numbers)) + "}" for numbers in members]
    pairs = [(members[i], members[j], f"{names[i]} < {names[j]}") for i, j in np.argwhere(ordered.above).tolist() if i != j]
    classes = [name for _, name in sorted(zip(members, names))]
    return {"classes": " ".join(classes), "order": "; ".join(text for *_, text in sorted(pairs))}


def _members(observed: Observed[S], states: S) -> Sequence[int]:
    space = observed.space
    numbers = []
    while states:
        one = space.pick(states)
        place = space.describe(one)["at"]
        assert isinstance(place, int)
        numbers.append(place)
        states = states - one
    return sorted(numbers)
