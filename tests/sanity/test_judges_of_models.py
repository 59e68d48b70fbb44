"""The contracts about the judges of models name every room there is, so that a new one is not forgotten."""

from __future__ import annotations

import tomllib
from pathlib import Path

import grimp
import pytest

import coarsest

PACKAGE = Path(coarsest.__file__).parent
CONTRACTS = {
    contract["name"]: contract
    for contract in tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
}
APART = CONTRACTS["what judges models shares nothing with what decides properties"]
ENGINES = CONTRACTS["what decides properties knows no judge, nor what certificates have to prove"]
CALLERS = CONTRACTS["only who hands evidence over calls the judges of models"]
HAND_OVER = {"composed", "decide", "graphs", "certify"}
"""The rooms of `check` in which judges are called."""


def rooms(folder: str) -> set[str]:
    prefix = "coarsest." + folder.replace("/", ".")
    return {f"{prefix}.{path.name}" for path in (PACKAGE / folder).iterdir() if (path / "__init__.py").exists()}


def test_every_judge_is_named() -> None:
    judges = rooms("evidence") - {"coarsest.evidence.claims", "coarsest.evidence.walk"}
    assert judges == set(CALLERS["forbidden_modules"])
    assert judges | {"coarsest.evidence.claims"} == set(APART["source_modules"]) == set(ENGINES["forbidden_modules"])


def test_every_room_that_decides_is_named() -> None:
    decide = {f"coarsest.{room}" for room in ("bdd", "encode", "space", "search", "reduce")}
    assert decide | {"coarsest.check", "coarsest.evidence.walk"} == set(APART["forbidden_modules"])
    assert decide | rooms("check") - {f"coarsest.check.{room}" for room in HAND_OVER} == set(ENGINES["source_modules"])


@pytest.fixture(scope="module")
def imports() -> grimp.ImportGraph:
    return grimp.build_graph("coarsest", exclude_type_checking_imports=True)


def test_what_makes_certificates_reaches_no_judge(imports: grimp.ImportGraph) -> None:
    """Of the folder, those who call judges are in the contract by name; the others only write down sets."""
    callers = {line.split(" -> ")[0] for line in CALLERS["ignore_imports"]}
    makers = imports.find_descendants("coarsest.check.certify") - callers
    assert {"coarsest.check.certify.certify_ctl", "coarsest.check.certify.certify_ltl"} <= makers
    for judge in CALLERS["forbidden_modules"]:
        assert not [maker for maker in makers if imports.chain_exists(maker, judge, as_packages=True)]


def test_the_watcher_is_not_the_tableau_that_decides(imports: grimp.ImportGraph) -> None:
    assert not imports.chain_exists("coarsest.evidence.claims.ltl_watcher", "coarsest.automata", as_packages=True)
