"""Finite-state machines as functions: latches, outputs, inputs and a domain; composition, determinism, hiding.

Reference: Bustan 2002, definitions 5.1.1, 5.1.2, 5.1.4 and figure 5.4.
Symbols:   S is `domain`, S_0 `initial`, I `inputs`, O `outputs` and `wires`, R the steps to `latches[x]` where `possible`.
Invariant: every function is one of the machine's own latches and inputs; no step leaves the domain; for a state and inputs there
           is at most one step. What a machine chooses itself is an input here, too.
Deviates:  an output may read inputs: states agree on it if they do for all inputs. What other machines read is called a wire, and
           that is a latch: it reads no inputs, so that no composition has a loop without delay. There may be no step.
Cost:      a composition is one substitution for each function.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from coarsest.bdd.protocol import Manager
from coarsest.reduce.bisimulation.signatures_blom_orzan import BLOCK_BITS, SignatureVariables
from coarsest.run import Run
from coarsest.space.bdd.relation.schedule import schedule

Function: TypeAlias = Any
Functions: TypeAlias = Mapping[int, Function]


class Bench:
    """The manager of all machines of one reduction. Its order: variables of states, tags, inputs, numbers of classes.

    A bit of a class stays beside the bit of the original that it comes from, by whatever ways it was made: classes of two parts
    that stand for the same states are alike in most bits.
    """

    def __init__(self, manager: Manager[Any]) -> None:
        self.manager = manager
        self._tags: list[int] = []
        self._bits: list[int] = []
        self._rank = {place: (level, place) for level, place in enumerate(manager.order)}

    def beside(self, latches: Collection[int], inputs: Collection[int], *, outputs: int) -> SignatureVariables:
        """Variables for the numbers of classes, in an order in which latches are above all others, and inputs above these."""
        tags = max(1, outputs).bit_length()
        self._tags += self._added("tag", tags - len(self._tags))
        self._bits += self._added("block", max(BLOCK_BITS, len(latches)) - len(self._bits))
        middle = set(inputs) - set(latches)
        bottom = {*self._tags, *middle, *self._bits}
        settled = self.settled()
        order = [place for place in settled if place not in bottom] + self._tags
        self.manager.set_order(order + [place for place in settled if place in middle] + self._bits)
        return SignatureVariables(self._tags[:tags], self._bits, tuple(inputs))

    def settled(self) -> list[int]:
        """All variables, each bit of a class beside the bit of the original that it comes from; tags and numbers last."""
        last = (len(self._rank), 0)
        return sorted(range(len(self.manager.names)), key=lambda place: (*self._rank.get(place, last), place))

    def twins(self, latches: Sequence[int]) -> list[int]:
        """New variables, each next to one of the latches."""
        new = self._added("class", len(latches))
        self._rank |= {twin: (self._rank[latch][0], twin) for latch, twin in zip(latches, new)}
        twins: dict[int, list[int]] = {}
        for latch, twin in zip(latches, new):
            twins.setdefault(latch, []).append(twin)
        order = [place for place in self.manager.order if place not in set(new)]
        self.manager.set_order([one for place in order for one in (place, *twins.get(place, ()))])
        return new

    def _added(self, name: str, count: int) -> list[int]:
        first = len(self.manager.names)
        return list(self.manager.add_variables([f"{name}({first + i})" for i in range(count)])) if count > 0 else []

    def substituted(self, functions: Functions, into: Functions) -> dict[int, Function]:
        """The functions with others in the place of variables."""
        if not into:
            return dict(functions)
        into_them = self.manager.substitution(dict(into))
        return {name: self.manager.substitute(function, into_them) for name, function in functions.items()}

    def image(self, states: Function, functions: Functions, latches: Collection[int]) -> Function:
        """The values of some functions, each as a variable of its own, in states that are over these latches."""
        manager = self.manager
        parts = [manager.iff(manager.var(place), function) for place, function in functions.items()]
        order = schedule(manager, parts, [manager.support(part) for part in parts], latches)
        return order.apply(manager, states)


class Moore(Struct, frozen=True):
    """A machine with functions for all that it does."""

    bench: Bench
    latches: Functions
    """For each variable of a state, its next value."""
    inputs: tuple[int, ...]
    outputs: Functions
    """What is observed, by number."""
    wires: Functions
    """What other machines may read, by the variable that it is called there."""
    possible: Function
    """With which inputs there is a step."""
    domain: Function
    initial: Function

    def with_outputs(self, outputs: Iterable[int] = (), wires: Iterable[int] = ()) -> Moore:
        """The same machine, of which less is seen: `rmExternalOutputs` of the thesis leaves only wires."""
        observed, read = set(outputs), set(wires)
        return replace(
            self,
            outputs={number: function for number, function in self.outputs.items() if number in observed},
            wires={place: function for place, function in self.wires.items() if place in read},
        )

    def reading_no_more_than_it_does(self) -> Moore:
        """With only those inputs that make a difference."""
        functions = (*self.latches.values(), *self.outputs.values(), *self.wires.values(), self.possible)
        read = set[int]().union(*map(self.bench.manager.support, functions))
        return replace(self, inputs=tuple(place for place in self.inputs if place in read))

    @property
    def is_deterministic(self) -> bool:
        """Is there exactly one step for each state and inputs, and exactly one initial state?"""
        manager = self.bench.manager
        return manager.count(self.initial, len(self.latches)) == 1 and manager.included(self.domain, self.possible)

    @property
    def states(self) -> int:
        return self.bench.manager.count(self.domain, len(self.latches))


def compose(one: Moore, other: Moore) -> Moore:
    """M1 ‖ M2: what each of the two reads of the other is put in."""
    bench = one.bench
    into_one = {place: function for place, function in other.wires.items() if place in one.inputs}
    into_other = {place: function for place, function in one.wires.items() if place in other.inputs}
    inputs = {*one.inputs, *other.inputs} - into_one.keys() - into_other.keys()
    possible = bench.substituted({0: one.possible}, into_one)[0] & bench.substituted({0: other.possible}, into_other)[0]
    return Moore(
        bench,
        {**bench.substituted(one.latches, into_one), **bench.substituted(other.latches, into_other)},
        tuple(sorted(inputs)),
        {**bench.substituted(one.outputs, into_one), **bench.substituted(other.outputs, into_other)},
        {**one.wires, **other.wires},
        possible,
        one.domain & other.domain,
        one.initial & other.initial,
    )


def are_equivalent(one: Moore, other: Moore, run: Run) -> bool:
    """Are two machines with the same inputs bisimulation equivalent with respect to their outputs? Their latches differ."""
    manager, bench = one.bench.manager, one.bench
    inputs = manager.cube({*one.inputs, *other.inputs})
    both = one.domain & other.domain
    for number, output in one.outputs.items():
        both = both & manager.forall(manager.iff(output, other.outputs[number]), inputs)
    both = both & manager.forall(manager.iff(one.possible, other.possible), inputs)
    while True:
        run.step("equivalence", nodes=manager.live_nodes)
        manager.tidy()
        after = bench.substituted({0: both}, {**one.latches, **other.latches})[0]
        fewer = both & manager.forall(~one.possible | after, inputs)
        if fewer == both:
            break
        both = fewer
    matched = [
        manager.included(mine.initial, manager.and_exists(both, yours.initial, manager.cube(yours.latches)))
        for mine, yours in ((one, other), (other, one))
    ]
    return all(matched)
