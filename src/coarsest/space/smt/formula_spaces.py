"""The spaces of one task when sets are formulas: each machine built once, all within one budget.

The counterpart of `space/bdd/spaces.py` for the SMT carrier.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

from coarsest.errors import LimitExceeded
from coarsest.model.machine import Kind, Machine
from coarsest.model.unbounded import unbounded_variables
from coarsest.options.methods import CARRIERS, BuildOptions
from coarsest.options.option import unknown_word
from coarsest.run import Run
from coarsest.space.bdd.spaces import Spaces

if TYPE_CHECKING:
    from coarsest.space.smt.smt import SmtSpace

T = TypeVar("T")



class FormulaSpaces:
    """Builds the space of each machine once."""

    def __init__(self, run: Run) -> None:
        self.run = run
        self._spaces: dict[frozenset[tuple[str, Kind]], SmtSpace] = {}

    def space(self, machine: Machine) -> SmtSpace:
        """The space of the machine, or of one of its cones: those with the same variables of the same kinds are the same here."""
        key = frozenset((name, variable.kind) for name, variable in machine.variables.items())
        if key not in self._spaces:
            from coarsest.space.smt.smt import SmtSpace

            self._spaces[key] = SmtSpace(machine, self.run, within_bounds=True)
        return self._spaces[key]

    def within_limits(self, work: Callable[[], T]) -> T:
        """Do the work; a solver without memory is a limit reached."""
        try:
            return work()
        except MemoryError:
            raise LimitExceeded("memory", "there is no more room for formulas within the memory limit") from None

    def statistics(self) -> dict[str, int | float | str]:
        solvers = [space.solver for space in self._spaces.values()]
        return {"questions": sum(s.calls for s in solvers), "eliminations": sum(s.eliminations for s in solvers)}

    def order(self) -> list[str]:
        """Formulas have no order of variables."""
        return []


def needs_formulas(machine: Machine, carrier: str) -> bool:
    """Are sets of states to be formulas? Left to us, where a variable has no bounds."""
    if carrier not in CARRIERS:
        raise unknown_word("carrier", carrier, CARRIERS)
    return carrier == "smt" or (carrier == "auto" and bool(unbounded_variables(machine)))


def spaces_for(machine: Machine, options: BuildOptions, run: Run) -> Spaces | FormulaSpaces:
    """What builds the spaces for a machine and its parts."""
    return FormulaSpaces(run) if needs_formulas(machine, options.carrier) else Spaces(options, run)
