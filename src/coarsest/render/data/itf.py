"""Traces in the informal trace format (ITF) of Apalache, which its viewers and test drivers read.

The inputs of a step are shown with the state it leaves, as in value change dumps; the last state of a finite path has none.
Words are numbers.

Reference: Apalache, architecture decision record 15, "Informal Trace Format in JSON".
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any, Final

from coarsest.logic.expr import Value, Word
from coarsest.model.trace import Trace
from coarsest.render.data.json import object_to_text

LARGEST: Final = 2**53 - 1
"""Larger numbers are not safe in JSON, and are written as texts."""


def trace_to_itf(trace: Trace, *, name: str = "trace") -> str:
    """The whole trace as one JSON object.

    >>> import json
    >>> text = trace_to_itf(Trace(({"x": 0}, {"x": 2**60}), ({"go": True},)))
    >>> [{key: state[key] for key in ("x", "go")} for state in json.loads(text)["states"]]
    [{'x': 0, 'go': True}, {'x': {'#bigint': '1152921504606846976'}, 'go': {'#unserializable': 'no step'}}]
    """
    inputs = list(dict.fromkeys(each for step in trace.inputs for each in step))
    names = [*dict.fromkeys(each for state in trace.states for each in state), *inputs]
    states: list[dict[str, Any]] = []
    for number, state in enumerate(trace.states):
        given = trace.inputs[number] if number < len(trace.inputs) else {}
        shown = {each: _value(value) for each, value in {**state, **given}.items()}
        missing = {each: {"#unserializable": "no step"} for each in inputs if each not in shown}
        states.append({"#meta": {"index": number}, **shown, **missing})
    about = {"#meta": {"format": "ITF", "description": name}, "vars": names}
    loop = {} if trace.loop is None else {"loop": trace.loop}
    return object_to_text({**about, **loop, "states": states}) + "\n"


def _value(value: Value) -> Any:
    if isinstance(value, bool | str):
        return value
    if isinstance(value, Fraction):
        return {"#unserializable": str(value)}
    number = int(value) if not isinstance(value, Word) else value.value
    return number if abs(number) <= LARGEST else {"#bigint": str(number)}
