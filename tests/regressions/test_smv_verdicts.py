"""The specifications of real models: our verdicts are those that NuSMV 2.6.0 gives."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from coarsest.check.answers import Checker
from coarsest.evidence.verdict import Fails
from coarsest.files import read_contents
from coarsest.formats import read_machine
from coarsest.logic.expr import Apply, Expr
from coarsest.logic.parse import parse_expression
from coarsest.model.kinds import PropertyKind
from coarsest.model.machine import Machine, Property
from coarsest.options.methods import check_options
from coarsest.run import Run
from coarsest.space.bdd.build import BuildOptions

BENCHMARKS = Path(__file__).parents[3] / "shared" / "benchmarks"
SLOW = ("dme3", "guidance", "reactor/base")
"""Parts of the names of models that take more than a second."""

BY_TABLEAU = ("production-cell-flat",)
"""Thirteen nested untils: their automaton is too large."""

Key = tuple[Expr, str]


@cache
def oracles() -> dict[str, Any]:
    """The models with known verdicts; an unknown model where the benchmarks are missing, so that a test can say so."""
    path = BENCHMARKS / "oracles.json"
    if not path.exists():
        return {"missing.smv": {"properties": []}}
    known = json.loads(path.read_text())
    return {name: facts for name, facts in known.items() if name.endswith(".smv") and "properties" in facts}


def load(name: str) -> Machine:
    path = BENCHMARKS / name
    if not path.exists():
        pytest.skip("shared benchmarks not present")
    return read_machine(read_contents(path))


def normal(expr: Expr) -> Expr:
    """The formula without brackets that mean nothing, and with sets written in one way."""
    if not isinstance(expr, Apply):
        return expr
    op = "set" if expr.op == "union" else expr.op
    args: list[Expr] = []
    for arg in map(normal, expr.args):
        joined = isinstance(arg, Apply) and arg.op == op and op in ("and", "or", "set")
        args += arg.args if joined else [arg]
    return Apply(op, tuple(args))


def known_verdicts(name: str) -> dict[Key, str]:
    """By formula and module; NuSMV writes `formula IN module`."""
    found = {}
    for entry in oracles()[name]["properties"]:
        text, _, module = entry["formula"].partition(" IN ")
        found[normal(parse_expression(text)), module.strip()] = entry["verdict"]
    return found


def check_verdicts(name: str, **options: Any) -> None:
    machine = load(name)
    verdicts = known_verdicts(name)
    claims: dict[Key, Property] = {}
    for claim in machine.properties:
        if claim.kind in (PropertyKind.CTL, PropertyKind.LTL, PropertyKind.INVARIANT):
            claims[normal(parse_expression(claim.text)), claim.module] = claim
    assert verdicts.keys() <= claims.keys()
    checker = Checker(machine, BuildOptions(), check_options(**options), Run())
    answers = checker.answers([claims[key] for key in verdicts])
    for answer, expected in zip(answers, verdicts.values(), strict=True):
        assert (answer.formula, answer.verdict.word) == (answer.formula, expected)
        if isinstance(answer.verdict, Fails) and answer.kind == "ltl":
            assert answer.confirmed


def is_slow(name: str) -> bool:
    return any(part in name for part in SLOW)


@pytest.mark.parametrize("name", [name for name in oracles() if not is_slow(name)])
def test_verdicts(name: str) -> None:
    check_verdicts(name, ltl="tableau" if any(part in name for part in BY_TABLEAU) else "auto")


@pytest.mark.nightly
@pytest.mark.parametrize("name", [name for name in oracles() if is_slow(name)])
def test_verdicts_of_larger_models(name: str) -> None:
    check_verdicts(name)


@pytest.mark.nightly
@pytest.mark.parametrize("fair", ["one-way", "emerson-lei", "lockstep"])
@pytest.mark.parametrize("name", [name for name in oracles() if not is_slow(name)])
def test_verdicts_by_every_algorithm(name: str, fair: str) -> None:
    method = "tableau" if fair == "one-way" or any(part in name for part in BY_TABLEAU) else "automaton"
    check_verdicts(name, fair=fair, ltl=method)
