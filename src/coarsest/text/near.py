"""What somebody may have meant who wrote a word that is not known."""

from __future__ import annotations

from collections.abc import Iterable
from types import MappingProxyType


def nearest(word: str, words: Iterable[str]) -> list[str]:
    """The known word that it most likely stands for, if there is one: in the words of other tools, cut short, or misspelt.

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
"""What CADP and mCRL2 call relations, where that is not the beginning of our own word."""
SHORTEST = 3
"""Letters. Fewer begin too many names."""
LIKENESS = 0.65
"""Below this, words of five letters were suggested that share three with what was typed, such as `reach` for `graph`."""
