"""One suite over all packages: whatever the protocol promises, every package keeps."""

import itertools
import random
import subprocess
import sys

import pytest

from coarsest.bdd import oxidd_native
from coarsest.bdd.packages import PACKAGES, new_manager
from coarsest.bdd.protocol import OutOfNodes
from coarsest.bdd.transfer import transfer
from coarsest.errors import InputError


@pytest.fixture(params=list(PACKAGES))
def manager(request):
    made = new_manager(request.param)
    made.add_variables(["a", "b", "c", "d", "e"])
    return made


def table(manager, f, variables=5):
    """The truth table: values under all assignments, in a fixed order."""
    return tuple(
        manager.evaluate(f, dict(enumerate(values))) for values in itertools.product((False, True), repeat=variables)
    )


def random_function(manager, rng, variables=5, terms=6):
    f = manager.false
    for _ in range(terms):
        term = manager.true
        for number in range(variables):
            match rng.randrange(3):
                case 0:
                    term = term & manager.var(number)
                case 1:
                    term = term & ~manager.var(number)
        f = f ^ term
    return f


def test_operators(manager):
    a, b = manager.var(0), manager.var(1)
    assert table(manager, a & b, 2) == (False, False, False, True)
    assert table(manager, a | b, 2) == (False, True, True, True)
    assert table(manager, a ^ b, 2) == (False, True, True, False)
    assert table(manager, ~a, 2) == (True, True, False, False)
    assert table(manager, manager.implies(a, b), 2) == (True, True, False, True)
    assert table(manager, manager.iff(a, b), 2) == (True, False, False, True)
    assert table(manager, manager.ite(a, b, ~b), 2) == (True, False, False, True)
    assert manager.true == ~manager.false
    assert manager.true != manager.false


def test_equality_and_hash_are_those_of_the_function(manager):
    a, b = manager.var(0), manager.var(1)
    one, other = ~(a & b), ~a | ~b
    assert one == other
    assert hash(one) == hash(other)
    assert {one: "found"}[other] == "found"
    assert a != b
    assert a != None  # noqa: E711  # the operator itself is under test
    assert len({a, ~a, b, ~b, ~~a}) == 4


def test_names_and_numbers(manager):
    assert list(manager.names) == ["a", "b", "c", "d", "e"]
    assert manager.add_variables(["f", "g.0"]) == range(5, 7)
    assert list(manager.names) == ["a", "b", "c", "d", "e", "f", "g.0"]
    assert manager.order == [0, 1, 2, 3, 4, 5, 6]
    assert manager.support(manager.var(6)) == {6}
    with pytest.raises(ValueError, match="a"):
        manager.add_variables(["a"])


def test_inclusion(manager):
    a, b = manager.var(0), manager.var(1)
    assert manager.included(a & b, a)
    assert not manager.included(a, a & b)
    assert manager.included(manager.false, a)
    assert manager.included(a, manager.true)


def test_quantifiers_and_relational_product_follow_their_definition(manager):
    rng = random.Random(1)
    for _ in range(20):
        f, g = random_function(manager, rng), random_function(manager, rng)
        variables = rng.sample(range(5), rng.randrange(6))
        cube = manager.cube(variables)
        some, every, product = f, f, f & g
        for number in variables:
            some = manager.restrict(some, {number: True}) | manager.restrict(some, {number: False})
            every = manager.restrict(every, {number: True}) & manager.restrict(every, {number: False})
            product = manager.restrict(product, {number: True}) | manager.restrict(product, {number: False})
        assert manager.exists(f, cube) == some
        assert manager.forall(f, cube) == every
        assert manager.and_exists(f, g, cube) == product


def test_a_conjunction_of_cubes_is_a_cube(manager):
    f = manager.var(0) & manager.var(1) & manager.var(2)
    both = manager.cube([0]) & manager.cube([2])
    assert manager.exists(f, both) == manager.var(1)
    assert manager.exists(f, manager.cube([])) == f


def test_substitution_is_simultaneous(manager):
    a, b, c = (manager.var(i) for i in range(3))
    swap = manager.substitution({0: b, 1: a})
    assert manager.substitute(a & ~b, swap) == b & ~a
    compose = manager.substitution({0: b & c, 2: manager.true})
    assert manager.substitute(a ^ c, compose) == ~(b & c)
    assert manager.substitute(a, manager.substitution({})) == a
    assert manager.substitute(a & ~b, swap) == b & ~a  # again: a substitution can be used many times


def test_restrict(manager):
    a, b, c = (manager.var(i) for i in range(3))
    f = (a & b) | (~a & c)
    assert manager.restrict(f, {0: True}) == b
    assert manager.restrict(f, {0: False}) == c
    assert manager.restrict(f, {0: True, 1: True}) == manager.true
    assert manager.restrict(f, {0: False, 2: False, 4: True}) == manager.false
    assert manager.restrict(f, {}) == f


def test_support(manager):
    a, b, c = (manager.var(i) for i in range(3))
    assert manager.support(manager.true) == set()
    assert manager.support((a & b) | (a & ~b)) == {0}
    assert manager.support(manager.ite(a, b, c)) == {0, 1, 2}
    assert manager.support(manager.var(4)) == {4}


def test_count_is_exact_over_any_domain_that_holds_the_support(manager):
    a, c, e = manager.var(0), manager.var(2), manager.var(4)
    assert manager.count(e, 1) == 1
    assert manager.count(e, 5) == 16
    assert manager.count(a | c | e, 3) == 7
    assert manager.count(a ^ e, 200) == 1 << 199
    assert manager.count((a & c) | e, 100) == 5 << 97
    assert manager.count(manager.true, 0) == 1
    assert manager.count(manager.false, 7) == 0


def test_pick(manager):
    assert manager.pick(manager.false) is None
    assert manager.pick(manager.true) == {}
    rng = random.Random(2)
    for _ in range(20):
        f = random_function(manager, rng)
        picked = manager.pick(f)
        if f == manager.false:
            assert picked is None
        else:
            assert set(picked) <= manager.support(f)
            assert manager.restrict(f, picked) == manager.true
            assert manager.pick(f) == picked


def test_children_are_the_cofactors_of_the_top_variable(manager):
    assert manager.children(manager.true) is None
    assert manager.children(manager.false) is None
    rng = random.Random(3)
    for _ in range(20):
        for f in (function := random_function(manager, rng), ~function):
            parts = manager.children(f)
            if parts is not None:
                variable, then, otherwise = parts
                assert variable == min(manager.support(f))
                assert then == manager.restrict(f, {variable: True})
                assert otherwise == manager.restrict(f, {variable: False})


def test_size_grows_with_the_function(manager):
    a, b = manager.var(0), manager.var(1)
    assert manager.size(manager.true) <= manager.size(a) < manager.size(a & b)
    assert manager.size(a, b) >= manager.size(a)


def test_order_changes_and_functions_stay(manager):
    rng = random.Random(4)
    functions = [random_function(manager, rng) for _ in range(10)]
    before = [table(manager, f) for f in functions]
    for _ in range(5):
        order = rng.sample(range(5), 5)
        manager.set_order(order)
        assert manager.order == order
        assert [table(manager, f) for f in functions] == before
        assert functions[0] & functions[1] == ~(~functions[0] | ~functions[1])


def test_the_order_matters_as_it_should(manager):
    manager.add_variables(["f"])
    f = manager.true
    for number in range(3):
        f = f & manager.iff(manager.var(number), manager.var(number + 3))
    apart = manager.size(f)
    manager.set_order([0, 3, 1, 4, 2, 5])
    assert manager.size(f) < apart


def test_node_limit(manager):
    manager.node_limit = 10**6
    manager.tidy()
    rng = random.Random(5)
    kept = [random_function(manager, rng) for _ in range(20)]
    manager.node_limit = 10
    with pytest.raises(OutOfNodes):
        manager.tidy()
    assert manager.peak_nodes > 10
    del kept
    manager.node_limit = 10**6
    manager.tidy()


def test_collect_drops_only_dead_nodes(manager):
    rng = random.Random(6)
    kept = random_function(manager, rng)
    before = table(manager, kept)
    for _ in range(50):
        random_function(manager, rng)
    manager.collect()
    assert manager.live_nodes <= manager.size(kept) + len(manager.names) + 1
    assert table(manager, kept) == before


@pytest.mark.parametrize("source", list(PACKAGES))
@pytest.mark.parametrize("target", list(PACKAGES))
def test_transfer_between_any_two_packages(source, target):
    from_manager, to_manager = new_manager(source), new_manager(target)
    from_manager.add_variables(["a", "b", "c", "d", "e"])
    to_manager.add_variables(["e", "x", "c", "a", "d", "b"])
    number = [to_manager.names.index(name) for name in from_manager.names]
    rng = random.Random(7)
    functions = [random_function(from_manager, rng) for _ in range(8)]
    functions += [~functions[0], from_manager.true, from_manager.false]
    copies = transfer(functions, from_manager, to_manager)
    for f, copy in zip(functions, copies, strict=True):
        for values in itertools.product((False, True), repeat=5):
            there = dict(zip(number, values, strict=True)) | {1: False}
            assert from_manager.evaluate(f, dict(enumerate(values))) == to_manager.evaluate(copy, there)
    assert transfer(copies, to_manager, from_manager) == functions


@pytest.mark.parametrize("same_order", [True, False])
def test_transfer_of_many_nodes(same_order):
    rng = random.Random(8)
    one, other = new_manager(), new_manager()
    names = [f"v{i}" for i in range(16)]
    one.add_variables(names)
    other.add_variables(names)
    functions = [random_function(one, rng, variables=16, terms=80) for _ in range(2)]
    assert one.size(*functions) > 1000
    if not same_order:
        other.set_order(rng.sample(range(16), 16))
    copies = transfer(functions, one, other)
    for f, copy in zip(functions, copies, strict=True):
        assert one.count(f, 16) == other.count(copy, 16)
        for _ in range(100):
            values = {number: rng.random() < 0.5 for number in range(16)}
            assert one.evaluate(f, values) == other.evaluate(copy, values)


def test_transfer_names_the_variable_that_is_missing():
    one, other = new_manager(), new_manager()
    one.add_variables(["a"])
    with pytest.raises(ValueError, match="no variable named 'a'"):
        transfer([one.var(0)], one, other)


def test_unknown_package():
    with pytest.raises(InputError, match="did you mean 'oxidd'"):
        new_manager("oxid")


def test_package_that_is_not_installed(monkeypatch):
    monkeypatch.setitem(sys.modules, "dd.cudd", None)
    monkeypatch.delitem(sys.modules, "coarsest.bdd.cudd", raising=False)
    with pytest.raises(InputError, match=r"pip install 'coarsest\[cudd\]'"):
        new_manager("cudd")


def multiplier(manager, width):
    """The product of two numbers: many nodes under any order."""
    left = [manager.var(i) for i in range(width)]
    right = [manager.var(i) for i in range(width, 2 * width)]
    sums = [manager.false] * (2 * width)
    for i in range(width):
        carry = manager.false
        for j in range(width):
            term, total = left[j] & right[i], sums[i + j]
            sums[i + j] = term ^ total ^ carry
            carry = (term & total) | (term & carry) | (total & carry)
        sums[i + width] = carry
    return sums


def fill(manager):
    with pytest.raises(manager.memory_error):
        multiplier(manager, 12)


def test_oxidd_is_usable_after_it_was_full():
    from coarsest.bdd.oxidd import OxiddManager

    for nodes in (500, 5000, 50_000):
        manager = OxiddManager(nodes=nodes, cache=1000)
        manager.add_variables([f"v{i}" for i in range(24)])
        f = manager.var(0) & manager.var(1) | manager.var(5)
        for _ in range(5):
            fill(manager)
            manager.collect()
            assert manager.live_nodes < 30
            assert manager.count(f, 3) == 5
            assert manager.count(multiplier(manager, 3)[0], 6) == 16


def test_cudd_is_usable_after_it_was_full():
    manager = new_manager("cudd", mebibytes=12)
    manager.add_variables([f"v{i}" for i in range(24)])
    fill(manager)
    assert manager.count(multiplier(manager, 3)[0], 6) == 16


def test_more_memory_than_there_is_may_be_allowed():
    manager = new_manager("cudd", mebibytes=10**7)
    manager.add_variables(["a"])
    assert manager.count(manager.var(0), 1) == 1


def test_oxidd_refuses_to_reorder_without_room():
    """The package would abort the whole process."""
    from coarsest.bdd.oxidd import OxiddManager

    manager = OxiddManager(nodes=20_000, cache=1000)
    manager.add_variables([f"v{i}" for i in range(24)])
    kept = multiplier(manager, 7)
    manager.capacity = 5000  # as if it had been made that small: 3242 nodes are live
    with pytest.raises(OutOfNodes):
        manager.set_order(range(23, -1, -1))
    with pytest.raises(OutOfNodes):
        manager.exchange([0], [1])
    assert manager.order == list(range(24))
    assert manager.count(kept[0], 24) == 1 << 22


def test_oxidd_stops_an_explosion_by_reordering():
    """Pairs that are together, moved apart: 2^n nodes, far beyond the capacity."""
    from coarsest.bdd.oxidd import OxiddManager

    manager = OxiddManager(nodes=20_000, cache=1000)
    manager.add_variables([f"v{i}" for i in range(40)])
    equal = manager.true
    for number in range(0, 40, 2):
        equal = equal & manager.iff(manager.var(number), manager.var(number + 1))
    with pytest.raises(OutOfNodes):
        manager.set_order([*range(0, 40, 2), *range(1, 40, 2)])
    assert manager.order == list(range(40))
    assert manager.count(equal, 40) == 1 << 20
    assert manager.size(equal) == 60


def test_an_order_names_every_variable(manager):
    for wrong in ([0, 1], [0, 0, 1, 2, 3, 4], [0, 1, 2, 3, 9]):
        with pytest.raises(ValueError, match="every variable"):
            manager.set_order(wrong)


def test_tidy_collects_when_there_are_many_dead_nodes():
    manager = new_manager(bits=24)
    manager.add_variables([f"v{i}" for i in range(24)])
    multiplier(manager, 6)
    few = manager.live_nodes
    manager.tidy()
    assert manager.live_nodes == few  # not worth it
    multiplier(manager, 10)
    filled = manager.live_nodes
    assert filled > 1 << 18
    manager.tidy()
    assert manager.live_nodes == 24
    assert manager.peak_nodes == pytest.approx(filled, rel=0.01)


def test_tidy_collects_early_in_a_small_manager():
    from coarsest.bdd.oxidd import OxiddManager

    manager = OxiddManager(nodes=20_000, cache=1000)
    manager.add_variables([f"v{i}" for i in range(24)])
    multiplier(manager, 7)
    assert manager.live_nodes > 15_000
    manager.tidy()
    assert manager.live_nodes == 24


def test_the_compiled_part_of_oxidd_is_loaded_alone_and_shared() -> None:
    program = """
import subprocess
import sys
import coarsest.bdd.oxidd as package
print("oxidd" in sys.modules, "importlib.metadata" in sys.modules)
import oxidd.bcdd
print(oxidd.bcdd.BCDDManager is package.BCDDManager)
"""
    shown = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout
    assert shown.split() == ["False", "False", "True"]


@pytest.mark.parametrize("name", oxidd_native.__all__)
def test_oxidd_is_imported_as_a_package_where_its_compiled_part_is_elsewhere(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    alone = getattr(oxidd_native, name)
    monkeypatch.setattr(oxidd_native, "_compiled", lambda: None)
    assert getattr(oxidd_native, name) is alone


def test_the_compiled_part_of_oxidd_offers_nothing_else() -> None:
    with pytest.raises(AttributeError, match="BDDManager"):
        _ = oxidd_native.BDDManager
