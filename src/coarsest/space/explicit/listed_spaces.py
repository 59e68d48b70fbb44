"""The spaces of one task when states are listed one by one."""

from __future__ import annotations

from coarsest.errors import LimitExceeded
from coarsest.model.machine import Machine
from coarsest.options.methods import BuildOptions
from coarsest.run import Run, Statistic
from coarsest.space.carrier import Spaces
from coarsest.space.explicit.enumerate import StateLister, StatesInColumns
from coarsest.space.explicit.listed import ListedSpace


class ListedSpaces(Spaces[ListedSpace]):
    """Lists the reachable states of machines."""

    carrier = "explicit"
    holds = "listed states"
    measure = "listed_states"

    def __init__(self, options: BuildOptions, run: Run) -> None:
        super().__init__(options, run)
        self._too_large: dict[frozenset[str], LimitExceeded] = {}
        self._given_up = 0
        """So many states were listed of a machine that was too large."""

    def _built(self, machine: Machine) -> ListedSpace:
        """A machine with too many states is not looked at again."""
        names = frozenset(machine.variables)
        if names in self._too_large:
            raise self._too_large[names]
        listing = self._listing(machine)
        try:
            return listing.space()
        except LimitExceeded as limit:
            self._given_up = max(self._given_up, listing.met)
            if limit.limit == "states":
                self._too_large[names] = limit
            raise

    def _listing(self, machine: Machine) -> StateLister:
        return StatesInColumns(machine, self.run)

    def statistics(self) -> dict[str, Statistic]:
        graphs = [space.graph for space in self._spaces.values()]
        states = sum(graph.nodes for graph in graphs) + self._given_up
        return {"listed_states": states, "listed_steps": sum(graph.edges for graph in graphs)}
