"""The designs of Bustan's chapter 5: circuits of ISCAS'89, with all outputs or fewer, and rings of components."""

from __future__ import annotations

from time import process_time

from msgspec.structs import replace

from coarsest.api import model as api
from coarsest.experiments.points import Facts, shipped
from coarsest.logic.expr import Expr, Name
from coarsest.logic.show import show
from coarsest.model.machine import Machine
from coarsest.model.parts.cone_of_influence import cone_variables, restrict_to
from coarsest.options.methods import BuildOptions
from coarsest.reduce.modular.algorithms import REDUCERS, atoms_of, parts_of
from coarsest.reduce.modular.improved_bustan_grumberg import one_by_one
from coarsest.reduce.modular.view import Space, machine_of
from coarsest.run import Run
from coarsest.space.bdd.build import build


def circuit(name: str, outputs: int | None = None, *, skip: int = 0) -> tuple[Machine, list[Expr]]:
    """A circuit in which every state is an initial one, and some of its outputs, with no more latches than these depend on."""
    machine = api.load_model(shipped(f"collection/circuits/bench/{name}.bench")).machine
    names = machine.outputs[skip:][:outputs]
    labels: list[Expr] = [Name(output) for output in names]
    machine = replace(machine, initial_values={}, initial_constraints=())
    return restrict_to(machine, cone_variables(machine, labels)), labels


def ring(n: int) -> tuple[Machine, list[Expr]]:
    """Components each of which counts the rounds of the one before, and shows every fourth of them."""
    cells = "".join(f"  c{k} : cell(go{k}, c{(k - 1) % n}.round);\n" for k in range(n))
    inputs = "".join(f"  go{k} : boolean;\n" for k in range(n))
    text = f"""
MODULE main
IVAR
{inputs}VAR
{cells}
MODULE cell(go, tick)
VAR
  phase : 0..3;
  rounds : 0..7;
ASSIGN
  next(phase) := go ? (phase + 1) mod 4 : phase;
  next(rounds) := tick ? (rounds + 1) mod 8 : rounds;
DEFINE
  round := phase = 3;
  full := rounds mod 4 = 3;
"""
    machine = api.loads(text).machine
    return machine, [Name(f"c{k}.full") for k in range(n)]


def properties(design: str, outputs: int | None = None, *, skip: int = 0, run: Run) -> Facts:
    """What table 5.2 says of a design."""
    machine, labels = circuit(design, outputs, skip=skip)
    return {"inputs": len(machine.input_variables), "latches": len(machine.state_variables), "outputs": len(labels)}


def measure(algorithm: str, *, run: Run, design: str = "", outputs: int | None = None, skip: int = 0, n: int = 0) -> Facts:
    """The quotient with respect to the outputs, all inputs seen. `seconds` are the CPU time from next-state functions on, `nodes`
    the most BDD nodes."""
    machine, labels = ring(n) if n else circuit(design, outputs, skip=skip)
    space: Space = build(machine, run, BuildOptions(relation="clustered", reorder=False))
    functions = [space.set(space.encoder.constraint(label)) for label in labels]
    started = process_time()
    whole = machine_of(space, functions, run)
    atoms = atoms_of(space, whole)
    small = REDUCERS[algorithm](whole, atoms, parts_of(space, whole, atoms), run, one_by_one).machine
    seconds = process_time() - started
    manager = whole.bench.manager
    return {"states": small.states, "seconds": seconds, "nodes": max(manager.peak_nodes, manager.live_nodes)}


def command(algorithm: str, *, run: Run, design: str, outputs: int | None = None, skip: int = 0) -> Facts:
    """The same as `coarsest reduce --every-state` does it, with every input seen (`--actions`): `seconds` are the CPU time from
    the machine to the smaller machine, with the classes listed and the steps between them. Nothing is counted or confirmed."""
    machine, labels = circuit(design, outputs, skip=skip)
    inputs = [variable.name for variable in machine.input_variables]
    started = process_time()
    reduced = api.Model(machine).reduce(
        observe=[show(label) for label in labels], actions=inputs, algorithm=algorithm, every_state=True, count=False,
        confirm="never", run=run,
    )  # fmt: skip
    return {"states": reduced.states, "seconds": process_time() - started, "algorithm": reduced.algorithm}
