"""Replays traces for each kind of property (`model/kinds.py`), by the interpreter: no engine takes part.

Each function returns words about what it had to examine in addition to the trace. It raises EvidenceRejected unless the property
is false because of the trace (true, if it has witnesses), and NotConfirmed if that cannot be decided.
"""

from __future__ import annotations

from msgspec.structs import replace

from coarsest.automata.automaton_claim import AutomatonClaim
from coarsest.errors import EvidenceRejected
from coarsest.evidence.effort import NotConfirmed
from coarsest.evidence.enumeration.automaton_on_lasso import confirm_accepted
from coarsest.evidence.enumeration.by_enumeration import ByEnumeration
from coarsest.evidence.enumeration.enumerated_states import EnumerationBounds
from coarsest.evidence.replay.lasso import confirm_lasso, confirm_steps
from coarsest.evidence.replay.psl_on_lasso import confirm_false
from coarsest.evidence.replay.replay import confirm_dead_end, confirm_last_step, confirm_trace
from coarsest.explain.truths import is_linear
from coarsest.logic.branching.ctl import is_temporal, positive
from coarsest.logic.expr import Apply, Constant, Expr, Name, conjunction
from coarsest.logic.psl.psl_from_expr import psl_from_expr
from coarsest.model.interpret.interpret import Interpreter
from coarsest.model.kinds import function
from coarsest.model.machine import Machine, Property
from coarsest.model.parts.cone_of_influence import restrict_to
from coarsest.model.parts.watch import is_about_steps
from coarsest.model.trace import Trace
from coarsest.run import Run

PATIENT = EnumerationBounds(states=50_000, steps=500_000)
"""A user who asks for the confirmation of a trace waits longer than a user who asks for a verdict."""

UNIVERSAL = {"AX": "X", "AF": "F", "AG": "G", "AU": "U", "ABF": "BF", "ABG": "BG", "and": "and", "or": "or"}


def confirm_counterexample(machine: Machine, claim: Property, trace: Trace, run: Run) -> str:
    """Is the trace a trace of the machine, and is the property false because of it? Raises EvidenceRejected if not.

    If the formula is about more than one path, all states are examined one by one, and the result says so in words; raises
    NotConfirmed if there are too many. A trace may leave out variables that neither the formula nor its own variables depend on.
    """
    if not claim.kind.replay:
        raise EvidenceRejected(f"no trace can refute a property of kind {claim.kind}")
    return str(function(claim.kind.replay)(machine, claim, trace, run))


def replay_invariant(machine: Machine, claim: Property, trace: Trace, run: Run) -> str:
    _confirm_bad_end(_part_of(machine, trace, claim.formula), trace, claim.formula)
    return ""


def replay_cover(machine: Machine, claim: Property, trace: Trace, run: Run) -> str:
    _confirm_bad_end(_part_of(machine, trace, claim.formula), trace, Apply("not", (claim.formula,)))
    return ""


def replay_ltl(machine: Machine, claim: Property, trace: Trace, run: Run) -> str:
    return _confirm_linear(_part_of(machine, trace, claim.formula), claim.formula, trace, run)


def replay_psl(machine: Machine, claim: Property, trace: Trace, run: Run) -> str:
    part = _part_of(machine, trace, claim.formula)
    confirm_lasso(part, trace, None)
    return "" if confirm_false(psl_from_expr(claim.formula), trace, Interpreter(part)) else _on_all_states(part, claim, run)


def replay_branching(machine: Machine, claim: Property, trace: Trace, run: Run) -> str:
    part = _part_of(machine, trace, claim.formula)
    _confirm_path(part, trace)
    linear = _on_one_path(claim)
    try:
        if linear is not None:
            return _confirm_linear(part, linear, trace, run)
    except EvidenceRejected:  # it may be one path of a tree that refutes the formula
        pass
    return _on_all_states(part, claim, run)


def replay_number(machine: Machine, claim: Property, trace: Trace, run: Run) -> str:
    raise EvidenceRejected("COMPUTE computes a number, which no trace can refute")


def replay_automaton(machine: Machine, claim: AutomatonClaim, trace: Trace, run: Run) -> str:
    confirm_accepted(_part_of(machine, trace, claim.formula), trace, claim.automaton)
    return ""


def replay_dead_end(machine: Machine, claim: Property, trace: Trace, run: Run) -> str:
    of_all_states = conjunction([Name(variable.name) for variable in machine.state_variables])
    unfair = replace(machine, justice=(), compassion=())  # fairness does not matter for paths that end
    confirm_dead_end(_part_of(unfair, trace, of_all_states), trace, run)
    return ""


def _on_all_states(machine: Machine, claim: Property, run: Run) -> str:
    confirmation = ByEnumeration(machine, run, PATIENT).confirm(claim, holds=False)
    if confirmation is None:
        raise NotConfirmed("it is a path of the model, but does not show by itself that the formula is false")
    return confirmation.summary


def _confirm_linear(machine: Machine, formula: Expr, trace: Trace, run: Run) -> str:
    """Confirm a fair path on which the formula is false: a lasso, or for `G p` a path to a state in which p is false and a fair
    path begins."""
    match formula:
        case Apply("G", (good,)) if trace.loop is None and not is_temporal(good):
            _confirm_bad_end(machine, trace, good)
            return _confirm_fair_end(machine, trace, run)
        case Apply("not", (Apply("F", (bad,)),)):
            return _confirm_linear(machine, Apply("G", (Apply("not", (bad,)),)), trace, run)
    confirm_lasso(machine, trace, formula)
    return ""


def _confirm_bad_end(machine: Machine, trace: Trace, good: Expr) -> None:
    """Confirm a path that ends with a state, or a step, in which the condition is false."""
    if trace.loop is not None:
        raise EvidenceRejected("a finite path is needed, but this one is a lasso")
    if is_about_steps(machine, good):
        confirm_trace(machine, trace, violates=None)
        confirm_last_step(machine, trace, violates=good)
    else:
        confirm_trace(machine, trace, violates=good)


def _confirm_fair_end(machine: Machine, trace: Trace, run: Run) -> str:
    """Confirm that a fair path begins in the last state of a path, since formulas are about fair paths."""
    if not machine.justice and not machine.compassion:
        return ""
    goes_on = ByEnumeration(machine, run, PATIENT).begins_fair_path(trace.states[-1])
    if goes_on is None:
        raise NotConfirmed("the path ends, and there are too many states to see whether a fair path goes on from there")
    if not goes_on:
        raise EvidenceRejected("the path is not fair: no fair path goes on from its last state")
    return "a fair path goes on from its end"


def _confirm_path(machine: Machine, trace: Trace) -> None:
    interpreter = Interpreter(machine)
    problem = interpreter.why_not_initial(trace.states[0])
    if problem:
        raise EvidenceRejected(f"the first state is not initial: {problem}")
    confirm_steps(interpreter, trace)


def _on_one_path(claim: Property) -> Expr | None:
    """A linear formula that is true on all fair paths wherever the given formula is true, if there is a simple one."""
    formula = claim.formula
    if claim.kind.is_ctl:
        return _without_quantifiers(positive(formula)) if is_temporal(formula) else None
    if isinstance(formula, Apply) and formula.op == "A" and is_linear(formula.args[0]):
        return formula.args[0]
    return None


def _without_quantifiers(formula: Expr) -> Expr | None:
    """A linear formula that is true on every path from a state in which this CTL formula in negation normal form is true."""
    if not is_temporal(formula):
        return formula
    if not isinstance(formula, Apply) or formula.op not in UNIVERSAL:
        return None
    parts = [part if isinstance(part, Constant) else _without_quantifiers(part) for part in formula.args]
    linear = tuple(part for part in parts if part is not None)
    return Apply(UNIVERSAL[formula.op], linear, formula.span) if len(linear) == len(parts) else None


def _part_of(machine: Machine, trace: Trace, formula: Expr) -> Machine:
    """The part of the machine that the trace is about, which must not depend on other variables."""
    _require_one_form(machine, trace)
    named = frozenset(trace.states[0]).union(*trace.inputs)
    if named == machine.variables.keys():
        return machine
    equations = (machine.initial_values, machine.current_values, machine.next_values)
    needed = {v for values in equations for name in named & values.keys() for v in machine.variables_of(values[name])}
    constraints = (*machine.initial_constraints, *machine.invariant_constraints, *machine.transition_constraints)
    fairness = (*machine.justice, *(expr for pair in machine.compassion for expr in pair))
    needed |= {v for expr in (formula, *constraints, *fairness) for v in machine.variables_of(expr)}
    inputs = {v.name for v in machine.input_variables}
    missing = needed - named - (inputs if not trace.inputs else set())
    if missing:
        raise EvidenceRejected(f"the trace has no value for {min(missing)}, which the property depends on")
    return restrict_to(machine, named | (needed & inputs))


def _require_one_form(machine: Machine, trace: Trace) -> None:
    """Raise EvidenceRejected unless all states have values of the same state variables, and steps have values of inputs only."""
    inputs = {variable.name for variable in machine.input_variables}
    shown = frozenset(trace.states[0])
    for number, state in enumerate(trace.states):
        if state.keys() & inputs:
            raise EvidenceRejected(f"state {number} has a value of {min(state.keys() & inputs)}, which is an input of steps")
        if state.keys() != shown:
            name = min(state.keys() ^ shown)
            raise EvidenceRejected(f"state {number} {'has' if name in state else 'lacks'} a value of {name}, unlike state 0")
    for number, step in enumerate(trace.inputs, 1):
        if step.keys() - inputs:
            name = min(step.keys() - inputs)
            raise EvidenceRejected(f"the inputs of step {number} have a value of {name}, which is not an input")
