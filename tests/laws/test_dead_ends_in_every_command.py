"""Dead ends mean one thing: what `check` says survives `reduce`, holds below by `compare`, agrees with `prove`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest
from msgspec.structs import replace

from campaigns import blocks
from coarsest import Model, compare, prove, read_graph
from coarsest.api.graph import Graph
from coarsest.errors import InputError
from coarsest.formats.smv.write import write
from coarsest.lts.relations import relations
from coarsest.model.machine import Machine
from random_graph_formulas import branching, random_graph
from random_graph_pairs import changed_graph
from random_machines import random_graph_machine, with_fairness

GRAPHS, MODELS = 40, 25
"""So many are in a block."""
FORKED = ["des (0,3,4)", '(0,"a",1)', '(0,"a",2)', '(2,"b",3)']


def universal(random: Random, depth: int) -> str:
    """A formula about all paths; `not` stands before labels only."""
    if depth == 0:
        return random.choice(("p", "q", "!p", "[a]false", "[b]false"))
    inner, other = universal(random, depth - 1), universal(random, depth - 1)
    return random.choice((
        f"({inner} & {other})", f"({inner} | {other})", f"AX ({inner})", f"AG ({inner})", f"AF ({inner})", f"[a]({inner})",
        f"[b]({inner})", f"A [{inner} U {other}]",
    ))  # fmt: skip


def linear(random: Random, depth: int) -> str:
    return f"{random.choice('XGF')} ({along_a_path(random, depth - 1)})"


def along_a_path(random: Random, depth: int) -> str:
    if depth == 0:
        return random.choice(("p", "q", "a", "b", "a | b"))
    inner, other = along_a_path(random, depth - 1), along_a_path(random, depth - 1)
    return random.choice((
        f"!({inner})", f"({inner} & {other})", f"X ({inner})", f"G ({inner})", f"F ({inner})", f"(({inner}) U ({other}))",
    ))  # fmt: skip


def about_labels(random: Random, depth: int) -> str:
    if depth == 0:
        return random.choice(("p", "q"))
    inner, other = about_labels(random, depth - 1), about_labels(random, depth - 1)
    return random.choice((f"!({inner})", f"({inner} & {other})", f"AG ({inner})", f"EF ({inner})", f"AF ({inner})",
                          f"EG ({inner})", f"A [{inner} U {other}]", f"E [{inner} U {other}]"))  # fmt: skip


def existential(random: Random, depth: int) -> str:
    return f"!({universal(random, depth)})"


def combined(random: Random, depth: int) -> str:
    return f"({existential(random, depth)}) -> ({universal(random, depth)})"


LOGICS: dict[str, tuple[Callable[[Random, int], str], ...]] = {
    "the modal mu-calculus": (branching, universal, linear),
    "CTL* without X or actions": (about_labels,),
    "ACTL* and ECTL*": (universal, existential, combined, linear),
    "ACTL*": (universal, linear),
}
"""What is claimed, and formulas of it."""


def holds(graph: Graph, text: str) -> bool:
    return graph.check(text, confirm="never").holds


def stuck(graph: Graph) -> bool:
    return len(set(graph.sources.tolist())) < graph.states


@pytest.mark.parametrize("block", blocks(10, by_day=1))
def test_verdicts_survive_reductions(block: int) -> None:
    """For every relation that claims a logic which `check` understands."""
    seen = set()
    for seed in range(block * GRAPHS, (block + 1) * GRAPHS):
        random = Random(f"dead ends of graphs {seed}")
        graph = random_graph(random)
        for relation in relations().values():
            if not relation.minimise:
                continue
            small = graph.reduce(by=relation.name, confirm="always")
            claimed = (small.facts.preserves or "").removesuffix(" without the label accepting")
            for make in LOGICS.get(claimed, ()):
                text = make(random, 2)
                assert holds(graph, text) == holds(small.graph, text), (seed, relation.name, text)
                seen.add((relation.name, stuck(graph), holds(graph, text)))
    by = {"bisimulation", "branching-bisimulation-divergence", "simulation", "direct", "delay"}
    assert seen == {(name, dead, word) for name in by for dead in (False, True) for word in (False, True)}


@pytest.mark.parametrize("block", blocks(10, by_day=1))
def test_what_is_above_holds_below(block: int) -> None:
    related = set()
    for seed in range(block * GRAPHS, (block + 1) * GRAPHS):
        random = Random(f"below {seed}")
        above = random_graph(random, 4)
        below = Graph.of(changed_graph(random, above)) if random.random() < 0.6 else random_graph(random, 4)
        texts = [make(random, 2) for make in (universal, universal, linear, linear)]
        for by in ("simulation", "ready-simulation", "direct", "delay", "game", "exists"):
            if compare(below, above, by=by, preorder=True).related:
                related.add((by, stuck(below)))
                assert all(holds(below, text) for text in texts if holds(above, text)), (seed, by, texts)
    assert len(related) == 12


def test_an_example(tmp_path: Path) -> None:
    (tmp_path / "forked.aut").write_text("\n".join(FORKED) + "\n", encoding="utf-8")
    graph = read_graph(tmp_path / "forked.aut")
    for by in ("simulation", "direct", "delay"):
        small = graph.reduce(by=by)
        assert small.graph.transitions == 3 and not small.graph.check("F b").holds
    assert graph.reduce(by="finite-simulation").graph.check("F b").holds
    small = graph.reduce(by="finite-simulation").graph
    assert str(compare(graph, small, by="simulation").difference.formula) == "<a>deadlock"  # type: ignore[union-attr]
    assert not compare(graph, small, by="game", preorder=True).related


def pair_of_models(seed: int) -> tuple[Machine, Machine]:
    """Without inputs: two machines over the same variable, the second often with fewer constraints, or with others."""
    random = Random(f"dead ends of models {seed}")
    machines: list[Machine] = []
    while len(machines) < 2:
        machine = random_graph_machine(random, nodes=4)
        if len(machine.variables) == 1 and (not machines or machines[0].variables == machine.variables):
            machines.append(replace(machine, name="walk", definitions={}))
    left, right = machines
    if random.random() < 0.6:
        right = replace(left, transition_constraints=(), justice=())
    if random.random() < 0.3:
        right = with_fairness(random, right)
        right = replace(right, justice=right.justice[:1], compassion=())
    return (left, right) if random.random() < 0.7 else (right, left)


@pytest.mark.parametrize("block", blocks(8, by_day=1))
def test_compare_and_prove_agree(block: int, tmp_path: Path) -> None:
    """By game, on quotients and on sets of pairs, where all paths of the first model are fair: `prove` claims no more."""
    seen = set()
    for seed in range(block * MODELS, (block + 1) * MODELS):
        left, right = pair_of_models(seed)
        if left.justice:
            continue
        (tmp_path / "left.smv").write_text(write(left), encoding="utf-8")
        (tmp_path / "right.smv").write_text(write(right), encoding="utf-8")
        script = "component l = left.smv\ncomponent r = right.smv\nstep l <= r\nconclude l |= TRUE\n"
        (tmp_path / "both.proof").write_text(script, encoding="utf-8")
        observe = [f"s = {value}" for value in left.variables["s"].type.values()]
        try:
            proved = prove(tmp_path / "both.proof")[0].verdict.word == "holds"
            words = [compare(Model(left), Model(right), by="game", preorder=True, observe=observe, algorithm=algorithm).related
                     for algorithm in ("quotients", "pairs")]  # fmt: skip
        except InputError:
            continue
        assert words == [proved, proved], seed
        warnings = Model(left).check("AG EX TRUE").warnings
        seen.add((bool(warnings), proved))
        if proved:
            for text in ("AF s = 1", "AG (s = 0 -> AX s = 0)", "F G s = 0", "AG s != 2", "AX AX s = 1"):
                assert Model(left).check(text).holds or not Model(right).check(text).holds, (seed, text)
    assert len(seen) == 4
