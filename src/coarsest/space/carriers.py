"""The choice of the carrier: one line for each."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from coarsest.model.machine import Machine
from coarsest.model.unbounded import unbounded_variables
from coarsest.options.methods import CARRIERS, BuildOptions
from coarsest.options.option import unknown_word
from coarsest.run import Run
from coarsest.space.carrier import Spaces

SPACES = {
    "bdd": ("coarsest.space.bdd.spaces", "SymbolicSpaces"),
    "explicit": ("coarsest.space.explicit.listed_spaces", "ListedSpaces"),
    "smt": ("coarsest.space.smt.formula_spaces", "FormulaSpaces"),
}
"""What builds the spaces of each carrier; only what is needed is imported."""


def needs_formulas(machine: Machine, carrier: str) -> bool:
    """Are sets of states to be formulas? Left to us, where a variable has no bounds."""
    return carrier == "smt" or (carrier == "auto" and bool(unbounded_variables(machine)))


def spaces_for(machine: Machine, options: BuildOptions, run: Run) -> Spaces[Any]:
    """What builds the spaces for a machine and its parts."""
    return spaces_by("smt" if needs_formulas(machine, options.carrier) else options.carrier, options, run)


def spaces_by(carrier: str, options: BuildOptions, run: Run) -> Spaces[Any]:
    """What builds spaces of one carrier, or, left to us, of BDDs."""
    if carrier not in CARRIERS:
        raise unknown_word("carrier", carrier, CARRIERS)
    module, name = SPACES["bdd" if carrier == "auto" else carrier]
    builder: type[Spaces[Any]] = getattr(import_module(module), name)
    return builder(options, run)
