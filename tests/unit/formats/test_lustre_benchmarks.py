"""Programs of the Kind 2 collections: verdicts as published."""

import json
from pathlib import Path

import pytest

import coarsest
from coarsest.errors import InputError, Unsupported
from coarsest.run import Limits, Run

BENCHMARKS = Path(__file__).parents[4] / "shared" / "benchmarks"
ORACLES = BENCHMARKS / "oracles.json"
KNOWN = json.loads(ORACLES.read_text(encoding="utf-8")) if ORACLES.exists() else {}
BOOLEAN = sorted(path for path in KNOWN if path.startswith("lustre/kind2-FMCAD08/Bool/"))
REGRESSION = sorted(path for path in KNOWN if path.startswith("lustre/kind2-regression/"))
OTHERS = sorted(path for path in KNOWN if path.startswith("lustre/kind2-FMCAD08/Int/"))


pytestmark = pytest.mark.skipif(not KNOWN, reason="shared benchmarks not present")


def verdict(path: str, *, seconds: float = 5) -> str | None:
    """The verdict on all properties together; None if there are none, or no state can be held."""
    model = coarsest.load(BENCHMARKS / path)
    if not model.properties:
        return None
    words = {answer.verdict.word for answer in model.check(run=Run(Limits(seconds=seconds)))}
    return next(word for word in ("fails", "unknown", "holds") if word in words)


@pytest.mark.parametrize("path", BOOLEAN)
def test_boolean_programs(path: str) -> None:
    assert verdict(path, seconds=300) == KNOWN[path]["verdict"]  # on a busy machine, too


def test_bounded_programs_of_the_regression_suite() -> None:
    """What the core of Lustre can say and finitely many states can hold is read, and decided as published."""
    decided, refused = [], []
    for path in REGRESSION:
        try:
            found = verdict(path)
        except InputError as error:
            assert error.diagnostic.span is not None or isinstance(error, Unsupported)
            refused.append(path)
            continue
        if found is not None and found != "unknown":
            assert found == KNOWN[path]["verdict"], path
            decided.append(path)
    assert len(decided) >= 16
    assert len(refused) <= len(REGRESSION) - 28


def test_all_integer_programs_are_read() -> None:
    assert len(OTHERS) > 200
    for path in OTHERS:
        coarsest.load(BENCHMARKS / path)


def test_the_watch_of_the_lustre_distribution() -> None:
    """Its abstract types and external functions are read; the version with bits of words in a syntax of its own is refused."""
    folder = BENCHMARKS / "lustre" / "velus-examples"
    model = coarsest.load(folder / "original" / "new_watch.lus", format="lustre:ALARM_DURATION=3")
    assert model.machine.outputs == ("beep",)
    assert model.reach().states == 4401
    with pytest.raises(InputError, match=r"new_watch2.lus:99:25: error: found `:`"):
        coarsest.load(folder / "original" / "new_watch2.lus")


def test_the_stopwatch_of_velus() -> None:
    path = BENCHMARKS / "lustre" / "velus-examples" / "stopwatch.lus"
    model = coarsest.load(path, format="lustre:stopwatch,int=0..9")
    assert model.reach().states == 221
