"""What `reduce --quotient` says that it preserves is what `check` says of the quotient that it has written; nothing more is."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import pytest

from command_lines import Runner, runner

MODELS = 40
QUOTIENTS = ("smallest", "all", "some")
BROTHERS = """MODULE main
VAR at : 0..7;
DEFINE b := at in {1, 2, 7}; c := at in {3, 4}; d := at = 5; e := at = 6;
ASSIGN
  init(at) := 0;
  next(at) := case
    at = 0 : {1, 2, 7};
    at = 1 : {3, 4};
    at = 2 : 3;
    at = 3 : {5, 6};
    at in {4, 7} : at = 4 ? 5 : 4;
    TRUE : at;
  esac;
"""
"""States 1 and 2 simulate each other, and 1 has a step to a little brother, 4. State 7 is a little brother itself."""


@pytest.fixture
def coarsest(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Runner:
    return runner(monkeypatch, capsys)


def formula(random: Random, quantifier: str, depth: int) -> str:
    """Of ACTL or ECTL: with negations of letters only."""
    if not depth:
        return random.choice(("p", "q", "!p", "!q"))
    one, other = (formula(random, quantifier, depth - 1) for _ in range(2))
    return random.choice((
        f"({one} & {other})", f"({one} | {other})", *(f"{quantifier}{word} ({one})" for word in "XGF"),
        f"{quantifier} [({one}) U ({other})]",
    ))  # fmt: skip


def random_model(random: Random) -> str:
    """A structure whose states have one of four labels, with several initial states, and formulas of three logics."""
    states = random.randint(3, 8)
    cases = [f"    at = {s} : {{{', '.join(str(random.randrange(states)) for _ in range(random.randint(1, 3)))}}};"
             for s in range(states)]  # fmt: skip
    initial = ", ".join(map(str, random.sample(range(states), random.randint(1, states))))
    holding = [", ".join(map(str, random.sample(range(states), states // 2))) for _ in "pq"]
    claims = [f"CTLSPEC NAME {which}{number} := {formula(random, which, 2)};" for which in "AE" for number in range(3)]
    along = [formula(random, "", 2).replace("[", "(").replace("]", ")") for _ in range(2)]
    claims += [f"LTLSPEC NAME path{number} := {text};" for number, text in enumerate(along)]
    return "\n".join([
        "MODULE main", f"VAR at : 0..{states - 1};", *(f"DEFINE {p} := at in {{{some}}};" for p, some in zip("pq", holding)),
        f"ASSIGN init(at) := {{{initial}}};", "  next(at) := case", *cases, "  esac;", *claims, "",
    ])  # fmt: skip


def verdicts(coarsest: Runner, path: Path) -> dict[str, str]:
    code, out, err = coarsest("check", str(path), "--json")
    assert code in (0, 1), err
    return {answer["name"]: answer["verdict"] for answer in json.loads(out)["properties"]}


@pytest.mark.parametrize("made", QUOTIENTS)
def test_what_is_said_to_be_preserved_is(made: str, tmp_path: Path, coarsest: Runner) -> None:
    seen, left_out = set(), 0
    model, small = tmp_path / "model.smv", tmp_path / "small.smv"
    for seed in range(MODELS):
        model.write_text(random_model(Random(f"quotients {seed}")), encoding="utf-8")
        code, out, err = coarsest(
            "reduce", str(model), "--by", "simulation", "--quotient", made, "--confirm", "always", "-o", str(small)
        )
        assert code == 0 and "confirmed" in out, err
        expected, verdict = verdicts(coarsest, model), verdicts(coarsest, small)
        assert verdict.items() <= expected.items(), seed
        both = "preserves    ACTL* and ECTL* over" in out
        assert verdict.keys() >= {name for name in expected if both or not name.startswith("E")}, seed
        assert both or made == "smallest", "only the smallest structure may leave out an initial state"
        left_out += not both
        seen |= {(name.rstrip("012"), word) for name, word in verdict.items()}
    assert seen == {(name, word) for name in ("A", "E", "path") for word in ("holds", "fails")}
    assert bool(left_out) == (made == "smallest")


@pytest.mark.parametrize(
    ("formula", "true_of"),
    [
        ("AG (b -> AX EX e)", {"smallest"}),
        ("AG (b -> EX EX e)", {"smallest"}),
        ("EF (b & AX EX e)", {"model", "smallest", "all"}),
        ("EF (b & AX AX d)", {"model", "all", "some"}),
        ("AG (b -> EX d | EX EX d)", {"model", "smallest", "all", "some"}),
    ],
)
def test_nested_quantifiers_are_not_preserved(formula: str, true_of: set[str], tmp_path: Path, coarsest: Runner) -> None:
    """A formula that mixes quantifiers may be true of the model and false of a quotient, or the other way round."""
    paths = {made: tmp_path / f"{made}.smv" for made in ("model", *QUOTIENTS)}
    paths["model"].write_text(BROTHERS, encoding="utf-8")
    for made in QUOTIENTS:
        arguments = ("--observe", "b", "c", "d", "e", "--by", "simulation", "--quotient", made, "-o", str(paths[made]))
        assert coarsest("reduce", str(paths["model"]), *arguments).code == 0
    assert {made for made, path in paths.items() if coarsest("check", str(path), formula).code == 0} == true_of


@pytest.mark.parametrize("made", QUOTIENTS)
def test_a_graph_and_its_quotient(made: str, tmp_path: Path, coarsest: Runner) -> None:
    """The same of explicit graphs, whose formulas are those of Hennessy and Milner."""
    graph, small = tmp_path / "graph.aut", tmp_path / "small.aut"
    graph.write_text('des (0, 5, 5)\n(0, "a", 1)\n(0, "a", 2)\n(1, "b", 3)\n(1, "c", 4)\n(2, "b", 3)\n', encoding="utf-8")
    code, out, _ = coarsest("reduce", str(graph), "--by", "simulation", "--quotient", made, "-o", str(small))
    assert code == 0 and "ACTL* and ECTL*" in out
    for formula, code in (("<a>(<b>true & <c>true)", 0), ("[a]<c>true", 0 if made == "smallest" else 1)):
        assert coarsest("check", str(small), formula).code == code
    assert coarsest("check", str(graph), "[a]<c>true").code == 1


def test_little_brothers_alone(tmp_path: Path, coarsest: Runner) -> None:
    """The other transitions stay, and so do states that simulate each other."""
    graph, small = tmp_path / "graph.aut", tmp_path / "small.aut"
    rows = '(0, "a", 1)\n(0, "a", 2)\n(1, "b", 3)\n(1, "c", 4)\n(2, "b", 3)\n'
    graph.write_text(f"des (0, 5, 5)\n{rows}", encoding="utf-8")
    code, out, _ = coarsest("reduce", str(graph), "--by", "little-brothers", "-o", str(small))
    assert code == 0 and "confirmed" in out
    assert small.read_text(encoding="utf-8").splitlines() == ["des (0, 3, 4)", '(0, "a", 1)', '(1, "b", 2)', '(1, "c", 3)']


def test_where_there_is_no_such_quotient(tmp_path: Path, coarsest: Runner) -> None:
    path = tmp_path / "brothers.smv"
    path.write_text(BROTHERS, encoding="utf-8")
    for by in ("bisimulation", "delay", "symmetry"):
        code, _, err = coarsest("reduce", str(path), "--by", by, "--quotient", "all")
        assert code == 2 and "--quotient belongs to --by simulation" in err
