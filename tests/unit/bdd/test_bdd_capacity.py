"""A manager made for a memory limit stays below it."""

import subprocess
import sys

import pytest

from coarsest.bdd.capacity import BYTES_PER_CACHE_ENTRY, BYTES_PER_NODE, capacity_for
from coarsest.bdd.packages import new_manager


@pytest.mark.parametrize("mebibytes", [70, 100, 500, 4000, 100_000])
@pytest.mark.parametrize("bits", [1, 40, 1000])
def test_nodes_and_cache_fit_into_the_limit(mebibytes, bits):
    nodes, cache = capacity_for(mebibytes, bits)
    assert nodes * BYTES_PER_NODE + cache * BYTES_PER_CACHE_ENTRY < mebibytes << 20


def test_more_memory_never_gives_less():
    capacities = [capacity_for(mebibytes, 64) for mebibytes in (1, 50, 100, 1000, 10_000, 10**6)]
    assert capacities == sorted(capacities)
    assert all(nodes >= 1 << 16 and cache >= 1 << 10 for nodes, cache in capacities)


def test_small_models_start_small():
    assert capacity_for(4000, 10)[1] < capacity_for(4000, 500)[1]


def test_without_a_limit_the_machine_decides():
    nodes, cache = capacity_for(None, 64)
    assert nodes >= 1 << 16
    assert cache >= 1 << 10


def test_a_full_manager_is_below_its_limit():
    """The product of two numbers of 14 bits does not fit; the process must stay below 80 MiB in all."""
    program = """
import re, resource, sys
from pathlib import Path
from coarsest.bdd.packages import new_manager

manager = new_manager(mebibytes=80, bits=28)
manager.add_variables([f"v{i}" for i in range(28)])
left, right = ([manager.var(i) for i in numbers] for numbers in (range(14), range(14, 28)))
sums = [manager.false] * 28
try:
    for i in range(14):
        carry = manager.false
        for j in range(14):
            term, total = left[j] & right[i], sums[i + j]
            sums[i + j] = term ^ total ^ carry
            carry = (term & total) | (term & carry) | (total & carry)
        sums[i + 14] = carry
except manager.memory_error:
    status = Path("/proc/self/status")  # Linux counts what the parent used as well in getrusage
    if status.exists():
        print(re.search(r"VmHWM:\\s*(\\d+) kB", status.read_text())[1])
    else:
        print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> (10 if sys.platform == "darwin" else 0))
"""
    kibibytes = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout
    assert 20 << 10 < int(kibibytes) < 80 << 10


@pytest.mark.parametrize("package", ["oxidd", "cudd"])
def test_a_limit_on_nodes_stops_a_single_operation(package):
    """Eighteen equations of bits take 2^19 nodes where all left sides are above all right sides, and few where each is above
    its own."""
    if package == "cudd":
        pytest.importorskip("dd.cudd")

    def product(node_limit):
        manager = new_manager(package, node_limit=node_limit, bits=36)
        manager.add_variables([f"v{i}" for i in range(36)])
        swapped = {i: manager.var(18 + i // 2 if i % 2 else i // 2) for i in range(36)}
        equal = manager.true
        for i in range(0, 36, 2):
            equal = equal & manager.iff(manager.var(i), manager.var(i + 1))
        try:
            return manager, manager.size(manager.substitute(equal, manager.substitution(swapped)))
        except manager.memory_error:
            return manager, None

    assert product(None)[1] > 2**18
    manager, size = product(1000)
    assert size is None and manager.live_nodes < 2**17
