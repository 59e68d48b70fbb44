"""The ACTL tableau: as it is defined, as a model that is written and read, and the examples of the thesis."""

from __future__ import annotations

from random import Random

import pytest

import coarsest
from coarsest import Model, maximal_model
from coarsest.check.modular.fair_comparison import below_on_pairs
from coarsest.check.modular.refinement import refinement
from coarsest.errors import InputError
from coarsest.experiments.bustan_models import chain
from coarsest.logic.branching.actl import holds_without_paths, universal
from coarsest.logic.expr import Apply, Expr, Name
from coarsest.logic.parse import parse_expression
from coarsest.logic.show import show
from coarsest.model.composition.actl_tableau_grumberg_long import tableau_machine
from coarsest.model.composition.dead_ends import without_dead_ends
from coarsest.model.machine import Machine, Variable
from coarsest.model.types import Boolean
from coarsest.reduce.partition.observation import observe
from coarsest.run import Run
from coarsest.text import Source
from oracles.actl_tableau import elementary, from_expr, tableau
from oracles.brute_force import BruteForce
from oracles.fair_simulation import reachable_structure, simulates, structure_of, with_fair_paths
from oracles.temporal import Temporal
from random_formulas import actl_formula
from random_structures import random_structure

LABELS = Machine("labels", {name: Variable(name, Boolean()) for name in "pq"})


def parsed(text: str) -> Expr:
    return parse_expression(Source("<formula>", text))


@pytest.mark.parametrize(
    ("text", "normal"),
    [
        ("AG p", "AR(FALSE, p)"),
        ("AF p", "A [TRUE U p]"),
        ("!EF p", "AR(FALSE, !p)"),
        ("!E [p U q]", "AR(!p, !q)"),
        ("AG (p -> AF q)", "AR(FALSE, !p | A [TRUE U q])"),
        ("ABF 0..2 p", "p | TRUE & AX (p | TRUE & AX p)"),
        ("ABG 1..2 p", "FALSE | AX (p & (FALSE | AX p))"),
        ("A [p BU 0..1 q]", "q | p & AX q"),
        ("!(p & EX q)", "!p | AX !q"),
        ("!EG p", "A [TRUE U !p]"),
    ],
)
def test_normal_forms(text: str, normal: str) -> None:
    assert show(universal(parsed(text))) == normal


@pytest.mark.parametrize("text", ["EF p", "!AG p", "AG EX p", "p <-> AG q", "!A [p U q]"])
def test_what_is_not_in_actl(text: str) -> None:
    with pytest.raises(InputError, match="is not in ACTL"):
        universal(parsed(text))


def test_bounds_have_an_end() -> None:
    with pytest.raises(InputError, match="the bound 65"):
        universal(parsed("ABF 0..65 p"))


@pytest.mark.parametrize(
    ("text", "left"),
    [("AG p", "TRUE"), ("p & AG q", "p"), ("p | AG q", "TRUE"), ("p & q", "p & q"), ("p -> q & A [p U q]", "!p | q")],
)
def test_what_is_left_where_no_path_starts(text: str, left: str) -> None:
    assert show(holds_without_paths(parsed(text))) == left


def test_the_tableau_is_that_of_the_definition() -> None:
    """Each simulates the other, and they have the same initial labels."""
    rng, compared = Random(4), 0
    while compared < 10:
        formula = actl_formula(rng, 2, lambda: Name(rng.choice("pq")))
        normal = from_expr_if_plain(formula)
        if normal is None or len(elementary(normal)) > 5:
            continue
        both_labels = Apply("and", (formula, parsed("p | !p | q")))
        ours = structure_of(without_dead_ends(tableau_machine(LABELS, both_labels)), ("p", "q"))
        theirs = with_fair_paths(tableau(normal, ("p", "q")))
        assert simulates(ours, theirs, "game"), show(formula)
        assert simulates(theirs, ours, "game"), show(formula)
        compared += 1


def test_maximal_models_go_on_for_ever_and_are_equivalent_to_the_tableau() -> None:
    """No state is without successor, also where promises contradict each other; what is dropped is what the definition drops."""
    rng, compared, contradictory = Random(6), 0, 0
    while compared < 25:
        formula = actl_formula(rng, 2, lambda: Name(rng.choice("pq")))
        if compared % 2:
            formula = Apply("or", (formula, parsed("AX p & AX !p")))
        normal = from_expr_if_plain(formula)
        if normal is None or len(elementary(normal)) > 6:
            continue
        if "A" not in show(formula):  # a condition shall always hold
            continue
        made = maximal_model(show(formula)).model.machine
        atoms = tuple(name for name in made.variables if name in "pq")
        ours, theirs = structure_of(made, atoms), with_fair_paths(tableau(normal, atoms))
        assert simulates(ours, theirs, "game") and simulates(theirs, ours, "game"), show(formula)
        force = BruteForce(made)
        assert all(any(force.is_step(s, force.inputs[0], t) for t in force.states) for s in force.reachable()), show(formula)
        contradictory += bool(made.invariant_constraints)
        compared += 1
    assert contradictory


def test_contradictory_promises() -> None:
    made = maximal_model("AX a & AX !a | AG b").model
    assert [show(one) for one in made.machine.invariant_constraints] == ["!(assumed.1 & assumed.2)"]
    assert made.check("AG EX TRUE", "b", "AG b").holds
    nothing = maximal_model("AX a & AX !a").model
    assert nothing.reach().states == 0


def test_satisfaction_is_game_simulation_by_the_maximal_model() -> None:
    """Corollary 4.3.13, by what users have: `check` and `compare` agree about models in all whose states fair paths start."""
    rng, verdicts = Random(8), list[bool]()
    while len(verdicts) < 30:
        formula = show(actl_formula(rng, 2, lambda: Name(rng.choice("pq"))))
        machine = random_structure(rng, "at", places=4, sets=1)
        structure = reachable_structure(machine, ("p", "q"))
        if with_fair_paths(structure) != structure or "A" not in formula:
            continue
        largest, model = maximal_model(f"({formula}) & (p | !p) & (q | !q)").model, Model(machine)
        below = coarsest.compare(model, largest, by="game", preorder=True, observe=["p", "q"])
        assert below.confirmed
        assert below.related == model.check(formula).holds, formula
        verdicts.append(below.related)
    assert 5 < sum(verdicts) < 25


def from_expr_if_plain(formula: Expr) -> tuple[object, ...] | None:
    """None where a negation stands before more than a name."""
    try:
        return from_expr(universal(formula))
    except (AssertionError, InputError):
        return None


def test_the_tableau_is_the_largest_model_of_its_formula() -> None:
    """Corollary 4.3.13 as the definitions have it, with the condition of docs/modular.md: a fair path starts in every state."""
    rng, compared, vacuous = Random(5), [], 0
    while len(compared) < 60:
        machine, formula = random_structure(rng, "at", places=3, sets=1), actl_formula(rng, 2, lambda: Name(rng.choice("pq")))
        normal = from_expr_if_plain(formula)
        if normal is None or len(elementary(normal)) > 4:
            continue
        structure = reachable_structure(machine, ("p", "q"))
        verdict = Temporal(machine).holds_branching(formula)
        below = simulates(structure, tableau(normal, ("p", "q")), "game")
        if with_fair_paths(structure) == structure:
            assert verdict == below, show(formula)
            compared.append(verdict)
        else:
            assert verdict or not below, show(formula)
            vacuous += verdict != below
    assert 10 < sum(compared) < 50
    assert vacuous, "without the condition, a formula may hold of a system that its tableau does not simulate"


def test_a_tableau_is_written_and_read_as_a_model() -> None:
    machine = tableau_machine(LABELS, parsed("AG (p -> AF q)"))
    again = coarsest.loads(Model(machine).to_smv())
    assert coarsest.assume(again, again, "AG (p -> AF q)").holds
    assert not coarsest.assume(again, again, "AG (p -> AX q)").holds


def test_until_has_a_largest_model_for_the_game_but_not_for_delays() -> None:
    """Lemma 4.3.14: whatever satisfies A [a U b] and is above the chain of length n in the delay simulation has n states."""
    limit = maximal_model("A [a U b]").model.machine
    for length in (1, 2, 12):
        model = coarsest.loads(chain(length))
        assert model.check("A [a U b]").holds
        assert refinement(model.machine, limit, Run()).holds
    seen = [observe(one, [Name("a"), Name("b")]) for one in (coarsest.loads(chain(12)).machine, limit)]
    assert below_on_pairs(*seen, "game", Run()).below
    assert not below_on_pairs(*seen, "delay", Run()).below
