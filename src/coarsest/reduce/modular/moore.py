"""Finite-state machines as functions: latches, outputs, inputs and a domain; composition, determinism, hiding.

Reference: Bustan 2002, definitions 5.1.1, 5.1.2, 5.1.4 and figure 5.4.
Symbols:   S is `domain`, S_0 `initial`, I `inputs`, O `outputs` and `wires`, R the steps to `latches[x]` where `possible`.
Invariant: every function depends on the machine's own latches and inputs only; no step leaves the domain; for a state and inputs
           there is at most one step. What a machine chooses itself is an input here, too.
Deviates:  an output may read inputs: states agree on it if they do for all inputs. What other machines read is called a wire. It
           is a latch, so it reads no inputs, and no composition has a loop without delay. There may be no step.
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

    A bit of a class stays beside the bit of the original that it comes from, however it was made, because classes of two parts
    that stand for the same states agree in most bits.
    """

    def __init__(self, manager: Manager[Any]) -> None:
        self.manager = manager
        self._tags: list[int] = []
        self._bits: list[int] = []
        self._rank = {variable: (level, variable) for level, variable in enumerate(manager.order)}

    def beside(self, latches: Collection[int], inputs: Collection[int], *, outputs: int) -> SignatureVariables:
        """Variables for the numbers of classes, in an order where they are below the inputs, and these below the latches."""
        tags = max(1, outputs).bit_length()
        self._tags += self._added("tag", tags - len(self._tags))
        self._bits += self._added("block", max(BLOCK_BITS, len(latches)) - len(self._bits))
        middle = set(inputs) - set(latches)
        bottom = {*self._tags, *middle, *self._bits}
        settled = self.settled()
        order = [variable for variable in settled if variable not in bottom] + self._tags
        self.manager.set_order(order + [variable for variable in settled if variable in middle] + self._bits)
        return SignatureVariables(self._tags[:tags], self._bits, tuple(inputs))

    def settled(self) -> list[int]:
        """All variables, each bit of a class beside the bit of the original that it comes from; tags and numbers last."""
        last = (len(self._rank), 0)
        return sorted(range(len(self.manager.names)), key=lambda variable: (*self._rank.get(variable, last), variable))

    def twins(self, latches: Sequence[int]) -> list[int]:
        """New variables, each next to one of the latches."""
        new = self._added("class", len(latches))
        self._rank |= {twin: (self._rank[latch][0], twin) for latch, twin in zip(latches, new)}
        twins: dict[int, list[int]] = {}
        for latch, twin in zip(latches, new):
            twins.setdefault(latch, []).append(twin)
        order = [variable for variable in self.manager.order if variable not in set(new)]
        self.manager.set_order([neighbour for variable in order for neighbour in (variable, *twins.get(variable, ()))])
        return new

    def _added(self, name: str, count: int) -> list[int]:
        first = len(self.manager.names)
        return list(self.manager.add_variables([f"{name}({first + i})" for i in range(count)])) if count > 0 else []

    def substituted(self, functions: Functions, into: Functions) -> dict[int, Function]:
        """The functions with functions substituted for variables."""
        if not into:
            return dict(functions)
        into_them = self.manager.substitution(dict(into))
        return {name: self.manager.substitute(function, into_them) for name, function in functions.items()}

    def image(self, states: Function, functions: Functions, latches: Collection[int]) -> Function:
        """The values that functions, each named by a variable, have in states over these latches."""
        manager = self.manager
        parts = [manager.iff(manager.var(variable), function) for variable, function in functions.items()]
        order = schedule(manager, parts, [manager.support(part) for part in parts], latches)
        return order.apply(manager, states)


class Moore(Struct, frozen=True):
    """A machine whose behaviour is given by functions."""

    bench: Bench
    latches: Functions
    """For each variable of a state, its next value."""
    inputs: tuple[int, ...]
    outputs: Functions
    """The observed functions, by number."""
    wires: Functions
    """The functions that other machines may read, by the variables that stand for them there."""
    possible: Function
    """The states and inputs with which there is a step."""
    domain: Function
    initial: Function

    def with_outputs(self, outputs: Iterable[int] = (), wires: Iterable[int] = ()) -> Moore:
        """The machine with some of its outputs and wires: `rmExternalOutputs` of the thesis leaves only wires."""
        observed, read = set(outputs), set(wires)
        return replace(
            self,
            outputs={number: function for number, function in self.outputs.items() if number in observed},
            wires={variable: function for variable, function in self.wires.items() if variable in read},
        )

    def without_unread_inputs(self) -> Moore:
        """The machine with only those inputs that make a difference."""
        functions = (*self.latches.values(), *self.outputs.values(), *self.wires.values(), self.possible)
        read = set[int]().union(*map(self.bench.manager.support, functions))
        return replace(self, inputs=tuple(variable for variable in self.inputs if variable in read))

    @property
    def is_deterministic(self) -> bool:
        """Is there exactly one step for each state and inputs, and exactly one initial state?"""
        manager = self.bench.manager
        return manager.count(self.initial, len(self.latches)) == 1 and manager.included(self.domain, self.possible)

    @property
    def states(self) -> int:
        return self.bench.manager.count(self.domain, len(self.latches))


def compose(left: Moore, right: Moore) -> Moore:
    """M1 ‖ M2: the wires of each machine are substituted for the inputs of the other that read them."""
    bench = left.bench
    into_left = {variable: function for variable, function in right.wires.items() if variable in left.inputs}
    into_right = {variable: function for variable, function in left.wires.items() if variable in right.inputs}
    inputs = {*left.inputs, *right.inputs} - into_left.keys() - into_right.keys()
    possible = bench.substituted({0: left.possible}, into_left)[0] & bench.substituted({0: right.possible}, into_right)[0]
    return Moore(
        bench,
        {**bench.substituted(left.latches, into_left), **bench.substituted(right.latches, into_right)},
        tuple(sorted(inputs)),
        {**bench.substituted(left.outputs, into_left), **bench.substituted(right.outputs, into_right)},
        {**left.wires, **right.wires},
        possible,
        left.domain & right.domain,
        left.initial & right.initial,
    )


def are_equivalent(left: Moore, right: Moore, run: Run) -> bool:
    """Are two machines with the same inputs bisimulation equivalent with respect to their outputs? Their latches differ."""
    manager, bench = left.bench.manager, left.bench
    inputs = manager.cube({*left.inputs, *right.inputs})
    both = left.domain & right.domain
    for number, output in left.outputs.items():
        both = both & manager.forall(manager.iff(output, right.outputs[number]), inputs)
    both = both & manager.forall(manager.iff(left.possible, right.possible), inputs)
    while True:
        run.step("equivalence", nodes=manager.live_nodes)
        manager.tidy()
        after = bench.substituted({0: both}, {**left.latches, **right.latches})[0]
        fewer = both & manager.forall(~left.possible | after, inputs)
        if fewer == both:
            break
        both = fewer
    return all(
        manager.included(mine.initial, manager.and_exists(both, yours.initial, manager.cube(yours.latches)))
        for mine, yours in ((left, right), (right, left))
    )
