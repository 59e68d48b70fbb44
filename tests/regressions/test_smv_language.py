"""Parts of SMV that NuSMV users meet: verdicts as NuSMV 2.6 gives them, or as they follow by hand."""

from __future__ import annotations

import pytest

from coarsest.api import model as api
from coarsest.errors import InputError
from coarsest.formats import write_machine


@pytest.mark.parametrize(
    ("claim", "holds"),
    [
        ("-0sd3_2[2:2] = 0ud1_0", True),
        ("(-0sd3_2)[2:2] = 0ud1_1", True),
        ("-0ub3_101[0:0] = 0ud1_1", True),
        ("- w[2:2] = 0ud1_0", True),
        ("-0sd3_2 + 0sd3_1 = -0sd3_1", True),
    ],
)
def test_minus_before_a_selection_of_bits(claim: str, holds: bool) -> None:
    assert api.loads("MODULE main FROZENVAR w : signed word[3]; INIT w = 0sd3_2;").check(claim).holds is holds


COUNTER = "MODULE main VAR x : 0..3; ASSIGN init(x) := 0; next(x) := {x, (x + 1) mod 4};"


@pytest.mark.parametrize(
    ("claim", "holds"),
    [
        ("forall i in {0:3}: always (x = i -> next (x = i | x = (i + 1) mod 4))", True),
        ("forall i in {0, 2}: always (x = i -> next! (x = i))", False),
        ("forany i in {0:3}: always (x = 0 -> next (x = i))", False),
        ("forany i in {0:3}: [x = i W x = i + 1]", True),
        ("forall b in boolean: always ((x < 2) = b -> next_e[0:2] ((x < 2) = b))", True),
        ("next [x = 0 W x = 1]", True),
        ("always (x = 0 -> next [x = 0 W x = 1])", True),
        ("x = 0 -> next [x < 2 W x = 2]", True),
        ("next [x = 1 W x = 2]", False),
        ("next [x < 2 U x = 2]", False),
    ],
)
def test_psl(claim: str, holds: bool) -> None:
    assert api.loads(f"{COUNTER} PSLSPEC {claim};").check().holds is holds


def test_only_the_property_with_too_many_instances_is_unknown() -> None:
    report = api.loads(f"{COUNTER} PSLSPEC forall i in {{0:100000}}: always x <= i; INVARSPEC x <= 3;").check()
    assert [answer.verdict.word for answer in report] == ["unknown", "holds"]


ARRAYS = """MODULE pair VAR two : array 0..1 of boolean;
MODULE main
VAR a : array 0..1 of boolean; b : array 0..1 of boolean; m : array 0..1 of array 0..1 of boolean; p : pair;
DEFINE swapped := [b[1], b[0]];
ASSIGN init(a) := b; next(a) := swapped; next(b[0]) := !b[0]; next(b[1]) := b[1];
  init(m[0][0]) := FALSE; init(m[0][1]) := TRUE; next(m[0]) := m[1]; next(m[1]) := m[0]; init(p.two) := a; next(p.two) := next(a);
"""
BY_ELEMENTS = """MODULE main
VAR a0 : boolean; a1 : boolean; b0 : boolean; b1 : boolean; m00 : boolean; m01 : boolean; m10 : boolean; m11 : boolean;
  p0 : boolean; p1 : boolean;
ASSIGN init(a0) := b0; init(a1) := b1; next(a0) := b1; next(a1) := b0; next(b0) := !b0; next(b1) := b1;
  init(m00) := FALSE; init(m01) := TRUE; next(m00) := m10; next(m01) := m11; next(m10) := m00; next(m11) := m01;
  init(p0) := a0; init(p1) := a1; next(p0) := next(a0); next(p1) := next(a1);
"""


@pytest.mark.parametrize(
    ("of_arrays", "of_elements"),
    [
        ("INVARSPEC p.two[0] = a[0] & p.two[1] = a[1]", "INVARSPEC p0 = a0 & p1 = a1"),
        ("CTLSPEC AG (b[0] -> AX a[1])", "CTLSPEC AG (b0 -> AX a1)"),
        ("CTLSPEC EF (m[0][1] & m[1][0])", "CTLSPEC EF (m01 & m10)"),
        ("LTLSPEC F !m[0][1]", "LTLSPEC F !m01"),
        ("LTLSPEC G (m[1][1] -> X X m[1][1])", "LTLSPEC G (m11 -> X X m11)"),
    ],
)
def test_whole_arrays_are_assigned_element_by_element(of_arrays: str, of_elements: str) -> None:
    arrays, elements = api.loads(ARRAYS + of_arrays), api.loads(BY_ELEMENTS + of_elements)
    assert arrays.reach().states == elements.reach().states == 44
    assert arrays.check().holds is elements.check().holds


def test_an_array_keeps_its_values() -> None:
    model = api.loads("MODULE main VAR a : array 1..3 of 0..2; ASSIGN init(a[1]) := 0; next(a) := a;")
    assert model.reach().states == 9
    assert model.check("AG (a[2] = 1 -> AG a[2] = 1)").holds


@pytest.mark.parametrize(
    ("assigned", "message"),
    [
        ("next(a) := b", "bounds 0..1, this array 1..2"),
        ("next(a) := x", "only an array can be assigned"),
        ("next(a) := x ? a : a", "only an array can be assigned"),
        ("next(a) := a; next(a[0]) := x", "assigned twice"),
        ("init(a) := next(a)", "cannot stand in"),
        ("next(a) := m", "an array, a value is needed"),
        ("next(i) := i", "cannot be assigned as a whole"),
    ],
)
def test_what_no_array_can_be_given(assigned: str, message: str) -> None:
    declared = "MODULE k VAR z : boolean; MODULE main VAR a : array 0..1 of boolean; b : array 1..2 of boolean; x : boolean;"
    with pytest.raises(InputError, match=message):
        api.loads(f"{declared} VAR i : k; m : array 0..1 of array 0..0 of boolean; ASSIGN {assigned};")


def test_arrays_without_elements() -> None:
    text = "MODULE main VAR e : array 1..0 of boolean; x : 0..3; ASSIGN next(e) := e; INVARSPEC x < 3;"
    model = api.loads(text)
    assert model.reach().states == 4
    assert not model.check().holds
    assert [warning.message for warning in model.warnings] == ["the array `e` has no elements"]
    for claim in ("e[0]", "e[x]"):
        with pytest.raises(InputError, match="has no elements"):
            api.loads(f"{text} INVARSPEC {claim};")


@pytest.mark.parametrize(
    ("claim", "holds"),
    [
        ("swconst(123, 1) = -0sd1_1", True),
        ("swconst(122, 1) = 0sd1_0", True),
        ("swconst(1, 1) = -0sd1_1", True),
        ("uwconst(-1, 4) = 0ud4_15", True),
        ("swconst(-8, 4) = -0sd4_8", True),
    ],
)
def test_numbers_as_words(claim: str, holds: bool) -> None:
    assert api.loads(f"MODULE main VAR x : boolean; INVARSPEC {claim};").check().holds is holds


@pytest.mark.parametrize("constant", ["swconst(8, 4)", "swconst(-9, 4)", "uwconst(16, 4)", "uwconst(-9, 4)", "swconst(0, 0)"])
def test_numbers_that_are_no_such_words(constant: str) -> None:
    with pytest.raises(InputError, match="bits"):
        api.loads(f"MODULE main VAR x : boolean; INVARSPEC {constant} = 0sd4_0;")


NAMESAKES = """MODULE inner VAR x : boolean; ASSIGN init(x) := FALSE; next(x) := TRUE;
MODULE outer(p, t) VAR y : boolean; ASSIGN init(y) := FALSE; next(y) := t = p & p.x;
MODULE main VAR a : inner; s : {a, b}; o : outer(a, s); ASSIGN init(s) := a; next(s) := s = a ? {a, b} : b;
"""


@pytest.mark.parametrize(
    ("claim", "holds"),
    [
        ("CTLSPEC EX s = a", True),
        ("CTLSPEC AG (s = b -> AG s != a)", True),
        ("INVARSPEC a.x -> s != a", False),
        ("CTLSPEC AG (o.y -> a.x)", True),
        ("LTLSPEC G (s = a & a.x -> X o.y)", True),
        ("LTLSPEC G (s = b -> X !o.y)", True),
    ],
)
def test_a_value_may_have_the_name_of_an_instance(claim: str, holds: bool) -> None:
    model = api.loads(f"{NAMESAKES}{claim};")
    assert model.reach().states == 5  # of x, s and y: FaF; TaF, TbF; TaT, TbT
    assert model.check().holds is holds


def test_flattened_models_say_the_same() -> None:
    """What is assigned and replicated is written out, and read again."""
    claims = ["PSLSPEC forall i in {0:1}: always (a[i] -> next b[i]);", "PSLSPEC next [b[0] W !b[0]];", "INVARSPEC a[0] -> b[0]"]
    model = api.loads(ARRAYS + "\n".join(claims))
    flat = api.loads(write_machine(model.machine, "smv"))
    assert [answer.verdict.word for answer in flat.check()] == [answer.verdict.word for answer in model.check()]
    assert flat.reach().states == model.reach().states
