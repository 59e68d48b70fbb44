"""Work in threads: results, errors, limits and interruption."""

import ast
import subprocess
import sys
import threading
from pathlib import Path

import pytest

import coarsest
from coarsest.errors import LimitExceeded
from coarsest.lts.attended import attended
from coarsest.run import Event, Limits, Run


def test_an_error_of_the_work_is_raised() -> None:
    with pytest.raises(ZeroDivisionError):
        attended(Run(), "divide", lambda: 1, lambda: 1 // 0)


@pytest.mark.parametrize("error", [KeyboardInterrupt, LimitExceeded])
def test_the_work_is_told_to_stop(error: type[BaseException]) -> None:
    told, ended = threading.Event(), threading.Event()

    def work() -> None:
        told.wait(600)
        ended.set()

    def listener(event: Event) -> None:
        if error is KeyboardInterrupt:
            raise KeyboardInterrupt

    with pytest.raises(error):
        attended(Run(Limits(seconds=0.0), listener), "wait", work, stop=told.set)
    assert ended.wait(600)


def test_events_come_while_the_work_goes_on() -> None:
    events: list[Event] = []
    enough = threading.Event()

    def listener(event: Event) -> None:
        events.append(event)
        if len(events) == 2:
            enough.set()

    assert attended(Run(listener=listener), "wait", lambda: enough.wait(600), facts=lambda: {"seen": 7}) == [True]
    assert events[0].facts == {"seen": 7}


INTERRUPTED_KERNEL = """
import os, signal, threading, time
from random import Random
from coarsest import tuning
from coarsest.lts.labelled import Graph
from coarsest.lts.simulation.preorder_ranzato_tapparo import simulation_preorder
from coarsest.lts.union import tidied
from coarsest.run import Run

tuning.LISTED_BLOCKS = 10**9  # with a matrix, this takes several steps

def graph(size):
    random, count = Random(1), 2 * size
    sources, targets = [place // 2 for place in range(count)], [random.randrange(size) for _ in range(count)]
    actions = [random.randrange(2) for _ in range(count)]
    return tidied(Graph.from_edges(size, sources, actions, targets, action_names=("a", "b")))

def interrupt(event):
    if event.step == 2:
        threading.Timer(0.05, os.kill, (os.getpid(), signal.SIGINT)).start()

simulation_preorder(graph(50), Run(), choice="compiled")
try:
    simulation_preorder(graph(20_000), Run(listener=interrupt), choice="compiled")
except KeyboardInterrupt:
    print("interrupted", flush=True)
    os._exit(0)
"""


def test_an_interrupt_while_a_kernel_makes_arrays() -> None:
    """No interrupt may be raised between the end of the kernel and the moment when its arrays belong to Python."""
    result = subprocess.run([sys.executable, "-c", INTERRUPTED_KERNEL], capture_output=True, text=True, check=False)
    assert (result.returncode, result.stdout, result.stderr) == (0, "interrupted\n", "")


def test_kernels_that_give_arrays_are_known() -> None:
    """They are called beside the main thread."""
    folder = Path(coarsest.__file__).parent / "_kernels"
    giving = {
        function.name
        for path in folder.rglob("*.py")
        if not path.stem.endswith("_pure")
        for function in ast.parse(path.read_text(encoding="utf-8")).body
        if isinstance(function, ast.FunctionDef) and "compiled" in map(ast.unparse, function.decorator_list)
        if "Array" in ast.unparse(function.returns or ast.Constant(None))
    }
    assert giving == {"refine_simulation", "reach_positions"}
