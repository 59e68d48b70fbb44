"""Unknown bits: operators, names to be kept, wrong use, the words of an answer."""

from __future__ import annotations

import json
from itertools import product
from pathlib import Path

import pytest

from coarsest.api.model import loads
from coarsest.bdd.packages import new_manager
from coarsest.check.engines.gste_ternary import named
from coarsest.cli.app import main
from coarsest.errors import InputError, NameProblem, Unsupported
from coarsest.logic.expr import Apply, Constant, Name
from coarsest.space.ternary.ternary import RailManager, Rails
from coarsest.space.ternary.ternary_circuit import TernaryCircuit
from coarsest.space.ternary.ternary_refine import TernaryRefinement

EXAMPLES = Path(__file__).parents[3] / "examples"
VALUES = {"0": (False, True), "1": (True, False), "X": (True, True)}
MODEL = """MODULE main
IVAR go : boolean; data : word[2];
FROZENVAR any : word[2];
VAR held : word[2]; old : array 0..1 of word[2]; odd : boolean;
DEFINE busy := go & odd;
ASSIGN next(held) := go ? data : held; next(old[0]) := held; next(old[1]) := old[0]; odd := bool(held[0:0]);
"""


def test_operators_are_those_of_three_values() -> None:
    """As Kleene has it: known where all values of the unknown ones give the same."""
    manager = new_manager()
    rails = RailManager(manager, lambda place: Rails(manager.true, manager.true, manager.false))

    def bit(name: str) -> Rails[object]:
        one, zero = VALUES[name]
        return Rails(manager.true if one else manager.false, manager.true if zero else manager.false, manager.false)

    def shown(found: Rails[object]) -> str:
        pair = (found.one == manager.true, found.zero == manager.true)
        return next(name for name, value in VALUES.items() if value == pair)

    def possible(*names: str) -> product[tuple[bool, ...]]:
        return product(*([name == "1"] if name != "X" else [False, True] for name in names))

    def hull(values: set[bool]) -> str:
        return "X" if len(values) > 1 else str(int(values.pop()))

    for a, b in product(VALUES, repeat=2):
        assert shown(bit(a) & bit(b)) == hull({x and y for x, y in possible(a, b)})
        assert shown(bit(a) | bit(b)) == hull({x or y for x, y in possible(a, b)})
        assert shown(bit(a) ^ bit(b)) == hull({x != y for x, y in possible(a, b)})
        assert shown(~bit(a)) == hull({not x for (x,) in possible(a)})
        for c in VALUES:
            assert shown(rails.ite(bit(c), bit(a), bit(b))) == hull({x if z else y for x, y, z in possible(a, b, c)})


def test_unknown_bits_are_not_the_same_bit() -> None:
    true, false = (manager := new_manager()).true, manager.false
    one, other = Rails(true, true, false), Rails(true, true, false)
    assert one == one  # a bit is itself
    assert one != other
    assert Rails(true, false, false) == Rails(true, false, false)


def test_a_choice_that_fails_may_hold_as_well() -> None:
    """!(x | {TRUE, FALSE}) can be true where x is false, though the choice alone is never surely false."""
    model = loads("MODULE main VAR x : boolean; y : boolean; DEFINE d := {TRUE, y}; ASSIGN next(x) := y; next(y) := x;")
    circuit = TernaryCircuit(model.machine, new_manager(), kept=())
    condition = Apply("not", (Apply("or", (Name("x"), Name("d"))),))
    state = TernaryRefinement(circuit).where(circuit.initial(), condition)
    assert state.domain == circuit.manager.true
    assert TernaryRefinement(circuit).where(circuit.initial(), Constant(False)).domain == circuit.manager.false


def test_names_to_be_kept() -> None:
    machine = loads(MODEL).machine
    assert list(named(machine, ["held"])) == ["held"]
    assert list(named(machine, ["old"])) == ["old[0]", "old[1]"]
    with pytest.raises(NameProblem) as unknown:
        list(named(machine, ["hold"]))
    assert "did you mean 'held'?" in str(unknown.value)
    with pytest.raises(InputError) as definition:
        list(named(machine, ["busy"]))
    assert "it depends on go, odd" in str(definition.value)
    with pytest.raises(InputError) as equation:
        list(named(machine, ["odd"]))
    assert "keep what it depends on: held" in str(equation.value)


@pytest.mark.parametrize("word", ["TRANS next(x) = x", "INVAR x"])
def test_only_circuits(word: str) -> None:
    model = loads(f"MODULE main VAR x : boolean; {word}")
    with pytest.raises(Unsupported, match="is for circuits"):
        model.gste("GRAPH g VERTEX a INITIAL FINAL CONS x", abstraction="ternary")


def test_precision_needs_an_abstraction() -> None:
    with pytest.raises(InputError, match="--precise belongs to --abstraction ternary, and --abstraction is none here"):
        loads(MODEL).gste("GRAPH g VERTEX a INITIAL FINAL", precise=["held"])


def test_values_travel() -> None:
    """What is read after two steps is what was there before; with an equation for all times on the way."""
    graph = """GRAPH g VERTEX a INITIAL ANT go & data = any VERTEX b ANT !go CONS held = any & (odd <-> bool(any[0:0]))
      VERTEX c FINAL CONS old[0] = any & held = any EDGE a -> b -> c"""
    report = loads(MODEL).gste(graph, abstraction="ternary")
    assert report.holds
    assert report[0].confirmed
    assert report[0].statistics["precise_bits"] == 2


def test_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    files = [str(EXAMPLES / "memory.smv"), str(EXAMPLES / "memory.ag")]
    assert main(["gste", *files, "--abstraction", "ternary", "--json"]) == 1
    remembers, for_ever = json.loads(capsys.readouterr().out)["properties"]
    assert remembers["verdict"] == "unknown"
    assert remembers["reason"].startswith("of abstraction: after 3 steps the consequent of vertex load may be violated")
    assert for_ever["verdict"] == "fails" and for_ever["confirmed"]
    assert for_ever["graph"]["vertices"][-1] == "load"
    precise = ["--precise", "write", "--precise", "address"]
    assert main(["gste", *files, "--abstraction", "ternary", *precise, "--json"]) == 1
    remembers = json.loads(capsys.readouterr().out)["properties"][0]
    assert remembers["verdict"] == "holds"
    assert remembers["statistics"]["abstract_bits"] > 10 * remembers["statistics"]["precise_bits"] / 2
    assert main(["gste", *files, "--precise", "write"]) == 2
    assert main(["gste", *files, "--abstraction", "ternary", "--precise", "wrote"]) == 2
    assert "did you mean 'write'?" in capsys.readouterr().err


def test_vacuous_graphs_are_told() -> None:
    report = loads(MODEL).gste("GRAPH g VERTEX a INITIAL ANT go & !go VERTEX b FINAL EDGE a -> b", abstraction="ternary")
    assert report.holds
    assert "holds vacuously" in report[0].warnings[0]


def test_limits(capsys: pytest.CaptureFixture[str]) -> None:
    files = [str(EXAMPLES / "memory.smv"), str(EXAMPLES / "memory.ag")]
    assert main(["gste", *files, "--abstraction", "ternary", "--nodes", "5"]) == 3
    assert "limit" in capsys.readouterr().out


ABOUT_EVERY_PATH = "GRAPH g VERTEX a INITIAL EDGE a -> a"


@pytest.mark.parametrize("confirm", ["auto", "never"])
@pytest.mark.parametrize(
    ("fairness", "warning"),
    [
        ("INIT n = 1 INIT n = 2", "there is no initial state: every graph holds"),
        ("JUSTICE n = 1", ""),
        ("JUSTICE FALSE", "no fair path starts in any initial state"),
    ],
)
def test_what_makes_a_verdict_hollow_is_told(fairness: str, warning: str, confirm: str) -> None:
    model = loads(f"MODULE main VAR n : 0..3; ASSIGN next(n) := (n + 1) mod 4; {fairness}")
    report = model.gste(ABOUT_EVERY_PATH, abstraction="ternary", confirm=confirm)
    assert report.holds
    if warning and confirm == "never" and "JUSTICE" in fairness:
        warning = "it is not known whether a fair path starts in any initial state: none of up to 12 steps"
    assert len(report.warnings) == bool(warning) and "".join(report.warnings).startswith(warning)
