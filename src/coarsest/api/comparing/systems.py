"""What can be compared."""

from __future__ import annotations

from typing import TypeVar

from coarsest.errors import require_type

S = TypeVar("S")


def required(system: S) -> S:
    """The system, if it is one. Raises InputError."""
    from coarsest.api.model import Model
    from coarsest.automata.automaton import Automaton
    from coarsest.lts.fair import FairGraph
    from coarsest.lts.labelled import Graph

    require_type("what is compared", system, Model | Graph | FairGraph | Automaton, "a model, a graph, an automaton or a file")
    return system
