"""Fair simulations of files: what automata and models mean by fairness, and evidence that is damaged is rejected."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

import coarsest
from coarsest.errors import CoarsestError
from coarsest.lts.certificate_json import certificate_of, certificate_to_object
from coarsest.lts.compare.compare_graphs import compare_graphs
from coarsest.lts.fair import FairGraph
from coarsest.lts.judge.confirm_graphs import confirm_comparison
from coarsest.lts.relations import judge_of
from command_lines import Runner
from random_fair_graphs import random_fair_graph

BUCHI = "HOA: v1\nStates: 2\nStart: 0\nAP: 1 \"p\"\nAcceptance: 1 Inf(0)\n--BODY--\n"
TOGETHER = BUCHI + "State: 0 {0}\n[t] 1\nState: 1\n[t] 0\n--END--\n"
APART = BUCHI + "State: 0 {0}\n[0] 1\n[!0] 1\nState: 1\n[0] 0\n[!0] 0\n--END--\n"
ON_EDGES = BUCHI + "State: 0\n[0] 1 {0}\n[!0] 1\nState: 1\n[t] 0\n--END--\n"
NEVER = BUCHI + "State: 0\n[t] 1\nState: 1\n[t] 0\n--END--\n"


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name, text in {"together": TOGETHER, "apart": APART, "edges": ON_EDGES, "never": NEVER}.items():
        Path(f"{name}.hoa").write_text(text)


@pytest.mark.usefixtures("files")
@pytest.mark.parametrize("by", ["direct", "delay", "game", "exists"])
def test_letters_count_and_not_the_texts_of_guards(run: Runner, by: str) -> None:
    assert run("compare", "together.hoa", "apart.hoa", "--by", by, "--certificate", "c.json").code == 0
    assert run("confirm", "together.hoa", "apart.hoa", "c.json").code == 0
    assert run("compare", "edges.hoa", "together.hoa", "--by", by, "--preorder").code == (1 if by == "direct" else 0)
    assert run("compare", "together.hoa", "edges.hoa", "--by", by, "--preorder").code == 1
    lost = run("compare", "together.hoa", "never.hoa", "--by", by, "--certificate", "c.json")
    assert lost.code == 1
    told = run("confirm", "together.hoa", "never.hoa", "c.json")
    assert (told.code, told.out) == (0, f"confirmed: together.hoa and never.hoa are not related by {by}\n")
    assert run("confirm", "together.hoa", "apart.hoa", "c.json").code == 1
    assert run("compare", "never.hoa", "together.hoa", "--by", by, "--preorder").code == 0


@pytest.mark.usefixtures("files")
def test_what_is_refused(run: Runner) -> None:
    Path("g.aut").write_text('des (0, 1, 1)\n(0, "a", 0)\n')
    assert "compared with an automaton" in run("compare", "g.aut", "never.hoa", "--by", "game").err
    Path("m.smv").write_text("MODULE main VAR x : boolean; COMPASSION(x, !x)")
    assert "COMPASSION" in run("compare", "m.smv", "m.smv", "--observe", "x", "--by", "game").err
    assert "a model is compared with a model" in run("compare", "m.smv", "g.aut", "--observe", "x", "--by", "game").err


def test_generalised_fairness_of_models() -> None:
    text = "MODULE main VAR x : 0..2; {more}"
    both, one = (coarsest.loads(text.format(more=more)) for more in ("JUSTICE x = 0; JUSTICE x = 1;", "JUSTICE x = 0;"))
    for by in ("direct", "delay", "game", "exists"):
        assert coarsest.compare(both, one, observe=["x"], by=by, preorder=True).related
        assert not coarsest.compare(one, both, observe=["x"], by=by, preorder=True).related


def damaged(value: Any) -> Iterator[Any]:
    """The same with one number, word or entry changed."""
    match value:
        case bool():
            yield not value
        case int():
            yield value + 1
            yield "x"
        case str():
            yield value + "x"
        case list():
            for place, one in enumerate(value):
                yield value[:place] + value[place + 1 :]
                for other in damaged(one):
                    yield [*value[:place], other, *value[place + 1 :]]
        case dict():
            for key, one in value.items():
                for other in damaged(one):
                    yield {**value, key: other}


def accepts(first: FairGraph, second: FairGraph, fields: dict[str, Any]) -> bool:
    try:
        certificate = certificate_of(fields)
        judge = judge_of(certificate)
        return judge is not None and confirm_comparison(first, second, certificate, judge).accepted
    except CoarsestError:
        return False


@pytest.mark.parametrize("by", ["direct", "delay", "game", "exists"])
def test_no_damaged_certificate_is_believed_of_what_is_not_so(by: str) -> None:
    """A changed certificate may still be one, for the same claim; never one for the opposite."""
    looked_at = 0
    for seed in range(16):
        random = Random(seed)
        first, second = (random_fair_graph(random, states=3) for _ in range(2))
        fields = json.loads(json.dumps(certificate_to_object(compare_graphs(first, second, by=by).evidence)))  # type: ignore[arg-type]
        assert accepts(first, second, fields)
        other, another = (random_fair_graph(random, states=3) for _ in range(2))
        answers = {preorder: compare_graphs(other, another, by=by, preorder=preorder).related for preorder in (True, False)}
        for some in [fields, *damaged(fields)][:150]:
            if accepts(other, another, some):
                refutes = some.get("kind") == "lassos" or some.get("player") == "spoiler"
                relation = some["relation"]
                known = answers if relation == by else {
                    preorder: compare_graphs(other, another, by=relation, preorder=preorder).related for preorder in (True, False)
                }  # fmt: skip
                assert known[bool(some["preorder"])] != refutes
            looked_at += 1
    assert looked_at > 100
