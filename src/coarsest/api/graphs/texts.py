"""Graphs reduced from text to text, without NumPy."""

from __future__ import annotations

from coarsest.api.graphs.written import written_quotient
from coarsest.api.results import ReductionFacts, Sizes
from coarsest.errors import InputError
from coarsest.lts import relations
from coarsest.lts.relations import reduction_called
from coarsest.run import Run


def require_reduction(by: str, algorithm: str = "auto", engine: str = "auto") -> None:
    """Raise InputError for an algorithm that is not for graphs, or not for this relation or engine."""
    if algorithm not in relations.algorithms():
        names = ", ".join(relations.algorithms())
        raise InputError(f"the algorithm '{algorithm}' is not for explicit graphs", hint=f"those are {names}")
    if algorithm != "auto" and not reduction_called(by).choices:
        raise InputError(f"there is one algorithm for {by}, not a choice", hint="leave out --algorithm")
    if engine != "auto":
        from coarsest.lts.minimise.refiners import require_engine

        require_engine(engine, by, algorithm)


def reduce_text(path: str, output: str, *, by: str, run: Run) -> ReductionFacts | None:
    """Write the quotient and return its facts; None if this graph needs the general way."""
    small = written_quotient(path, output, by=by, run=run)
    if small is None:
        return None
    return ReductionFacts(
        states=Sizes(*small.states), transitions=Sizes(*small.transitions), relation=by, algorithm=small.algorithm,
        preserves=reduction_called(by).preserves, confirmed=small.claim is not None,
        statistics={"transitions_looked_at": small.work},
    )  # fmt: skip
