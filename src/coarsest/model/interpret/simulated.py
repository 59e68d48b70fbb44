"""One solution without a search: what no equation gives has the first value of its type, and the equations give the rest.

A trace of a part is completed so. What the part leaves out is governed by equations alone, so that it may begin anyhow, and
whatever comes from outside will do; to put thousands of variables in order for a search would take far longer than this.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from coarsest.errors import InputError
from coarsest.logic.expr import Value
from coarsest.model.interpret.closures import Frame
from coarsest.model.interpret.requirements import Equation, Requirement
from coarsest.model.types import Type


def simulated(
    frame: Frame, unknown: Mapping[int, Type], requirements: Sequence[Requirement], fixed: Mapping[int, Value]
) -> bool:
    """Fill the unknown places of a frame, some of which have fixed values. False if that is no solution: there may be others."""
    equations: dict[int, Equation] = {}
    for requirement in requirements:
        if isinstance(requirement, Equation) and requirement.place in unknown and requirement.place not in fixed:
            equations.setdefault(requirement.place, requirement)
    for place, kind in unknown.items():
        if place not in equations:
            frame[place] = fixed[place] if place in fixed else next(iter(kind.values()))
    try:
        return _filled(frame, list(equations.values())) and all(requirement.holds(frame) for requirement in requirements)
    except InputError:  # which other values may not meet
        return False


def _filled(frame: Frame, waiting: list[Equation]) -> bool:
    """Each equation gives its first value, as soon as all that it needs is known. False if they wait for one another."""
    missing = sum(1 << equation.place for equation in waiting)
    while waiting:
        blocked: list[Equation] = []
        for equation in waiting:
            values = () if equation.needs & missing else equation.candidates(frame)
            if values:
                frame[equation.place] = values[0]
                missing ^= 1 << equation.place
            else:
                blocked.append(equation)
        if len(blocked) == len(waiting):
            return False
        waiting = blocked
    return True
