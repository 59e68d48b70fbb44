"""play: games of simulations against the tool. The spoiler moves in the first system, the duplicator in the second.

>>> import coarsest
>>> lamp = coarsest.Graph.from_table({"source": [0, 1], "action": ["on", "off"], "target": [1, 0]})
>>> match = play(lamp, lamp, by="game", role="spoiler")
>>> match.choices()
['begin in state 0']
>>> match.take(0)
['the duplicator begins in state 0']
>>> match.choices()
['on to 1']
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from coarsest.api.comparing.compare import read_system, subjects
from coarsest.api.options import COMPARE, CompareOptions
from coarsest.errors import InputError
from coarsest.run import Run

if TYPE_CHECKING:
    from typing import Unpack

    import numpy as np
    from numpy.typing import NDArray

    from coarsest.api import keywords
    from coarsest.api.comparing.compare import System
    from coarsest.lts.fair import FairGraph
    from coarsest.lts.games.simulation_game import SolvedGame

ROLES = ("spoiler", "duplicator")
GAMES = ("simulation", "direct", "delay", "game")


def require_playable(by: str) -> None:
    """Raise InputError for a relation that is not a game with alternating moves."""
    if by not in GAMES:
        raise InputError(f"{by} cannot be played: it is not a game with alternating moves", hint=f"games are {', '.join(GAMES)}")


def play(first: System, second: System, *, role: str, run: Run | None = None, **options: Unpack[keywords.CompareWords]) -> Match:
    """A match that has not begun, in which a person plays `role`."""
    import os

    from coarsest.lts.fair import FairGraph, as_fair, as_plain

    how = COMPARE.read(CompareOptions, options)
    require_playable(how.by)
    if how.algorithm == "pairs":
        raise InputError("sets of pairs are not played on: they have no strategy", hint="leave out --algorithm")
    if how.lookahead > 1:
        raise InputError("a game is played one step at a time", hint="leave out --lookahead")
    if role not in ROLES:
        raise InputError(f"there is no role '{role}'", hint=f"roles are {', '.join(ROLES)}")
    systems = [read_system(one, by=how.by, run=run) if isinstance(one, str | os.PathLike) else one for one in (first, second)]
    graphs = [subject.graph for subject in subjects(systems[0], systems[1], how, run)]
    one, other = (FairGraph(as_plain(graph)) if how.by == "simulation" else as_fair(graph) for graph in graphs)
    return Match(one, other, how.by, role, Run.given(run))


class Match:
    """A play of a person against the tool: the choices of the person, and how it ended, if it did."""

    def __init__(self, first: FairGraph, second: FairGraph, by: str, role: str, run: Run) -> None:
        import numpy as np

        from coarsest.lts.games.simulation_game import fair_side_by_side, simulation_game
        from coarsest.lts.staying import both_staying

        both = fair_side_by_side(*both_staying(first, second))
        self.role, self._graph, self._marks = role, both.graph, both.marks
        self._shift = first.graph.states
        self._firsts, self._seconds = sorted(set(first.graph.initial.tolist())), sorted(set(second.graph.initial.tolist()))
        pairs = np.array([(p, q + self._shift) for p in self._firsts for q in self._seconds], dtype=np.int64).reshape(-1, 2)
        self._game: SolvedGame = simulation_game("direct" if by == "simulation" else by, both, pairs, run)
        self._roots = self._game.roots.reshape(len(self._firsts), len(self._seconds))
        self._row: int | None = None
        self._vertex = -1
        self.rounds = 0
        self.ended = "" if self._firsts else "there is no initial state to begin in: the duplicator wins"

    @property
    def place(self) -> str:
        """The positions of both players."""
        if self._vertex < 0:
            return "before the beginning"
        left, right = int(self._game.left[self._vertex]), int(self._game.right[self._vertex])
        return f"spoiler at {self._shown(left)}, duplicator at {self._shown(right)}"

    @property
    def forecast(self) -> str:
        """The player who wins with perfect play of both."""
        if self._vertex >= 0:
            return "duplicator" if self._game.solution.winner[self._vertex] == 0 else "spoiler"
        rows = self._roots if self._row is None else self._roots[[self._row]]
        return "duplicator" if all(self._won(row).any() for row in rows) else "spoiler"

    def choices(self) -> list[str]:
        """The moves of the person."""
        if self.ended:
            return []
        if self._row is None:
            return [f"begin in state {self._shown(state)}" for state in self._firsts]
        if self._vertex < 0:
            columns = (self._roots[self._row] >= 0).nonzero()[0].tolist()
            return [f"begin in state {self._shown(self._seconds[column] + self._shift)}" for column in columns]
        return [self._step(vertex) for vertex in self._game.game.graph.successors(self._vertex).tolist()]

    def begin(self) -> list[str]:
        """The moves of the tool before the first choice of the person."""
        if self.ended or self.role == "spoiler":
            return []
        rows = [(bool(self._won(row).any()), number) for number, row in enumerate(self._roots)]
        return self._choose_row(min(rows)[1])

    def take(self, number: int) -> list[str]:
        """Take a choice of the person; returns the moves of the tool."""
        if self._row is None:
            return self._choose_row(number)
        if self._vertex < 0:
            self._vertex = int(self._roots[self._row][(self._roots[self._row] >= 0).nonzero()[0][number]])
        else:
            self._vertex = int(self._game.game.graph.successors(self._vertex)[number])
        return self._answer()

    def _choose_row(self, number: int) -> list[str]:
        """Begin in an initial state of the spoiler."""
        self._row = number
        moves = [] if self.role == "spoiler" else [f"the spoiler begins in state {self._shown(self._firsts[number])}"]
        places = [(not won, int(root)) for root, won in zip(self._roots[number], self._won(self._roots[number])) if root >= 0]
        if not places:
            self.ended = "no initial state of the duplicator's fits: the spoiler wins"
        elif self.role == "spoiler":
            self._vertex = min(places)[1]
            moves.append(f"the duplicator begins in state {self._shown(int(self._game.right[self._vertex]))}")
            self._look()
        return moves

    def _answer(self) -> list[str]:
        """The tool moves: by its strategy or, if none wins, by the first possible move."""
        self._look()
        if self.ended:
            return []
        choice = int(self._game.solution.choice[self._vertex])
        following = choice if choice >= 0 else int(self._game.game.graph.successors(self._vertex)[0])
        move = f"the {'spoiler' if self.role == 'duplicator' else 'duplicator'}: {self._step(following)}"
        self._vertex = following
        self.rounds += 1
        self._look()
        return [move]

    def _look(self) -> None:
        """End the match if the player whose turn it is cannot move."""
        if len(self._game.game.graph.successors(self._vertex)) == 0:
            duplicator = self._game.action[self._vertex] >= 0
            self.ended = "there is no answer: the spoiler wins" if duplicator else "the spoiler cannot move: the duplicator wins"

    def _won(self, roots: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Does the duplicator, player 0, win from these roots?"""
        won: NDArray[np.bool_] = roots >= 0
        won[won] = self._game.solution.winner[roots[won]] == 0
        return won

    def _step(self, vertex: int) -> str:
        """A move in words: its action and target."""
        from coarsest.logic.modal.hennessy_milner import action_text

        action = int(self._game.action[vertex])
        if action < 0:
            return f"to {self._shown(int(self._game.right[vertex]))}"
        name = self._graph.action_names[action]
        return f"{action_text(name) if name else ''} to {self._shown(int(self._game.left[vertex]))}".strip()

    def _shown(self, state: int) -> str:
        """The number of a state in its own system, its label, and its fairness sets, if there are any."""
        from coarsest.text.printable import printable

        label = self._graph.label_names[self._graph.labels[state]]
        notes = [printable(label)] * bool(label)
        notes += ["fair" if k == 0 else f"fair {k}" for k in range(8) if self._marks[state] >> k & 1]
        number = state - self._shift if state >= self._shift else state
        return f"{number} ({', '.join(notes)})" if notes else str(number)
