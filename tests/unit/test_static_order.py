"""Static orders: optimal where the optimum is known, deterministic, and never worse than the declaration."""

import random
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

import coarsest
from coarsest.bdd.hypergraph import Hypergraph
from coarsest.bdd.static_order import best_order, declaration, dependency, force
from coarsest.encode.layout import bits_in_order
from coarsest.options.methods import BuildOptions
from coarsest.run import Run
from coarsest.space.bdd.build import build
from coarsest.space.bdd.order import choose_order, selectors
from coarsest.space.bdd.order_words import interleaved

N = 30


def total_span(order, hyperedges, *, widths=None):
    """The cost that is minimised: the sum over the edges of the distance between their first and last item."""
    return Hypergraph.of(order, hyperedges, widths).total_span(range(len(order)))


def shuffled(count, seed=1):
    return random.Random(seed).sample(range(count), count)


def chain(count):
    return [(i, i + 1) for i in range(count - 1)]


def test_a_chain_is_found_again():
    order = best_order(shuffled(N), chain(N))
    assert order in (list(range(N)), list(range(N - 1, -1, -1)))


def test_a_ring_is_folded():
    """The best order of a ring has every edge between places at most two apart."""
    edges = [(i, (i + 1) % N) for i in range(N)]
    assert total_span(best_order(shuffled(N), edges), edges) == 2 * (N - 1)


def test_pairs_declared_far_apart_come_together():
    items = [f"{register}{i}" for register in "xy" for i in range(8)]
    edges = [(f"x{i}", f"y{i}") for i in range(8)]
    assert total_span(best_order(items, edges), edges) == 8


def test_a_tree_is_much_better_than_by_chance():
    edges = [(i, (i - 1) // 2) for i in range(1, 63)]
    items = shuffled(63)
    assert total_span(best_order(items, edges), edges) < 0.2 * total_span(items, edges)


def test_components_stay_apart():
    edges = [(i, i + 1) for i in range(9)] + [(i, i + 1) for i in range(10, 19)]
    order = best_order(shuffled(20), edges)
    assert {frozenset(order[:10]), frozenset(order[10:])} == {frozenset(range(10)), frozenset(range(10, 20))}


def test_a_good_declaration_is_kept():
    items = list(range(N))
    assert best_order(items, chain(N)) == items
    assert best_order(items, []) == items
    assert force(items, []) == items


def test_wide_items_are_not_put_between_narrow_ones():
    edges = ["ab", "aw", "bw"]
    assert total_span("awb", edges, widths={"w": 50}) > total_span("abw", edges, widths={"w": 50})
    assert best_order("awb", edges, widths={"w": 50})[-1] == "w"


def test_repeated_edges_weigh_more():
    items = "abc"
    assert total_span(items, ["ac", "ac", "ab"]) == 5


def test_dependency_puts_an_item_after_what_it_depends_on():
    order = dependency("abcdefg", {"g": "ef", "f": "cd", "e": "ab"})
    assert order == list("abecdfg")


def test_dependency_on_cycles_and_unknown_items():
    assert sorted(dependency("abc", {"a": "b", "b": "c", "c": "a"})) == list("abc")
    assert dependency("ab", {"a": "az", "z": "b"}) == ["a", "b"]
    deep = {i: [i + 1] for i in range(20_000)}
    assert len(dependency(range(20_000), deep)) == 20_000  # no recursion


@pytest.mark.parametrize("items", [[], ["a"]])
def test_nothing_to_order(items):
    assert declaration(items) == force(items, []) == best_order(items, [], {}) == dependency(items, {}) == items


models = st.integers(1, 12).flatmap(
    lambda count: st.tuples(
        st.permutations(range(count)),
        st.lists(st.lists(st.integers(0, count - 1), min_size=1, max_size=5), max_size=15),
        st.dictionaries(st.integers(0, count - 1), st.lists(st.integers(0, count - 1), max_size=4)),
    )
)


@given(models)
def test_best_order_is_a_permutation_and_never_worse_than_the_declaration(model):
    items, edges, depends_on = model
    for order in (force(items, edges), dependency(items, depends_on), best_order(items, edges, depends_on)):
        assert sorted(order) == sorted(items)
    assert total_span(best_order(items, edges, depends_on), edges) <= total_span(items, edges)
    assert best_order(items, edges, depends_on) == best_order(items, edges, depends_on)


def test_orders_do_not_depend_on_the_hash_seed():
    program = (
        "from coarsest.bdd.static_order import best_order\n"
        "items = [f'v{i * 7 % 23}' for i in range(23)]\n"
        "edges = [{f'v{i}', f'v{i * i % 23}', f'v{(i + 5) % 23}'} for i in range(23)]\n"
        "print(best_order(items, edges))"
    )
    orders = {
        subprocess.run(
            [sys.executable, "-c", program], env={"PYTHONHASHSEED": seed}, capture_output=True, text=True, check=True
        ).stdout
        for seed in ("1", "2")
    }
    assert len(orders) == 1


def test_a_condition_on_the_whole_system_does_not_make_hubs_of_all_its_variables() -> None:
    """Everybody looks at `deadlock`, which mentions all chopsticks: these still stay beside their philosophers."""
    from coarsest.api.model import loads
    from coarsest.experiments.sebastiani_models import dining
    from coarsest.space.bdd.order import choose_order

    order = list(dict.fromkeys(name for name, _ in choose_order(loads(dining(6)).machine, "auto")))
    assert order[0] == "scheduled"
    for i in range(2, 6):
        assert abs(order.index(f"c{i}.is") - order.index(f"p{i}.at")) <= 2


WORDS = """MODULE main
IVAR in1 : unsigned word[3]; go : boolean;
VAR most : unsigned word[3]; copy : unsigned word[3];
turned : unsigned word[2]; wide : unsigned word[4]; lonely : unsigned word[2];
DEFINE larger := in1 > most ? in1 : most;
ASSIGN next(most) := go ? larger : most; next(copy) := most; next(turned) := turned[0:0] :: turned[1:1];
next(wide) := wide + (0ud1_0 :: copy); next(lonely) := lonely << 1;"""


def test_words_that_are_compared_added_or_copied_are_interleaved() -> None:
    """Bits of one place stand together, the highest ones first; what moves bits to other places binds no words."""
    machine = coarsest.loads(WORDS).machine
    order = interleaved(machine, ["go", "in1", "lonely", "most", "wide", "turned", "copy"])
    group = ["in1", "most", "wide", "copy"]
    assert order[:2] == [("go", 0), ("wide", 3)]
    assert order[2:14] == [(name, bit) for bit in (2, 1, 0) for name in group]
    assert order[14:] == [("lonely", 1), ("lonely", 0), ("turned", 1), ("turned", 0)]
    assert sorted(order) == sorted(bits_in_order(machine, machine.variables))


def test_interleaved_words_keep_comparisons_small() -> None:
    """One after the other, two words of 20 bits have 2^20 prefixes to be remembered."""
    text = WORDS.replace("[3]", "[20]").replace("word[4]", "word[21]")
    space = build(coarsest.loads(text).machine, Run(), BuildOptions(reorder=False))
    assert space.manager.live_nodes < 20_000


SELECTED = """MODULE main
VAR shelf : array 0..7 of 0..3; taken : 0..3; mark : boolean; place : 0..7;
ASSIGN next(taken) := shelf[place]; next(place) := {0, 1, 2, 3, 4, 5, 6, 7};"""


def test_an_index_stands_above_what_it_selects_from() -> None:
    machine = coarsest.loads(SELECTED).machine
    assert selectors(machine) == ["place"]
    assert [name for name, _ in choose_order(machine, "auto")][:3] == ["place"] * 3
    assert selectors(coarsest.loads(SELECTED.replace("shelf[place]", "place = 1 ? shelf[0] : taken")).machine) == []
