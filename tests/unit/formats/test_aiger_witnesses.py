"""Witnesses of AIGER read back: accepted only where the property fails, and always where an independent simulator accepts."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from random import Random

import pytest

import coarsest
from coarsest.errors import SyntaxProblem
from coarsest.formats.aiger.witness import read_witnesses
from coarsest.formats.aiger.write import to_ascii
from coarsest.text import Source
from command_lines import Runner
from oracles import aiger_circuits as oracle
from random_circuits import random_circuit

ROOT = Path(__file__).parents[3]


def random_witness(random: Random, definition: oracle.Model) -> tuple[str, bool]:
    """A witness with random digits, and whether its property can fail at all."""
    kinds = ["b"] * len(definition.bad) + ["j"] * len(definition.justice)
    kind = random.choice(kinds)
    number = random.randrange(len(definition.bad if kind == "b" else definition.justice))
    digits = lambda count: "".join(random.choice("01") for _ in range(count))  # noqa: E731
    rows = [digits(definition.inputs) for _ in range(random.randint(1, 6))]
    fails = oracle.is_bad(definition, number) if kind == "b" else oracle.can_recur(definition, number)
    return "\n".join(["1", f"{kind}{number}", digits(len(definition.latches)), *rows, ".", ""]), fails


@pytest.mark.parametrize("seed", range(40))
def test_what_is_accepted(seed: int, tmp_path: Path) -> None:
    data = to_ascii(random_circuit(seed))
    definition, random = oracle.parse(data), Random(seed)
    if not definition.bad and not definition.justice:
        return
    model = coarsest.loads(data, format="aiger")
    for _ in range(8):
        text, fails = random_witness(random, definition)
        witness = tmp_path / "x.wit"
        witness.write_text(text, encoding="ascii")
        confirmation = coarsest.confirm(witness, model)
        assert fails or not confirmation.accepted
        try:
            oracle.replay(definition, text)
        except AssertionError:
            continue
        assert confirmation.accepted, confirmation.reason


@pytest.mark.parametrize("seed", range(20))
def test_what_check_writes_is_accepted(seed: int, run: Runner) -> None:
    Path("x.aag").write_bytes(to_ascii(random_circuit(seed)))
    if run("check", "x.aag", "-o", "x.wit").code == 1:
        assert run("confirm", "x.aag", "x.wit").code == 0


def test_several_witnesses_and_digits_that_do_not_matter(run: Runner) -> None:
    circuit = str(ROOT / "examples" / "arbiter.aag")
    run("check", circuit, "--property", "a_waits_again_and_again", "-o", "x.wit")
    text = Path("x.wit").read_text(encoding="ascii")
    Path("y.wit").write_text(f"0\nb0\n.\n{text}u3\nc a comment\n{text}2\nb1\n.\n", encoding="ascii")
    answer = run("confirm", circuit, "y.wit")
    assert answer.code == 0
    assert "2 traces" in answer.out
    Path("toggle.aag").write_bytes(b"aag 2 1 1 0 0 1\n2\n4 5\n4\n")
    Path("z.wit").write_text("1\nb0\nx\nx\nx\n.\n", encoding="ascii")
    assert run("confirm", "toggle.aag", "z.wit").code == 0


REFUSED = {
    "1\nb0\n0\n0\n.\n": "the witness of b0: nothing bad happens on this path",
    "1\nb1\n0\n0\n.\n": "there is no property b1",
    "1\nb0\n00\n0\n.\n": "there are 2 digits for 1 latches",
    "1\nb0\n0\n00\n.\n": "there are 2 digits for 1 inputs",
    "1\nb0\n1\n0\n.\n": "no initial state has the given values",
    "0\nb0\n.\n": "the file has no witness",
    "1\nj0\n0\n0\n.\n": "the path does not return to a state that it has visited",
    "1\nj0\n0\n0\n0\n.\n": "the formula is true on the lasso",
}


@pytest.mark.parametrize("text", REFUSED)
def test_why_not(text: str, run: Runner) -> None:
    Path("toggle.aag").write_bytes(b"aag 2 1 1 0 0 1 0 1\n2\n4 5\n4\n1\n0\n")
    Path("x.wit").write_text(text, encoding="ascii")
    answer = run("confirm", "toggle.aag", "x.wit")
    assert answer.code == 1
    assert REFUSED[text] in answer.out


BROKEN = ["3\n", "1\n", "1\nq0\n0\n.\n", "1\nb0\n", "1\nb0\n.\n", "1\nb0\n02\n.\n", "0\nb0\n1\n", "x"]


@pytest.mark.parametrize("text", BROKEN)
def test_what_is_no_witness(text: str) -> None:
    with pytest.raises(SyntaxProblem):
        read_witnesses(Source("x.wit", text))


@pytest.mark.parametrize("seed", range(0, 300, 100))
def test_mutated_witnesses(seed: int) -> None:
    for number in range(seed, seed + 100):
        random, text = Random(number), list("1\nb0j0\n01x\n0\n1\n.\nu3\n0\nb1\n.\n")
        for _ in range(3):
            text[random.randrange(len(text))] = random.choice("01x.bj\n 9c")
        with suppress(SyntaxProblem):
            assert all(witness.properties for witness in read_witnesses(Source("x.wit", "".join(text))))
