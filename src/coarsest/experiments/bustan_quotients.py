"""Table 4.1 of Bustan 2002: what may be done to structures with fairness to make them smaller, and what logics see of them.

Where the thesis says *true*, random structures are examined; where it says *false*, the counterexample of its proof shows it.
Every answer comes with evidence that was confirmed.
"""

from __future__ import annotations

from typing import Final

from coarsest.experiments.points import PaperTable, Point

MEASURE = "coarsest.experiments.bustan_fair_structures:measure"
MEASURE_PAIR = "coarsest.experiments.bustan_fair_structures:measure_pair"
NOTIONS = ("direct", "delay", "game", "exists")
SAFE = {
    "unique smallest": ("direct",),
    "quotient": ("direct", "delay"),
    "quotient by all": ("direct",),
    "little brothers": ("direct",),
}
"""The relations for which an operation gives an equivalent structure, or for which there is one smallest structure. Quotients by
all have a transition where all states of a class have one. The thesis has them in its chapter 3, for direct simulation; what
they do by the other relations is our own finding."""
FIGURE = {"quotient": "4.1", "quotient by all": "by all", "little brothers": "4.2, 1", "unique smallest": "4.2"}
STRUCTURES: Final = 100
"""How many random structures are examined where the thesis says *true*."""


def _point(relation: str, question: str) -> Point:
    safe, figure = relation in SAFE[question], FIGURE[question]
    arguments: dict[str, str | int] = {"relation": relation}
    if safe:
        arguments |= {"question": question, "structures": STRUCTURES}
    elif question == "unique smallest":
        arguments |= {"figure": figure, "same": relation}
    else:
        arguments |= {"question": question, "figure": figure}
    stated = {"safe": safe}
    function = MEASURE_PAIR if "same" in arguments else MEASURE
    return Point(
        row=relation, column=question, measure=function, arguments=arguments, expected=stated,
        paper={} if figure == "by all" and not safe else stated, quick=True,
    )  # fmt: skip


def _logic(relation: str) -> Point:
    """Structures of which every logic of fair paths says the same, and that direct and delay simulation tell apart."""
    return Point(
        row=relation, column="logic", measure=MEASURE_PAIR, arguments={"relation": relation, "figure": "4.4", "same": "game"},
        expected={"safe": False, "below": False, "alike": True}, paper={"safe": False}, quick=True,
    )  # fmt: skip


TABLE = PaperTable(
    name="4.1", title="Table 4.1: which quotients, and which disconnections of little brothers, give equivalent structures",
    facts=("safe",),
    points=(*(_point(relation, question) for question in SAFE for relation in NOTIONS), _logic("direct"), _logic("delay")),
    note="The edges of the thesis' figures are not in its text: the structures here have all the properties that it names. "
    "The structure that shows that quotients by all are not safe is ours. Maximal models and the logics of game and exists "
    "simulation are not measured here.",
)  # fmt: skip
