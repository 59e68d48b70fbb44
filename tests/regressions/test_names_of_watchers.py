"""Variables that watch a machine are not taken for its own, whatever those are called."""

from __future__ import annotations

import pytest

import coarsest
from coarsest.errors import EvidenceRejected
from coarsest.evidence.certificate import Certificate, CountedRounds
from coarsest.evidence.decision_diagrams import Bit, DecisionDiagrams, DiagramNode
from coarsest.evidence.sat.certificate_check import confirm_certificate

TOGGLE = ".model m\n.outputs o\n.latch n {name} 0\n.names {name} n\n0 1\n.names {name} o\n1 1\n.end\n"
"""A latch that changes at every step, and an output that is equal to it."""


@pytest.mark.parametrize("name", ["round.1", "round.met.0", "never.0", "again.", "again.0", "o.again."])
def test_names_that_circuits_may_have(name: str) -> None:
    model = coarsest.loads(TOGGLE.format(name=name), format="blif")
    report = model.check("F G !o", "F G o", "F G (o & X o)", "G F o", engine="ic3")
    assert [answer.verdict.word for answer in report] == ["fails", "fails", "fails", "holds"]


@pytest.mark.parametrize("name", ["round.1", "again.0"])
def test_a_counter_that_is_a_latch_proves_nothing(name: str) -> None:
    """With one variable for both, no step would be possible, and everything hold."""
    model = coarsest.loads(TOGGLE.format(name=name), format="blif")
    graphs = DecisionDiagrams((Bit(name, 0),), (DiagramNode(0, 0, 1),))
    forged = Certificate(graphs, (name,), (), 2, proofs=(CountedRounds(0),))
    with pytest.raises(EvidenceRejected):
        confirm_certificate(model.machine, model.formula("F G !o"), forged, run=coarsest.Run())
