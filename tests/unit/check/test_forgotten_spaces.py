"""A space of a cone, and the BDD manager under it, is kept as long as properties about the same cone are to come."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Sequence
from typing import Any

import pytest

import coarsest
from coarsest.check.answers import Checker
from coarsest.check.setting.session import CheckOptions
from coarsest.model.kinds import PropertyKind
from coarsest.model.machine import Machine
from coarsest.options.methods import BuildOptions
from coarsest.run import Run
from coarsest.space.bdd.spaces import SymbolicSpaces

CELLS = 4
MODEL = "MODULE main VAR " + "".join(f"x{i} : 0..7; y{i} : 0..7; " for i in range(CELLS)) + "ASSIGN "
MODEL += "".join(f"init(x{i}) := 0; next(x{i}) := x{i} = 7 ? 7 : x{i} + 1; next(y{i}) := x{i}; " for i in range(CELLS))
ABOUT = {
    PropertyKind.INVARIANT: "y{i} = y{i} & x{i} >= 0 & x{i} < 8",
    PropertyKind.CTL: "AG (x{i} = 7 -> AX (y{i} = 7 & AX y{i} = 7))",
    PropertyKind.LTL: "G F (y{i} = 7) & F (x{i} = 7 U y{i} = 7)",
}


@pytest.fixture
def spaces(monkeypatch: pytest.MonkeyPatch) -> list[weakref.ref[Any]]:
    """All that are built for properties."""
    built: list[weakref.ref[Any]] = []
    build = SymbolicSpaces._built

    def noted(self: SymbolicSpaces, machine: Machine) -> Any:
        space = build(self, machine)
        built.append(weakref.ref(space))
        return space

    monkeypatch.setattr(SymbolicSpaces, "_built", noted)
    return built


def alive(spaces: list[weakref.ref[Any]], formulas: Sequence[str]) -> list[int]:
    """How many spaces there are before each answer is asked for, and at the end, though garbage is not collected."""
    model = coarsest.loads(MODEL)
    checker = Checker(model.machine, BuildOptions(), CheckOptions(), Run())
    numbers = []
    gc.disable()
    try:
        for answer in checker.answers([model.formula(text) for text in formulas]):
            assert answer.verdict.word == "holds" and answer.confirmed
            numbers.append(sum(space() is not None for space in spaces))
    finally:
        gc.enable()
    return [*numbers, sum(space() is not None for space in spaces)]


@pytest.mark.parametrize("kind", ABOUT)
def test_a_cone_is_let_go_after_its_last_property(kind: PropertyKind, spaces: list[weakref.ref[Any]]) -> None:
    numbers = alive(spaces, [ABOUT[kind].format(i=i) for i in range(CELLS)])
    assert numbers == [1] * CELLS + [0]
    assert len(spaces) == CELLS


@pytest.mark.parametrize("kind", ABOUT)
def test_a_cone_is_kept_for_properties_to_come(kind: PropertyKind, spaces: list[weakref.ref[Any]]) -> None:
    numbers = alive(spaces, [ABOUT[kind].format(i=i) for i in [*range(CELLS), *range(CELLS)]])
    assert numbers == [1, 2, 3, 4, 4, 3, 2, 1, 0]
    assert len(spaces) == CELLS


def test_what_is_forgotten_counts(tmp_path: Any) -> None:
    """The most nodes that there were, and the order of the largest cone."""
    model, place = coarsest.loads(MODEL), tmp_path / "order"
    report = model.check("y0 = y0 & y1 >= 0", "x2 >= 0", save_order=str(place))
    assert report.statistics["peak_nodes"] > report.statistics["nodes"]
    assert {line.split("[")[0].split(".")[0] for line in place.read_text().split()} >= {"x0", "y0", "x1", "y1"}
