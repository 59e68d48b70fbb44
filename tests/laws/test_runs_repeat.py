"""Two runs of a command say the same but for seconds, however busy the machine is: verdicts, traces, evidence, statistics."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

EXAMPLES = Path(__file__).parents[2] / "examples"

CHECKED = (
    "mutex.smv", "bakery.smv", "philosophers.smv", "elevator.smv", "turns.smv", "caches.smv", "queue.smv", "lamp.smv",
    "token_ring.smv", "binary_counter.smv", "watchdog.smv", "traffic_light.smv", "arbiter.aag", "arbiter.blif", "counter.btor2",
    "stopwatch.lus", "watch.lus", "toggle.bench", "crossing.mv", "parking.prog",
)  # fmt: skip
COMMANDS = [
    *(("check", name) for name in CHECKED),
    *(("check", name, "--reduce", "bisimulation") for name in ("mutex.smv", "turns.smv", "bakery.smv", "queue.smv")),
    *(("check", name, "--engine", engine) for name in ("mutex.smv", "token_ring.smv") for engine in ("ic3", "k-induction")),
    *(("check", "mutex.smv", "--ltl", method) for method in ("partitioned", "automaton", "tableau")),
    *(("reduce", name) for name in ("mutex.smv", "vending.prog", "caches.smv", "buffer.aut")),
    *(("reach", name) for name in ("caches.smv", "elevator.smv")),
    ("gste", "queue.smv", "queue.ag"),
    ("compare", "coffee_or_tea.aut", "coffee_by_luck.aut"),
    ("check", "philosophers.smv", "--no-race"),
]
assert len(COMMANDS) == 40


def run(command: tuple[str, ...], seed: str) -> tuple[int, Any]:
    environment = {**os.environ, "PYTHONHASHSEED": seed}
    words = [sys.executable, "-m", "coarsest", *command, "--json"]
    done = subprocess.run(words, cwd=EXAMPLES, env=environment, capture_output=True, text=True, check=False, timeout=300)
    return done.returncode, _without_seconds(json.loads(done.stdout))


def _without_seconds(found: Any) -> Any:
    if isinstance(found, dict):
        return {key: _without_seconds(value) for key, value in found.items() if key not in ("seconds", "phases")}
    return [_without_seconds(value) for value in found] if isinstance(found, list) else found


@pytest.fixture
def _busy() -> Iterator[None]:
    """Two loops that leave a command less than half of a small machine."""
    loops = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(2)]
    yield
    for loop in loops:
        loop.kill()
        loop.wait()


@pytest.mark.parametrize("block", range(8))
def test_a_command_says_the_same_on_a_busy_machine(block: int, request: pytest.FixtureRequest) -> None:
    commands = COMMANDS[block::8]
    quiet = [run(command, "1") for command in commands]
    request.getfixturevalue("_busy")
    assert [run(command, "2") for command in commands] == quiet
