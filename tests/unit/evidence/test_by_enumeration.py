"""Confirmation by enumeration: right on random machines, by the definitions; it contradicts wrong verdicts; it gives up early."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from random import Random
from typing import Any

import pytest

import coarsest
from coarsest.errors import EvidenceRejected
from coarsest.evidence.confirmation import UNASKED, Enumerated
from coarsest.evidence.enumeration.by_enumeration import ByEnumeration
from coarsest.evidence.enumeration.enumerated_states import EnumerationBounds
from coarsest.evidence.enumeration.fair_graph import FairPaths
from coarsest.evidence.verdict import Fails, Holds
from coarsest.logic.expr import Apply, Constant, Expr, Name
from coarsest.logic.parse import parse_expression
from coarsest.model.kinds import PropertyKind
from coarsest.model.machine import Kind, Machine, Property, Variable, ctl
from coarsest.model.types import Boolean, Range
from coarsest.run import Limits, Run
from oracles.fair_graphs import FairGraph as OracleGraph
from oracles.sere_words import Lasso, largest_bound, satisfies
from random_formulas import CTL_BOUNDED, FUTURE, formula, word
from random_machines import seeded_fair_machine
from random_sequences import parse, psl
from temporal_laws import cases, conditions, ctl_formulas, ltl_formulas, over_machine

BENCHMARKS = Path(__file__).parents[4] / "shared" / "benchmarks"
TASK = "confirm by enumeration"


def confirm_claim(machine: Machine, claim: Property, *, holds: bool, run: Run | None = None, **bounds: int) -> bool:
    return ByEnumeration(machine, run or Run(), EnumerationBounds(**bounds)).confirm(claim, holds=holds) is not None


def confirm(machine: Machine, kind: PropertyKind, claim: Expr, *, holds: bool, **bounds: int) -> bool:
    return confirm_claim(machine, Property(kind, claim), holds=holds, **bounds)


def only_the_right_verdict(machine: Machine, kind: PropertyKind, claim: Expr, *, holds: bool) -> None:
    assert confirm(machine, kind, claim, holds=holds)
    with pytest.raises(EvidenceRejected, match="enumerated one by one"):
        confirm(machine, kind, claim, holds=not holds)


# Against the definitions


@pytest.mark.parametrize("block", range(4))
def test_branching_time(block: int) -> None:
    verdicts = []
    for seed, machine, oracle in cases(range(20_000 + 50 * block, 20_050 + 50 * block)):
        for claim in ctl_formulas(Random(seed), machine, 2, inputs=0.2):
            verdicts.append(oracle.holds_branching(claim))
            only_the_right_verdict(machine, PropertyKind.CTL, claim, holds=verdicts[-1])
    assert len(verdicts) >= 90 and min(map(verdicts.count, (True, False))) > 20


@pytest.mark.parametrize("op", CTL_BOUNDED)
def test_bounded_operators(op: str) -> None:
    verdicts = []
    for seed, machine, oracle in cases(range(24_000, 24_060)):
        rng = Random(seed)
        draw = conditions(rng, machine, inputs=0.1)
        low = rng.randrange(3)
        parts = (draw(), draw()) if op[-1] == "U" else (draw(),)
        for high in range(low, low + 3):
            claim = Apply(op, (Constant(low), Constant(high), *parts))
            verdicts.append(oracle.holds_branching(claim))
            only_the_right_verdict(machine, PropertyKind.CTL, claim, holds=verdicts[-1])
    assert min(map(verdicts.count, (True, False))) > 10


@pytest.mark.parametrize("block", range(4))
def test_linear_time(block: int) -> None:
    verdicts = []
    for seed, machine, oracle in cases(range(21_000 + 30 * block, 21_030 + 30 * block)):
        for claim in ltl_formulas(Random(seed), machine, 2, inputs=0.2):
            verdicts.append(oracle.holds_linear(claim))
            only_the_right_verdict(machine, PropertyKind.LTL, claim, holds=verdicts[-1])
    assert len(verdicts) >= 50 and min(map(verdicts.count, (True, False))) > 10


def test_paths_quantified_within_paths() -> None:
    verdicts = []
    for seed, machine, oracle in cases(range(22_000, 22_060)):
        rng = Random(seed)
        path = over_machine(formula(rng, 3, 2, FUTURE), rng, machine, inputs=0.15)
        inner = Apply(rng.choice("EA"), (over_machine(formula(rng, 3, 2, FUTURE), rng, machine, inputs=0.15),))
        claim = Apply(rng.choice("EA"), (Apply(rng.choice(["and", "or", "U", "V"]), (path, inner)),))
        verdicts.append(oracle.holds_branching(claim))
        only_the_right_verdict(machine, PropertyKind.CTL_STAR, claim, holds=verdicts[-1])
    assert min(map(verdicts.count, (True, False))) > 10


def test_invariants() -> None:
    """About states, whatever the fairness; about inputs, of every step."""
    verdicts = []
    for seed, machine, oracle in cases(range(23_000, 23_150)):
        draw = conditions(Random(seed), machine, inputs=0.3)
        claim = Apply("or", (draw(), draw()))
        states = {pair[0] for pair in oracle.everything}
        if machine.variables_of(claim) & {v.name for v in machine.input_variables}:
            places = [pair for pair in oracle.everything if oracle.moves[pair[0]][pair[1]]]
        else:
            places = [next(pair for pair in oracle.everything if pair[0] == state) for state in states]
        verdicts.append(all(oracle.force.holds(claim, oracle.environment(pair)) for pair in places))
        only_the_right_verdict(machine, PropertyKind.INVARIANT, claim, holds=verdicts[-1])
    assert min(map(verdicts.count, (True, False))) > 10


def one_path(letters: list[frozenset[Expr]], back: int) -> Machine:
    """A machine with a single path, along which atoms are true as the letters say; after the last comes the letter `back`."""
    at = Name("at")
    definitions: dict[str, Expr] = {}
    for number in range(2):
        places = [Constant(place) for place, letter in enumerate(letters) if Name(f"p{number}") in letter]
        definitions[f"p{number}"] = Apply("in", (at, Apply("set", tuple(places)))) if places else Constant(False)
    last = Constant(len(letters) - 1)
    step = Apply("case", (Apply("=", (at, last)), Constant(back), Constant(True), Apply("+", (at, Constant(1)))))
    variables = {"at": Variable("at", Range(0, max(1, len(letters) - 1)))}
    return Machine("path", variables, definitions, {"at": Constant(0)}, {}, {"at": step})


def test_sequences() -> None:
    rng = Random(7)
    verdicts = []
    while len(verdicts) < 120:
        tree = parse(psl(rng, rng.randrange(4)))
        if largest_bound(tree) > 30:
            continue
        prefix, cycle = word(rng, atoms=2)
        verdicts.append(satisfies(Lasso(tuple(prefix), tuple(cycle)), tree))
        only_the_right_verdict(one_path([*prefix, *cycle], len(prefix)), PropertyKind.PSL, tree, holds=verdicts[-1])
    assert min(map(verdicts.count, (True, False))) > 20


# Components


def test_fair_paths_in_random_graphs() -> None:
    for seed in range(300):
        rng = Random(seed)
        nodes = range(rng.randint(1, 9))

        def some(nodes: range = nodes, rng: Random = rng) -> set[int]:
            return {node for node in nodes if rng.random() < 0.4}

        after = [sorted(some()) for _ in nodes]
        justice = [some() for _ in range(rng.randrange(3))]
        compassion = [(some(), some()) for _ in range(rng.randrange(3))]
        region = some() | some()
        expected = OracleGraph(dict(enumerate(after)), justice, compassion).with_fair_path(region)
        assert FairPaths(after, justice, compassion).with_fair_path(region) == expected
        # The same justice, as marks on the edges that leave its nodes.
        marks = [[sum(1 << i for i, fair in enumerate(justice) if node in fair)] * len(after[node]) for node in nodes]
        marked = FairPaths(after, (), compassion, marks, (1 << len(justice)) - 1)
        assert marked.with_fair_path(region) == expected


# Giving up


def wide(count: int, **parts: Any) -> Machine:
    return Machine("wide", {f"x{i}": Variable(f"x{i}", Boolean()) for i in range(count)}, **parts)


AG_EF = Apply("AG", (Apply("EF", (Name("x0"),)),))


def test_many_states_are_given_up_early() -> None:
    run = Run()
    claims = {PropertyKind.CTL: AG_EF, PropertyKind.LTL: Apply("G", (Name("x0"),)), PropertyKind.INVARIANT: Name("x0")}
    for kind, claim in claims.items():
        assert not confirm_claim(wide(60), Property(kind, claim), holds=False, run=run)
    assert run.steps.get(TASK, 0) == 0  # there are too many initial states: no step was looked at


def test_many_steps_are_given_up_early() -> None:
    """Few initial states, many steps from each."""
    run = Run()
    machine = wide(60, initial_values={f"x{i}": Constant(False) for i in range(60)})
    assert not confirm_claim(machine, ctl(AG_EF), holds=True, run=run)
    assert run.steps[TASK] == 1
    inputs = {f"i{i}": Variable(f"i{i}", Boolean(), Kind.INPUT) for i in range(40)}
    same = Machine("inputs", {"x0": Variable("x0", Boolean()), **inputs}, {}, {"x0": Constant(False)}, {}, {"x0": Name("i0")})
    assert not confirm(same, PropertyKind.CTL, AG_EF, holds=True)


def test_a_search_without_result_is_given_up() -> None:
    """Whether a state exists is a riddle: the sum of many variables."""
    total = Apply("=", (Apply("count", tuple(Name(f"x{i}") for i in range(60))), Constant(30)))
    odd = Apply("=", (Apply("mod", (Apply("count", tuple(Name(f"x{i}") for i in range(60))), Constant(2))), Constant(1)))
    machine = wide(60, initial_constraints=(total, odd))
    assert not confirm(machine, PropertyKind.CTL, AG_EF, holds=True)


def test_bounds_are_kept_exactly() -> None:
    step = Apply("mod", (Apply("+", (Name("n"), Constant(1))), Constant(50)))
    machine = Machine("ring", {"n": Variable("n", Range(0, 49))}, {}, {"n": Constant(0)}, {}, {"n": step})
    claim = Apply("AF", (Apply("=", (Name("n"), Constant(49))),))
    assert confirm(machine, PropertyKind.CTL, claim, holds=True, states=50, steps=50)
    assert not confirm(machine, PropertyKind.CTL, claim, holds=True, states=49)
    assert not confirm(machine, PropertyKind.CTL, claim, holds=True, steps=49)
    assert ByEnumeration(machine, Run(), EnumerationBounds(50, 50)).confirm(ctl(claim), holds=True) == Enumerated(50)


def test_large_products_are_given_up() -> None:
    """Few states, and a formula whose automaton is in many states beside them."""
    step = Apply("mod", (Apply("+", (Name("n"), Constant(1))), Constant(50)))
    machine = Machine("ring", {"n": Variable("n", Range(0, 49))}, {}, {"n": Constant(0)}, {}, {"n": step})
    claim = parse_expression("!F (n > 1 & X F (n > 2 & X F (n > 3 & X F (n > 4 & X F n > 5))))")
    assert confirm(machine, PropertyKind.LTL, claim, holds=False)
    assert not confirm(machine, PropertyKind.LTL, claim, holds=False, steps=50)
    assert confirm(machine, PropertyKind.LTL, parse_expression("!F n > 5"), holds=False, steps=50)


def test_wide_bounds_of_operators_end() -> None:
    """Between wide bounds nothing changes any more; before them, it may for ever, and is given up."""
    step = Apply("mod", (Apply("+", (Name("n"), Constant(1))), Constant(5)))
    machine = Machine("ring", {"n": Variable("n", Range(0, 4))}, {}, {"n": Constant(0)}, {}, {"n": step})
    at = Apply("=", (Name("n"), Constant(3)))
    run = Run()
    within = Apply("ABF", (Constant(0), Constant(10**9), at))
    assert confirm_claim(machine, ctl(within), holds=True, run=run)
    assert run.steps[TASK] < 30
    after = Apply("EBF", (Constant(10**9), Constant(10**9), at))
    assert not confirm(machine, PropertyKind.CTL, after, holds=True)


def test_a_limit_ends_the_confirmation_only() -> None:
    machine = seeded_fair_machine(1)
    claim = Apply("AG", (Constant(True),))
    assert confirm(machine, PropertyKind.CTL, claim, holds=True)
    assert not confirm_claim(machine, ctl(claim), holds=True, run=Run(Limits(seconds=0.0)))
    assert not confirm_claim(machine, ctl(claim), holds=True, run=Run(Limits(steps=0)))


def test_large_formulas_are_given_up() -> None:
    """Their automata have more states than there is patience for."""
    untils = tuple(Apply("U", (Name(f"x{i}"), Name(f"x{i + 1}"))) for i in range(12))
    names = [f"x{i}" for i in range(13)]
    machine = wide(13, initial_values=dict.fromkeys(names, Constant(True)), next_values={name: Name(name) for name in names})
    assert confirm(machine, PropertyKind.LTL, Apply("not", (Apply("and", untils[:3]),)), holds=False)
    assert not confirm(machine, PropertyKind.LTL, Apply("not", (Apply("and", untils),)), holds=False)


# What it stands on, and where it is used


def test_no_engine_takes_part() -> None:
    program = (
        "import sys, coarsest.evidence.enumeration.by_enumeration, coarsest.evidence.enumeration.ltl_by_enumeration\n"
        "print([m for m in sys.modules if m.split('.')[0] in ('numpy', 'oxidd', 'dd')"
        " or m.startswith(('coarsest.check', 'coarsest.system', 'coarsest.bdd', 'coarsest.graph'))])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


MODEL = """
MODULE main
IVAR i : boolean;
VAR x : 0..3;
ASSIGN init(x) := {0, 1}; next(x) := case i : x; TRUE : (x + 1) mod 4; esac;
FAIRNESS x = 0
FAIRNESS x = 2
"""
HOLDING = ["AG AF x = 2", "AG EX !i", "G F x = 2", "G (x = 1 -> F x = 3)", "A (G F x = 0)", "A [TRUE U E (G F x = 1)]"]
FAILING = ["AG EG x != 0", "EF (x = 1 & AG x = 1)", "AG i", "A (G (x = 0 -> E (G x = 0)))"]


def test_small_models_are_confirmed_by_default() -> None:
    model = coarsest.loads(MODEL)
    for answer in model.check(*HOLDING):
        assert isinstance(answer.verdict, Holds) and answer.confirmed
        assert answer.verdict.confirmation == Enumerated(4)
        assert "all 4 reachable states" in (answer.verdict.shown_by or "")
    for answer in model.check(*FAILING):
        assert isinstance(answer.verdict, Fails) and answer.confirmed
    for answer in model.check(*HOLDING, *FAILING, confirm=False):
        assert not answer.confirmed
        assert not isinstance(answer.verdict, Holds) or answer.verdict.confirmation == UNASKED


def test_a_wrong_verdict_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """A checker that forgets fairness is contradicted."""
    from coarsest.search.ctl_fixpoints import CtlFixpoints

    monkeypatch.setattr(CtlFixpoints, "fair", property(lambda checker: checker.space.states))
    with pytest.raises(EvidenceRejected, match="enumerated one by one"):
        coarsest.loads(MODEL + "FAIRNESS x + 1 < 0").check("EX EX x < 4")


@pytest.mark.skipif(not BENCHMARKS.exists(), reason="shared benchmarks not present")
@pytest.mark.parametrize(
    ("name", "least"),
    [("mutex", 8), ("mutex1", 10), ("semaphore", 5), ("counter", 14), ("ring", 6), ("short", 7), ("philo_2", 1)],
)
def test_benchmarks(name: str, least: int) -> None:
    """What the symbolic checker says of the models of others, without its own evidence."""
    confirmed = 0
    for path in BENCHMARKS.glob(f"smv/**/{name}.smv"):
        model = coarsest.load(path)
        confirmation = ByEnumeration(model.machine, Run())
        for answer, claim in zip(model.check(confirm=False, vacuity=False), model.properties, strict=True):
            assert isinstance(answer.verdict, Holds | Fails)
            holds = isinstance(answer.verdict, Holds)
            confirmed += confirmation.confirm(claim, holds=holds) is not None
    assert confirmed >= least
