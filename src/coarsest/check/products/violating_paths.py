"""The paths that violate a linear formula, as the fair paths of one machine, for engines that work on bits."""

from __future__ import annotations

from msgspec.structs import replace

from coarsest.automata.translate.machine_product import product_with_automaton
from coarsest.check.questions.question import Linear
from coarsest.encode.cnf import CircuitSolver
from coarsest.encode.unrolling import Network
from coarsest.logic.expr import Apply, Expr, Name
from coarsest.logic.linear.recurrences import recurrences
from coarsest.model.machine import Kind, Machine, Variable
from coarsest.model.parts.watch import looks_ahead
from coarsest.model.types import Boolean
from coarsest.run import Run

NEVER_AGAIN = "watch.never."
"""What the names of variables begin with that promise that the first part of a compassion constraint is never met again."""


def violating_paths(machine: Machine, claim: Linear) -> Machine:
    """A machine that is fair by justice alone, and whose fair paths are the violating ones of another, seen on more variables.

    Where a violation is that some conditions are true again and again, they are justice; otherwise an automaton stands beside.
    """
    again, others = recurrences(claim.formula) if claim.formula is not None else ((), claim.roots)
    if again and not others:
        return by_justice(replace(machine, justice=(*machine.justice, *again)))
    return by_justice(product_with_automaton(machine, claim.violating()))


def by_justice(machine: Machine) -> Machine:
    """The same fair paths, without compassion: either its first part is not met from some time on, or the second is, for ever."""
    added: dict[str, Variable] = {}
    rules: list[Expr] = []
    justice = list(machine.justice)
    for number, (p, q) in enumerate(machine.compassion):
        name = f"{NEVER_AGAIN}{number}"
        added[name] = Variable(name, Boolean(), Kind.STATE)
        rules.append(Apply("implies", (Name(name), Apply("and", (Apply("not", (p,)), Apply("next", (Name(name),)))))))
        justice.append(Apply("or", (Name(name), q)))
    return replace(
        machine,
        variables={**machine.variables, **added},
        transition_constraints=(*machine.transition_constraints, *rules),
        justice=tuple(justice),
        compassion=(),
    )


def goes_on(system: Machine, violating: Machine, run: Run) -> bool:
    """Does every fair path of a machine beside a system go on, so that none stays in a state without successor?

    Where constraints are on states and inputs alone, a step leads on if and only if some inputs satisfy them. So it is enough
    if a justice constraint is met only where they hold, as in AIGER, where a path that cannot go on counts for nothing.
    """
    if not system.may_be_stuck:
        return True
    rules = system.transition_constraints
    if system.invariant_constraints or any(looks_ahead(system, rule) for rule in rules):
        return False
    network = Network(replace(violating, transition_constraints=()), run)
    holds = [network.edge(rule) for rule in rules]
    with CircuitSolver(network.aig, run) as circuit:
        frame = circuit.frame()
        circuit.add_clause(*(-frame.literal(edge) for edge in holds))
        return not all(circuit.solve([frame.literal(network.edge(condition))]) for condition in violating.justice)
