"""What the clauses of expressions and machines say of a state or a step is what the interpreter says of it."""

from __future__ import annotations

from random import Random

import pytest

from coarsest.evidence.decision_diagrams import code_of
from coarsest.evidence.sat.clauses import Clauses
from coarsest.evidence.sat.cnf_machine import MachineClauses
from coarsest.evidence.sat.cnf_values import Number, Single, Symbols, Truth, WordLiterals
from coarsest.logic.expr import Expr, Value, Word
from coarsest.model.interpret.interpret import Interpreter
from coarsest.model.interpret.values import ValueChoice
from coarsest.model.machine import Kind, Machine, Variable
from coarsest.model.types import Range
from coarsest.run import Run
from random_expressions import ALL_TYPES, Expressions
from random_machines import random_relational_machine, seeded_machine

MACHINE = Machine("all types", {name: Variable(name, kind) for name, kind in ALL_TYPES.items()})


def literals(encoded: MachineClauses, values: dict[str, Value], *, after: bool = False) -> list[int]:
    """The bits of some variables with these values."""
    found = []
    for name, value in values.items():
        vector = (encoded.after if after else encoded.now)[name]
        code = code_of(encoded.machine.variables[name].type, value)
        found += [bit if code >> place & 1 else -bit for place, bit in enumerate(vector)]
    return found


def value_of(single: Single, true: set[int]) -> Value:
    match single:
        case Truth(literal):
            return literal in true
        case Number(vector):
            return Word(sum(1 << i for i, bit in enumerate(vector) if bit in true), len(vector), signed=True).value
        case WordLiterals(vector, signed):
            return Word(sum(1 << i for i, bit in enumerate(vector) if bit in true), len(vector), signed)
        case Symbols(where):
            (found,) = [member for member, here in where.items() if here in true]
            return found


def tagged(values: list[Value]) -> set[tuple[str, Value]]:
    return {(type(value).__name__, value) for value in values}


def random_expression(random: Random) -> Expr:
    expressions = Expressions(random, ALL_TYPES, after=ALL_TYPES)
    kind = random.choice([*ALL_TYPES.values(), Range(-10, 10)])
    return expressions.choice(kind, 3) if random.random() < 0.4 else expressions.of(kind, 3)


@pytest.mark.parametrize("block", range(4))
def test_random_expressions(block: int) -> None:
    """The same values, no more and no fewer; and it is known that there are some."""
    interpreter = Interpreter(MACHINE)
    for seed in range(block * 150, (block + 1) * 150):
        random = Random(seed)
        clauses = Clauses(Run())
        encoded = MachineClauses(clauses, MACHINE)
        expr = random_expression(random)
        value = encoded.value(expr)
        encoded._examine(expr, after=False)
        for _ in range(3):
            now, after = ({name: random.choice(list(kind.values())) for name, kind in ALL_TYPES.items()} for _ in range(2))
            model = clauses.example(*literals(encoded, now), *literals(encoded, after, after=True))
            assert model is not None
            true = {1, *model}
            expected = interpreter.value(expr, now, after)
            options = [value_of(single, true) for when, single in value.options if when in true]
            assert tagged(options) == tagged(list(expected) if isinstance(expected, ValueChoice) else [expected])
            assert not value.single or len(options) == 1
            assert not any(problem in true for problem in encoded.problems)
        clauses.close()


def some_machine(seed: int) -> Machine:
    random = Random(seed)
    return random_relational_machine(random) if seed % 5 == 0 else seeded_machine(seed)


@pytest.mark.parametrize("block", range(4))
def test_random_machines(block: int) -> None:
    """The same states, initial states and steps."""
    kinds = set[tuple[str, bool]]()
    for seed in range(block * 40, (block + 1) * 40):
        machine, random = some_machine(seed), Random(seed)
        interpreter = Interpreter(machine)
        clauses = Clauses(Run())
        encoded = MachineClauses(clauses, machine)
        claims = {"legal": encoded.legal, "initial": encoded.initial, "step": clauses.every([encoded.legal, encoded.step])}
        assert clauses.example(encoded.domains, clauses.some(encoded.problems)) is None
        for _ in range(12):
            now, inputs, after = random_step(machine, random, interpreter)
            expected = {
                "legal": interpreter.why_not_state(now) is None,
                "initial": interpreter.why_not_initial(now) is None,
                "step": interpreter.why_not_step(now, inputs, after) is None,
            }
            given = literals(encoded, {**now, **inputs})
            changing = {v.name: after[v.name] for v in machine.of_kind(Kind.STATE)}
            given += literals(encoded, changing, after=True)
            for word, literal in claims.items():
                found = clauses.example(literal, *given) is not None
                assert found == expected[word], (seed, word)
                assert (clauses.example(-literal, *given) is None) == found
                kinds.add((word, found))
        clauses.close()
    assert len(kinds) == 6


def random_step(machine: Machine, random: Random, interpreter: Interpreter) -> tuple[dict[str, Value], ...]:
    """A state, inputs and a state after, which may be a step or not."""

    def draw(variables: list[Variable]) -> dict[str, Value]:
        return {v.name: random.choice(list(v.type.values())) for v in variables}

    now, inputs, after = draw(machine.state_variables), draw(machine.input_variables), draw(machine.state_variables)
    if random.random() < 0.3:
        states = [state for state, _ in zip(interpreter.initial_states(), range(20))]
        now = dict(random.choice(states)) if states else now
    if random.random() < 0.6 and interpreter.why_not_state(now) is None:
        steps = [step for step, _ in zip(interpreter.successors(now), range(20))]
        if steps:
            chosen, reached = random.choice(steps)
            inputs, after = dict(chosen), dict(reached)
    for variable in machine.variables.values():
        if variable.kind is Kind.FROZEN:
            after[variable.name] = now[variable.name]
    return now, inputs, after
