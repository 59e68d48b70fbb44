"""Automata: sizes on the known lists, strength, products, determinism, what happens with large formulas."""

from __future__ import annotations

import csv
import os
import subprocess
import sys

import pytest

from accepted_words import accepted_word
from coarsest.automata.automaton import Automaton
from coarsest.automata.components import components
from coarsest.automata.ltl.ltl_to_buchi import ltl_to_buchi, ltl_to_generalised_buchi
from coarsest.automata.product import product
from coarsest.automata.strength import Strength, strength, terminal_states
from coarsest.automata.tidy import is_empty
from coarsest.automata.translate.from_text import automaton_of
from coarsest.errors import InputError, LimitExceeded
from coarsest.logic.expr import Name
from coarsest.logic.linear.ltl_from_expr import from_expr
from coarsest.logic.parse import parse_expression
from coarsest.run import Limits, Run
from spot_syntax import LISTS, formulas

LARGEST_TOTAL = 1100
LARGEST_GENERALISED_TOTAL = 1031


@pytest.mark.skipif(not LISTS.is_dir(), reason="shared benchmarks not present")
def test_sizes_on_the_known_lists() -> None:
    """No more states than the best translators, over the same formulas (`!` marks negations)."""
    with (LISTS / "oracle_spot_automaton_sizes.csv").open() as file:
        rows = [(row[0], int(row[1])) for row in list(csv.reader(file))[1:]]
    lists = {name: formulas(f"{name}.ltl") for name in ("dac-patterns", "eh-patterns", "sb-patterns", "hkrss-patterns")}
    wanted = [(family, index) for family, index in rows if family.lstrip("!") in lists]
    assert len(wanted) == 284
    total = generalised = 0
    for family, index in wanted:
        formula = from_expr(lists[family.lstrip("!")][index - 1])
        if family.startswith("!"):
            formula = formula.negation
        total += ltl_to_buchi(formula).states
        generalised += ltl_to_generalised_buchi(formula).states
    assert total <= LARGEST_TOTAL
    assert generalised <= LARGEST_GENERALISED_TOTAL


def test_the_smallest_is_looked_for_where_it_is_wanted() -> None:
    """A checker needs an automaton soon; who asks for one wants a small one."""
    formula = from_expr(parse_expression("G (p1 V F (p1 V p0)) U p0"))
    soon, small = ltl_to_buchi(formula, smallest=False), ltl_to_buchi(formula)
    assert small.states < soon.states
    for automaton in (soon, small):
        assert is_empty(product(automaton, ltl_to_buchi(formula.negation)))


@pytest.mark.skipif(not LISTS.is_dir(), reason="shared benchmarks not present")
@pytest.mark.parametrize("name", ["dac", "eh", "sb", "hkrss", "p", "sejk"])
def test_formulas_and_negations_exclude_each_other(name: str) -> None:
    for expr in formulas(f"{name}-patterns.ltl"):
        formula = from_expr(expr)
        automata = [translate(formula) for translate in (ltl_to_buchi, ltl_to_generalised_buchi)]
        for negation in (translate(formula.negation) for translate in (ltl_to_buchi, ltl_to_generalised_buchi)):
            assert all(is_empty(product(automaton, negation)) for automaton in automata), str(formula)


@pytest.mark.parametrize(
    ("text", "states", "kind"),
    [
        ("FALSE", 1, Strength.CLOSED),
        ("TRUE", 1, Strength.CLOSED),
        ("G a", 1, Strength.CLOSED),
        ("a V b", 2, Strength.CLOSED),
        ("G (a -> X b)", 2, Strength.CLOSED),
        ("G (a -> O b)", 2, Strength.CLOSED),
        ("F a", 2, Strength.TERMINAL),
        ("a U (b & X c)", 3, Strength.TERMINAL),
        ("F (a & O b)", 3, Strength.TERMINAL),
        ("F G a", 2, Strength.WEAK),
        ("G a | F b", 3, Strength.WEAK),
        ("G F a", 2, Strength.GENERAL),
        ("G (a -> F b)", 2, Strength.GENERAL),
    ],
)
def test_strength(text: str, states: int, kind: Strength) -> None:
    automaton = ltl_to_buchi(from_expr(parse_expression(text)))
    assert (automaton.states, strength(automaton)) == (states, kind)
    if kind is Strength.TERMINAL:
        assert terminal_states(automaton)


def test_no_larger_than_by_spot() -> None:
    """On formulas on which we were."""
    assert ltl_to_buchi(from_expr(parse_expression("!(p2 | (X p2 U (G p3 & (X p3 U p0))))"))).states == 7


def test_semantic_safety_is_found() -> None:
    """The form does not show it, the automaton does."""
    formula = from_expr(parse_expression("G a | (a U (b & G a))"))
    assert not formula.is_syntactic_safety
    assert strength(ltl_to_buchi(formula)) is Strength.CLOSED


def test_acceptance_on_edges_can_do_with_fewer_states() -> None:
    formula = from_expr(parse_expression("G F a & G F b & G F c"))
    generalised = ltl_to_generalised_buchi(formula)
    assert (generalised.states, generalised.sets) == (1, 3)
    assert ltl_to_buchi(formula).states == 4


def test_products_and_emptiness() -> None:
    table = from_expr(parse_expression("a & b")).table
    a, b = table.atom(Name("a")), table.atom(Name("b"))
    infinitely, finally_never = table.always(table.eventually(a)), table.eventually(table.always(a.negation))
    left, right, other = (ltl_to_buchi(formula) for formula in (infinitely, finally_never, table.always(b)))
    assert is_empty(product(left, right))
    assert accepted_word(product(left, right)) is None
    both = accepted_word(product(left, other))
    assert both is not None
    assert all(letter & 2 for letter in (*both.prefix, *both.cycle))
    assert any(letter & 1 for letter in both.cycle)
    with pytest.raises(ValueError, match="different alphabets"):
        product(left, automaton_of("a"))


def test_an_automaton_without_initial_states_is_empty() -> None:
    automaton = automaton_of("G a")
    assert is_empty(Automaton(automaton.alphabet, (), automaton.edges, automaton.sets))


def test_components_come_after_what_they_reach() -> None:
    successors = [[1], [2], [0, 3], [4], [3, 5], [], [6]]
    assert [sorted(found) for found in components(successors, [0])] == [[5], [3, 4], [0, 1, 2]]
    assert [sorted(found) for found in components(successors, [5, 6, 0])] == [[5], [6], [3, 4], [0, 1, 2]]


def test_many_atoms() -> None:
    text = " & ".join(f"p{number}" for number in range(40))
    automaton = automaton_of(f"G (({text}) -> F q)")
    assert (automaton.states, automaton.edge_count, automaton.is_deterministic) == (2, 4, True)
    chain = "p15"
    for number in reversed(range(15)):
        chain = f"p{number} U ({chain})"
    assert automaton_of(chain).states == 16


def test_limits_are_kept() -> None:
    text = " & ".join(f"(G F p{number} | F G q{number})" for number in range(9))
    with pytest.raises(LimitExceeded):
        automaton_of(text, run=Run(Limits(seconds=0.5)))


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("AG p", "`AG` is CTL"),
        ("G (p ->", "found the end of the text"),
        ("always {a; b", "expected `}`"),
        ("G p q", "found `q`"),
    ],
)
def test_wrong_formulas(text: str, complaint: str) -> None:
    with pytest.raises(InputError) as caught:
        automaton_of(text)
    assert complaint in str(caught.value)


def test_sequences_become_automata_too() -> None:
    assert automaton_of("always ({a; b} |-> c)").states == automaton_of("G (a -> X (b -> c))").states
    assert not is_empty(automaton_of("never {a; b}"))


PROGRAM = """
import sys
from coarsest.automata.translate.from_text import automaton_of
from coarsest.formats.hoa.write import write
for text in ("G (a -> (b U (c & X d)))", "F G a | G F b & (c V d)", "G (p = 1 -> O (q & F r)) & F (a xor X b)"):
    for kind in ("buchi", "generalised"):
        sys.stdout.write(write(automaton_of(text, kind=kind)) + write(automaton_of(text, kind=kind, negated=True)))
"""


def test_results_do_not_depend_on_hashes() -> None:
    outputs = set()
    for seed in ("0", "1", "2"):
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        result = subprocess.run([sys.executable, "-c", PROGRAM], env=environment, capture_output=True, text=True, check=True)
        outputs.add(result.stdout)
    assert len(outputs) == 1
