"""Traces read back from JSON, as `check --trace json` and `check --json` write them, and what they show."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from pathlib import PurePath
from typing import Any

from msgspec.structs import replace

from coarsest.automata.automaton_claim import ACCEPTED_BY, AutomatonClaim
from coarsest.errors import EvidenceRejected, InputError
from coarsest.evidence.effort import NotConfirmed
from coarsest.evidence.enumeration.automaton_on_lasso import confirm_accepted
from coarsest.evidence.enumeration.by_enumeration import ByEnumeration
from coarsest.evidence.enumeration.enumerated_states import EnumerationBounds
from coarsest.evidence.replay.lasso import confirm_lasso, confirm_steps
from coarsest.evidence.replay.psl_on_lasso import confirm_false
from coarsest.evidence.replay.replay import confirm_dead_end, confirm_last_step, confirm_trace
from coarsest.evidence.stated_property import ReadFormula, stated_properties
from coarsest.explain.truths import is_linear
from coarsest.logic.branching.ctl import is_temporal, positive
from coarsest.logic.expr import Apply, Constant, Expr, Name, Value, conjunction
from coarsest.logic.psl.psl_from_expr import psl_from_expr
from coarsest.logic.words import negated, word_constant
from coarsest.model.interpret.interpret import Interpreter
from coarsest.model.machine import NO_DEADLOCK, Machine, Property, PropertyKind
from coarsest.model.parts.cone_of_influence import restrict_to
from coarsest.model.parts.watch import is_about_steps
from coarsest.model.query.assumed import with_assumptions_fair
from coarsest.model.trace import Trace
from coarsest.model.types import RealType, Type, WordType, contains
from coarsest.run import Run

PATIENT = EnumerationBounds(states=50_000, steps=500_000)
"""Who asks for a trace to be confirmed waits longer than who asks for a verdict."""

UNIVERSAL = {"AX": "X", "AF": "F", "AG": "G", "AU": "U", "ABF": "BF", "ABG": "BG", "and": "and", "or": "or"}


def trace_of(fields: Mapping[str, Any], machine: Machine) -> Trace:
    """The trace that an object with `states`, `inputs` and `loop` describes; raises EvidenceRejected where it is none."""
    states, inputs, loop = fields.get("states"), fields.get("inputs") or [], fields.get("loop")
    if not isinstance(states, list) or not states or not isinstance(inputs, list):
        raise EvidenceRejected("a trace has a list of `states`, and perhaps of `inputs`")
    if loop is not None and (not isinstance(loop, int) or isinstance(loop, bool) or not 0 <= loop < len(states)):
        raise EvidenceRejected(f"`loop` is {loop!r}, but must be null or the number of one of {len(states)} states")
    return Trace(tuple(_values(state, machine) for state in states), tuple(_values(step, machine) for step in inputs), loop)


def _values(fields: Any, machine: Machine) -> dict[str, Value]:
    if not isinstance(fields, dict):
        raise EvidenceRejected("a state is an object with the values of variables")
    unknown = fields.keys() - machine.variables.keys()
    if unknown:
        raise EvidenceRejected(f"the model has no variable {min(unknown)}")
    return {name: _value(machine.variables[name].type, value, name) for name, value in fields.items()}


def _value(kind: Type, value: Any, name: str) -> Value:
    try:
        match kind:
            case WordType() if isinstance(value, str):
                size = word_constant(value.removeprefix("-"))
                value = negated(size) if value.startswith("-") else size
            case RealType() if isinstance(value, str | int) and not isinstance(value, bool):
                value = Fraction(value)
    except (InputError, ValueError, ZeroDivisionError):
        raise EvidenceRejected(f"{name} is {value!r}, which is not a value of {kind}") from None
    if not isinstance(value, bool | int | str | Fraction) and not isinstance(kind, WordType):
        raise EvidenceRejected(f"{name} is {value!r}, which is not a value of {kind}")
    if not contains(kind, value):
        raise EvidenceRejected(f"{name} is {value!r}, which is not a value of {kind}")
    return value  # type: ignore[no-any-return]


def confirm_stated(
    machine: Machine, fields: Mapping[str, Any], read: ReadFormula, run: Run, automata: Sequence[AutomatonClaim] = ()
) -> tuple[Property, Trace, str]:
    """Confirm an object that has a trace, and the name, kind and formula of a property that it refutes.

    The property as the model has it, or one of the automata that are at hand; the trace; and what had to be looked at besides.
    Raises as `confirm_counterexample` does, or InputError where the formula is none.
    """
    about = {key: str(fields.get(key) or "") for key in ("name", "kind", "formula", "instance")}
    trace = trace_of(fields, machine)
    if about["kind"] == PropertyKind.AUTOMATON:
        stated = _stated_automaton(automata, **about)
        confirm_accepted(_part_of(machine, trace, stated.formula), trace, stated.automaton)
        return stated, trace, ""
    if about["kind"] == PropertyKind.DEADLOCK:
        if (about["name"], about["formula"], about["instance"]) != (NO_DEADLOCK.name, NO_DEADLOCK.text, ""):
            raise EvidenceRejected(f"a dead end shows nothing about '{about['name'] or about['formula']}'")
        of_all_states = conjunction([Name(variable.name) for variable in machine.state_variables])
        unfair = replace(machine, justice=(), compassion=())  # where a path ends, it does not matter which are fair
        confirm_dead_end(_part_of(unfair, trace, of_all_states), trace, run)
        return NO_DEADLOCK, trace, ""
    claims = stated_properties(machine, read, **about, in_full=False)
    for place, claim in enumerate(claims, 1):
        try:
            asked = with_assumptions_fair(machine, [claim])
            return claim, trace, confirm_counterexample(asked, claim.kind, claim.formula, trace, run)
        except EvidenceRejected:
            if place == len(claims):
                raise
    raise AssertionError("there is at least one")


def _stated_automaton(automata: Sequence[AutomatonClaim], *, name: str, kind: str, formula: str, instance: str) -> AutomatonClaim:
    """The automaton that is meant; its file may lie in another folder now."""
    if name or instance:
        raise EvidenceRejected(f"it claims to be about {name or instance}, but an automaton is not a property of the model")
    for claim in automata:
        if _without_folder(claim.text) == _without_folder(formula):
            return claim
    raise EvidenceRejected(f"none of the named automata is the {kind} that it is about")


def _without_folder(text: str) -> str:
    """The text of a claim about an automaton, its file named without a folder."""
    return ACCEPTED_BY + PurePath(text.removeprefix(ACCEPTED_BY)).name


def confirm_counterexample(machine: Machine, kind: PropertyKind, formula: Expr, trace: Trace, run: Run) -> str:
    """Is the trace one of the machine's, and is the formula false because of it? Raises EvidenceRejected if not.

    What had to be looked at besides, in words: all states one by one, where the formula speaks of more than one path; raises
    NotConfirmed where they are too many. A trace may leave out variables that neither the formula nor its own variables depend
    on.
    """
    machine = _part_of(machine, trace, formula)
    if kind is PropertyKind.COMPUTE:
        raise EvidenceRejected("COMPUTE computes a number, which no trace can refute")
    if kind is PropertyKind.INVARIANT:
        _confirm_bad_end(machine, trace, formula)
        return ""
    if kind is PropertyKind.COVER:
        _confirm_bad_end(machine, trace, Apply("not", (formula,)))
        return ""
    if kind is PropertyKind.LTL:
        return _confirm_linear(machine, formula, trace, run)
    if kind is PropertyKind.PSL:
        confirm_lasso(machine, trace, None)
        if confirm_false(psl_from_expr(formula), trace, Interpreter(machine)):
            return ""
    else:
        _confirm_path(machine, trace)
        linear = _on_one_path(kind, formula)
        try:
            if linear is not None:
                return _confirm_linear(machine, linear, trace, run)
        except EvidenceRejected:  # one path of the tree: others take part in the refutation
            pass
    confirmation = ByEnumeration(machine, run, PATIENT).confirm(kind, formula, holds=False)
    if confirmation is None:
        raise NotConfirmed("it is a path of the model, but does not show by itself that the formula is false")
    return confirmation.summary


def _confirm_linear(machine: Machine, formula: Expr, trace: Trace, run: Run) -> str:
    """A fair path on which the formula is false: a lasso, or for `G p` a path to where p is false and a fair one goes on."""
    match formula:
        case Apply("G", (good,)) if trace.loop is None and not is_temporal(good):
            _confirm_bad_end(machine, trace, good)
            return _confirm_fair_end(machine, trace, run)
        case Apply("not", (Apply("F", (bad,)),)):
            return _confirm_linear(machine, Apply("G", (Apply("not", (bad,)),)), trace, run)
    confirm_lasso(machine, trace, formula)
    return ""


def _confirm_bad_end(machine: Machine, trace: Trace, good: Expr) -> None:
    """A path that ends where the condition is false."""
    if trace.loop is not None:
        raise EvidenceRejected("a finite path is needed, but this one is a lasso")
    if is_about_steps(machine, good):
        confirm_trace(machine, trace, violates=None)
        confirm_last_step(machine, trace, violates=good)
    else:
        confirm_trace(machine, trace, violates=good)


def _confirm_fair_end(machine: Machine, trace: Trace, run: Run) -> str:
    """Formulas are about fair paths: one must go on from where a path ends."""
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


def _on_one_path(kind: PropertyKind, formula: Expr) -> Expr | None:
    """A linear formula that is true on all fair paths wherever the given one is true; None where there is none to be seen."""
    if kind is PropertyKind.CTL:
        return _without_quantifiers(positive(formula)) if is_temporal(formula) else None
    if kind is PropertyKind.CTL_STAR and isinstance(formula, Apply) and formula.op == "A" and is_linear(formula.args[0]):
        return formula.args[0]
    return None


def _without_quantifiers(formula: Expr) -> Expr | None:
    """A formula of CTL in negation normal form: where it is true, so is this on every path."""
    if not is_temporal(formula):
        return formula
    if not isinstance(formula, Apply) or formula.op not in UNIVERSAL:
        return None
    parts = [part if isinstance(part, Constant) else _without_quantifiers(part) for part in formula.args]
    linear = tuple(part for part in parts if part is not None)
    return Apply(UNIVERSAL[formula.op], linear, formula.span) if len(linear) == len(parts) else None


def _part_of(machine: Machine, trace: Trace, formula: Expr) -> Machine:
    """The part of the machine that the trace is about, which must be a machine of its own."""
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
    """Every value that is shown is replayed: each state has the same variables, which are of states, and each step has inputs."""
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
            raise EvidenceRejected(f"the inputs of step {number} have a value of {min(step.keys() - inputs)}, which is no input")
