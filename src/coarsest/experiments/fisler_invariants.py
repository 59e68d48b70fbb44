"""An invariant of a model by one of the algorithms of Fisler and Vardi 1999, with its set operations counted."""

from __future__ import annotations

from time import process_time

from coarsest.api import model as api
from coarsest.check.invariants.measured_invariant import measure_invariant
from coarsest.experiments.points import Facts, shipped
from coarsest.experiments.sebastiani_models import FAMILIES
from coarsest.options.methods import BuildOptions
from coarsest.run import Run
from coarsest.space.bdd.build import build


def measure(engine: str, invariant: str, *, run: Run, model: str = "", family: str = "", n: int = 0) -> Facts:
    """Of a model that comes with the package, by the name of the invariant, or of one of a family, by a formula. `seconds` are
    the CPU time of the search, when the transition relation is there."""
    if family:
        text = FAMILIES[family](n).replace("LTLSPEC", f"INVARSPEC NAME asked := {invariant};\nLTLSPEC", 1)
        loaded, invariant = api.loads(text), "asked"
    else:
        loaded = api.load(shipped(model))
    (formula,) = [prop.formula for prop in loaded.properties if prop.name == invariant]
    space = build(loaded.machine, run, BuildOptions(reorder=False))
    good = space.where(formula)
    started = process_time()
    measured = measure_invariant(engine, space, good, run)
    return {"holds": measured.holds, **measured.facts, "seconds": process_time() - started}
