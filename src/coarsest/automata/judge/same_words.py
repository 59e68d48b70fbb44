"""Do two Büchi automata accept the same words? Each word of one is looked for in the other, except words that are easier to find.

If A accepts a word that B does not accept, there is one that leads by a stem to an accepting state p of A and by a cycle back to
p, infinitely often. Of the stem, only the states of B matter that it leads to: the fewer, the harder it is for B. Of the cycle,
only the pairs of states of B matter that it connects, perhaps past an accepting state.

Reference: Doveri, Ganty, Parolini, Ranzato, Inclusion testing of Büchi automata based on well-quasiorders, 2021 (stems and
           cycles, the minimal ones); Büchi, On a decision method in restricted second order arithmetic, 1962.
Symbols:   S is the set of states of B after a stem; a cycle has a row for each state of B that can accompany p while A stays in
           its component: the states that the cycle leads to, and those that it leads to past an accepting state.
Invariant: of stems and cycles that lead A to the same state, only the minimal ones are pursued: all others lead B to more.
Deviates:  no code that made the automata is used, only guards, edges and sets of states.
Cost:      exponential in the states of B at worst; limited by `most` rows.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final, NamedTuple

from coarsest.automata.automaton import Automaton
from coarsest.run import Run

Row = tuple[int, int]
"""Sets of states: those that are reached, and those that are reached past an accepting state."""
Cycle = tuple[Row, ...]

ROWS_PER_STEP: Final = 20_000
"""Progress is reported once per this many rows."""


def accept_same_words(first: Automaton, second: Automaton, run: Run, *, most: int | None = None) -> bool | None:
    """Do two automata of one alphabet accept the same words? None if the answer takes more than `most` rows."""
    letters = _letters([first, second])
    both = [_Automaton(_on_states(automaton), letters) for automaton in (first, second)]
    effort = _Effort(run, most)
    with run.within(most={} if most is None else {"rows": most}):
        return _contained(both[0], both[1], effort) and _contained(both[1], both[0], effort)
    return None


class _Effort:
    """Counts rows, and reports them."""

    def __init__(self, run: Run, most: int | None) -> None:
        self._run, self._rows = run, 0
        self._rows_per_step = ROWS_PER_STEP if most is None else min(ROWS_PER_STEP, most + 1)
        self._next_report = self._rows_per_step

    def spend(self, rows: int) -> None:
        self._rows += rows
        if self._rows >= self._next_report:
            self._next_report = self._rows + self._rows_per_step
            self._run.step("compare words", rows=self._rows)


def _letters(automata: Sequence[Automaton]) -> list[Any]:
    """Classes of letters that no guard distinguishes."""
    classes: list[Any] = [automata[0].alphabet.full]
    for guard in {guard for automaton in automata for own in automaton.edges for guard, _, _ in own}:
        classes = [part for letters in classes for part in (letters & guard, letters ^ (letters & guard)) if part]
    return classes


def _on_states(automaton: Automaton) -> Automaton:
    """A Büchi automaton whose copies of states count the sets that were visited in turn; copies after the last one accept."""
    last = automaton.sets
    if last == 1 and all(marks == own[0][1] for own in automaton.edges for _, marks, _ in own):
        return automaton

    def count_after(count: int, marks: int) -> int:
        count = 0 if count == last else count
        while count < last and marks >> count & 1:
            count += 1
        return count

    edges = [
        [(guard, int(count == last), target * (last + 1) + count_after(count, marks)) for guard, marks, target in own]
        for own in automaton.edges
        for count in range(last + 1)
    ]
    return Automaton(automaton.alphabet, tuple(state * (last + 1) for state in automaton.initial), edges, 1)


class _Automaton:
    """Successors by letter, as sets; which states accept; and the component of each state."""

    def __init__(self, automaton: Automaton, letters: Sequence[Any]) -> None:
        self.letters = range(len(letters))
        self.initial = sum(1 << state for state in set(automaton.initial))
        targets = [[{to for guard, _, to in own if guard & single} for own in automaton.edges] for single in letters]
        self.after = [[sum(1 << to for to in own) for own in by_state] for by_state in targets]
        self.accepting = sum(1 << state for state, own in enumerate(automaton.edges) if own and own[0][1])
        self.states = automaton.states

    def post(self, states: int, letter: int) -> int:
        reached = 0
        for state in _members(states):
            reached |= self.after[letter][state]
        return reached

    def reachable(self, states: int, inside: int = -1) -> int:
        """The states that one or more steps reach from some states, within a set."""
        reached, fresh = 0, states
        while fresh:
            more = 0
            for letter in self.letters:
                more |= self.post(fresh, letter)
            fresh = more & inside & ~reached
            reached |= fresh
        return reached


def _members(states: int) -> Iterator[int]:
    while states:
        lowest = states & -states
        yield lowest.bit_length() - 1
        states ^= lowest


def _contained(one: _Automaton, other: _Automaton, effort: _Effort) -> bool:
    stems = _stems(one, other, effort)
    beyond = [one.reachable(1 << state) for state in range(one.states)]
    for goal in _members(one.accepting):
        if stems[goal] and beyond[goal] >> goal & 1:
            component = sum(1 << state for state in _members(beyond[goal]) if beyond[state] >> goal & 1)
            around = _Around(one, other, goal, component)
            if not all(_cycles_accepted(around, stem, effort) for stem in stems[goal]):
                return False
    return True


def _stems(one: _Automaton, other: _Automaton, effort: _Effort) -> list[list[int]]:
    """For each state of the one, the smallest sets of states of the other after the words that lead to it."""
    smallest: list[list[int]] = [[] for _ in range(one.states)]
    waiting = [(state, other.initial) for state in _members(one.initial)]
    for state, reached in waiting:
        smallest[state] = [reached]
    for state, reached in waiting:
        if reached not in smallest[state]:
            continue
        for letter in one.letters:
            targets = one.after[letter][state]
            if targets:
                effort.spend(1 + reached.bit_count())
                after = other.post(reached, letter)
                for target in _members(targets):
                    if not any(less & after == less for less in smallest[target]):
                        smallest[target] = [*(more for more in smallest[target] if after & more != after), after]
                        waiting.append((target, after))
    return smallest


class _Around(NamedTuple):
    """Both automata, an accepting state of the one, and its component, in which cycles around it lie."""

    one: _Automaton
    other: _Automaton
    goal: int
    component: int


def _cycles_accepted(around: _Around, stem: int, effort: _Effort) -> bool:
    """Does the other accept, from the states of a stem, every word that leads the one from an accepting state back to it?"""
    one, other, goal, component = around
    beside = _beside(around, stem, effort)
    at_first: Cycle = tuple((1 << state, 0) for state in beside)
    smallest: dict[int, list[Cycle]] = {}
    waiting: list[tuple[int, Cycle]] = [(goal, at_first)]
    for state, cycle in waiting:
        if cycle is not at_first and cycle not in smallest[state]:
            continue
        for letter in one.letters:
            targets = one.after[letter][state] & component
            if not targets:
                continue
            effort.spend(1 + sum(reached.bit_count() for reached, _ in cycle))
            longer = tuple(_extended(row, other, letter) for row in cycle)
            for target in _members(targets):
                so_far = smallest.setdefault(target, [])
                effort.spend(len(so_far))
                if any(_is_less(less, longer) for less in so_far):
                    continue
                if target == goal and not _accepts(stem, longer, beside):
                    return False
                smallest[target] = [*(more for more in so_far if not _is_less(longer, more)), longer]
                waiting.append((target, longer))
    return True


def _beside(around: _Around, stem: int, effort: _Effort) -> list[int]:
    """The states of the other in which it can be when the one is at the goal, having been there after the stem."""
    one, other, goal, component = around
    beside: dict[int, int] = {goal: stem}
    waiting = [(goal, stem)]
    for state, fresh in waiting:
        for letter in one.letters:
            targets = one.after[letter][state] & component
            if targets:
                effort.spend(1 + fresh.bit_count())
                after = other.post(fresh, letter)
                for target in _members(targets):
                    more = after & ~beside.get(target, 0)
                    if more:
                        beside[target] = beside.get(target, 0) | more
                        waiting.append((target, more))
    return list(_members(beside[goal]))


def _extended(row: Row, other: _Automaton, letter: int) -> Row:
    """A row after another letter; a path that leaves an accepting state has passed it."""
    reached, passed = row
    return other.post(reached, letter), other.post(passed | (reached & other.accepting), letter)


def _is_less(one: Cycle, other: Cycle) -> bool:
    return all(a & c == a and b & d == b for (a, b), (c, d) in zip(one, other))


def _accepts(stem: int, cycle: Cycle, beside: Sequence[int]) -> bool:
    """Is the cycle, again and again, accepted from a state of the stem?"""
    rows = dict(zip(beside, cycle))
    onward = {state: _closure(state, rows) for state in rows}
    for state in _members(stem):
        for middle in _members(onward[state] | 1 << state):
            if any(onward[turn] >> middle & 1 or turn == middle for turn in _members(rows[middle][1])):
                return True
    return False


def _closure(state: int, rows: dict[int, Row]) -> int:
    reached, fresh = 0, rows[state][0]
    while fresh:
        reached |= fresh
        more = 0
        for member in _members(fresh):
            more |= rows[member][0]
        fresh = more & ~reached
    return reached
