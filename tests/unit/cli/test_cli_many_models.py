"""Several models at once, verdicts that are expected, and warnings that count: what build servers need."""

from __future__ import annotations

import json
import re
from pathlib import Path
from xml.etree import ElementTree

import pytest
import yaml

import coarsest
from coarsest.api.expectations import expected_beside
from coarsest.formats import FileKind, kind_of
from command_lines import Runner

TOGGLE = "MODULE main VAR x : boolean; ASSIGN init(x) := FALSE; next(x) := !x;\n"
FAILING = TOGGLE + "INVARSPEC NAME low := !x  -- expect: fails\nLTLSPEC G F x\n"
HOLDING = TOGGLE + "-- expect: holds\nINVARSPEC NAME any := x | !x\n"
STUCK = "MODULE main VAR x : 0..2; INIT x = 0 TRANS next(x) = x + 1 INVARSPEC x < 3\n"


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name, text in {"a.smv": FAILING, "b.smv": HOLDING, "plain.smv": FAILING.replace("-- expect: fails", "")}.items():
        Path(name).write_text(text)
    Path("stuck.smv").write_text(STUCK)
    Path("loop.aut").write_text("des (0, 1, 1)\n(0, a, 0)\n")


LINES = ["a.smv", "fails    low: !x  (as expected)", "holds    G F x", "b.smv", "holds    any: x | !x  (as expected)"]


@pytest.mark.parametrize("limits", [[], ["--timeout", "600"]])
def test_several_models(run: Runner, limits: list[str]) -> None:
    found = run("check", "a.smv", "b.smv", *limits)
    assert found.code == 0
    assert [line for line in found.out.splitlines() if not line.startswith(" ")] == LINES
    assert found.err.startswith("3 properties: 2 hold, 1 fails, as expected (")
    assert run("check", "a.smv", "b.smv", "-o", "all.txt", *limits).code == 0
    assert Path("all.txt").read_text() == found.out
    assert run("check", "plain.smv", "b.smv", *limits).code == 1


def test_formulas_are_for_each_of_them(run: Runner) -> None:
    found = run("check", "a.smv", "x | !x", "b.smv", "-q")
    assert found.out.splitlines() == ["a.smv", "holds    x | !x", "b.smv", "holds    x | !x"]
    assert run("check", "loop.aut", "a.smv", "AG EX TRUE", "-q").out.splitlines()[::2] == ["loop.aut", "a.smv"]


def test_one_object_for_all(run: Runner) -> None:
    told = json.loads(run("check", "a.smv", "stuck.smv", "--json").out)
    first, second = told["reports"]
    assert [first["model"], second["model"]] == ["a.smv", "stuck.smv"]
    assert [one["expected"] for one in first["properties"]] == ["fails", None]
    assert first["warnings"] == [] and "no successor" in second["warnings"][0]
    assert "properties" in json.loads(run("check", "a.smv", "--json").out)


def test_one_file_for_all(run: Runner) -> None:
    assert run("check", "a.smv", "b.smv", "plain.smv", "-o", "r.xml", "-q").code == 1
    suites = ElementTree.parse("r.xml").getroot().findall("testsuite")
    assert [suite.get("name") for suite in suites] == ["a.smv", "b.smv", "plain.smv"]
    assert [suite.get("failures") for suite in suites] == ["0", "0", "1"]
    for name in ("r.html", "r.md", "r.sarif"):
        run("check", "a.smv", "b.smv", "-o", name, "-q")
        assert all(model in Path(name).read_text() for model in ("a.smv", "b.smv"))
    assert json.loads(Path("r.sarif").read_text())["runs"][0]["results"] == []


def test_what_is_wrong_with_one_is_told_before_the_others_are_checked(run: Runner) -> None:
    Path("wrong.smv").write_text("MODULE main VAR x : bolean;")
    found = run("check", "a.smv", "wrong.smv", "-o", "r.xml")
    assert found.code == 2 and found.out == "" and "wrong.smv:1:21: error" in found.err
    assert not Path("r.xml").exists()
    assert "would overwrite a file that is read" in run("check", "a.smv", "b.smv", "-o", "b.smv").err
    for option in ("--certificate", "--save-order"):
        assert f"{option} is for one model, and there are 2" in run("check", "a.smv", "b.smv", option, "x").err


def test_a_surprise_is_a_failure(run: Runner) -> None:
    Path("b.smv").write_text(HOLDING.replace("holds", "fails"))
    found = run("check", "b.smv", "-v", "-o", "r.xml")
    assert found.code == 1 and "holds    any: x | !x  (expected: fails)" in found.out and "1 not as expected" in found.err
    (failure,) = ElementTree.parse("r.xml").getroot().iter("failure")
    assert failure.get("message") == "it holds, but is expected to fail"


def test_what_check_prints_is_what_is_expected_next_time(run: Runner) -> None:
    Path("expected.txt").write_text(run("check", "plain.smv", "b.smv", "-q").out)
    assert run("check", "plain.smv", "b.smv", "--expect", "expected.txt").code == 0
    Path("again.txt").write_text("# by name, by number\n\n" + "fails low\nholds 2\n")
    found = run("check", "plain.smv", "--expect", "again.txt", "-q")
    assert found.code == 0 and found.out.count("(as expected)") == 2
    Path("again.txt").write_text("plain.smv\nholds low\n")
    assert run("check", "plain.smv", "--expect", "again.txt").code == 1


@pytest.mark.parametrize("text, message", [
    ("fails lw\n", "expected.txt:1:1: error: there is no property to check that is 'lw'"),
    ("b.smv\nfails low\n", "expected.txt:2:1: error: there is no property to check that is 'low'"),
    ("low fails\n", "expected.txt:1:1: error: expected a verdict and a property, or the name of a model"),
])  # fmt: skip
def test_lines_that_are_about_nothing(run: Runner, text: str, message: str) -> None:
    Path("expected.txt").write_text(text)
    found = run("check", "a.smv", "--expect", "expected.txt")
    assert found.code == 2 and message in found.err


@pytest.mark.parametrize("text, message", [
    ("-- expect: failing\nINVARSPEC x", "m.smv:2:12: error: 'failing' is not a verdict"),
    ("INVARSPEC x\n-- expect: fails\n", "m.smv:3:12: error: this comment belongs to no property"),
])  # fmt: skip
def test_comments_that_say_nothing(run: Runner, text: str, message: str) -> None:
    Path("m.smv").write_text(TOGGLE + text)
    found = run("check", "m.smv")
    assert found.code == 2 and message in found.err


def test_comments_and_the_properties_they_are_about() -> None:
    model = coarsest.loads(
        "MODULE part\nVAR y : boolean;\nINVARSPEC y -- expect: fails\n"
        "MODULE main\nVAR a : part; b : part; x : boolean; -- expectation: none\n"
        "LTLSPEC\n  G\n  F x  -- Expect: FAILS\n-- expect: holds\n\nINVARSPEC TRUE\nINVARSPEC x"
    )
    named = {claim.text: word for claim, word in zip(model.properties, expected_beside(model.properties))}
    assert {" ".join(text.split()): word for text, word in named.items()} == {
        "y": "fails", "G F x": "fails", "TRUE": "holds", "x": None,
    }  # fmt: skip
    assert expected_beside(model.properties).count("fails") == 3  # two instances


def test_comments_of_other_languages(run: Runner) -> None:
    Path("n.lus").write_text("node n (a : bool) returns (ok : bool);\nlet\n  ok = a;\n  --%PROPERTY ok; -- expect: fails\ntel\n")
    assert run("check", "n.lus").code == 0


def test_strict(run: Runner) -> None:
    assert run("check", "stuck.smv").code == 0
    found = run("check", "stuck.smv", "--strict", "-q")
    assert found.code == 1 and found.err.endswith("--strict: 1 warning\n")
    assert run("check", "stuck.smv", "--strict", "--deadlock", "ignore").code == 0
    vacuous = "G (x & !x -> F x)"
    assert run("check", "b.smv", vacuous, "--strict").code == 1
    assert run("check", "b.smv", vacuous, "--strict", "--no-vacuity").code == 0


def test_an_undecided_one_is_undecided_unless_that_is_expected(run: Runner) -> None:
    Path("m.smv").write_text(TOGGLE + "LTLSPEC G F x")
    assert run("check", "m.smv", "b.smv", "--nodes", "1").code == 3
    Path("m.smv").write_text(TOGGLE + "LTLSPEC G F x -- expect: unknown")
    assert run("check", "m.smv", "--nodes", "1").code == 0


ROOT = Path(__file__).parents[3]


def commands_of(page: str) -> list[str]:
    """The lines with which the documented workflows check models."""
    lines = (line.strip().removeprefix("- ").removeprefix("run: ") for line in page.splitlines())
    return [line for line in lines if line.startswith("coarsest check models/")]


def test_the_documented_workflows(run: Runner) -> None:
    """Their commands are run on models that are as they should be, and on others."""
    page = (ROOT / "docs" / "continuous-integration.md").read_text(encoding="utf-8")
    commands = commands_of(page)
    assert len(commands) == 2
    for command in commands:
        name, *words = command.split()
        assert name == "coarsest"
        given = [word for word in words if word != "models/*.smv"]
        assert run(*given, "a.smv", "b.smv").code == 0
        assert run(*given, "a.smv", "stuck.smv").code == 1
        report = Path(given[-1])
        assert f": {report}" in page and report.stat().st_size  # which the next step takes up


def test_the_hook(run: Runner) -> None:
    (fields,) = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    assert all(isinstance(text, str) for text in fields.values())
    assert {"id", "name", "entry", "language"} <= fields.keys()
    name, *words = fields["entry"].split()
    assert (name, fields["id"], fields["language"]) == ("coarsest", "coarsest-check", "python")
    assert run(*words, "a.smv", "b.smv").code == 0
    assert run(*words, "plain.smv").code == 1
    endings = re.fullmatch(r"\\\.\((.*)\)\$", fields["files"])
    assert endings is not None
    assert all(kind_of(f"m.{ending}") is FileKind.MACHINE for ending in endings[1].split("|"))


def test_the_yaml_of_the_documentation() -> None:
    """What is to be copied can be read."""
    page = (ROOT / "docs" / "continuous-integration.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```yaml\n(.*?)^```", page, re.DOTALL | re.MULTILINE)
    assert len(blocks) == page.count("```yaml") > 0
    assert all(isinstance(yaml.safe_load(block), dict) for block in blocks)
    assert yaml.safe_load(blocks[-1])["repos"][0]["hooks"][0]["args"] == ["--timeout", "60"]
