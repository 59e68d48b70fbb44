"""Generators as people write them, and those that the structure of a model shows."""

from __future__ import annotations

import builtins
from math import factorial
from typing import Any

import pytest

import coarsest
from coarsest.errors import InputError
from coarsest.model.machine import Machine
from coarsest.reduce.symmetry.group.declared import declared, read_generators
from coarsest.reduce.symmetry.group.detect import detected
from coarsest.reduce.symmetry.group.group import Group
from coarsest.reduce.symmetry.group.permutation import permutation
from coarsest.run import Run
from coarsest.text import Source

PARTS = """
MODULE part VAR x : boolean; y : 0..2;
MODULE main
VAR p1 : part; p2 : part; p3 : part; a : array 0..2 of boolean; turn : 1..3; who : {one, two, three}; big : 0..7;
"""


def machine() -> Machine:
    return coarsest.loads(PARTS).machine


def generators(text: str) -> list[Any]:
    return read_generators(Source("swap.sym", text), machine())


def test_instances_elements_and_values() -> None:
    assert generators("swap p1 p2  -- two of them\n\n# nothing here\nswap a[0] a[2], who: one three") == [
        permutation({"p1.x": "p2.x", "p2.x": "p1.x", "p1.y": "p2.y", "p2.y": "p1.y"}),
        permutation({"a[0]": "a[2]", "a[2]": "a[0]"}, {"who": {"one": "three", "three": "one"}}),
    ]


def test_a_rotation_takes_each_to_the_next() -> None:
    (turn,) = generators("rotate a[0]..a[2], turn: 1..3")
    assert turn.moves == {"a[0]": "a[1]", "a[1]": "a[2]", "a[2]": "a[0]"}
    assert turn.values == {"turn": {1: 2, 2: 3, 3: 1}}


def test_any_permutation_is_made_of_exchanges_of_neighbours() -> None:
    swaps = generators("permute p1..p3, turn: 1 2 3")
    assert len(swaps) == 2 and Group(swaps).order == 6
    assert swaps[1].values == {"turn": {2: 3, 3: 2}}


def test_comments_of_a_model_are_read() -> None:
    model = coarsest.loads(PARTS + "-- symmetry: swap p1 p3\n  --symmetry: swap p1 p2\n-- a symmetry: none\n")
    assert list(map(str, declared(model.machine))) == ["swap p1 p3", "swap p1 p2"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("swop p1 p2", "a generator begins with swap, rotate or permute; found 'swop'"),
        ("swap p1 p2 p3", "'swap' takes two things"),
        ("rotate p1", "'rotate' takes two things or more"),
        ("rotate p1 p2, turn: 1 2 3", "'rotate' takes two things or more, and as many in each part"),
        ("swap p1 p4", "there is no variable, instance or array element 'p4'"),
        ("swap pp1 p2", "did you mean 'p1'?"),
        ("swap turn big", "'big' is of type 0..7, and 'turn' of type 1..3"),
        ("swap p1 p2, whom: one two", "there is no variable 'whom'"),
        ("swap p1 p2, who: one four", "'four' is not a value of 'who'"),
        ("rotate p1..q3", "'p1..q3' cannot be counted"),
        ("swap", "'swap' takes two things"),
        ("swap p1.x p1.x", "two things are the same"),
    ],
)
def test_what_is_wrong_is_told_with_its_place(text: str, message: str) -> None:
    with pytest.raises(InputError) as error:
        generators(text)
    assert message in str(error.value) and "swap.sym:1:" in str(error.value)


# What the structure shows


def processes(number: int, word: str = "") -> str:
    """Identical processes that share a turn, by their numbers."""
    instances = "".join(f"p{i} : {word} one({i}, turn);\n" for i in range(1, number + 1))
    critical = " & ".join(f"!(p{i}.at = critical & turn != {i})" for i in range(1, number + 1))
    return f"""MODULE one(me, turn)
VAR at : {{idle, trying, critical}};
ASSIGN init(at) := idle;
  next(at) := case at = idle : {{idle, trying}}; at = trying & turn = me : critical; at = critical : {{critical, idle}};
                   TRUE : at; esac;
MODULE main
VAR turn : 1..{number};
{instances}
INVARSPEC {critical}
"""


def without_igraph(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if the library were not installed."""
    own = builtins.__import__

    def found(name: str, *args: Any, **kwargs: Any) -> Any:
        if name == "igraph":
            raise ImportError(name)
        return own(name, *args, **kwargs)

    monkeypatch.setattr(builtins, "__import__", found)


@pytest.mark.parametrize("library", [True, False])
@pytest.mark.parametrize("word", ["", "process"])
@pytest.mark.parametrize("number", [2, 5, 20])
def test_identical_processes_may_change_places(number: int, word: str, library: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    if library:
        pytest.importorskip("igraph")
    else:
        without_igraph(monkeypatch)
    symmetries = coarsest.loads(processes(number, word)).symmetries()
    assert symmetries.detected and all(one.is_symmetry for one in symmetries.generators)
    assert symmetries.order == factorial(number)
    assert symmetries.properties[0].order == factorial(number)


TOGGLE = """
MODULE main
VAR a : array 1..5 of boolean; i : 1..5;
ASSIGN init(a[1]) := FALSE; init(a[2]) := FALSE; init(a[3]) := FALSE; init(a[4]) := FALSE; init(a[5]) := FALSE;
  next(a[1]) := (i = 1) xor a[1]; next(a[2]) := (i = 2) xor a[2]; next(a[3]) := (i = 3) xor a[3];
  next(a[4]) := (i = 4) xor a[4]; next(a[5]) := (i = 5) xor a[5];
"""


@pytest.mark.parametrize("library", [True, False])
def test_a_scalarset_of_five_toggles_has_six_orbits(library: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Which of them is toggled is an input: what is left of a state is how many are on."""
    if not library:
        without_igraph(monkeypatch)
    symmetries = coarsest.loads(TOGGLE.replace("; i : 1..5;", "; IVAR i : 1..5;")).symmetries(count=True)
    assert (symmetries.order, symmetries.states, symmetries.orbits) == (factorial(5), 32, 6)


def test_priorities_are_no_symmetry() -> None:
    first = "next(turn) := case p1.at = trying : 1; p2.at = trying : 2; TRUE : turn; esac;"
    text = processes(2).replace("INVARSPEC", f"ASSIGN {first}\nINVARSPEC")
    assert coarsest.loads(text).symmetries().order == 1


def test_numbers_that_are_counted_with_keep_their_places() -> None:
    text = "MODULE main VAR n : 0..3; ASSIGN next(n) := (n + 1) mod 4;"
    assert detected(coarsest.loads(text).machine, Run()) == []
    text = "MODULE main VAR n : {a, b, c}; ASSIGN next(n) := {a, b, c};"
    assert coarsest.loads(text).symmetries().order == 6


def test_a_wrong_generator_comes_with_a_step(tmp_path: Any) -> None:
    (tmp_path / "wrong.sym").write_text("swap p1 p2")
    symmetries = coarsest.loads(processes(2)).symmetries(generators=str(tmp_path / "wrong.sym"))
    (wrong,) = symmetries.generators
    assert wrong.objection == "it maps a step to one that does not exist" and symmetries.order == 1
    assert wrong.witness is not None and len(wrong.witness.states) == 2
    assert "trying" in (wrong.witness.states[0]["p1.at"], wrong.witness.states[0]["p2.at"])
