"""Fair simulations between machines agree with the definitions, and composition has the five properties that proofs rest on."""

from __future__ import annotations

from random import Random

import pytest
from msgspec.structs import replace

from coarsest.check.modular.refinement import refinement
from coarsest.errors import EvidenceRejected
from coarsest.evidence.enumeration.simulation_by_enumeration import confirm_simulation
from coarsest.evidence.play import ObservedPairs, Play
from coarsest.evidence.replay.plays import is_lost
from coarsest.logic.expr import Apply, Constant, Expr, Name
from coarsest.logic.expr import replace as rewritten
from coarsest.model.composition.actl_tableau_grumberg_long import tableau_machine, under_assumption
from coarsest.model.composition.compose import compose
from coarsest.model.kinds import PropertyKind
from coarsest.model.machine import Kind, Machine, Variable
from coarsest.model.types import Range
from coarsest.run import Run
from oracles.fair_simulation import simulates, structure_of
from oracles.temporal import Temporal
from random_formulas import actl_formula
from random_structures import random_structure
from temporal_laws import ask

LABELS = ("p", "q")


def below(left: Machine, right: Machine) -> bool:
    return refinement(left, right, Run()).holds


def satisfies(machine: Machine, formula: Expr) -> bool:
    (answer,) = ask(machine, PropertyKind.CTL, [formula], confirm="never", vacuity=False)[1]
    return answer.verdict.word == "holds"


def with_another_place(machine: Machine, old: str, new: str) -> Machine:
    """The same structure with another name for its private variable."""

    def renamed(expr: Expr) -> Expr:
        return rewritten(expr, lambda part: Name(new) if part == Name(old) else None)

    return replace(
        machine,
        variables={new if n == old else n: replace(v, name=new) if n == old else v for n, v in machine.variables.items()},
        initial_values={new if n == old else n: renamed(e) for n, e in machine.initial_values.items()},
        current_values={n: renamed(e) for n, e in machine.current_values.items()},
        next_values={new: renamed(machine.next_values[old])},
        transition_constraints=tuple(map(renamed, machine.transition_constraints)),
        justice=tuple(map(renamed, machine.justice)),
    )


def test_simulations_agree_with_their_definition() -> None:
    verdicts = []
    for seed in range(80):
        rng = Random(seed)
        labels = "p" if seed % 3 else "pq"
        left = random_structure(rng, "a", labels, total=seed % 4 > 0, sets=2)
        right = random_structure(rng, "b", labels, places=6, fair=0.7, total=seed % 8 > 0, sets=2)
        expected = simulates(structure_of(left, tuple(labels)), structure_of(right, tuple(labels)), "game")
        assert below(left, right) == expected, seed
        verdicts.append(expected)
    assert min(verdicts.count(True), verdicts.count(False)) >= 8


def test_lost_plays_are_replayed() -> None:
    """Where nothing is fair, the adversary wins by steps alone. A play that ends too early is none that is lost."""
    plays, for_ever = 0, 0
    for seed in range(60):
        rng = Random(seed)
        left = random_structure(rng, "a", "pq", total=seed % 4 > 0)
        right = random_structure(rng, "b", "pq", places=6, fair=0.7, total=seed % 8 > 0)
        for one, other in ((left, right), (replace(left, justice=()), replace(right, justice=()))):
            game = refinement(one, other, Run())
            look = ObservedPairs.by_names(game.shared)
            assert not (game.holds and game.play)
            if game.play is None or game.played_on is None:
                assert game.holds or one.justice or other.justice
                for_ever += not game.holds
                continue
            assert is_lost(*game.played_on, look, game.play)
            plays += 1
            if game.play.answers:
                with pytest.raises(EvidenceRejected, match="can be answered"):
                    is_lost(*game.played_on, look, Play(game.play.states[:-1], game.play.answers[:-1]))
                with pytest.raises(EvidenceRejected):
                    is_lost(*game.played_on[::-1], look, game.play)
    assert plays > 20 and for_ever > 0


def test_the_judge_of_simulations_agrees_with_the_definition() -> None:
    for seed in range(60):
        rng = Random(seed)
        left = random_structure(rng, "a", "p", total=seed % 4 > 0, sets=3)
        right = random_structure(rng, "b", "p", places=6, fair=0.7, sets=3)
        expected = simulates(structure_of(left, ("p",)), structure_of(right, ("p",)), "game")
        assert confirm_simulation(left, right, ("p",), holds=expected, run=Run()) is not None, seed
        with pytest.raises(EvidenceRejected, match="position by position"):
            confirm_simulation(left, right, ("p",), holds=not expected, run=Run())


def test_what_is_simulated_satisfies_what_simulates_it_does() -> None:
    kinds = set()
    for seed in range(60):
        rng = Random(seed)
        left, right = random_structure(rng, "a", "p"), random_structure(rng, "b", "p", places=6, fair=0.7)
        related = below(left, right)
        for _ in range(2):
            formula = actl_formula(rng, 3, lambda: Name("p"))
            above, under = satisfies(right, formula), satisfies(left, formula)
            assert not (related and above) or under, seed
            kinds.add((related, above))
    assert (True, True) in kinds


def test_a_composition_is_below_its_parts() -> None:
    for seed in range(30):
        rng = Random(seed)
        left, right = random_structure(rng, "a", "pq", total=seed % 2 > 0), random_structure(rng, "b", "p")
        both = compose(left, right)
        assert below(both, left), seed
        assert below(both, right), seed


def test_composition_is_monotone() -> None:
    related = 0
    for seed in range(60):
        rng = Random(seed)
        one, other = random_structure(rng, "a", "p"), random_structure(rng, "b", "p", places=6, fair=0.7)
        third = random_structure(rng, "c", "p", places=5)
        if below(one, other):
            related += 1
            assert below(compose(one, third), compose(other, third)), seed
    assert related >= 8


def test_a_structure_is_below_its_composition_with_itself() -> None:
    for seed in range(30):
        machine = random_structure(Random(seed), "a")
        both = compose(machine, with_another_place(machine, "a", "b"))
        assert below(replace(machine, variables=dict(machine.variables)), both), seed


def with_one_fairness_set(machine: Machine) -> Machine:
    """M_r of definition 4.4.5 of Bustan's thesis: the constraints take turns."""
    number = len(machine.justice)
    if number <= 1:
        return machine
    turn = Name("turn")

    def at(i: int) -> Expr:
        return Apply("and", (Apply("=", (turn, Constant(i))), machine.justice[i - 1]))

    moves: list[Expr] = []
    for i in range(1, number + 1):
        moves += [at(i), Constant(i % number + 1)]
    return replace(
        machine,
        variables={**machine.variables, "turn": Variable("turn", Range(1, number), Kind.STATE, added=True)},
        initial_values={**machine.initial_values, "turn": Constant(1)},
        next_values={**machine.next_values, "turn": Apply("case", (*moves, Constant(True), turn))},
        justice=(at(number),),
    )


def test_fairness_sets_in_turn_are_equivalent_to_all_of_them() -> None:
    """Lemmas 4.4.6 and 4.4.7. Games here know of several fairness sets, so that nothing else needs the structure."""
    for seed in range(40):
        machine = random_structure(Random(seed), "a", sets=3)
        other = with_another_place(machine, "a", "b")
        plain = with_one_fairness_set(other)
        assert len(plain.justice) <= 1
        assert below(machine, plain), seed
        assert below(plain, machine), seed


def test_composition_by_its_definition() -> None:
    """What holds in the composition holds of the pairs of states, by enumeration."""
    verdicts = set()
    for seed in range(25):
        rng = Random(seed)
        left, right = random_structure(rng, "a", "pq", places=3), random_structure(rng, "b", "p", places=3)
        agreeing = Apply("=", (Name("p"), right.current_values["p"]))
        pairs = replace(
            left,
            variables={**left.variables, **right.variables},
            initial_values={**left.initial_values, **right.initial_values},
            next_values={**left.next_values, **right.next_values},
            invariant_constraints=(agreeing,),
            justice=(*left.justice, *right.justice),
        )
        oracle = Temporal(pairs, most_states=200)
        formula = Apply("AG", (actl_formula(rng, 2, lambda rng=rng: Name(rng.choice(LABELS))),))  # type: ignore[misc]
        if not oracle.stuck:
            expected = oracle.holds_branching(formula)
            assert satisfies(compose(left, right), formula) == expected, seed
            verdicts.add(expected)
    assert verdicts == {True, False}


def test_tableaux_side_by_side_are_the_tableau_of_both_formulas() -> None:
    for seed in range(20):
        rng = Random(seed)
        machine = random_structure(rng, "a", "pq")
        one, other = (actl_formula(rng, 2, lambda: Name(rng.choice(LABELS))) for _ in "ab")
        both = tableau_machine(machine, Apply("and", (one, other)))
        pair = compose(tableau_machine(machine, one), tableau_machine(machine, other))
        assert below(machine, both) == below(machine, pair), seed
        assert below(pair, both), seed


def test_assumptions_by_their_meaning() -> None:
    """T ‖ M ⊨ φ: every structure that satisfies the assumption, composed with M, satisfies φ; and T itself is one."""
    proved = 0
    for seed in range(40):
        rng = Random(seed)
        machine = random_structure(rng, "a", "pq")
        assumption = actl_formula(rng, 2, lambda: Name("p"))
        claim = Apply("AG", (actl_formula(rng, 1, lambda: Name("q")),))
        holds = satisfies(under_assumption(machine, assumption), claim)
        environment = random_structure(rng, "b", "p", places=5)
        if holds and satisfies(environment, assumption):
            proved += 1
            assert satisfies(compose(machine, environment), claim), seed
        tableau = tableau_machine(machine, assumption)
        assert satisfies(compose(machine, tableau), claim) == holds, seed
    assert proved >= 5
