"""Which way preimages go by default: small sets through the functions, large ones through the relation."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise
from typing import Any

import pytest

import coarsest
from coarsest.options.methods import BuildOptions
from coarsest.run import Run
from coarsest.search.reachability import BreadthFirst
from coarsest.search.until import until
from coarsest.search.witness import shortest
from coarsest.space.bdd.build import build
from coarsest.space.bdd.reachable import Reachable
from coarsest.space.bdd.relation.choice import FunctionsOrRelation, whole_of
from coarsest.space.bdd.relation.disjunctive import Disjunctive, find_scheduler
from coarsest.space.bdd.relation.early_quantification import EarlyQuantification, cluster
from coarsest.space.bdd.relation.functions import NextStateFunctions
from coarsest.space.bdd.relation.monolithic import Monolithic
from coarsest.space.bdd.relation.step import is_circuit

SHIFT = """MODULE main
IVAR d : boolean;
VAR a : boolean; b : boolean; c : boolean;
ASSIGN next(a) := d; next(b) := a; next(c) := b;
"""
ADDER = """MODULE main
IVAR start : boolean; x : unsigned word[6];
VAR sum : unsigned word[8]; left : unsigned word[8];
ASSIGN next(sum) := start ? 0ud8_0 : sum + left; next(left) := start ? extend(x, 2) : left << 1;
"""
ANYTHING = "MODULE main VAR n : 0..5; b : boolean; ASSIGN next(n) := {0, n}; next(b) := n = 3;"
TURNS = """MODULE main
IVAR turn : {one, two, three};
VAR a : boolean; b : boolean; c : boolean;
ASSIGN next(a) := turn = one ? !a : a; next(b) := turn = two ? !b : b; next(c) := turn = three ? !c : c;
"""


def space_of(text: str, relation: str = "auto", order: str = "auto") -> Any:
    return build(coarsest.loads(text).machine, Run(), BuildOptions(relation=relation, order=order))


def test_a_small_set_needs_no_relation() -> None:
    space = space_of(SHIFT)
    assert isinstance(space.relation, FunctionsOrRelation)
    target = space.where(coarsest.loads(SHIFT).condition("c & b"))
    assert space.pre(target) == space.where(coarsest.loads(SHIFT).condition("b & a"))
    assert "clusters" not in vars(space.relation)


@pytest.mark.parametrize(("nodes", "relation"), [(0, False), (0, True), (20, True), (1e9, True)])
def test_all_ways_agree(monkeypatch: Any, nodes: float, relation: bool) -> None:
    """Whether all sets are small, some are, or none is, and whether images go through one function or through clusters."""
    monkeypatch.setattr(FunctionsOrRelation, "nodes_for_functions", nodes)
    monkeypatch.setattr("coarsest.tuning.RELATION_NODES", 1e9 if relation else 0)
    monkeypatch.setattr("coarsest.tuning.CLUSTER_NODES", 40)
    space, other = space_of(ADDER, order="declaration"), space_of(ADDER, "clustered", "declaration")
    condition = coarsest.loads(ADDER).condition("sum > left & left > 0ud8_9")
    states, expected = space.where(condition), other.where(condition)
    for _ in range(8):
        states, expected = states | space.pre(states), expected | other.pre(expected)
        assert space.count(states) == other.count(expected)
    made = vars(space.relation)
    assert ("clusters" in made) == (nodes < 1e9)
    assert nodes == 1e9 or isinstance(space.relation.relation, Monolithic) == relation


def ways_of_preimages(space: Any, preimages: Iterable[Any], monkeypatch: Any) -> list[str]:
    """The ways that the preimages of some sets go."""
    ways = []
    for method in (NextStateFunctions, EarlyQuantification, Monolithic):

        def pre(self: Any, states: Any, real: Any = method.pre, name: str = method.__name__) -> Any:
            ways.append(name)
            return real(self, states)

        monkeypatch.setattr(method, "pre", pre)
    for states in preimages:
        space.pre(states)
    return ways


def test_large_sets_go_through_the_relation_and_small_ones_through_functions(monkeypatch: Any) -> None:
    space = space_of(ADDER, order="declaration")
    large = space.where(coarsest.loads(ADDER).condition("sum > left & left > 0ud8_9"))
    small = space.where(coarsest.loads(ADDER).condition("left = 0ud8_9"))
    assert space.size(small) < space.relation.nodes_for_functions < space.size(large)
    monkeypatch.setattr("coarsest.tuning.NODES_OF_A_PRODUCT", 1e9)
    expected = ["Monolithic", "NextStateFunctions", "Monolithic"]
    assert ways_of_preimages(space, (large, small, large), monkeypatch) == expected


def test_the_preimage_of_a_single_state_goes_through_functions() -> None:
    """However large these are: its diagram has an inner node for each bit."""
    for text in (SHIFT, ADDER):
        space = space_of(text)
        assert space.size(space.pick(space.states)) <= space.relation.nodes_for_functions


def test_clusters_serve_after_a_preimage_through_the_whole_relation_has_made_many_nodes(monkeypatch: Any) -> None:
    space = space_of(ADDER, order="declaration")
    large = space.where(coarsest.loads(ADDER).condition("sum > left & left > 0ud8_9"))
    monkeypatch.setattr("coarsest.tuning.NODES_OF_A_PRODUCT", -1e9)
    expected = ["Monolithic", "EarlyQuantification", "EarlyQuantification"]
    assert ways_of_preimages(space, (large, large, large), monkeypatch) == expected


def test_a_choice_depends_on_no_clock() -> None:
    """Two runs of one search make the same nodes."""
    made = []
    for _ in range(2):
        space = space_of(ADDER, order="declaration")
        BreadthFirst(space, space.where(coarsest.loads(ADDER).condition("sum > left")), backwards=True).finish(Run())
        made.append(space.manager.made_nodes)
    assert made[0] == made[1]


def test_reachable_states_are_not_conjoined_to_the_relation_where_both_are_large(monkeypatch: Any) -> None:
    space = space_of(ADDER)
    reached = space.initial | space.post(space.initial)
    narrow = Reachable(space, reached)
    monkeypatch.setattr("coarsest.tuning.NODES_OF_STEPS_AMONG_STATES", -(10**9))
    wide = Reachable(space, reached)
    assert narrow._narrowed is not None and wide._narrowed is None
    assert narrow.pre(reached) == wide.pre(reached)


def test_a_relation_that_is_not_small_stays_in_clusters(monkeypatch: Any) -> None:
    """Neither where its clusters are large together, nor where they become large when they are joined."""
    step = space_of(ADDER).step
    monkeypatch.setattr("coarsest.tuning.CLUSTER_NODES", 40)
    clusters = EarlyQuantification(step, Run()).clusters
    apart = step.manager.size(*(part.relation for part in clusters))
    whole = Monolithic.joined(step, clusters, Run())
    assert whole is not None and apart < step.manager.size(whole.relation)
    for most, is_whole in ((0, False), (apart, False), (20_000, True)):
        monkeypatch.setattr("coarsest.tuning.RELATION_NODES", most)
        space, other = space_of(ADDER), space_of(ADDER, "functions")
        assert (whole_of(space.relation) is not None) == is_whole
        condition = coarsest.loads(ADDER).condition("sum > left")
        assert space.count(space.post(space.where(condition))) == other.count(other.post(other.where(condition)))


def test_what_is_no_function_goes_through_the_relation() -> None:
    space = space_of(ANYTHING)
    assert isinstance(space.relation, FunctionsOrRelation)
    assert space.relation.functions is None
    assert space.count(space.pre(space.where(coarsest.loads(ANYTHING).condition("b")))) == 2


def test_schedulers_are_found_as_before() -> None:
    space = space_of(TURNS)
    assert isinstance(space.relation, Disjunctive)
    assert space.relation.scheduler.name == "turn"
    assert find_scheduler(space_of(SHIFT, "functions").step) is None
    assert whole_of(space.relation) is not None


def test_the_scheduler_is_forgotten_before_a_preimage_with_its_illegal_values() -> None:
    remembered = TURNS.replace("IVAR", "VAR")
    space, other = space_of(remembered), space_of(remembered, "monolithic")
    assert len(space.relation.events) == 3  # of two bits, so one combination is no value
    for event in space.relation.events:
        assert space.manager.support(event.free) == set(space.layout.slots["turn"].now)
    for text in ("a & turn = one", "b & turn != two | c", "a = b", "TRUE", "turn = three"):
        condition = coarsest.loads(remembered).condition(text)
        by_events = space.manager.false
        for event in space.relation.events:
            by_events = by_events | event.pre(space.where(condition).function)
        assert space.count(space.set(by_events) & space.states) == other.count(other.pre(other.where(condition)))


def test_paths_by_chaining(monkeypatch: Any) -> None:
    """Where the shortest would take long: every step is one, from the start to the goal, through what it may go through."""
    monkeypatch.setattr("coarsest.tuning.WORK_ON_A_SHORTEST_PATH", -1.0)
    monkeypatch.setattr("coarsest.tuning.PARTS_WORTH_CHAINING", 1)
    model = coarsest.loads(TURNS)
    space = space_of(TURNS)
    goal, through = space.where(model.condition("a & b & c")), space.where(model.condition("a | !c"))
    start = space.where(model.condition("!a & !b & !c"))
    path = shortest(space, Run(), start, through, goal)
    assert path[0] <= start and path[-1] <= goal
    assert all(space.count(state) == 1 for state in path)
    assert all(state <= through and after <= space.post(state) for state, after in pairwise(path))
    assert shortest(space, Run(), start, space.where(model.condition("!a & c")), goal) == []


WIRES = """MODULE main
IVAR d : boolean; e : boolean; f : boolean;
VAR a : boolean; b : boolean; c : boolean;
ASSIGN next(a) := d; next(b) := e & a; next(c) := e xor b;
"""


def test_inputs_of_one_conjunct_are_forgotten_and_those_of_two_are_not() -> None:
    """`next(a) := d` allows any next value, and is gone; e is quantified where the two that mention it are joined."""
    step = space_of(WIRES, "functions").step
    names = step.manager.names
    apart = cluster(step.manager, step.conjuncts, limit=0, run=Run(), forgotten=step.inputs)
    assert sorted(sorted(names[place] for place in part.support) for part in apart) == [
        ["a.0", "e.0", "next(b).0"], ["b.0", "e.0", "next(c).0"]
    ]  # fmt: skip
    (joined,) = cluster(step.manager, step.conjuncts, limit=None, run=Run(), forgotten=step.inputs)
    assert {names[place] for place in joined.support} == {"a.0", "b.0", "next(b).0", "next(c).0"}


RANGES = """MODULE main
IVAR faster : boolean; kind : {car, bus, tram};
VAR n : 0..4; last : {none, car, bus};
ASSIGN init(n) := 0; next(n) := n = 4 ? 0 : (faster & n < 3 ? n + 2 : n + 1);
       next(last) := kind = tram ? last : (kind = car ? car : bus);
"""


def test_functions_are_taken_where_not_all_combinations_of_bits_are_states() -> None:
    model, space, other = coarsest.loads(RANGES), space_of(RANGES), space_of(RANGES, "clustered")
    assert space.relation.functions is not None
    for text in ("n = 2", "n = 4 & last = none", "last = bus | n = 0", "TRUE"):
        states, same = space.where(model.condition(text)), other.where(model.condition(text))
        for _ in range(4):
            states, same = space.pre(states), other.pre(same)
            assert space.count(states) == other.count(same)


def test_a_relation_as_one_function_is_given_up_when_it_is_large() -> None:
    step = space_of(ADDER, "functions").step
    assert Monolithic.if_small(step, Run(), 5) is None
    whole, clusters = Monolithic.of(step, Run()), EarlyQuantification(step, Run(), limit=0)
    states = step.manager.var(step.now[0]) ^ step.manager.var(step.now[3])
    assert whole.pre(states) == clusters.pre(states)
    assert whole.post(states) == clusters.post(states)


COUNTERS = """MODULE main
VAR run : 0..2; VAR a : 0..3; b : 0..3; c : 0..3;
ASSIGN next(a) := run = 0 & (b = c | a != 1) ? (a + 1) mod 4 : a; next(b) := run = 1 & (c > a | b = 3) ? (b + 1) mod 4 : b;
  next(c) := run = 2 & (a != b | c = 2) ? (c + 1) mod 4 : c;
"""


@pytest.mark.parametrize("goal", ["a = 3 & b = 0 & c = 0", "b = 3", "a = c & c = 1", "c = 3 & a = 0"])
@pytest.mark.parametrize("through", ["TRUE", "a != 2 | b < 3", "c > 0", "b = 0 & c = 0"])
@pytest.mark.parametrize("scheduler", ["VAR", "IVAR"])
def test_until_by_chaining(monkeypatch: Any, goal: str, through: str, scheduler: str) -> None:
    """A part of the relation may have to be taken several times in a row."""
    text = COUNTERS.replace("VAR run", f"{scheduler} run")
    model, space = coarsest.loads(text), space_of(text)
    assert len(space.parts) == 3
    p, q = (space.where(model.condition(condition)) for condition in (through, goal))
    ring_by_ring = until(space, Run(), p, q)
    monkeypatch.setattr("coarsest.tuning.PARTS_WORTH_CHAINING", 1)
    for rings in (0, 1):
        monkeypatch.setattr("coarsest.tuning.RINGS_BEFORE_CHAINING", rings)
        assert until(space, Run(), p, q) == ring_by_ring


def test_bits_with_a_small_constraint_go_through_functions() -> None:
    constrained = SHIFT + "TRANS d -> !c\n"
    space, other = space_of(constrained), space_of(constrained, "monolithic")
    assert space.relation.functions is not None
    for text in ("c", "a & !b", "a | c", "TRUE"):
        condition = coarsest.loads(constrained).condition(text)
        assert space.count(space.pre(space.where(condition))) == other.count(other.pre(other.where(condition)))


def test_a_register_is_no_scheduler_where_all_is_functions() -> None:
    memory = """MODULE main
    IVAR step : boolean;
    VAR at : {one, two, three, four}; a : boolean; b : boolean; c : boolean; d : boolean;
    ASSIGN next(at) := case at = one : two; at = two : three; at = three : four; TRUE : one; esac;
    next(a) := at = one ? step : a; next(b) := at = two ? step : b; next(c) := at = three ? step : c;
    next(d) := at = four ? step : d;
    """
    assert isinstance(space_of(memory).relation, FunctionsOrRelation)
    assert isinstance(space_of(memory, "disjunctive").relation, Disjunctive)


def test_an_address_is_no_scheduler() -> None:
    """Something moves beside the word that it chooses, or most choices change a bit."""
    memory = """MODULE main
    IVAR at : {one, two, three, four}; x : boolean;
    VAR a : boolean; b : boolean; c : boolean; d : boolean; last : boolean;
    ASSIGN next(a) := at = one ? x : a; next(b) := at = two ? x : b; next(c) := at = three ? x : c;
    next(d) := at = four ? x : d; next(last) := x;
    """
    assert isinstance(space_of(memory).relation, FunctionsOrRelation)
    assert isinstance(space_of(memory, "disjunctive").relation, Disjunctive)
    assert isinstance(space_of(memory.replace("next(last) := x", "next(last) := last")).relation, Disjunctive)
    places = "\n".join(f"next(b{i}) := at > {i} & at < {i + 12} ? x : b{i};" for i in range(16))
    ring = f"MODULE main IVAR at : 0..31; x : boolean; VAR {' '.join(f'b{i} : boolean;' for i in range(16))} ASSIGN {places}"
    assert isinstance(space_of(ring).relation, FunctionsOrRelation)
    assert isinstance(space_of(ring, "disjunctive").relation, Disjunctive)


def test_what_enables_or_clocks_others_is_no_scheduler() -> None:
    enabled = """MODULE main
    VAR go : boolean; a : 0..2; b : 0..2; c : 0..2;
    ASSIGN next(a) := go ? b : a; next(b) := go ? c : b; next(c) := go ? a : c;
    """
    assert isinstance(space_of(enabled).relation, FunctionsOrRelation)
    phases = """MODULE main
    IVAR phase : boolean; x : unsigned word[2];
    VAR a : unsigned word[2]; b : unsigned word[2];
    ASSIGN next(a) := phase ? x : a; next(b) := phase ? b : a;
    """
    assert isinstance(space_of(phases).relation, FunctionsOrRelation)
    assert isinstance(space_of(phases, "disjunctive").relation, Disjunctive)
    assert is_circuit(space_of(SHIFT + "TRANS d -> !c\n", "functions").step)


def test_a_scheduler_may_have_little_beside_it() -> None:
    beside = TURNS.replace("VAR a", "VAR tick : boolean; a").replace("ASSIGN", "ASSIGN next(tick) := {TRUE, FALSE};")
    wide = beside.replace("tick : boolean", "tick : 0..7").replace("{TRUE, FALSE}", "{0, 7}")
    assert isinstance(space_of(wide).relation, FunctionsOrRelation)
    few = "".join(f" s{i} : boolean;" for i in range(6))
    steps = "".join(f" next(s{i}) := turn = one ? !s{i} : s{i};" for i in range(6))
    assert isinstance(space_of(beside.replace("c : boolean;", f"c : boolean;{few}") + steps).relation, Disjunctive)
