"""Table 4.1 of Bustan 2002: what may be done to structures with fairness to make them smaller, and what logics see of them.

Where the thesis says *true*, it is looked at on random structures; where it says *false*, the counterexample of its proof shows
it. Every answer comes with evidence that was confirmed.
"""

from __future__ import annotations

from coarsest.experiments.points import Claim, Outcomes, Point, Table, Word, number

MEASURE = "coarsest.experiments.bustan_fair_structures:measure"
MEASURE_PAIR = "coarsest.experiments.bustan_fair_structures:measure_pair"
NOTIONS = ("direct", "delay", "game", "exists")
SAFE = {
    "unique smallest": ("direct",),
    "quotient": ("direct", "delay"),
    "quotient by all": ("direct",),
    "little brothers": ("direct",),
}
"""For which relations the thesis says that an operation gives an equivalent structure, or that there is one smallest one. A
quotient by all, with a transition where all states of a class have one, is that of its chapter 3, for direct simulation."""
FIGURE = {"quotient": "4.1", "quotient by all": "", "little brothers": "4.2, 1", "unique smallest": "4.2"}
STRUCTURES = 100
"""How many random structures are looked at where the thesis says *true*, or nothing."""


def _point(relation: str, question: str) -> Point:
    safe, figure = relation in SAFE[question], FIGURE[question]
    arguments: dict[str, str | int] = {"relation": relation}
    if safe or not figure:
        arguments |= {"question": question, "structures": STRUCTURES}
    elif question == "unique smallest":
        arguments |= {"figure": figure, "same": relation}
    else:
        arguments |= {"question": question, "figure": figure}
    stated = {"safe": safe} if safe or figure else {}
    function = MEASURE_PAIR if "same" in arguments else MEASURE
    return Point(row=relation, column=question, measure=function, arguments=arguments, expected=stated, paper=stated, quick=True)


def _logic(relation: str) -> Point:
    """Structures of which every logic of fair paths says the same, and that direct and delay simulation tell apart."""
    return Point(
        row=relation, column="logic", measure=MEASURE_PAIR, arguments={"relation": relation, "figure": "4.4", "same": "game"},
        expected={"safe": False, "below": False, "alike": True}, paper={"safe": False}, quick=True,
    )  # fmt: skip


def _by_all(outcomes: Outcomes) -> tuple[Word, str]:
    """What becomes of quotients by all is not in the thesis for the other relations."""
    counts = {relation: number(outcomes, f"{relation}, quotient by all", "broken") for relation in NOTIONS[1:]}
    told = ", ".join(f"{relation} {broken:g}" for relation, broken in counts.items() if broken is not None)
    return ("holds" if told else "unknown"), f"inequivalent: {told} of {STRUCTURES}"


TABLE = Table(
    name="4.1", title="Table 4.1: which quotients, and which disconnections of little brothers, give equivalent structures",
    facts=("safe",),
    points=(*(_point(relation, question) for question in SAFE for relation in NOTIONS), _logic("direct"), _logic("delay")),
    claims=(Claim("quotients by all, beyond the thesis: measured only", _by_all, quick=True),),
    note="The edges of the thesis' figures are not in its text: the structures here have all the properties that it names. "
    "Maximal models and the logics of game and exists simulation are not measured here.",
)  # fmt: skip
