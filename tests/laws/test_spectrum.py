"""The spectrum agrees with the definitions of its notions on random graphs, and with the relations that decide one of them."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest
from msgspec.structs import replace

from coarsest.lts.certificates import PathCertificate
from coarsest.lts.compare.compare_by_spectrum import compare_by_spectrum
from coarsest.lts.compare.compare_graphs import compare_graphs
from coarsest.lts.judge.spectrum_certificates import SpectrumJudge
from coarsest.lts.labelled import Graph
from coarsest.lts.spectrum.notions import coarser
from coarsest.lts.spectrum.verdicts import Spectrum
from coarsest.lts.union import side_by_side
from oracles.spectrum import WeakDefinitions
from random_graph_pairs import changed_graph, random_silent_graph
from terms import graph_of, random_term

PREORDERS = ("finite-simulation", "ready-simulation", "failures", "coupled-simulation", "weak-simulation", "weak-traces")
EQUIVALENCES = ("bisimulation", "branching-bisimulation", "branching-bisimulation-divergence", "weak-bisimulation")
DEDICATED = {"traces": "traces"} | {name: name for name in (*EQUIVALENCES, *PREORDERS)}
"""Relations with an algorithm of their own, and the notions that they are."""


def pair_of_graphs(seed: int) -> tuple[Graph, Graph]:
    random = Random(seed)
    first = random_silent_graph(random, states=5, actions=random.choice([("a", "b", "i"), ("a", "b", "c"), ("a",)]))
    return first, changed_graph(random, first) if random.random() < 0.7 else random_silent_graph(random, states=5)


def check_definitions(seed: int) -> Counter[tuple[str, bool]]:
    """How often each notion was true and false."""
    first, second = pair_of_graphs(seed)
    spectrum = compare_by_spectrum(first, second)
    both = side_by_side(first, second)
    initial = both.initial.tolist()
    ways = [s for s in initial if s < first.states], [s for s in initial if s >= first.states]
    definitions, counts = WeakDefinitions(both), Counter[tuple[str, bool]]()
    for row in spectrum.rows:
        for way, verdict in enumerate(row.ways):
            if not row.notion.name.startswith("branching"):  # which has an oracle of its own
                expected = definitions.below(row.notion.name, ways[way], ways[1 - way])
                assert verdict.below == expected, (seed, row.notion.name, way)
                counts[row.notion.name, expected] += 1
    check_implications(spectrum)
    return counts


def check_implications(spectrum: Spectrum) -> None:
    """A yes is a yes for all coarser notions, and no coarser strong notion has a shallower formula than a finer one."""
    shown = {row.notion.name: row for row in spectrum.rows}
    for name, row in shown.items():
        for way, verdict in enumerate(row.ways):
            assert (verdict.formula is None) == (verdict.below is not False)
            for other in coarser(name) & shown.keys():
                weaker = shown[other].ways[way]
                assert weaker.below or not verdict.below
                strong = not row.notion.weak and not shown[other].notion.weak
                if weaker.formula is not None and verdict.formula is not None and strong:
                    assert verdict.formula.depth <= weaker.formula.depth, (name, other)


def test_definitions() -> None:
    counts = sum(map(check_definitions, range(150)), Counter())
    assert all(counts[name, related] > 10 for name, related in counts)


@pytest.mark.nightly
def test_definitions_campaign() -> None:
    for seed in range(1000, 4000):
        check_definitions(seed)


def check_dedicated(seed: int) -> None:
    first, second = pair_of_graphs(seed)
    spectrum = compare_by_spectrum(first, second)
    check_implications(spectrum)
    shown = {row.notion.name for row in spectrum.rows}
    for relation, notion in DEDICATED.items():
        if notion in shown:
            assert compare_graphs(first, second, by=relation).related == spectrum[notion].related
    for relation in ("traces", *PREORDERS):
        if DEDICATED[relation] in shown:
            below = compare_graphs(first, second, by=relation, preorder=True).related
            assert below == spectrum[DEDICATED[relation]].ways[0].below
    if not spectrum.silent:  # the relation abstracts from internal steps, the notion of the strong spectrum does not
        below = compare_graphs(first, second, by="impossible-futures", preorder=True).related
        assert below == spectrum["impossible-futures"].ways[0].below


def test_dedicated_algorithms() -> None:
    for seed in range(5000, 5100):
        check_dedicated(seed)


@pytest.mark.nightly
def test_dedicated_algorithms_campaign() -> None:
    for seed in range(6000, 8000):
        check_dedicated(seed)


def check_futures(seed: int) -> Counter[str]:
    """Verdicts are those of the definition; a yes is confirmed, by inclusions of traces where no finer notion says it. These do
    not show what is not so."""
    random = Random(seed)
    first, second = (graph_of(random_term(random, 3)) for _ in "ab")
    spectrum, both, counts = compare_by_spectrum(first, second), side_by_side(first, second), Counter[str]()
    definitions, judge = WeakDefinitions(both), SpectrumJudge(first, second)
    initial = both.initial.tolist()
    for notion in ("possible-futures", "impossible-futures"):
        for way, verdict in enumerate(spectrum[notion].ways):
            assert verdict.below == definitions.below(notion, [initial[way]], [initial[1 - way]]), (seed, notion, way)
            assert verdict.confirmed, (seed, notion, way)
            certificate = verdict.certificate
            if isinstance(certificate, PathCertificate) and not verdict.by:
                counts["alone"] += 1
                counts["needed"] += bool(judge.problem(replace(certificate, futures=()), notion, way))
                if not spectrum[notion].ways[1 - way].below:
                    assert judge.problem(certificate, notion, 1 - way)
                    counts["rejected"] += 1
    return counts


def test_futures() -> None:
    counts = sum(map(check_futures, range(60)), Counter[str]())
    assert min(counts["alone"], counts["needed"], counts["rejected"]) > 10


@pytest.mark.nightly
def test_futures_campaign() -> None:
    for seed in range(1000, 3000):
        check_futures(seed)


def test_futures_that_take_too_long_are_not_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    """The verdict stands, and says that nobody confirmed it."""
    monkeypatch.setattr("coarsest.lts.spectrum.ground.Ground.inclusions", lambda *arguments: None)
    verdicts = [way for seed in range(10) for row in _spectrum_of_terms(seed).rows for way in row.ways]
    assert any(verdict.below and not verdict.confirmed for verdict in verdicts)
    assert all(verdict.below is not None for verdict in verdicts)


def _spectrum_of_terms(seed: int) -> Spectrum:
    random = Random(seed)
    return compare_by_spectrum(*(graph_of(random_term(random, 3)) for _ in "ab"))
