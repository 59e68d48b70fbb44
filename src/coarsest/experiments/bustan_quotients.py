"""Table 4.1 of Bustan 2002: what may be done to structures with fairness to make them smaller, what logics see of them; and the
structures that tell the relations apart.

Where the thesis says *true*, random structures are examined; where it says *false*, the counterexample of its proof shows it.
Every answer comes with evidence that was confirmed.
"""

from __future__ import annotations

from typing import Final

from coarsest.experiments.points import PaperTable, Point

MODULE = "coarsest.experiments.bustan_fair_structures"
MEASURE = f"{MODULE}:measure"
MEASURE_PAIR = f"{MODULE}:measure_pair"
NOTIONS = ("direct", "delay", "game", "exists")
SAFE = {
    "unique smallest": ("direct",),
    "quotient": ("direct", "delay"),
    "quotient by all": ("direct",),
    "little brothers": ("direct",),
    "logic": ("game", "exists"),
    "maximal model": ("game", "exists"),
}
"""The relations for which an operation gives an equivalent structure, for which there is one smallest structure, which a logic
characterises, or for which formulas have maximal models. Quotients by all have a transition where all states of a class have one.
The thesis has them in its chapter 3, for direct simulation; what they do by the other relations is our own finding."""
FIGURE = {
    "quotient": "4.1, 1", "quotient by all": "by all", "little brothers": "4.2, 1", "unique smallest": "4.2", "logic": "4.4",
    "maximal model": "4.5",
}  # fmt: skip
LOGICS = {"game": "AFMC", "exists": "ACTL*"}
STRUCTURES: Final = 100
"""How many random structures are examined where the thesis says *true*."""


def _point(relation: str, question: str) -> Point:
    safe, figure = relation in SAFE[question], FIGURE[question]
    arguments: dict[str, str | int] = {"relation": relation}
    if safe:
        arguments |= {"question": question, "structures": STRUCTURES}
    elif question in ("unique smallest", "logic"):  # structures of which every logic of fair paths says the same
        arguments |= {"figure": figure, "same": relation if question == "unique smallest" else "game"}
    elif question == "maximal model":
        arguments = {"by": relation}
    else:
        arguments |= {"question": question, "figure": figure}
    function = MEASURE_PAIR if "same" in arguments else f"{MODULE}:measure_chain" if "by" in arguments else MEASURE
    return Point(
        row=relation, column=question, measure=function, arguments=arguments, expected={"safe": safe},
        paper={} if figure == "by all" and not safe else {"safe": LOGICS[relation] if question == "logic" and safe else safe},
        quick=True,
    )  # fmt: skip


TABLE = PaperTable(
    name="4.1", title="Table 4.1: quotients, little brothers, logics and maximal models of fair simulations",
    facts=("safe", "shown_by"),
    points=tuple(_point(relation, question) for question in SAFE for relation in NOTIONS),
    note="The edges of the thesis' figures are not in its text: the structures here have all the properties that it names. The "
    "structure 'by all' is ours. Of two structures that are not related by game or exists simulation, a formula of the logic in "
    "brackets tells: of the universal alternation-free µ-calculus (AFMC) or of ACTL*.",
)  # fmt: skip

BOUNDS = {"direct": "O(mn)", "delay": "O(mn^3)", "game": "O(mn^3)", "exists": "PSPACE"}
TIMES = PaperTable(
    name="4.1t", title="Table 4.1, its first column: the preorder of one random structure of n states, and its bound",
    facts=("seconds", "bound"),
    points=tuple(
        Point(row=relation, column=f"n = {states}", measure=f"{MODULE}:measure_time", series=relation, quick=states <= 20,
              arguments={"relation": relation, "states": states}, expected={"reflexive": True},
              paper={"bound": BOUNDS[relation]})
        for relation in NOTIONS for states in (5, 10, 20, 50, 100, 200)
    ),
    note="A structure has two steps for each state, two labels and one fairness set. By game and delay, each state is compared "
    "with each by a parity game. Exists simulation looks for answers that may depend on whole paths.",
)  # fmt: skip

ORDERS: dict[tuple[str, str], dict[str, bool]] = {
    ("4.1, M", "4.1, 1"): {"direct": False, "delay": False, "game": True, "exists": True, "words": True},
    ("4.1, 1", "4.1, M"): {"direct": True, "delay": True, "game": True, "exists": True, "words": True},
    ("4.1, M", "4.1, 2"): {"direct": False, "delay": False, "game": True, "exists": True, "words": True},
    ("4.1, 2", "4.1, M"): {"direct": True, "delay": True, "game": True, "exists": True, "words": True},
    ("4.2, 1", "4.2, 2"): {"direct": True, "delay": True, "game": True, "exists": True, "words": True},
    ("4.2, 2", "4.2, 1"): {"direct": False, "delay": True, "game": True, "exists": True, "words": True},
    ("4.4, 1", "4.4, 2"): {"direct": False, "delay": False, "game": True, "exists": True, "words": True},
    ("HKR97, 1", "HKR97, 2"): {"game": False, "exists": True, "words": True, "ECTL": True},
    ("ASS94, 1", "ASS94, 2"): {"game": False, "exists": False, "words": False, "ECTL": True},
}
PAPER = {
    ("4.1, M", "4.1, 1"): ("game", "exists"), ("4.1, 1", "4.1, M"): ("game", "exists"), ("4.1, M", "4.1, 2"): ("game", "exists"),
    ("4.1, 2", "4.1, M"): ("game", "exists"), ("4.2, 1", "4.2, 2"): ("delay",), ("4.2, 2", "4.2, 1"): ("delay",),
    ("4.4, 1", "4.4, 2"): ("direct", "delay"), ("HKR97, 1", "HKR97, 2"): ("game", "exists"),
    ("ASS94, 1", "ASS94, 2"): ("exists", "ECTL"),
}  # fmt: skip
"""What the thesis says of them in words."""

PAIRS = PaperTable(
    name="4.o", title="Structures that tell the relations apart: is the first below the second?",
    facts=("below",),
    points=tuple(
        Point(row=f"{pair[0]} below {pair[1]}", column=by, measure=f"{MODULE}:measure_order",
              arguments={"first": pair[0], "second": pair[1], "by": by}, expected={"below": below},
              paper={"below": below} if by in PAPER[pair] else {}, quick=by != "words")
        for pair, answers in ORDERS.items() for by, below in answers.items()
    ),
    note="The last two are ours, as the thesis only cites theirs. ECTL: is every formula of it that is true of the first true of "
    "the second? All sets of states that such formulas are true of are computed.",
)  # fmt: skip
TABLES = (TABLE, TIMES, PAIRS)
