"""Random pairs of Moore machines that read each other, and what they are in the words of our machines."""

from __future__ import annotations

from random import Random

import coarsest
from coarsest.logic.expr import FALSE, TRUE, Apply, Constant, Expr, Name
from coarsest.model.machine import Kind, Machine, Variable
from coarsest.model.types import Boolean, Range
from oracles.moore_machines import Fsm, Letters, subsets


def random_fsm(
    random: Random, states: int, inputs: Letters, outputs: Letters, *, choices: bool = False, begin: str = "one"
) -> Fsm:
    """`begin` in one state, in some or in all; with `choices`, a step may lead to several states."""
    names = range(states)
    labels = {s: frozenset(o for o in sorted(outputs) if random.random() < 0.5) for s in names}
    steps = set()
    for s in names:
        for i in subsets(inputs):
            for _ in range(2 if choices and random.random() < 0.3 else 1):
                steps.add((s, i, random.choice(names)))
    initial = {"one": [random.choice(names)], "some": [s for s in names if random.random() < 0.6] or [0], "all": names}[begin]
    return Fsm(frozenset(names), frozenset(initial), inputs, outputs, labels, frozenset(steps))


def random_pair(random: Random, *, states: int = 4, **how: object) -> tuple[Fsm, Fsm]:
    """Machines of which each reads an output of the other, or not, and perhaps an input of both."""
    shared = frozenset({"i"}) if random.random() < 0.6 else frozenset()
    first_reads = frozenset({"c"}) if random.random() < 0.8 else frozenset()
    second_reads = frozenset({"a"}) if random.random() < 0.8 else frozenset()
    one = random_fsm(random, random.randint(1, states), shared | first_reads, frozenset("ab"), **how)  # type: ignore[arg-type]
    two = random_fsm(random, random.randint(1, states), shared | second_reads, frozenset("cd"), **how)  # type: ignore[arg-type]
    return one, two


def machine_of(**parts: Fsm) -> Machine:
    """Machines side by side, each an instance with a variable `at`; outputs are definitions, and read by their names."""
    variables: dict[str, Variable] = {}
    definitions: dict[str, Expr] = {}
    initial: dict[str, Expr] = {}
    following: dict[str, Expr] = {}
    outputs = [output for part in parts.values() for output in sorted(part.outputs)]
    for name, part in parts.items():
        at = f"{name}.at"
        numbers = {state: number for number, state in enumerate(sorted(part.states))}
        variables[at] = Variable(at, Range(0, len(numbers) - 1))
        variables |= {i: Variable(i, Boolean(), Kind.INPUT) for i in sorted(part.inputs) if i not in outputs}
        for output in part.outputs:
            true = [numbers[s] for s in numbers if output in part.labels[s]]
            definitions[output] = Apply("or", (*(_equal(at, n) for n in true), FALSE, FALSE))
        initial[at] = _any_of([numbers[s] for s in part.initial])
        branches: list[Expr] = []
        for state, number in numbers.items():
            for letters in subsets(part.inputs):
                literals = [Name(i) if i in letters else Apply("not", (Name(i),)) for i in sorted(part.inputs)]
                targets = sorted(numbers[t] for t in part.after(state, letters))
                branches += (Apply("and", (_equal(at, number), TRUE, *literals)), _any_of(targets))
        following[at] = Apply("case", (*branches, TRUE, Constant(0)))
    return Machine("pair", variables, definitions, initial, {}, following, outputs=tuple(outputs))


def _equal(name: str, number: int) -> Expr:
    return Apply("=", (Name(name), Constant(number)))


def _any_of(numbers: list[int]) -> Expr:
    members = tuple(map(Constant, sorted(numbers)))
    return members[0] if len(members) == 1 else Apply("set", members)


def reduced(one: Fsm, two: Fsm, algorithm: str) -> Fsm:
    """The result of an algorithm, read back."""
    model = coarsest.Model(machine_of(one=one, two=two))
    inputs = [v.name for v in model.machine.input_variables]
    found = model.reduce(algorithm=algorithm, actions=inputs, confirm="always")
    assert found.confirmed
    small = found.reduction.quotient
    labels = {
        state: frozenset(str(label.name) for label, values in small.labels.items() if values[state])  # type: ignore[attr-defined]
        for state in range(small.size)
    }
    letters = [frozenset(name for name, value in action.items() if value) for action in small.actions]
    steps = frozenset((s, letters[i], t) for s, i, t in small.edges)
    outputs = frozenset(model.machine.outputs)
    return Fsm(frozenset(range(small.size)), frozenset(small.initial), frozenset(inputs), outputs, labels, steps)
