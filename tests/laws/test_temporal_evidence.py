"""Evidence for verdicts of temporal logic shows what it claims; tampered with, it is rejected unless it is still right."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from campaigns import blocks
from coarsest.errors import EvidenceRejected
from coarsest.evidence.explanation import Explanation
from coarsest.evidence.replay.confirm_explanation import confirm_explanation
from coarsest.evidence.replay.lasso import confirm_lasso
from coarsest.evidence.verdict import Fails, Holds
from coarsest.logic.expr import Apply, Expr
from coarsest.model.kinds import PropertyKind
from coarsest.model.machine import Machine
from coarsest.model.trace import Trace
from coarsest.options.engines import LTL_METHODS
from oracles.temporal import Pair, Temporal
from temporal_laws import ask, block, cases, ctl_formulas, is_violating_lasso, ltl_formulas

FAIR = ("one-way", "emerson-lei", "lockstep")


def pairs_of(oracle: Temporal, state: Any) -> set[Pair]:
    return set(oracle.pairs[tuple(state[name] for name in oracle.force.names)])


def is_true(oracle: Temporal, claim: Explanation) -> bool:
    """Is what is claimed of the first state so?"""
    here, satisfying = pairs_of(oracle, claim.trace.states[0]), oracle.satisfying(claim.formula)
    return here <= satisfying if claim.holds else not here & satisfying


def is_path(oracle: Temporal, trace: Trace) -> bool:
    after = [*trace.states[1:], *([trace.states[trace.loop]] if trace.loop is not None else [])]
    inputs = trace.inputs or [{}] * len(after)
    return len(inputs) == len(after) and all(map(oracle.is_step, trace.states, inputs, after))


def ends_fairly(oracle: Temporal, claim: Explanation) -> bool:
    """Does a fair path go on where the path ends? Evidence for a finite path does not show this."""
    return claim.trace.loop is not None or bool(pairs_of(oracle, claim.trace.states[-1]) & oracle.fair)


# Explanations


def check_explanation(oracle: Temporal, explanation: Explanation) -> None:
    for claim in explanation.walk():
        assert is_true(oracle, claim)
        assert is_path(oracle, claim.trace)
        assert len(claim.trace) == 1 or ends_fairly(oracle, claim)
        for place, part in claim.parts:
            assert part.trace.states[0] == claim.trace.states[place]
        if claim.complete and isinstance(claim.formula, Apply) and claim.formula.op in ("EG", "AF"):
            assert claim.trace.loop is not None


def explanations(seeds: range) -> Iterator[tuple[Random, Machine, Temporal, Expr, Holds | Fails]]:
    for seed, machine, oracle in cases(seeds):
        rng = Random(seed)
        formulas = ctl_formulas(rng, machine, 2)
        _, answers = ask(machine, PropertyKind.CTL, formulas, fair=FAIR[seed % len(FAIR)], cone=False)
        for claim, answer in zip(formulas, answers, strict=True):
            assert isinstance(answer.verdict, Holds | Fails)
            yield rng, machine, oracle, claim, answer.verdict


@pytest.mark.parametrize("number", blocks(4, by_day=2))
def test_explanations_are_right(number: int) -> None:
    """Every claim in the tree is true, every path is one of the machine."""
    refuted = shown = 0
    for _, _, oracle, claim, verdict in explanations(block(number, of=4, machines=160, first=8000)):
        explanation = verdict.explanation
        if explanation is None:  # of an invariant, or there is no initial state
            assert not oracle.initial or (isinstance(claim, Apply) and claim.op == "AG")
            continue
        check_explanation(oracle, explanation)
        assert explanation.formula == claim
        assert explanation.holds == isinstance(verdict, Holds)
        if isinstance(verdict, Fails):
            assert verdict.trace is not None and is_path(oracle, verdict.trace)
            refuted += 1
        elif isinstance(claim, Apply) and claim.op[0] == "E" and claim.op != "EX":
            assert explanation.complete
            shown += 1
    assert refuted > 20 and shown > 3


def tampered(rng: Random, oracle: Temporal, explanation: Explanation) -> Explanation:
    """The explanation with one change somewhere in the tree."""
    if explanation.parts and rng.random() < 0.6:
        chosen = rng.randrange(len(explanation.parts))
        parts = [
            (place, tampered(rng, oracle, part) if number == chosen else part)
            for number, (place, part) in enumerate(explanation.parts)
        ]
        return replace(explanation, parts=tuple(parts))
    match rng.randrange(6):
        case 0:
            return replace(explanation, holds=not explanation.holds)
        case 1 if explanation.parts:
            kept = list(explanation.parts)
            del kept[rng.randrange(len(kept))]
            return replace(explanation, parts=tuple(kept))
    return replace(explanation, trace=tampered_trace(rng, oracle, explanation.trace))


def tampered_trace(rng: Random, oracle: Temporal, trace: Trace) -> Trace:
    """Another state, a state too few, another loop, other inputs; sometimes once more around the loop, which changes nothing."""
    states, inputs, loop = list(trace.states), list(trace.inputs), trace.loop
    place = rng.randrange(len(states))
    match rng.randrange(5):
        case 0:
            states[place] = oracle.force.environment(rng.choice(list(oracle.moves)))
        case 1 if len(states) > 1:
            del states[place]
            del inputs[place : place + 1]
        case 2:
            loop = rng.choice([None, -1, *range(len(states) + 1)])
        case 3 if inputs:
            inputs[rng.randrange(len(inputs))] = rng.choice(oracle.force.inputs)
        case 4 if loop is not None:
            states += states[loop:]
            inputs += inputs[loop:]
    return Trace(tuple(states), tuple(inputs), loop)


@pytest.mark.parametrize("number", blocks(4, by_day=2))
def test_tampered_explanations(number: int) -> None:
    """What is accepted is true, if the claims about all paths are and if fair paths go on where paths end."""
    rejected = 0
    for rng, machine, oracle, _, verdict in explanations(block(number, of=4, machines=160, first=9000)):
        if verdict.explanation is None:
            continue
        for _ in range(5):
            changed = tampered(rng, oracle, verdict.explanation)
            try:
                confirm_explanation(machine, changed)
            except EvidenceRejected:
                rejected += 1
                continue
            claims = list(changed.walk())
            assert all(is_path(oracle, claim.trace) for claim in claims)
            if all(is_true(oracle, claim) if not claim.complete else ends_fairly(oracle, claim) for claim in claims):
                assert all(is_true(oracle, claim) for claim in claims)
    assert rejected > 100


# Lassos


@pytest.mark.parametrize("number", blocks(4, by_day=2))
def test_tampered_lassos(number: int) -> None:
    """A lasso is accepted exactly when it violates the formula."""
    accepted = rejected = 0
    for seed, machine, oracle in cases(block(number, of=4, machines=160, first=10_000)):
        rng = Random(seed)
        formulas = ltl_formulas(rng, machine, 2, inputs=0.2)
        _, answers = ask(machine, PropertyKind.LTL, formulas, ltl=[*LTL_METHODS][seed % len(LTL_METHODS)], cone=False)
        for claim, answer in zip(formulas, answers, strict=True):
            if not isinstance(answer.verdict, Fails) or answer.verdict.trace is None or answer.verdict.trace.loop is None:
                continue
            for _ in range(8):
                trace = tampered_trace(rng, oracle, answer.verdict.trace)
                right = is_violating_lasso(oracle, trace, claim)
                if right:
                    confirm_lasso(machine, trace, claim)
                    accepted += 1
                else:
                    with pytest.raises(EvidenceRejected):
                        confirm_lasso(machine, trace, claim)
                    rejected += 1
    assert accepted > 50 and rejected > 50
