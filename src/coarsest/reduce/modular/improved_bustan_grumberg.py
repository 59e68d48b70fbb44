"""The improved algorithm: each part of a machine is reduced together with what it reads of the others.

Reference: Bustan 2002, sections 5.3.1 (stages 1–7), 5.3.3 (legal states), 5.4 and figure 5.5; improved2 and improved3 are those
           of section 5.4.2.
Symbols:   M_k is `part`, O'_k what others read of it; M_j^r of all others is `around`, M_k^e `closed`, M_k^d `small`, f_k its
           `classes` as functions of the whole state, M_d `disjoint`, S'_d the domain that `standing_for` gives it.
Invariant: M_k^e is bisimulation equivalent to the whole with respect to the outputs of M_k, and so is M_k^d (lemma 5.3.2).
Deviates:  any number of parts: the environment of a part is composed of the others, and reduced to what is read of it before
           the next part is added; what nobody reads is left out. Lemma 5.3.10 holds for machines whose steps are a function of
           states and inputs, as in section 5.4 of the thesis; where a machine chooses, M'_d may have steps between legal states
           that the whole does not have. Choices are therefore inputs here, which algorithms.py hides at the end. If the whole
           is deterministic, M_d is not restricted to S'_d: what is reached from its initial state is legal. Where one of two
           parts would have all outputs, each takes half of them, and improved3 goes to single outputs at once, because the
           machines between are not needed. Bits of classes that are one function of the whole state are one bit of M_d.
Cost:      the reductions of all M_k^r and M_k^e; S'_d is the image of all states of the whole.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce
from typing import Protocol, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from coarsest.reduce.modular.moore import Bench, Function, Moore, compose
from coarsest.reduce.modular.ordinary_hopcroft import Smaller, reduction, standing_for
from coarsest.reduce.modular.parts import Atom, halves, inside, parted, should_split
from coarsest.run import Run

Each: TypeAlias = "Callable[[Sequence[Job], Run], list[Smaller]]"
"""A function that does all jobs, here or in other processes."""


class Job(Protocol):
    """A reduction that does not depend on others."""

    @property
    def bench(self) -> Bench: ...

    def small(self, run: Run) -> Smaller:
        """M_k^d, with f_k."""


def one_by_one(jobs: Sequence[Job], run: Run) -> list[Smaller]:
    """The results of all jobs."""
    return [job.small(run) for job in jobs]


def improved(
    whole: Moore, parts: Sequence[Sequence[Atom]], atoms: Sequence[Atom], run: Run, *, each: Each = one_by_one
) -> Smaller:
    """The quotient of a machine by way of its parts (figure 5.5)."""
    if len(parts) < 2 or not whole.outputs:
        return reduction(whole, run)
    machines = parted(whole, parts, shared=True)
    included = whole.bench.manager.included
    blocking = frozenset(n for n, machine in enumerate(machines) if not included(whole.domain, machine.possible))
    jobs = [MachinePart(machines, blocking, atoms, number) for number, part in enumerate(machines) if part.outputs]
    return disjoint(whole, each(jobs, run), run)


class MachinePart(Struct, frozen=True):
    """One of several parts. A part that may have no step is `blocking`: all others stop with it, whether they read it or not."""

    machines: Sequence[Moore]
    blocking: frozenset[int]
    atoms: Sequence[Atom]
    number: int

    @property
    def bench(self) -> Bench:
        return self.machines[0].bench

    def small(self, run: Run) -> Smaller:
        part = self.machines[self.number]
        around = self.environment(run)
        if around is None:
            return reduction(part.with_outputs(part.outputs), run)
        closed = compose(part, around.machine).with_outputs(part.outputs)
        small = reduction(closed, run)
        return Smaller(small.machine, part.bench.substituted(small.classes, around.classes))

    def environment(self, run: Run) -> Smaller | None:
        """The parts that this one reads, directly or not, and the blocking ones, reduced to what is read of them."""
        part = self.machines[self.number]
        waiting = {number: machine for number, machine in enumerate(self.machines) if number != self.number}
        joined: Smaller | None = None

        def read_across(machine: Moore) -> int:
            """How much is still read of the environment from outside, if this part is added next."""
            own = {*machine.wires, *(joined.machine.wires if joined else ())}
            return len(own & set[int]().union(*(other.inputs for other in (part, *waiting.values()) if other is not machine)))

        while True:
            read = {*part.inputs, *(joined.machine.inputs if joined else ())}
            needed = [n for n, machine in waiting.items() if n in self.blocking or not read.isdisjoint(machine.wires)]
            if not needed:
                return joined
            following = waiting.pop(min(needed, key=lambda n: read_across(waiting[n])))
            joined = self._with_another(joined, following, [part, *waiting.values()], run)

    def _with_another(self, joined: Smaller | None, following: Moore, outside: Sequence[Moore], run: Run) -> Smaller:
        bench = following.bench
        both = following if joined is None else compose(joined.machine, following)
        read = set[int]().union(*(machine.inputs for machine in outside))
        small = _recursively(both.with_outputs(wires=read), self.atoms, run)
        before = {latch: bench.manager.var(latch) for latch in following.latches} | dict(joined.classes if joined else {})
        return Smaller(small.machine.without_unread_inputs(), bench.substituted(small.classes, before))


def _recursively(machine: Moore, atoms: Sequence[Atom], run: Run) -> Smaller:
    """A part is reduced like a whole whose outputs are its wires: `improvedAlgorithm(m1r)` in the figure."""
    if not should_split(machine, atoms):
        return reduction(machine, run)
    as_outputs = replace(machine, outputs=dict(machine.wires), wires={})
    small = improved(as_outputs, halves(machine, inside(machine, atoms)), atoms, run)
    return Smaller(replace(small.machine, wires=small.machine.outputs, outputs={}), small.classes)


class SomeOutputs(Struct, frozen=True):
    """The whole with respect to some of its outputs."""

    whole: Moore

    @property
    def bench(self) -> Bench:
        return self.whole.bench

    def small(self, run: Run) -> Smaller:
        return reduction(self.whole, run)


def improved2(whole: Moore, atoms: Sequence[Atom], run: Run, *, each: Each = one_by_one) -> Smaller:
    """Without M_k^r: the whole is reduced with respect to each half of the outputs."""
    if len(atoms) > 1:
        groups = [list(part.outputs) for part in parted(whole, halves(whole, atoms), shared=True)]
    else:
        half = (len(whole.outputs) + 1) // 2
        groups = [list(whole.outputs)[:half], list(whole.outputs)[half:]]
    return _by_outputs(whole, [outputs for outputs in groups if outputs], run, each)


def improved3(whole: Moore, run: Run, *, each: Each = one_by_one) -> Smaller:
    """The whole is reduced with respect to each single output; the thesis halves the outputs until it arrives there."""
    return _by_outputs(whole, [[output] for output in whole.outputs], run, each)


def _by_outputs(whole: Moore, groups: Sequence[Sequence[int]], run: Run, each: Each) -> Smaller:
    if len(groups) < 2:
        return reduction(whole.with_outputs(whole.outputs), run)
    return disjoint(whole, each([SomeOutputs(whole.with_outputs(outputs)) for outputs in groups], run), run)


def disjoint(whole: Moore, smaller: Sequence[Smaller], run: Run) -> Smaller:
    """M_d: machines that do not read each other, composed, with the states that stand for states of the whole."""
    run.step("legal states", nodes=whole.bench.manager.live_nodes)
    all_legal, true = whole.is_deterministic, whole.bench.manager.true
    machines = [small.machine if all_legal else replace(small.machine, domain=true, initial=true) for small in smaller]
    machine = reduce(compose, machines)
    classes = {latch: function for small in smaller for latch, function in small.classes.items()}
    return standing_for(whole, _without_equal_bits(Smaller(machine, classes)), all_legal=all_legal)


def _without_equal_bits(smaller: Smaller) -> Smaller:
    """Bits that are the same function of the whole state become one bit, for they differ in no legal state."""
    bench, machine = smaller.bench, smaller.machine
    first: dict[Function, int] = {}
    equal: dict[int, Function] = {}
    for latch, function in smaller.classes.items():
        if first.setdefault(function, latch) != latch:
            equal[latch] = bench.manager.var(first[function])
    if not equal:
        return smaller
    latches = {latch: function for latch, function in machine.latches.items() if latch not in equal}
    wholes = bench.substituted({0: machine.possible, 1: machine.domain, 2: machine.initial}, equal)
    fewer = replace(
        machine, latches=bench.substituted(latches, equal), outputs=bench.substituted(machine.outputs, equal),
        wires=bench.substituted(machine.wires, equal), possible=wholes[0], domain=wholes[1], initial=wholes[2],
    )  # fmt: skip
    return Smaller(fewer, {latch: function for function, latch in first.items()})
