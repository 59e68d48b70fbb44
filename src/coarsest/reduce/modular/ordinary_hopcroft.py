"""The ordinary algorithm: the quotient of one machine, by splitting classes with those that steps lead to.

Reference: Hopcroft 1971, adapted to functions by Bustan 2002, section 5.4.1 (`reduction`), with definition 5.1.6.
Symbols:   [s] is `classes`: the first state of the class of s, one function for each bit (`equivFunc`); I, O, R as in moore.py.
Invariant: states with different numbers are not bisimulation equivalent with respect to the outputs and wires.
Deviates:  all new classes split at once, for all inputs at once: inputs are variables below those of the states. The rounds are
           those of reduce/bisimulation/signatures_blom_orzan.py, which follow Hopcroft's idea: the largest part of a class keeps
           its number, and only states with a step into a class of a new number are looked at again. A class is named by its
           first state, not by a number, because next-state functions of numbers are large.
Cost:      in each round, one substitution of the next-state functions, and one visit to each node that tells classes apart.
"""

from __future__ import annotations

from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from coarsest.reduce.bisimulation.signatures_blom_orzan import Rounds
from coarsest.reduce.modular.moore import Bench, Function, Functions, Moore
from coarsest.reduce.partition.diagram_walk import DiagramWalk
from coarsest.reduce.partition.observed import Observed
from coarsest.run import Run
from coarsest.space.bdd.symbolic import SymbolicSet

Set = SymbolicSet[Any]


class Smaller(Struct, frozen=True):
    """A smaller machine, and its state for each state of the original: a function for each of its latches."""

    machine: Moore
    classes: Functions

    @property
    def bench(self) -> Bench:
        return self.machine.bench


def reduction(machine: Moore, run: Run) -> Smaller:
    """The quotient with respect to all outputs and wires."""
    observable = [*machine.outputs.values(), *machine.wires.values()]
    space = _Space(machine)
    beside = machine.bench.beside(machine.latches, machine.inputs, outputs=len(observable))
    observed: Observed[Set] = Observed(space, (), (_Letters(space),))  # type: ignore[arg-type]  # all that rounds ask for
    rounds = Rounds(observed, run, None, space.states, beside)
    numbered = rounds.refined(rounds.divided(observable))
    return _quotient(machine, _representatives(machine, numbered, rounds))


def standing_for(whole: Moore, smaller: Smaller, *, all_legal: bool = False) -> Smaller:
    """The smaller machine with only those states and initial states that stand for states of the whole."""
    bench, latches = whole.bench, tuple(whole.latches)
    legal = smaller.machine.domain if all_legal else bench.image(whole.domain, smaller.classes, latches)
    initial = legal if whole.initial == whole.domain and not all_legal else bench.image(whole.initial, smaller.classes, latches)
    bench.manager.tidy()
    return Smaller(replace(smaller.machine, domain=legal, initial=initial), smaller.classes)


def _representatives(machine: Moore, numbered: Function, rounds: Rounds) -> dict[int, Function]:
    """For each latch, its value in the first state of a state's class. States are compared as numbers in the order of latches."""
    manager, bits = rounds.manager, rounds.bits
    from_below = [variable for variable in reversed(manager.order) if variable in machine.latches]
    walk = DiagramWalk(manager, numbered, set(bits))
    least = walk.least_numbers({latch: 1 << bit for bit, latch in enumerate(from_below)})
    whole = walk.rebuilt({leaf: rounds.spelled(number) for leaf, number in least.items()})
    return {latch: manager.and_exists(whole, manager.var(bits[bit]), rounds.block_bits) for bit, latch in enumerate(from_below)}


def _quotient(machine: Moore, first: Functions) -> Smaller:
    """Definition 5.1.6, where a class is named by its first state: bits that all first states agree on are left out."""
    bench, manager = machine.bench, machine.bench.manager
    firsts = machine.domain
    for latch, function in first.items():
        firsts = firsts & manager.iff(manager.var(latch), function)
    renamed: dict[int, Function] = {}
    for latch in first:
        if manager.included(firsts, manager.var(latch)):
            renamed[latch] = manager.true
        elif manager.included(firsts, ~manager.var(latch)):
            renamed[latch] = manager.false
    varying = [latch for latch in first if latch not in renamed]
    twins = dict(zip(varying, bench.twins(varying)))
    renamed |= {latch: manager.var(twin) for latch, twin in twins.items()}
    classes = {twin: first[latch] for latch, twin in twins.items()}
    after = bench.substituted(classes, machine.latches)
    whole = bench.substituted({0: machine.possible, 1: firsts}, renamed)
    quotient = Moore(
        bench, bench.substituted(after, renamed), machine.inputs,
        bench.substituted(machine.outputs, renamed), bench.substituted(machine.wires, renamed), whole[0], whole[1],
        bench.image(machine.initial, classes, tuple(machine.latches)),
    )  # fmt: skip
    manager.tidy()
    return Smaller(quotient, classes)


class _Space:
    """The states of a machine, for the rounds."""

    def __init__(self, machine: Moore) -> None:
        self.machine = machine
        self.manager = machine.bench.manager
        self.bits = list(machine.latches)
        self.states = self.set(machine.domain)
        self._inputs = self.manager.cube(machine.inputs)
        self._after = self.manager.substitution(dict(machine.latches)) if machine.latches else None

    def set(self, function: Function) -> Set:
        return SymbolicSet(function, self.manager)

    def cost(self, states: Set) -> dict[str, int]:
        return {"nodes": self.manager.live_nodes}

    def by_inputs(self, function: Function) -> Function:
        """The states and inputs from which a step leads to where the function is true."""
        self.manager.tidy()
        after = function if self._after is None else self.manager.substitute(function, self._after)
        return after & self.machine.possible

    def pre(self, states: Set) -> Set:
        return self.set(self.manager.exists(self.by_inputs(states.function), self._inputs) & self.states.function)


class _Letters:
    """The steps by all inputs at once: the preimage of classes is a function of inputs, too."""

    def __init__(self, space: _Space) -> None:
        self._space = space

    def pre(self, states: Set) -> Set:
        return self._space.set(self._space.by_inputs(states.function))
