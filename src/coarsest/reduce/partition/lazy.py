"""Sets of a partition that are made when they are asked for: there may be many, and few of them are looked at."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from coarsest.space.space import S


class Lazy(Sequence[S]):
    """Sets that are found when they are asked for."""

    def __init__(self, length: int, find: Callable[[int], S]) -> None:
        self._length = length
        self._find = find

    def __len__(self) -> int:
        return self._length

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(self._length))]
        if not -self._length <= index < self._length:
            raise IndexError(index)
        return self._find(index % self._length)
