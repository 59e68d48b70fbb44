"""Figure 4.5 of Bustan 2002: a formula has a maximal model by game simulation, but none by delay or direct simulation."""

from __future__ import annotations

from time import process_time
from typing import Final

from coarsest.api import model as api
from coarsest.api.assume import maximal_model
from coarsest.api.comparing.compare import compare
from coarsest.experiments import bustan_models
from coarsest.experiments.points import Facts, Outcomes, PaperClaim, PaperTable, Point, Word
from coarsest.run import Run

MEASURE = "coarsest.experiments.bustan_maximal:measure"
UNTIL = "A [a U b]"
SIZES: Final = (1, 2, 3, 4, 6, 9, 12)
STATES: Final = 8
"""The maximal model of `A [a U b]` has two atoms and one promise."""


def measure(n: int, by: str, *, run: Run) -> Facts:
    """Does M_n satisfy the formula, and is the maximal model above it?"""
    started = process_time()
    small, large = api.loads(bustan_models.chain(n)), maximal_model(UNTIL, run=run).model
    satisfied = small.check(UNTIL, run=run).holds and large.check(UNTIL, run=run).holds
    comparison = compare(small, large, by=by, preorder=True, observe=["a", "b"], run=run)
    states = large.reach(run=run).states
    return {
        "satisfies": satisfied, "below": comparison.related, "confirmed": comparison.confirmed, "states": states,
        "seconds": process_time() - started,
    }  # fmt: skip


def _point(n: int, by: str) -> Point:
    """By the lemma, what is above M_n has n states; how far delays reach before that is ours."""
    stated = {"below": by == "game"} if by == "game" or n > STATES else {}
    return Point(
        row=f"M_{n}", column=by, measure=MEASURE, arguments={"n": n, "by": by},
        expected={"satisfies": True, "states": STATES, "confirmed": True, "below": by == "game" or (by == "delay" and n <= 2)},
        paper=stated, quick=True,
    )  # fmt: skip


def _lemma(outcomes: Outcomes) -> tuple[Word, str]:
    """Lemma 4.3.14, for the maximal model, which satisfies the formula."""
    facts = [(outcome.arguments["n"], outcome.facts) for outcome in outcomes.values() if outcome.arguments.get("by") != "game"]
    if any(one is None for _, one in facts):
        return "unknown", ""
    below = [(n, int(one["states"])) for n, one in facts if one is not None and one["below"]]
    return "holds" if all(states >= n for n, states in below) else "fails", f"{len(below)} of {len(facts)} are below"


TABLE = PaperTable(
    name="4.5", title="Figure 4.5: A [a U b] has a maximal model by game simulation, and none by delay or direct simulation",
    facts=("below",),
    points=tuple(_point(n, by) for n in SIZES for by in ("game", "delay", "direct")),
    claims=(PaperClaim("a model of the formula above M_n by delay simulation has at least n states", _lemma, quick=True),),
    note="Is the maximal model of the formula, which `coarsest automaton --actl` writes, above M_n? It has 8 states that can be "
    "reached. The edges of the figure are not in the text of the thesis: ours are as its lemma 4.3.14 needs them.",
)  # fmt: skip
