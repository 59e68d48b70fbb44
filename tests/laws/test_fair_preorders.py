"""Matrices of bits for fair graphs: those of the games and of the definition with lookahead, and what is reduced by them."""

from __future__ import annotations

from pathlib import Path
from random import Random

import numpy as np
import pytest

from coarsest._kernels.preorders.fair_simulations import unpacked
from coarsest.api.graph import Graph
from coarsest.automata.listed import ListedAutomaton
from coarsest.errors import Unsupported
from coarsest.lts import labelled
from coarsest.lts.compare.compare_graphs import compare_graphs
from coarsest.lts.fair import FairGraph, as_labelled
from coarsest.lts.games.simulation_game import fair_side_by_side, simulated_pairs
from coarsest.lts.simulation.fair_preorders import fair_preorder
from coarsest.lts.simulation.fair_quotients_bustan import minimise_by_fair_simulation, smaller
from coarsest.run import Run
from command_lines import Runner, runner
from oracles.fair_simulations import staying
from oracles.lookahead import direct_ahead
from random_buchi import random_buchi
from random_fair_graphs import random_fair_graph
from terms import graph_of, random_term

GRAPHS = 60


def as_fair_graph(buchi: ListedAutomaton) -> FairGraph:
    columns = buchi.sources, buchi.letters, buchi.targets
    graph = labelled.Graph.from_edges(buchi.states, *columns, initial=np.flatnonzero(buchi.initial), action_names=("a", "b"))
    return FairGraph(graph, (buchi.accepting,))


@pytest.mark.parametrize("by", ["direct", "delay"])
def test_rows_are_those_of_the_games(by: str) -> None:
    related = 0
    for seed in range(3 * GRAPHS):
        fair = random_fair_graph(Random(f"rows {seed}"), sets=seed % (3 if by == "direct" else 2))
        rows = unpacked(fair_preorder(by, fair, Run()), fair.graph.states)
        assert rows.tolist() == simulated_pairs(by, fair, Run()).tolist(), seed
        related += int(rows.sum()) - fair.graph.states
    assert related > GRAPHS


def test_rows_with_lookahead_are_the_closure_of_the_definition() -> None:
    more = 0
    for seed in range(GRAPHS):
        random = Random(f"ahead {seed}")
        terms = fair_side_by_side(*(FairGraph(graph_of(random_term(random, 2))) for _ in "ab"))
        fair = staying(terms if seed % 2 else random_fair_graph(random, states=5))
        for ahead in (2, 3):
            rows = unpacked(fair_preorder("direct", fair, Run(), ahead=ahead), fair.graph.states)
            expected = direct_ahead(fair, ahead)
            while longer := {(p, r) for p, q in expected for s, r in expected if q == s} - expected:
                expected |= longer
            assert {(int(p), int(q)) for p, q in np.argwhere(rows)} == expected, seed
            more += len(expected) > int(fair_rows(fair).sum())
    assert more


def fair_rows(fair: FairGraph) -> np.ndarray:
    return unpacked(fair_preorder("direct", fair, Run()), fair.graph.states)


@pytest.mark.parametrize("by", ["direct", "delay"])
def test_what_is_reduced_with_lookahead_has_the_same_words(by: str) -> None:
    smaller_still = 0
    for seed in range(2 * GRAPHS):
        random = Random(f"words {seed}")
        buchi = random_buchi(np.random.default_rng(seed), states=8, letters=2, density=1.4, accepting=0.6)
        fair = staying(as_fair_graph(buchi) if seed % 2 else random_fair_graph(random, states=7, sets=1))
        sizes = []
        for ahead in (1, 2, 4):
            small = smaller(fair, Run(), by=by, ahead=ahead).fair
            assert compare_graphs(fair, small, by="words").related, (seed, ahead)
            sizes.append(small.graph.states + small.graph.transitions)
        smaller_still += sizes[2] < sizes[0]
    assert smaller_still


@pytest.mark.parametrize("by", ["direct", "delay"])
def test_formulas_about_paths_survive(by: str) -> None:
    """Without fairness, for whoever checks the graph."""
    words = set()
    for seed in range(GRAPHS):
        random = Random(f"paths {seed}")
        fair = random_fair_graph(random, states=6, sets=0)
        graph = Graph.of(fair.graph)
        small = graph.reduce(by=by, lookahead=3, confirm="always")
        assert small.facts.preserves == "LTL without the label accepting" and small.confirmed
        a, p = random.choice(graph.action_names), random.choice(graph.label_names)
        for formula in (f"G F {a}", f"F G {p}", f"{p} U !{p}", f"X X {p} -> F {a}", f"G ({p} -> X {a})"):
            verdict = graph.check(formula, confirm="never").holds
            assert small.graph.check(formula, confirm="never").holds == verdict, (seed, formula)
            words.add(verdict)
    assert words == {True, False}


def test_several_fairness_sets() -> None:
    fair = random_fair_graph(Random(3), states=6, sets=2)
    with pytest.raises(Unsupported, match="one fairness set"):
        smaller(fair, Run(), by="delay", ahead=2)
    assert minimise_by_fair_simulation(as_labelled(FairGraph(fair.graph)), by="delay", ahead=2).relation == "words"


MODEL = """MODULE main
VAR at : 0..9;
DEFINE p := at = 7; q := at = 8; r := at = 9;
ASSIGN
  init(at) := 0;
  next(at) := case
    at = 0 : {1, 2};
    at = 1 : {3, 4, 5};
    at = 2 : 6;
    at in {3, 4, 5} : at + 4;
    at = 6 : {7, 8};
    TRUE : at;
  esac;
LTLSPEC NAME comes := F p;
CTLSPEC NAME may := EF q;
CTLSPEC NAME later := AG !r;
"""


@pytest.fixture
def coarsest(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Runner:
    return runner(monkeypatch, capsys)


def test_models_by_commands(tmp_path: Path, coarsest: Runner) -> None:
    """The structure has the properties that are preserved, and they have the same verdicts."""
    model, small = tmp_path / "model.smv", tmp_path / "small.smv"
    model.write_text(MODEL, encoding="utf-8")
    sizes = []
    for ahead in (0, 3):
        options = ("--by", "direct", "--lookahead", str(ahead), "--observe", "p", "q", "r", "-o", str(small))
        code, out, err = coarsest("reduce", str(model), *options)
        assert code == 0 and ("preserves    LTL over" in out) == (ahead > 0) and "confirmed" in out, err
        assert ("CTLSPEC" in small.read_text(encoding="utf-8")) == (ahead == 0)
        for formula in ("F p", "G !r", "X X (p | q | r) | G !r", "F G (p | q | r)"):
            assert coarsest("check", str(small), formula, "-q").code == coarsest("check", str(model), formula, "-q").code
        sizes.append(int(out.split()[3]))
    assert sizes[1] < sizes[0]
    code, _, err = coarsest("reduce", str(model), "--by", "simulation", "--lookahead", "2")
    assert code == 2 and "--lookahead belongs to --by direct or delay" in err
