"""Game simulation between two small machines, decided position by position.

Reference: Etessami, Wilke, Schuller 2001, section 3; Jurdziński 2000, "Small progress measures for solving parity games".
Symbols:   ρ is `rank`: how often, at most, the adversary can be fair before the protagonist is.
Invariant: ranks only grow, and none is above the least progress measure.
Deviates:  positions are those after the protagonist's answer; on both sides, several fairness sets are waited for in turn.
Cost:      positions times ranks; there are bounds on both machines and on the positions.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from coarsest import tuning
from coarsest.errors import EvidenceRejected, LimitExceeded
from coarsest.evidence.confirmation import Enumerated
from coarsest.evidence.effort import NotConfirmed
from coarsest.evidence.enumeration.enumerated_states import EnumeratedStates, EnumerationBounds
from coarsest.evidence.enumeration.fair_graph import FairPaths
from coarsest.logic.expr import Expr, Name
from coarsest.model.machine import Machine
from coarsest.run import Run

Position = tuple[int, int, int, int]
"""A left state and the fairness set that it waits for, a right state and the fairness set that it waits for."""


class Side:
    """One of the machines: its reachable states, their labels, and the fairness sets."""

    def __init__(self, machine: Machine, names: Sequence[str], run: Run) -> None:
        enumerated = EnumeratedStates(machine, run, EnumerationBounds())
        positions = enumerated.positions([])
        if enumerated.inputs_in(machine.justice):
            raise NotConfirmed("fairness is about inputs")
        self.initial = enumerated.initial
        self.after = positions.after
        values = [enumerated.interpreter.assignment(state) for state in enumerated.states]
        exprs: list[Expr] = [Name(name) for name in names]
        self.labels = [tuple(enumerated.interpreter.value(expr, now) for expr in exprs) for now in values]
        self.fair = [positions.where(p) for p in machine.justice] or [frozenset(range(len(values)))]

    def turn(self, state: int, waits: int) -> int:
        """The fairness set that is waited for after a state."""
        return (waits + 1) % len(self.fair) if state in self.fair[waits] else waits

    def is_fair(self, state: int, waits: int) -> bool:
        """Has every fairness set had its turn?"""
        return waits == len(self.fair) - 1 and state in self.fair[waits]

    @cached_property
    def with_fair_path(self) -> set[int]:
        graph = FairPaths(self.after, self.fair)
        return graph.with_fair_path(graph.everything)


class GameByEnumeration:
    """All positions that a play can reach, and their ranks."""

    def __init__(self, left: Side, right: Side, run: Run) -> None:
        self.left, self.right, self.run = left, right, run
        self.answers: dict[Position, list[list[Position]]] = {}
        """For each move of the adversary, the positions after the protagonist's answers."""
        self.firsts = [
            [(s, 0, t, 0) for t in right.initial if left.labels[s] == right.labels[t]]
            for s in left.initial if s in left.with_fair_path
        ]  # fmt: skip
        waiting = [position for answers in self.firsts for position in answers]
        while waiting:
            position = waiting.pop()
            if position not in self.answers:
                self.answers[position] = self._moves(position)
                if len(self.answers) > tuning.JUDGED_STEPS:
                    raise NotConfirmed("the game has too many positions")
                waiting += [after for answers in self.answers[position] for after in answers]

    def _moves(self, position: Position) -> list[list[Position]]:
        s, i, t, j = position
        left, right = self.left, self.right
        after, later = left.turn(s, i), right.turn(t, j)
        return [
            [(u, after, v, later) for v in right.after[t] if left.labels[u] == right.labels[v]]
            for u in left.after[s] if u in left.with_fair_path
        ]  # fmt: skip

    def is_won(self) -> bool:
        """Does the protagonist win from the first positions?"""
        rank = dict.fromkeys(self.answers, 0)
        fair = {p: (self.left.is_fair(p[0], p[1]), self.right.is_fair(p[2], p[3])) for p in rank}
        most = 1 + sum(adversary and not protagonist for adversary, protagonist in fair.values())
        before: dict[Position, list[Position]] = {position: [] for position in rank}
        for position, moves in self.answers.items():
            for answers in moves:
                for after in answers:
                    before[after].append(position)
        waiting = list(rank)
        while waiting:
            self.run.step("confirm by enumeration", positions=len(rank))
            position = waiting.pop()
            worst = max((min((rank[p] for p in answers), default=most) for answers in self.answers[position]), default=0)
            adversary, protagonist = fair[position]
            new = worst if worst >= most else 0 if protagonist else worst + adversary
            if new > rank[position]:
                rank[position] = new
                waiting += before[position]
        return all(any(rank[position] < most for position in answers) for answers in self.firsts)


def confirm_simulation(left: Machine, right: Machine, names: Sequence[str], *, holds: bool, run: Run) -> Enumerated | None:
    """Confirms that the right machine simulates the left machine, or does not, when these names are observed; None if there are
    too many states. Raises EvidenceRejected on disagreement."""
    try:
        sides = Side(left, names, run), Side(right, names, run)
        won = GameByEnumeration(*sides, run).is_won()
    except (NotConfirmed, LimitExceeded):
        return None
    if won != holds:
        winner = "the protagonist" if won else "the adversary"
        raise EvidenceRejected(f"position by position, {winner} wins the game of simulation between {left.name} and {right.name}")
    return Enumerated(sum(len(side.after) for side in sides))
