"""Integers and reals without bounds: their values, their arithmetic, and what finite engines say about them."""

from fractions import Fraction
from itertools import islice

import pytest
from hypothesis import given
from hypothesis import strategies as st

import coarsest
from coarsest.errors import Unsupported
from coarsest.logic.expr import Value
from coarsest.logic.parse import parse_expression
from coarsest.logic.reals import real_constant, show_real
from coarsest.model.interpret.interpret import Interpreter
from coarsest.model.machine import Machine, Variable
from coarsest.model.types import IntegerType, RealType, contains, is_finite, show_value
from coarsest.space.explicit.enumerate import enumerate_machine
from evaluation import evaluate

MACHINE = Machine("m", {"n": Variable("n", IntegerType()), "r": Variable("r", RealType()), "s": Variable("s", RealType())})


def value(text: str, **state: Value) -> object:
    return evaluate(parse_expression(text), MACHINE, {"n": 7, "r": Fraction(7), "s": Fraction(1, 2), **state})


@given(st.fractions())
def test_what_is_shown_reads_back(number: Fraction) -> None:
    assert real_constant(show_real(abs(number))) == abs(number)
    assert show_value(number).startswith("-") == (number < 0)


def test_values_come_without_end_and_without_repetition() -> None:
    integers = list(islice(IntegerType().values(), 101))
    assert sorted(integers) == list(range(-50, 51))  # type: ignore[type-var]
    rationals = list(islice(RealType().values(), 2001))
    assert len(set(rationals)) == 2001
    assert all(contains(RealType(), one) and isinstance(one, Fraction) for one in rationals)
    assert {Fraction(a, b) for a in range(-7, 8) for b in range(1, 8)} <= set(rationals)
    assert not is_finite(IntegerType())
    assert not is_finite(RealType())


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("n / 2", 3),  # of integers: towards zero
        ("r / 2", Fraction(7, 2)),  # of reals: exact
        ("case n > 5 : 1; TRUE : s; esac / 2", Fraction(1, 2)),  # the case is real, so its 1 is
        ("max(n, s) / 2", Fraction(7, 2)),
        ("n + s", Fraction(15, 2)),
        ("abs(-s) * 2", Fraction(1)),
        ("r = n", True),
        ("r = 7", True),
        ("s = 1", False),
        ("s in {0.5, 1}", True),
        ("s < n & s >= 0.5", True),
        ("-s - 1", Fraction(-3, 2)),
    ],
)
def test_arithmetic(text: str, expected: object) -> None:
    found = value(text)
    assert found == expected
    assert found.__class__ is expected.__class__


def test_the_interpreter_follows_integers_and_reals() -> None:
    model = coarsest.loads("""
        MODULE main
        VAR n : integer; x : real; b : boolean;
        ASSIGN init(n) := 0; next(n) := n - 1;
               init(x) := 1; next(x) := case b : x / 2; TRUE : 0; esac;
        INIT b
        TRANS next(b) = (next(x) > 0.2)
    """)
    interpreter = Interpreter(model.machine)
    (state,) = interpreter.initial_states()
    path = [state]
    for _ in range(4):
        ((_, state),) = interpreter.successors(state)
        path.append(state)
    assert [(s["n"], s["x"], s["b"]) for s in path] == [
        (0, 1, True), (-1, Fraction(1, 2), True), (-2, Fraction(1, 4), True), (-3, Fraction(1, 8), False), (-4, 0, False),
    ]  # fmt: skip
    assert all(isinstance(s["x"], Fraction) for s in path)
    after = {"n": -1, "x": Fraction(1, 2), "b": True}
    assert interpreter.why_not_step({"n": 0, "x": 1, "b": True}, {}, after) is None  # 1 counts as 1.0
    assert coarsest.loads(model.to_smv()).machine.variables == model.machine.variables


def test_explicit_enumeration_needs_only_finitely_many_reachable_states() -> None:
    machine = coarsest.loads("""
        MODULE main VAR n : integer; ASSIGN init(n) := 100; next(n) := case n > 90 : n - 3; TRUE : 100; esac;
    """).machine
    assert enumerate_machine(machine).graph.nodes == 5


def test_finite_engines_say_that_a_variable_has_no_bounds() -> None:
    model = coarsest.loads("MODULE main VAR n : integer; ASSIGN init(n) := 0; next(n) := n + 1; INVARSPEC n >= 0")
    with pytest.raises(Unsupported, match=r"`n` is unbounded \(integer\)"):
        model.reach()
    free = coarsest.loads("MODULE main VAR x : real;")
    with pytest.raises(Unsupported, match="cannot be tried one by one"):
        list(Interpreter(free.machine).initial_states())
    half = coarsest.loads("MODULE main VAR n : 0..3; INVARSPEC n < 2.5")
    with pytest.raises(Unsupported, match="real") as raised:
        half.check(confirm=False)
    assert raised.value.diagnostic.span is not None
