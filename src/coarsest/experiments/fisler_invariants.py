"""An invariant of a model by one of the algorithms of Fisler and Vardi 1999, with its set operations counted."""

from __future__ import annotations

from time import process_time

from coarsest.api import model as api
from coarsest.check.invariants.measured_invariant import measure_invariant
from coarsest.experiments.points import Facts, shipped
from coarsest.experiments.sebastiani.models import FAMILIES
from coarsest.options.methods import BuildOptions
from coarsest.run import Run
from coarsest.search.reachability import BreadthFirst
from coarsest.space.bdd.build import build


def measure(
    engine: str, invariant: str, *, run: Run, model: str = "", properties: str = "", family: str = "", n: int = 0,
    bound: int | None = None,
) -> Facts:  # fmt: skip
    """The invariant is named or numbered, and may be in a file of its own; for a model of a family it is a formula. `seconds` are
    the CPU time of the search alone, without building the transition relation. A lower bound is passed through. The image method
    is fixed: `auto` looks at a clock, and its nodes differ from run to run."""
    if family:
        text = FAMILIES[family](n).replace("LTLSPEC", f"INVARSPEC NAME asked := {invariant};\nLTLSPEC", 1)
        loaded, invariant = api.loads(text), "asked"
    else:
        loaded = api.load(shipped(model)).with_files(properties=[shipped(properties)] if properties else [])
    formula = loaded.property_named(invariant).formula
    space = build(loaded.machine, run, BuildOptions(reorder=False, relation="clustered"))
    good = space.where(formula)
    started = process_time()
    measured = measure_invariant(engine, space, good, run)
    facts = dict(measured.facts)
    split = facts.pop("images_of_splitting", facts["images"])
    seconds, nodes = process_time() - started, max(space.manager.peak_nodes, space.manager.live_nodes)
    least = {"lower bound": bound} if bound is not None else {}
    return {"holds": measured.holds, **facts, **least, "split images": split, "seconds": seconds, "peak nodes": nodes}


def reach(model: str, *, run: Run) -> Facts:
    """The reachable states of a model; `seconds` are the CPU time of all."""
    started = process_time()
    space = build(api.load(shipped(model)).machine, run, BuildOptions())
    reached = BreadthFirst(space, space.initial).finish(run)
    return {"states": space.count(reached), "seconds": process_time() - started}
