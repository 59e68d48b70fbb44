"""Inclusion of ω-words agrees with Büchi's definition on random fair graphs; its evidence is judged, and no forgery passes."""

from __future__ import annotations

from random import Random

import pytest
from msgspec.structs import replace

from campaigns import blocks
from coarsest.errors import LimitExceeded
from coarsest.lts.certificate_json import certificate_of, certificate_to_object
from coarsest.lts.certificates import LassoCertificate, WordsCertificate
from coarsest.lts.compare.compare_graphs import compare_graphs
from coarsest.lts.fair import FairGraph
from coarsest.lts.judge.confirm_graphs import confirm_comparison
from coarsest.run import Limits, Run
from oracles import fair_words
from random_fair_graphs import random_fair_graph

MOST_CLASSES = 120
BLOCK = 60


def pair_of_graphs(seed: int, *, states: int = 3) -> tuple[FairGraph, FairGraph]:
    random = Random(seed)
    first = random_fair_graph(random, states=states)
    return first, random_fair_graph(random, states=states)


def check_words(seed: int) -> list[bool]:
    first, second = pair_of_graphs(seed)
    expected = fair_words.inclusions(first, second, MOST_CLASSES)
    if expected is None:
        return []
    below = [compare_graphs(*pair, by="words", preorder=True).related for pair in ((first, second), (second, first))]
    assert tuple(below) == expected, seed
    assert compare_graphs(first, second, by="words").related == all(below)
    assert below[0] or not compare_graphs(first, second, by="exists", preorder=True).related
    return below


@pytest.mark.parametrize("block", blocks(30, by_day=3))
def test_words_by_definition(block: int) -> None:
    verdicts = [verdict for seed in range(block * BLOCK, (block + 1) * BLOCK) for verdict in check_words(seed)]
    assert verdicts.count(True) > 10 and verdicts.count(False) > 10


@pytest.mark.parametrize("block", blocks(20, by_day=1))
def test_words_of_larger_graphs_are_judged(block: int) -> None:
    """The judge, which shares nothing with the search, confirms either answer, also as a file has it; some need cycles."""
    kinds = set()
    for seed in range(block * BLOCK, (block + 1) * BLOCK):
        first, second = pair_of_graphs(seed, states=7)
        evidence = compare_graphs(first, second, by="words", preorder=True).evidence
        assert evidence is not None
        assert confirm_comparison(first, second, certificate_of(certificate_to_object(evidence))).accepted
        kinds.add(type(evidence))
    assert {LassoCertificate, WordsCertificate} <= kinds


def evidence_of(kind: type, *, from_seed: int = 0) -> tuple[FairGraph, FairGraph, object]:
    for seed in range(from_seed, from_seed + 400):
        first, second = pair_of_graphs(seed, states=6)
        evidence = compare_graphs(first, second, by="words", preorder=True).evidence
        if isinstance(evidence, kind) and (not isinstance(evidence, WordsCertificate) or evidence.ways[0].cycles):
            return first, second, evidence
    raise AssertionError("no such evidence")


def test_forged_words_are_rejected() -> None:
    """Whatever is left out of stems or cycles is missed, unless the judge would have needed no evidence of it at all."""
    for start in (0, 400, 800):
        first, second, evidence = evidence_of(WordsCertificate, from_seed=start)
        assert isinstance(evidence, WordsCertificate)
        (way,) = evidence.ways
        for number in range(len(way.cycles)):
            fewer = replace(way, cycles=way.cycles[:number] + way.cycles[number + 1 :])
            assert not confirm_comparison(first, second, replace(evidence, ways=(fewer,))).accepted
        assert not confirm_comparison(first, second, replace(evidence, ways=(replace(way, stems=()),))).accepted
        assert not confirm_comparison(first, second, replace(evidence, preorder=False)).accepted
        more = tuple(replace(stem, reached=(*stem.reached, (0, 0), (first.graph.states, 0))) for stem in way.stems)
        wrong = confirm_comparison(first, second, replace(evidence, ways=(replace(way, stems=more),)))
        assert not wrong.accepted


def test_forged_lassos_are_rejected() -> None:
    first, second, evidence = evidence_of(LassoCertificate)
    assert isinstance(evidence, LassoCertificate)
    (lasso,) = evidence.lassos
    for forged in (
        replace(evidence, lassos=()), replace(evidence, way=1), replace(evidence, relation="game"),
        replace(evidence, lassos=(replace(lasso, loop=()),)), replace(evidence, lassos=(replace(lasso, state=lasso.state + 1),)),
    ):  # fmt: skip
        assert not confirm_comparison(first, second, forged).accepted
    assert not confirm_comparison(second, first, evidence).accepted
    assert confirm_comparison(first, first, evidence).problem.startswith("its word is one of the other graph")


def test_limits_hold() -> None:
    first, second, _ = evidence_of(WordsCertificate)
    with pytest.raises(LimitExceeded):
        compare_graphs(first, second, by="words", run=Run(Limits(steps=3)))
