"""The pure Python package `dd.autoref`: slow, but shares no code with the others."""

from __future__ import annotations

from typing import TYPE_CHECKING

import dd.autoref
import dd.bdd

from coarsest import tuning
from coarsest.bdd.dd_adapter import DdManager

if TYPE_CHECKING:
    from coarsest.bdd.sifting import Reordering


class _Nodes(dd.bdd.BDD):
    """dd's table of nodes; without the complaint when Python drops it before the last function."""

    def __del__(self) -> None:
        pass


class AutorefManager(DdManager):
    """Functions of `dd.autoref`, wrapped."""

    def __init__(self, *, node_limit: int | None = None, reorder: Reordering | None = None) -> None:
        inner = dd.autoref.BDD()
        inner._bdd = _Nodes()  # type: ignore[abstract]  # `__eq__` comes from object
        inner.vars = inner._bdd.vars
        super().__init__(inner, node_limit=node_limit, reorder=reorder)
        self._collect_at = tuning.NODES_WORTH_COLLECTING

    def collect(self) -> None:
        self._inner.collect_garbage()
        self._collect_at = max(tuning.NODES_WORTH_COLLECTING, 2 * len(self._inner))

    def tidy(self) -> None:
        super().tidy()
        if len(self._inner) > self._collect_at:
            self.collect()
