"""A kind of property is a row of one table: one from outside is read, written, checked, reduced and shown as any other is."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from random import Random

import pytest

import coarsest
from coarsest.evidence.verdict import shown_trace
from coarsest.formats.smv.write import write
from coarsest.logic.expr import Apply
from coarsest.model.kinds import KINDS, PropertyKind, kind_named, registered
from coarsest.model.machine import Property
from coarsest.render.data.json import answer_to_object
from oracles.brute_force import BruteForce
from random_expressions import Expressions
from random_machines import seeded_machine
from toy_kind import COVER

MODEL = "MODULE main VAR x : 0..7; ASSIGN init(x) := 0; next(x) := x < 5 ? x + 1 : 0; INVARSPEC x < 6; COVER x = 3; COVER x = 6;"


@pytest.fixture(autouse=True)
def _cover() -> Iterator[None]:
    with registered(COVER):
        yield


@pytest.mark.parametrize("options", [{}, {"engine": "ic3"}, {"carrier": "explicit"}, {"reduce": "bisimulation"}])
def test_a_kind_from_outside_agrees_with_the_definition(options: dict[str, str]) -> None:
    words = set()
    for seed in range(20):
        machine = seeded_machine(7000 + seed)
        oracle = BruteForce(machine)
        expressions = Expressions(Random(seed), {v.name: v.type for v in machine.state_variables})
        for wanted in [expressions.boolean(3) for _ in range(2)]:
            distance = oracle.shortest_counterexample(Apply("not", (wanted,)))
            (answer,) = coarsest.Model(machine).check(Property(COVER, wanted), **options).answers
            assert (answer.verdict.word, answer.confirmed) == ("fails" if distance is None else "holds", True), seed
            if distance is not None and not options:
                assert len(shown_trace(answer) or ()) == distance
            words.add(answer.verdict.word)
    assert words == {"holds", "fails"}


def test_it_is_read_and_written_and_shown() -> None:
    model = coarsest.loads(MODEL)
    again = coarsest.loads(write(model.machine))
    for each in (model, again):
        assert [(str(claim.kind), claim.text) for claim in each.properties] == [
            ("invariant", "x < 6"), ("cover", "x = 3"), ("cover", "x = 6"),
        ]  # fmt: skip
    answers = model.check().answers
    assert [answer.verdict.word for answer in answers] == ["holds", "holds", "fails"]
    assert answer_to_object(answers[1])["kind"] == "cover"
    with pytest.raises(coarsest.InputError, match="cannot stand in a condition on a single state"):
        coarsest.loads(MODEL.replace("COVER x = 6", "COVER F x = 6"))


def test_what_is_no_engine_for_it_is_refused_in_its_words() -> None:
    with pytest.raises(coarsest.InputError, match="--engine tableau cannot decide conditions to cover"):
        coarsest.loads(MODEL).check(Property(COVER, coarsest.loads(MODEL).formula("x = 3").formula), engine="tableau")


@pytest.mark.parametrize("kind", KINDS, ids=str)
def test_every_function_that_a_kind_names_is_there(kind: PropertyKind) -> None:
    assert kind_named(kind.value) == kind == kind.value
    for name in filter(None, (kind.decide, kind.on_states, kind.replay, kind.explain)):
        module, _, function = name.partition(":")
        assert callable(getattr(import_module(module), function))
