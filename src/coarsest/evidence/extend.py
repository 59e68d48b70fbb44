"""From a trace of a cone of influence to a trace of the whole machine.

What the cone leaves out is governed by equations alone (see `model.cone_of_influence`), so that every trace of the cone can
be extended: the equations are evaluated in the order of their dependencies; where they leave a choice, the first value is taken.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from coarsest.evidence.trace import Trace
from coarsest.logic.expr import Apply, Expr, Name, Value
from coarsest.model.interpret import Interpreter
from coarsest.model.machine import Kind, Machine
from coarsest.model.values import Choice


def extend_trace(machine: Machine, trace: Trace) -> Trace:
    """The same trace with values for all variables of the machine."""
    if all(v.name in trace.states[0] for v in machine.state_variables):
        return trace
    extension = _Extension(machine)
    states = [extension.initial(trace.states[0])]
    inputs: list[Mapping[str, Value]] = []
    for i, known in enumerate(trace.states[1:]):
        given = extension.inputs(trace.inputs[i] if trace.inputs else {})
        inputs.append(given)
        states.append(extension.after(states[-1], given, known))
    return Trace(tuple(states), tuple(inputs), trace.loop)


class _Extension:
    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.interpreter = Interpreter(machine)

    def inputs(self, known: Mapping[str, Value]) -> dict[str, Value]:
        return {v.name: known.get(v.name, next(v.type.values())) for v in self.machine.input_variables}

    def initial(self, known: Mapping[str, Value]) -> dict[str, Value]:
        machine = self.machine
        equations = {**machine.initial_values, **machine.current_values}
        return self._fill(known, equations, machine.variables_of, lambda expr, state: self.interpreter.value(expr, state))

    def after(self, state: Mapping[str, Value], inputs: Mapping[str, Value], known: Mapping[str, Value]) -> dict[str, Value]:
        machine = self.machine
        frozen = {v.name: state[v.name] for v in machine.of_kind(Kind.FROZEN)}

        def value(expr: Expr, after: Mapping[str, Value]) -> Value | Choice:
            if id(expr) in always:
                return self.interpreter.value(expr, after)
            return self.interpreter.value(expr, state, after=after, inputs=inputs)

        always = {id(expr) for expr in machine.current_values.values()}
        equations = {**machine.next_values, **machine.current_values}
        return self._fill({**frozen, **known}, equations, self._mentioned_after, value)

    def _fill(
        self,
        known: Mapping[str, Value],
        equations: Mapping[str, Expr],
        needs: Callable[[Expr], set[str]],
        value: Callable[[Expr, Mapping[str, Value]], Value | Choice],
    ) -> dict[str, Value]:
        """Values for all state variables, each equation after those it needs."""
        filled = dict(known)

        def settle(name: str) -> None:
            expr = equations.get(name)
            if expr is None:
                filled[name] = next(self.machine.variables[name].type.values())
                return
            for needed in sorted(needs(expr)):
                if needed not in filled and self.machine.variables[needed].kind is not Kind.INPUT:
                    settle(needed)
            found = value(expr, filled)
            filled[name] = found.values[0] if isinstance(found, Choice) else found

        for variable in self.machine.state_variables:
            if variable.name not in filled:
                settle(variable.name)
        return {v.name: filled[v.name] for v in self.machine.state_variables}

    def _mentioned_after(self, expr: Expr) -> set[str]:
        """The variables whose next values an equation mentions."""
        machine = self.machine
        if any(expr is own for own in machine.current_values.values()):
            return machine.variables_of(expr)
        found: set[str] = set()
        waiting: list[Expr] = [expr]
        opened: set[str] = set()
        while waiting:
            match waiting.pop():
                case Apply("next", (inner,)):
                    found |= machine.variables_of(inner)
                case Apply(_, args):
                    waiting.extend(args)
                case Name(name) if name in machine.definitions and name not in opened:
                    opened.add(name)
                    waiting.append(machine.definitions[name])
        return found
