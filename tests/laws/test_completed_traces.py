"""States and steps of which only a part is known: what completes them is a state or a step, mostly without a search."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import NoReturn, cast

import pytest

import coarsest
from coarsest.errors import EvidenceRejected, InputError
from coarsest.evidence.verdict import Fails
from coarsest.formats.aiger.write import to_ascii
from coarsest.logic.expr import Value
from coarsest.model.interpret import interpret
from coarsest.model.interpret.closures import Frame
from coarsest.model.interpret.interpret import Interpreter
from coarsest.model.interpret.requirements import ValueEquation
from random_circuits import random_circuit
from random_machines import seeded_machine

WALKS, STEPS = 120, 4


def some_of(rng: Random, values: Mapping[str, Value]) -> dict[str, Value]:
    return {name: value for name, value in values.items() if rng.random() < 0.5}


def test_what_is_completed_is_a_walk() -> None:
    lengths = set()
    for seed in range(WALKS):
        rng, machine = Random(seed), seeded_machine(seed)
        interpreter = Interpreter(machine)
        try:
            state = next(interpreter.initial_states(rng), None)
        except InputError:  # an expression without a value somewhere
            continue
        if state is None:
            continue
        part = some_of(rng, state)
        completed = interpreter.complete_initial(part)
        assert interpreter.why_not_initial(completed) is None and part.items() <= completed.items(), seed
        for step in range(STEPS):
            try:
                found = next(interpreter.successors(state, rng), None)
            except InputError:
                break
            if found is None:
                with pytest.raises((EvidenceRejected, InputError)):
                    interpreter.complete_step(state, {}, {})
                break
            given, after = some_of(rng, found[0]), some_of(rng, found[1])
            inputs, completed = interpreter.complete_step(state, given, after)
            assert interpreter.why_not_step(state, inputs, completed) is None, seed
            assert given.items() <= inputs.items() and after.items() <= completed.items(), seed
            state = completed
            lengths.add(step + 1)
    assert lengths == set(range(1, STEPS + 1))


def test_a_circuit_is_simulated_outside_the_cone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Inputs that have no influence on the property are false there."""

    def refuse(*_: object) -> NoReturn:
        raise AssertionError("a search was begun")

    monkeypatch.setattr(interpret, "search_for", refuse)
    count = 300
    inputs = "".join(f"IVAR i{k} : boolean; " for k in range(count))
    latches = "".join(f"VAR l{k} : boolean; " for k in range(count))
    following = (f"l{(k + 1) % count} xor (i{k} | !l{(7 * k) % count})" for k in range(count))
    steps = "".join(f"init(l{k}) := TRUE; next(l{k}) := {value}; " for k, value in enumerate(following))
    counter = "VAR n : 0..7; ASSIGN init(n) := 0; next(n) := n < 7 ? n + 1 : 0; "
    (answer,) = coarsest.loads(f"MODULE main {inputs}{latches}{counter}{steps}").check("n != 4").answers
    assert isinstance(answer.verdict, Fails) and answer.confirmed
    trace = answer.verdict.trace
    assert trace is not None and len(trace) == 5
    assert all(len(state) == count + 1 for state in trace.states)
    assert all(not any(step.values()) and len(step) == count for step in trace.inputs)


class LinkOfAChain:
    """An equation that needs the next one of a chain. It counts how often somebody asks what it needs."""

    asked = 0

    def __init__(self, place: int, last: int) -> None:
        self.place, self.last = place, last

    @property
    def needs(self) -> int:
        LinkOfAChain.asked += 1
        return 0 if self.place == self.last else 1 << self.place + 1

    def candidates(self, frame: Frame) -> tuple[Value, ...]:
        return (True,) if self.place == self.last else (not frame[self.place + 1],)


@pytest.mark.parametrize("forwards", [True, False])
def test_a_chain_of_equations_is_followed_once(forwards: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(LinkOfAChain, "asked", 0)
    length = 500
    places = range(length) if forwards else range(length - 1, -1, -1)
    chain = {place: cast(ValueEquation, LinkOfAChain(place, length - 1)) for place in places}
    frame: Frame = [None] * length
    assert interpret._filled(frame, chain)
    assert frame == [(length - 1 - place) % 2 == 0 for place in range(length)]
    assert LinkOfAChain.asked <= 2 * length


def test_counterexamples_of_circuits_are_completed_without_search(monkeypatch: pytest.MonkeyPatch) -> None:
    """Latches that begin with any value and constraints change nothing: what is left out has equations, or any value."""

    def no_search(*_: object) -> NoReturn:
        raise AssertionError("a search completes the trace")

    monkeypatch.setattr(interpret, "search_for", no_search)
    traces = 0
    for seed in range(150):
        try:
            model = coarsest.loads(to_ascii(random_circuit(seed, gates=12)), format="aiger")
        except InputError:
            continue
        for claim in model.properties:
            if claim.kind.is_invariant:
                (answer,) = model.check(claim, engine="ic3", confirm="never")
                if isinstance(answer.verdict, Fails):
                    traces += 1
    assert traces > 20
