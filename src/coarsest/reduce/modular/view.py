"""Any symbolic space as a machine of functions, and such a machine as a space.

What has no next-state function, because it is chosen, is the machine's own input: the bit after the step itself. Constraints
say which of these inputs are possible.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from coarsest.bdd.packages import new_manager
from coarsest.bdd.transfer import transfer
from coarsest.encode.encode import Encoder
from coarsest.encode.layout import Layout, Slots
from coarsest.model.machine import Kind, Machine, Variable
from coarsest.model.types import Boolean
from coarsest.reduce.modular.moore import Bench, Function, Moore
from coarsest.run import Run
from coarsest.space.bdd.relation.early_quantification import EarlyQuantification
from coarsest.space.bdd.relation.functions import settled_next_bits
from coarsest.space.bdd.relation.monolithic import Monolithic
from coarsest.space.bdd.relation.step import Step
from coarsest.space.bdd.symbolic import SymbolicSet, SymbolicSpace

Set = SymbolicSet[Any]
Space = SymbolicSpace[Any]


def machine_of(space: Space, labels: Sequence[Set], run: Run) -> Moore:
    """The machine of a space, of which these labels are the outputs, in a manager of its own; its variables have their names."""
    manager, layout, step = space.manager, space.layout, space.step
    functions = settled_next_bits(step)
    frozen = layout.now(space.machine.of_kind(Kind.FROZEN))
    free = [after for after in step.after if after not in functions]
    put_in = manager.substitution(functions)
    given = {name for name in step.functions if layout.slots[name].after and layout.slots[name].after[0] in functions}
    possible = manager.true
    for conjunct in step.conjuncts:
        if conjunct.target not in given:
            possible = possible & manager.substitute(conjunct.relation, put_in)
    mine = new_manager(mebibytes=run.limits.mebibytes, node_limit=run.limits.nodes, bits=len(manager.names))
    order = [place for place in manager.order if place not in layout.now_of_after or place in free]
    place_of = dict(zip(order, mine.add_variables([manager.names[place] for place in order])))
    nexts = {now: functions.get(after, manager.var(after)) for after, now in layout.now_of_after.items()}
    nexts |= {now: manager.var(now) for now in frozen}
    wholes = [possible, space.states.function, space.initial.function, *(label.function for label in labels)]
    copies = transfer([*nexts.values(), *wholes], manager, mine)
    latches = {place_of[now]: function for now, function in zip(nexts, copies)}
    possible, domain, initial, *outputs = copies[len(nexts) :]
    return Moore(
        Bench(mine), latches, tuple(place_of[place] for place in (*step.inputs, *free)), dict(enumerate(outputs)),
        {place: mine.var(place) for place in latches}, possible, domain, initial,
    )  # fmt: skip


def space_of(machine: Moore, inputs: Mapping[str, Variable], slots: Mapping[str, Sequence[int]], run: Run) -> Space:
    """A machine as a space: its latches are boolean variables. `slots` say where the bits of inputs are; others are hidden."""
    manager: Any = machine.bench.manager
    read = {place for places in slots.values() for place in places}
    own = [place for place in machine.inputs if place not in read]
    states = {f"class.{place}": place for place in machine.latches}
    choices = {f"choice.{place}": place for place in own}
    after = dict(zip(states, manager.add_variables([f"next({name})" for name in states])))
    variables = {name: Variable(name, Boolean()) for name in states}
    variables |= {name: Variable(name, Boolean(), Kind.INPUT, added=True) for name in choices}
    where = {name: Slots((place,), (after[name],)) for name, place in states.items()}
    where |= {name: Slots((place,), ()) for name, place in choices.items()}
    where |= {name: Slots(tuple(places), ()) for name, places in slots.items()}
    _pair(machine.bench, {place: after[name] for name, place in states.items()})
    layout = Layout(Machine("quotient", {**variables, **inputs}), where, ())
    step: Step[Any] = Step(manager, layout)
    for name, place in states.items():
        step.add(manager.iff(manager.var(after[name]), machine.latches[place]), name)
    step.add(machine.possible, None)
    step.add(_after(machine, {place: after[name] for name, place in states.items()}), None)
    space: Space = SymbolicSpace(
        Encoder(manager, layout), step, Monolithic.if_small(step, run) or EarlyQuantification(step, run)
    )
    space.states, space.initial = space.set(machine.domain), space.set(machine.initial)
    return space


def _pair(bench: Bench, after: Mapping[int, int]) -> None:
    """Put each variable for the next value below the one for the present value."""
    targets = set(after.values())
    bench.manager.set_order([both for place in bench.settled() if place not in targets
                             for both in ((place, after[place]) if place in after else (place,))])  # fmt: skip


def _after(machine: Moore, after: Mapping[int, int]) -> Function:
    """That the next state is in the domain, too: where there are illegal states, no step leads there."""
    manager: Any = machine.bench.manager
    renamed = manager.substitution({place: manager.var(target) for place, target in after.items()})
    return manager.substitute(machine.domain, renamed) if after else manager.true
