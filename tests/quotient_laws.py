"""What quotients by any relation have in common: verdicts are those on the machine, and counterexamples come back to it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from msgspec.structs import replace

from coarsest.check.answers import Checker
from coarsest.evidence.verdict import Answer, Fails, Holds
from coarsest.model.kinds import PropertyKind
from coarsest.model.machine import Machine, Property
from coarsest.options.methods import check_options
from coarsest.options.relations import FAIR_SIMULATIONS
from coarsest.run import Run
from coarsest.space.bdd.build import BuildOptions
from random_machines import seeded_fair_machine
from temporal_laws import claims_about


def answers(machine: Machine, claims: list[Property], **options: Any) -> list[Answer]:
    return list(Checker(machine, BuildOptions(), check_options(vacuity=False, **options), Run()).answers(claims))


def lifted_counterexamples(seeds: Iterable[int], relation: str) -> int:
    """How many counterexamples on quotients were lifted, each confirmed on its machine."""
    lifted = 0
    for seed in seeds:
        machine = seeded_fair_machine(seed)
        if relation in FAIR_SIMULATIONS:
            machine = replace(machine, compassion=())
        claims = [c for c in claims_about(machine, seed) if c.kind in (PropertyKind.LTL, PropertyKind.INVARIANT)]
        for one, other in zip(answers(machine, claims), answers(machine, claims, reduce=relation), strict=True):
            assert one.verdict.word == other.verdict.word, seed
            if isinstance(other.verdict, Fails):
                assert other.verdict.trace is not None and other.confirmed
                lifted += 1
            if isinstance(other.verdict, Holds) and isinstance(one.verdict, Holds):
                assert other.confirmed or other.doubt
    return lifted
