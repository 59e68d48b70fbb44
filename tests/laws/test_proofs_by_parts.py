"""What a proof script concludes of components is true of their composition."""

from __future__ import annotations

from pathlib import Path
from random import Random

from coarsest import Model, load
from coarsest.api.prove import prove
from coarsest.logic.expr import Apply, Expr, Name, conjunction
from coarsest.logic.show import show
from coarsest.model.composition.compose import compose
from random_formulas import actl_formula
from random_structures import random_structure

PARTS = {"left": "pq", "middle": "qr", "right": "pr"}


def script_about(rng: Random, folder: Path) -> str:
    """Random components, and steps that hold more often than not."""
    machines = {name: random_structure(rng, f"at_{name}", labels, places=3) for name, labels in PARTS.items()}
    lines = []
    for name, machine in machines.items():
        (folder / f"{name}.smv").write_text(Model(machine).to_smv())
        lines.append(f"component {name} = {name}.smv")

    def formula(labels: str) -> Expr:
        return Apply("AG", (actl_formula(rng, rng.randint(0, 2), lambda: Name(rng.choice(labels))),))

    shown: list[Expr] = []
    for _ in range(6):
        name = rng.choice(list(PARTS))
        claim = formula(PARTS[name])
        assumption = rng.choice((None, *shown, formula("pqr")))
        assumed = "" if assumption is None else f"assume {show(assumption)} : "
        lines.append(f"step {assumed}{name} |= {show(claim)}")
        shown.append(claim)
    if rng.random() < 0.3:
        lines.append("step left <= right")
    conclusion = conjunction(rng.sample(shown, 1)) if rng.random() < 0.8 else formula("pqr")
    return "\n".join([*lines, f"conclude {' || '.join(PARTS)} |= {show(conclusion)}"])


def test_conclusions_are_true_of_the_composition(tmp_path: Path) -> None:
    words = []
    for seed in range(60):
        rng = Random(seed)
        path = tmp_path / "random.proof"
        path.write_text(script_about(rng, tmp_path))
        *_, conclusion = prove(path, confirm="never")
        words.append(conclusion.verdict.word)
        if words[-1] == "holds":
            machines = [load(tmp_path / f"{name}.smv").machine for name in PARTS]
            formula = path.read_text().rpartition("|=")[2]
            assert Model(compose(*machines)).check(f"({formula}) | AX FALSE", confirm="never").holds, path.read_text()
    assert min(words.count("holds"), words.count("unknown")) >= 10
