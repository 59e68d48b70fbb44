"""Two circuits are equivalent where no pair of states that inputs lead to has other outputs; if not, the inputs are shortest."""

from __future__ import annotations

import json
from itertools import product
from pathlib import Path

import pytest

import coarsest
from coarsest.api.comparing.circuits import compare_circuits
from coarsest.errors import InputError
from coarsest.formats.aiger.write import to_ascii, to_binary
from coarsest.formats.blif.write import to_text
from coarsest.model.circuit import Circuit
from command_lines import Runner
from oracles import aiger_circuits as oracle
from random_circuits import random_circuit

ROOT = Path(__file__).parents[2]
NAMED = {"i0": "a", "i1": "b", "o0": "x", "o1": "y"}


def some_circuit(seed: int) -> Circuit:
    """Two inputs, two outputs, one first state."""
    circuit = random_circuit(seed, gates=6)
    signals = [row[0] for row in (*circuit.latches, *circuit.gates)]
    latches = [row._replace(reset=row.reset & 1) for row in circuit.latches]
    outputs = [signals[0], signals[-1] ^ 1]
    return Circuit(circuit.inputs, latches, circuit.gates, outputs, symbols=NAMED if len(circuit.inputs) == 2 else {})


def moments_to_difference(one: oracle.Model, other: oracle.Model) -> int | None:
    """How many moments it takes until an output differs, pair by pair; None if that never happens."""
    ring = [(first, second) for first in oracle.initial(one) for second in oracle.initial(other)]
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


def test_several_first_states_and_several_values() -> None:
    text = ".model m\n.outputs y\n.latch q q\n.names q y\n1 1\n.end"
    found = compare_circuits(coarsest.loads(text, format="blif"), coarsest.loads(text, format="blif"))
    assert found.related is None
    assert "may begin in several states" in found.evidence
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
