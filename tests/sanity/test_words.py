"""The command line repeats lists of words so as not to import what it does not use; they must be the same lists."""

from coarsest.api import graph as graphs
from coarsest.check.setting import context
from coarsest.cli.commands import check, reduce_graph
from coarsest.lts.minimise import minimise


def test_choices_of_check_are_those_of_the_checker() -> None:
    assert check.LTL_METHODS == context.LTL_METHODS
    assert check.FAIR_ALGORITHMS == context.FAIR_ALGORITHMS
    assert check.PROPERTY_VARIABLES == context.PROPERTY_VARIABLES
    assert check.ENCODINGS == context.ENCODINGS
    assert check.CONFIRMATIONS == context.CONFIRMATIONS


def test_relations_of_reduce_are_those_of_graphs() -> None:
    assert reduce_graph.RELATIONS == graphs.RELATIONS
    assert ("auto", *reduce_graph.ALGORITHMS) == minimise.ALGORITHMS
