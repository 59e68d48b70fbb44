"""Chapter 5 of Bustan's thesis: its numbers beside ours, small points, and judges that would notice anything else."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from coarsest.experiments.modular import bustan_modular as chapter
from coarsest.experiments.modular.designs import circuit, measure, properties, ring
from coarsest.experiments.points import PointOutcome, collection
from coarsest.run import Run

needs_circuits = pytest.mark.skipif(not (collection() / "circuits").is_dir(), reason="the circuits are not here")


@pytest.mark.parametrize("algorithm", chapter.COLUMNS)
def test_rings(algorithm: str) -> None:
    """Each component has 32 states, of which 16 are told apart: by what it counts, and by its phase, which the next one reads."""
    assert measure(algorithm, n=2, run=Run())["states"] == 16**2
    machine, labels = ring(3)
    assert (len(machine.state_variables), len(labels)) == (6, 3)


def test_improved_grows_slowly() -> None:
    nodes = [int(measure("improved", n=n, run=Run())["nodes"]) for n in (4, 8)]
    assert nodes[1] < 2 * nodes[0]


@needs_circuits
@pytest.mark.parametrize("algorithm", chapter.COLUMNS)
def test_circuits(algorithm: str) -> None:
    """Of s386, the outputs read inputs; the numbers of classes were counted by listing all states."""
    assert measure(algorithm, design="s386", run=Run())["states"] == chapter.STATES["s386"]
    assert measure(algorithm, design="s298", outputs=2, run=Run())["states"] == 501


@needs_circuits
def test_designs_with_fewer_outputs() -> None:
    for row, arguments in chapter.DESIGNS.items():
        assert properties(**arguments, run=Run())["latches"] == chapter.THEIR_SIZES[row][1]
    assert circuit("s298", 1)[1] != circuit("s298", 1, skip=1)[1]


def outcome(point: str, limit: str | None = None, **facts: float) -> PointOutcome:
    return PointOutcome(
        paper="bustan", point=point, measure="", arguments={}, facts=None if limit else facts, limit=limit,  # type: ignore[arg-type]
        seconds=1.0, mebibytes=1,
    )  # fmt: skip


def test_judges() -> None:
    wins = chapter._wins("seconds", "s400")
    told = {name: outcome(f"s400, {name}", seconds=s) for name, s in zip(chapter.COLUMNS, (5.0, 6.0, 7.0, 2.0, 1.0))}
    outcomes = {one.point: one for one in told.values()}
    assert wins(outcomes)[0] == "holds"
    assert wins({**outcomes, "s400, ordinary": outcome("s400, ordinary", "time")})[0] == "holds"
    assert wins({**outcomes, "s400, ordinary": outcome("s400, ordinary", seconds=0.5)})[0] == "fails"
    assert wins({})[0] == "unknown"
    same = {name: outcome(name, states=8.0) for name in ("s298, ordinary", "s298, naive")}
    assert chapter._same_states(same)[0] == "holds"
    assert chapter._same_states({**same, "s298, naive": replace(same["s298, naive"], facts={"states": 9.0})})[0] == "fails"


def test_growth_is_judged_and_drawn() -> None:
    rings = {
        f"{n} components, {column}": outcome(f"{n} components, {column}", nodes=nodes)
        for n in range(2, 7)
        for column, nodes in (("improved", 100.0 * n), ("ordinary", 10.0**n))
    }
    assert chapter._linear(rings)[0] == "holds"
    assert "polyline" in chapter.ring_plots(rings)["5.n-nodes"]
    slow = {**rings, "6 components, improved": outcome("", nodes=10.0**6)}
    assert chapter._linear(slow)[0] == "fails"
