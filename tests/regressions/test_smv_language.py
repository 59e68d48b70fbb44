"""Parts of SMV that NuSMV users meet: verdicts as NuSMV 2.6 gives them, or as they follow by hand."""

from __future__ import annotations

import pytest

from coarsest import api


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
