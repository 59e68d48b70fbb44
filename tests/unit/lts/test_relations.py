"""The table of relations: what it names exists, the documentation says the same, and a relation can be added from outside.

The relation that is added: two graphs are related if their initial states can do the same actions at once.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

import numpy as np
import pytest

import coarsest
from coarsest.api.options import CompareOptions, GraphReduceOptions, ReduceOptions
from coarsest.cli.commands.reduce import command as reduce_command
from coarsest.errors import InputError
from coarsest.logic.modal.hennessy_milner import Builder
from coarsest.lts import relations
from coarsest.lts.certificates import CertificateCheck, PartitionCertificate
from coarsest.lts.compare.comparison import Comparison, Difference
from coarsest.lts.judge.transitions import Transitions
from coarsest.lts.labelled import Graph
from coarsest.lts.minimise.minimise import Minimised
from coarsest.lts.minimise.minimise import minimise as minimise_by_bisimulation
from coarsest.lts.minimise.quotient import merged
from coarsest.lts.relation import Method, Relation, Transformation, function_of
from coarsest.lts.relations import names, registered
from coarsest.options.option import words
from coarsest.run import Run
from command_lines import Runner

DOCS = Path(__file__).parents[3] / "docs"


def menu(graph: Graph, state: int) -> frozenset[str]:
    begin, end = graph.offsets[state], graph.offsets[state + 1]
    return frozenset(graph.action_names[action] for action in graph.actions[begin:end])


def by_menu(graph: Graph) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    menus = [menu(graph, state) for state in range(graph.states)]
    numbers = {seen: number for number, seen in enumerate(dict.fromkeys(menus))}
    return np.array([numbers[seen] for seen in menus], dtype=np.int64)


def minimise(graph: Graph, *, algorithm: str, keep_unreachable: bool, run: Run | None) -> Minimised:
    blocks = by_menu(graph)
    last = minimise_by_bisimulation(merged(graph, blocks), keep_unreachable=True, run=run)
    return Minimised(last.graph, last.state_of[blocks], "menu", algorithm.replace("auto", "counting"), graph.transitions)


def compare(both: Graph, first_states: int, run: Run) -> Comparison:
    blocks = by_menu(both)
    one, other = (int(state) for state in both.initial)
    if blocks[one] == blocks[other]:
        return Comparison("menu", False, PartitionCertificate("menu", blocks))
    make, mine, theirs = Builder(), menu(both, one), menu(both, other)
    side = 0 if mine - theirs else 1
    action = min(mine - theirs or theirs - mine)
    return Comparison("menu", False, difference=Difference(make.formula(make.diamond(action, make.true)), side))


def certify(graph: Graph, run: Run, *, minimal: bool) -> PartitionCertificate:
    return PartitionCertificate("menu", by_menu(graph))


def judge(columns: Transitions, certificate: PartitionCertificate) -> CertificateCheck:
    able: dict[int, set[int]] = {state: set() for state in range(columns.states)}
    for source, action in zip(columns.sources.tolist(), columns.actions.tolist()):
        able[source].add(action)
    menus: dict[int, set[int]] = {}
    for state, block in enumerate(certificate.blocks.tolist()):
        if able[state] != menus.setdefault(block, able[state]):
            return CertificateCheck(f"state {state} of block {block} can do other actions")
    return CertificateCheck("", {"blocks": len(menus), "minimal": False})


MENU = Relation(
    name="menu", related="graphs that can do the same at once", told_apart="an action", compare=compare, judge=judge,
    minimise=minimise, certify=certify, preserves="formulas of depth 1",
    choices={"auto": "`counting`", "counting": "by counting actions"},
    methods=(Method("counting", "minimise by menus", "reduce --by menu", "lts/rounds/signatures_blom_orzan.py"),),
)  # fmt: skip

FIRST = 'des (0, 5, 5)\n(0, "a", 1)\n(0, "b", 2)\n(1, "a", 3)\n(2, "a", 4)\n(3, "a", 3)\n'
SECOND = 'des (0, 3, 2)\n(0, "a", 1)\n(0, "b", 1)\n(1, "a", 1)\n'
THIRD = 'des (0, 1, 2)\n(0, "a", 1)\n'


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name, text in (("first", FIRST), ("second", SECOND), ("third", THIRD)):
        Path(f"{name}.aut").write_text(text)


@pytest.mark.usefixtures("files")
def test_a_relation_from_outside_in_python() -> None:
    first, second, third = (coarsest.read_graph(f"{name}.aut") for name in ("first", "second", "third"))
    with registered(MENU):
        small = first.reduce(by="menu")
        assert (small.graph.states, small.relation, small.confirmed) == (3, "menu", True)
        assert first.reduce(by="menu", algorithm="counting").algorithm == "counting"
        with pytest.raises(InputError, match="no algorithm 'valmari' for graphs"):
            first.reduce(by="menu", algorithm="valmari")
        assert coarsest.compare(first, second, by="menu").related
        assert coarsest.compare(first, small.graph, by="menu").related
        different = coarsest.compare(first, third, by="menu")
        assert different.difference is not None
        assert str(different.difference.formula) == "<b>true"
        with pytest.raises(InputError, match="an equivalence, not a preorder"):
            coarsest.compare(first, second, by="menu", preorder=True)
        assert [one.name for one in coarsest.algorithms() if one.task == "minimise by menus"] == ["counting"]
    with pytest.raises(InputError, match="not reduced by 'menu'"):
        first.reduce(by="menu")


@pytest.mark.usefixtures("files")
def test_a_relation_from_outside_on_the_command_line(run: Runner) -> None:
    with registered(MENU):
        reduced = run("reduce", "first.aut", "--by", "menu", "--json", "-o", "small.aut", "--certificate", "classes.json")
        assert reduced.code == 0, reduced
        facts = json.loads(reduced.out)
        assert (facts["states"]["after"], facts["preserves"], facts["confirmed"]) == (3, "formulas of depth 1", True)
        assert run("reduce", "first.aut", "--by", "menu", "--algorithm", "counting").code == 0
        assert run("compare", "first.aut", "small.aut", "--by", "menu").out.startswith("related by menu\n")
        assert run("compare", "first.aut", "third.aut", "--by", "menu").code == 1
        assert run("compare", "first.aut", "second.aut", "--by", "menu", "--certificate", "proof.json").code == 0
        assert run("confirm", "first.aut", "classes.json").code == 0
        assert run("confirm", "first.aut", "second.aut", "proof.json").code == 0
        wrong = {**json.loads(Path("classes.json").read_text()), "blocks": [0] * 5}
        Path("wrong.json").write_text(json.dumps(wrong))
        assert "can do other actions" in run("confirm", "first.aut", "wrong.json").out
        assert "menu" in run("compare", "--help", "all").out
        assert "menu" in run("compare", "first.aut", "second.aut", "--by", "mneu").err
        assert "counting" in run("reduce", "--help", "all").out
        assert run("reduce", "first.aut", "--algorithm", "paige-tarjan").err.endswith("valmari, rounds, counting\n")
    assert run("reduce", "first.aut", "--by", "menu").code == 2
    assert run("confirm", "first.aut", "classes.json").code == 1


def test_options_have_the_words_of_the_table() -> None:
    with registered(MENU):
        assert words(CompareOptions, "by") == names()
        assert words(GraphReduceOptions, "by") == tuple(relations.reductions())
        of_anything = reduce_command.parser()._option_string_actions["--by"].choices
        assert "menu" in names() and set(of_anything or ()) == {*relations.reductions(), "words", "symmetry"}
        assert words(GraphReduceOptions, "algorithm") == ("auto", "signatures", "valmari", "rounds", "counting")
        assert words(ReduceOptions, "algorithm")[-2:] == ("rounds", "counting")
    assert "counting" not in words(ReduceOptions, "algorithm")


@pytest.mark.parametrize("name", names())
def test_what_a_relation_names_exists(name: str) -> None:
    relation = relations.relations()[name]
    for work in (relation.compare, relation.judge, relation.minimise, relation.certify):
        assert work is None or callable(function_of(work))
    assert (relation.minimise is None) == (not relation.preserves)
    assert (relation.minimise is None or relation.fair) == (relation.certify is None)
    assert set(relation.implies) <= set(names())


@pytest.mark.parametrize("transformation", relations.TRANSFORMATIONS)
def test_what_a_transformation_names_exists(transformation: Transformation) -> None:
    assert callable(function_of(transformation.work))
    assert transformation.keeps in names(reducing=True)
    assert transformation.name not in names()


def test_the_documentation_has_the_same_table() -> None:
    text = (DOCS / "compare.md").read_text(encoding="utf-8")
    rows = [f"| `{one.name}` | {one.related} | {one.told_apart} |" for one in relations.relations().values()]
    assert "\n".join(["|---|---|---|", *rows, ""]) in text
    prose = " ".join(text.split())
    preorders = re.search(r"With `--preorder`, (.*?) ask only", prose)
    assert preorders is not None
    assert tuple(re.findall(r"`([\w-]+)`", preorders.group(1))) == names(preorder=True)
    reduced = re.search(r"takes graphs by the same relations: (.*?)\. ", prose)
    assert reduced is not None
    assert tuple(re.findall(r"`([\w-]+)`", reduced.group(1))) == names(reducing=True)
