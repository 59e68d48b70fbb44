"""`python -m benchmarks.gpu_rounds`: strong bisimulation on a GPU, on families that are made there and on files of arrays.

Device seconds are those of refining and of the exact check, without transfers: the best of three, after one that compiles. The
memory is what the pool of CuPy had in the end. With `--compare`, the kernel of the processor refines the same graph, and goes on
where rounds give up; the blocks must be the same. CuPy and NumPy are all that is needed, and Numba to compare.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks import graph_families
from coarsest._kernels.arrays import gpu
from coarsest._kernels.arrays.rounds import coarsest_partition
from coarsest._kernels.progress import GAVE_UP, ROUNDS

REPEAT = 3


def main() -> int:
    """Print a line for each graph."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.gpu_rounds", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--family", nargs="*", choices=graph_families.FAMILIES, default=[])
    parser.add_argument("--size", type=lambda text: int(float(text)), default=10**8, help="transitions (default: 1e8)")
    parser.add_argument("--file", nargs="*", type=Path, default=[], help=".npz files, as `coarsest convert` writes them")
    parser.add_argument("--compare", action="store_true", help="with the kernel of the processor")
    args = parser.parse_args()
    if problem := gpu.trouble():
        sys.stderr.write(f"{problem}\n")
        return 2
    graphs = [(name, lambda name=name: _family(name, args.size)) for name in args.family]
    graphs += [(path.stem, lambda path=path: _file(path)) for path in args.file]
    for name, make in graphs:
        graph = make()
        gpu.arrays().np.get_default_memory_pool().free_all_blocks()
        sys.stdout.write(f"{name}: {_measured(graph, compare=args.compare)}\n")
        sys.stdout.flush()
    return 0


def _family(name: str, size: int) -> tuple[Any, ...]:
    """Made by CuPy where it has the functions, or else by NumPy: offsets, actions, targets, labels."""
    cupy: Any = gpu.arrays().np
    whole = getattr(graph_families, "np")  # noqa: B009
    try:
        setattr(graph_families, "np", cupy)  # noqa: B010
        edges = graph_families.FAMILIES[name](size)
    except (AttributeError, TypeError, ValueError, NotImplementedError):
        setattr(graph_families, "np", whole)  # noqa: B010
        edges = graph_families.FAMILIES[name](size)
    finally:
        setattr(graph_families, "np", whole)  # noqa: B010
    offsets = cupy.zeros(edges.states + 1, dtype=np.int32)
    cupy.cumsum(cupy.bincount(cupy.asarray(edges.sources), minlength=edges.states), out=offsets[1:])
    columns = cupy.asarray(edges.actions).astype(np.int32), cupy.asarray(edges.targets).astype(np.int32)
    return offsets, *columns, cupy.zeros(edges.states, dtype=np.int32)


def _file(path: Path) -> tuple[Any, ...]:
    cupy: Any = gpu.arrays().np
    with np.load(path) as arrays:
        parts = [arrays[name] for name in ("offsets", "actions", "targets")]
        labels = arrays["labels"] if "labels" in arrays else np.zeros(len(parts[0]) - 1, dtype=np.int32)
    return tuple(cupy.asarray(np.asarray(part, dtype=np.int32)) for part in (*parts, labels))


def _measured(graph: tuple[Any, ...], *, compare: bool) -> str:
    by = gpu.arrays()
    cupy: Any = by.np
    offsets, actions, targets, labels = graph
    actions = gpu.narrowed(actions)
    times = []
    for _ in range(REPEAT + 1):
        blocks, progress = labels.copy(), np.zeros(8, dtype=np.int64)
        moments = [_now(cupy)]
        number = coarsest_partition(offsets, actions, targets, blocks, progress, 0, by)
        moments.append(_now(cupy))
        stable = number == GAVE_UP or gpu.is_stable(by, offsets, actions, targets, blocks, number)
        times.append((moments[1] - moments[0], _now(cupy) - moments[1]))
    spent = min(times[1:])
    words = f"{len(labels):,} states, {len(targets):,} transitions, {number:,} blocks in {progress[ROUNDS]} rounds: "
    words += f"{spent[0]:.3f} + {spent[1]:.3f} s, {cupy.get_default_memory_pool().total_bytes() / 1e9:.1f} GB"
    if not stable:
        words += ", NOT STABLE"
    return words + (_compared(graph, blocks, stopped=number == GAVE_UP) if compare else "")


def _now(cupy: Any) -> float:
    cupy.cuda.Device().synchronize()
    return time.perf_counter()


def _compared(graph: tuple[Any, ...], blocks: Any, *, stopped: bool) -> str:
    """What the kernel of the processor takes for all, and for the rest; are the blocks the same?"""
    from coarsest._kernels.choose import kernels

    cupy: Any = gpu.arrays().np
    offsets, actions, targets, labels = (cupy.asnumpy(part) for part in graph)
    kernel = kernels("partition.signatures", len(targets), "compiled").coarsest_partition
    zero = np.zeros(1, dtype=np.int32)
    kernel(np.arange(2, dtype=np.int32), zero, zero, zero.copy(), np.zeros(8, dtype=np.int64), 0)  # compiles it
    seconds = []
    answers = [labels.copy(), cupy.asnumpy(blocks)]
    for answer in answers[: 1 + stopped]:
        before = time.process_time()
        kernel(offsets, actions, targets, answer, np.zeros(8, dtype=np.int64), 0)
        seconds.append(time.process_time() - before)
    same = "the same blocks" if np.array_equal(*answers) else "OTHER BLOCKS"
    return f"; processor {seconds[0]:.3f} s{f', the rest {seconds[1]:.3f} s' if stopped else ''}, {same}"


if __name__ == "__main__":
    sys.exit(main())
