"""Quotients of machines before their judges: by a walk through the states or, where the classes are formulas, by a solver."""

from __future__ import annotations

from contextlib import suppress
from math import inf
from typing import TYPE_CHECKING, Any, Final, cast

from coarsest import tuning
from coarsest.errors import LimitExceeded
from coarsest.evidence.effort import NotConfirmed
from coarsest.options.option import Confirm
from coarsest.options.relations import FAIR_SIMULATIONS
from coarsest.reduce.partition.certificate import StableFormulas, StablePartition
from coarsest.reduce.simulation.reduction import SimulatingClasses
from coarsest.run import Run

if TYPE_CHECKING:
    from coarsest.reduce.reduction import Reduction
    from coarsest.reduce.simulation.fair_reduction import FairReduction

EVERY_STATE: Final = 10**9
"""The most states that are walked through where a confirmation is insisted on: only the limits of the run count."""


def confirm_classes(partition: StablePartition[Any], run: Run, *, always: bool = False) -> None:
    """Raise EvidenceRejected if the classes are wrong, and NotConfirmed with the reason if that is not known."""
    machine, quotient = partition.observation.machine, partition.claim
    if isinstance(partition, SimulatingClasses):
        _confirm_simulations(partition, run, EVERY_STATE if always else tuning.JUDGED_STATES)
        return
    if not isinstance(partition, StableFormulas):
        from coarsest.evidence.enumeration.classes import confirm_classes

        most, actions = EVERY_STATE if always else tuning.JUDGED_STATES, partition.observation.actions
        confirm_classes(
            machine, quotient, actions, lambda state: partition.class_of(state), run, most=most, coarsest=partition.coarsest
        )
        return
    if quotient.size > tuning.CLASSES_FOR_A_SOLVER and not always:
        raise NotConfirmed(f"there are more than {tuning.CLASSES_FOR_A_SOLVER} classes")
    from coarsest.evidence.smt.classes import confirm_classes_by_solver

    confirm_classes_by_solver(machine, quotient, partition.classes, partition.bounds, run)


def _confirm_simulations(partition: SimulatingClasses[Any], run: Run, most: int) -> None:
    if partition.observed.holds_formulas:
        raise NotConfirmed("the classes are formulas, and simulations are confirmed state by state")
    if len(partition.ordered) > most:
        raise NotConfirmed(f"there are more than {most} classes")
    from coarsest.evidence.enumeration.simulating_classes import confirm_simulations

    machine, actions = partition.observation.machine, partition.observation.actions
    confirm_simulations(machine, partition.claim, partition.simulations, partition.class_of, run, actions=actions, most=most)


def are_confirmed(reduction: Reduction[Any], run: Run, confirm: Confirm = Confirm.AUTO) -> bool:
    """Does a reduction pass an independent check? False where none is wanted, or it takes more work than is spent unasked."""
    if confirm is Confirm.NEVER:
        return False
    work = inf if confirm is Confirm.ALWAYS else max(tuning.WORK_ON_CLASSES, run.meter.work)
    with suppress(NotConfirmed, LimitExceeded), run.within(work=work):
        confirm_classes(reduction.certificate, run, always=confirm is Confirm.ALWAYS)
        if reduction.relation in FAIR_SIMULATIONS:
            from coarsest.lts.compare.confirm_reduction import confirm_fair_reduction

            fair = cast("FairReduction[Any]", reduction)
            relation = fair.relation if fair.ahead == 1 else "words"
            return confirm_fair_reduction(fair.whole, fair.small.fair, relation, when=confirm, run=run)
        return True
    return False
