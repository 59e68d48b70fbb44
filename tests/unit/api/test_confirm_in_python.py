"""What the command line tells of reductions and evidence, Python users get as well, word for word."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from msgspec import to_builtins

import coarsest
from coarsest.errors import InputError
from coarsest.text import Source
from command_lines import Runner

EXAMPLES = Path(__file__).parents[3] / "examples"
MUTEX, TEA = str(EXAMPLES / "mutex.smv"), str(EXAMPLES / "coffee_or_tea.aut")
FRAME = ("schema", "model", "models", "evidence", "seconds", "warnings")


def without_time(text: str) -> dict[str, Any]:
    told: dict[str, Any] = json.loads(text)
    return {key: value for key, value in told.items() if key not in FRAME}


def test_facts_are_those_of_the_command_line(run: Runner) -> None:
    graph, model = coarsest.read_graph(TEA).reduce(by="simulation"), coarsest.load(MUTEX).reduce()
    assert to_builtins(graph.facts) == without_time(run("reduce", TEA, "--by", "simulation", "--json").out)
    told = without_time(run("reduce", MUTEX, "--json").out)
    facts = json.loads(json.dumps(to_builtins(model.facts)))
    assert {**facts, "statistics": {}} == {**told, "statistics": {}}


def test_traces_and_proofs(run: Runner, tmp_path: Path) -> None:
    from coarsest.api.confirm import evidence_of

    model, proof = coarsest.load(MUTEX), tmp_path / "proof.json"
    report = run("check", MUTEX, "--json", "--certificate", str(proof)).out
    for text in (report, proof.read_text()):
        confirmation = coarsest.confirm(evidence_of(Source("evidence", text)), model)
        assert confirmation.accepted, confirmation
        (tmp_path / "evidence.json").write_text(text)
        told = without_time(run("confirm", MUTEX, str(tmp_path / "evidence.json"), "--json").out)
        assert to_builtins(confirmation) == told


def test_a_report_is_what_the_command_line_writes(run: Runner, tmp_path: Path) -> None:
    model, proof = coarsest.load(MUTEX), tmp_path / "proof.json"
    told = json.loads(run("check", MUTEX, "--json", "--certificate", str(proof)).out)
    report = model.check(certificates=True)
    assert {**report.certificate(), "model": MUTEX} == json.loads(proof.read_text())
    assert report.to_object().keys() == told.keys()
    assert [one["trace"] for one in report.to_object()["properties"]] == [one["trace"] for one in told["properties"]]
    for evidence in (report.to_object(), report.certificate(), proof):
        assert coarsest.confirm(evidence, model).accepted


def test_a_trace_of_an_automaton(run: Runner) -> None:
    never = Path("never.hoa")
    never.write_text('HOA: v1\nStart: 0\nAP: 1 "on"\nAcceptance: 0 t\n--BODY--\nState: 0 [t] 0\n--END--\n')
    Path("m.smv").write_text("MODULE main VAR on : boolean;")
    Path("trace.json").write_text(run("check", "m.smv", "--automaton", "never.hoa", "--trace", "json").out)
    model, evidence = coarsest.load("m.smv"), json.loads(Path("trace.json").read_text())
    told = without_time(run("confirm", "m.smv", "trace.json", "--automaton", "never.hoa", "--json").out)
    assert to_builtins(coarsest.confirm(evidence, model, automata=[never])) == told
    assert told["accepted"] is True
    with pytest.raises(InputError, match="must be at hand"):
        coarsest.confirm(evidence, model)
    graph = coarsest.read_graph(TEA)
    for other in (graph.certify(), {"kind": "properties"}):
        with pytest.raises(InputError, match="--automaton is for traces, not for certificates"):
            coarsest.confirm(other, graph, automata=[never])


def test_evidence_about_something_else() -> None:
    graph, model = coarsest.read_graph(TEA), coarsest.load(MUTEX)
    with pytest.raises(InputError, match="about graphs"):
        coarsest.confirm(graph.certify(), model)
    with pytest.raises(InputError, match="about a model"):
        coarsest.confirm({"states": []}, graph)
    with pytest.raises(InputError, match="one graph or two, not 0"):
        coarsest.confirm(graph.certify())
