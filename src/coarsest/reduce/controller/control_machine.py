"""A control automaton as a machine, and its steps with the conditions on inputs under which they are taken.

The machine has one state variable. Its definitions are the decisions of the automaton, so that it is not larger than the tables.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from coarsest.encode.bit_tests import about_bits, is_one_of
from coarsest.errors import Unsupported
from coarsest.logic.expr import TRUE, Apply, Constant, Expr, Name, Value, conjunction, names
from coarsest.model.machine import Machine, Variable
from coarsest.model.types import Range
from coarsest.reduce.controller.control_automaton import ControlAutomaton
from coarsest.reduce.partition.quotient import unused

MOST_WAYS: Final = 2000
"""A condition with more paths through the decisions of a state is too long to be read."""


def steps(automaton: ControlAutomaton) -> Iterator[tuple[int, Expr, tuple[Value, ...], int]]:
    """Source, condition, outputs and target of each step; a state has a step for each of its reactions."""
    for source, root in enumerate(automaton.roots):
        paths: dict[int, list[dict[int, bool]]] = {}
        count = 0
        waiting: list[tuple[int, dict[int, bool]]] = [(root, {})]
        while waiting:
            node, bits = waiting.pop()
            if node >= 0:
                bit, low, high = automaton.decisions[node]
                waiting += [(low, bits | {bit: False}), (high, bits | {bit: True})]
                continue
            count += 1
            if count > MOST_WAYS:
                hint = "write .smv, .c or .py instead, where conditions are shared"
                raise Unsupported(f"the conditions on inputs are too long: state {source} has more than {MOST_WAYS}", hint=hint)
            paths.setdefault(-1 - node, []).append(bits)
        for number, cubes in paths.items():
            reaction = automaton.reactions[number]
            if reaction is not None:
                alternatives = [_condition(automaton, cube) for cube in cubes]
                condition = alternatives[0] if len(alternatives) == 1 else Apply("or", tuple(alternatives))
                yield source, condition, reaction[1], reaction[0]


def control_machine(automaton: ControlAutomaton, original: Machine) -> Machine:
    """The machine, with the properties of the original that mention inputs and outputs only."""
    inputs = {variable.name: variable for variable in automaton.inputs}
    outputs = [variable.name for variable in automaton.outputs]
    taken = {*inputs, *outputs}
    state, reaction = unused("state", taken), unused("reaction", taken)
    decision = unused("decision", {name.rstrip("0123456789").rstrip("_") for name in taken})

    def at(node: int) -> Expr:
        return Name(f"{decision}_{node}") if node >= 0 else Constant(-1 - node)

    definitions: dict[str, Expr] = {}
    for number, (bit, low, high) in enumerate(automaton.decisions):
        definitions[f"{decision}_{number}"] = Apply("case", (_condition(automaton, {bit: True}), at(high), TRUE, at(low)))
    definitions[reaction] = _choice(Name(state), dict(enumerate(map(at, automaton.roots))))
    allowed = {number: answer for number, answer in enumerate(automaton.reactions) if answer is not None}
    for index, name in enumerate(outputs):
        definitions[name] = _choice(Name(reaction), {number: Constant(answer[1][index]) for number, answer in allowed.items()})
    forbidden = [Constant(number) for number, answer in enumerate(automaton.reactions) if answer is None]
    after = _choice(Name(reaction), {number: Constant(answer[0]) for number, answer in allowed.items()})
    fair = original.justice or original.compassion
    claims = () if fair else tuple(claim for claim in original.properties if names(claim.formula) <= {*inputs, *outputs})
    return Machine(
        f"{original.name}, its control automaton",
        {state: Variable(state, Range(0, automaton.size - 1)), **inputs},
        definitions,
        {state: Constant(automaton.initial)},
        {},
        {state: after},
        transition_constraints=tuple(Apply("!=", (Name(reaction), number)) for number in forbidden),
        properties=claims,
        outputs=tuple(outputs),
    )


def _choice(selector: Expr, values: Mapping[int, Expr]) -> Expr:
    """A value for each number; numbers with the same value share a branch, and the last branch needs no condition."""
    numbers: dict[Expr, list[Expr]] = {}
    for number, value in values.items():
        numbers.setdefault(value, []).append(Constant(number))
    *others, last = numbers or {Constant(0): []}
    branches = [part for value in others for part in (is_one_of(selector, numbers[value]), value)]
    return Apply("case", (*branches, TRUE, last)) if branches else last


def _condition(automaton: ControlAutomaton, bits: Mapping[int, bool]) -> Expr:
    """The condition on inputs that some of their bits have these values."""
    by_input: dict[int, dict[int, bool]] = {}
    for bit, value in bits.items():
        number, shift = automaton.bits[bit]
        by_input.setdefault(number, {})[shift] = value
    return conjunction([about_bits(automaton.inputs[number], values) for number, values in sorted(by_input.items())])
