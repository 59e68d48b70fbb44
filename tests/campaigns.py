"""How much of a campaign of random examples every run of the tests takes; the rest of it is for the night."""

from __future__ import annotations

from typing import Any

import pytest


def blocks(number: int, *, by_day: int) -> list[Any]:
    """The numbers of a campaign's blocks. `make test` takes the first of them, `make nightly` the others."""
    return [block if block < by_day else pytest.param(block, marks=pytest.mark.nightly) for block in range(number)]
