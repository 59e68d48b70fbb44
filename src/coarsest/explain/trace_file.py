"""Reads traces from JSON, as `check --trace json` and `check --json` write them, and confirms them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from pathlib import PurePath
from typing import Any

from coarsest.automata.automaton_claim import ACCEPTED_BY, AutomatonClaim
from coarsest.errors import EvidenceRejected, InputError
from coarsest.evidence.stated_property import ReadFormula, stated_properties
from coarsest.explain.replay import confirm_counterexample
from coarsest.logic.expr import Value
from coarsest.logic.words import negated, word_constant
from coarsest.model.kinds import kind_named
from coarsest.model.machine import NO_DEADLOCK, Machine, Property
from coarsest.model.query.assumed import with_assumptions_fair
from coarsest.model.trace import Trace
from coarsest.model.types import RealType, Type, WordType, contains
from coarsest.run import Run


def trace_of(fields: Mapping[str, Any], machine: Machine) -> Trace:
    """The trace that an object with `states`, `inputs` and `loop` describes; raises EvidenceRejected if it is not a trace."""
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

    The results are the property of the model, or one of the given automata; the trace; and words about what had to be examined
    in addition. Raises the same exceptions as `confirm_counterexample`, and InputError if the formula is not a formula.
    """
    about = {key: str(fields.get(key) or "") for key in ("name", "kind", "formula", "instance")}
    trace = trace_of(fields, machine)
    kind = kind_named(about["kind"])
    if kind is not None and kind.replay and kind.place is None:
        if kind != NO_DEADLOCK.kind:
            stated: Property = _stated_automaton(automata, **about)
        elif (about["name"], about["formula"], about["instance"]) == (NO_DEADLOCK.name, NO_DEADLOCK.text, ""):
            stated = NO_DEADLOCK
        else:
            raise EvidenceRejected(f"a dead end shows nothing about '{about['name'] or about['formula']}'")
        return stated, trace, confirm_counterexample(machine, stated, trace, run)
    claims = stated_properties(machine, read, **about, in_full=False)
    for number, claim in enumerate(claims, 1):
        try:
            asked = with_assumptions_fair(machine, [claim])
            return claim, trace, confirm_counterexample(asked, claim, trace, run)
        except EvidenceRejected:
            if number == len(claims):
                raise
    raise AssertionError("there is at least one")


def _stated_automaton(automata: Sequence[AutomatonClaim], *, name: str, kind: str, formula: str, instance: str) -> AutomatonClaim:
    """The automaton with this text; its file may be in another folder now."""
    if name or instance:
        raise EvidenceRejected(f"it claims to be about {name or instance}, but an automaton is not a property of the model")
    for claim in automata:
        if _without_folder(claim.text) == _without_folder(formula):
            return claim
    raise EvidenceRejected(f"none of the named automata is the {kind} that it is about")


def _without_folder(text: str) -> str:
    """The text of a claim about an automaton, its file named without a folder."""
    return ACCEPTED_BY + PurePath(text.removeprefix(ACCEPTED_BY)).name
