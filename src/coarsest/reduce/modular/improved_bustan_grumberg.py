"""The improved algorithm: each part of a machine is reduced in what it sees of the others; side by side, the results are minimal.

Reference: Bustan 2002, sections 5.3.1 (stages 1–7), 5.3.3 (legal states), 5.4 and figure 5.5; improved2 and improved3 are those
           of section 5.4.2.
Symbols:   M_k is `part`, O'_k what others read of it; M_j^r of all others is `around`, M_k^e `closed`, M_k^d `small`, f_k its
           `classes` as functions of the whole state, M_d `disjoint`, S'_d the domain that `standing_for` gives it.
Invariant: M_k^e is bisimulation equivalent to the whole with respect to the outputs of M_k, and so is M_k^d (lemma 5.3.2).
Deviates:  any number of parts: the environment of one is made of the others, each reduced to what is read of it before the
           next is added; what nobody reads is left out. Lemma 5.3.10 holds for machines whose steps are a function of states and
           inputs, as those of the thesis' section 5.4 are; where a machine chooses, M'_d may have steps that the whole has not,
           between legal states. What is chosen is therefore an input here, and hidden at the end (algorithms.py). Of a
           deterministic machine M_d is not restricted to S'_d: what is reached from its initial state is legal. Where one of
           two parts would have all outputs, both take half of them, and improved3 goes to single outputs at once, since nothing
           is needed of the machines between. Bits of classes that are one function of the whole state are one bit of M_d.
Cost:      the reductions of all M_k^r and M_k^e; S'_d is the image of all states of the whole.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce
from typing import Protocol, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from coarsest.reduce.modular.moore import Bench, Function, Functions, Moore, compose
from coarsest.reduce.modular.ordinary_hopcroft import Smaller, reduction, standing_for
from coarsest.reduce.modular.parts import Atom, halves, inside, parted, should_split
from coarsest.run import Run

Each: TypeAlias = "Callable[[Sequence[Job], Run], list[Smaller]]"
"""Who does all jobs."""


class Job(Protocol):
    """A reduction that needs no other."""

    @property
    def bench(self) -> Bench: ...

    def small(self, run: Run) -> Smaller:
        """M_k^d, with f_k."""


def one_by_one(jobs: Sequence[Job], run: Run) -> list[Smaller]:
    """What all jobs give."""
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
    """One of several. Those that may have no step are `blocking`: all others stop with them, whether they read them or not."""

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
        """The parts that this one reads, and those that they read, reduced to that; and those that are blocking."""
        part = self.machines[self.number]
        waiting = {number: machine for number, machine in enumerate(self.machines) if number != self.number}
        joined: Smaller | None = None
        while True:
            read = {*part.inputs, *(joined.machine.inputs if joined else ())}
            needed = [n for n, machine in waiting.items() if n in self.blocking or not read.isdisjoint(machine.wires)]
            if not needed:
                return joined
            outside = [part, *waiting.values()]
            following = waiting.pop(min(needed, key=lambda n: _read_across(waiting[n], joined, outside)))
            joined = self._with_another(joined, following, [part, *waiting.values()], run)

    def _with_another(self, joined: Smaller | None, following: Moore, outside: Sequence[Moore], run: Run) -> Smaller:
        bench = following.bench
        both = following if joined is None else compose(joined.machine, following)
        read = set[int]().union(*(machine.inputs for machine in outside))
        small = _recursively(both.with_outputs(wires=read), self.atoms, run)
        before = {place: bench.manager.var(place) for place in following.latches} | dict(joined.classes if joined else {})
        return Smaller(small.machine.reading_no_more_than_it_does(), bench.substituted(small.classes, before))


def _read_across(machine: Moore, joined: Smaller | None, outside: Sequence[Moore]) -> int:
    """How much is still read of the environment by what is outside, if this part is added next."""
    own = {*machine.wires, *(joined.machine.wires if joined else ())}
    return len(own & set[int]().union(*(other.inputs for other in outside if other is not machine)))


def _recursively(machine: Moore, atoms: Sequence[Atom], run: Run) -> Smaller:
    """A part of a part: `improvedAlgorithm(m1r)` in the figure. Its wires are what is seen of it."""
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
    """Without M_k^r: the whole is reduced with respect to one half of the outputs, and to the other."""
    return _by_outputs(whole, _outputs_in_two(whole, atoms), run, each)


def improved3(whole: Moore, run: Run, *, each: Each = one_by_one) -> Smaller:
    """The same again and again, down to single outputs. Of all that are made on the way, only the last M_d is needed."""
    return _by_outputs(whole, [[output] for output in whole.outputs], run, each)


def _by_outputs(whole: Moore, groups: Sequence[Sequence[int]], run: Run, each: Each) -> Smaller:
    if len(groups) < 2:
        return reduction(whole.with_outputs(whole.outputs), run)
    return disjoint(whole, each([SomeOutputs(whole.with_outputs(outputs)) for outputs in groups], run), run)


def _outputs_in_two(whole: Moore, atoms: Sequence[Atom]) -> list[list[int]]:
    """The outputs of each of two parts."""
    if len(atoms) > 1:
        return [outputs for part in parted(whole, halves(whole, atoms), shared=True) if (outputs := list(part.outputs))]
    half = (len(whole.outputs) + 1) // 2
    return [outputs for outputs in (list(whole.outputs)[:half], list(whole.outputs)[half:]) if outputs]


def disjoint(whole: Moore, smaller: Sequence[Smaller], run: Run) -> Smaller:
    """M_d: machines that do not read each other side by side, with the states that stand for states of the whole."""
    run.step("legal states", nodes=whole.bench.manager.live_nodes)
    all_legal, true = whole.is_deterministic, whole.bench.manager.true
    machines = [small.machine if all_legal else replace(small.machine, domain=true, initial=true) for small in smaller]
    machine = reduce(compose, machines)
    classes = {place: function for small in smaller for place, function in small.classes.items()}
    return standing_for(whole, _told_once(Smaller(machine, classes)), all_legal=all_legal)


def _told_once(smaller: Smaller) -> Smaller:
    """Bits that are the same function of the whole state are one, for they differ in no legal state."""
    manager, machine = smaller.bench.manager, smaller.machine
    first: dict[Function, int] = {}
    again: dict[int, Function] = {}
    for place, function in smaller.classes.items():
        if first.setdefault(function, place) != place:
            again[place] = manager.var(first[function])
    if not again:
        return smaller

    def without(functions: Functions) -> dict[int, Function]:
        return smaller.bench.substituted({name: f for name, f in functions.items() if name not in again}, again)

    wholes = smaller.bench.substituted({0: machine.possible, 1: machine.domain, 2: machine.initial}, again)
    fewer = replace(
        machine, latches=without(machine.latches), outputs=smaller.bench.substituted(machine.outputs, again),
        wires=smaller.bench.substituted(machine.wires, again), possible=wholes[0], domain=wholes[1], initial=wholes[2],
    )  # fmt: skip
    return Smaller(fewer, {place: function for function, place in first.items()})
