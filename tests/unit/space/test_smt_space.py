"""The SMT carrier on programs with integers and reals, its refusals, its limits, and the forms of its sets."""

from __future__ import annotations

import signal
import threading
import time
from fractions import Fraction

import pytest

import coarsest
from coarsest.errors import InputError, LimitExceeded, ModelProblem, TooManyStates, Unsupported
from coarsest.logic.expr import Expr
from coarsest.logic.show import show
from coarsest.model.machine import Machine
from coarsest.run import Limits, Run
from coarsest.space.bdd.build import build
from coarsest.space.smt.smt import SmtSet, SmtSpace
from coarsest.space.smt.smt_solver import Solver
from coarsest.z3_calls import Calls

COUNTER = """
MODULE main
VAR n : integer; x : real; b : boolean; m : {low, middle, high};
IVAR d : real; up : boolean;
ASSIGN
  init(n) := 0; init(x) := 0; init(b) := FALSE;
  next(n) := case up : n + 2; TRUE : n - 1; esac;
  next(x) := x + d;
  next(m) := case n > 3 : high; n < 0 : low; TRUE : {m, middle}; esac;
TRANS d >= 0 & d <= 0.5
"""


def machine(text: str) -> Machine:
    return coarsest.loads(text).machine


@pytest.fixture(scope="module")
def space() -> SmtSpace:
    return SmtSpace(machine(COUNTER))


def where(space: SmtSpace, text: str) -> SmtSet:
    return space.where(expression(space, text))


def expression(space: SmtSpace, text: str) -> Expr:
    return coarsest.Model(space.machine).formula(f"AG ({text})").formula.args[0]  # type: ignore[union-attr]


def test_preimages(space: SmtSpace) -> None:
    assert space.pre(where(space, "n = 10 & x = 1")) == where(space, "(n = 8 | n = 11) & x >= 0.5 & x <= 1")
    assert space.pre(where(space, "m = high")) == where(space, "n > 3 | (n >= 0 & m = high)")
    assert space.pre(where(space, "m = low & b")) == where(space, "n < 0 | (n <= 3 & m = low)")


def test_images(space: SmtSpace) -> None:
    assert space.post(where(space, "n in {0, 5} & x = 2 & m = low & b")) == where(
        space, "x >= 2 & x <= 2.5 & (((n = 2 | n = -1) & m in {low, middle}) | ((n = 7 | n = 4) & m = high))"
    )
    even = space.post(where(space, "n mod 2 = 0 & n > 10"))
    assert even == where(space, "m = high & ((n mod 2 = 0 & n > 12) | (n mod 2 = 1 & n > 9))")


def test_sets_are_compared_by_their_states(space: SmtSpace) -> None:
    one, other = where(space, "n > 3 & n < 5"), where(space, "n = 4")
    assert one == other
    assert one <= where(space, "n >= 4") and not where(space, "n >= 4") <= one
    assert not (one - other) and not (one & where(space, "n = 5"))
    assert one != where(space, "n >= 4")
    assert space.pick(one) == space.pick(other)


@pytest.mark.parametrize(
    ("text", "picked"),
    [
        ("n > 3", {"n": 4}),
        ("n < -1000000", {"n": -1000001}),
        ("n * 3 > 100 & n mod 7 = 2", {"n": 37}),
        ("x > 0.3 & x < 0.4", {"x": Fraction(1, 3)}),
        ("x < -7.5", {"x": Fraction(-8)}),
        ("3 * x = 7", {"x": Fraction(7, 3)}),
        ("m != low & (b | n = 2)", {"b": True, "m": "middle"}),
    ],
)
def test_picking_takes_the_simplest(space: SmtSpace, text: str, picked: dict[str, object]) -> None:
    found = space.describe(space.pick(where(space, text)))
    everything = {"n": 0, "x": Fraction(0), "b": False, "m": "low", **picked}
    assert found == everything


def test_counting() -> None:
    space = SmtSpace(machine("MODULE main VAR n : integer; b : boolean; x : real; INVAR x = 2 * n"))
    assert space.count(where(space, "n > 3 & n < 10")) == 12
    assert space.count(where(space, "2 * n = 7")) == 0
    assert space.count(where(space, "n mod 5 = 3 & n > 0 & n < 100 & b")) == 20
    with pytest.raises(TooManyStates, match=r"infinitely many states: `n`"):
        space.count(where(space, "n > 3"))
    free = SmtSpace(machine("MODULE main VAR x : real;"))
    assert free.count(where(free, "x = 1 | x = 0.5")) == 2
    with pytest.raises(TooManyStates, match="infinitely many"):
        free.count(where(free, "x > 1 & x < 2"))


def test_inputs_of_a_step(space: SmtSpace) -> None:
    before = {"n": 0, "x": Fraction(0), "b": False, "m": "low"}
    after = {"n": 2, "x": Fraction(1, 3), "b": True, "m": "middle"}
    assert space.inputs_between(before, after) == {"d": Fraction(1, 3), "up": True}
    assert space.inputs_between(before, {**after, "x": Fraction(1)}) is None


def test_sets_stay_small(space: SmtSpace) -> None:
    found = space.initial
    for _ in range(6):  # taken together, a set of many pieces
        found = found | space.post(found)
    assert found.atoms < 200
    block = where(space, "n > 0")
    for bound in range(1, 40):  # one interval, however it is cut
        block = block - where(space, f"n = {bound}")
    assert block.atoms == 1


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("n > 3", "n > 3"), ("n > 3 & n < 5", "n = 4"), ("m in {low, middle}", "m in {low, middle}"),
        ("!(n > 3) & b", None),
        ("n = 4 & x < 2 * n", None),
        ("m != low & n + 3 * x <= 2", None),
        ("n mod 3 = 1", None),
        ("n / 4 < -2", None),
        ("m = low | (x - 2 > 0.5 & m in {low, high})", None),
        ("b <-> n > 3", None),
    ],
)
def test_sets_read_back(space: SmtSpace, text: str, shown: str | None) -> None:
    states = where(space, text)
    read = space.expression(states)
    assert space.where(read) == states
    assert where(space, show(read)) == states
    assert shown is None or show(read) == shown


# What is refused


@pytest.mark.parametrize(
    "text",
    [
        "VAR x : 0..3; ASSIGN next(x) := x + 1;",
        "VAR x : 0..3; y : 0..2; ASSIGN next(x) := x / y;",
        "VAR x : 0..3; ASSIGN next(x) := case x > 1 : 0; esac;",
        "VAR s : {a, b}; t : {a, b, c}; ASSIGN next(s) := t;",
        "VAR x : {1, 3}; ASSIGN next(x) := x + 1;",
    ],
)
def test_wrong_models_are_refused_as_by_bdds(text: str) -> None:
    wrong, messages = machine(f"MODULE main {text}"), set()
    for carrier in (SmtSpace, build):
        with pytest.raises(ModelProblem) as raised:
            carrier(wrong)  # type: ignore[operator]
        assert raised.value.diagnostic.span is not None
        messages.add(raised.value.diagnostic.message.partition(" when ")[0])
    assert len(messages) == 1 or all("is of type" in message for message in messages)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("VAR w : word[4];", "is a word"),
        ("VAR n : integer; m : integer; ASSIGN next(n) := n * m;", "not linear"),
        ("VAR n : integer; m : integer; ASSIGN next(n) := case m != 0 : n / m; TRUE : 0; esac;", "not linear"),
        ("VAR x : real; ASSIGN next(x) := x * x;", "not linear"),
    ],
)
def test_unsupported_models(text: str, message: str) -> None:
    with pytest.raises(Unsupported, match=message) as raised:
        SmtSpace(machine(f"MODULE main {text}"))
    assert raised.value.diagnostic.span is not None


def test_a_factor_with_few_values_is_linear() -> None:
    space = SmtSpace(machine("MODULE main VAR n : integer; k : -2..3; ASSIGN next(n) := n * k; next(k) := k;"))
    assert space.pre(where(space, "n = 6 & k = 2")) == where(space, "n = 3 & k = 2")
    divided = SmtSpace(machine("MODULE main VAR n : integer; k : 1..4; ASSIGN next(n) := n / k; next(k) := k;"))
    assert divided.pre(where(divided, "n = -2 & k = 3")) == where(divided, "n <= -6 & n >= -8 & k = 3")


# Limits

HARD = """
MODULE main
VAR a : integer; b : integer; c : integer; e : integer;
IVAR i : integer; j : integer; k : integer;
TRANS next(a) = 3 * i - 5 * j + a & next(b) = 7 * i + 2 * k - b & next(c) = 11 * j - 3 * k + c mod 7
TRANS (i > j | k > 2 * a) & (j < b | 3 * k > c) & (i + j + k < 5 | a > b) & next(e) = (i + 2 * j) mod 5
"""


def test_the_time_limit_holds_inside_the_solver() -> None:
    started = time.process_time()
    run = Run(Limits(seconds=1.0))
    with pytest.raises(LimitExceeded):
        space = SmtSpace(machine(HARD), run)
        states = space.where(expression(space, "a > 2 * b & c + e > 3"))
        for _ in range(1000):
            states = space.post(states) | states
    assert time.process_time() - started < 60


def test_long_questions_can_be_interrupted() -> None:
    solver = Solver(Run())
    started = threading.Event()

    def question(milliseconds: int) -> str | None:
        if threading.current_thread() is threading.main_thread():
            return None  # as if the short time had not been enough
        started.set()
        formula = solver.z3.Exists(*_hard(solver))
        try:
            solver.z3.TryFor("qe2", milliseconds, ctx=solver.context)(formula)
        except solver.z3.Z3Exception:
            return "stopped"
        return "done"

    def interrupt() -> None:
        started.wait()
        signal.raise_signal(signal.SIGINT)

    threading.Thread(target=interrupt, daemon=True).start()
    with pytest.raises(KeyboardInterrupt):
        Calls(solver.run, solver.context).ask(question, lambda answer: answer is not None)


def _hard(solver: Solver) -> tuple[list[object], object]:
    z3 = solver.z3
    terms = [z3.Int(f"x{i}", solver.context) for i in range(60)]
    rows = [z3.Or([terms[(7 * r + 11 * c) % 60] * (r % 5 - 2) + terms[(3 * r + c) % 60] <= r % 7 - c for c in range(3)])
            for r in range(150)]  # fmt: skip
    return terms[:40], z3.And(rows)


def test_nobody_is_in_the_context_after_an_interrupt_while_a_thread_starts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two threads in one context destroyed it: deleting it, when Python ended, did not return."""
    told_to_stop, begins, ends = threading.Event(), [], []

    class Context:
        """Where a question ends when it is told to."""

        interrupt = staticmethod(told_to_stop.set)

    def work(milliseconds: int) -> int | None:
        if threading.current_thread() is threading.main_thread():
            return None  # not answered soon, so that it is asked again in a thread of its own
        begins.append(milliseconds)
        told_to_stop.wait()
        ends.append(milliseconds)
        return milliseconds

    start = threading.Thread.start

    def interrupted(thread: threading.Thread) -> None:
        start(thread)
        while not begins:
            time.sleep(0.001)
        raise KeyboardInterrupt

    calls = Calls(Run(), Context())
    monkeypatch.setattr(threading.Thread, "start", interrupted)
    with pytest.raises(KeyboardInterrupt):
        calls.ask(work, lambda answer: answer is not None)
    assert begins == ends


def test_without_z3_there_is_a_clear_word(monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    monkeypatch.setitem(sys.modules, "z3", None)
    with pytest.raises(InputError, match="coarsest\\[smt\\]"):
        SmtSpace(machine("MODULE main VAR n : integer;"))


def test_a_set_that_neither_few_cubes_nor_their_complement_describe() -> None:
    """Where the first attempt was given up, the second used marks that meant nothing any more, and found nothing."""
    text = "MODULE main VAR " + "".join(f"b{number} : boolean; " for number in range(6))
    odd = " xor ".join(f"b{number}" for number in range(6))
    space = SmtSpace(machine(text))
    assert space.count(space.where(coarsest.loads(text).formula(odd).formula)) == 32
