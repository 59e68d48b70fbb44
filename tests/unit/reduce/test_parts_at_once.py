"""Parts that are reduced in several processes."""

from __future__ import annotations

import os
from random import Random
from time import sleep
from typing import Any

import pytest
from msgspec import Struct
from test_moore_machines import viewed

from coarsest.errors import LimitExceeded
from coarsest.processes import Process
from coarsest.reduce.modular import at_once as module
from coarsest.reduce.modular.at_once import at_once
from coarsest.reduce.modular.improved_bustan_grumberg import one_by_one
from coarsest.reduce.modular.moore import Bench, Moore, are_equivalent
from coarsest.reduce.modular.ordinary_hopcroft import Smaller, reduction
from coarsest.run import Event, Limits, Run
from random_moore_machines import random_pair


@pytest.fixture(autouse=True)
def processes(monkeypatch: pytest.MonkeyPatch) -> list[Process]:
    """All that were started; they are started at the first step, if there are several jobs."""
    started: list[Process] = []

    class Noted(Process):
        def __init__(self, *args: Any) -> None:
            super().__init__(*args)
            started.append(self)

    monkeypatch.setattr("coarsest.tuning.WORK_BEFORE_HELPERS", -1.0)
    monkeypatch.setattr(module, "cores", lambda: 2)
    monkeypatch.setattr(module, "is_possible", lambda: True)
    monkeypatch.setattr(module, "Process", Noted)
    return started


class Reduction(Struct, frozen=True):
    """The quotient of a machine; where it is not done in the process where it belongs, that depends on `away`."""

    machine: Moore
    home: int
    away: str = ""

    @property
    def bench(self) -> Bench:
        return self.machine.bench

    def small(self, run: Run) -> Smaller:
        run.step("reduction")
        if os.getpid() != self.home and self.away == "fails":
            raise MemoryError
        while os.getpid() != self.home and self.away == "never ends":
            run.step("nothing")
            sleep(0.01)
        return reduction(self.machine, run)


def jobs(away: str = "", number: int = 2) -> list[Reduction]:
    whole, _ = viewed(*random_pair(Random(3)))
    return [Reduction(whole.with_outputs(whole.outputs), os.getpid(), away) for _ in range(number)]


def same(results: list[Smaller], expected: list[Smaller]) -> bool:
    return [small.machine.states for small in results] == [small.machine.states for small in expected] and all(
        are_equivalent(one.machine, other.machine, Run()) for one, other in zip(results, expected)
    )


@pytest.mark.parametrize("number", [2, 5])
def test_results_are_those_of_one_process(number: int, processes: list[Process]) -> None:
    work = jobs(number=number)
    assert same(at_once(work, Run()), one_by_one(work, Run()))
    assert 1 <= len(processes) < number and all(process.child.returncode is not None for process in processes)


def test_a_single_job_stays_here(processes: list[Process]) -> None:
    assert len(at_once(jobs(number=1), Run())) == 1 and not processes


def test_what_fails_elsewhere_is_done_here(processes: list[Process]) -> None:
    work = jobs("fails")
    assert same(at_once(work, Run()), one_by_one(work, Run()))
    assert len(processes) == 1


def test_too_little_memory_for_several(processes: list[Process]) -> None:
    """No error that one process would not have."""
    work = jobs("never ends")
    assert same(at_once(work, Run(Limits(mebibytes=1))), one_by_one(work, Run()))
    assert len(processes) == 1 and processes[0].child.returncode is not None


def test_a_limit_of_time_ends_all(processes: list[Process]) -> None:
    with pytest.raises(LimitExceeded, match="time limit"):
        at_once(jobs("never ends"), Run(Limits(seconds=1.0, steps=10**6)))
    assert len(processes) == 1 and processes[0].child.returncode is not None


def test_an_interrupt_ends_all(processes: list[Process]) -> None:
    tasks = []

    def interrupt(event: Event) -> None:
        tasks.append(event.task)
        if event.task == "parts":
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        at_once(jobs("never ends"), Run(listener=interrupt))
    assert tasks[-1] == "parts" and "reduction" in tasks
    assert len(processes) == 1 and processes[0].child.returncode is not None
