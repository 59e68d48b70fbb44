"""Invariants by induction on bits: bounded search for violations and, in turns, proofs by induction over as many steps."""

from __future__ import annotations

from coarsest.check.engines.on_bits.bmc import objection as objection
from coarsest.check.invariants.bounded_search import bounded_search
from coarsest.check.invariants.induction import induction
from coarsest.check.questions.finding import Finding, Proved, Refuted, Undecided
from coarsest.check.questions.question import Invariant, Question
from coarsest.check.setting.workshop import Workshop
from coarsest.encode.unrolling import Network
from coarsest.evidence.proof import AllPathsEnd, Induction


def decide(question: Question[Invariant], shop: Workshop, *, most: int | None = None) -> Finding:
    """With `most`, only inductions over fewer steps are tried."""
    network, good = Network(question.part.machine, shop.run), question.claim.good
    paths, steps = bounded_search(network, good, shop.run), induction(network, good, shop.run)
    depth = 0
    while True:
        facts = {"depth": depth, "gates": network.gates}
        try:
            trace = next(paths)
        except StopIteration:
            return Proved(AllPathsEnd(depth), facts=facts)
        if trace is not None:
            return Refuted(trace, facts)
        if next(steps):
            return Proved(Induction(depth, question.part.equations), facts=facts)
        depth += 1
        if most is not None and depth >= most:
            return Undecided(f"neither a path of fewer than {most} steps violates it, nor does induction over these prove it")
