"""The pure Python engine `dd.autoref`: slow, but shares no code with the others."""

from __future__ import annotations

from typing import TYPE_CHECKING

import dd.autoref

from coarsest.bdd.dd_adapter import DdManager

if TYPE_CHECKING:
    from coarsest.bdd.sifting import Reordering

FEWEST_NODES_WORTH_COLLECTING = 1 << 14


class AutorefManager(DdManager):
    """Functions of `dd.autoref`, wrapped."""

    def __init__(self, *, node_limit: int | None = None, reorder: Reordering | None = None) -> None:
        super().__init__(dd.autoref.BDD(), node_limit=node_limit, reorder=reorder)
        self._collect_at = FEWEST_NODES_WORTH_COLLECTING

    def collect(self) -> None:
        self._engine.collect_garbage()
        self._collect_at = max(FEWEST_NODES_WORTH_COLLECTING, 2 * len(self._engine))

    def tidy(self) -> None:
        if len(self._engine) > self._collect_at:
            self.collect()
        super().tidy()
