"""What the formulas of the judge that asks z3 say of a state or a step is what the interpreter says of it."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from random import Random
from typing import Any

import pytest

from campaigns import blocks
from coarsest.errors import ModelProblem
from coarsest.evidence.effort import NotConfirmed
from coarsest.evidence.smt.formulas import MachineFormulas
from coarsest.logic.expr import Apply, Constant, Expr, Name, Value
from coarsest.model.interpret.interpret import Interpreter
from coarsest.model.interpret.values import ValueChoice
from coarsest.model.machine import Kind, Machine, Variable
from coarsest.model.types import Boolean, Enumeration, IntegerType, Range, RealType, Type, WordType
from coarsest.run import Run
from random_expressions import ALL_TYPES, Expressions
from random_machines import random_relational_machine, random_remainder, seeded_machine

TYPES = {name: kind for name, kind in ALL_TYPES.items() if not isinstance(kind, WordType)}
MACHINE = Machine("all types", {name: Variable(name, kind) for name, kind in TYPES.items()})
NUMBERS: Mapping[str, Type] = {"i": IntegerType(), "j": IntegerType(), "x": RealType(), "y": RealType(), "b": Boolean()}
UNBOUNDED = Machine("no bounds", {name: Variable(name, kind) for name, kind in NUMBERS.items()})


class Given:
    """The formulas of a machine where its variables have certain values."""

    def __init__(self, formulas: MachineFormulas, now: Mapping[str, Value], after: Mapping[str, Value]) -> None:
        self.formulas = formulas
        self.pairs = [self._pair(name, value, formulas.now) for name, value in now.items()]
        self.pairs += [self._pair(name, value, formulas.after) for name, value in after.items()]

    def _pair(self, name: str, value: Value, place: Mapping[str, Any]) -> tuple[Any, Any]:
        z3, context, kind = self.formulas.z3, self.formulas.context, self.formulas.machine.variables[name].type
        if isinstance(kind, Enumeration) and not all(isinstance(member, int) for member in kind.members):
            return place[name], z3.IntVal(kind.members.index(value), context)  # type: ignore[arg-type]
        make = z3.BoolVal if isinstance(value, bool) else z3.RealVal if isinstance(kind, RealType) else z3.IntVal
        return place[name], make(value, context)

    def value(self, term: Any) -> Value:
        z3 = self.formulas.z3
        if isinstance(term, str):
            return term
        term = z3.simplify(z3.substitute(term, *self.pairs))
        if z3.is_bool(term):
            assert z3.is_true(term) or z3.is_false(term)
            return bool(z3.is_true(term))
        return int(term.as_long()) if z3.is_int(term) else Fraction(term.numerator_as_long(), term.denominator_as_long())

    def values(self, expr: Expr) -> set[tuple[str, Value]]:
        possible = self.formulas.possible(expr)
        options = [one for when, one in possible.options if self.value(when)]
        assert not possible.single or len(options) == 1
        return tagged(map(self.value, options))

    def lacks_value(self, expr: Expr) -> bool:
        self.formulas.possible(expr)
        return bool(self.value(self.formulas._lacking.get((id(expr), False), self.formulas.false)))


def tagged(values: Any) -> set[tuple[str, Value]]:
    return {(type(value).__name__, value) for value in values}


def agree(given: Given, interpreter: Interpreter, expr: Expr, now: Mapping[str, Value], after: Mapping[str, Value]) -> bool:
    """Do both find the same values? False where there is none, and both know it."""
    try:
        expected = interpreter.value(expr, now, after)
    except ModelProblem:
        assert given.lacks_value(expr)
        return False
    assert not given.lacks_value(expr)
    assert given.values(expr) == tagged(expected if isinstance(expected, ValueChoice) else [expected])
    return True


def random_expression(random: Random) -> Expr:
    expressions = Expressions(random, TYPES, after=TYPES)
    if random.random() < 0.2:  # may divide by zero, or no case may apply
        parts = [expressions.integer(1), expressions.integer(1)]
        partial = Apply(random.choice(["/", "mod"]), tuple(parts))
        guarded = Apply(random.choice(["or", "implies"]), (expressions.boolean(1), Apply("<", (partial, parts[0]))))
        return random.choice([partial, Apply("case", (expressions.boolean(1), partial)), guarded])
    kind = random.choice([*TYPES.values(), Range(-10, 10)])
    return expressions.choice(kind, 3) if random.random() < 0.4 else expressions.of(kind, 3)


@pytest.mark.parametrize("block", blocks(4, by_day=2))
def test_random_expressions(block: int) -> None:
    """The same values, no more and no fewer; and no value where the interpreter has none."""
    interpreter, outcomes, translated = Interpreter(MACHINE), set[bool](), 0
    for seed in range(block * 100, (block + 1) * 100):
        random = Random(seed)
        expr, formulas = random_expression(random), MachineFormulas(MACHINE, Run())
        try:
            formulas.possible(expr)
        except NotConfirmed:  # there are words in it
            continue
        translated += 1
        for _ in range(4):
            now, after = ({name: random.choice(list(kind.values())) for name, kind in TYPES.items()} for _ in range(2))
            outcomes.add(agree(Given(formulas, now, after), interpreter, expr, now, after))
    assert outcomes == {True, False} and translated > 60


def random_number(random: Random, depth: int) -> Expr:
    if depth == 0:
        constant = Constant(random.choice([0, 2, -3, Fraction(1, 2), Fraction(-7, 3)]))
        return random.choice([Name("i"), Name("j"), Name("x"), Name("y"), constant])
    a, b = random_number(random, depth - 1), random_number(random, depth - 1)
    factor = Constant(random.choice([2, -3, Fraction(3, 2)]))
    condition = Apply(random.choice(["<", "<=", "=", "!="]), (a, random_number(random, 0)))
    return random.choice([
        Apply(random.choice(["+", "-", "min", "max"]), (a, b)),
        Apply(random.choice(["*", "/"]), (a, factor)),
        Apply(random.choice(["neg", "abs"]), (a,)),
        Apply("case", (condition, a, Constant(True), b)),
        Apply("union", (a, b)),
    ])  # fmt: skip


@pytest.mark.parametrize("block", range(2))
def test_numbers_without_bounds(block: int) -> None:
    """Integers and reals meet: where one number is real all are, and integers are divided towards zero."""
    interpreter = Interpreter(UNBOUNDED)
    for seed in range(block * 100, (block + 1) * 100):
        random = Random(seed)
        expr = random_number(random, 3) if seed % 4 else random_remainder(random, ["i", "j"])
        formulas = MachineFormulas(UNBOUNDED, Run())
        for _ in range(4):
            now: dict[str, Value] = {name: random.randint(-9, 9) for name in "ij"}
            now |= {name: Fraction(random.randint(-9, 9), random.randint(1, 4)) for name in "xy"}
            now["b"] = random.random() < 0.5
            agree(Given(formulas, now, {}), interpreter, expr, now, {})


def draw(variables: list[Variable], random: Random) -> dict[str, Value]:
    return {v.name: random.choice(list(v.type.values())) for v in variables}


@pytest.mark.parametrize("block", range(2))
def test_random_machines(block: int) -> None:
    """The same states, initial states and steps."""
    outcomes = set[tuple[str, bool]]()
    for seed in range(block * 30, (block + 1) * 30):
        random = Random(seed)
        machine = random_relational_machine(random) if seed % 5 == 0 else seeded_machine(seed, state_bits=4)
        try:
            formulas = MachineFormulas(machine, Run())
            claims = {"legal": formulas.legal, "initial": formulas.initial, "step": formulas.step}
        except NotConfirmed:  # there are words in it
            continue
        formulas.require_defined()
        interpreter = Interpreter(machine)
        for _ in range(12):
            now, after = (draw(machine.state_variables, random) for _ in range(2))
            inputs = draw(machine.input_variables, random)
            starts = [state for state, _ in zip(interpreter.initial_states(), range(20))]
            now = dict(random.choice(starts)) if starts and random.random() < 0.4 else now
            if random.random() < 0.6 and interpreter.why_not_state(now) is None:
                steps = [step for step, _ in zip(interpreter.successors(now), range(20))]
                inputs, after = map(dict, random.choice(steps)) if steps else (inputs, after)
            after |= {v.name: now[v.name] for v in machine.of_kind(Kind.FROZEN)}
            expected = {
                "legal": interpreter.why_not_state(now) is None,
                "initial": interpreter.why_not_initial(now) is None,
                "step": interpreter.why_not_step(now, inputs, after) is None,
            }
            given = Given(formulas, {**now, **inputs}, {v.name: after[v.name] for v in machine.of_kind(Kind.STATE)})
            for word, formula in claims.items():
                assert given.value(formula) == expected[word], (seed, word)
                outcomes.add((word, expected[word]))
    assert len(outcomes) == 6
