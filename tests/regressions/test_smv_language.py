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
