"""The words of options stand apart from what they name, so that the command line imports nothing to show them: both must fit."""

from __future__ import annotations

import pytest

from coarsest.api import options as api
from coarsest.bdd import packages
from coarsest.lts.tables import database
from coarsest.model.assertion_graph import Semantics
from coarsest.options import engines, methods
from coarsest.reduce.bisimulation import algorithms
from coarsest.reduce.modular import algorithms as modular
from coarsest.search import fair_states

NAMED = {
    "fair states": (engines.FAIR_ALGORITHMS, {"auto", *fair_states.HULLS}),
    "fair states on graphs": (methods.FAIR_ALGORITHMS_ON_GRAPHS, {"yang-seger", *engines.FAIR_ALGORITHMS}),
    "semantics": (methods.SEMANTICS, {"auto", *Semantics}),
    "BDD packages": (methods.BDD_PACKAGES, {*packages.PACKAGES} - {"autoref"}),  # which is for tests
    "minimisers": (api.MINIMISERS, {"auto", *algorithms.MINIMISERS, *algorithms.MODULAR, *engines.SHORT_NAMES}),
    "minimisers by parts": (api.MODULAR_MINIMISERS, {*modular.REDUCERS}),
    "databases": (api.DATABASES, {"auto", *database.DATABASES}),
}


@pytest.mark.parametrize("what", NAMED)
def test_every_word_names_something(what: str) -> None:
    words, named = NAMED[what]
    assert set(words) == named
