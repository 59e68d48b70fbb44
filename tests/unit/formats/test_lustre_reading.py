"""Lustre as machines: single constructs, and broken texts."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import coarsest
from broken_texts import answers, with_words_replaced
from coarsest.errors import InputError
from coarsest.formats.lustre.read import read
from coarsest.formats.lustre.words import RESERVED
from coarsest.model.machine import Kind, Machine
from coarsest.model.types import IntegerType, Range
from coarsest.text import Source

EXAMPLES = Path(__file__).parents[3] / "examples"


def machine_of(text: str, main: str | None = None) -> Machine:
    return read(Source("m.lus", text), main=main)


def words(text: str) -> list[str]:
    report = coarsest.loads(text, format="lustre", name="m.lus").check()
    return [answer.verdict.word for answer in report]


def node(body: str, *, inputs: str = "a, b : bool", outputs: str = "y : bool", local: str = "") -> str:
    return f"node main ({inputs}) returns ({outputs}); {f'var {local};' if local else ''} let {body} tel"


def test_inputs_outputs_and_memories_are_told_apart() -> None:
    machine = machine_of(node("y = a -> pre (b and y);"))
    assert [v.name for v in machine.of_kind(Kind.INPUT)] == ["a", "b"]
    assert [v.name for v in machine.of_kind(Kind.STATE)] == ["memory", "first_instant"]
    assert machine.outputs == ("y",)


def test_one_memory_for_what_is_remembered_twice() -> None:
    text = "node old (x : bool) returns (o : bool); let o = false -> pre x; tel "
    machine = machine_of(text + node("y = old(a) and (false -> pre a) and z; z = true -> pre c; c = a;", local="z, c : bool"))
    assert [v.name for v in machine.of_kind(Kind.STATE)] == ["a.pre", "first_instant"]


def test_each_empty_memory_has_a_value_of_its_own() -> None:
    assert words(node("y = pre a = pre a; --%PROPERTY y;\n")) == ["fails"]
    assert words(node("y = true -> pre a = pre a; --%PROPERTY y;\n")) == ["holds"]
    machine = machine_of(node("y = pre a;"))
    assert "may be used before it has a value" in machine.warnings[0].message


def test_a_memory_that_is_never_seen_empty_needs_no_warning() -> None:
    after = "node after (x : bool) returns (o : bool); let o = false -> pre (x or o); tel "
    machine = machine_of(after + node("y = if after(a) then b and pre y else true; --%PROPERTY y or b or true;\n"))
    assert machine.warnings == ()
    assert set(machine.initial_values) == {v.name for v in machine.of_kind(Kind.STATE)}


def test_assertions_hold_on_the_way_to_a_property() -> None:
    assert words(node("assert a or b; y = a or b; --%PROPERTY y;\n")) == ["holds"]
    assert words(node("assert a -> a and pre a; y = a; --%PROPERTY y;\n")) == ["holds"]
    assert words(node("assert a -> b; y = a; --%PROPERTY y;\n")) == ["fails"]


def test_clocks() -> None:
    claims = "--%PROPERTY c => y = a; --%PROPERTY true -> (not c => y = pre y);\n"
    held = node(f"y = current (a when c); c = true -> b; {claims}", local="c : bool")
    assert words(held) == ["holds", "holds"]
    assert machine_of(held).warnings == ()
    counted = node(
        "n = merge a (count(b when a)) (0 when not a); y = n <= 3; --%PROPERTY y; --%PROPERTY n < 3;\n", local="n : int"
    )
    count = "node count (x : bool) returns (n : int); let n = 0 -> if pre n = 3 then 0 else pre n + (if x then 1 else 0); tel "
    assert words(count + counted) == ["holds", "fails"]


def test_calls_under_conditions() -> None:
    count = "node count () returns (n : int); let n = 1 -> if pre n = 3 then 1 else pre n + 1; tel "
    claims = "--%PROPERTY n <= 3; --%PROPERTY n > 0; --%PROPERTY true -> (not a => n = pre n);\n"
    assert words(count + node(f"n = condact(a, count(), 0); y = true; {claims}", local="n : int")) == ["holds", "fails", "holds"]
    same = node(f"n = (activate count every a initial default 0)(); y = true; {claims}", local="n : int")
    assert words(count + same) == ["holds", "fails", "holds"]
    restart = node("n = (restart count every a)(); y = a => n = 1; --%PROPERTY y; --%PROPERTY n < 3;\n", local="n : int")
    assert words(count + restart) == ["holds", "fails"]


def test_bounds_are_inferred() -> None:
    machine = machine_of(node("n = 0 -> if pre n >= 9 then 0 else pre n + 1; y = n < 9;", local="n : int"))
    assert machine.variables["n.pre"].type == Range(0, 9)
    machine = machine_of(node("n = 0 -> pre n + 1; y = n < 9;", local="n : int"))
    assert machine.variables["n.pre"].type == IntegerType()
    down = "n = 5 -> if a and pre n > -3 then pre n - 1 else if b and pre n < 7 then pre n + 2 else pre n; y = true;"
    assert machine_of(node(down, local="n : int")).variables["n.pre"].type == Range(-3, 8)


@pytest.mark.parametrize(
    "body",
    [
        "c = 0 -> if s < 0 then pre c + 1 else 0; y = c < 5;",
        "c = 0 -> if s < 0 then pre c + 1 else 0; d = 0 -> if c > 0 then pre d - 1 else pre d; y = d = 0;",
        "t = if s < 0 then 7 else 0; y = true -> pre t < 6;",
    ],
)
def test_a_range_that_depends_on_an_integer_with_one_bound(body: str) -> None:
    """`s` is no less than 0, but has no range: values of its type that it never takes refuse nothing."""
    others = " ".join(f"{name} = 0;" for name in "cdt" if f"{name} =" not in body)
    equations = f"s = 0 -> if a then pre s + 1 else pre s; {others} {body} --%PROPERTY y;\n"
    assert words(node(equations, local="s, c, d : int; t : subrange [0, 5] of int")) == ["holds"]


def test_division_by_what_was_stored() -> None:
    """Before anything is stored there, the divisor has no value at all; this ended in an internal error."""
    body = "n = 1 -> if a then 2 else 1; x = 0 -> 100 div pre n; y = true -> pre x <= 100; --%PROPERTY y;\n"
    assert words(node(body, local="n, x : int")) == ["holds"]


def test_a_value_outside_its_subrange_is_a_failed_property() -> None:
    text = node("n = 0 -> pre n + 1; y = n < 9;", local="n : subrange [0, 9] of int")
    assert words(text) == ["fails"]
    guarded = "n = 0 -> if pre n = 9 then 0 else pre n + 1; y = n < 10; --%PROPERTY y;\n"
    assert words(node(guarded, local="n : subrange [0, 9] of int")) == ["holds"]


def test_division_leaves_no_negative_remainder() -> None:
    claims = "--%PROPERTY (n mod 4) >= 0; --%PROPERTY 4 * (n div 4) + (n mod 4) = n;\n"
    assert words(node(f"y = true; {claims}", inputs="n : subrange [-9, 9] of int")) == ["holds", "holds"]


def test_machine_integers_wrap_around() -> None:
    body = "n = uint8 0 -> pre n + uint8 1; y = n < uint8 255; --%PROPERTY y; --%PROPERTY true -> n <> pre n;\n"
    assert words(node(body, local="n : uint8")) == ["fails", "holds"]


def test_constants_types_and_properties_of_nodes_that_are_called() -> None:
    text = """
    type mode = enum { off, low, high }; type level = subrange [0, MOST] of int; const MOST = 2 * HALF; HALF : int = 2;
    node step (m : mode) returns (l : level);
    let l = if m = off then 0 else if m = low then HALF else MOST; --%PROPERTY l <= MOST;
    tel
    node main (m : mode) returns (l : level; ok : bool); let l = step(m); ok = #(m = off, m = low, m = high); --%PROPERTY ok; tel
    """
    machine = machine_of(text)
    assert [found.module for found in machine.properties] == ["step", ""]
    assert words(text) == ["holds", "holds"]


def test_the_main_node() -> None:
    text = "node f (a : bool) returns (x : bool); let x = a; tel node g (a : bool) returns (z : bool); let z = a; tel"
    assert machine_of(text).outputs == ("z",)
    assert "several main nodes" in machine_of(text).warnings[0].message
    assert machine_of(text.replace("x = a;", "x = a; --%MAIN;\n")).outputs == ("x",)
    assert machine_of(text, main="f").outputs == ("x",)


SEEDS = [
    (EXAMPLES / "stopwatch.lus").read_text(encoding="utf-8"),
    """type t = enum { A, B }; const N = 3; node f (x : bool; m : t) returns (o : int; p : bool when x);
    var n : subrange [0, 5] of int;
    let n = 0 -> if pre n = N then 0 else pre n + 1; o = merge m (A -> n when A(m)) (B -> 2 when B(m));
    p = (x -> not pre x) when x; assert #(x, n > 2); tel
    node main (a : bool) returns (y : int; z : bool); var q : bool when a; let (y, q) = f(a, if a then A else B);
    z = current q; --%PROPERTY y < 5 or z;
    tel""",
    """node g (a, b : bool) returns (s : int8); let s = condact(a, h(b), int8 0) + (restart h every b)(a); tel
    node h (x : bool) returns (s : int8); let s = int8 1 fby (if x then -s else s * s); --%MAIN;
    tel""",
]
OTHERS = "a n x main f 0 7 1.5 0x1F = <> -> => ( ) [ ] { } , ; : . ^ + - * # --%MAIN --%PROPERTY (* *) é ² \x00"
WORDS = [*sorted(RESERVED), *OTHERS.split(" ")]


def test_the_seeds_are_right() -> None:
    for text in SEEDS:
        machine_of(text)


@settings(max_examples=300, deadline=None)
@given(st.sampled_from(SEEDS), st.integers(0, 2**32))
def test_mutated_programs(text: str, seed: int) -> None:
    parts = text.replace("(", " ( ").replace(")", " ) ").replace(";", " ; ").replace(",", " , ").split(" ")
    answers(with_words_replaced(parts, WORDS, seed), "m.lus", read)


@settings(max_examples=100, deadline=None)
@given(st.lists(st.sampled_from(WORDS), max_size=30))
def test_random_words(parts: list[str]) -> None:
    answers(node(" ".join(parts)), "m.lus", read)


@settings(max_examples=100, deadline=None)
@given(st.text(max_size=40))
def test_random_texts(text: str) -> None:
    answers(text, "m.lus", read)


DEEP = ["(" * 5000, "not " * 5000 + "a", "a" + " and a" * 9000, "if a then b else " * 5000 + "a", "pre " * 5000 + "a"]


@pytest.mark.parametrize("text", DEEP)
def test_deep_nesting_ends_well(text: str) -> None:
    answers(node(f"y = {text};"), "m.lus", read)


def test_what_is_not_known_may_be_anything() -> None:
    text = """
    type time; const ZERO : time; LIMIT : int;
    function later (t : time) returns (u : time);
    function is_noon (t : time) returns (b : bool);
    node main (tick : bool) returns (t : time; beep : bool; n : int);
    let
      t = ZERO -> if tick then later(pre t) else pre t;
      beep = is_noon(t) and tick;
      n = 0 -> if beep and pre n < LIMIT then pre n + 1 else pre n;
      --%PROPERTY beep => tick;
      --%PROPERTY not beep;
      --%PROPERTY t = ZERO;
      --%PROPERTY n <= LIMIT;
    tel
    """
    model = coarsest.loads(text, format="lustre:LIMIT=3")
    assert [answer.verdict.word for answer in model.check()] == ["holds", "fails", "fails", "holds"]
    assert model.machine.outputs == ("beep", "n")
    assert model.machine.variables["n.pre"].type == Range(0, 3)
    assert "may have any result" in model.warnings[-1].message


def test_details_of_the_format() -> None:
    text = "node up (a : bool) returns (n : int); let n = 0 -> pre n + 1; tel " + node("y = a;")
    model = coarsest.loads(text, format="lustre:up,int=0..9")
    assert model.machine.variables["n.pre"].type == Range(0, 9)
    assert [answer.verdict.word for answer in model.check()] == ["fails"]
    for details in ("mian", "int=9..0", "1", "int=a..b"):
        with pytest.raises(InputError):
            coarsest.loads(text, format=f"lustre:{details}")
