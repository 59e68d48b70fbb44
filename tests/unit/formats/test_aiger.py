"""AIGER: both forms are read and written, and what is decided is what the states say one by one."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import pytest

import coarsest
from coarsest.files import Contents
from coarsest.formats.aiger import bytes_of_gates
from coarsest.formats.aiger.read import read, to_machine
from coarsest.formats.aiger.scan import scan
from coarsest.formats.aiger.write import to_ascii, to_binary
from coarsest.model.circuit import Circuit, Gate, Latch
from coarsest.model.kinds import PropertyKind
from coarsest.render.data.aiger_witness import witness_to_text
from command_lines import Runner
from oracles import aiger_circuits as oracle
from random_circuits import random_circuit

BENCHMARKS = Path(__file__).parents[4] / "shared" / "benchmarks"
ORACLES = BENCHMARKS / "oracles.json"
KNOWN = json.loads(ORACLES.read_text(encoding="utf-8")) if ORACLES.exists() else {}
SMALL = ("hwmcc08/bj08autg3f2", "hwmcc08/pdtvisgray0", "hwmcc11-live/lmcs06short1", "hwmcc11-live/lmcs06counter0")
FEW_LATCHES = sorted(path for path in KNOWN if path.startswith("aiger/hwmcc") and KNOWN[path]["latches"] <= 12)
TOGGLE = b"aag 3 1 1 0 1 1 1\n2\n4 3\n6\n5\n6 4 2\ni0 go\nl0 on\nb0 both\nc\nby hand\n"


@pytest.mark.parametrize("seed", range(40))
def test_both_forms_say_the_same(seed: int) -> None:
    circuit = random_circuit(seed)
    again, binary = scan(to_ascii(circuit), "x.aag"), scan(to_binary(circuit), "x.aig")
    assert to_ascii(again) == to_ascii(circuit)
    assert to_binary(binary) == to_binary(circuit)
    assert oracle.parse(to_ascii(circuit))[1:7] == oracle.parse(to_binary(circuit))[1:7]
    one, other = (coarsest.Model(to_machine(read_circuit, "x")) for read_circuit in (again, binary))
    assert one.reach().states == other.reach().states


def test_gates_one_by_one_are_those_of_the_arrays(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where bytes are wrong: whoever reads them, the same is said."""
    random = Random(7)
    texts = [bytes(random.choice((0, 1, 2, 3, 5, 0x81, 0x82, 0xFF)) for _ in range(random.randrange(1, 24))) for _ in range(400)]
    cases = [(text, before, count) for text in texts for before in (3, 4000) for count in (1, 2, 4)]
    one_by_one = [bytes_of_gates.gates_of(text, 0, before, count) for text, before, count in cases]
    monkeypatch.setattr("coarsest.tuning.GATES_WITHOUT_NUMPY", 0)
    assert one_by_one == [bytes_of_gates.gates_of(text, 0, before, count) for text, before, count in cases]
    assert {problem.partition(" ")[0] for _, _, problem in one_by_one} == {"", "a", "and-gate", "the"}
    assert bytes_of_gates.gates_of(b"", 0, 3, 0) == ([], 0, "")


@pytest.mark.parametrize("seed", range(60))
def test_verdicts_and_witnesses(seed: int) -> None:
    data = to_binary(random_circuit(seed))
    model, definition = coarsest.loads(data, format="aiger"), oracle.parse(data)
    assert model.reach().states == len(oracle.reached_states(definition))
    claims = list(model.properties)
    bad = [oracle.is_bad(definition, number) for number in range(len(definition.bad))]
    recurs = [oracle.can_recur(definition, number) for number in range(len(definition.justice))]
    answers = model.check().answers if claims else ()
    assert [answer.verdict.word for answer in answers] == ["fails" if fails else "holds" for fails in (*bad, *recurs)]
    for answer, claim in zip(answers, claims):
        assert answer.confirmed
        if isinstance(answer.verdict, coarsest.Fails):
            assert answer.verdict.trace is not None
            oracle.replay(definition, witness_to_text(answer.verdict.trace, model.machine, claim))


def test_a_constraint_counts_up_to_the_bad_moment_and_no_further() -> None:
    """The step into a state that satisfies no constraint is taken, and what is bad there does not count."""
    circuit = Circuit([2], [Latch(4, 2)], [Gate(6, 4, 2)], bad=[4, 2, 6], constraints=[5])
    answers = coarsest.loads(to_ascii(circuit), format="aiger").check().answers
    assert [answer.verdict.word for answer in answers] == ["holds", "fails", "holds"]


def test_names_and_sections() -> None:
    machine = read(Contents("folder/toggle.aag", TOGGLE))
    assert machine.name == "toggle"
    assert list(machine.variables) == ["go", "on"]
    assert [(claim.name, claim.kind, claim.text) for claim in machine.properties] == [("both", PropertyKind.INVARIANT, "!both")]
    assert scan(TOGGLE, "toggle.aag").comment == "by hand\n"
    assert scan(TOGGLE.replace(b"by hand", b"\xff\xfe"), "toggle.aag").symbols == {"i0": "go", "l0": "on", "b0": "both"}


def test_gates_in_any_order_and_names_that_clash() -> None:
    text = b"aag 4 1 0 2 3\n2\n8\n3\n8 6 2\n6 4 4\n4 2 2\ni0 gate_4\no0 gate_4\no1 watch.1\n"
    machine = read(Contents("x.aag", text))
    assert machine.outputs == ("output_0", "output_1")
    assert [claim.name for claim in machine.properties] == ["gate_4", "watch.1"]
    assert [gate.literal for gate in scan(text, "x.aag").gates] == [4, 6, 8]
    assert [answer.verdict.word for answer in coarsest.Model(machine).check()] == ["fails", "fails"]


def test_a_long_chain_is_read_and_decided() -> None:
    gates = [Gate(4 + 2 * n, 2 + 2 * n, 3 if n == 2999 else 2) for n in range(3000)]
    model = coarsest.loads(to_binary(Circuit([2], [], gates, outputs=[gates[-1].literal])), format="aiger")
    assert model.check().holds


def test_witnesses_on_the_command_line(run: Runner) -> None:
    Path("toggle.aag").write_bytes(TOGGLE.replace(b"\n5\n", b"\n1\n"))
    answer = run("check", "toggle.aag", "--trace", "aiger")
    assert answer.code == 1
    oracle.replay(oracle.parse(Path("toggle.aag").read_bytes()), answer.out)
    assert run("check", "toggle.aag", "-o", "cex.wit").code == 1
    assert Path("cex.wit").read_text() == answer.out
    assert "is for a property of the file, and `!go` is none" in run("check", "toggle.aag", "!go", "-o", "cex.wit").err
    assert run("check", "toggle.aag", "--trace", "table", "-o", "cex.wit").code == 2
    Path("counter.smv").write_text("MODULE main VAR n : 0..3; INVARSPEC n < 3")
    assert "but `n` is of type 0..3" in run("check", "counter.smv", "--trace", "aiger").err


def decides_as_published(path: str) -> None:
    """The verdict is the one listed, and a counterexample replays."""
    listed = KNOWN[path]
    model, definition = coarsest.load(BENCHMARKS / path), oracle.parse((BENCHMARKS / path).read_bytes())
    fails = listed["verdict"] == "fails" if "verdict" in listed else "witness" in listed["justice"]
    (answer,) = model.check().answers
    assert answer.verdict.word == ("fails" if fails else "holds")
    if isinstance(answer.verdict, coarsest.Fails):
        assert answer.verdict.trace is not None
        oracle.replay(definition, witness_to_text(answer.verdict.trace, model.machine, model.properties[0]))


@pytest.mark.skipif(not KNOWN, reason="shared benchmarks not present")
@pytest.mark.parametrize("name", SMALL)
def test_published_verdicts(name: str) -> None:
    decides_as_published(f"aiger/{name}.aig")


@pytest.mark.nightly
@pytest.mark.skipif(not KNOWN, reason="shared benchmarks not present")
@pytest.mark.parametrize("path", FEW_LATCHES)
def test_all_small_published_verdicts(path: str) -> None:
    decides_as_published(path)
