"""Where CPU time goes: every moment counts once, for the innermost phase."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from coarsest import phases
from coarsest.api.model import loads
from coarsest.phases import EVIDENCE, PHASES, Clock


def test_inner_phases_are_no_part_of_outer_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    times = iter([0.0, 1.0, 3.0, 7.0, 15.0, 31.0, 63.0, 100.0])
    monkeypatch.setattr(phases, "process_time", lambda: next(times))
    clock = Clock()  # at 0
    with clock.phase("image"):  # from 1
        with clock.phase("order"):  # from 3 to 7
            pass
        with pytest.raises(ValueError, match="lost"), clock.phase("fair"):  # from 15 to 31, however it ends
            raise ValueError("lost")
    assert clock.seconds == {"image": 2 + 8 + 32, "order": 4, "fair": 16}  # until 63; what comes later is in no phase


def test_what_is_done_for_evidence_counts_as_evidence(monkeypatch: pytest.MonkeyPatch) -> None:
    times = iter([0.0, 1.0, 3.0, 7.0, 15.0, 31.0, 63.0])
    monkeypatch.setattr(phases, "process_time", lambda: next(times))
    clock = Clock()
    with clock.phase(EVIDENCE), clock.phase("image"):  # from 1 and 3 to 7 and 15
        pass
    assert clock.of(EVIDENCE) == 14 and "image" not in clock.seconds


def test_reports_tell_all_phases() -> None:
    model = loads("MODULE main VAR x : 0..3; ASSIGN init(x) := 0; next(x) := (x + 1) mod 4; CTLSPEC AG EF x = 0; JUSTICE x = 1")
    told = model.check().to_object()["phases"]
    assert list(told) == list(PHASES)
    assert told["encode"] > 0
    assert told["image"] > 0


@pytest.mark.parametrize("options", [[], ["--timeout", "60"], ["--jobs", "2"]])
def test_phases_are_told_of_whoever_does_the_work(options: list[str]) -> None:
    """Under limits another process works, and properties side by side are decided in still others."""
    model = Path(__file__).parents[3] / "examples" / "elevator.smv"
    command = [sys.executable, "-m", "coarsest", "check", str(model), "--json", *options]
    told = json.loads(subprocess.run(command, capture_output=True, text=True, check=False).stdout)["phases"]
    assert told["encode"] > 0
    assert told["image"] > 0
