"""CUDD through `dd.cudd`: a second opinion, and dynamic reordering in the middle of an operation.

CUDD keeps below `mebibytes` by itself and reports what does not fit; an allocation the system refuses ends the process, which
nothing here can prevent.
"""

from __future__ import annotations

from typing import Final

import dd.cudd

from coarsest.bdd.capacity import BYTES_PER_NODE, GROWTH_OF_A_JUMP
from coarsest.bdd.dd_adapter import DdFunction, DdManager, translated
from coarsest.bdd.sifting import Reordering, adjacent_groups
from coarsest.memory_use import machine_mebibytes

DEFAULT_MEBIBYTES: Final = 1024
"""The memory that CUDD chooses the sizes of its tables by; it is a guide, no limit."""
EMPTY_MANAGER_BYTES: Final = 17 << 20
"""The bytes that an empty manager takes, by its own statistics; its cache, mostly."""


class CuddManager(DdManager):
    """Functions of `dd.cudd`, wrapped. With `reorder`, CUDD's own group sifting runs whenever CUDD thinks it pays."""

    def __init__(
        self,
        *,
        mebibytes: int | None = None,
        cache: int = 1 << 18,
        node_limit: int | None = None,
        reorder: Reordering | None = None,
    ) -> None:
        estimate = min(mebibytes or DEFAULT_MEBIBYTES, machine_mebibytes() // 2)  # dd refuses more than there is
        inner = dd.cudd.BDD(memory_estimate=estimate << 20, initial_cache_size=cache)
        most = [] if mebibytes is None else [mebibytes << 20]
        most += [] if node_limit is None else [EMPTY_MANAGER_BYTES + node_limit * GROWTH_OF_A_JUMP * BYTES_PER_NODE]
        if most:
            inner.configure(max_memory=min(most))
        self._grouped = False
        super().__init__(inner, node_limit=node_limit, reorder=reorder)

    def and_exists(self, f: DdFunction, g: DdFunction, variables: DdFunction) -> DdFunction:
        try:
            return DdFunction(dd.cudd.and_exists(f._raw, g._raw, self._in_cube(variables)))
        except (RuntimeError, ValueError) as error:
            raise translated(error) from None

    def sift(self) -> None:
        """Group sifting now."""
        self._group()
        self._inner.reorder()

    def tidy(self) -> None:
        self._group()
        super().tidy()

    def _group(self) -> None:
        """Tell CUDD which variables to keep together, once; it keeps them for ever."""
        if self.reorder is not None and self.reorder.groups and not self._grouped:
            self._grouped = True
            for group in adjacent_groups(self.order, self.reorder.groups):
                if len(group) > 1:
                    self._inner.group({self._names[group[0]]: len(group)})
