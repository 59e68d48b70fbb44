"""The spaces of one task when states are listed one by one."""

from __future__ import annotations

from coarsest.errors import LimitExceeded
from coarsest.model.machine import Machine
from coarsest.options.methods import BuildOptions
from coarsest.run import Run, Statistic
from coarsest.space.carrier import Spaces, same_machine
from coarsest.space.explicit.enumerate import StateLister, lister
from coarsest.space.explicit.listed import ListedSpace


class ListedSpaces(Spaces[ListedSpace]):
    """Lists the reachable states of machines."""

    carrier = "explicit"
    holds = "listed states"
    measure = "listed_states"

    def __init__(self, options: BuildOptions, run: Run) -> None:
        super().__init__(options, run)
        self._listers: dict[object, StateLister] = {}
        self._too_large: dict[object, LimitExceeded] = {}
        self._given_up = 0
        """The number of states that were listed of a machine that was too large."""

    def lister(self, machine: Machine, *, lists_steps: bool = False) -> StateLister:
        """What lists the states of a machine. It may be left, and goes on when it is asked for again."""
        key = same_machine(machine)
        if key not in self._listers:
            self._listers[key] = self._new_lister(machine, lists_steps=lists_steps)
        return self._listers[key]

    def _built(self, machine: Machine) -> ListedSpace:
        """A machine with too many states is not looked at again."""
        key = same_machine(machine)
        if key in self._too_large:
            raise self._too_large[key]
        try:
            return self.lister(machine, lists_steps=True).space()
        except LimitExceeded as limit:
            given_up = self._listers.pop(key, None)
            self._given_up = max(self._given_up, 0 if given_up is None else given_up.met)
            if limit.limit == "states":
                self._too_large[key] = limit
            raise

    def _new_lister(self, machine: Machine, *, lists_steps: bool) -> StateLister:
        return lister(machine, self.run, lists_steps=lists_steps)

    def statistics(self) -> dict[str, Statistic]:
        listers = self._listers.values()
        states, steps = sum(one.met for one in listers), sum(one.steps for one in listers)
        return {"listed_states": states + self._given_up, "listed_steps": steps}
