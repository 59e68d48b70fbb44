"""Equal graphs give equal files, also where one of them has the name of an action that no reachable transition bears."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import coarsest

AUTOMATON = """[3]
tau,[2]->[0]
tau,[0]->[1]
',[2]->[3]
tau,[3]->[4]
tau,[0]->[0]
label "p",[4]->[0]
label "p",[3]->[1]
label "p",[3]->[3]
label "p",[4]->[1]
tau,[1]->[4]
label "p",[3]->[0]
"""


def test_a_quotient_is_its_own_quotient(tmp_path: Path) -> None:
    files = [tmp_path / f"{name}.ba" for name in ("given", "small", "again")]
    files[0].write_text(AUTOMATON)
    for before, after in pairwise(files):
        coarsest.read_graph(before).reduce().graph.write(after)
    assert files[1].read_bytes() == files[2].read_bytes()
