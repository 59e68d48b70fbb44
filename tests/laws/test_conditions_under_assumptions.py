"""What `check` says of a model, `assume` and `prove` say of it where nothing is assumed: dead ends stay, conditions count."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from msgspec.structs import replace

from campaigns import blocks
from coarsest import Model, assume, loads, prove
from coarsest.errors import InputError
from coarsest.logic.show import show
from random_machines import random_condition, random_graph_machine, random_relational_machine, with_fairness

MACHINES = 25
"""So many machines are in a block."""
UNFAIR = "MODULE main VAR s : 0..2; ASSIGN init(s) := 0; next(s) := case s = 0 : {1, 2}; TRUE : s; esac; JUSTICE s != 2\n"
FORMULAS = ("{}", "AG ({})", "AF ({})", "AG AF ({})", "F ({})", "G F ({})", "A [!({0}) U ({0})]")
DEAD = "MODULE main VAR s : 0..3; ASSIGN init(s) := 0; TRANS s = 0 & next(s) in {1, 2} | s = 1 & next(s) = 1\n"


def words(report: object) -> list[str]:
    return [answer.verdict.word for answer in report]  # type: ignore[attr-defined]


def test_conditions_count_on_unfair_paths() -> None:
    formulas = ("s != 2", "AG s != 2", "s < 3")
    assert words(loads(UNFAIR).check(*formulas)) == words(assume("TRUE", loads(UNFAIR), *formulas)) == ["fails", "holds", "holds"]


def test_dead_ends_stay_where_they_are() -> None:
    formulas = ("s != 2", "AG s != 2", "AF s = 1", "AF s > 0", "G F s = 1", "AG (s = 2 -> AX s = 2)")
    report = assume("TRUE", loads(DEAD), *formulas)
    assert words(report) == words(loads(DEAD).check(*formulas)) == ["fails"] * 3 + ["holds", "fails", "holds"]
    assert any("no successor" in text for text in report.warnings)


def test_scripts(tmp_path: Path) -> None:
    """A step about a condition fails where a reachable state violates it; a conclusion from fair paths says that it is one."""
    (tmp_path / "unfair.smv").write_text(UNFAIR, encoding="utf-8")
    (tmp_path / "dead.smv").write_text(DEAD, encoding="utf-8")
    script = ("component f = unfair.smv", "component d = dead.smv with s as t", "step f |= s != 2", "step f |= AG s != 2",
              "step d |= AF t = 1", "step d |= AF t > 0", "conclude f |= s != 2", "conclude f || d |= AF t > 0")  # fmt: skip
    (tmp_path / "m.proof").write_text("\n".join(script) + "\n", encoding="utf-8")
    report = prove(tmp_path / "m.proof")
    assert words(report) == ["fails", "holds", "fails", "holds", "holds", "holds"]
    assert any("no successor" in text for text in report[2].warnings)
    assert any("fair paths" in text for text in report[4].warnings) and not report[5].warnings


@pytest.mark.parametrize("block", blocks(6, by_day=1))
def test_nothing_assumed(block: int) -> None:
    seen = set()
    for seed in range(block * MACHINES, (block + 1) * MACHINES):
        random = Random(f"nothing assumed {seed}")
        machine = random_graph_machine(random, nodes=5) if seed % 2 else random_relational_machine(random, variables=2)
        machine = with_fairness(random, machine) if random.random() < 0.5 else machine
        condition = show(random_condition(random, machine, inputs=False))
        asked = [text.format(condition) for text in FORMULAS]
        try:
            model = Model(replace(machine, properties=()))
            alone = model.check(*asked)
            beside = assume("TRUE", model, *asked)
        except InputError:  # an expression without a value somewhere
            continue
        stuck = any("no successor" in text for text in alone.warnings)
        assert words(alone) == words(beside), (seed, asked)
        seen |= {(stuck, word) for word in words(alone)}
    assert seen >= {(False, "holds"), (False, "fails"), (True, "fails")}

