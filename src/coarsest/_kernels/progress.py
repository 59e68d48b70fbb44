"""The array through which a kernel that refines a partition reports its progress, and is asked to stop."""

from __future__ import annotations

from typing import Final

STOP: Final = 0
"""The entry that the caller sets to end the kernel before it is ready."""
BLOCKS: Final = 1
"""The number of blocks so far."""
WORK: Final = 2
"""The number of transitions that were looked at."""
ROUNDS: Final = 3
LIMIT: Final = 4
"""The caller sets it to the most work that the kernel may do; 0 means that there is no limit."""

GAVE_UP: Final = -1
"""Returned instead of a number of blocks by a kernel that was stopped, or reached its limit."""
