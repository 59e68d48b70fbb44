"""Values that are shown along a trace in addition to its variables, or instead: expressions, definitions, instants of a program.

Nothing here decides anything: the interpreter computes values from the states and inputs of the trace.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from msgspec.structs import replace

from coarsest.errors import InputError
from coarsest.logic.expr import Expr, Name, Value
from coarsest.model.interpret.interpret import Interpreter
from coarsest.model.interpret.values import ValueChoice
from coarsest.model.machine import Machine
from coarsest.model.parts.watch import is_about_steps, looks_ahead
from coarsest.model.trace import Trace


def without_behaviour(machine: Machine) -> Machine:
    """The part of a machine that is needed to evaluate expressions in given states."""
    return Machine(machine.name, machine.variables, machine.definitions, made_up=machine.made_up)


def values_along(trace: Trace, machine: Machine, expressions: Mapping[str, Expr]) -> Trace:
    """The trace with only the values of these expressions; an expression about inputs has a value in each step. An expression
    without values is left out.

    >>> from coarsest.model.types import Range
    >>> from coarsest.model.machine import Variable
    >>> from coarsest.logic.parse import parse_expression
    >>> machine = Machine("m", {"x": Variable("x", Range(0, 3))})
    >>> values_along(Trace(({"x": 1}, {"x": 2})), machine, {"x > 1": parse_expression("x > 1")}).states
    ({'x > 1': False}, {'x > 1': True})
    """
    interpreter = Interpreter(without_behaviour(machine))
    of_states: dict[str, list[Value]] = {}
    of_steps: dict[str, list[Value]] = {}
    for name, expr in expressions.items():
        if is_about_steps(machine, expr):
            of_steps[name] = single(_in_steps(interpreter, trace, expr))
        else:
            of_states[name] = single(interpreter.value(expr, state) for state in trace.states)
    states = columns(of_states) or tuple({} for _ in trace.states)
    return replace(trace, states=states, inputs=columns(of_steps))


def with_all_definitions(trace: Trace, machine: Machine) -> Trace:
    """The trace with its variables, and with all definitions in the text of the model that have one value in every state, or in
    every step."""
    own = [name for name in machine.definitions if name not in machine.made_up]
    named = {name: Name(name) for name in own if not looks_ahead(machine, Name(name))}
    more = values_along(trace, machine, named)
    states = tuple({**state, **values} for state, values in zip(trace.states, more.states))
    inputs = trace.inputs
    if more.inputs:
        inputs = tuple({**step, **values} for step, values in zip(trace.inputs or ({},) * len(more.inputs), more.inputs))
    return replace(trace, states=states, inputs=inputs)


def instants_along(trace: Trace, machine: Machine, expressions: Mapping[str, Expr]) -> Trace | None:
    """The instants of a synchronous program instead of the states between them, with the values of these expressions, or else of
    all its inputs, outputs and other definitions that have one. None if the trace has no step."""
    steps = len(trace.arrivals)
    if not steps:
        return None
    own = [name for name in machine.definitions if "." not in name and name not in machine.outputs]
    names = [*(variable.name for variable in machine.input_variables), *machine.outputs, *own]
    interpreter = Interpreter(without_behaviour(machine))
    each = expressions or {name: Name(name) for name in names}
    states = columns({name: single(_in_steps(interpreter, trace, expr)) for name, expr in each.items()})
    return Trace(states, (), trace.loop, unit="instant") if len(states) == steps else None


def rounds_along(trace: Trace, machine: Machine) -> tuple[Trace, frozenset[str]]:
    """The trace of a program in the words of its language: each state comes with the reads and writes of the round that leads to
    it. The words themselves are the second result."""
    interpreter = Interpreter(without_behaviour(machine))
    rounds = []
    for before, after, given in zip(trace.states, trace.arrivals, trace.inputs or ({},) * len(trace.arrivals)):
        words: dict[str, Value] = {_as_read(name): value for name, value in given.items()}
        for name in machine.outputs:
            own = (definition for definition in (name, f"{name}.written") if definition in machine.definitions)
            values = single(interpreter.value(Name(definition), before, after, given) for definition in own)
            if not name.endswith(".written") and values and (len(values) == 1 or values[1]):
                words[f"write{name.removeprefix('output')}"] = values[0]
        rounds.append(words)
    shown = replace(trace, inputs=tuple(rounds), events=True)
    return shown, frozenset(name for words in rounds for name in words)


def _as_read(name: str) -> str:
    """The statement of the program that reads an input.

    >>> _as_read("go.read"), _as_read("go.read2")
    ('read(go)', 'read2(go)')
    """
    variable, _, read = name.rpartition(".")
    return f"{read}({variable})" if variable else name


def _in_steps(interpreter: Interpreter, trace: Trace, expr: Expr) -> Iterator[Value | ValueChoice]:
    inputs = trace.inputs or ({},) * len(trace.arrivals)
    for before, after, given in zip(trace.states, trace.arrivals, inputs):
        yield interpreter.value(expr, before, after, given)


def columns(along: Mapping[str, list[Value]]) -> tuple[dict[str, Value], ...]:
    """For each position, the values of all expressions that have values."""
    rows = {name: values for name, values in along.items() if values}
    return tuple(dict(zip(rows, values)) for values in zip(*rows.values()))


def single(values: Iterable[Value | ValueChoice]) -> list[Value]:
    """The values, if there is one everywhere; empty if one is missing, or a choice of several."""
    try:
        every = list(values)
    except InputError:
        return []
    values_alone = [value for value in every if not isinstance(value, ValueChoice)]
    return values_alone if len(values_alone) == len(every) else []
