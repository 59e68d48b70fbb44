"""`python -m benchmarks.bad_orders`: reachability from shuffled variable orders, with and without reordering, OxiDD beside CUDD.

The workloads are written over the manager protocol, so that both engines run the same text. Times are CPU seconds.
"""

from __future__ import annotations

import argparse
import multiprocessing
import random
import sys
import time
from collections.abc import Callable, Sequence
from typing import Any

from coarsest.bdd.packages import new_manager
from coarsest.bdd.protocol import Manager
from coarsest.bdd.sifting import Reordering

Pairs = tuple[dict[int, int], dict[int, int]]
Workload = Callable[[Manager[Any], int, Sequence[int]], Any]


def pairs(manager: Manager[Any], order: Sequence[int]) -> Pairs:
    """The current and the next value of each bit, next to one another, from the top in this order."""
    now: dict[int, int] = {}
    after: dict[int, int] = {}
    for bit in order:
        now[bit], after[bit] = manager.add_variables([f"now{bit}", f"after{bit}"])
    return now, after


def registers(manager: Manager[Any], width: int, order: Sequence[int]) -> Any:
    """A counter and three registers, each copying the one before it when an input says so: bits of one place belong together."""
    now, after = pairs(manager, order)
    inputs = manager.add_variables(["copy", "shift"])
    copy, shift = (manager.var(number) for number in inputs)
    bit = [manager.var(now[i]) for i in range(4 * width)]
    following = {}
    carry = copy
    for i in range(width):
        counter, first, second, third = (bit[i + width * k] for k in range(4))
        following[i] = counter ^ carry
        following[i + width] = manager.ite(copy, first, counter)
        following[i + 2 * width] = manager.ite(shift, first, second)
        following[i + 3 * width] = manager.ite(shift & copy, second, third)
        carry = carry & counter
    parts = [manager.iff(manager.var(after[i]), following[i]) for i in order]
    initial = manager.true
    for i in order:
        initial = initial & ~bit[i]
    rename = manager.substitution({after[i]: bit[i] for i in now})
    schedule = early_quantification(manager, parts, {*now.values(), *inputs})
    reached = frontier = initial
    while frontier != manager.false:
        image = frontier
        for cluster, variables in schedule:
            image = manager.and_exists(image, cluster, variables)
            manager.tidy()
        image = manager.substitute(image, rename)
        frontier = image & ~reached
        reached = reached | image
        manager.tidy()
    return reached


def early_quantification(manager: Manager[Any], parts: Sequence[Any], quantified: set[int]) -> list[tuple[Any, Any]]:
    """Clusters of at most about 2000 nodes; each variable goes with the last cluster that mentions it."""
    clusters = [manager.true]
    for part in parts:
        grown = clusters[-1] & part
        if manager.size(grown) > 2000:
            clusters.append(part)
        else:
            clusters[-1] = grown
    schedule: list[tuple[Any, Any]] = []
    later: set[int] = set()
    for cluster in reversed(clusters):
        support = manager.support(cluster)
        first = cluster is clusters[0]
        here = (quantified if first else support & quantified) - later
        schedule.append((cluster, manager.cube(here)))
        later |= support
    return schedule[::-1]


def philosophers(manager: Manager[Any], count: int, order: Sequence[int]) -> Any:
    """Dining philosophers, one moves at a time: two bits each, and one for the fork on the left."""
    now, after = pairs(manager, order)
    steps = []
    for i in range(count):
        high, low, left, right = (3 * i, 3 * i + 1, 3 * i + 2, 3 * ((i + 1) % count) + 2)
        a, b, f, g = (manager.var(now[bit]) for bit in (high, low, left, right))
        a1, b1, f1, g1 = (manager.var(after[bit]) for bit in (high, low, left, right))
        step = ~a & ~b & f & ~a1 & b1 & ~f1 & manager.iff(g, g1)
        step = step | (~a & b & g & a1 & b1 & ~g1 & manager.iff(f, f1))
        step = step | (a & b & a1 & ~b1 & f1 & manager.iff(g, g1))
        step = step | (a & ~b & ~a1 & ~b1 & g1 & manager.iff(f, f1))
        moved = (high, low, left, right)
        rename = manager.substitution({after[bit]: manager.var(now[bit]) for bit in moved})
        steps.append((step, manager.cube(now[bit] for bit in moved), rename))
    initial = manager.true
    for bit in order:
        variable = manager.var(now[bit])
        initial = initial & (variable if bit % 3 == 2 else ~variable)
    reached = frontier = initial
    while frontier != manager.false:
        image = manager.false
        for step, variables, rename in steps:
            image = image | manager.substitute(manager.and_exists(frontier, step, variables), rename)
        manager.tidy()
        frontier = image & ~reached
        reached = reached | image
        manager.tidy()
    return reached


WORKLOADS: dict[str, tuple[Workload, int, int]] = {
    "registers 6": (registers, 6, 24),
    "registers 7": (registers, 7, 28),
    "philosophers 10": (philosophers, 10, 30),
    "philosophers 12": (philosophers, 12, 36),
    "philosophers 16": (philosophers, 16, 48),
}


def run(name: str, engine: str, seed: int, answer: Any, *, reordering: bool) -> None:
    """One workload in a process of its own; seed 0 is a good order."""
    workload, size, bits = WORKLOADS[name]
    if seed:
        order = random.Random(seed).sample(range(bits), bits)
    elif workload is registers:
        order = [place + size * register for place in range(size) for register in range(4)]
    else:
        order = list(range(bits))
    manager = new_manager(engine, bits=bits)
    if reordering:
        manager.reorder = Reordering(groups=[[2 * i, 2 * i + 1] for i in range(bits)])
    started = time.process_time()
    workload(manager, size, order)
    answer.put(time.process_time() - started)


def seconds(name: str, engine: str, seed: int, limit: float, *, reordering: bool) -> str:
    """CPU seconds, or that the limit was reached."""
    answer: Any = multiprocessing.Queue()
    child = multiprocessing.Process(target=run, args=(name, engine, seed, answer), kwargs={"reordering": reordering})
    child.start()
    child.join(limit)
    if child.is_alive():
        child.kill()
        child.join()
        return f"> {limit:g}"
    return f"{answer.get():.2f}"


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--limit", type=float, default=60.0, help="wall-clock seconds for one run")
    parser.add_argument("--only", nargs="*", default=list(WORKLOADS), choices=list(WORKLOADS))
    arguments = parser.parse_args()
    columns = [(0, False), (1, False), (1, True), (2, True), (3, True)]
    sys.stdout.write("| workload | engine | good order | bad order 1 | 1, reordering | 2, reordering | 3, reordering |\n")
    sys.stdout.write("|---|---|--:|--:|--:|--:|--:|\n")
    for name in arguments.only:
        for engine in ("cudd", "oxidd"):
            cells = [seconds(name, engine, seed, arguments.limit, reordering=on) for seed, on in columns]
            sys.stdout.write(f"| {name} | {engine} | {' | '.join(cells)} |\n")
            sys.stdout.flush()


if __name__ == "__main__":
    main()
