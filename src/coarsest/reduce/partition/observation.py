"""What an observer sees of a machine: the values of expressions, and the inputs of its steps."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct

from coarsest.errors import InputError, NameProblem, Unsupported
from coarsest.logic.expr import Apply, Constant, Expr, Name, Value
from coarsest.logic.show import show
from coarsest.logic.temporal_operators import boolean_parts
from coarsest.model.interpret.interpret import Interpreter
from coarsest.model.machine import Kind, Machine, Property
from coarsest.model.parts.cone_of_influence import cone_variables, restrict_to
from coarsest.model.parts.promote_inputs import inputs_mentioned, promote
from coarsest.model.parts.watch import is_about_steps
from coarsest.run import Run
from coarsest.space.carrier import MOST_OBSERVED_VALUES
from coarsest.space.space import S, State, StateSpace
from coarsest.text.near import nearest


class Observation(Struct, frozen=True):
    """The part of a machine that the observed values depend on.

    Inputs that labels mention are variables of its states. `actions` are the inputs whose values are seen at each step.
    """

    machine: Machine
    labels: tuple[Expr, ...]
    actions: tuple[str, ...] = ()
    promoted: frozenset[str] = frozenset()
    visible: tuple[Expr, ...] = ()
    """The labels that the user asked for. The other labels are fairness constraints."""

    def sets(self, space: StateSpace[S], run: Run) -> list[S]:
        """Sets of states. Two states look alike when they are in the same ones."""
        return [states for _, states in self.conditions(space, run)]

    def conditions(self, space: StateSpace[S], run: Run) -> Iterator[tuple[Expr, S]]:
        """The same sets, each with the condition that is true in its states."""
        interpreter = Interpreter.of(self.machine)
        for label in self.labels:
            unseen, values = space.states, 0
            while unseen:
                value = value_in(interpreter, label, space.describe(space.pick(unseen)))
                if isinstance(value, bool):  # the label is boolean in all states
                    yield label, space.where(label)
                    break
                condition = Apply("=", (label, Constant(value)))
                states = space.where(condition)
                yield condition, states
                unseen = unseen - states
                values += 1
                run.step("observe", values=values)
                if values > MOST_OBSERVED_VALUES:
                    message = f"`{show(label)}` has more than {MOST_OBSERVED_VALUES} values"
                    raise Unsupported(message, label.span, hint="observe less of it")


def value_in(interpreter: Interpreter, label: Expr, state: State) -> Value:
    """The value of an expression in a state, by the interpreter."""
    value = interpreter.value(label, state)
    assert isinstance(value, Value)
    return value


def observe(
    machine: Machine, labels: Iterable[Expr], *, actions: Sequence[str] = (), cone: bool = True
) -> Observation:
    """The observation of a machine through some labels; fairness constraints are labels, too."""
    for name in actions:
        _require_input(machine, name)
    fairness = [*machine.justice, *(part for pair in machine.compassion for part in pair)]
    visible = tuple(dict.fromkeys(labels))
    observed = tuple(dict.fromkeys([*visible, *fairness]))
    promoted = inputs_mentioned(machine, observed)
    both = promoted.intersection(actions)
    if both:
        name = min(both)
        hint = "observe it one way or the other"
        raise InputError(f"the input '{name}' is observed in an expression, and cannot be an action as well", hint=hint)
    subject = promote(machine, promoted)
    if cone:
        needed = cone_variables(subject, [*observed, *map(Name, actions)])
        if len(needed) < len(subject.variables):
            subject = restrict_to(subject, needed)
    return Observation(subject, observed, tuple(actions), promoted, visible)


def _require_input(machine: Machine, name: str) -> None:
    variable = machine.variables.get(name)
    if variable is not None and variable.kind is Kind.INPUT:
        return
    inputs = [v.name for v in machine.input_variables]
    near = nearest(name, inputs)
    inputs_there = f"the inputs are {', '.join(inputs)}" if inputs else "the model has no inputs"
    hint = f"did you mean '{near[0]}'?" if near else inputs_there
    raise NameProblem(f"there is no input '{name}'" if variable is None else f"'{name}' is not an input", hint=hint)


def observable_parts(claims: Iterable[Property], machine: Machine) -> list[Expr]:
    """The maximal boolean subformulas of some properties, whose values decide the properties."""
    parts = list(dict.fromkeys(part for claim in claims for part in boolean_parts(claim.formula)))
    of_states = promote(machine, inputs_mentioned(machine, parts))
    for part in parts:
        if is_about_steps(of_states, part):
            raise Unsupported(f"`{show(part)}` is about steps, but only states are observed", part.span)
    return parts
