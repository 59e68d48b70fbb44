"""Answers made readable: the variables that matter, and the truth of the property's parts along the trace.

Nothing here decides anything: the interpreter computes everything from the evidence.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from msgspec.structs import replace

from coarsest.evidence.explanation import Explanation
from coarsest.evidence.reading import Reading, TruthRow
from coarsest.evidence.verdict import Answer, Fails, Holds, shown_trace
from coarsest.explain.shown_values import columns, instants_along, rounds_along, single, values_along, without_behaviour
from coarsest.explain.truths import TraceTruths, is_linear
from coarsest.explain.why_on_lasso import why_on_lasso
from coarsest.logic.expr import Apply, Expr, Name, Value, subexpressions
from coarsest.model.interpret.interpret import Interpreter
from coarsest.model.kinds import function
from coarsest.model.machine import Machine, Property
from coarsest.model.parts.cone_of_influence import cone_variables
from coarsest.model.parts.watch import is_about_steps

if TYPE_CHECKING:
    from coarsest.automata.automaton_claim import AutomatonClaim

NOTHING: Mapping[str, Expr] = MappingProxyType({})
MOST_DEFINITIONS: Final = 12
STATES_WITH_TRUTHS: Final = 400
"""The length of a trace above which the truth of the parts of a formula is not computed, since nobody would read it."""


def annotated(answer: Answer, claim: Property, machine: Machine, show: Mapping[str, Expr] = NOTHING) -> Answer:
    """The answer with facts that help to read its evidence. If `show` has expressions, only these are shown along a trace."""
    answer = _annotated(answer, claim, machine)
    trace, reading = shown_trace(answer), answer.reading
    if trace is None or reading is None:
        return answer
    shown = None
    if machine.rounds and not show and len(trace.arrivals):
        shown, words = rounds_along(trace, machine)
        return replace(answer, reading=replace(reading, shown=shown, is_chosen=False, relevant=reading.relevant | words))
    if machine.synchronous and (trace.loop is not None or is_about_steps(machine, claim.formula)):
        shown = instants_along(trace, machine, show)
    if shown is None and show:
        shown = values_along(trace, machine, show)
    return replace(answer, reading=replace(reading, shown=shown))


def _annotated(answer: Answer, claim: Property, machine: Machine) -> Answer:
    verdict = answer.verdict
    trace = shown_trace(answer)
    if not isinstance(verdict, Fails | Holds) or (trace is None and verdict.explanation is None):
        return answer
    reading = Reading(
        mentioned=frozenset(machine.variables_of(claim.formula)),
        relevant=cone_variables(machine, [claim.formula]),
        fair=bool(machine.justice or machine.compassion) and not claim.kind.is_invariant,
    )
    if trace is None or len(trace) > STATES_WITH_TRUTHS:
        return replace(answer, reading=reading)
    truths = TraceTruths(trace, Interpreter(without_behaviour(machine)))
    if verdict.explanation is not None:
        rows = truths.of_explanation(verdict.explanation)
    elif trace.loop is not None and not claim.kind.is_invariant and isinstance(verdict, Fails):
        rows, because = _on_lasso(claim, truths)
        if because:
            answer = replace(answer, verdict=replace(verdict, explanation=Explanation(claim.formula, False, because, trace)))
    else:
        if isinstance(verdict, Fails) and len(trace) > 1 and is_about_steps(machine, claim.formula):
            because = f"it is false of the step from state {len(trace) - 2} to state {len(trace) - 1}"
            if machine.synchronous:
                because = f"it is false at instant {len(trace) - 2}"
            answer = replace(answer, verdict=replace(verdict, explanation=Explanation(claim.formula, False, because, trace)))
        return replace(answer, reading=_with_definitions(reading, claim, truths))
    return replace(answer, reading=replace(reading, truths=tuple(rows)))


def _with_definitions(reading: Reading, claim: Property, truths: TraceTruths) -> Reading:
    """The reading of an invariant with the definitions that it mentions, and those that definitions about steps mention."""
    machine = truths.interpreter.machine
    mentioned: dict[str, Name] = {}
    waiting = [claim.formula]
    about_steps: set[str] = set()
    opened: set[str] = set()
    for formula in waiting:
        for part in subexpressions(formula):
            if isinstance(part, Name) and part.name in machine.made_up and part.name not in opened:
                opened.add(part.name)
                waiting.append(machine.definitions[part.name])
            elif isinstance(part, Name) and part.name in machine.definitions and part.name not in (*mentioned, *opened):
                if len(mentioned) == MOST_DEFINITIONS:  # before their bodies are visited: they may be all gates of a circuit
                    return reading
                mentioned[part.name] = part
                if is_about_steps(machine, part):
                    about_steps.add(part.name)
                    waiting.append(machine.definitions[part.name])
    if not mentioned:
        return reading
    of_states, of_steps = {}, {}
    for name, part in mentioned.items():
        if name in about_steps:
            of_steps[name] = _values_of_steps(part, truths)
        else:
            of_states[name] = single(truths.interpreter.value(part, state) for state in truths.trace.states)
    names = frozenset(name for name, values in (of_states | of_steps).items() if values)
    return replace(
        reading,
        mentioned=reading.mentioned | names,
        relevant=reading.relevant | names,
        definitions=columns(of_states),
        step_definitions=columns(of_steps),
    )


def _values_of_steps(definition: Name, truths: TraceTruths) -> list[Value]:
    """The value of a definition in each step of the trace."""
    trace = truths.trace
    inputs = trace.inputs or ({},) * len(trace.arrivals)
    steps = zip(trace.states, trace.arrivals, inputs)
    return single(truths.interpreter.value(definition, before, after, given) for before, after, given in steps)


def _on_lasso(claim: Property, truths: TraceTruths) -> tuple[list[TruthRow], str]:
    """The truth of the parts along a counterexample to a linear formula, and why the whole is false, if that is certain."""
    explained = function(claim.kind.explain)(claim, truths) if claim.kind.explain else None
    return explained or (truths.of_lasso(claim.formula), "")


# For each kind of property (`model/kinds.py`): the truth of the parts, and why the whole is false; None if that is not certain


def of_ltl(claim: Property, truths: TraceTruths) -> tuple[list[TruthRow], str] | None:
    return _of_linear(claim.formula, truths)


def of_ctl_star(claim: Property, truths: TraceTruths) -> tuple[list[TruthRow], str] | None:
    formula = claim.formula
    return _of_linear(formula.args[0] if isinstance(formula, Apply) and formula.op == "A" else formula, truths)


def _of_linear(formula: Expr, truths: TraceTruths) -> tuple[list[TruthRow], str] | None:
    """The result for a formula that has only linear operators."""
    return (truths.of_lasso(formula), why_on_lasso(formula, truths.trace, truths.along)) if is_linear(formula) else None


def of_psl(claim: Property, truths: TraceTruths) -> tuple[list[TruthRow], str] | None:
    from coarsest.evidence.replay.psl_on_lasso import PslOnLasso, can_be_evaluated
    from coarsest.explain.why_psl_on_lasso import why_psl_on_lasso
    from coarsest.logic.psl.psl_from_expr import psl_from_expr

    formula = psl_from_expr(claim.formula)
    if not can_be_evaluated(formula):
        return None
    return truths.of_psl(formula), why_psl_on_lasso(formula, PslOnLasso(truths.trace, truths.interpreter))


def of_automaton(claim: AutomatonClaim, truths: TraceTruths) -> tuple[list[TruthRow], str]:
    return truths.of_conditions(claim.automaton.alphabet.atoms), "the automaton accepts this path"
