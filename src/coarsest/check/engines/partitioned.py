"""Linear formulas on sets of states that are split by the vertices of the automaton of the violations."""

from __future__ import annotations

from coarsest.check.products.ltl_partitioned import violation_by_partition
from coarsest.check.questions.finding import Finding, Proved, Refuted
from coarsest.check.questions.question import Linear, Question
from coarsest.check.setting.session import Session
from coarsest.options.engines import FairStates


def decide(question: Question[Linear], session: Session) -> Finding:
    claim, setting = question.claim, session.setting(question.claim.roots)
    if setting.on_representatives is not None:
        path = setting.on_representatives.violation(claim.violating())
    else:
        violating, again = claim.apart or (claim.violating(), ())
        path = violation_by_partition(
            setting.arena, violating, session.run, lambda: setting.ctl.fair, again=again,
            fair_algorithm=session.options.of(FairStates).fair,
        )  # fmt: skip
    return Proved() if path is None else Refuted(lambda: setting.trace(path()))
