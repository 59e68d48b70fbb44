"""Certificates that are wrong in one place each: none is taken for a proof."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

import pytest
from msgspec.structs import replace

import coarsest
from coarsest.errors import EvidenceRejected
from coarsest.evidence.certificate import Certificate, EveryPath, FairPath, Inevitable, PathLayer, Possible, Removal, StepChoice
from coarsest.evidence.decision_diagrams import Bit, DecisionDiagrams, DiagramNode, code_of
from coarsest.evidence.sat.certificate_check import confirm_certificate
from coarsest.evidence.verdict import Holds
from coarsest.logic.expr import Value
from coarsest.model.machine import Property
from coarsest.run import Run

MODELS = {
    "wheel": """MODULE main VAR n : 0..5; b : boolean;
        ASSIGN init(n) := 0; init(b) := FALSE; next(n) := case b : (n + 1) mod 6; TRUE : n; esac;
        JUSTICE b JUSTICE n >= 0""",
    "steps": """MODULE main VAR n : 0..7; free : 0..2;
        ASSIGN init(n) := 0; init(free) := 0; next(n) := case n < 4 : {n, n + 1}; TRUE : n; esac;""",
    "asked": """MODULE main VAR ask : boolean; got : boolean; TRANS got -> !next(got)
        ASSIGN init(got) := FALSE; JUSTICE ask COMPASSION (ask, got)""",
    "dead": """MODULE main VAR n : 0..7; INIT n = 0 TRANS next(n) = n + 1 & n < 4 | n = 2 & next(n) = 7""",
    "fed": """MODULE main IVAR go : boolean; pick : 0..2; VAR n : 0..3;
        ASSIGN init(n) := 0; next(n) := case go & n < 3 : n + 1; TRUE : n; esac; JUSTICE go""",
}

Change = Callable[[Certificate], Certificate]


@cache
def model(name: str) -> coarsest.Model:
    return coarsest.loads(MODELS[name])


@cache
def certified(name: str, formula: str) -> tuple[Property, Certificate]:
    """A property that holds, with its certificate, which is right."""
    claim = model(name).formula(formula)
    (answer,) = model(name).check(claim, certificates=True)
    assert isinstance(answer.verdict, Holds) and answer.verdict.certificate is not None, answer.doubt
    confirm(name, claim, answer.verdict.certificate)
    return claim, answer.verdict.certificate


def confirm(name: str, claim: Property, certificate: Certificate) -> None:
    confirm_certificate(model(name).machine, claim, certificate, run=Run())


# Changing sets


class Sets:
    """Graphs of a certificate with further ones beside them."""

    def __init__(self, name: str, certificate: Certificate) -> None:
        self.machine = model(name).machine
        self.bits = list(certificate.graphs.bits)
        self.nodes = list(certificate.graphs.nodes)

    @property
    def graphs(self) -> DecisionDiagrams:
        return DecisionDiagrams(tuple(self.bits), tuple(self.nodes))

    def bit(self, bit: Bit) -> int:
        if bit not in self.bits:
            self.bits.append(bit)
        return self.bits.index(bit)

    def node(self, bit: Bit, high: int, low: int) -> int:
        self.nodes.append(DiagramNode(self.bit(bit), high, low))
        return len(self.nodes) + 1

    def changed(self, root: int, state: Mapping[str, Value], *, member: bool) -> int:
        """The set with one state more, or one fewer."""
        here = int(member)
        for name, value in state.items():
            kind = self.machine.variables[name].type
            code = code_of(kind, value)
            for place in range((kind.size - 1).bit_length()):
                high, low = (here, root) if code >> place & 1 else (root, here)
                here = self.node(Bit(name, place), high, low)
        return here


def with_set(name: str, *path: str | int, state: Mapping[str, Value], member: bool) -> Change:
    """A state is added to, or taken from, the set at a path through the certificate."""

    def change(certificate: Certificate) -> Certificate:
        sets = Sets(name, certificate)
        changed = at(certificate, path, lambda root: sets.changed(root, state, member=member))
        return replace(changed, graphs=sets.graphs)

    return change


def at(thing: Any, path: tuple[str | int, ...], change: Callable[[Any], Any]) -> Any:
    """The same with something changed at a path of fields and places."""
    if not path:
        return change(thing)
    first, *rest = path
    if isinstance(first, str):
        return replace(thing, **{first: at(getattr(thing, first), tuple(rest), change)})
    inside = list(thing)
    inside[first] = at(inside[first], tuple(rest), change)
    return tuple(inside)


def put(*path: str | int, value: Any) -> Change:
    return lambda certificate: at(certificate, path, lambda _: value)


def edit(*path: str | int, how: Callable[[Any], Any]) -> Change:
    return lambda certificate: at(certificate, path, how)


def constant_choice(choice: StepChoice) -> StepChoice:
    return StepChoice(tuple((bit, 0) for bit, _ in choice.bits))


def on_graphs(change: Callable[[list[Bit], list[DiagramNode]], None]) -> Change:
    def changed(certificate: Certificate) -> Certificate:
        bits, nodes = list(certificate.graphs.bits), list(certificate.graphs.nodes)
        change(bits, nodes)
        return replace(certificate, graphs=DecisionDiagrams(tuple(bits), tuple(nodes)))

    return changed


def root_of_bit(name: str, bit: Bit, *path: str | int) -> Change:
    """At a path stands the graph that looks at one bit."""

    def change(certificate: Certificate) -> Certificate:
        sets = Sets(name, certificate)
        root = sets.node(bit, 1, 0)
        return replace(at(certificate, path, lambda _: root), graphs=sets.graphs)

    return change


INVARIANT = ("steps", "n < 5")
UNTIL = ("wheel", "AG AF n = 4")
REACH = ("steps", "AG EF n = 4")
FAIR_REACH = ("wheel", "AG EF n = 2")
STAY = ("steps", "EG n = 0")
CYCLE = ("wheel", "EG n < 6")
COMPASSION = ("asked", "AG AF got")
DEAD = ("dead", "AF (n = 4 | n = 7)")
DEAD_INVARIANT = ("dead", "AG AX n > 0")
INPUTS = ("fed", "AF n = 3")
SOME_INPUTS = ("fed", "AG EX n >= 0")
LINEAR = ("wheel", "G F n = 4")
NEXT = ("steps", "AX (n = 0 | n = 1)")

PROOF = ("proofs", 0)

WRONG: dict[str, tuple[tuple[str, str], Change]] = {
    # Graphs
    "no root": (INVARIANT, put("invariant", value=10_000)),
    "negative root": (INVARIANT, put("invariant", value=-1)),
    "a node above itself": (INVARIANT, on_graphs(lambda bits, nodes: nodes.__setitem__(0, DiagramNode(0, 2, 0)))),
    "a node of no bit": (INVARIANT, on_graphs(lambda bits, nodes: nodes.append(DiagramNode(len(bits), 0, 1)))),
    "a bit that there is not": (INVARIANT, on_graphs(lambda bits, nodes: bits.append(Bit("n", 3)))),
    "a variable that there is not": (INVARIANT, on_graphs(lambda bits, nodes: bits.append(Bit("m", 0)))),
    "a set that looks ahead": (INVARIANT, root_of_bit("steps", Bit("n", 0, True), "invariant")),
    "a set that looks at inputs": (INPUTS, root_of_bit("fed", Bit("pick", 0), "invariant")),
    # The machine
    "an unknown variable": (INVARIANT, edit("variables", how=lambda names: (*names, "m"))),
    "a variable left out": (INVARIANT, put("variables", value=())),
    "a variable of influence left out": (UNTIL, put("variables", value=("n",))),
    "a state variable as input": (INVARIANT, put("inputs", value=("n",))),
    # Invariants
    "no initial state": (INVARIANT, with_set("steps", "invariant", state={"n": 0}, member=False)),
    "a reachable state missing": (INVARIANT, with_set("steps", "invariant", state={"n": 2}, member=False)),
    "a bad state in the invariant": (INVARIANT, with_set("steps", "invariant", state={"n": 6}, member=True)),
    "everything": (INVARIANT, put("invariant", value=1)),
    "nothing": (INVARIANT, put("invariant", value=0)),
    # All paths
    "no proof": (UNTIL, put("proofs", value=())),
    "half the proofs": (UNTIL, edit("proofs", how=lambda proofs: proofs[:1])),
    "too many proofs": (UNTIL, edit("proofs", how=lambda proofs: (*proofs, proofs[0]))),
    "proofs exchanged": (UNTIL, edit("proofs", how=lambda proofs: proofs[::-1])),
    "another kind of proof": (UNTIL, edit(*PROOF, how=lambda proof: EveryPath(proof.states, proof.positions))),
    "a removal dropped": (UNTIL, edit(*PROOF, "removals", how=lambda all_: (*all_[:3], *all_[4:]))),
    "removals in the wrong order": (UNTIL, edit(*PROOF, "removals", how=lambda all_: all_[::-1])),
    "no removals": (UNTIL, put(*PROOF, "removals", value=())),
    "leaving where paths may stay": (
        UNTIL, edit(*PROOF, "removals", how=lambda all_: tuple(replace(one, reason="leave") for one in all_))),
    "another justice constraint": (
        UNTIL, edit(*PROOF, "removals", how=lambda all_: tuple(replace(one, constraint=1) for one in all_))),
    "no such justice constraint": (
        UNTIL, edit(*PROOF, "removals", how=lambda all_: tuple(replace(one, constraint=2) for one in all_))),
    "no such reason": (
        UNTIL, edit(*PROOF, "removals", how=lambda all_: tuple(replace(one, reason="luck") for one in all_))),
    "compassion that there is not": (
        UNTIL, edit(*PROOF, "removals", how=lambda all_: tuple(replace(one, reason="compassion") for one in all_))),
    "all states removed at once": (UNTIL, put(*PROOF, "removals", value=(Removal(1, "justice", 0),))),
    "all states leave": (UNTIL, put(*PROOF, "removals", value=(Removal(1, "leave"),))),
    "a state missing in the claim": (UNTIL, with_set("wheel", "proofs", 0, "states", state={"n": 1, "b": True}, member=False)),
    "more states than positions": (
        UNTIL, with_set("wheel", "proofs", 0, "positions", state={"n": 1, "b": True}, member=False)),
    "a step to the wrong states": (NEXT, with_set("steps", "proofs", 0, "positions", state={"n": 2}, member=True)),
    "a set that steps leave": (
        ("steps", "AG n < 5 | AG n = 0"), with_set("steps", "proofs", 0, "positions", state={"n": 3}, member=False)),
    # Compassion
    "nothing inside": (COMPASSION, edit(*PROOF, how=lambda p: replace(p, removals=compassionate(p, inside=())))),
    "compassion taken for justice": (
        COMPASSION, edit(*PROOF, how=lambda p: replace(p, removals=compassionate(p, reason="justice")))),
    "no such compassion constraint": (
        COMPASSION, edit(*PROOF, how=lambda p: replace(p, removals=compassionate(p, constraint=1)))),
    # Some path
    "a goal that is none": (REACH, with_set("steps", "proofs", 0, "layers", 0, "states", state={"n": 3}, member=True)),
    "a layer left out": (REACH, edit(*PROOF, "layers", how=lambda layers: (*layers[:2], *layers[3:]))),
    "layers upside down": (REACH, edit(*PROOF, "layers", how=lambda layers: layers[::-1])),
    "a state of too low a rank": (REACH, with_set("steps", "proofs", 0, "layers", 1, "states", state={"n": 0}, member=True)),
    "no layers": (REACH, put(*PROOF, "layers", value=())),
    "a step that does not lead down": (REACH, edit(*PROOF, "layers", 2, "choice", how=constant_choice)),
    "a step not chosen": (REACH, put(*PROOF, "layers", 2, "choice", value=StepChoice())),
    "a bit chosen twice": (REACH, edit(*PROOF, "layers", 2, "choice", how=lambda c: StepChoice((*c.bits, c.bits[0])))),
    "a bit that is no bit": (REACH, edit(*PROOF, "layers", 2, "choice", how=lambda c: StepChoice((*c.bits, (999, 0))))),
    "a present bit chosen": (
        REACH, lambda c: at(c, (*PROOF, "layers", 2, "choice"), lambda one: StepChoice(
            (*one.bits, (c.graphs.bits.index(Bit("n", 0)), 0))))),
    "a bit chosen by one after it": (REACH, lambda c: looking_ahead(c)),
    "not through the first part": (
        ("steps", "E [n < 4 U n = 4]"), with_set("steps", "proofs", 0, "layers", 1, "states", state={"n": 4}, member=True)),
    "paths of which it is not known that they are fair": (FAIR_REACH, put("fair", value=None)),
    "a hull with no way to justice": (FAIR_REACH, edit("fair", "justice", how=lambda all_: all_[:1])),
    "a hull that does not reach justice": (FAIR_REACH, edit("fair", "justice", 0, how=lambda layers: layers[:1])),
    "a justice constraint that is not met": (
        FAIR_REACH, with_set("wheel", "fair", "justice", 0, 0, "states", state={"n": 0, "b": False}, member=True)),
    "a hull that is left": (FAIR_REACH, with_set("wheel", "fair", "hull", state={"n": 2, "b": True}, member=False)),
    "a hull without steps": (STAY, put(*PROOF, "step", value=StepChoice())),
    "a hull from which a step leads out": (
        STAY, edit(*PROOF, "step", how=lambda c: StepChoice(tuple((bit, 1) for bit, _ in c.bits)))),
    "a hull where the formula is false": (STAY, with_set("steps", "proofs", 0, "hull", state={"n": 1}, member=True)),
    "a path of another kind": (STAY, edit(*PROOF, how=lambda p: Possible(p.states, p.positions, p.layers))),
    "no way to the hull": (CYCLE, put(*PROOF, "layers", value=(PathLayer(0),))),
    "an initial state not in the claim": (
        CYCLE, with_set("wheel", "proofs", 0, "states", state={"n": 0, "b": False}, member=False)),
    # Where there is no step
    "nothing said of states without steps": (DEAD, put("stuck", value=None)),
    "a state without steps missing": (DEAD, with_set("dead", "stuck", "states", state={"n": 4}, member=False)),
    "a state with steps among those without": (DEAD, with_set("dead", "stuck", "states", state={"n": 3}, member=True)),
    "a step chosen that is none": (DEAD_INVARIANT, edit("stuck", "choice", how=constant_choice)),
    "a state for which no step is chosen": (DEAD, with_set("dead", "stuck", "among", state={"n": 3}, member=False)),
    # Inputs
    "inputs left out": (INPUTS, put("inputs", value=())),
    "inputs that are none": (INPUTS, put("inputs", value=("go", "n"))),
    "what is true on all paths depends on inputs": (INPUTS, root_of_bit("fed", Bit("go", 0), *PROOF, "states")),
    "inputs in the invariant": (INPUTS, root_of_bit("fed", Bit("go", 0), "invariant")),
    "inputs chosen with which no path begins": (
        SOME_INPUTS, lambda c: at(with_positions(c), (*PROOF, "begin"), lambda _: StepChoice(
            ((c.graphs.bits.index(Bit("go", 0)), 0),)))),
    # LTL
    "a watched state missing": (LINEAR, put("invariant", value=0)),
    "a watched path not removed": (LINEAR, edit(*PROOF, "removals", how=lambda all_: all_[:-1])),
    "a watched set dropped": (LINEAR, edit(*PROOF, "removals", how=lambda all_: all_[1:])),
    "fairness of the watcher taken for another": (
        LINEAR, edit(*PROOF, "removals", how=lambda all_: tuple(replace(one, constraint=1) for one in all_))),
    "a linear formula proved otherwise": (LINEAR, put("proofs", value=(EveryPath(1, 1),))),
    "a linear formula proved twice": (LINEAR, edit("proofs", how=lambda proofs: proofs * 2)),
}  # fmt: skip


def compassionate(proof: Inevitable, **changes: Any) -> tuple[Removal, ...]:
    """The removals with those by compassion changed; there are some."""
    assert any(one.reason == "compassion" for one in proof.removals)
    return tuple(replace(one, **changes) if one.reason == "compassion" else one for one in proof.removals)


def looking_ahead(certificate: Certificate) -> Certificate:
    """The first bit that is chosen depends on the last one."""
    layers = certificate.proofs[0].layers  # type: ignore[union-attr]
    choice = layers[2].choice
    sets = Sets("steps", certificate)
    root = sets.node(sets.bits[choice.bits[-1][0]], 1, 0)
    bits = ((choice.bits[0][0], root), *choice.bits[1:])
    return replace(at(certificate, (*PROOF, "layers", 2, "choice"), lambda _: StepChoice(bits)), graphs=sets.graphs)


def with_positions(certificate: Certificate) -> Certificate:
    """Only the positions with the input are kept: from the others a path begins, too, but it is not said."""
    sets = Sets("fed", certificate)
    root = sets.node(Bit("go", 0), 1, 0)
    changed = at(certificate, (*PROOF, "positions"), lambda _: root)
    return replace(changed, graphs=sets.graphs)


@pytest.mark.parametrize("wrong", WRONG)
def test_wrong_certificates_are_rejected(wrong: str) -> None:
    (name, formula), change = WRONG[wrong]
    claim, right = certified(name, formula)
    with pytest.raises(EvidenceRejected):
        confirm(name, claim, change(right))


@pytest.mark.parametrize("name, formula, other", [
    ("steps", "n < 5", "n < 4"),
    ("steps", "AG EF n = 4", "AG EF n = 5"),
    ("wheel", "AG AF n = 4", "AG AF (n = 4 & b)"),
    ("wheel", "G F n = 4", "G F (n = 4 & b)"),
    ("wheel", "EG n < 6", "EG n < 5"),
    ("wheel", "A [n <= 3 U n = 4]", "A [n <= 2 U n = 4]"),
    ("asked", "AG AF got", "AG AF (got & ask)"),
    ("steps", "AX (n = 0 | n = 1)", "AX n = 1"),
    ("dead", "AF (n = 4 | n = 7)", "AF n = 4"),
])  # fmt: skip
def test_a_certificate_of_another_formula_proves_nothing(name: str, formula: str, other: str) -> None:
    _, right = certified(name, formula)
    with pytest.raises(EvidenceRejected):
        confirm(name, model(name).formula(other), right)


def test_a_certificate_of_another_model_proves_nothing() -> None:
    claim, right = certified("steps", "n < 5")
    other = coarsest.loads(MODELS["steps"].replace("n < 4", "n < 6"))
    with pytest.raises(EvidenceRejected, match="a step leaves the invariant"):
        confirm_certificate(other.machine, claim, right, run=Run())


def test_there_are_many_kinds() -> None:
    """Of mistakes, of what is said about them, and of certificates."""
    assert len(WRONG) >= 60
    objections = set()
    for (name, formula), change in WRONG.values():
        claim, right = certified(name, formula)
        try:
            confirm(name, claim, change(right))
        except EvidenceRejected as problem:
            objections.add(str(problem).split(", for example")[0])
    assert len(objections) >= 35, objections
    assert {type(certified(*about)[1].proofs[-1]) for (about, _) in WRONG.values() if certified(*about)[1].proofs} >= {
        Inevitable, EveryPath, FairPath}  # fmt: skip
