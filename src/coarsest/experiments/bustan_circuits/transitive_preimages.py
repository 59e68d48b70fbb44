"""The tool of section 6.3 of Bustan 2002: the preimage operation repeated until nothing is added, by each of its algorithms.

The thesis does not say which sets it begins with. Ours are, one after another, the states in which a latch is set, and those in
which some inputs make an output true.
"""

from __future__ import annotations

from collections.abc import Iterator
from time import thread_time
from typing import Any, Final

from coarsest.api import model as api
from coarsest.experiments.points import Facts, shipped
from coarsest.logic.expr import Name
from coarsest.model.machine import Kind, Machine
from coarsest.options.methods import BuildOptions
from coarsest.run import Run
from coarsest.space.bdd.build import build, choose_image_method
from coarsest.space.bdd.relation.early_quantification import EarlyQuantification
from coarsest.space.bdd.relation.step import ImageMethod, Step
from coarsest.space.bdd.symbolic import SymbolicSpace

# The clock is that of the thread: under a limit of CPU time, that of the process goes in steps of four milliseconds.
ENOUGH: Final = 0.5
"""CPU seconds after which nothing is measured once more."""
MOST_TIMES: Final = 5
MULTIPLIER = """MODULE main
IVAR start : boolean; x : unsigned word[SIZE]; y : unsigned word[SIZE];
VAR product : unsigned word[DOUBLE]; left : unsigned word[DOUBLE]; right : unsigned word[SIZE];
ASSIGN
  next(product) := start ? uwconst(0, DOUBLE) : right[0:0] = 0ub1_1 ? product + left : product;
  next(left) := start ? extend(x, SIZE) : left << 1;
  next(right) := start ? y : right >> 1;
"""
"""By shifting and adding, as s344 and s349 do it."""


def properties(model: str, *, run: Run) -> Facts:
    """Table 6.3."""
    machine = _machine(model)
    latches = list(machine.of_kind(Kind.STATE))
    return {"inputs": len(list(machine.input_variables)), "latches": len(latches), "outputs": len(machine.outputs)}


def measure(model: str, algorithm: str, *, run: Run) -> Facts:
    """Tables 6.4 and 6.5. `seconds` are the least CPU time of several runs, from the functions to the last set, with the relation
    built on the way; `nodes` are all that were made in that time: none is dropped."""
    machine = _machine(model)
    facts, spent = _once(machine, algorithm, run), 0.0
    for _ in range(MOST_TIMES - 1):
        spent += float(facts["seconds"])
        if spent > ENOUGH:
            break
        facts = min(facts, _once(machine, algorithm, run), key=lambda one: one["seconds"])
    return facts


def _once(machine: Machine, algorithm: str, run: Run) -> dict[str, float]:
    space = build(machine, run, BuildOptions(relation="functions", reorder=False))
    manager = space.manager
    targets = list(_targets(space))
    nodes, started = manager.live_nodes, thread_time()
    method = _image_method(space.step, algorithm, run)
    states, preimages = 0, 0
    for target in targets:
        reaching = manager.false
        grown = target
        while grown != reaching:
            run.step("transitive preimage", nodes=manager.live_nodes)
            reaching = grown
            grown = reaching | (method.pre(reaching) & space.states.function)
            preimages += 1
        states += space.count(space.set(reaching))
    seconds = thread_time() - started
    return {"seconds": seconds, "nodes": manager.live_nodes - nodes, "preimages": preimages, "states": states}


def _machine(model: str) -> Machine:
    """`multiplier:N`, or a file."""
    name, colon, size = model.partition(":")
    if colon:
        return api.loads(MULTIPLIER.replace("DOUBLE", str(2 * int(size))).replace("SIZE", size)).machine
    return api.load_model(shipped(name)).machine


def _targets(space: SymbolicSpace[Any]) -> Iterator[Any]:
    for place in space.bits:
        yield space.manager.var(place) & space.states.function
    for output in space.machine.outputs:
        yield space.forget(space.where(Name(output)), space.machine.input_variables).function


def _image_method(step: Step[Any], algorithm: str, run: Run) -> ImageMethod[Any]:
    """By the thesis's name; its early quantification takes one function after another."""
    if algorithm == "early quantification":
        return EarlyQuantification(step, run, clusters=step.conjuncts)
    return choose_image_method(step, algorithm, run)
