"""Which way preimages go by default: the functions first, a relation when that is likely to pay, and nothing else changes."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest

import coarsest
from coarsest.bdd.in_time import SPLITS, Patience
from coarsest.options.methods import BuildOptions
from coarsest.run import Run
from coarsest.search import witness
from coarsest.search.until import until
from coarsest.search.witness import shortest
from coarsest.space.bdd.build import build
from coarsest.space.bdd.reachable import Reachable
from coarsest.space.bdd.relation import choice
from coarsest.space.bdd.relation.choice import FunctionsOrRelation, whole_of
from coarsest.space.bdd.relation.disjunctive import Disjunctive, find_scheduler
from coarsest.space.bdd.relation.early_quantification import EarlyQuantification, cluster
from coarsest.space.bdd.relation.experience import MOST_UNSURE, Experience, Way
from coarsest.space.bdd.relation.monolithic import Joining, Monolithic
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
    assert "_clusters" not in vars(space.relation)


def free(monkeypatch: Any, **constants: float) -> None:
    """Sets are worth a thought, clusters cost nothing, and the whole may cost anything: no clock decides it."""
    everything = {"LITTLE": 0.0, "SECONDS_TO_CLUSTER": -1.0, "SECONDS_FOR_EACH_CONJUNCT": 0.0, "SECONDS_FOR_EACH_NODE": 0.0,
                  "LEAST_PREIMAGE": 0.0, "SHARE_OF_JOINING": 1e9, "SHARE_OF_JOINING_FEW": 1e9,
                  "PATIENCE": 1e9} | constants  # fmt: skip
    for name, value in everything.items():
        monkeypatch.setattr(choice, name, value)


def search_backwards(space: Any) -> None:
    """Some preimages, compared with those by clusters."""
    other = space_of(ADDER, "clustered")
    condition = coarsest.loads(ADDER).condition("sum > left & left > 0ud8_9")
    states, expected = space.where(condition), other.where(condition)
    for _ in range(8):
        states, expected = states | space.pre(states), expected | other.pre(expected)
        assert space.count(states) == other.count(expected)


def in_parts() -> Any:
    """A space whose clusters and pieces are several."""
    space = space_of(ADDER, order="declaration")
    step, parts = space.step, vars(space.relation)
    parts["_clusters"] = EarlyQuantification(step, Run(), limit=40)
    parts["_pieces"] = cluster(space.manager, step.conjuncts, limit=10, run=Run(), forgotten=step.inputs)
    assert len(parts["_clusters"].clusters) > 1 and len(parts["_pieces"]) > 1
    return space


def names(space: Any) -> list[str]:
    return [type(way.method).__name__ for way in space.relation._ways]


def test_clusters_are_built_when_functions_have_taken_as_much(monkeypatch: Any) -> None:
    free(monkeypatch, SECONDS_TO_CLUSTER=1e9)
    space = space_of(ADDER, order="declaration")
    search_backwards(space)
    assert names(space) == ["NextStateFunctions"]
    free(monkeypatch)
    space = space_of(ADDER, order="declaration")
    search_backwards(space)
    assert names(space)[:2] == ["NextStateFunctions", "EarlyQuantification"]


def test_what_is_no_function_goes_through_the_relation() -> None:
    space = space_of(ANYTHING)
    assert isinstance(space.relation, FunctionsOrRelation)
    assert space.relation.functions is None
    assert space.count(space.pre(space.where(coarsest.loads(ANYTHING).condition("b")))) == 2


def test_the_choice_remembers_what_was_taken_lately() -> None:
    experience = Experience(1.0, least=0.5)
    assert experience.effort(10) == 10
    for _ in range(50):
        experience.add(30.0, 10.0)
        experience.add(0.0, 10.0)  # known from an earlier call
    assert 29 < experience.effort(10) <= 30
    for _ in range(50):
        experience.add(1.0, 10.0)
    assert experience.effort(10) == 5


def test_schedulers_are_found_as_before() -> None:
    space = space_of(TURNS)
    assert isinstance(space.relation, Disjunctive)
    assert space.relation.scheduler.name == "turn"
    assert find_scheduler(space_of(SHIFT, "functions").step) is None
    assert whole_of(space.relation) is not None


def test_reachable_states_are_not_conjoined_to_the_relation_where_both_are_large(monkeypatch: Any) -> None:
    space = space_of(ADDER)
    reached = space.initial | space.post(space.initial)
    narrow = Reachable(space, reached)
    monkeypatch.setattr("coarsest.space.bdd.relation.monolithic.SMALL_AMONG", -1)
    wide = Reachable(space, reached)
    assert narrow._narrowed is not None and wide._narrowed is None
    assert narrow.pre(reached) == wide.pre(reached)


def test_a_relation_that_grows_when_it_is_made_one_function_stays_in_clusters(monkeypatch: Any) -> None:
    space, other = space_of(ADDER), space_of(ADDER)
    for relation in (space.relation, other.relation):
        vars(relation)["_clusters"] = EarlyQuantification(relation.step, Run(), limit=40)
        assert 1 < len(relation._clusters.clusters) <= choice.FEW_CLUSTERS
    assert whole_of(space.relation) is not None
    monkeypatch.setattr(choice, "SMALL_IN_ANY_CASE", 0)
    monkeypatch.setattr(choice, "GROWTH", 0.5)
    assert whole_of(other.relation) is None


def test_a_relation_that_is_not_small_stays_in_clusters(monkeypatch: Any) -> None:
    monkeypatch.setattr(choice, "SMALL_RELATION", 0)
    space, other = space_of(ADDER), space_of(ADDER, "functions")
    assert whole_of(space.relation) is None
    condition = coarsest.loads(ADDER).condition("sum > left")
    assert space.count(space.post(space.where(condition))) == other.count(other.post(other.where(condition)))


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
    monkeypatch.setattr(witness, "WORK_ON_A_SHORTEST_PATH", -1.0)
    monkeypatch.setattr(witness, "FEWEST_PARTS_WORTH_CHAINING", 1)
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


def test_all_ways_are_built_one_after_another_and_agree(monkeypatch: Any) -> None:
    free(monkeypatch)
    space = in_parts()
    search_backwards(space)
    space.relation._usual = space.relation._ways[1]
    search_backwards(space)
    assert names(space) == ["NextStateFunctions", "EarlyQuantification", "Monolithic"]
    states = space.where(coarsest.loads(ADDER).condition("sum > left")).function
    assert len({way.method.pre(states) for way in space.relation._ways}) == 1


def test_a_preimage_that_takes_too_long_goes_another_way_until_somebody_has_waited_long_enough(monkeypatch: Any) -> None:
    """Nothing is done in less than 1000 seconds, it is said: so all ways are given up, again and again."""
    free(monkeypatch, PATIENCE=2.0, LEAST_PATIENCE=1e-9)
    waited = []

    def waiting(seconds: float, splits: int = SPLITS) -> Patience:
        waited.append(seconds)
        return Patience(-1.0 if seconds < 1000 else 1e9, splits)

    space = in_parts()
    monkeypatch.setattr(choice, "Patience", waiting)
    search_backwards(space)
    assert names(space)[:2] == ["NextStateFunctions", "EarlyQuantification"]
    assert all(way.waits > 0 for way in space.relation._ways[:2])
    assert max(waited) >= 1000


def test_functions_that_take_longer_than_clusters_cost_are_given_up(monkeypatch: Any) -> None:
    free(monkeypatch, LEAST_PATIENCE=1e-9)
    space = space_of(ADDER, order="declaration")
    vars(space.relation)["_price"] = 1e9  # so that nothing is built beforehand
    monkeypatch.setattr(choice, "Patience", lambda seconds, splits=SPLITS: Patience(-1.0 if seconds <= 1e9 else 1e9))
    search_backwards(space)
    assert names(space)[:2] == ["NextStateFunctions", "EarlyQuantification"]


def test_a_way_that_was_given_up_is_expected_to_take_more() -> None:
    way = Way(space_of(ADDER).relation.functions, 1.0, seconds=1.0, units=100.0)
    assert way.expected(200) == pytest.approx(2.0)
    way.was_given_up(3.0, 200)
    assert way.expected(200) == pytest.approx(6.0)
    way.was_given_up(3.0, 200)
    assert way.expected(200) == pytest.approx(12.0)
    assert way.expected(20) == pytest.approx(0.12)  # it may be quite different with small sets
    way.took(0.2, 200)  # what it was given up for tells nothing any more
    assert way.failures == 0 and way.expected(200) == pytest.approx(0.2)
    assert way.expected(20) == pytest.approx(way.expected(200) / 10)
    way.took(0.001, 200)  # known from an earlier call, which teaches nothing
    assert way.expected(200) > 0.1
    way.took(200.0, 200)
    assert way.expected(20) == pytest.approx(way.expected(200) / 100)


def test_the_less_a_way_was_tried_the_less_is_sure_of_it() -> None:
    way = Way(space_of(ADDER).relation.functions, 1.0, seconds=1.0, units=100.0)
    assert way.unsure(10) == MOST_UNSURE
    way.took(1.0, 100)
    assert way.unsure(10) == way.unsure(100) == 1.0
    assert way.unsure(400) == pytest.approx(2.0)
    assert way.unsure(100_000) == MOST_UNSURE


def with_clusters_beside(monkeypatch: Any) -> tuple[FunctionsOrRelation[Any], Way[Any]]:
    """Functions are the usual way, and are expected to take 1 s for a set of 100 nodes."""
    free(monkeypatch)
    relation = space_of(ADDER).relation
    relation._add_clusters(100)
    functions, clusters = relation._ways
    functions.seconds, functions.units = 1.0, 100**functions.growth
    clusters.seconds, clusters.units, clusters.largest, clusters.is_old_at = 0.1, 100**clusters.growth, 100, 1e9
    return relation, clusters


def test_another_way_than_usual_is_tried_if_it_is_far_quicker_and_there_is_time(monkeypatch: Any) -> None:
    relation, clusters = with_clusters_beside(monkeypatch)
    monkeypatch.setattr(choice, "PATIENCE", 2.0)
    assert not relation._is_worth_a_trial(clusters, 100)  # of what is to come, only a share may be lost
    relation._spent = 10.0
    assert relation._is_worth_a_trial(clusters, 100)
    relation._lost = 1.5
    assert not relation._is_worth_a_trial(clusters, 100)
    relation._lost, clusters.seconds = 0.0, 0.7
    assert not relation._is_worth_a_trial(clusters, 100)  # not by so much
    clusters.is_old_at = 0.0  # that was long ago
    assert relation._is_worth_a_trial(clusters, 100)
    clusters.waits = 11.0
    assert not relation._is_worth_a_trial(clusters, 100)


def test_the_usual_way_is_the_one_that_was_taken_last(monkeypatch: Any) -> None:
    relation, clusters = with_clusters_beside(monkeypatch)
    states = relation._earlier[0] = 100, relation.functions.pre(relation.manager.true)
    monkeypatch.setattr(FunctionsOrRelation, "_is_worth_a_trial", lambda self, way, size: way is clusters)
    monkeypatch.setattr(FunctionsOrRelation, "_joined_whole", lambda self, expected: None)
    relation._quickest(states[1], 100)
    assert relation._usual is clusters


def test_what_is_joined_takes_a_share_of_what_clusters_have_taken(monkeypatch: Any) -> None:
    free(monkeypatch)
    relation = in_parts().relation
    relation._add_clusters(100)
    relation._ways[0].all_seconds = relation._ways[1].all_seconds = 1.0
    monkeypatch.setattr(choice, "SMALL_BESIDE_FUNCTIONS", -1)
    assert relation._joined_whole(1.0) is None  # functions are the usual way
    relation._usual = relation._ways[1]
    assert relation._joined_whole(1.0) is not None


def test_a_small_relation_is_joined_once_beside_functions(monkeypatch: Any) -> None:
    free(monkeypatch, FREE_TRIALS=1e9, LEAST_PATIENCE=0.0)
    relation, other = in_parts().relation, in_parts().relation
    for one in (relation, other):
        one._add_clusters(100)
    assert relation._joined_whole(1.0) is not None
    monkeypatch.setattr(choice, "SMALL_BESIDE_FUNCTIONS", 1)
    assert other._joined_whole(1.0) is None and "_joining" not in vars(other)
    monkeypatch.setattr(choice, "SMALL_BESIDE_FUNCTIONS", 1e9)
    assert other._joined_whole(1.0) is None  # once is enough


def test_many_little_preimages_are_worth_a_thought(monkeypatch: Any) -> None:
    free(monkeypatch, LITTLE=1e9, MANY_LITTLES=1e9)
    space = space_of(ADDER, order="declaration")
    search_backwards(space)
    assert names(space) == ["NextStateFunctions"]
    monkeypatch.setattr(choice, "MANY_LITTLES", 0.0)
    search_backwards(space)
    assert names(space)[:2] == ["NextStateFunctions", "EarlyQuantification"]


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


PRODUCT = """MODULE main
IVAR load : boolean; x : unsigned word[7];
VAR p : unsigned word[7]; q : unsigned word[7];
ASSIGN next(p) := load ? x : p * q; next(q) := load ? q : q * (p + x);
"""


def test_large_functions_are_tried_first_as_well() -> None:
    """The set may be small, or mention only those functions that are not large."""
    space, other = space_of(PRODUCT, order="declaration"), space_of(PRODUCT, "functions", "declaration")
    assert space.relation._nodes_of_functions > 100 * len(space.step.after)
    odd = coarsest.loads(PRODUCT).condition("p[0:0] = 0ud1_1")
    assert space.count(space.pre(space.where(odd))) == other.count(other.pre(other.where(odd)))
    assert len(space.relation._ways) == 1


def test_the_whole_is_left_while_it_costs_too_much_and_for_good_when_it_is_large(monkeypatch: Any) -> None:
    free(monkeypatch, SHARE_OF_JOINING=0.0, SHARE_OF_JOINING_FEW=0.0, SMALL_BESIDE_FUNCTIONS=-1)
    space = in_parts()
    search_backwards(space)
    assert "Monolithic" not in names(space)
    free(monkeypatch, LARGE_WHOLE=0.0)
    space.relation._usual = space.relation._ways[1]
    search_backwards(space)
    assert "Monolithic" not in names(space) and space.relation._paused == float("inf")


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
    monkeypatch.setattr("coarsest.search.until.FEWEST_PARTS_WORTH_CHAINING", 1)
    for rings in (0, 1):
        monkeypatch.setattr("coarsest.search.until.RINGS_BEFORE_CHAINING", rings)
        assert until(space, Run(), p, q) == ring_by_ring


def test_a_relation_that_was_left_on_the_way_can_be_finished_later() -> None:
    space = space_of(ADDER, "functions")
    joining = Joining(space.step, space.step.conjuncts, Run())
    assert joining.within(10) is None and not joining.complete
    whole = joining.within(None)
    assert whole is not None and joining.complete
    assert whole.relation == Monolithic.of(space.step, Run()).relation


def test_joining_that_takes_too_long_is_begun_again_later(monkeypatch: Any) -> None:
    monkeypatch.setattr("coarsest.space.bdd.relation.monolithic.SMALL_ENOUGH", 0)
    space = space_of(ADDER, "functions")
    joining = Joining(space.step, space.step.conjuncts, Run())
    while joining.size < 10:
        joining.join()
    size = joining.size
    assert not joining.join(Patience(-1.0)) and joining.size == size
    assert joining.join(Patience(1e9)) and joining.size != size


def test_a_new_way_is_asked_for_a_small_set_first() -> None:
    relation = space_of(ADDER, order="declaration").relation
    relation._earlier[5] = 20, relation.manager.var(relation.step.now[0])
    relation._add_clusters(100)
    seconds = relation._ways[-1].seconds
    relation._ask(1000)
    assert relation._ways[-1].seconds != seconds
    seconds = relation._ways[-1].seconds
    relation._ask(50)  # nothing is small enough for that
    assert relation._ways[-1].seconds == seconds


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
