"""Graphs of the VLTS suite, reduced by relations weaker than bisimulation: related to the original, and certified."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from coarsest.formats import read_graph
from coarsest.lts.branching.branching_bisimulation import minimise_by_branching_bisimulation
from coarsest.lts.compare.compare_graphs import certify_graph, compare_graphs
from coarsest.lts.judge.confirm_graphs import confirm_graph
from coarsest.lts.simulation.smallest_bustan_grumberg import minimise_by_simulation

ROOT = Path(__file__).parents[2].parent / "shared" / "benchmarks"
NAMES = ("vasy_0_1", "vasy_1_4", "vasy_5_9", "cwi_1_2", "vasy_8_24", "vasy_8_38", "vasy_18_73")

pytestmark = pytest.mark.skipif(not (ROOT / "lts").is_dir(), reason="shared benchmarks not present")


@pytest.mark.parametrize("name", NAMES)
def test_certificates(name: str) -> None:
    graph = read_graph(ROOT / "lts" / f"{name}.aut")
    certificate = certify_graph(graph)
    classes = len(set(certificate.blocks.tolist()))  # type: ignore[union-attr]
    published = json.loads((ROOT / "oracles.json").read_text())["lts/published"]
    assert classes == published[name]["bisimulation_classes"]
    assert confirm_graph(graph, certificate).accepted
    for by in ("branching-bisimulation", "branching-bisimulation-divergence", "simulation"):
        coarser = certify_graph(graph, by=by)
        assert confirm_graph(graph, coarser).accepted
        assert len(set(coarser.blocks.tolist())) <= classes  # type: ignore[union-attr]


@pytest.mark.parametrize("name", NAMES[:5])
def test_reductions_are_related(name: str) -> None:
    graph = read_graph(ROOT / "lts" / f"{name}.aut")
    small = minimise_by_simulation(graph).graph
    assert compare_graphs(graph, small, by="simulation").related
    assert compare_graphs(graph, small, by="traces").related
    for divergence, by in ((False, "branching-bisimulation"), (True, "branching-bisimulation-divergence")):
        assert compare_graphs(graph, minimise_by_branching_bisimulation(graph, divergence=divergence).graph, by=by).related


@pytest.mark.parametrize(("one", "other"), [("vasy_0_1", "vasy_1_4"), ("cwi_1_2", "vasy_5_9"), ("vasy_8_24", "vasy_8_38")])
def test_different_graphs_are_told_apart(one: str, other: str) -> None:
    graphs = [read_graph(ROOT / "lts" / f"{name}.aut") for name in (one, other)]
    for by in ("bisimulation", "branching-bisimulation", "simulation", "ready-simulation", "traces"):
        found = compare_graphs(graphs[0], graphs[1], by=by)
        assert found.difference is not None
