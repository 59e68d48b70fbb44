"""Comparing two graphs by all notions of the spectrum. Verdicts are confirmed where there is a judge."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from coarsest.errors import EvidenceRejected
from coarsest.lts.compare.compare_by_partition import initial_states
from coarsest.lts.compare.comparison import GraphSize
from coarsest.lts.judge.hennessy_milner import FormulaChecker
from coarsest.lts.judge.observation_languages import beyond
from coarsest.lts.judge.spectrum_certificates import SpectrumJudge
from coarsest.lts.spectrum.ground import Ground
from coarsest.lts.spectrum.strong import decide_strong
from coarsest.lts.spectrum.verdicts import NotionVerdicts, Spectrum, Verdict, Verdicts
from coarsest.lts.spectrum.weak import decide_weak
from coarsest.lts.union import internal_action, side_by_side
from coarsest.options.option import Confirm
from coarsest.run import Run

if TYPE_CHECKING:
    from coarsest.lts.labelled import Graph


def compare_by_spectrum(first: Graph, second: Graph, *, confirm: Confirm = Confirm.AUTO, run: Run | None = None) -> Spectrum:
    """Is each graph below the other, by every notion? A question that is not decided within limits has the verdict unknown, with
    a reason."""
    run = run or Run()
    both = side_by_side(first, second)
    silent = bool((both.actions == internal_action(both)).any())
    verdicts = Verdicts(silent=silent)
    ground = Ground(both, initial_states(both, first.states), run)
    decide_strong(ground, verdicts)
    if silent:
        decide_weak(ground, verdicts, run)
    rows = verdicts.rows()
    if confirm is not Confirm.NEVER:
        rows = _Confirmed(first, second).rows(rows)
    sizes = tuple(GraphSize(graph.states, graph.transitions) for graph in (first, second))
    decided = [verdict for row in rows for verdict in row.ways if verdict.below is not None]
    return Spectrum(rows, silent, sizes, all(verdict.confirmed for verdict in decided), {"classes": ground.small.states})


class _Confirmed:
    """The verdicts on two graphs after the judges have confirmed them."""

    def __init__(self, first: Graph, second: Graph) -> None:
        self._judge = SpectrumJudge(first, second)
        self._checkers = [FormulaChecker(first), FormulaChecker(second)]

    def rows(self, rows: tuple[NotionVerdicts, ...]) -> tuple[NotionVerdicts, ...]:
        return tuple(NotionVerdicts(row.notion, (self._judged(row, 0), self._judged(row, 1))) for row in rows)

    def _judged(self, row: NotionVerdicts, way: int) -> Verdict:
        verdict = row.ways[way]
        notion = verdict.by or row.notion.name
        if verdict.formula is not None:
            truths = [checker.holds(verdict.formula) for checker in self._checkers]
            if truths != [way == 0, way == 1]:
                raise EvidenceRejected(f"a formula of {row.notion.name} is {truths[0]} in the first, {truths[1]} in the second")
            problem = beyond(notion, verdict.formula)
            if problem:
                raise EvidenceRejected(f"the formula {verdict.formula} is not one of {notion}: {problem}")
            return replace(verdict, confirmed=True)
        if not verdict.below or verdict.certificate is None:
            return verdict
        objection = self._judge.problem(verdict.certificate, notion, way)
        if objection:
            raise EvidenceRejected(f"a certificate of {notion} was not confirmed: {objection}")
        return replace(verdict, confirmed=objection is not None)
