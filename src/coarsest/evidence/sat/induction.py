"""Confirms that a condition is true in all reachable states, by induction over several steps, with the judge's own clauses.

Reference: Sheeran, Singh, Stålmarck 2000, "Checking safety properties using induction and a SAT-solver", section 4.
Symbols:   k is `depth`; the path s_0, …, s_k.
Invariant: –
Deviates:  the states of a path are required to differ from the beginning.
Cost:      two unrollings of k steps; k² conditions that states differ.

If a bad state can be reached, consider a shortest path to a bad state: no state occurs twice on it, and only the last is bad. If
it had fewer than k steps, the first condition would be violated; if it had k or more, its last k + 1 states would violate the
second. Facts that induction over one step shows are true in all reachable states, and so in these.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from itertools import combinations

from coarsest.errors import EvidenceRejected
from coarsest.evidence.effort import Effort
from coarsest.evidence.proof import AllPathsEnd, Induction
from coarsest.evidence.sat.clauses import Clauses
from coarsest.evidence.sat.cnf_machine import MachineClauses
from coarsest.logic.expr import Expr
from coarsest.model.machine import Kind, Machine
from coarsest.model.parts.cone_of_influence import cone_variables, restrict_to
from coarsest.model.parts.watch import is_about_steps
from coarsest.run import Run


def confirm_induction(
    machine: Machine, good: Expr, claim: Induction | AllPathsEnd, *, run: Run, effort: Effort = Effort()  # noqa: B008
) -> int:
    """The number of confirmed conditions; raises EvidenceRejected, or NotConfirmed if the effort is not enough."""
    facts = claim.facts if isinstance(claim, Induction) else ()
    goods = [good, *claim.others] if isinstance(claim, Induction) else [good]
    part = restrict_to(machine, cone_variables(machine, [*goods, *facts]))
    last = partial(_no_bad_state_after_good_ones, facts) if isinstance(claim, Induction) else _no_path
    judges = [partial(_true_for_ever, facts)] if facts else []
    for judge in (*judges, _no_bad_state_soon, last, _always_defined):
        clauses = Clauses(run, effort)
        try:
            judge(clauses, part, goods, claim.depth)
        finally:
            clauses.close()
    return claim.depth + 2 + 2 * len(judges)


def _bad(step: MachineClauses, goods: Sequence[Expr]) -> int:
    """The current state, or the step from it, violates one of the conditions."""
    violations = []
    for good in goods:
        about_steps = is_about_steps(step.machine, good)
        violations.append(step.clauses.every([-step.condition(good), *([step.step] if about_steps else [])]))
    return step.clauses.some(violations)


def _true_for_ever(facts: Sequence[Expr], clauses: Clauses, machine: Machine, goods: Sequence[Expr], depth: int) -> None:
    """The facts are true in initial states, and a step from a state in which they are true leads to another such state."""
    step = MachineClauses(clauses, machine)
    if clauses.example(step.initial, -clauses.every(map(step.condition, facts))) is not None:
        raise EvidenceRejected("a fact is false in an initial state")
    clauses.add_clause(step.legal)
    clauses.add_clause(step.step)
    for fact in facts:
        clauses.add_clause(step.condition(fact))
    after = MachineClauses(clauses, machine, behind=step)
    if clauses.example(-clauses.every(map(after.condition, facts))) is not None:
        raise EvidenceRejected("a step leads from a state in which all facts are true to a state in which one is false")


def _no_bad_state_soon(clauses: Clauses, machine: Machine, goods: Sequence[Expr], depth: int) -> None:
    step = MachineClauses(clauses, machine)
    clauses.add_clause(step.initial)
    for length in range(max(depth, 1)):
        if clauses.example(_bad(step, goods)) is not None:
            raise EvidenceRejected(f"a path of {length} steps leads to a violation")
        clauses.add_clause(step.step)
        step = MachineClauses(clauses, machine, behind=step)


def _no_bad_state_after_good_ones(
    facts: Sequence[Expr], clauses: Clauses, machine: Machine, goods: Sequence[Expr], depth: int
) -> None:
    steps = [MachineClauses(clauses, machine)]
    clauses.add_clause(steps[0].legal)
    for _ in range(depth):
        clauses.add_clause(steps[-1].step)
        for good in goods:
            clauses.add_clause(steps[-1].condition(good))
        steps.append(MachineClauses(clauses, machine, behind=steps[-1]))
    for step in steps if facts else ():
        clauses.add_clause(clauses.every(map(step.condition, facts)))
    names = [variable.name for variable in machine.of_kind(Kind.STATE)]
    for first, second in combinations(steps, 2):
        pairs = ((a, b) for name in names for a, b in zip(first.now[name], second.now[name]))
        clauses.add_clause(clauses.some(clauses.differ(a, b) for a, b in pairs))
    if clauses.example(_bad(steps[-1], goods)) is not None:
        raise EvidenceRejected(f"after {depth} steps among good states, all different, a violation may follow")


def _no_path(clauses: Clauses, machine: Machine, goods: Sequence[Expr], depth: int) -> None:
    step = MachineClauses(clauses, machine)
    clauses.add_clause(step.initial)
    for _ in range(depth):
        clauses.add_clause(step.step)
        step = MachineClauses(clauses, machine, behind=step)
    if clauses.example() is not None:
        raise EvidenceRejected(f"there is a path of {depth} steps")


def _always_defined(clauses: Clauses, machine: Machine, goods: Sequence[Expr], depth: int) -> None:
    step = MachineClauses(clauses, machine)
    _bad(step, goods), step.initial, step.step
    if clauses.example(step.domains, clauses.some(step.problems)) is not None:
        raise EvidenceRejected("an expression has no value, or none of its type")
