"""The algorithms that compute the classes of a graph in succession, on the processor or on a GPU."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, NamedTuple

from coarsest import tuning
from coarsest._kernels.choose import has_library, kernels
from coarsest.errors import InputError, Unsupported
from coarsest.lts.labelled import Graph

GIBIBYTE: Final = 1 << 30


class Refiner(NamedTuple):
    """An algorithm that refines blocks, or gives up and leaves the rest to the next one."""

    name: str
    on_gpu: bool = False

    def function(self, graph: Graph, choice: str) -> Callable[..., Any]:
        """The function (offsets, actions, targets, blocks, progress, seed) → the number of blocks, or -1."""
        if self.on_gpu:
            from coarsest._kernels.arrays.gpu import refine

            return refine
        if self.name == "rounds":
            from coarsest._kernels.arrays.rounds import coarsest_partition

            return coarsest_partition
        function: Callable[..., Any] = kernels(f"partition.{self.name}", graph.transitions, choice).coarsest_partition
        return function


ONE_BY_ONE = Refiner("signatures"), Refiner("valmari")


def require_engine(engine: str, by: str, algorithm: str) -> None:
    """Refuse a relation or an algorithm that does not run on the device."""
    if by != "bisimulation":
        raise InputError(f"only the processor reduces graphs by {by}", hint="leave out --engine")
    if engine == "gpu" and algorithm not in ("auto", "rounds"):
        raise InputError(f"the algorithm '{algorithm}' is not for a GPU", hint="use --algorithm rounds")


def refiners(graph: Graph, algorithm: str, engine: str) -> tuple[tuple[Refiner, ...], tuple[str, ...]]:
    """The algorithms that refine the blocks of a graph, and warnings if they are not those that the user asked for."""
    in_rounds = Refiner("rounds"), *ONE_BY_ONE
    usual = ONE_BY_ONE if has_library() else in_rounds
    on_processor = {"auto": usual, "rounds": in_rounds}.get(algorithm, (Refiner(algorithm),))
    is_small = graph.transitions < tuning.GPU_TRANSITIONS
    if engine == "cpu" or algorithm not in ("auto", "rounds") or (engine == "auto" and is_small):
        return on_processor, ()
    from coarsest._kernels.arrays import gpu

    trouble = gpu.trouble()
    if trouble is None:
        needed, free = gpu.bytes_needed(graph.states, graph.transitions), gpu.bytes_free()
        if needed <= free:
            return (Refiner("rounds", on_gpu=True), *ONE_BY_ONE), ()
        sizes = f"{needed / GIBIBYTE:.1f} GiB on the GPU, and {free / GIBIBYTE:.1f} are free"
        warning = f"the graph takes {sizes}: the processor reduces it"
        return on_processor, (warning,) * (engine == "gpu")
    if engine == "gpu":
        raise Unsupported(trouble, hint="pip install 'coarsest[gpu]', or leave out --engine gpu")
    return on_processor, ()
