"""Group sifting: never worse, functions unchanged, groups kept together."""

import gc
import random
import tempfile
import weakref

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import coarsest
from coarsest.bdd.arrays import all_nodes
from coarsest.bdd.oxidd import OxiddManager
from coarsest.bdd.oxidd_twin import twin_of, twin_of_functions
from coarsest.bdd.packages import new_manager
from coarsest.bdd.sifting import Reordering, adjacent_groups, reorder
from coarsest.options.methods import BuildOptions
from coarsest.space.bdd.build import build


def equalities(manager, order, pairs):
    """x0 = y0 and x1 = y1 and …: linear if the pairs are together, exponential if they are apart."""
    f = manager.true
    for left, right in pairs:
        f = f & manager.iff(manager.var(left), manager.var(right))
    manager.set_order(order)
    return f


def evaluations(manager, functions, seed, count=200):
    rng = random.Random(seed)
    assignments = [{v: rng.random() < 0.5 for v in range(len(manager.names))} for _ in range(count)]
    return [manager.evaluate(f, values) for f in functions for values in assignments]


def with_variables(count, **options):
    manager = OxiddManager(**options)
    manager.add_variables([f"v{i}" for i in range(count)])
    return manager


def test_pairs_far_apart_are_brought_together():
    manager = with_variables(20)
    f = equalities(manager, range(20), [(i, i + 10) for i in range(10)])
    assert manager.size(f) > 1000
    before = evaluations(manager, [f], seed=1)
    reorder(manager, Reordering())
    assert manager.size(f) == 30  # the least there is: three nodes a pair but one, and the constant
    assert evaluations(manager, [f], seed=1) == before
    assert sorted(manager.order) == list(range(20))


def test_groups_stay_together():
    """The current and the next value of each bit are pairs; the bits of two registers belong together."""
    manager = with_variables(40)
    groups = [[2 * i, 2 * i + 1] for i in range(20)]
    current = equalities(manager, range(40), [(2 * i, 2 * i + 20) for i in range(10)])
    after = equalities(manager, range(40), [(2 * i + 1, 2 * i + 21) for i in range(10)])
    before = manager.size(current, after)
    reorder(manager, Reordering(groups=groups))
    order = manager.order
    assert all(order.index(low + 1) == order.index(low) + 1 for low in range(0, 40, 2))
    assert manager.size(current, after) < before / 10


def random_functions(manager, rng, variables, count):
    functions = []
    for _ in range(count):
        f = manager.false
        for _ in range(rng.randrange(1, 12)):
            term = manager.true
            for v in rng.sample(range(variables), rng.randrange(1, variables)):
                term = term & (manager.var(v) if rng.random() < 0.5 else ~manager.var(v))
            f = f ^ term
        functions.append(f)
    return functions


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 2**32), st.integers(2, 12), st.integers(1, 3), st.integers(0, 20_000))
def test_sifting_is_never_worse_and_changes_no_function(seed, variables, group_size, effort):
    rng = random.Random(seed)
    manager = with_variables(variables)
    functions = random_functions(manager, rng, variables, 4)
    manager.set_order(rng.sample(range(variables), variables))
    manager.collect()
    order, nodes, values = manager.order, manager.live_nodes, evaluations(manager, functions, seed, 50)
    groups = [order[i : i + group_size] for i in range(0, variables, group_size)]
    reorder(manager, Reordering(groups=groups, effort=effort))
    assert evaluations(manager, functions, seed, 50) == values
    assert manager.live_nodes <= nodes
    settled = manager.live_nodes
    manager.collect()
    assert manager.live_nodes == settled  # reordering leaves nothing dead behind
    for group in groups:
        places = [manager.order.index(v) for v in group]
        assert places == list(range(places[0], places[0] + len(group)))
    assert functions[0] & functions[1] == ~(~functions[0] | ~functions[1])


def test_sifting_is_deterministic():
    def final_order():
        manager = with_variables(14)
        functions = random_functions(manager, random.Random(3), 14, 5)
        reorder(manager, Reordering())
        return manager.order, manager.size(*functions)

    assert final_order() == final_order()


def test_the_twin_has_the_same_nodes_and_is_another_manager():
    manager = with_variables(12)
    functions = random_functions(manager, random.Random(5), 12, 5)
    manager.set_order([*range(6, 12), *range(6)])
    manager.collect()
    twin = twin_of(manager)
    assert twin is not None
    assert twin.manager.order == manager.order
    twin.manager.collect()
    assert twin.manager.live_nodes == manager.live_nodes == sum(twin.level_sizes)
    before = evaluations(manager, functions, seed=6)
    twin.manager.set_order(range(12))
    assert manager.order == [*range(6, 12), *range(6)]
    assert evaluations(manager, functions, seed=6) == before


def test_a_twin_of_functions_has_their_nodes_level_by_level():
    manager = with_variables(12)
    functions = random_functions(manager, random.Random(5), 12, 5)
    manager.set_order([*range(6, 12), *range(6)])
    twin = twin_of_functions(manager, functions[:2])
    assert twin is not None
    assert evaluations(twin.manager, twin.roots, seed=6) == evaluations(manager, functions[:2], seed=6)
    sizes, waiting, seen = [0] * 12, list(twin.roots), set()
    while waiting:
        function = waiting.pop()
        below = twin.manager.children(function)
        if below is not None and function not in seen:
            waiting += below[1:]
            if ~function not in seen:  # a function and its complement are one node
                sizes[manager.order.index(below[0])] += 1
            seen.add(function)
    assert twin.level_sizes == sizes


def test_an_order_that_is_good_for_some_functions_alone_is_not_taken():
    """The pairs of one function are far apart in the order that suits the other, which has many more nodes."""
    manager = with_variables(20)
    apart = equalities(manager, range(20), [(i, i + 10) for i in range(4)])
    near = equalities(manager, range(20), [(2 * i, 2 * i + 1) for i in range(10)])
    before = manager.size(apart, near)
    reorder(manager, Reordering(functions=lambda: [apart]))
    assert manager.size(apart, near) <= before
    assert manager.count(near, 20) == 1024


def test_orders_are_tried_on_the_functions_that_matter():
    manager = with_variables(20)
    f = equalities(manager, range(20), [(i, i + 10) for i in range(10)])
    before = evaluations(manager, [f], seed=1)
    reorder(manager, Reordering(functions=lambda: [f]))
    assert manager.size(f) == 30
    assert evaluations(manager, [f], seed=1) == before


def test_strange_names_do_not_disturb_the_dump():
    manager = OxiddManager()
    manager.add_variables(['say "x"', "l0 -> l1", "x1 -> x2", "ünïcode", "a[0].b"])
    f = manager.var(0) & manager.var(1) ^ manager.var(2) | manager.var(3) & manager.var(4)
    manager.collect()
    twin = twin_of(manager)
    assert twin is not None
    assert sum(twin.level_sizes) == manager.live_nodes
    assert twin_of_functions(manager, [f]) is None  # the format has no names with blanks
    assert manager.size(f) > 5


def test_without_room_for_files_the_order_stays(monkeypatch):
    manager = with_variables(20)
    f = equalities(manager, range(20), [(i, i + 10) for i in range(10)])

    def fail(*_, **__):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(tempfile, "mkstemp", fail)
    assert all_nodes(manager) is None
    reorder(manager, Reordering())
    assert manager.order == list(range(20))
    assert manager.count(f, 20) == 1024


def test_too_many_nodes_or_too_little_room_and_the_order_stays():
    manager = with_variables(20)
    f = equalities(manager, range(20), [(i, i + 10) for i in range(10)])
    reorder(manager, Reordering(most_nodes=100))
    assert manager.order == list(range(20))
    tight = with_variables(20, nodes=20_000, cache=1000)
    g = equalities(tight, range(20), [(i, i + 10) for i in range(10)])
    reorder(tight, Reordering())
    assert tight.order == list(range(20))
    assert manager.count(f, 20) == tight.count(g, 20) == 1024


def test_an_empty_manager_can_be_reordered():
    reorder(OxiddManager(), Reordering())
    manager = with_variables(3)
    reorder(manager, Reordering(groups=[[0, 1]]))
    assert sorted(manager.order) == [0, 1, 2]


def test_groups_that_are_not_together_are_left_out():
    assert adjacent_groups([0, 2, 1, 3], [[0, 1], [2, 3]]) == [[0], [2], [1], [3]]
    assert adjacent_groups([1, 0, 2], [[0, 1], [0, 2], []]) == [[1, 0], [2]]
    assert adjacent_groups([], []) == []


@pytest.mark.parametrize("engine", ["oxidd", "cudd"])
def test_managers_reorder_by_themselves(engine):
    """The nodes of a function that is exponential under the first order become few without anyone asking."""
    manager = new_manager(engine)
    manager.add_variables([f"v{i}" for i in range(28)])
    manager.reorder = Reordering(groups=[[0, 1]], threshold=500)
    f = manager.true
    for i in range(14):
        f = f & manager.iff(manager.var(i), manager.var(i + 14))
        manager.tidy()
    manager.tidy()
    assert manager.count(f, 28) == 1 << 14
    assert manager.size(f) < 1 << 12
    order = manager.order
    assert abs(order.index(0) - order.index(1)) == 1


def test_reordering_in_tidy_waits_until_it_pays():
    manager = with_variables(40)
    manager.reorder = Reordering(threshold=500)
    f = equalities(manager, range(40), [(i, i + 20) for i in range(15)])
    manager.tidy()
    assert manager.reorder.done == 1
    small = manager.live_nodes
    assert small < 500
    for _ in range(3):
        g = equalities(manager, manager.order, [(i, (i + 1) % 15) for i in range(15)])
        manager.tidy()
    assert manager.reorder.done == 1
    assert manager.count(f & g, 40) > 0


def test_a_space_that_is_dropped_is_gone_at_once():
    """It may hold gigabytes, and the collector of cycles comes late."""
    space = build(coarsest.loads("MODULE main VAR x : 0..3; ASSIGN next(x) := x;").machine)
    gone = [weakref.ref(space), weakref.ref(space.manager)]
    gc.disable()
    try:
        del space
        assert [reference() for reference in gone] == [None, None]
    finally:
        gc.enable()


def test_a_long_disjunction_is_reordered_while_it_is_joined():
    """An array is asked for its element at an address below it: 2^24 nodes in the declared order, if all operands were joined."""
    cells = range(24)
    machine = coarsest.loads(
        "MODULE main\nVAR "
        + " ".join(f"v{i} : boolean;" for i in cells)
        + " at : 0..23; found : boolean;\nASSIGN next(found) := "
        + " | ".join(f"(at = {i} & v{i})" for i in cells)
        + ";"
    ).machine
    space = build(machine, options=BuildOptions(order="declaration", relation="clustered"))
    assert space.manager.reorder.done > 0
    assert space.manager.peak_nodes < 1 << 18
