"""Whatever trace or certificate of a property is accepted, what it shows is true: genuine ones, and forgeries of all their parts.

Machines are random, most with fairness; the judge is the oracle of temporal logic. What `check` writes must be accepted.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from campaigns import blocks
from coarsest.api.model import Model
from coarsest.errors import EvidenceRejected, InputError
from coarsest.evidence.effort import NotConfirmed
from coarsest.evidence.sat.certificate_file import CertifiedProperty, claim_to_object, confirm, file_of
from coarsest.evidence.stated_property import text_of
from coarsest.evidence.verdict import Answer, Fails, Holds, shown_trace
from coarsest.explain.trace_file import confirm_stated
from coarsest.logic.expr import Apply, Expr
from coarsest.model.kinds import KINDS, PropertyKind
from coarsest.model.machine import NO_DEADLOCK, Machine, Property
from coarsest.model.query.formula import parse_formula
from coarsest.render.data.json import trace_to_object
from coarsest.run import Run
from oracles.temporal import Temporal
from temporal_laws import block, cases, conditions, ctl_formulas, ltl_formulas, random_fair_lasso

BLOCKS = 4
MACHINES = 80
CAMPAIGN = range(10_000, 11_000)
FORGERIES = 30

Evidence = dict[str, Any]
Forge = Callable[[Random, Evidence, list[Evidence]], None]


def properties(rng: Random, machine: Machine) -> list[Property]:
    """Among them the same condition as properties of several kinds, and formulas that hold of no fair path at all."""
    condition = conditions(rng, machine, inputs=0)()
    kinds = PropertyKind
    claims: list[tuple[PropertyKind, Expr]] = [(kind, condition) for kind in (kinds.INVARIANT, kinds.CTL, kinds.LTL)]
    claims += [(kinds.CTL, Apply("AG", (condition,))), (kinds.LTL, Apply("G", (condition,)))]
    claims += [(kinds.CTL, formula) for formula in ctl_formulas(rng, machine, 3, inputs=0.2)]
    claims += [(kinds.LTL, formula) for formula in ltl_formulas(rng, machine, 3, inputs=0.2)]
    claims += [(kinds.CTL_STAR, Apply("A", (claims[-1][1],)))]
    names = [f"p{number}" if rng.random() < 0.7 else "" for number in range(len(claims))]
    texts = [text_of(Property(*claim)) for claim in claims]
    read = [parse_formula(text, machine, kind=kind, name=name) for text, (kind, _), name in zip(texts, claims, names)]
    return [NO_DEADLOCK, *(replace(claim, text=text_of(claim)) for claim in read)]


def is_true(oracle: Temporal, kind: PropertyKind, formula: Expr) -> bool:
    match kind:
        case PropertyKind.INVARIANT:
            return oracle.where(formula) == oracle.everything
        case PropertyKind.LTL:
            return oracle.holds_linear(formula)
        case PropertyKind.DEADLOCK:
            return not oracle.stuck
    return oracle.holds_branching(formula)


def trace_object(claim: Property, answer: Answer) -> Evidence | None:
    trace = shown_trace(answer)
    if trace is None:
        return None
    return {"name": claim.name, "kind": str(claim.kind), "formula": claim.text, **trace_to_object(trace)}


def other_claim(rng: Random, thing: Evidence, others: list[Evidence]) -> None:
    other = rng.choice(others)
    keys = ("name", "kind", "formula")
    for key in rng.choice([*((key,) for key in keys), keys[1:], keys[:2], keys]):
        thing[key] = other[key]


def nameless(rng: Random, thing: Evidence, others: list[Evidence]) -> None:
    thing["name"] = ""
    thing["kind"] = rng.choice([thing["kind"], "", *map(str, KINDS)])


def other_loop(rng: Random, thing: Evidence, others: list[Evidence]) -> None:
    thing["loop"] = rng.choice([None, *range(len(thing["states"]))])
    steps = len(thing["states"]) - (thing["loop"] is None)
    given = thing["inputs"] or [{}]
    thing["inputs"] = [given[min(place, len(given) - 1)] for place in range(steps)] if any(given) else []


def truncated(rng: Random, thing: Evidence, others: list[Evidence]) -> None:
    kept = rng.randint(1, len(thing["states"]))
    thing.update(states=thing["states"][:kept], inputs=thing["inputs"][: kept - 1], loop=None)


def longer(rng: Random, thing: Evidence, others: list[Evidence]) -> None:
    """Its last states once more, or those of another trace."""
    source = rng.choice([thing, *others])
    at = rng.randrange(len(source["states"]))
    thing["states"] = thing["states"] + source["states"][at:]
    thing["inputs"] = thing["inputs"] + source["inputs"][at:]


def other_path(rng: Random, thing: Evidence, others: list[Evidence]) -> None:
    thing.update({key: rng.choice(others)[key] for key in ("states", "inputs", "loop")})


FORGED: list[Forge] = [other_claim, other_claim, nameless, other_loop, truncated, longer, other_path]


def lassos(rng: Random, oracle: Temporal, thing: Evidence, count: int) -> list[Evidence]:
    """Fair paths of the machine that refute what they may, as evidence against any property."""
    found = []
    inputs = oracle.force.inputs
    for _ in range(count):
        lasso = random_fair_lasso(rng, oracle)
        if lasso is not None:
            pairs = lasso[0] + lasso[1]
            states = [dict(zip(oracle.force.names, state)) for state, _ in pairs]
            path = {"states": states, "inputs": [dict(inputs[i]) for _, i in pairs] if inputs[0] else [], "loop": len(lasso[0])}
            found.append({**thing, **path})
    return found


def check_traces(seed: int, machine: Machine, oracle: Temporal) -> int:
    """How many forgeries were accepted, and true."""
    rng = Random(seed)
    model = Model(replace(machine, properties=tuple(properties(rng, machine))))
    claims = model.properties
    answers = model.check(vacuity=False).answers
    genuine = []
    for claim, answer in zip(claims, answers):
        thing = trace_object(claim, answer)
        if thing is not None and isinstance(answer.verdict, Fails):
            genuine.append(thing)
            stated, _, _ = confirm_stated(model.machine, thing, model.formula, Run())
            assert stated in claims and stated.formula == claim.formula, (seed, claim.text)
    if not genuine:
        return 0
    genuine += lassos(rng, oracle, genuine[0], 3)
    empty = {key: genuine[0][key] for key in ("states", "inputs", "loop")}
    others = genuine + [{**empty, "name": c.name, "kind": str(c.kind), "formula": c.text} for c in claims]
    accepted = 0
    for _ in range(FORGERIES):
        thing = dict(rng.choice(genuine))
        for forge in rng.sample(FORGED, rng.randint(1, 2)):
            forge(rng, thing, others)
        try:
            stated, _, _ = confirm_stated(model.machine, thing, model.formula, Run())
        except (EvidenceRejected, InputError, NotConfirmed):
            continue
        accepted += 1
        assert not is_true(oracle, stated.kind, stated.formula), (seed, thing)
        require_said(thing, stated, claims)
    return accepted


def require_said(thing: Evidence, stated: Property, claims: tuple[Property, ...]) -> None:
    """The property is the one that the evidence names, and of the kind that it says."""
    assert thing["kind"] in ("", str(stated.kind)), thing
    assert thing["name"] == stated.name and (not stated.name or stated in claims), thing
    assert thing["formula"] == (stated.text if stated is NO_DEADLOCK else text_of(stated)), thing


def check_certificates(seed: int, machine: Machine, oracle: Temporal) -> int:
    rng = Random(seed)
    model = Model(replace(machine, properties=tuple(properties(rng, machine))))
    claims = model.properties
    proofs = []
    for claim, answer in zip(claims, model.check(certificates=True, vacuity=False).answers):
        if isinstance(answer.verdict, Holds) and answer.verdict.certificate is not None:
            proofs.append(claim_to_object(CertifiedProperty(claim.name, claim.kind, claim.text, answer.verdict.certificate)))
    others: list[Evidence] = [{"name": c.name, "kind": str(c.kind), "formula": c.text} for c in claims]
    accepted = 0
    for number in range(FORGERIES if proofs else 0):
        thing = dict(proofs[number] if number < len(proofs) else rng.choice(proofs))
        if number >= len(proofs):
            rng.choice([other_claim, nameless])(rng, thing, others)
        try:
            ((found, _),) = confirm(model.machine, file_of("m", [thing]), model.formula, Run())
        except (EvidenceRejected, InputError, NotConfirmed):
            assert number >= len(proofs), (seed, thing["formula"])
            continue
        accepted += number >= len(proofs)
        stated = next((c for c in claims if (c.name, c.kind, c.text) == (found.name, found.kind, found.formula)), None)
        assert is_true(oracle, found.kind, (stated or model.formula(found.formula)).formula), (seed, found.formula)
        assert stated is not None or (not found.name and model.formula(found.formula).kind is found.kind), (seed, thing)
    return accepted


@pytest.mark.parametrize("number", blocks(BLOCKS, by_day=2))
def test_accepted_traces_show_what_is_true(number: int) -> None:
    assert sum(check_traces(*case) for case in cases(block(number, of=BLOCKS, machines=MACHINES))) > 50


@pytest.mark.parametrize("number", blocks(BLOCKS, by_day=2))
def test_accepted_certificates_show_what_is_true(number: int) -> None:
    assert sum(check_certificates(*case) for case in cases(block(number, of=BLOCKS, machines=MACHINES // 4))) > 10


@pytest.mark.nightly
@pytest.mark.parametrize("check", [check_traces, check_certificates])
def test_campaign(check: Callable[[int, Machine, Temporal], int]) -> None:
    for case in cases(CAMPAIGN):
        check(*case)
