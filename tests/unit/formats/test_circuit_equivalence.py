"""Two circuits are equivalent where no pair of states that inputs lead to has other outputs; if not, the inputs are shortest."""

from __future__ import annotations

import json
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

import coarsest
from coarsest.api.comparing.circuits import compare_circuits
from coarsest.errors import InputError
from coarsest.formats.aiger.write import to_ascii, to_binary
from coarsest.formats.blif.write import to_text
from coarsest.model.circuit import Circuit
from command_lines import Runner
from oracles import aiger_circuits as oracle
from random_circuits import random_circuit

ROOT = Path(__file__).parents[3]
NAMED = {"i0": "a", "i1": "b", "o0": "x", "o1": "y"}


def some_circuit(seed: int) -> Circuit:
    """Two inputs, two outputs, one first state."""
    circuit = random_circuit(seed, gates=6)
    signals = [row[0] for row in (*circuit.latches, *circuit.gates)]
    latches = [row._replace(reset=row.reset & 1) for row in circuit.latches]
    outputs = [signals[0], signals[-1] ^ 1]
    return Circuit(circuit.inputs, latches, circuit.gates, outputs, symbols=NAMED if len(circuit.inputs) == 2 else {})


def moments_to_difference(one: oracle.Model, other: oracle.Model, ring: list[Any] | None = None) -> int | None:
    """How many moments it takes until an output differs, pair by pair; None if that never happens."""
    ring = ring or [(first, second) for first in oracle.initial(one) for second in oracle.initial(other)]
    visited, depth = set(ring), 1
    while ring:
        after = []
        for pair in ring:
            for inputs in product((0, 1), repeat=one.inputs):
                nows = [oracle.Now(model, state, inputs) for model, state in zip((one, other), pair)]
                values = [[now.of(literal) for literal in now.model.outputs] for now in nows]
                if values[0] != values[1]:
                    return depth
                follows = (nows[0].after, nows[1].after)
                if follows not in visited:
                    visited.add(follows)
                    after.append(follows)
        ring, depth = after, depth + 1
    return None


def pairs() -> list[tuple[int, int]]:
    """Circuits with as many inputs as each other."""
    seeds = [seed for seed in range(60) if len(some_circuit(seed).inputs) == 2][:12]
    return [(one, other) for one in seeds for other in seeds if one <= other][:40]


@pytest.mark.parametrize(("one", "other"), pairs())
def test_random_circuits(one: int, other: int) -> None:
    circuits = [some_circuit(one), some_circuit(other)]
    definitions = [oracle.parse(to_ascii(circuit)) for circuit in circuits]
    models = [coarsest.loads(to_binary(circuits[0]), format="aiger"), coarsest.loads(to_text(circuits[1], "m"), format="blif")]
    expected = moments_to_difference(definitions[0], definitions[1])
    found = compare_circuits(*models)
    assert found.confirmed
    assert found.related is (expected is None)
    if expected is not None:
        assert len(found.moments) == expected
        states = [oracle.initial(definition)[0] for definition in definitions]
        for moment in found.moments:
            inputs = tuple(int(moment[name] is True) for name in ("a", "b"))
            nows = [oracle.Now(model, state, inputs) for model, state in zip(definitions, states)]
            for side, now in zip(("first", "second"), nows):
                assert [int(moment[f"{side}.{name}"] is True) for name in "xy"] == [now.of(at) for at in now.model.outputs]
            states = [now.after for now in nows]
        assert found.differing


ONE = "INPUT(a)\nINPUT(b)\nOUTPUT(y)\nq = DFF(d)\nd = AND(a, b)\ny = NOT(q)\n"


def test_names_or_positions(run: Runner) -> None:
    Path("one.bench").write_text(ONE)
    Path("other.bench").write_text(ONE.replace("(a", "(c").replace("y", "z"))
    answer = run("compare", "one.bench", "other.bench")
    assert answer.code == 0
    assert "the inputs have other names: they are compared by position" in answer.out
    assert "the outputs have other names: they are compared by position" in answer.out
    swapped = ONE.replace("INPUT(a)\nINPUT(b)", "INPUT(b)\nINPUT(a)").replace("(a, b)", "(a, n)") + "n = BUF(b)\n"
    Path("other.bench").write_text(swapped)
    assert "position" not in run("compare", "one.bench", "other.bench").out
    Path("other.bench").write_text(ONE + "OUTPUT(z)\nz = NOT(a)\n")
    answer = run("compare", "one.bench", "other.bench")
    assert answer.code == 2
    assert "the outputs do not fit: there are 1 and 2, and `z` is in one circuit only" in answer.err


def test_inputs_in_files(run: Runner) -> None:
    Path("one.bench").write_text(ONE)
    Path("other.bench").write_text(ONE.replace("AND", "OR"))
    assert run("compare", "one.bench", "other.bench", "-o", "x.stim").code == 1
    assert len(Path("x.stim").read_text().splitlines()) == 3
    assert run("compare", "one.bench", "other.bench", "-o", "x.vcd").code == 1
    assert "$scope module second $end" in Path("x.vcd").read_text()
    facts = json.loads(run("compare", "one.bench", "other.bench", "--json").out)
    assert facts["related"] is False
    assert facts["outputs"] == ["y"]
    assert run("compare", "one.bench", "one.bench", "-o", "y.vcd").code == 0
    assert not Path("y.vcd").exists()
    assert run("compare", "one.bench", "other.bench", "--observe", "y", "-o", "x.vcd").code == 2
    assert run("compare", "one.bench", "other.bench", "--observe", "y", "--actions", "a", "b").code == 1


@pytest.mark.parametrize("seed", [seed for seed in range(60) if len(some_circuit(seed).inputs) == 2][:20])
def test_latches_that_begin_with_any_value(seed: int) -> None:
    """A circuit is equivalent to itself; where another gate is negated, it is found so only if every first state of each has one
    of the other that goes with it."""
    one = some_circuit(seed)
    one = replace(one, latches=[row._replace(reset=row.literal) for row in one.latches])
    gate = one.gates[seed % len(one.gates)]
    other = replace(one, gates=[row._replace(left=row.left ^ (row is gate)) for row in one.gates])
    models = [coarsest.loads(to_binary(circuit), format="aiger") for circuit in (one, other)]
    assert compare_circuits(models[0], models[0]).related is True
    definitions = [oracle.parse(to_ascii(circuit)) for circuit in (one, other)]
    starts = [oracle.initial(definition) for definition in definitions]
    alike = {(a, b) for a in starts[0] for b in starts[1] if from_there(definitions, a, b)}
    related = {a for a, _ in alike} == set(starts[0]) and {b for _, b in alike} == set(starts[1])
    assert compare_circuits(*models).related in ((True, None) if related else (None,))


def from_there(definitions: list[oracle.Model], first: tuple[int, ...], second: tuple[int, ...]) -> bool:
    """Are the outputs equal for ever, whatever the inputs are?"""
    return moments_to_difference(*definitions, ring=[(first, second)]) is None


def test_where_outputs_do_not_matter_they_are_not_compared() -> None:
    """As one of the circuits has it; a difference elsewhere is found after it, and told at the moment at which it matters."""
    text = ".model m\n.inputs a\n.outputs y\n.latch a q 0\n.names a q y\n11 1\n{exdc}.end"
    exdc = ".exdc\n.names a t\n0 1\n.names t y\n1 1\n"
    plain, free = (coarsest.loads(text.format(exdc=part), format="blif") for part in ("", exdc))
    also = coarsest.loads(text.format(exdc="").replace("11 1", "-1 1"), format="blif")
    never = coarsest.loads(text.format(exdc="").replace("11 1", "1- 0\n-1 0"), format="blif")
    assert compare_circuits(plain, also).related is False
    assert compare_circuits(free, also).related is compare_circuits(also, free).related is True
    found = compare_circuits(free, never)
    assert found.related is False and found.differing == ("y",)
    assert [moment["a"] for moment in found.moments] == [True, True]  # at first, y matters not, or is the same


def test_several_first_states_and_several_values() -> None:
    text = ".model m\n.outputs y\n.latch q q\n.names q y\n1 1\n.end"
    found = compare_circuits(coarsest.loads(text, format="blif"), coarsest.loads(text.replace("q", "r"), format="blif"))
    assert found.related is None
    assert "with several initial states" in found.evidence
    same = text.replace("1 1\n", "- 1\n")
    assert compare_circuits(coarsest.loads(same, format="blif"), coarsest.loads(same, format="blif")).related
    light = coarsest.load(ROOT / "examples" / "crossing.mv")
    assert compare_circuits(light, light).related
    coin = ".model m\n.outputs y\n.table {0}\n-\n.table {0} y\n- =x\n.end"
    coins = [coarsest.loads(coin.replace("=x", "={0}").format(name), format="blif-mv") for name in ("one", "other")]
    assert compare_circuits(coins[0], coins[0]).related
    assert compare_circuits(coins[0], coins[1]).related is None
    constrained = coarsest.loads(b"aag 1 1 0 1 0 0 1\n2\n2\n2\n", format="aiger")
    with pytest.raises(InputError, match="has constraints"):
        compare_circuits(constrained, constrained)
