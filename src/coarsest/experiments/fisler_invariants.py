"""An invariant of a model by one of the algorithms of Fisler and Vardi 1999, with its set operations counted."""

from __future__ import annotations

from itertools import pairwise
from time import process_time

from msgspec.structs import replace

from coarsest.api import model as api
from coarsest.check.invariants.measured_invariant import measure_invariant
from coarsest.experiments.points import Facts, shipped
from coarsest.experiments.sebastiani.models import FAMILIES
from coarsest.options.methods import BuildOptions
from coarsest.run import Run
from coarsest.search.reachability import BreadthFirst
from coarsest.space.bdd.build import build

LY = "lee-yannakakis"


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
        loaded = api.load_model(shipped(model)).with_files(properties=[shipped(properties)] if properties else [])
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


def minimise(model: str, formula: str, *, fairness: str = "", run: Run) -> Facts:
    """A row of table 1: what is left of a model by the algorithm of Lee and Yannakakis, with one proposition for each largest
    part of the formula that has no temporal operator, and for each fairness condition. CPU times are those of checking the
    model, of minimising it, and of checking what is left; nothing is confirmed in them. Nodes stand for memory."""
    loaded = api.load_model(shipped(model)).with_files(fairness=[shipped(fairness)] if fairness else [])
    claim = loaded.formula(formula)
    loaded = api.Model(replace(loaded.machine, properties=(claim,)))
    times = [process_time()]
    answer = loaded.check(claim, confirm="never", vacuity=False, run=run)[0]
    times.append(process_time())
    reduced = loaded.reduce(observe=[formula, *loaded.machine.justice], algorithm=LY, confirm="never", count=False, run=run)
    times.append(process_time())
    (asked,) = reduced.model.properties
    again = reduced.model.check(asked, confirm="never", vacuity=False, run=run)[0].verdict.word
    times.append(process_time())
    space = build(loaded.machine, run, BuildOptions())
    states = space.count(BreadthFirst(space, space.initial).finish(run))
    seconds = dict(zip(("checking", "minimising", "checking blocks"), (late - early for early, late in pairwise(times))))
    nodes = {"nodes": answer.statistics["peak_nodes"], "nodes of minimising": reduced.statistics["peak_nodes"]}
    verdicts = {"holds": answer.verdict.word == "holds", "agree": answer.verdict.word == again}
    return {**verdicts, "states": states, "blocks": reduced.states, **seconds, **nodes}
