"""The fewest states of a deterministic machine with outputs, by Moore's rounds on all its states and inputs, one by one."""

from collections.abc import Iterator, Mapping
from itertools import product
from typing import Any

from coarsest.logic.expr import Expr
from coarsest.model.interpret.interpret import Interpreter
from coarsest.model.machine import Machine


def stimuli(machine: Machine) -> Iterator[dict[str, Any]]:
    """All values of the inputs together."""
    variables = machine.input_variables
    for values in product(*(variable.type.values() for variable in variables)):
        yield dict(zip((variable.name for variable in variables), values))


class Mealy:
    """The reachable states of a machine, and for each of them and each input the outputs and the state after, if there is one."""

    def __init__(self, machine: Machine, outputs: Mapping[str, Expr]) -> None:
        interpreter = Interpreter(machine)
        names = [variable.name for variable in machine.input_variables]
        self.initial = [tuple(values) for values in interpreter.initial_values()]
        self.reactions: dict[Any, dict[Any, tuple[Any, Any]]] = {}
        waiting = list(self.initial)
        while waiting:
            here = waiting.pop()
            if here in self.reactions:
                continue
            state = interpreter.assignment(here)
            found = {}
            for inputs, after in interpreter.successor_values(here):
                given = dict(zip(names, inputs))
                seen = tuple(interpreter.value(expr, state, inputs=given) for expr in outputs.values())
                assert inputs not in found, "not deterministic"
                found[inputs] = seen, after
                waiting.append(after)
            self.reactions[here] = found

    def classes(self) -> dict[Any, int]:
        """The class of each state."""
        number = dict.fromkeys(self.reactions, 0)
        while True:
            signatures = {
                state: tuple(sorted((repr(inputs), repr(seen), number[after]) for inputs, (seen, after) in found.items()))
                for state, found in self.reactions.items()
            }
            names = {signature: place for place, signature in enumerate(dict.fromkeys(signatures.values()))}
            new = {state: names[signature] for state, signature in signatures.items()}
            if len(names) == len(set(number.values())):
                return new
            number = new
