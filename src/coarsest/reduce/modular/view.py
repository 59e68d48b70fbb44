"""Any symbolic space as a machine of functions, and such a machine as a space.

A bit whose next value is chosen has no next-state function: the bit after the step is then an input of the machine. Constraints
say which of these inputs are possible.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, cast

from coarsest.bdd.packages import new_manager
from coarsest.bdd.transfer import transfer
from coarsest.encode.encode import Encoder
from coarsest.encode.layout import Layout, Slots
from coarsest.model.machine import Kind, Machine, Variable
from coarsest.model.types import Boolean
from coarsest.reduce.modular.moore import Bench, Moore
from coarsest.run import Run
from coarsest.space.bdd.relation.early_quantification import EarlyQuantification
from coarsest.space.bdd.relation.functions import settled_next_bits
from coarsest.space.bdd.relation.monolithic import Monolithic
from coarsest.space.bdd.relation.step import Step
from coarsest.space.bdd.symbolic import SymbolicSet, SymbolicSpace

Set = SymbolicSet[Any]
Space = SymbolicSpace[Any]


def machine_of(space: Space, labels: Sequence[Set], run: Run) -> Moore:
    """The machine of a space, with labels as its outputs. It has a manager of its own, with the same names of variables."""
    manager, layout, step = space.manager, space.layout, space.step
    functions = settled_next_bits(step)
    frozen = layout.now(space.machine.of_kind(Kind.FROZEN))
    free = [after for after in step.after if after not in functions]
    into_functions = manager.substitution(functions)
    given = {name for name in step.functions if layout.slots[name].after and layout.slots[name].after[0] in functions}
    possible = manager.true
    for conjunct in step.conjuncts:
        if conjunct.target not in given:
            possible = possible & manager.substitute(conjunct.relation, into_functions)
    mine = new_manager(mebibytes=run.limits.mebibytes, node_limit=run.limits.nodes, bits=len(manager.names))
    order = [variable for variable in manager.order if variable not in layout.now_of_after or variable in free]
    copy_of = dict(zip(order, mine.add_variables([manager.names[variable] for variable in order])))
    nexts = {now: functions.get(after, manager.var(after)) for after, now in layout.now_of_after.items()}
    nexts |= {now: manager.var(now) for now in frozen}
    wholes = [possible, space.states.function, space.initial.function, *(label.function for label in labels)]
    copies = transfer([*nexts.values(), *wholes], manager, mine)
    latches = {copy_of[now]: function for now, function in zip(nexts, copies)}
    possible, domain, initial, *outputs = copies[len(nexts) :]
    return Moore(
        Bench(mine), latches, tuple(copy_of[variable] for variable in (*step.inputs, *free)), dict(enumerate(outputs)),
        {latch: mine.var(latch) for latch in latches}, possible, domain, initial,
    )  # fmt: skip


def space_of(machine: Moore, inputs: Mapping[str, Variable], slots: Mapping[str, Sequence[int]], run: Run) -> Space:
    """A machine as a space whose variables are the latches. `slots` are the bits of visible inputs; other inputs are hidden."""
    bench, manager = machine.bench, cast("Any", machine.bench.manager)
    read = {bit for bits in slots.values() for bit in bits}
    states = {f"class.{latch}": latch for latch in machine.latches}
    choices = {f"choice.{bit}": bit for bit in machine.inputs if bit not in read}
    after = dict(zip(states, manager.add_variables([f"next({name})" for name in states])))
    after_of_now = {latch: after[name] for name, latch in states.items()}
    variables = {name: Variable(name, Boolean()) for name in states}
    variables |= {name: Variable(name, Boolean(), Kind.INPUT, added=True) for name in choices}
    where = {name: Slots((latch,), (after[name],)) for name, latch in states.items()}
    where |= {name: Slots((bit,), ()) for name, bit in choices.items()}
    where |= {name: Slots(tuple(bits), ()) for name, bits in slots.items()}
    targets = set(after.values())  # each next value goes below the present one
    manager.set_order([bit for now in bench.settled() if now not in targets
                       for bit in ((now, after_of_now[now]) if now in after_of_now else (now,))])  # fmt: skip
    layout = Layout(Machine("quotient", {**variables, **inputs}), where, ())
    step: Step[Any] = Step(manager, layout)
    for name, latch in states.items():
        step.add(manager.iff(manager.var(after[name]), machine.latches[latch]), name)
    step.add(machine.possible, None)
    if states:  # no step leads to an illegal state
        to_after = manager.substitution({latch: manager.var(target) for latch, target in after_of_now.items()})
        step.add(manager.substitute(machine.domain, to_after), None)
    space: Space = SymbolicSpace(
        Encoder(manager, layout), step, Monolithic.if_small(step, run) or EarlyQuantification(step, run)
    )
    space.states, space.initial = space.set(machine.domain), space.set(machine.initial)
    return space
