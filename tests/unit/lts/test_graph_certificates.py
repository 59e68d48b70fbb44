"""Certificates about graphs: what compare and reduce write is confirmed, and what was tampered with is rejected, in many ways."""

from __future__ import annotations

import json
from collections.abc import Callable
from copy import deepcopy
from typing import Any

import pytest

from coarsest.errors import InputError
from coarsest.formats.aut.read import parse
from coarsest.lts.certificate_json import certificate_of, certificate_to_text
from coarsest.lts.compare.compare_graphs import certify_graph, compare_graphs
from coarsest.lts.judge.confirm_graphs import confirm_comparison, confirm_graph
from coarsest.lts.labelled import Graph

Thing = dict[str, Any]


def aut(states: int, *rows: str, labels: tuple[int, ...] | None = None) -> Graph:
    """A graph from rows like `0 a 1`."""
    text = "\n".join(f"({row.split()[0]}, {row.split()[1]}, {row.split()[2]})" for row in rows)
    graph = parse(f"des (0, {len(rows)}, {states})\n{text}\n".encode())
    if labels is None:
        return graph
    arrays = graph.offsets, graph.actions, graph.targets, graph.initial
    return Graph(*arrays, graph.labels + labels, graph.action_names, ("p", "q"))


STRONG = aut(6, "0 a 1", "0 a 2", "1 b 3", "2 b 4", "3 c 0", "4 c 0", "5 a 1")
TWICE = aut(6, "0 a 1", "1 b 2", "2 c 3", "3 a 4", "4 b 5", "5 c 0")
SILENT = aut(6, "0 i 1", "1 a 2", "0 b 3", "2 i 4", "4 i 2", "3 i 0", "1 a 5")
SILENT_TWICE = aut(7, "0 i 1", "1 a 2", "0 b 3", "2 i 4", "4 i 2", "3 i 5", "5 i 6", "6 a 2", "5 b 3")
SMALLER = aut(4, "0 a 1", "1 b 2", "1 c 3")
CHOOSING = aut(5, "0 a 1", "0 a 2", "1 b 3", "2 b 4", "1 c 4")
LABELLED = aut(4, "0 a 1", "1 a 2", "2 a 3", "3 a 0", labels=(0, 1, 0, 1))
FORKED = aut(5, "0 a 1", "0 a 2", "1 b 3", "2 c 4")

BASES: dict[str, tuple[list[Graph], Callable[[], Any]]] = {
    "one": ([STRONG], lambda: certify_graph(STRONG)),
    "two": ([STRONG, TWICE], lambda: compare_graphs(STRONG, TWICE).certificate),
    "minimal": ([STRONG], lambda: certify_graph(STRONG, minimal=True)),
    "labelled": ([LABELLED], lambda: certify_graph(LABELLED)),
    "branching": ([SILENT], lambda: certify_graph(SILENT, by="branching-bisimulation", minimal=True)),
    "divergence": ([SILENT], lambda: certify_graph(SILENT, by="branching-bisimulation-divergence", minimal=True)),
    "two branching": (
        [SILENT, SILENT_TWICE],
        lambda: compare_graphs(SILENT, SILENT_TWICE, by="branching-bisimulation").certificate,
    ),
    "order": ([CHOOSING], lambda: certify_graph(CHOOSING, by="simulation")),
    "labelled order": ([LABELLED], lambda: certify_graph(LABELLED, by="simulation")),
    "below": ([FORKED, SMALLER], lambda: compare_graphs(FORKED, SMALLER, by="simulation", preorder=True).certificate),
    "equivalent": ([SMALLER, CHOOSING], lambda: compare_graphs(SMALLER, CHOOSING, by="simulation").certificate),
    "ready": ([STRONG, TWICE], lambda: compare_graphs(STRONG, TWICE, by="ready-simulation").certificate),
    "traces": ([SMALLER, FORKED], lambda: compare_graphs(SMALLER, FORKED, by="traces").certificate),
    "fewer traces": ([FORKED, SMALLER], lambda: compare_graphs(FORKED, SMALLER, by="traces", preorder=True).certificate),
}


def written(name: str) -> Thing:
    thing = json.loads(certificate_to_text(BASES[name][1]()))
    assert isinstance(thing, dict)
    return thing


def accepted(graphs: list[Graph], thing: Thing) -> bool:
    certificate = certificate_of(thing)
    outcome = confirm_graph(graphs[0], certificate) if len(graphs) == 1 else confirm_comparison(graphs[0], graphs[1], certificate)
    assert outcome.accepted != bool(outcome.problem)
    return outcome.accepted


@pytest.mark.parametrize("name", BASES)
def test_accepted_as_written(name: str) -> None:
    assert accepted(BASES[name][0], written(name))


def put(**values: Any) -> Callable[[Thing], None]:
    return lambda thing: thing.update(values)


def drop(key: str) -> Callable[[Thing], None]:
    return lambda thing: thing.__delitem__(key)


def move(state: int, like: int) -> Callable[[Thing], None]:
    """Put a state into the block of another."""
    return lambda thing: thing["blocks"].__setitem__(state, thing["blocks"][like])


def block(state: int, number: Any) -> Callable[[Thing], None]:
    return lambda thing: thing["blocks"].__setitem__(state, number)


def finer_by(*formulas: str) -> Callable[[Thing], None]:
    """Every state alone, and formulas that tell many of them apart."""

    def change(thing: Thing) -> None:
        thing["blocks"] = list(range(len(thing["blocks"])))
        thing["formulas"] += formulas

    return change


def empty_block_above_all(thing: Thing) -> None:
    """Nothing can be said against a block without states."""
    count = len(thing["above"]) + 1
    rows = [bytearray.fromhex(row).ljust((count + 7) // 8, b"\0") for row in thing["above"]]
    rows.append(bytearray((count + 7) // 8))
    for row in rows:
        row[(count - 1) // 8] |= 128 >> (count - 1) % 8
    thing["above"] = [row.hex() for row in rows]
    thing["ways"] = [[[count - 1, [block]] for block in set(thing["blocks"])] for _ in thing["ways"]]


def merge_all(thing: Thing) -> None:
    thing["blocks"] = [0] * len(thing["blocks"])


def relate(lower: int, upper: int, *, value: bool = True) -> Callable[[Thing], None]:
    """Say that the block of one state is above that of another, or that it is not."""

    def change(thing: Thing) -> None:
        row, column = thing["blocks"][lower], thing["blocks"][upper]
        data = bytearray.fromhex(thing["above"][row])
        bit = 128 >> column % 8
        data[column // 8] = data[column // 8] | bit if value else data[column // 8] & ~bit
        thing["above"][row] = data.hex()

    return change


def relate_everything(thing: Thing) -> None:
    count = len(thing["above"])
    row = bytes((0xFF00 >> max(0, min(8, count - 8 * place))) & 0xFF for place in range((count + 7) // 8)).hex()
    thing["above"] = [row] * count


def way(number: int, change: Callable[[list[Any]], Any]) -> Callable[[Thing], None]:
    return lambda thing: change(thing["ways"][number])


WRONG: dict[str, tuple[str, Callable[[Thing], Any]]] = {
    "no kind": ("one", drop("kind")),
    "unknown kind": ("one", put(kind="proof")),
    "no relation": ("one", drop("relation")),
    "a relation that is a number": ("one", put(relation=1)),
    "unknown relation": ("one", put(relation="equality")),
    "no blocks": ("one", drop("blocks")),
    "blocks that are a word": ("one", put(blocks="000000")),
    "a block that is a word": ("one", block(0, "0")),
    "a block that is a truth value": ("one", block(0, True)),
    "a block that is a fraction": ("one", block(0, 0.5)),
    "a block that is null": ("one", block(0, None)),
    "a block far too large": ("one", block(0, 10**30)),
    "a block that is negative": ("one", block(0, -1)),
    "a block that leaves a hole": ("one", block(5, 99)),
    "one state too few": ("one", lambda thing: thing["blocks"].pop()),
    "one state too many": ("one", lambda thing: thing["blocks"].append(0)),
    "no states": ("one", put(blocks=[])),
    "all states in one block": ("one", merge_all),
    "a state in the wrong block": ("one", move(0, 1)),
    "a deadlock in the wrong block": ("order", move(3, 1)),
    "two blocks swapped in part": ("one", lambda thing: thing["blocks"].__setitem__(slice(0, 2), thing["blocks"][1::-1])),
    "states with different labels": ("labelled", merge_all),
    "labels ignored in an order": ("labelled order", merge_all),
    "initial states in different blocks": ("two", lambda thing: thing["blocks"].__setitem__(slice(6, 12), [3, 4, 5] * 2)),
    "all states of both in one block": ("two", merge_all),
    "a certificate of two for one": ("two", lambda thing: thing["blocks"].__delitem__(slice(6, 12))),
    "formulas that are no list": ("minimal", put(formulas="<a>true")),
    "a formula that is a number": ("minimal", lambda thing: thing["formulas"].append(7)),
    "a formula that is no formula": ("minimal", lambda thing: thing["formulas"].append("<a")),
    "a formula with an unknown name": ("minimal", lambda thing: thing["formulas"].append("X7")),
    "a formula less": ("minimal", lambda thing: thing["formulas"].pop()),
    "formulas that say nothing": ("minimal", put(formulas=["true"])),
    "a formula that tears a block": ("branching", lambda thing: thing["formulas"].append("<i>true")),
    "a finer partition called minimal": ("minimal", lambda thing: thing["blocks"].__setitem__(5, max(thing["blocks"]) + 1)),
    "branching: a finer partition, by a formula that sees too much": ("branching", finer_by("<a>true", "<<i>><b>true")),
    "branching: a finer partition, by divergence": ("branching", finer_by("diverges(true)")),
    "a block far too large for a table": ("one", block(5, 2**61)),
    "branching as strong": ("branching", put(relation="bisimulation")),
    "branching with divergence ignored": ("branching", put(relation="branching-bisimulation-divergence")),
    "branching: a state in the wrong block": ("branching", move(1, 2)),
    "branching: all in one block": ("branching", merge_all),
    "divergence: a state that cannot diverge": ("divergence", move(0, 2)),
    "divergence: minimal but finer": ("divergence", lambda thing: thing["blocks"].__setitem__(4, max(thing["blocks"]) + 1)),
    "two branching: a state in the wrong block": ("two branching", move(0, 1)),
    "two branching: initial states apart": ("two branching", lambda thing: thing["blocks"].__setitem__(0, 9)),
    "simulation: no rows": ("order", drop("above")),
    "simulation: a row less": ("order", lambda thing: thing["above"].pop()),
    "simulation: a row that is no word": ("order", lambda thing: thing["above"].__setitem__(0, 3)),
    "simulation: a row that is not hexadecimal": ("order", lambda thing: thing["above"].__setitem__(0, "zz")),
    "simulation: a row too long": ("order", lambda thing: thing["above"].__setitem__(0, "ffffffff")),
    "simulation: bits beyond the blocks": ("order", lambda thing: thing["above"].__setitem__(0, "ff")),
    "simulation: no word about the preorder": ("order", drop("preorder")),
    "simulation: the preorder as a number": ("order", put(preorder=1)),
    "simulation: not reflexive": ("order", relate(0, 0, value=False)),
    "simulation: a block that is not there": ("order", block(0, 40)),
    "simulation: a negative block": ("order", block(0, -2)),
    "simulation: a deadlock above all": ("order", relate(0, 3)),
    "simulation: less above more": ("order", relate(1, 2)),
    "simulation: everything related": ("order", relate_everything),
    "simulation: everything with one label or not": ("labelled order", relate_everything),
    "simulation: a state in the wrong block": ("order", move(1, 2)),
    "simulation: ready too": ("order", put(relation="ready-simulation")),
    "simulation: unknown relation": ("order", put(relation="traces")),
    "below: called an equivalence": ("below", put(preorder=False)),
    "below: initial states not related": ("below", relate(0, 5, value=False)),
    "equivalent: one direction missing": ("equivalent", relate(4, 0, value=False)),
    "equivalent: other direction missing": ("equivalent", relate(0, 4, value=False)),
    "ready: everything related": ("ready", relate_everything),
    "traces: no ways": ("traces", drop("ways")),
    "traces: ways that are a word": ("traces", put(ways="ab")),
    "traces: a pair that is none": ("traces", way(0, lambda pairs: pairs.append([1]))),
    "traces: a state that is a word": ("traces", way(0, lambda pairs: pairs.append(["1", [2]]))),
    "traces: one direction only": ("traces", lambda thing: thing["ways"].pop()),
    "traces: three directions": ("traces", lambda thing: thing["ways"].append([])),
    "traces: nothing said": ("traces", way(0, lambda pairs: pairs.clear())),
    "traces: a step missing": ("traces", way(0, lambda pairs: pairs.pop())),
    "traces: an empty set": ("traces", way(0, lambda pairs: pairs.__setitem__(0, [pairs[0][0], []]))),
    "traces: a block that is none": ("traces", way(0, lambda pairs: pairs.append([99, [0]]))),
    "traces: too few answers": ("traces", way(0, lambda pairs: pairs[-1][1].pop())),
    "traces: unknown relation": ("traces", put(relation="bisimulation")),
    "traces: a wrong simulation below": ("traces", relate_everything),
    "traces: of a block without states": ("traces", empty_block_above_all),
    "fewer traces: called equal": ("fewer traces", put(preorder=False)),
}


@pytest.mark.parametrize("name", WRONG)
def test_rejected(name: str) -> None:
    base, change = WRONG[name]
    thing = written(base)
    changed = deepcopy(thing)
    change(changed)
    assert changed != thing
    try:
        assert not accepted(BASES[base][0], changed)
    except InputError as error:
        assert error.diagnostic.hint


def test_there_are_many_kinds_of_wrong_certificates() -> None:
    assert len(WRONG) >= 50


def test_a_finer_partition_is_not_minimal_by_formulas_that_see_too_much() -> None:
    """`0 -i-> 1 -a-> 2`: states 0 and 1 are branching bisimilar, and <a>true tells them apart nevertheless."""
    graph = aut(3, "0 i 1", "1 a 2")
    thing = {"kind": "partition", "relation": "branching-bisimulation", "blocks": [0, 1, 2]}
    assert accepted([graph], thing)
    assert not accepted([graph], {**thing, "formulas": ["<a>true", "<<a>>true"]})
    assert not accepted([aut(3, "0 i 1", "1 i 1", "0 a 2", "1 a 2")], {**thing, "formulas": ["diverges(true)", "<<a>>true"]})


def test_a_block_without_states_shows_no_inclusion() -> None:
    """One graph does a twice, the other once. The block that nobody is in is above all, and its traces are those of any."""
    twice, once = aut(3, "0 a 1", "1 a 2"), aut(2, "0 a 1")
    rows = ["84", "44", "24", "14", "0c", "04"]
    thing = {"kind": "inclusion", "relation": "traces", "blocks": [0, 1, 2, 3, 4], "above": rows, "preorder": True}
    assert not accepted([twice, once], {**thing, "ways": [[[5, [3]]]]})


OTHERS = [
    ("one", [TWICE]), ("two", [STRONG, SMALLER]), ("order", [FORKED]), ("below", [SMALLER, FORKED]), ("traces", [STRONG, FORKED]),
]  # fmt: skip


@pytest.mark.parametrize(("name", "others"), OTHERS)
def test_rejected_for_other_graphs(name: str, others: list[Graph]) -> None:
    assert not accepted(others, written(name))
