"""Static orders: optimal where the optimum is known, deterministic, and never worse than the declaration."""

import random
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

import coarsest
from coarsest.bdd.order.hypergraph import Hypergraph
from coarsest.bdd.order.static_order import best_order, declaration, dependency, force
from coarsest.encode.layout import bits_in_order
from coarsest.logic.expr import Apply, Constant, Expr, Name
from coarsest.logic.parse import parse_expression
from coarsest.options.methods import BuildOptions
from coarsest.run import Run
from coarsest.space.bdd.build import build
from coarsest.space.bdd.order import choose_order, compared_hyperedges, hyperedges, selectors
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


def test_parts_that_no_edge_joins_stand_as_declared():
    """Which of the two is on top does not depend on the random start that was the best for one of them."""
    for seed in range(20):
        web = [tuple(random.Random(seed * 100 + edge).sample(range(12), 2)) for edge in range(20)]
        one, other = [f"one{i}" for i in range(12)], [f"other{i}" for i in range(12)]
        edges = [[f"one{i}" for i in edge] for edge in web] + [other]
        for order in (best_order([*one, *other], edges), force([*one, *other], edges)):
            assert set(order[12:]) == set(other)


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
        "from coarsest.bdd.order.static_order import best_order\n"
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
    from coarsest.experiments.sebastiani.models import dining
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


SMALL = """MODULE main
VAR a : 0..9; b : 0..9; c : 0..9; d : 0..9; e : 0..9; f : 0..9; tiny : 0..3; low : 1..9;
ASSIGN next(a) := a = b ? c : a; next(b) := d + 1 > abs(e - c) & tiny = b & low = b ? b : 0; next(f) := f in {a, 3} ? f : d;"""


def test_small_numbers_that_are_compared_are_interleaved() -> None:
    """Not those that are copied, and none with very few values; numbers that begin elsewhere have other bits."""
    machine = coarsest.loads(SMALL).machine
    order = interleaved(machine, list(machine.variables))
    assert order[:12] == [(name, bit) for bit in (3, 2, 1, 0) for name in "abf"]
    assert order[12:24] == [(name, bit) for bit in (3, 2, 1, 0) for name in "cde"]
    assert order[24:] == [("tiny", 1), ("tiny", 0), *(("low", bit) for bit in (3, 2, 1, 0))]


def test_numbers_of_five_bits_that_are_only_handed_on_are_not_interleaved() -> None:
    """Around a ring, all of them would be one word."""
    channels = "".join(f"c{i} : 0..16; " for i in range(8))
    copies = "".join(f"next(c{i}) := go & c{i} = 0 ? c{(i + 1) % 8} : c{i}; " for i in range(8))
    machine = coarsest.loads(f"MODULE main VAR go : boolean; {channels} ASSIGN {copies}").machine
    assert interleaved(machine, list(machine.variables)) == bits_in_order(machine, machine.variables)


FIFO = """MODULE main
IVAR push : boolean; pop : boolean; data : boolean;
VAR write : 0..{last}; read : 0..{last}; held : 0..{size}; {cells} ahead : 0..{size}; value : boolean; is_in : boolean;
DEFINE pushes := push & held < {size}; pops := pop & held > 0; head := case {chosen} esac;
ASSIGN next(write) := pushes ? (write + 1) mod {size} : write; next(read) := pops ? (read + 1) mod {size} : read;
  next(held) := case pushes & !pops : held + 1; pops & !pushes : held - 1; TRUE : held; esac; {writes}
  next(is_in) := pushes | is_in & !(pops & ahead = 0); next(value) := pushes ? data : value;
  next(ahead) := case pushes : pops ? held - 1 : held; pops & ahead > 0 : ahead - 1; TRUE : ahead; esac;"""


@pytest.mark.parametrize("size", range(12, 40, 3))
def test_the_cells_of_a_queue_stand_below_what_says_which_of_them_matter(size: int) -> None:
    """Above them, all that the cells may hold would be remembered until it is known which one is looked at."""
    cells = "".join(f"m{i} : boolean; " for i in range(size))
    chosen = "".join(f"read = {i} : m{i}; " for i in range(size))
    writes = "".join(f"next(m{i}) := pushes & write = {i} ? data : m{i}; " for i in range(size))
    text = FIFO.format(size=size, last=size - 1, cells=cells, chosen=chosen, writes=writes)
    order = [name for name, _ in choose_order(coarsest.loads(text).machine, "auto")]
    assert order.index(next(name for name in order if name.startswith("m"))) > max(map(order.index, ("held", "ahead")))


def test_words_that_are_shifted_by_few_places_are_interleaved() -> None:
    for places, together in ((1, True), (5, False)):
        text = "MODULE main VAR a : unsigned word[8]; b : unsigned word[8]; ASSIGN next(a) := "
        for shifted in (f"b << {places}", f"(b << 0ud4_{places})"):
            order = interleaved(coarsest.loads(f"{text}{shifted};").machine, ["a", "b"])
            assert (order[:2] == [("a", 7), ("b", 7)]) == together


SELECTED = """MODULE main
VAR shelf : array 0..7 of 0..3; taken : 0..3; mark : boolean; place : 0..7;
ASSIGN next(taken) := shelf[place]; next(place) := {0, 1, 2, 3, 4, 5, 6, 7};"""


def test_an_index_stands_above_what_it_selects_from() -> None:
    machine = coarsest.loads(SELECTED).machine
    assert selectors(machine) == ["place"]
    assert [name for name, _ in choose_order(machine, "auto")][:3] == ["place"] * 3
    assert selectors(coarsest.loads(SELECTED.replace("shelf[place]", "place = 1 ? shelf[0] : taken")).machine) == []


PLACES = """MODULE main
VAR {flags} place : {{{places}}};
INVAR {meanings};"""


@pytest.mark.parametrize("meaning", ["f{0} <-> place = p{0}", "place = p{0} <-> f{0}", "place = p{0} -> f{0}"])
def test_what_says_which_of_many_flags_is_set_stands_above_them(meaning: str) -> None:
    """Below them, a set of flags that no place has would be remembered until the place is known."""
    flags, places = "".join(f"f{i} : boolean; " for i in range(8)), ", ".join(f"p{i}" for i in range(8))
    text = PLACES.format(flags=flags, places=places, meanings=" & ".join(f"({meaning.format(i)})" for i in range(8)))
    machine = coarsest.loads(text).machine
    assert selectors(machine) == ["place"]
    assert [name for name, _ in choose_order(machine, "auto")][:3] == ["place"] * 3


EVENTS = """MODULE main
VAR clock : 0..15; a : boolean; d : boolean; b : boolean; e : boolean; c : boolean; f : boolean;
TRANS case clock < 15 : next(clock) = clock + 1 & (
  next(a) = b & next(b) = a & next(c) = c & next(d) = d & next(e) = e & next(f) = f |
  next(b) = c & next(c) = b & next(a) = a & next(d) = d & next(e) = e & next(f) = f |
  (d & e) & next(d) = FALSE & next(a) = a & next(b) = b & next(c) = c & e = next(e) & next(f) = f |
  (e <-> next(e)) & next(f) = e & next(a) = a & next(b) = b & next(c) = c & next(d) = d);
  TRUE : next(clock) = 0; esac"""


def test_an_event_binds_what_it_reads_and_changes() -> None:
    """What stays as it is has nothing to do with the event, although it is mentioned."""
    machine = coarsest.loads(EVENTS).machine
    bound = [("clock", "a", "b"), ("clock", "b", "c"), ("clock", "d", "e"), ("clock", "e", "f")]
    assert [edge for edge in hyperedges(machine) if len(edge) > 2] == bound
    order = "".join(name for name, _ in choose_order(machine, "auto") if name != "clock")
    assert set(order[:3]) in ({"a", "b", "c"}, {"d", "e", "f"})  # declared between each other
    without = coarsest.loads("MODULE main VAR a : boolean; b : boolean; c : boolean; TRANS next(a) = b | next(b) = c").machine
    assert hyperedges(without) == [("a", "b", "c")]  # no list of events: it does not say what stays


CROWDED = """MODULE main
IVAR act : {none, first, second, third}; to_x : 0..7; to_y : 0..7;
VAR x1 : 0..7; y1 : 0..7; x2 : 0..7; y2 : 0..7; x3 : 0..7; y3 : 0..7;
DEFINE free := !(x1 = to_x & y1 = to_y) & !(x2 = to_x & y2 = to_y) & !(x3 = to_x & y3 = to_y) & x1 + x2 + x3 < 20
& y1 + y2 + y3 < 20;
ASSIGN next(x1) := act = first & free ? to_x : x1; next(y1) := act = first & free ? to_y : y1;
next(x2) := act = second & free ? to_x : x2; next(y2) := act = second & free ? to_y : y2;
next(x3) := act = third & free ? to_x : x3; next(y3) := act = third & free ? to_y : y3;"""


def test_where_everything_depends_on_everything_comparisons_say_what_belongs_together() -> None:
    """A command, which is compared with nothing but its values, stands above all."""
    machine = coarsest.loads(CROWDED).machine
    assert set(compared_hyperedges(machine)) >= {("to_x", "x1"), ("to_y", "y2"), ("x1", "x2", "x3"), ("y1", "y2", "y3")}
    order = list(dict.fromkeys(name for name, _ in choose_order(machine, "auto")))
    assert order[0] == "act"
    assert {name.strip("to_123") for name in order[1:5]} in ({"x"}, {"y"})


def test_shared_parts_are_looked_at_once() -> None:
    """Written out, this condition on steps, and what is compared in it, would be of 2^60 parts."""
    part = parse_expression("next(a) = a & next(b) = b | next(a) = b & a = b")
    for _ in range(60):
        part = Apply("or", (part, Apply("and", (part, part))))
    machine = coarsest.loads("MODULE main VAR a : boolean; b : boolean; c : boolean; ASSIGN next(c) := c;").machine
    value = Apply("case", (part, Name("a"), Constant(True), Name("b")))
    for _ in range(60):
        value = Apply("case", (part, value, Constant(True), value))
    tangled = replace(machine, transition_constraints=(part,), next_values={"c": value})
    assert ("a", "b") in hyperedges(tangled)
    assert set(compared_hyperedges(tangled)) == {("a", "b"), ("a", "c"), ("b", "c")}
    total: Expr = Name("x")
    for _ in range(60):
        total = Apply("+", (total, total))
    machine = coarsest.loads("MODULE main VAR x : 0..9; y : 0..9;").machine
    sums = replace(machine, transition_constraints=(Apply("=", (total, Name("y"))),))
    assert interleaved(sums, ["x", "y"])[:2] == [("x", 3), ("y", 3)]
