"""Compressed sparse rows: the twin of `csr`."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.signedinteger[Any]]


def count_rows(sources: Numbers, offsets: Numbers) -> bool:
    """Fill `offsets` (one more than there are rows) from the row of each entry; are the entries in the order of their rows?"""
    offsets[0] = 0
    np.cumsum(np.bincount(sources, minlength=len(offsets) - 1), out=offsets[1:])
    return bool((sources[1:] >= sources[:-1]).all())


def gather_rows(
    sources: Numbers, offsets: Numbers, first: Numbers, second: Numbers, first_out: Numbers, second_out: Numbers
) -> None:
    """Two columns in the order of their rows; the order within a row is kept."""
    order = np.argsort(sources, kind="stable")
    first_out[:], second_out[:] = first[order], second[order]
