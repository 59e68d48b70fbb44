"""Preimages through next-state functions.

Reference: Coudert, Berthet, Madre 1989; Filkorn 1991 (vector composition); Bustan 2002, chapter 6, for other ways of the same.
Symbols:   f is `functions`, R⁻¹(Q') is `preimage.of(Q')`.
Invariant: pre(Q') = ∃ inputs. R⁻¹(Q'), where every next value is a function of state and inputs.
Deviates:  variables whose next value is not a function are quantified with their conjuncts; images use clusters.
Cost:      one preimage through functions; no next-state variables in the result.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Generic, Protocol, TypeAlias

from coarsest.bdd.protocol import F, Manager
from coarsest.run import Run
from coarsest.space.bdd.relation.early_quantification import EarlyQuantification
from coarsest.space.bdd.relation.schedule import schedule
from coarsest.space.bdd.relation.step import Step


class FunctionPreimage(Protocol[F]):
    """A way of computing preimages through a vector of functions, one for each of some variables; others stay as they are."""

    def of(self, target: F) -> F:
        """The arguments for which the functions give an element of the target."""


Way: TypeAlias = Callable[[Manager[F], Mapping[int, F]], FunctionPreimage[F]]
"""How preimages are computed, once the functions are there."""


class VectorComposition(Generic[F]):
    """The functions are put into the target for its variables by one operation of the package."""

    def __init__(self, manager: Manager[F], functions: Mapping[int, F]) -> None:
        self.manager = manager
        self._into = manager.substitution(functions)

    def of(self, target: F) -> F:
        return self.manager.substitute(target, self._into)


class NextStateFunctions(Generic[F]):
    def __init__(self, step: Step[F], run: Run, way: Way[F] = VectorComposition) -> None:
        manager = self.manager = step.manager
        self._step, self._run = step, run
        slots = step.layout.slots
        functions = settled_next_bits(step)
        self.of_bits = {now: functions.get(after, manager.var(after)) for after, now in step.layout.now_of_after.items()}
        self.preimage = way(manager, self.of_bits)
        # What is no function is left as conjuncts, in which the next values that are functions are replaced too.
        replace = manager.substitution(functions)
        given = {name for name in step.functions if slots[name].after and slots[name].after[0] in functions}
        rest = [c.relation for c in step.conjuncts if c.target not in given]
        rest = [manager.substitute(relation, replace) for relation in rest]
        free = [after for after in step.after if after not in functions]
        supports = [manager.support(relation) for relation in rest]
        self.backwards = schedule(manager, rest, supports, [*free, *step.inputs])

    @cached_property
    def clusters(self) -> EarlyQuantification[F]:
        return EarlyQuantification(self._step, self._run)

    def post(self, states: F) -> F:
        return self.clusters.post(states)

    def pre(self, states: F) -> F:
        return self.backwards.apply(self.manager, self.preimage.of(states))

    def pre_within(self, states: F, most_live: int) -> F | None:
        """By clusters: a composition cannot be cut into pieces of a foreseeable size."""
        return self.clusters.pre_within(states, most_live)


def settled_next_bits(step: Step[F]) -> dict[int, F]:
    """The next bits that are functions of present values and inputs alone, by their place.

    A function may mention other next values; these are put in. What depends on a next value that is no function is left out.
    """
    manager = step.manager
    after = set(step.after)
    next_values = manager.cube(after)
    settled: dict[int, F] = {}
    waiting = dict(step.functions)
    while waiting:
        ready = {}
        for name, bits in waiting.items():
            mentioning = [bit for bit in bits if manager.exists(bit, next_values) != bit]  # far quicker than the whole support
            mentioned = set[int]().union(*(manager.support(bit) & after for bit in mentioning))
            if mentioned <= settled.keys():
                put_in = manager.substitution({place: settled[place] for place in mentioned})
                ready[name] = tuple(manager.substitute(bit, put_in) for bit in bits) if mentioned else bits
        if not ready:
            break
        for name, bits in ready.items():
            settled.update(zip(step.layout.slots[name].after, bits, strict=True))
            del waiting[name]
    return settled
