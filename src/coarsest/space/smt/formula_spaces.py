"""The spaces of one task when sets are formulas."""

from __future__ import annotations

from coarsest.model.machine import Machine
from coarsest.run import Statistic
from coarsest.space.carrier import Spaces
from coarsest.space.smt.smt import SmtSpace


class FormulaSpaces(Spaces[SmtSpace]):
    """Builds spaces of formulas."""

    carrier = "smt"
    holds = "formulas"
    measure = "questions"

    def _built(self, machine: Machine) -> SmtSpace:
        return SmtSpace(machine, self.run, within_bounds=True)

    def statistics(self) -> dict[str, Statistic]:
        solvers = [space.solver for space in self._spaces.values()]
        return {"questions": sum(s.calls for s in solvers), "eliminations": sum(s.eliminations for s in solvers)}
