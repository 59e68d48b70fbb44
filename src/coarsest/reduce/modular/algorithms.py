"""The modular algorithms by their names: they take an observed space apart, and compute its classes from the parts."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, TypeAlias, cast

from msgspec.structs import replace

from coarsest.bdd.transfer import transfer
from coarsest.logic.expr import names
from coarsest.model.machine import Machine
from coarsest.reduce.bisimulation.algorithms import minimise_many
from coarsest.reduce.modular.at_once import at_once
from coarsest.reduce.modular.improved_bustan_grumberg import Each, improved, improved2, improved3
from coarsest.reduce.modular.moore import Moore
from coarsest.reduce.modular.naive_shiple import naive
from coarsest.reduce.modular.ordinary_hopcroft import Smaller, reduction
from coarsest.reduce.modular.parts import Atom, halves
from coarsest.reduce.modular.view import Set, Space, machine_of, space_of
from coarsest.reduce.partition.observed import Observed, Snapshot, Watcher, divide
from coarsest.reduce.partition.partition import Lazy, Partition
from coarsest.run import Run
from coarsest.space.bdd.actions import symbolic_actions

Reducer: TypeAlias = Callable[[Moore, Sequence[Atom], Sequence[Sequence[Atom]], Run, Each], Smaller]

REDUCERS: Mapping[str, Reducer] = {
    "ordinary": lambda whole, atoms, parts, run, each: reduction(whole.with_outputs(whole.outputs), run),
    "naive": lambda whole, atoms, parts, run, each: naive(whole, parts, run),
    "improved": lambda whole, atoms, parts, run, each: improved(whole, parts, atoms, run, each=each),
    "improved2": lambda whole, atoms, parts, run, each: improved2(whole, atoms, run, each=each),
    "improved3": lambda whole, atoms, parts, run, each: improved3(whole, run, each=each),
}


def minimiser(name: str, parts: str) -> Callable[..., Partition[Any]]:
    """One of the algorithms, as a minimiser."""
    return partial(minimise, name, parts)


def minimise(
    name: str, parts: str, observed: Observed[Set], run: Run, watch: Watcher[Set] | None = None
) -> Partition[Set]:
    """The classes of the reachable states. Parts are reduced with all inputs visible; unobserved ones are hidden at the end."""
    space = cast("Space", observed.space)
    whole = machine_of(space, observed.labels or observed.blocks, run)
    atoms = atoms_of(space, whole)
    smaller = REDUCERS[name](whole, atoms, parts_of(space, whole, atoms, parts), run, at_once)
    partition = _Result(observed, smaller, run).partition()
    if watch is not None:
        every = frozenset(range(len(partition)))
        watch(Snapshot(tuple(partition.classes), every, every))
    return partition


def atoms_of(space: Space, whole: Moore) -> list[Atom]:
    """The bits of each variable."""
    bit_of = {name: bit for bit, name in enumerate(whole.bench.manager.names)}
    names = space.manager.names
    slots = [space.layout.slots[v.name].now for v in space.machine.state_variables]
    return [frozenset(bit_of[names[bit]] for bit in bits) for bits in slots if bits]


def parts_of(space: Space, whole: Moore, atoms: Sequence[Atom], kind: str = "auto") -> Sequence[Sequence[Atom]]:
    """The instances that the model is made of or, if there is only one, two halves that read little of each other."""
    variables = [v.name for v in space.machine.state_variables if space.layout.slots[v.name].now]
    by_instance: dict[str, list[Atom]] = {}
    for name, atom in zip(variables, atoms):
        by_instance.setdefault(instance_of(name, space.machine), []).append(atom)
    if kind == "instances" or (kind == "auto" and len(by_instance) > 1):
        return list(by_instance.values())
    return halves(whole, atoms) if len(atoms) > 1 else [atoms]


def instance_of(name: str, machine: Machine) -> str:
    """The instance that a variable is in. A variable named like a wire outside is where its next value comes from."""
    head, dot, _ = name.partition(".")
    if dot or name not in machine.next_values:
        return head if dot else ""
    heads = {other.partition(".")[0] if "." in other else "" for other in names(machine.next_values[name])}
    return heads.pop() if len(heads) == 1 else ""


class _Result:
    """Turns the states of a small machine into classes of the states that they stand for."""

    def __init__(self, observed: Observed[Set], smaller: Smaller, run: Run) -> None:
        self.observed, self.run = observed, run
        self.original = cast("Space", observed.space)
        self.bench, machine = smaller.machine.bench, smaller.machine
        bit_of = {name: bit for bit, name in enumerate(self.bench.manager.names)}
        inputs = {v.name: v for v in self.original.machine.input_variables}
        slots = {
            name: [bit_of[self.original.manager.names[bit]] for bit in self.original.layout.slots[name].now] for name in inputs
        }
        self.space = space_of(machine, inputs, slots, run)
        self._classes = self.bench.manager.substitution(dict(smaller.classes)) if smaller.classes else None
        self._outputs = [self.space.set(output) for output in machine.outputs.values()]

    def partition(self) -> Partition[Set]:
        observed, space = self.observed, self.space
        visible = list(getattr(observed.actions[0], "inputs", {})) if observed.actions else []
        actions = symbolic_actions(space, visible, self.run) if visible else (space,)
        small: Observed[Set] = Observed(space, divide(space, self._outputs), actions)
        _, partition = minimise_many(small, self.run)
        looks = [self._look(block) for block in small.blocks]
        return replace(
            partition,
            classes=Lazy(len(partition), lambda i: self._original(partition.classes[i])),
            looks=tuple(looks[number] for number in partition.looks),
            others=(),
            examples=Lazy(len(partition), lambda i: self.original.pick(self._original(partition.examples[i]))),
        )

    def _original(self, states: Set) -> Set:
        """The states of the original that states of the small machine stand for."""
        function = states.function
        if self._classes is not None:
            function = self.bench.manager.substitute(function, self._classes)
        (copy,) = transfer([function], self.bench.manager, self.original.manager)
        return self.original.set(copy & self.original.states.function)

    def _look(self, block: Set) -> int:
        states = self._original(block)
        return next((i for i, other in enumerate(self.observed.blocks) if states & other), 0)
