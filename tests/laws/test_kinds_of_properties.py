"""A kind of property is a row of one table: one from outside is read, written, checked, replayed and shown as any other is."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from random import Random

import pytest

import coarsest
from coarsest.formats.smv.write import write
from coarsest.model.interpret.interpret import Interpreter
from coarsest.model.kinds import KINDS, PropertyKind, kind_named, registered
from coarsest.model.machine import Property
from coarsest.render.data.json import answer_to_object
from random_expressions import Expressions
from random_machines import seeded_machine
from toy_kind import BEGIN

MODEL = "MODULE main VAR x : 0..7; ASSIGN init(x) := {0, 2}; next(x) := x; INVARSPEC x < 6; BEGIN x < 3; BEGIN x = 0;"


@pytest.fixture(autouse=True)
def _begin() -> Iterator[None]:
    with registered(BEGIN):
        yield


@pytest.mark.parametrize("options", [{}, {"carrier": "explicit"}, {"reduce": "bisimulation"}, {"reduce": "symmetry"}], ids=str)
def test_a_kind_from_outside_agrees_with_the_definition(options: dict[str, str]) -> None:
    words = set()
    for seed in range(20):
        machine = seeded_machine(7000 + seed)
        interpreter = Interpreter(machine)
        expressions = Expressions(Random(seed), {v.name: v.type for v in machine.state_variables})
        for good in [expressions.boolean(3) for _ in range(2)]:
            expected = all(interpreter.satisfies(good, state) for state in interpreter.initial_states())
            (answer,) = coarsest.Model(machine).check(Property(BEGIN, good), **options).answers
            assert answer.verdict.word == ("holds" if expected else "fails"), seed
            assert expected or answer.confirmed
            words.add(answer.verdict.word)
    assert words == {"holds", "fails"}


def test_it_is_read_and_written_and_shown_and_replayed() -> None:
    model = coarsest.loads(MODEL)
    for each in (model, coarsest.loads(write(model.machine))):
        assert [(str(claim.kind), claim.text) for claim in each.properties] == [
            ("invariant", "x < 6"), ("begin", "x < 3"), ("begin", "x = 0"),
        ]  # fmt: skip
    answers = model.check().answers
    assert [answer.verdict.word for answer in answers] == ["holds", "holds", "fails"]
    evidence = answer_to_object(answers[2])
    assert evidence["kind"] == "begin"
    about = {key: evidence[key] for key in ("name", "kind", "formula")}
    assert coarsest.confirm({**evidence["trace"], **about}, model).accepted
    wrong = {**evidence["trace"], **about, "states": [{"x": 0}]}
    assert coarsest.confirm(wrong, model).accepted is False
    with pytest.raises(coarsest.InputError, match="cannot stand in a condition on a single state"):
        coarsest.loads(MODEL.replace("BEGIN x = 0", "BEGIN F x = 0"))


def test_what_is_no_engine_for_it_is_refused_in_its_words() -> None:
    model = coarsest.loads(MODEL)
    with pytest.raises(coarsest.InputError, match="--engine ic3 cannot decide conditions at the beginning"):
        model.check(model.properties[1], engine="ic3")


@pytest.mark.parametrize("kind", KINDS, ids=str)
def test_every_function_that_a_kind_names_is_there(kind: PropertyKind) -> None:
    assert kind_named(kind.value) == kind == kind.value
    for name in filter(None, (kind.decide, kind.on_states, kind.replay, kind.explain, kind.asked, kind.answered)):
        module, _, function = name.partition(":")
        assert callable(getattr(import_module(module), function))
