"""Every option of `check` on every kind of property: it has an effect, or it is refused with a reason. None is ignored."""

from __future__ import annotations

from pathlib import Path

import pytest

import coarsest
from coarsest.check.engines import smc
from coarsest.errors import InputError
from coarsest.search import reachability
from command_lines import Runner

MODEL = "MODULE main VAR x : 0..3; ASSIGN init(x) := 0; next(x) := {x, (x + 1) mod 4};"
FORMULAS = {
    "invariant": "x < 4", "ctl": "AG EF x = 0", "ctl*": "E (G F x = 1)", "ltl": "x = 1 -> F x = 2", "psl": "never {x = 0; x = 2}",
    "compute": "MIN [x = 0, x = 2]",
}  # fmt: skip
ON_PATHS = {"ctl", "ctl*", "ltl", "psl", "compute"}
CONCERNED = {
    ("engine", "forward"): {"invariant"}, ("engine", "backward"): {"invariant"}, ("engine", "lee-yannakakis"): {"invariant"},
    ("engine", "bfh"): {"invariant"}, ("engine", "paige-tarjan"): {"invariant"},
    ("engine", "smc"): {"ltl", "psl"}, ("engine", "partitioned"): {"ltl", "psl"},
    ("ltl", "automaton"): {"ltl", "psl"}, ("ltl", "partitioned"): {"ltl", "psl"}, ("ltl", "tableau"): {"ltl"},
    ("fair", "lockstep"): ON_PATHS, ("fair", "one-way"): ON_PATHS, ("fair", "emerson-lei"): ON_PATHS,
    ("search", "chaining"): ON_PATHS | {"invariant"}, ("search", "breadth-first"): ON_PATHS | {"invariant"},
    ("safety", True): {"ltl"},
    ("property_variables", "top"): set(), ("encoding", "one-hot"): set(),  # without an automaton in variables
    ("reduce", "bisimulation"): ON_PATHS | {"invariant"}, ("cone", False): ON_PATHS | {"invariant"},
    ("relation", "monolithic"): ON_PATHS | {"invariant"}, ("order", "force"): ON_PATHS | {"invariant"},
}  # fmt: skip


@pytest.mark.parametrize("kind", FORMULAS)
@pytest.mark.parametrize("option, value", CONCERNED)
def test_what_would_have_no_effect_is_refused(option: str, value: object, kind: str) -> None:
    model = coarsest.loads(MODEL)
    formula = "x < 3 | X TRUE" if (option, kind) == ("safety", "ltl") else FORMULAS[kind]
    options = {option: value}
    if kind in CONCERNED[option, value]:
        assert model.check(formula, **options).answers[0].verdict.word == model.check(formula)[0].verdict.word  # type: ignore[arg-type]
        return
    with pytest.raises(InputError, match=r"belongs to|is for|cannot decide"):
        model.check(formula, **options)  # type: ignore[arg-type]


def test_among_several_properties_those_that_it_concerns_obey() -> None:
    for option, value in CONCERNED:
        if option not in ("safety", "property_variables", "encoding"):
            assert len(coarsest.loads(MODEL).check(*FORMULAS.values(), **{option: value})) == len(FORMULAS)  # type: ignore[arg-type]


@pytest.mark.parametrize("options", [
    {"engine": "smc", "ltl": "tableau"}, {"engine": "partitioned", "ltl": "automaton"}, {"ltl": "tableau", "encoding": "one-hot"},
    {"ltl": "partitioned", "property_variables": "top"}, {"engine": "partitioned", "encoding": "one-hot"},
])  # fmt: skip
def test_one_choice_leaves_no_room_for_another(options: dict[str, str]) -> None:
    with pytest.raises(InputError, match=r"belongs to|is not what"):
        coarsest.loads(MODEL).check("G F x = 0", **options)  # type: ignore[arg-type]


@pytest.mark.parametrize("options", [{"engine": "smc"}, {"ltl": "automaton", "encoding": "one-hot", "property_variables": "top"}])
@pytest.mark.parametrize("formula", ["G x < 4", "G F x = 0", "never {x = 0; x = 2}"])
def test_an_automaton_in_variables_where_one_is_asked_for(
    formula: str, options: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also for `G p`, which would be decided as an invariant."""
    asked: list[object] = []
    make = smc.automaton_product
    monkeypatch.setattr(smc, "automaton_product", lambda *args, **named: asked.append(named) or make(*args, **named))
    coarsest.loads(MODEL).check(formula, **options)  # type: ignore[arg-type]
    assert asked


@pytest.mark.parametrize("formula", ["x < 4", "AG EF x = 0", "MAX [x = 0, x = 3]"])
@pytest.mark.parametrize("search", ["chaining", "breadth-first"])
def test_states_are_looked_for_as_asked(search: str, formula: str, monkeypatch: pytest.MonkeyPatch) -> None:
    used: set[str] = set()
    for name in ("Chaining", "BreadthFirst"):
        kind = getattr(reachability, name)
        monkeypatch.setattr(kind, "advance", lambda self, run, name=name, go=kind.advance: used.add(name) or go(self, run))
    coarsest.loads(MODEL).check(formula, search=search)
    assert used == {"Chaining" if search == "chaining" else "BreadthFirst"}


@pytest.mark.parametrize("options", [
    {"bdd": "oxidd", "relation": "monolithic"}, {"order": "force"}, {"threads": 2}, {"reorder": False}, {"search": "chaining"},
    {"save_order": "o.ord"},
])  # fmt: skip
def test_formulas_have_no_bdds(options: dict[str, object]) -> None:
    with pytest.raises(InputError, match=r"belongs to"):
        coarsest.loads(MODEL).check("x < 4", carrier="smt", **options)  # type: ignore[arg-type]


GRAPHS = {
    "finite": "GRAPH g VERTEX a INITIAL ANT x = 0 VERTEX b FINAL CONS x < 2 EDGE a -> b",
    "fair": "GRAPH g VERTEX a INITIAL ANT TRUE CONS TRUE EDGE a -> a FAIR {a}",
}


@pytest.mark.parametrize("options, graph", [
    ({"fair": "lockstep"}, "finite"), ({"abstraction": "ternary", "prune": "early"}, "finite"),
    ({"abstraction": "ternary", "fair": "lockstep"}, "fair"), ({"abstraction": "ternary", "relation": "monolithic"}, "finite"),
    ({"abstraction": "ternary", "save_order": "o.ord"}, "finite"),
])  # fmt: skip
def test_graphs(options: dict[str, str], graph: str) -> None:
    with pytest.raises(InputError, match=r"belongs to"):
        coarsest.loads(MODEL).gste(GRAPHS[graph], **options)  # type: ignore[arg-type]


def test_the_order_of_a_reduction_is_saved(run: Runner) -> None:
    Path("m.smv").write_text(MODEL)
    assert run("reduce", "m.smv", "--observe", "x", "--save-order", "o.ord").code == 0
    assert "x" in Path("o.ord").read_text()
    assert run("check", "m.smv", "x < 4", "--engine", "smc").code == 2
