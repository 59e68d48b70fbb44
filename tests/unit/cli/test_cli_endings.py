"""What is written is what the ending of the file says, or nothing is."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from command_lines import Runner

TOGGLE = """MODULE main VAR x : boolean; ASSIGN init(x) := FALSE; next(x) := !x;
INVARSPEC NAME low := !x
INVARSPEC NAME any := x | !x
"""
GRAPH = "GRAPH g VERTEX v INITIAL FINAL CONS x"
LOOP = "des (0, 1, 1)\n(0, a, 0)\n"


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("toggle.smv").write_text(TOGGLE)
    Path("graph.ag").write_text(GRAPH)
    Path("loop.aut").write_text(LOOP)
    Path("classes.json").write_text('{"kind": "partition", "relation": "bisimulation", "blocks": [0]}')
    return tmp_path


COMMANDS = {
    "check": (["toggle.smv"], "low"),
    "gste": (["toggle.smv", "graph.ag"], "g"),
    "simulate": (["toggle.smv"], "x = "),
    "reach": (["toggle.smv"], "states"),
    "compare": (["loop.aut", "loop.aut"], "related"),
    "algorithms": ([], "chaining"),
    "examples": ([], "mutex.smv"),
}
PAGES = ("check", "gste", "simulate")


@pytest.mark.parametrize("command", COMMANDS)
def test_text_and_json(run: Runner, command: str) -> None:
    words, mentioned = COMMANDS[command]
    for name in ("result", "result.txt", "result.TXT"):
        assert run(command, *words, "-o", name).code in (0, 1)
        assert mentioned in Path(name).read_text()
    for option in ([], ["--json"]):
        assert run(command, *words, "-o", "result.json", *option).code in (0, 1)
        assert json.loads(Path("result.json").read_text())["schema"] == 1
        Path("result.json").unlink()


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("name", ["report.pdf", "report.xml", "report.sarif", "report.svg", "x.vcd", "x.itf.json"])
def test_what_an_ending_cannot_say_is_refused_and_nothing_is_lost(run: Runner, command: str, name: str) -> None:
    verdicts = command in ("check", "gste")
    if (command in PAGES and name.startswith("x")) or (verdicts and name in ("report.xml", "report.sarif")):
        return
    Path(name).write_text("precious")
    found = run(command, *COMMANDS[command][0], "-o", name)
    assert found.code == 2
    assert Path(name).read_text() == "precious"
    if (command, name) == ("compare", "x.vcd"):  # these are no circuits
        assert found.err.startswith("error: 'x.vcd' is for inputs that distinguish circuits")
        return
    if (command, name) == ("compare", "report.svg"):  # of one relation
        assert "--spectrum" in found.err
        return
    ending = len(Path(name).suffix)
    head, line, caret, hint = found.err.splitlines()
    assert head == f"-o:1:{len(name) - ending + 1}: error: the format of '{name}' is not known by its name"
    assert (line, caret.strip(" |")) == (f"  1 | {name}", "^" * ending)
    assert hint.startswith("  hint: known endings are .txt or none (text), .json, .md, .html")


@pytest.mark.parametrize("command", COMMANDS)
def test_every_result_has_a_page_and_markdown(run: Runner, command: str) -> None:
    words, mentioned = COMMANDS[command]
    for name in ("x.html", "x.md"):
        assert run(command, *words, "-o", name).code in (0, 1)
    assert Path("x.html").read_text().startswith("<!DOCTYPE html>") and mentioned.rstrip("= ") in Path("x.html").read_text()
    assert Path("x.md").read_text().startswith("# ") and mentioned in Path("x.md").read_text()


@pytest.mark.parametrize("command", PAGES)
def test_pages_and_waves(run: Runner, command: str) -> None:
    words = COMMANDS[command][0]
    assert run(command, *words, "-o", "x.html").code in (0, 1)
    assert Path("x.html").read_text().startswith("<!DOCTYPE html>")
    for option in ([], ["--trace", "vcd"]):
        assert run(command, *words, "-o", "x.vcd", *option).code in (0, 1)
        assert "$enddefinitions" in Path("x.vcd").read_text()
        Path("x.vcd").unlink()
    for option in ([], ["--trace", "itf"]):
        assert run(command, *words, "-o", "x.itf.json", *option).code in (0, 1)
        assert json.loads(Path("x.itf.json").read_text())["#meta"]["format"] == "ITF"
        Path("x.itf.json").unlink()


@pytest.mark.parametrize(
    ("option", "name"),
    [
        ("--json", "x.html"), ("--json", "x.txt"), ("--json", "x.vcd"), ("--trace=vcd", "x.json"), ("--trace=json", "x.vcd"),
        ("--trace=vcd", "x.html"), ("--trace=table", "x.vcd"), ("--trace=json", "x.html"),
    ],
)  # fmt: skip
def test_options_that_say_otherwise_are_refused(run: Runner, option: str, name: str) -> None:
    Path(name).write_text("precious")
    for command in PAGES:
        found = run(command, *COMMANDS[command][0], "-o", name, option)
        assert found.code == 2
        assert "hint" in found.err
        assert Path(name).read_text() == "precious"


def test_limits_do_not_change_the_format(run: Runner) -> None:
    assert run("check", "toggle.smv", "-o", "report.json", "--timeout", "600").code == 1
    assert [one["verdict"] for one in json.loads(Path("report.json").read_text())["properties"]] == ["fails", "holds"]


def test_standard_output_by_its_name(run: Runner) -> None:
    found = run("check", "toggle.smv", "--trace", "vcd", "-o", "-")
    assert "$enddefinitions" in found.out
    assert "fails    low" in found.err
    assert sorted(path.name for path in Path().iterdir()) == ["classes.json", "graph.ag", "loop.aut", "toggle.smv"]


def test_a_trace_that_is_not_there_is_mentioned(run: Runner) -> None:
    found = run("check", "toggle.smv", "--property", "any", "-o", "t.vcd")
    assert found.code == 0
    assert "no trace to write to t.vcd" in found.err


def test_other_commands_know_their_own_endings(run: Runner) -> None:
    for words in (
        ["reduce", "toggle.smv", "-o", "x.pdf"],
        ["reduce", "loop.aut", "-o", "x.pdf"],
        ["automaton", "G a", "-o", "x.txt"],
        ["automaton", "G a", "--json", "-o", "x.svg"],
        ["show", "toggle.smv", "-o", "x.pdf"],
        ["show", "toggle.smv", "--to", "dot", "-o", "x.svg"],
        ["convert", "toggle.smv", "x.pdf"],
        ["confirm", "loop.aut", "classes.json", "-o", "x.pdf"],
    ):
        Path(words[-1]).write_text("precious")
        found = run(*words)
        assert found.code == 2
        assert "hint" in found.err
        assert Path(words[-1]).read_text() == "precious"
    assert run("automaton", "G a", "-o", "facts.json").code == 0
    assert json.loads(Path("facts.json").read_text())["states"] == 1
    for model in ("toggle.smv", "loop.aut"):
        assert run("reduce", model, "-o", "q.json").out == ""
        assert json.loads(Path("q.json").read_text())["relation"] == "bisimulation"
        assert run("reduce", model, "-o", "q.md", "--timeout", "60").out == ""
        assert "```text\nstates " in Path("q.md").read_text()
    assert run("reduce", "toggle.smv", "-o", "q.html").code == 0
    assert "<svg" in Path("q.html").read_text()


@pytest.mark.parametrize("kind, begins", [("svg", "<svg"), ("html", "<!DOCTYPE html>"), ("dot", "digraph")])
def test_quotients_of_graphs_and_automata_are_drawn(run: Runner, kind: str, begins: str) -> None:
    Path("never.hoa").write_text(run("automaton", "F G a").out)
    for model, relation in (("loop.aut", "bisimulation"), ("never.hoa", "delay"), ("toggle.smv", "bisimulation")):
        found = run("reduce", model, "--by", relation, "-o", f"q.{kind}")
        assert found.code == 0 and f"written      q.{kind}" in found.out
        assert Path(f"q.{kind}").read_text().startswith(begins)


@pytest.mark.parametrize(
    ("line", "hint"),
    [
        ("reduce toggle.smv -o x.pdf", ".aut, .dot, .svg, .html, .smv, and .c and .py for code"),
        ("reduce toggle.lus -o x.pdf", ".aut, .dot, .svg, .html, .smv, and .c and .py for code"),
        ("reduce toggle.aut -o x.pdf", "pictures are .svg, .html, .dot"),
    ],
)
def test_what_cannot_be_written_is_shown_and_told(line: str, hint: str, run: Runner) -> None:
    Path("toggle.aut").write_text('des (0, 1, 1)\n(0, "a", 0)\n')
    Path("toggle.lus").write_text("node t () returns (x : bool);\nlet x = true; tel\n")
    complaint = run(*line.split()).err
    assert complaint.startswith("-o:1:2: error: the format of 'x.pdf'") and "|  ^^^^" in complaint and hint in complaint


def test_converting_has_an_output_as_everything_else(run: Runner) -> None:
    assert run("convert", "toggle.smv", "one.smv").code == 0 and run("convert", "toggle.smv", "-o", "two.smv").code == 0
    assert Path("one.smv").read_text() == Path("two.smv").read_text()
    assert run("convert", "toggle.smv").err.startswith("error: 'coarsest convert' needs IN and OUT")
