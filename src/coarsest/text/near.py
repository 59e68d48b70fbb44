"""What somebody may have meant who wrote a word that is not known."""

from __future__ import annotations

from collections.abc import Iterable


def nearest(word: str, words: Iterable[str]) -> list[str]:
    """The known word that looks most like it, if there is one.

    >>> nearest("stat", ["state", "input"]), nearest("x", ["state", "input"])
    (['state'], [])
    """
    from difflib import get_close_matches  # costs start-up time, and is needed only when something is wrong

    return get_close_matches(word, list(words), 1)
