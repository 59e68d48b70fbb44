"""BENCH and BLIF, and circuits made of machines: the same states and verdicts as those of the definition, state by state."""

from __future__ import annotations

import json
from itertools import chain
from pathlib import Path
from random import Random

import pytest
from msgspec.structs import replace

import coarsest
from coarsest.encode.to_circuit import circuit_of
from coarsest.errors import InputError
from coarsest.formats.aiger.read import to_machine
from coarsest.formats.aiger.write import to_ascii, to_binary
from coarsest.formats.bench.write import to_text as bench
from coarsest.formats.blif.read import read, read_with
from coarsest.formats.blif.write import to_text as blif
from coarsest.logic.expr import FALSE, TRUE
from coarsest.model.circuit import Circuit
from coarsest.model.kinds import PropertyKind
from coarsest.model.machine import Property
from coarsest.space.bdd.order_depth_first import depth_first
from coarsest.text import Source
from command_lines import Runner
from oracles import aiger_circuits as oracle
from random_circuits import random_circuit
from random_machines import random_condition, random_deterministic_machine, random_machine, random_relational_machine

ROOT = Path(__file__).parents[3]
BENCHMARKS = ROOT.parent / "shared" / "benchmarks"
ORACLES = BENCHMARKS / "oracles.json"
KNOWN = json.loads(ORACLES.read_text(encoding="utf-8")) if ORACLES.exists() else {}


def _signal(literal: int) -> str:
    return f"{'n' if literal & 1 else 's'}{literal >> 1}"


def bench_text(circuit: Circuit) -> str:
    """The circuit in BENCH: for each signal its negation, too."""
    signals = [*circuit.inputs, *(row[0] for row in chain(circuit.latches, circuit.gates))]
    lines = ["s0 = gnd", "n0 = VDD", *(f"INPUT({_signal(literal)})" for literal in circuit.inputs)]
    lines += [f"{_signal(literal + 1)} = NOT({_signal(literal)})" for literal in signals]
    lines += [f"{_signal(row.literal)} = DFF({_signal(row.next)}) # a latch" for row in circuit.latches]
    lines += [f"{_signal(gate.literal)} = AND({_signal(gate.left)}, {_signal(gate.right)})" for gate in circuit.gates]
    return "\n".join(lines + [f"OUTPUT({_signal(literal)})" for literal in circuit.outputs])


def blif_text(circuit: Circuit) -> str:
    """The circuit in BLIF: gates are of a model of their own, and negations are in its tables."""
    inputs, outputs = (" ".join(map(_signal, literals)) for literals in (circuit.inputs, circuit.outputs))
    lines = [".model top", f".inputs {inputs}", ".outputs \\", outputs]
    lines += [".names s0", ".names n0", "1"]
    for literal in [*circuit.inputs, *(row[0] for row in chain(circuit.latches, circuit.gates))]:
        lines += [f".names {_signal(literal)} {_signal(literal + 1)}", "1 0"]
    for row in circuit.latches:
        lines.append(f".latch {_signal(row.next)} {_signal(row.literal)} re clock {row.reset if row.reset < 2 else 3}")
    for gate in circuit.gates:
        lines.append(f".subckt both a={_signal(gate.left)} b={_signal(gate.right)} c={_signal(gate.literal)}")
    return "\n".join([*lines, ".end", ".model both", ".inputs a b", ".outputs c", ".names a b c", "0- 0", "-0 0", ".end"])


@pytest.mark.parametrize("seed", range(25))
def test_random_circuits_in_bench_and_blif(seed: int) -> None:
    circuit = random_circuit(seed)
    plain = Circuit(circuit.inputs, circuit.latches, circuit.gates, circuit.outputs)
    zero = Circuit(circuit.inputs, [row._replace(reset=0) for row in circuit.latches], circuit.gates, circuit.outputs)
    for text, format, meant in ((bench_text(zero), "bench", zero), (blif_text(plain), "blif", plain)):
        model, definition = coarsest.loads(text, format=format), oracle.parse(to_ascii(meant))
        assert model.reach().states == len(oracle.reached_states(definition))
        for number, literal in enumerate(meant.outputs):
            assert model.check(f"!{_signal(literal)}").holds is not oracle.is_bad(definition, number)


@pytest.mark.parametrize("seed", range(40))
def test_machines_as_circuits(seed: int) -> None:
    """An invariant of a machine, of states or of steps, fails where its bad state can be reached in the circuit."""
    random = Random(seed)
    machines = (random_machine(random, state_bits=3), random_relational_machine(random, variables=2))
    machine = random.choice([*machines, random_deterministic_machine(random, state_bits=4)])
    claim = Property(PropertyKind.INVARIANT, random_condition(random, machine, inputs=bool(seed % 2)), text="claim")
    machine = replace(machine, properties=(claim,))
    circuit, warnings = circuit_of(machine)
    definition = oracle.parse(to_binary(circuit))
    assert not warnings
    assert coarsest.Model(machine).check().holds is not oracle.is_bad(definition, 0)


@pytest.mark.parametrize("seed", range(60))
def test_justice_comes_back(seed: int) -> None:
    """Of a circuit with constraints, too: what is just there implies them."""
    circuit = random_circuit(seed)
    again, warnings = circuit_of(to_machine(circuit, "x"))
    written, meant = oracle.parse(to_binary(again)), oracle.parse(to_binary(circuit))
    assert not warnings and len(written.justice) == len(meant.justice)
    for number in range(len(meant.justice)):
        assert oracle.can_recur(written, number) == oracle.can_recur(meant, number)


def test_justice_of_paths_that_may_end_is_not_written() -> None:
    text = "MODULE main\nVAR a : boolean;\nTRANS a -> next(a) & !next(a);\nLTLSPEC NAME often := !(G F a);\n"
    circuit, (warning,) = circuit_of(coarsest.loads(text).machine)
    assert not circuit.justice and "do not end" in warning.hint
    circuit, warnings = circuit_of(coarsest.loads(text.replace("G F a", "G F a & G F !a")).machine)
    assert len(circuit.justice) == 1 and not warnings  # where `!a`, there is a step


@pytest.mark.parametrize("seed", range(40))
@pytest.mark.parametrize("format", ["blif", "bench"])
def test_circuits_written_with_names(format: str, seed: int) -> None:
    """Read back, a circuit has the same outputs and bad states; in BLIF, also the same states, whatever they begin with."""
    circuit = random_circuit(seed)
    parts = circuit.inputs, circuit.latches, circuit.gates, circuit.outputs, circuit.bad
    meant = Circuit(*parts, symbols={"o0": "a b", "l0": "n7"})
    text = blif(meant, "top") if format == "blif" else bench(meant, "top")
    model, definition = coarsest.loads(text, format=format), oracle.parse(to_ascii(meant))
    if format == "blif" or all(row.reset == 0 for row in meant.latches):
        assert model.reach().states == len(oracle.reached_states(definition))
    as_bad = oracle.parse(to_ascii(replace(meant, outputs=(), bad=[*meant.outputs, *meant.bad])))
    assert len(model.machine.outputs) == len(as_bad.bad)
    for number, name in enumerate(model.machine.outputs):
        assert model.check(f"!{name}").holds is not oracle.is_bad(as_bad, number)


@pytest.mark.parametrize("seed", range(20))
def test_machines_written_as_blif(seed: int) -> None:
    """From a model to BLIF and back: an output is true where an invariant is false."""
    random = Random(seed)
    machine = random.choice([random_machine(random, state_bits=3), random_relational_machine(random, variables=2)])
    claim = Property(PropertyKind.INVARIANT, random_condition(random, machine, inputs=bool(seed % 2)), name="claim")
    machine = replace(machine, properties=(claim,))
    written = coarsest.loads(blif(circuit_of(machine)[0], "m"), format="blif")
    assert written.check("!claim").holds is coarsest.Model(machine).check().holds


def test_from_smv_to_blif_and_back(run: Runner) -> None:
    answer = run("convert", str(ROOT / "examples" / "counter.smv"), "counter.blif")
    assert "BLIF has no properties: low_bits_agree, carry_means_seven, never_full are outputs that are true" in answer.err
    report = coarsest.load("counter.blif").check("!low_bits_agree", "!carry_means_seven", "!never_full")
    assert [found.verdict.word for found in report] == ["holds", "holds", "fails"]
    assert run("convert", "counter.blif", "again.aag").code == 0
    assert run("convert", "counter.blif", "-", "--to", "aag").out == Path("again.aag").read_text(encoding="utf-8")
    assert run("convert", "again.aag", "again.bench").code == 0
    assert coarsest.load("again.bench").reach().states == coarsest.load("counter.blif").reach().states
    assert coarsest.load("again.aag").reach().states == coarsest.load("counter.blif").reach().states


@pytest.mark.skipif(not KNOWN, reason="shared benchmarks not present")
@pytest.mark.parametrize("name", ["bench/s27", "bench/s386", "bench/s510", "blif/s27", "blif/s386", "blif/mm4a", "blif/s298"])
def test_known_circuits(name: str) -> None:
    path = f"circuits/{name}.{name.partition('/')[0]}"
    reach = coarsest.load(BENCHMARKS / path, format="blif:zero" if "blif" in name else None).reach()
    assert (reach.states, reach.diameter) == (KNOWN[path]["reachable"], KNOWN[path]["depth"] + 1)


@pytest.mark.nightly
@pytest.mark.skipif(not KNOWN, reason="shared benchmarks not present")
@pytest.mark.parametrize("path", sorted(path for path in KNOWN if path.startswith("circuits/") and KNOWN[path]["latches"] <= 21))
def test_all_known_circuits(path: str) -> None:
    if KNOWN[path]["depth"] <= 1000:
        reach = coarsest.load(BENCHMARKS / path, format="blif:zero" if path.endswith("blif") else None).reach()
        assert (reach.states, reach.diameter) == (KNOWN[path]["reachable"], KNOWN[path]["depth"] + 1)


@pytest.mark.skipif(not KNOWN, reason="shared benchmarks not present")
def test_all_circuits_are_read() -> None:
    files = [path for path in sorted((BENCHMARKS / "circuits").rglob("*.b*")) if path.stat().st_size < 100_000]
    assert len(files) >= 40
    for path in files:
        assert coarsest.load(path).machine.state_variables


def test_circuits_on_the_command_line(run: Runner) -> None:
    blif, bench = str(ROOT / "examples" / "arbiter.blif"), str(ROOT / "examples" / "toggle.bench")
    assert run("reach", blif).out.startswith("states    2\n")
    assert run("check", bench, "!both", "AG EF two").code == 0
    assert run("convert", bench, "toggle.aig").code == 0
    assert coarsest.load("toggle.aig").reach().states == 3
    assert run("convert", "toggle.aig", "toggle.aag").code == 0
    assert run("convert", "toggle.aag", "toggle.smv").code == 0
    assert coarsest.load("toggle.smv").reach().states == 3
    assert run("convert", bench, "-", "--to", "aiger").out == to_ascii(circuit_of(coarsest.load(bench).machine)[0]).decode()
    assert run("check", blif, "--format", "blif:cell", "served -> ask").code == 0
    assert "there is no model `cel`" in run("check", blif, "--format", "blif:cel").err


def test_what_cannot_be_written_is_said(run: Runner) -> None:
    text = "MODULE main VAR b : boolean; LTLSPEC NAME l := F b; LTLSPEC NAME j := !(G F b & G F !b); COMPASSION (b, b);"
    Path("m.smv").write_text(text, encoding="utf-8")
    answer = run("convert", "m.smv", "m.aag")
    assert "the property `l` is not written" in answer.err
    assert "AIGER cannot express compassion" in answer.err
    circuit, _ = circuit_of(coarsest.loads(text.replace("COMPASSION (b, b);", "")).machine)
    assert oracle.can_recur(oracle.parse(to_ascii(circuit)), 0)


@pytest.mark.parametrize("seed", range(20))
def test_an_order_from_the_gates(seed: int) -> None:
    """Depth-first meets every variable once, and the order changes nothing that is counted."""
    random = Random(seed)
    machines = [random_machine(random, state_bits=3), to_machine(random_circuit(seed), "x")]
    for machine in machines:
        assert sorted(depth_first(machine)) == sorted(machine.variables)
        model = coarsest.Model(machine)
        assert model.reach(order="depth-first").states == model.reach(order="declaration").states


def test_the_deepest_gate_comes_first() -> None:
    text = "INPUT(a)\nINPUT(b)\nINPUT(c)\nOUTPUT(y)\ny = AND(a, z)\nz = OR(b, w)\nw = NOT(c)\nq = DFF(a)\n"
    assert depth_first(coarsest.loads(text, format="bench").machine) == ["c", "b", "a", "q"]


def test_first_values_of_latches() -> None:
    text = ".model m\n.latch a a 0\n.latch b b 1\n.latch c c 2\n.latch d d 3\n.latch e e\n.latch f f re NIL 1\n.end"
    assert read(Source("m.blif", text)).initial_values == {"a": FALSE, "b": TRUE, "f": TRUE}
    assert len(read_with(Source("m.blif", text), "zero").initial_values) == 6


def test_external_dont_cares_and_clocks() -> None:
    text = ".model m\n.inputs a\n.outputs y\n.clock c\n.names a c y\n11 1\n.exdc\n.names a y\n1 1\n.end\n"
    model = coarsest.loads(text, format="blif")
    assert list(model.machine.variables) == ["a", "c"]
    assert not model.warnings and model.check("AG (dont_care.y <-> a)").holds


def test_a_small_file_that_means_too_much() -> None:
    models = [f".model m{n}\n.inputs a\n.subckt m{n + 1} a=a\n.subckt m{n + 1} a=a\n.end" for n in range(60)]
    with pytest.raises(InputError, match="more than 5000000 signals"):
        coarsest.loads("\n".join([*models, ".model m60", ".inputs a", ".end"]), format="blif")


def test_a_signal_without_source_may_have_any_value() -> None:
    model = coarsest.loads("INPUT(request1)\nOUTPUT(y)\ny = AND(request1, request2)\nOUTPUT(z)", format="bench")
    assert [variable.name for variable in model.machine.input_variables] == ["request1", "request2", "z"]
    assert [(warning.message, warning.hint) for warning in model.warnings] == [
        ("`request2` has no source: it is read as an input", "did you mean `request1`?"),
        ("`z` has no source: it is read as an input", ""),
    ]
