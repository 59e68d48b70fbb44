"""Signatures on the symbolic systems that come with Sigref: classes and transitions as published."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from benchmarks.xlts import XltsSpace

from coarsest.reduce.bisimulation.signatures_blom_orzan import minimise
from coarsest.run import Run

SHARED = Path(__file__).resolve().parents[3] / "shared" / "benchmarks"
FILES = sorted((SHARED / "lts" / "xlts").glob("*.xlts"))


@pytest.mark.skipif(not FILES, reason="shared benchmarks not present")
@pytest.mark.parametrize("name", ["kanban01", "kanban02", pytest.param("kanban03", marks=pytest.mark.nightly)])
def test_kanban(name: str) -> None:
    known = json.loads((SHARED / "oracles.json").read_text())[f"lts/xlts/{name}.xlts"]
    space = XltsSpace(SHARED / "lts" / "xlts" / f"{name}.xlts")
    found = minimise(space.observed(), Run())
    assert space.count(space.states) == known["states"]
    assert (len(found), len(found.edges)) == (known["strong_classes"], known["strong_quotient_transitions"])
