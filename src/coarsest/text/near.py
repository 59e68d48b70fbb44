"""Suggestions for unknown words."""

from __future__ import annotations

from collections.abc import Iterable
from types import MappingProxyType
from typing import Final


def nearest(word: str, words: Iterable[str]) -> list[str]:
    """The word that an unknown word most likely means: it may be another tool's word, an abbreviation, or misspelt.

    >>> nearest("stat", ["state", "input"]), nearest("x", ["state", "input"])
    (['state'], [])
    >>> nearest("weak", ["weak-traces-of-actions", "weak-traces"]), nearest("strong", ["simulation", "bisimulation"])
    (['weak-traces'], ['bisimulation'])
    """
    names = list(words)
    if ELSEWHERE.get(word) in names:
        return [ELSEWHERE[word]]
    longer = [name for name in names if len(word) >= SHORTEST and name.startswith(word)]
    if longer:
        return [min(longer, key=len)]
    from difflib import get_close_matches  # costs start-up time, and is needed only when something is wrong

    return get_close_matches(word, names, 1, LIKENESS)


ELSEWHERE = MappingProxyType(
    {
        "strong": "bisimulation", "observational": "weak-bisimulation", "divbranching": "branching-bisimulation-divergence",
        "dpbranching-bisim": "branching-bisimulation-divergence", "dpweak-bisim": "weak-bisimulation-divergence",
        "weak": "weak-bisimulation",
    }
)  # fmt: skip
"""The names of relations in CADP and mCRL2, unless they are the beginnings of our words."""
SHORTEST: Final = 3
"""The number of letters that an abbreviation needs: with fewer, too many names begin with it."""
LIKENESS: Final = 0.65
"""The least likeness of a suggestion. With less, `reach` was suggested for `graph`, though they share only three letters."""
