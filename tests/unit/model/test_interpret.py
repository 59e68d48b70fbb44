"""The interpreter's answers, one by one."""

from __future__ import annotations

from random import Random

import pytest

import coarsest
from coarsest.errors import EvidenceRejected, ModelProblem, NameProblem, TypeProblem, Unsupported
from coarsest.logic.expr import Apply, Constant, Expr, Name, Value, Word
from coarsest.model.interpret.interpret import Interpreter
from coarsest.model.interpret.values import ValueChoice
from coarsest.model.machine import Kind, Machine, Variable
from coarsest.model.types import Boolean, Enumeration, Range, Type, WordType
from coarsest.text import Source, Span
from evaluation import evaluate


def a(op: str, *args: Expr | Value) -> Expr:
    return Apply(op, tuple(arg if isinstance(arg, Constant | Name | Apply) else Constant(arg) for arg in args))


def machine(**kinds: Type) -> Machine:
    return Machine("m", {name: Variable(name, kind) for name, kind in kinds.items()})


NOTHING = machine()


def value(expr: Expr) -> Value | ValueChoice:
    return evaluate(expr, NOTHING, {})


def signed(number: int, width: int) -> Word:
    return Word.of(number, width, signed=True)


@pytest.mark.parametrize(
    ("dividend", "divisor", "quotient", "remainder"),
    [(7, 2, 3, 1), (-7, 2, -3, -1), (7, -2, -3, 1), (-7, -2, 3, -1), (1, 5, 0, 1), (-1, 5, 0, -1)],
)
def test_division_truncates_towards_zero(dividend: int, divisor: int, quotient: int, remainder: int) -> None:
    assert value(a("/", dividend, divisor)) == quotient
    assert value(a("mod", dividend, divisor)) == remainder
    assert value(a("/", signed(dividend, 5), signed(divisor, 5))) == signed(quotient, 5)
    assert value(a("mod", signed(dividend, 5), signed(divisor, 5))) == signed(remainder, 5)


def test_words_wrap_around() -> None:
    assert value(a("+", Word(7, 3), Word(2, 3))) == Word(1, 3)
    assert value(a("neg", Word(1, 3))) == Word(7, 3)
    assert value(a("/", signed(-4, 3), signed(-1, 3))) == signed(-4, 3)
    assert value(a("abs", signed(-4, 3))) == signed(-4, 3)


def test_words_compare_by_their_sign() -> None:
    assert value(a("<", Word(3, 2), Word(0, 2))) is False
    assert value(a("<", signed(-1, 2), signed(0, 2))) is True


def test_shifts() -> None:
    assert value(a(">>", signed(-4, 4), 1)) == signed(-2, 4)
    assert value(a(">>", Word(12, 4), 1)) == Word(6, 4)
    assert value(a("<<", Word(12, 4), Word(1, 2))) == Word(8, 4)
    assert value(a("<<", Word(12, 4), 4)) == Word(0, 4)
    for distance in (5, -1):
        with pytest.raises(ModelProblem, match="out of range"):
            value(a("<<", Word(12, 4), distance))


def test_shapes_of_words() -> None:
    assert value(a("::", signed(-1, 2), Word(0, 1))) == Word(6, 3)
    assert value(a("bits", signed(-2, 3), 2, 1)) == Word(3, 2)
    assert value(a("extend", signed(-2, 3), 2)) == signed(-2, 5)
    assert value(a("extend", Word(6, 3), 2)) == Word(6, 5)
    assert value(a("resize", signed(-6, 4), 2)) == signed(-2, 2)  # sign bit 1, then the lowest bit 0
    assert value(a("resize", Word(13, 4), 2)) == Word(1, 2)
    assert value(a("word1", True)) == Word(1, 1)
    assert value(a("toint", signed(-3, 4))) == -3
    assert value(a("bool", Word(1, 1))) is True


def test_bits_of_words() -> None:
    assert value(a("implies", Word(0b1100, 4), Word(0b1010, 4))) == Word(0b1011, 4)
    assert value(a("xnor", Word(0b1100, 4), Word(0b1010, 4))) == Word(0b1001, 4)
    assert value(a("not", Word(0b1100, 4))) == Word(0b0011, 4)


def test_true_is_not_one() -> None:
    assert value(a("=", True, 1)) is False
    assert value(a("in", True, a("set", 0, 1))) is False
    both = value(a("set", 1, True, 1))
    assert isinstance(both, ValueChoice)
    assert len(both) == 2
    assert [type(one) for one in both] == [int, bool]
    assert both == ValueChoice((True, 1))
    assert both != ValueChoice((True, 2))


def test_choices() -> None:
    assert value(a("+", a("set", 1, 2), a("set", 0, 1))) == ValueChoice((1, 2, 3))
    assert value(a("=", 1, a("set", 1, 2))) == ValueChoice((True, False))
    assert value(a("in", a("set", 1, 2), a("union", a("set", 1, 3), 2))) is True
    assert value(a("in", a("set", 1, 2), a("set", 1))) is False
    assert value(a("set", 3, 3)) == 3
    assert value(a("and", False, a("set", True, False))) is False
    assert value(a("case", a("set", True, False), 1, True, 2)) == ValueChoice((1, 2))


def test_only_what_is_needed_is_evaluated() -> None:
    broken = a("=", a("/", 1, 0), 1)
    assert value(a("and", False, broken)) is False
    assert value(a("or", True, broken)) is True
    assert value(a("implies", False, broken)) is True
    assert value(a("case", False, broken, True, 3)) == 3
    assert value(a("case", True, 3, broken, 4)) == 3
    with pytest.raises(ModelProblem, match="division by zero"):
        value(a("and", True, broken))


def test_problems_have_places() -> None:
    source = Source("m.smv", "x := 1 / 0;")
    expr = Apply("/", (Constant(1), Constant(0)), Span(source, 5, 10))
    with pytest.raises(ModelProblem, match=r"m\.smv:1:6: error: division by zero"):
        value(a("not", a("=", expr, 1)))


def test_a_case_without_a_true_condition() -> None:
    with pytest.raises(ModelProblem, match="case conditions are not exhaustive"):
        value(a("case", False, 1))


@pytest.mark.parametrize(
    "expr",
    [a("+", True, 1), a("and", 1, True), a("and", True, 1), a("<", "a", "b"), a("not", 3), a("+", Word(1, 2), Word(1, 3))],
)
def test_operators_that_do_not_fit(expr: Expr) -> None:
    with pytest.raises(TypeProblem):
        value(expr)


def test_names_that_are_not_there() -> None:
    with pytest.raises(NameProblem, match="did you mean 'ready'"):
        evaluate(Name("redy"), machine(ready=Boolean()), {"ready": True})


def test_temporal_operators_have_no_value() -> None:
    with pytest.raises(Unsupported, match="AG"):
        value(a("AG", True))


def test_inputs_and_next_need_a_step() -> None:
    model = Machine("m", {"x": Variable("x", Boolean()), "i": Variable("i", Boolean(), Kind.INPUT)})
    assert evaluate(a("and", Name("i"), a("next", Name("x"))), model, {"x": False}, {"x": True}, {"i": True}) is True
    for expr in (Name("i"), a("next", Name("x"))):
        with pytest.raises(ModelProblem, match="no value in a single state"):
            evaluate(expr, model, {"x": False})
    with pytest.raises(ModelProblem, match="is an input"):
        evaluate(a("next", Name("i")), model, {"x": False})
    with pytest.raises(ModelProblem, match=r"next\(\) inside next\(\)"):
        evaluate(a("next", a("next", Name("x"))), model, {"x": False})


def test_long_chains_of_definitions_and_deep_expressions() -> None:
    definitions: dict[str, Expr] = {"d0": Name("b")}
    for i in range(1, 5000):
        definitions[f"d{i}"] = a("not", Name(f"d{i - 1}"))
    model = Machine("deep", {"b": Variable("b", Boolean())}, definitions, next_values={"b": Name("d4999")})
    interpreter = Interpreter(model)
    assert interpreter.satisfies(Name("d4999"), {"b": False})
    assert [after for _, after in interpreter.successors({"b": True})] == [{"b": False}]
    sum_of_ones: Expr = Constant(0)
    for _ in range(5000):
        sum_of_ones = a("+", sum_of_ones, 1)
    assert value(sum_of_ones) == 5000


def test_shared_parts_are_evaluated_once() -> None:
    doubled: Expr = Name("x")
    for _ in range(200):  # 2^200 if every occurrence were evaluated
        doubled = a("-", a("+", doubled, doubled), doubled)
    assert evaluate(doubled, machine(x=Range(0, 3)), {"x": 3}) == 3


def test_a_deep_part_that_is_not_needed_may_fail() -> None:
    broken: Expr = a("/", 1, 0)
    for _ in range(500):
        broken = a("+", broken, 1)
    assert value(a("or", True, a("=", broken, 1))) is True
    with pytest.raises(ModelProblem, match="division by zero"):
        value(a("and", True, a("=", broken, 1)))


def test_circular_definitions() -> None:
    model = Machine("m", {}, {"p": a("not", Name("q")), "q": Name("p")})
    with pytest.raises(ModelProblem, match="refers to itself"):
        evaluate(Name("p"), model, {})


def test_a_value_outside_the_type() -> None:
    model = Machine("m", {"x": Variable("x", Range(0, 3))}, next_values={"x": a("+", Name("x"), 1)})
    interpreter = Interpreter(model)
    assert list(interpreter.successors({"x": 2})) == [({}, {"x": 3})]
    with pytest.raises(ModelProblem, match=r"(?s)value 4 for next\(x\) is outside its type 0\.\.3.*x = 3"):
        list(interpreter.successors({"x": 3}))
    with pytest.raises(ModelProblem, match="value 4"):
        interpreter.why_not_step({"x": 3}, {}, {"x": 0})


def counter() -> Machine:
    source = Source("c.smv", "MODULE main\nINVAR x != 2;\nTRANS next(x) >= x;\n")
    invariant = Apply("!=", (Name("x"), Constant(2)), Span(source, 18, 24))
    step = Apply(">=", (a("next", Name("x")), Name("x")), Span(source, 32, 44))
    return Machine(
        "c",
        {"x": Variable("x", Range(0, 3)), "f": Variable("f", Boolean(), Kind.FROZEN), "i": Variable("i", Boolean(), Kind.INPUT)},
        initial_values={"x": a("set", 0, 1)},
        invariant_constraints=(invariant,),
        transition_constraints=(step,),
    )


def test_reasons() -> None:
    interpreter = Interpreter(counter())
    good = {"x": 1, "f": True}
    assert interpreter.why_not_initial(good) is None
    assert interpreter.why_not_initial({"x": 3, "f": True}) == "init(x) is 3, but its equation gives one of {0, 1}"
    assert interpreter.why_not_initial({"x": 1}) == "f has no value"
    assert interpreter.why_not_initial({"x": True, "f": True}) == "x is TRUE, which is outside its type 0..3"
    assert interpreter.why_not_state({"x": 2, "f": True}) == "the INVAR constraint at c.smv:2 is violated: x != 2"
    assert interpreter.why_not_step(good, {"i": True}, {"x": 3, "f": True}) is None
    assert interpreter.why_not_step(good, {}, good) == "i has no value"
    changed = interpreter.why_not_step(good, {"i": True}, {"x": 1, "f": False})
    assert changed == "the frozen variable f changes"
    back = interpreter.why_not_step(good, {"i": True}, {"x": 0, "f": True})
    assert back == "the TRANS constraint at c.smv:3 is violated: next(x) >= x"
    illegal = interpreter.why_not_step(good, {"i": True}, {"x": 2, "f": True})
    assert illegal == "the INVAR constraint at c.smv:2 is violated after the step: x != 2"


def test_partial_states_are_completed() -> None:
    interpreter = Interpreter(counter())
    assert interpreter.complete_initial({"x": 1}) == {"x": 1, "f": False}
    with pytest.raises(EvidenceRejected):
        interpreter.complete_initial({"x": 3})
    inputs, after = interpreter.complete_step({"x": 1, "f": True}, {"i": True}, {"x": 3})
    assert (inputs, after) == ({"i": True}, {"x": 3, "f": True})
    with pytest.raises(EvidenceRejected):
        interpreter.complete_step({"x": 1, "f": True}, {}, {"x": 0})


def test_constraints_on_states_must_be_about_states() -> None:
    variables = {"x": Variable("x", Boolean()), "i": Variable("i", Boolean(), Kind.INPUT)}
    for constraint in (Name("i"), a("next", Name("x"))):
        with pytest.raises(ModelProblem, match="about states"):
            Interpreter(Machine("m", variables, invariant_constraints=(constraint,)))


def test_a_guarded_conjunct_may_lack_a_value() -> None:
    """next(y) = 6 / x has no value where x is 0, but there the other conjunct is false already."""
    guarded = a("and", a("!=", Name("x"), 0), a("=", a("next", Name("y")), a("/", 6, Name("x"))))
    model = Machine("m", {"x": Variable("x", Range(0, 3)), "y": Variable("y", Range(0, 6))}, transition_constraints=(guarded,))
    interpreter = Interpreter(model)
    assert list(interpreter.successors({"x": 0, "y": 0})) == []
    assert {after["y"] for _, after in interpreter.successors({"x": 2, "y": 0})} == {3}


def test_large_types_are_not_listed() -> None:
    model = machine(w=WordType(64), n=Range(0, 10**15))
    interpreter = Interpreter(model)
    first, other = next(interpreter.initial_states(Random(1))), next(interpreter.initial_states(Random(2)))
    assert first != other
    assert interpreter.why_not_initial(first) is None
    fixed = interpreter.complete_initial({"w": Word(2**40, 64), "n": 12})
    assert fixed == {"w": Word(2**40, 64), "n": 12}


def test_mixed_enumerations() -> None:
    model = machine(e=Enumeration(("idle", 0, 1)))
    assert evaluate(a("=", Name("e"), 1), model, {"e": 1}) is True
    assert evaluate(a("=", Name("e"), "idle"), model, {"e": 1}) is False
    assert evaluate(a("+", Name("e"), 1), model, {"e": 1}) == 2
    with pytest.raises(TypeProblem):
        evaluate(a("+", Name("e"), 1), model, {"e": "idle"})


def test_equations_that_depend_on_one_another() -> None:
    kinds = {name: Variable(name, Range(0, 2)) for name in "xyz"}
    model = Machine(
        "m",
        kinds,
        initial_values={"x": Name("y"), "y": a("set", Name("x"), Name("z"))},
        current_values={"z": a("set", 1, Name("x"))},
        next_values={"z": Name("x"), "x": a("next", Name("y")), "y": a("next", Name("x"))},
    )
    interpreter = Interpreter(model)
    initial = {(x, x, z) for x in range(3) for z in {1, x}}
    assert set(interpreter.initial_values()) == initial
    assert all(interpreter.why_not_initial(interpreter.assignment(values)) is None for values in initial)
    steps = set(interpreter.successor_values((2, 0, 1)))
    assert steps == {((), (2, 2, 2))}  # next(z) is 2, so it must be the new x
    assert set(interpreter.successor_values((1, 0, 1))) == {((), (x, x, 1)) for x in range(3)}


def test_two_equations_for_one_variable() -> None:
    kinds = {name: Variable(name, Range(0, 2)) for name in "xz"}
    model = Machine("m", kinds, current_values={"z": a("set", 0, 1)}, next_values={"z": Name("x"), "x": Constant(0)})
    interpreter = Interpreter(model)
    assert set(interpreter.successor_values((1, 0))) == {((), (0, 1))}
    assert set(interpreter.successor_values((2, 0))) == set()


def test_disjuncts_taken_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("coarsest.tuning.WEAKENED_PARTS", -1)
    after = a("next", Name("x"))
    first, last = a("and", a("=", Name("x"), 0), a("=", after, 1)), a("and", a("=", Name("x"), 2), a("=", after, 0))
    either = a("or", first, a(">=", after, 1), last)
    model = Machine("m", {"x": Variable("x", Range(0, 2))}, transition_constraints=(either,))
    interpreter = Interpreter(model)
    found = {x: sorted(after for _, (after,) in interpreter.successor_values((x,))) for x in range(3)}
    assert found == {0: [1, 2], 1: [1, 2], 2: [0, 1, 2]}


def test_an_initial_state_is_completed_by_a_fresh_interpreter() -> None:
    """The search for it has parts that are compiled when it is first asked for, and they need places, too."""
    text = (
        "var x, y, z : boolean; n : 0..2; k : -1..1; m : {idle, busy}; n := 2; k := 1; assume x or (z xor m != busy); "
        "assume x or n = 1; x := (if n < k then n < k else x) and z; loop end;"
    )
    machine = coarsest.loads(text, format="program").machine
    for state in Interpreter(machine).initial_states():
        found = Interpreter(machine).complete_initial({"m": state["m"]})
        assert Interpreter(machine).why_not_initial(found) is None and found["m"] == state["m"]
