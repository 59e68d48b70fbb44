"""How far the work on graphs goes: the same with NumPy (`lts/minimise`) and without it (`formats/aut/text_to_text`)."""

from __future__ import annotations

STOP, BLOCKS, WORK, ROUNDS, LIMIT = range(5)
"""The entries of the array through which a kernel tells its progress, and is told to stop."""

PATIENCE = 40
"""With `auto`, signatures may look at this many times all transitions; then Valmari's algorithm goes on from there.
Every family that was measured needs less than 10 times, unless some states have a great many transitions."""

MOST_LOOKS = 60
"""To number states, so many looks at all of them may be taken."""

CONFIRMED_UP_TO = 100_000
"""Reductions of graphs with so many transitions are confirmed unasked."""
