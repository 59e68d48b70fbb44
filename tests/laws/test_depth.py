"""A bound on the number of steps: every engine finds what is as near as that, and says of the rest that it is not known."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

import coarsest
from campaigns import blocks
from coarsest import Fails, Holds, Unknown, loads
from coarsest.errors import InputError
from coarsest.formats.aiger.write import to_ascii
from command_lines import Runner
from random_circuits import random_circuit

ENGINES = ("auto", "forward", "backward", "both-ends", "bmc", "k-induction", "ic3", "bouajjani-fernandez-halbwachs")
COUNTER = """MODULE main
VAR n : 0..9; IVAR go : boolean;
ASSIGN init(n) := 0; next(n) := go & n < 9 ? n + 1 : n;
INVARSPEC NAME near := n < 3
INVARSPEC NAME of_a_step := !(n = 2 & go)
INVARSPEC NAME far := n < 8
LTLSPEC NAME again := G F n < 2
"""


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("carrier", ["auto", "explicit"])
def test_every_engine_ends_at_the_bound(engine: str, carrier: str) -> None:
    """Three steps lead to 3, and the step that leaves 2 is the third."""
    model = loads(COUNTER)
    for depth, words in ((2, ["unknown"] * 3), (3, ["fails", "fails", "unknown"]), (8, ["fails"] * 3)):
        try:
            report = model.check(*model.properties[:3], depth=depth, engine=engine, carrier=carrier)
        except InputError as problem:
            assert carrier == "explicit", problem
            return
        assert [answer.verdict.word for answer in report] == words
        for answer in report:
            if isinstance(answer.verdict, Unknown):
                assert (answer.verdict.because, answer.verdict.bound) == (f"no counterexample of up to {depth} steps", depth)
            elif isinstance(answer.verdict, Fails):
                assert answer.confirmed and answer.verdict.trace is not None and len(answer.verdict.trace) <= depth + 1


@pytest.mark.parametrize("block", blocks(8, by_day=1))
def test_random_circuits(block: int) -> None:
    """What violates an invariant is met by a bound if and only if it is that near, whoever looks; what holds never fails."""
    words = set()
    for seed in range(block * 6, block * 6 + 6):
        circuit = random_circuit(seed)
        last = circuit.gates[-1].literal
        circuit = replace(circuit, outputs=[], bad=[last], constraints=[], fairness=[], justice=[], symbols={})
        model = loads(to_ascii(circuit), format="aiger")
        verdict = model.check(engine="forward")[0].verdict
        nearest = len(verdict.trace) - 1 if isinstance(verdict, Fails) and verdict.trace is not None else None
        for engine in ENGINES:
            for depth in (1, 2, 4):
                bounded = model.check(engine=engine, depth=depth)[0].verdict
                is_near = nearest is not None and nearest <= depth
                assert isinstance(bounded, Fails) == is_near, (seed, engine, depth)
                assert not (isinstance(bounded, Holds) and nearest is not None), (seed, engine, depth)
                words.add(bounded.word)
    assert "unknown" in words


def test_lassos_and_covers() -> None:
    model = loads(COUNTER)
    again = model.properties[3]
    assert model.check(again, depth=2)[0].verdict.word == "unknown"
    assert model.check(again, depth=4)[0].verdict.word == "fails"
    cover = coarsest.Model(replace(model.machine, properties=(_cover(model),)))
    assert cover.check(depth=3).holds
    verdict = cover.check(depth=2)[0].verdict
    assert isinstance(verdict, Unknown) and verdict.because == "no path of up to 2 steps reaches it"


def _cover(model: coarsest.Model) -> coarsest.Property:
    from coarsest.model.machine import cover

    return cover(model.condition("n = 3"))


def test_refusals(run: Runner) -> None:
    Path("m.smv").write_text(COUNTER)
    for words, message in (
        (("AG EF n = 0",), "--depth is for invariants, covers and LTL, not for CTL"),
        (("--engine", "first-of"), "--depth has no effect with --engine first-of"),
        (("--reduce", "bisimulation"), "--depth"),
        (("--property", "again", "--engine", "smc"), "--engine smc has no bound on the length of lassos"),
    ):
        said = run("check", "m.smv", "--depth", "3", *words)
        assert said.code == 2 and message in said.err, said.err


def test_exit_codes(run: Runner) -> None:
    Path("m.smv").write_text(COUNTER)
    far = run("check", "m.smv", "--property", "far", "--depth", "4")
    assert (far.code, far.out) == (3, "unknown  far: n < 8\n    no counterexample of up to 4 steps\n")
    assert run("check", "m.smv", "--property", "far", "--depth", "4", "--depth-suffices").code == 0
    assert run("check", "m.smv", "--depth", "4", "--depth-suffices").code == 1
    assert '"bound": 4' in run("check", "m.smv", "--property", "far", "--depth", "4", "--json").out
