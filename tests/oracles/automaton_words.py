"""Acceptance of a word `prefix cycle cycle …` by an automaton, from the definition: brute force over (state, position)."""

from __future__ import annotations

from collections.abc import Sequence

from coarsest.automata.automaton import Automaton
from coarsest.logic.expr import Expr


def accepts(automaton: Automaton, prefix: Sequence[frozenset[Expr]], cycle: Sequence[frozenset[Expr]]) -> bool:
    """Is there a run on the word that visits every acceptance set again and again?"""
    atoms = automaton.alphabet.atoms
    letters = [sum(1 << number for number, atom in enumerate(atoms) if atom in letter) for letter in (*prefix, *cycle)]
    steps = _steps(automaton, letters, len(prefix))
    reached = _closure(steps, {(state, 0) for state in automaton.initial})
    for node in reached:
        around = _closure(steps, {target for _, target in steps[node]})
        if node not in around:
            continue
        component = {other for other in around if node in _closure(steps, {target for _, target in steps[other]})}
        seen = 0
        for other in component:
            for marks, target in steps[other]:
                if target in component:
                    seen |= marks
        if seen & automaton.all_sets == automaton.all_sets:
            return True
    return False


def _steps(automaton: Automaton, letters: list[int], back: int) -> dict[tuple[int, int], list[tuple[int, tuple[int, int]]]]:
    steps = {}
    for place, letter in enumerate(letters):
        after = place + 1 if place + 1 < len(letters) else back
        for state in range(automaton.states):
            steps[state, place] = [
                (marks, (target, after))
                for guard, marks, target in automaton.edges[state]
                if automaton.alphabet.contains(guard, letter)
            ]
    return steps


def _closure(steps, nodes):
    reached = set(nodes)
    waiting = list(nodes)
    while waiting:
        for _, target in steps[waiting.pop()]:
            if target not in reached:
                reached.add(target)
                waiting.append(target)
    return reached
