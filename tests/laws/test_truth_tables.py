"""The table of a formula's parts along a trace contradicts itself nowhere: what a cell says fits what its parts say.

A cell may be empty, and other paths than the one shown may be the reason for what it says; so not every cell follows from others.
Beside path quantifiers, states count from which no fair path goes on: machines with fairness are looked at for connectives only.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from itertools import islice
from random import Random

import pytest
from msgspec.structs import replace

import coarsest
from campaigns import blocks
from coarsest.errors import InputError
from coarsest.evidence.verdict import Answer, shown_trace
from coarsest.explain.annotate import annotated
from coarsest.logic.expr import Apply, Constant, Expr, subexpressions
from coarsest.logic.show import show
from coarsest.logic.temporal_operators import LTL_PAST
from coarsest.model.kinds import PropertyKind
from coarsest.model.machine import Machine, Property
from coarsest.model.parts.promote_inputs import inputs_mentioned
from random_machines import seeded_fair_machine
from temporal_laws import ask, ctl_formulas, ltl_formulas

Cell = bool | None
Row = Sequence[Cell]

# What one cell says of others


def opposite(cell: Cell) -> Cell:
    return None if cell is None else not cell


def both(one: Cell, other: Cell) -> Cell:
    return False if one is False or other is False else None if one is None or other is None else True


def same(one: Cell, other: Cell) -> Cell:
    return None if one is None or other is None else one is other


def connected(op: str, cells: Sequence[Cell]) -> Cell:
    if op == "not":
        return opposite(cells[0])
    one, other = cells
    match op:
        case "and":
            return both(one, other)
        case "or":
            return opposite(both(opposite(one), opposite(other)))
        case "implies":
            return opposite(both(one, opposite(other)))
        case "iff" | "xnor":
            return same(one, other)
        case "xor":
            return opposite(same(one, other))
    raise AssertionError(op)


IMPOSSIBLE: dict[str, list[tuple[Cell, Cell, Cell, Cell]]] = {
    # the operator here, its last operand here, its first operand here, the operator in the next state
    "AG": [(True, False, None, None), (True, None, None, False)],
    "EG": [(True, False, None, None), (False, True, None, True)],
    "EF": [(False, True, None, None), (False, None, None, True)],
    "AF": [(False, True, None, None), (True, False, None, False)],
    "AU": [(False, True, None, None), (True, False, False, None), (True, False, None, False)],
    "EU": [(False, True, None, None), (True, False, False, None), (False, None, True, True)],
    "G": [(True, False, None, None), (True, None, None, False), (False, True, None, True)],
    "F": [(False, True, None, None), (False, None, None, True), (True, False, None, False)],
    "U": [(False, True, None, None), (True, False, False, None), (True, False, None, False), (False, None, True, True)],
}
"""What cannot be in a table, with None for anything. Of CTL, the path shown is one of several."""
OF_THE_NEXT_STATE = {"AX": [(True, False)], "EX": [(False, True)], "X": [(True, False), (False, True)]}


def looks_back(formula: Expr) -> bool:
    """Where a loop begins again, it may be true for another past."""
    return any(isinstance(part, Apply) and part.op in LTL_PAST for part in subexpressions(formula))


class Table:
    """The rows of a table by their formulas; a lasso goes on where its loop begins."""

    def __init__(self, formula: Expr, answer: Answer) -> None:
        trace = shown_trace(answer)
        assert trace is not None and answer.reading is not None
        rows = {row.formula: row.values for row in answer.reading.truths}
        self.length, self.loop = len(trace), trace.loop
        self.parts = [part for part in dict.fromkeys(subexpressions(formula)) if not isinstance(part, Constant)]
        self.rows: dict[str, Row] = {show(part): rows[show(part)] for part in self.parts if show(part) in rows}

    def cell(self, part: Expr, place: int | None) -> Cell:
        if place is None:
            return None
        if isinstance(part, Constant):
            return part.value if isinstance(part.value, bool) else None
        if show(part) in self.rows:
            return self.rows[show(part)][place]
        return opposite(self.cell(part.args[0], place)) if isinstance(part, Apply) and part.op == "not" else None

    def contradictions(self, *, temporal: bool) -> list[tuple[str, int]]:
        found = []
        for part in self.parts:
            for place in range(self.length if isinstance(part, Apply) and show(part) in self.rows else 0):
                assert isinstance(part, Apply)
                if self._contradicts(part, place, temporal=temporal):
                    found.append((show(part), place))
        return found

    def _contradicts(self, part: Apply, place: int, *, temporal: bool) -> bool:
        here = self.cell(part, place)
        after = place + 1 if place + 1 < self.length else None if looks_back(part) else self.loop
        if part.op in ("not", "and", "or", "implies", "iff", "xnor", "xor") and here is not None:
            expected = connected(part.op, [self.cell(arg, place) for arg in part.args])
            return expected is not None and expected is not here
        if part.op in IMPOSSIBLE and temporal:
            cells = here, self.cell(part.args[-1], place), self.cell(part.args[0], place), self.cell(part, after)
            return any(all(no is None or no is cell for no, cell in zip(row, cells)) for row in IMPOSSIBLE[part.op])
        if part.op in OF_THE_NEXT_STATE and temporal:
            return (here, self.cell(part.args[0], after)) in OF_THE_NEXT_STATE[part.op]
        return False


# Tables of random formulas


Draw = Callable[..., list[Expr]]
DRAWN: dict[PropertyKind, Draw] = {PropertyKind.CTL: ctl_formulas, PropertyKind.LTL: ltl_formulas}


def drawn(kind: PropertyKind, seed: int, machine: Machine) -> list[Expr]:
    """Some formulas, and some that mention inputs, where there are any."""
    random = Random(seed)
    about_inputs = (claim for claim in DRAWN[kind](random, machine, 30, inputs=0.8) if inputs_mentioned(machine, [claim]))
    return [*DRAWN[kind](random, machine, 2), *islice(about_inputs, 3)]


@pytest.mark.parametrize("number", blocks(20, by_day=2))
@pytest.mark.parametrize("kind", DRAWN)
def test_tables_of_random_formulas(kind: PropertyKind, number: int) -> None:
    rows: Counter[bool] = Counter()
    for seed in range(30 * number, 30 * number + 30):
        machine = seeded_fair_machine(seed)
        if seed % 2:
            machine = replace(machine, justice=(), compassion=())
        formulas = drawn(kind, seed, machine)
        try:
            _, answers = ask(machine, kind, formulas)
        except InputError:  # what has no value somewhere
            continue
        for formula, answer in zip(formulas, answers, strict=True):
            made = annotated(answer, Property(kind, formula), machine)
            if shown_trace(made) is not None and made.reading is not None and made.reading.truths:
                fair = bool(machine.justice or machine.compassion)
                table = Table(formula, made)
                assert not table.contradictions(temporal=kind is PropertyKind.LTL or not fair), (seed, show(formula))
                rows[bool(inputs_mentioned(machine, [formula]))] += len(table.rows)
    assert min(rows[False], rows[True]) > 20


def test_a_contradiction_is_found() -> None:
    """The test above can fail: in a table with a cell that says the opposite, there is a contradiction."""
    found = 0
    for seed in range(1, 60, 2):
        machine = replace(seeded_fair_machine(seed), justice=(), compassion=())
        formulas = ctl_formulas(Random(seed), machine, 4)
        for formula, answer in zip(formulas, ask(machine, PropertyKind.CTL, formulas)[1], strict=True):
            made = annotated(answer, Property(PropertyKind.CTL, formula), machine)
            if made.reading is not None and made.reading.truths:
                table = Table(formula, made)
                if show(formula) in table.rows:
                    table.rows[show(formula)] = [opposite(cell) for cell in table.rows[show(formula)]]
                found += bool(table.contradictions(temporal=True))
    assert found > 5


STEPS = "MODULE main VAR x : boolean; IVAR i : boolean; ASSIGN init(x) := FALSE; next(x) := {TRUE, x};"


@pytest.mark.parametrize(
    "formula",
    ["EX x & E [i U x]", "EX x & E [!i U x]", "EX x & E [x U i]", "EX x & E [x U !i]", "EX x <-> A [x U i]", "AG AX i <-> EX x"],
)
def test_paths_with_other_inputs(formula: str) -> None:
    """What is said of one path is not written beside another one with the same states."""
    model = coarsest.loads(STEPS)
    claim = model.formula(formula)
    (answer,) = model.check(claim).answers
    if answer.reading is not None and answer.reading.truths:
        assert Table(claim.formula, answer).contradictions(temporal=True) == []
