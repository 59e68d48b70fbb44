"""Linear formulas by bounded search on bits: the shortest lassos that violate them; it proves only where all paths end."""

from __future__ import annotations

from coarsest.check.invariants.bounded_search import bounded_search
from coarsest.check.products.liveness_to_safety import lasso, repeating
from coarsest.check.products.violating_paths import goes_on, violating_paths
from coarsest.check.questions.finding import Finding, Proved, Refuted, Undecided
from coarsest.check.questions.question import Linear, Question
from coarsest.check.setting.session import Session
from coarsest.encode.unrolling import Network
from coarsest.model.unbounded import unbounded_variables


def objection(question: Question[Linear], session: Session) -> str:
    return "the model has variables without bounds" if unbounded_variables(question.part.machine) else ""


def decide(question: Question[Linear], session: Session, *, most: int | None = None) -> Finding:
    """With `most`, or with a depth among the options, only lassos of fewer steps are looked at."""
    depth = session.options.depth
    most = depth + 1 if depth and most is None else most
    setting = session.setting(question.claim.roots)
    machine = violating_paths(setting.machine, question.claim)
    doubled = repeating(machine)
    network = Network(doubled.machine, session.run)
    steps = 0
    for trace in bounded_search(network, doubled.good, session.run):
        if trace is not None:
            return Refuted(setting.own_trace(lasso(trace, machine), machine), {"bound": steps, "gates": network.gates})
        steps += 1
        if steps == most:
            if most == depth + 1:
                return Undecided(f"no counterexample of up to {depth} step{'s' * (depth != 1)}", bound=depth)
            return Undecided(f"no lasso of fewer than {most} steps violates it")
    if not goes_on(setting.machine, machine, session.run):
        because = "no infinite path violates it, but a model with constraints may have states without successor"
        return Undecided(because)
    return Proved(facts={"bound": steps, "gates": network.gates})
