"""The contracts about judges of graphs name every part of the library: a part that is added is not forgotten."""

from __future__ import annotations

import tomllib
from pathlib import Path

import coarsest

ROOT = Path(__file__).parents[2]
CONTRACTS = {
    contract["name"]: contract
    for contract in tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"]["contracts"]
}
SHARED = {"labelled", "fair", "csr", "certificates", "certificate_json", "judge"}
"""What judges may use: graphs as arrays, and certificates, which are what they judge."""
HANDS_OVER = {"compare", "relations", "judge"}
"""What may hand evidence to judges."""


def parts() -> set[str]:
    folder = Path(coarsest.__file__).parent / "lts"
    return {path.stem for path in folder.iterdir() if not path.stem.startswith("__")}


def named(contract: str, key: str) -> set[str]:
    return {module.removeprefix("coarsest.lts.") for module in CONTRACTS[contract][key]}


def test_judges_use_nothing_that_computes() -> None:
    forbidden = named("what judges graphs shares nothing with what computes relations", "forbidden_modules")
    assert forbidden == parts() - SHARED


def test_what_computes_uses_no_judge() -> None:
    sources = named("only what hands evidence over knows the judges of graphs", "source_modules")
    assert sources == parts() - HANDS_OVER


def test_the_library_needs_no_other_room() -> None:
    needed = {"_kernels", "run", "errors", "text", "files", "memory_use", "options", "logic", "lts", "tuning"}
    rooms = {path.stem for path in Path(coarsest.__file__).parent.iterdir() if not path.stem.startswith("__")} - {"py"}
    forbidden = CONTRACTS["the library of explicit graphs stands alone"]["forbidden_modules"]
    assert {module.removeprefix("coarsest.") for module in forbidden} == rooms - needed
