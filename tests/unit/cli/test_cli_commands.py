"""The commands: exit codes, JSON, output files, standard input, limits."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path

import pytest

from coarsest import __version__
from coarsest.cli.dispatch import COMMANDS
from coarsest.cli.frame.arguments import MOST_LINES
from coarsest.cli.frame.ledger import Ledger
from coarsest.options.engines import FAIR_ALGORITHMS, LTL_METHODS
from command_lines import Runner

COUNTER = """MODULE main
VAR x : 0..3; w : word[4]; on : boolean; at : {idle, busy};
ASSIGN
  init(x) := 0; next(x) := (x + 1) mod 4;
  init(w) := 0ud4_0; next(w) := w + 0ud4_1;
  init(on) := FALSE; next(on) := !on;
  init(at) := idle; next(at) := at = idle ? busy : idle;
INVARSPEC NAME small := x < 4
INVARSPEC NAME tiny := x < 2
"""


@pytest.fixture
def run(run: Runner) -> Runner:
    Path("m.smv").write_text(COUNTER)
    return run


def test_version_and_help(run: Runner) -> None:
    assert run("--version").out.startswith(f"coarsest {__version__} (")
    assert run() == run("--help") == run("help")
    assert len(COMMANDS) > 10
    for command in COMMANDS:
        assert command in run("--help").out
        assert run("help", command) == run(command, "--help")
        text = run(command, "--help").out
        assert "examples:\n  coarsest" in text
        assert "default: None" not in text and "default: []" not in text


@pytest.mark.parametrize(
    ("formulas", "code"),
    [
        (["x < 4"], 0),
        (["x < 2"], 1),
        (["x < 4", "x < 2"], 1),
        (["AG x < 4"], 0),
        (["x >= 0", "on | !on"], 0),
        (["AG EF x = 3", "G F x = 3", "A (G F x = 3)", "always {x = 2} |=> x = 3"], 0),
        (["EF AG x = 3"], 1),
        (["F G x = 3"], 1),
        (["E (F G x = 3)"], 1),
        (["never {x = 2; x = 3}"], 1),
        (["MIN [x = 0, x = 3]"], 0),
    ],
)
def test_exit_codes_of_verdicts(run: Runner, formulas: list[str], code: int) -> None:
    assert run("check", "m.smv", *formulas).code == code


def test_properties_by_name_and_number(run: Runner) -> None:
    assert run("check", "m.smv", "--property", "small", "-q") == (0, "holds    small: x < 4\n", "")
    assert run("check", "m.smv", "--property", "2", "x < 3", "-q").out == "fails    tiny: x < 2\nfails    x < 3\n"
    found = run("check", "m.smv", "--property", "smal")
    assert (found.code, found.err) == (2, "error: the model has no property 'smal'\n  hint: did you mean 'small'?\n")
    assert "are small, tiny\n" in run("check", "m.smv", "--property", "3").err
    found = run("check", "m.smv", "tiny")
    assert (found.code, found.out) == (2, "")
    assert "it is the name of a property: --property tiny" in found.err


UNHANDLED = "MODULE main VAR x : boolean; INVARSPEC x | !x PSLSPEC NAME clocked := always (x @ x); INVARSPEC x"


def test_a_property_that_is_not_handled_does_not_stop_the_others(run: Runner) -> None:
    Path("u.smv").write_text(UNHANDLED)
    found = run("check", "u.smv", "--no-confirm")
    assert found.code == 1
    assert found.out.startswith(
        "holds    x | !x\n    an inductive invariant of 2 states (1 node) implies it (not confirmed)\n"
        "unknown  clocked: always (x @ x)\n"
        "    because clocked formulas (`@`) are not handled (add the clock to the conditions: `b & clk`)\nfails    x\n"
    )
    alone = run("check", "u.smv", "--property", "clocked")
    assert (alone.code, alone.out) == (2, "")
    assert "clocked formulas (`@`) are not handled" in alone.err


def test_a_model_that_is_not_handled_is_refused(run: Runner) -> None:
    Path("n.smv").write_text("MODULE main VAR n : integer; INVARSPEC n > 0 INVARSPEC n > 1")
    found = run("check", "n.smv", "--carrier", "bdd")
    assert (found.code, found.out) == (2, "")
    assert "n.smv:1:17: error: `n` is unbounded (integer)" in found.err


@pytest.mark.parametrize("limits", [(), ("--timeout", "600")])
def test_json_of_wrong_input(run: Runner, limits: tuple[str, ...]) -> None:
    found = run("check", "m.smv", "x < 3 &", "--json", *limits)
    assert found.code == 2
    assert "<formula>:1:8: error: found the end" in found.err
    thing = json.loads(found.out)
    assert thing["schema"] == 1
    assert thing["error"]["message"] == "found the end of the text, expected an expression"
    assert (thing["error"]["file"], thing["error"]["line"], thing["error"]["column"]) == ("<formula>", 1, 8)
    found = run("check", "nowhere.smv", "--json", *limits)
    assert json.loads(found.out)["error"]["file"] is None


@pytest.mark.parametrize(
    "argv", [("check", "m.smv"), ("reach", "m.smv", "--nodes", "3"), ("reduce", "m.smv"), ("reduce", "g.aut"),
             ("compare", "g.aut", "g.aut", "--by", "simulation")],
)  # fmt: skip
def test_keys_are_words_without_blanks(run: Runner, argv: tuple[str, ...]) -> None:
    Path("g.aut").write_text('des (0, 1, 2)\n(0, "a", 1)\n')
    thing = json.loads(run(*argv, "--json").out)
    assert thing["statistics"]
    assert all(key.replace("_", "").isalnum() for key in (*thing, *thing["statistics"]))


def test_options_may_stand_between_formulas(run: Runner) -> None:
    result = run("check", "m.smv", "x < 4", "--quiet", "x <= 3", "--engine", "backward")
    assert result == (0, "holds    x < 4\nholds    x <= 3\n", "")


def test_a_formula_may_begin_with_a_minus(run: Runner) -> None:
    assert run("check", "m.smv", "-q", "--", "-x <= 0") == (0, "holds    -x <= 0\n", "")


def test_text_of_a_failing_property(run: Runner) -> None:
    code, out, err = run("check", "m.smv")
    assert code == 1
    lines = out.split("\n")
    assert lines[0] == "holds    small: x < 4"
    assert "fails    tiny: x < 2" in lines
    assert "    2 | x = 2" in lines
    assert "    -- 3 more variables (--trace full)" in lines
    assert err.startswith("2 properties: 1 holds, 1 fails")


def test_all_variables_on_request(run: Runner) -> None:
    lines = run("check", "m.smv", "--trace", "full").out.split("\n")
    assert "    2 | x = 2   w = 0ud4_2   on = FALSE   at = idle" in lines


@pytest.mark.parametrize("ltl", LTL_METHODS)
@pytest.mark.parametrize("fair", FAIR_ALGORITHMS)
def test_no_method_changes_a_verdict(run: Runner, ltl: str, fair: str) -> None:
    formulas = ["G (x = 1 -> F x = 3)", "F G x = 3", "x = 0 U (x = 1 & on)", "AG AF on", "EG !on"]
    result = run("check", "m.smv", "-q", "--ltl", ltl, "--fair", fair, *formulas)
    assert [line.split()[0] for line in result.out.splitlines()] == ["holds", "fails", "holds", "holds", "fails"]


def test_vacuity_is_reported_unless_it_is_not_wanted(run: Runner) -> None:
    formula = "G (x = 1 & x = 2 -> F on)"
    assert "holds vacuously" in run("check", "m.smv", formula).out
    assert "holds vacuously" not in run("check", "m.smv", formula, "--no-vacuity").out


def test_the_trace_of_a_witness_is_a_trace(run: Runner) -> None:
    code, out, _ = run("check", "m.smv", "EF x = 2", "--trace", "json")
    assert code == 0
    assert [state["x"] for state in json.loads(out)["states"]] == [0, 1, 2]
    assert run("check", "m.smv", "EF x = 2", "--trace", "vcd").out.startswith("$comment")


def test_under_supervision_the_evidence_is_the_same(run: Runner) -> None:
    formulas = ("G (x = 1 -> F x = 9 mod 5 & on)", "EF x = 2", "AG EF on")
    assert run("check", "m.smv", *formulas).out == run("check", "m.smv", *formulas, "--timeout", "600").out


def test_json_of_check(run: Runner) -> None:
    code, out, _ = run("check", "m.smv", "--json")
    assert code == 1
    report = json.loads(out)
    assert (report["schema"], report["model"]) == (1, "m.smv")
    assert [(p["name"], p["kind"], p["verdict"]) for p in report["properties"]] == [
        ("small", "invariant", "holds"),
        ("tiny", "invariant", "fails"),
    ]
    trace = report["properties"][1]["trace"]
    assert trace["loop"] is None
    assert trace["states"][1] == {"x": 1, "w": "0ud4_1", "on": True, "at": "busy"}
    assert report["properties"][1]["confirmed"] is True


def test_a_model_without_properties_holds_and_says_so(run: Runner, tmp_path: Path) -> None:
    (tmp_path / "bare.smv").write_text("MODULE main VAR x : boolean;")
    code, out, err = run("check", "bare.smv")
    assert (code, out) == (0, "")
    assert "no properties" in err
    assert json.loads(run("check", "bare.smv", "--json").out)["properties"] == []


def test_standard_input(run: Runner, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(COUNTER.encode())))
    assert run("check", "-", "--quiet", "x < 4") == (0, "holds    x < 4\n", "")


def test_the_report_goes_to_a_file(run: Runner, tmp_path: Path) -> None:
    result = run("check", "m.smv", "-o", "report.txt", "-q")
    assert (result.code, result.out) == (1, "")
    assert (tmp_path / "report.txt").read_text() == "holds    small: x < 4\nfails    tiny: x < 2\n"
    run("check", "m.smv", "-o", "report.json", "--json")
    assert json.loads((tmp_path / "report.json").read_text())["schema"] == 1


def test_traces_as_files_of_their_own(run: Runner, tmp_path: Path) -> None:
    code, out, _ = run("check", "m.smv", "x < 2", "on = FALSE", "--trace", "vcd", "-o", "t.vcd")
    assert code == 1
    assert out.startswith("fails    x < 2\n")
    assert (tmp_path / "t.vcd").read_text().startswith("$comment\n  m.smv: x < 2\n$end")
    assert "on = FALSE" in (tmp_path / "t-2.vcd").read_text()
    run("check", "m.smv", "x < 2", "--trace", "json", "-o", "t.json")
    assert len(json.loads((tmp_path / "t.json").read_text())["states"]) == 3


def test_traces_alone_on_standard_output(run: Runner) -> None:
    code, out, err = run("check", "m.smv", "--trace", "vcd")
    assert code == 1
    assert out.startswith("$comment")
    assert "fails    tiny" in err
    assert json.loads(run("check", "m.smv", "--trace", "json").out)["name"] == "tiny"


def test_an_output_file_that_fills_the_disk_does_not_lose_the_report(run: Runner) -> None:
    if not Path("/dev/full").exists():
        return
    code, out, err = run("check", "m.smv", "-q", "-o", "/dev/full")
    assert code == 2
    assert "fails    tiny: x < 2" in out
    assert "cannot write '/dev/full'" in err


def test_reach(run: Runner) -> None:
    code, out, _ = run("reach", "m.smv")
    assert code == 0
    assert out.startswith("states    16\ndiameter  16\nnodes ")
    report = json.loads(run("reach", "m.smv", "--json").out)
    assert report["schema"] == 1
    assert (report["states"], report["diameter"], report["complete"], report["reason"]) == (16, 16, True, None)


def test_counts_of_any_length(run: Runner, tmp_path: Path) -> None:
    (tmp_path / "wide.smv").write_text("MODULE main VAR w : array 0..19 of word[1000];")
    assert json.loads(run("reach", "wide.smv", "--json").out)["states"] == 1 << 20000
    assert "about 3.980e6020 (all 6021 digits with --json)" in run("reach", "wide.smv").out


def test_orders_are_saved_and_loaded(run: Runner, tmp_path: Path) -> None:
    assert run("reach", "m.smv", "--save-order", "m.ord").code == 0
    assert "w" in (tmp_path / "m.ord").read_text()
    assert run("reach", "m.smv", "--order", "m.ord").out.startswith("states    16\n")


@pytest.mark.parametrize("option", ["--search=chaining", "--relation=monolithic", "--order=force", "--no-reorder", "--threads=2"])
def test_no_method_changes_the_count(run: Runner, option: str) -> None:
    assert run("reach", "m.smv", option).out.startswith("states    16\n")


def test_convert_and_check_again(run: Runner) -> None:
    assert run("convert", "m.smv", "flat.smv") == (0, "", "")
    assert run("check", "flat.smv", "-q").out == run("check", "m.smv", "-q").out
    assert run("convert", "m.smv", "-").out == Path("flat.smv").read_text()


def test_simulate_is_repeatable(run: Runner, tmp_path: Path) -> None:
    (tmp_path / "free.smv").write_text("MODULE main VAR x : 0..99;")
    first = run("simulate", "free.smv", "--seed", "3", "--steps", "5")
    assert first == run("simulate", "free.smv", "--seed", "3", "--steps", "5")
    assert first.out != run("simulate", "free.smv", "--seed", "4", "--steps", "5").out
    assert len(first.out.strip().split("\n")) == 6
    assert len(json.loads(run("simulate", "free.smv", "--json", "--steps", "0").out)["trace"]["states"]) == 1


def test_walking_by_hand(run: Runner, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "choice.smv").write_text("MODULE main VAR x : 0..40; ASSIGN init(x) := 0; next(x) := x < 40 ? 0..40 : {40};")
    monkeypatch.setattr(sys, "stdin", io.StringIO("\nm\n?\nnonsense\n30\ns\nb\n41\nt\nr\nq\n"))
    code, out, err = run("simulate", "choice.smv", "-i", "-o", "walk.txt")
    assert (code, err) == (0, "")
    assert "… m shows more" in out
    assert "found 'nonsense', expected a number from 1 to 40" in out
    assert "  x = 29\n" in out
    assert (tmp_path / "walk.txt").read_text().startswith("0 | x = 0\n")


def test_walking_into_a_deadlock(run: Runner, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "dead.smv").write_text("MODULE main VAR x : 0..2; INIT x = 0 TRANS next(x) = x + 1 & x < 2")
    monkeypatch.setattr(sys, "stdin", io.StringIO("1\n1\n1\n7\nb\n"))
    code, out, _ = run("simulate", "dead.smv", "--interactive")
    assert code == 0
    assert "a deadlock" in out
    assert "expected b or q" in out
    assert "a deadlock" in run("simulate", "dead.smv").err


def test_algorithms(run: Runner) -> None:
    text = run("algorithms").out
    assert "Burch, Clarke, McMillan" in text
    rows = json.loads(run("algorithms", "--json").out)["algorithms"]
    assert all(row["name"] in text and row["file"].endswith(".py") for row in rows)
    assert "chaining" in run("algorithms", "chaining").out
    assert run("algorithms", "zzz").out == "no algorithm has 'zzz' in its name or task\n"


def test_supervised_results_are_the_same(run: Runner) -> None:
    limits = ("--timeout", "600", "--memory", "2000")
    assert run("check", "m.smv", *limits)[:2] == run("check", "m.smv")[:2]
    assert run("check", "m.smv", "--trace", "json", *limits)[:2] == run("check", "m.smv", "--trace", "json")[:2]
    assert run("reach", "m.smv", "-q", *limits) == run("reach", "m.smv", "-q")
    assert run("convert", "m.smv", "-", *limits) == run("convert", "m.smv", "-")


def test_a_limit_gives_unknown_and_keeps_what_was_decided(
    run: Runner, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The time is over as soon as the first property is decided, and the second never is."""
    monkeypatch.setattr(Ledger, "seconds", property(lambda ledger: 1000.0 if ledger.decided else 0.0))
    multiplier = "MODULE main VAR a : word[32]; b : word[32]; INVARSPEC NAME easy := TRUE INVARSPEC NAME hard := a * b != a / b\n"
    (tmp_path / "hard.smv").write_text(multiplier)
    code, out, err = run("check", "hard.smv", "--timeout", "600", "--memory", "8000")
    assert code == 3
    assert out.startswith("holds    easy: TRUE\n")
    assert "unknown  hard: a * b != a / b\n    because the time limit of 600 s was reached" in out
    assert "2 properties: 1 holds, 1 unknown" in err
    report = json.loads(run("check", "hard.smv", "--timeout", "600", "--json").out)
    assert [p["verdict"] for p in report["properties"]] == ["holds", "unknown"]
    assert "time limit" in report["properties"][1]["reason"]


def test_an_interrupt_inside_a_library(run: Runner, monkeypatch: pytest.MonkeyPatch) -> None:
    from coarsest.api import model as api

    def interrupted(*args: object, **options: object) -> None:
        try:
            raise KeyboardInterrupt
        except KeyboardInterrupt as interrupt:
            raise SystemError("returned a result with an exception set") from interrupt

    monkeypatch.setattr(api, "load_model", interrupted)
    assert run("check", "m.smv") == (130, "", "interrupted\n")


def test_a_bug_of_ours(run: Runner, monkeypatch: pytest.MonkeyPatch) -> None:
    from coarsest.api import model as api

    def broken(*args: object, **options: object) -> None:
        raise ZeroDivisionError("oh no")

    monkeypatch.setattr(api, "load_model", broken)
    code, out, err = run("check", "m.smv")
    assert (code, out) == (70, "")
    assert "ZeroDivisionError: oh no" in err
    assert "this is a bug in coarsest" in err
    assert "Traceback" not in err
    monkeypatch.setenv("COARSEST_DEBUG", "1")
    assert "Traceback" in run("check", "m.smv").err


@pytest.mark.parametrize("limit", [[], ["--timeout", "600"]])
def test_a_report_as_a_page(limit: list[str], run: Runner) -> None:
    Path("m.smv").write_text(
        "MODULE main\nVAR x : 0..3;\nINIT x = 0\nTRANS next(x) = x + 1\nINVARSPEC NAME low := x < 2\nLTLSPEC F x = 3\n"
    )
    found = run("check", "m.smv", "-o", "r.html", *limit)
    assert found.code == 1
    assert found.out.startswith("fails    low: x < 2\n")  # the text is shown as well
    page = Path("r.html").read_text()
    assert page.startswith("<!DOCTYPE html>") and page.endswith("</html>\n")
    assert "<code>low: x &lt; 2</code>" in page and "<code>F x = 3</code>" in page
    assert "<p>2 properties: 1 holds, 1 fails (" in page
    assert "<li>warning: 1 reachable state has no successor, for example x = 3" in page


def test_a_page_is_not_what_programs_asked_for(run: Runner) -> None:
    Path("m.smv").write_text("MODULE main\nVAR x : boolean;\nINVARSPEC x | !x\n")
    assert run("check", "m.smv", "--json", "-o", "r.html").code == 2
    assert not Path("r.html").exists()
    assert run("check", "m.smv", "--json", "-o", "r").code == 0
    assert json.loads(Path("r").read_text())["schema"] == 1


def test_help_fits_a_screen_and_all_of_it_is_at_hand(run: Runner) -> None:
    for command in COMMANDS:
        text, whole = run(command, "--help").out, run(command, "--help", "all").out
        assert text.count("\n") <= MOST_LINES, command
        assert f"usage: coarsest {command}" in text and "examples:" in text
        if text != whole:
            assert "--help all" in text and whole.count("\n") > MOST_LINES
            rows = [line for line in text.split("examples:")[0].splitlines() if line.startswith("  -")]
            assert all(row.split()[0].strip(",") in whole for row in rows)


def test_what_changes_an_answer_is_no_matter_of_method(run: Runner) -> None:
    method = run("check", "--help", "all").out.partition("no choice changes a verdict")[2].partition("examples:")[0]
    for option in ("--deadlock", "--traces", "--show", "--confirm"):
        assert option not in method
