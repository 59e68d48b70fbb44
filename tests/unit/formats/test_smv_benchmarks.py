"""Real models: those NuSMV 2.6.0 accepts are read, those it rejects get a message."""

import json
from pathlib import Path
from typing import Any

import pytest

from coarsest.errors import InputError
from coarsest.formats.smv.read import read
from coarsest.formats.smv.write import write
from coarsest.text import Source

BENCHMARKS = Path(__file__).parents[4] / "shared" / "benchmarks"
NEEDS_PREPROCESSOR = ("modcounter.m4.smv",)  # not SMV before m4 has run


def models() -> list[Path]:
    found = [*BENCHMARKS.glob("smv/**/*.smv"), *BENCHMARKS.glob("scaling/*.smv")]
    return sorted(path for path in found if path.name not in NEEDS_PREPROCESSOR)


def oracles() -> dict[str, Any]:
    path = BENCHMARKS / "oracles.json"
    return json.loads(path.read_text()) if path.exists() else {}  # type: ignore[no-any-return]


ORACLES = oracles()
pytestmark = pytest.mark.skipif(not ORACLES, reason="shared benchmarks not present")


def source_of(path: Path) -> Source:
    return Source(path.name, path.read_text(encoding="utf-8", errors="replace"))


@pytest.mark.parametrize("path", models(), ids=lambda path: f"{path.parent.name}/{path.name}")
def test_model_is_read_as_nusmv_does(path: Path) -> None:
    verdict = ORACLES.get(str(path.relative_to(BENCHMARKS)), {}).get("nusmv_2_6_0", "")
    if "rejected" in verdict:
        with pytest.raises(InputError) as problem:
            read(source_of(path))
        assert problem.value.diagnostic.span is not None
        return
    machine = read(source_of(path))
    assert machine.variables
    assert set(machine.next_values) | set(machine.initial_values) | set(machine.current_values) <= set(machine.variables)


def test_every_accepted_model_was_there() -> None:
    accepted = [name for name, found in ORACLES.items() if name.startswith("smv/") and "rejected" not in str(found)]
    assert len(accepted) > 60
    assert all((BENCHMARKS / name).exists() for name in accepted)


@pytest.mark.parametrize("name", ["abp4", "dme1", "gigamax", "prod-cons", "syncarb5", "p-queue", "brp"])
def test_written_models_read_back(name: str) -> None:
    path = next(path for path in models() if path.stem == name)
    machine = read(source_of(path))
    found = read(Source("again.smv", write(machine)))
    assert found.variables == machine.variables
    assert found.definitions == machine.definitions
    assert found.next_values == machine.next_values
    assert [p.formula for p in found.properties] == [p.formula for p in machine.properties]
