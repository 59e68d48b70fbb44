"""VIS Verilog: what designs mean, one construct at a time; property files; the command line."""

from pathlib import Path

import pytest

import coarsest
from coarsest.files import Contents
from coarsest.formats.smv.write import write
from coarsest.formats.vis.properties import read_conditions, read_properties
from coarsest.formats.vis.read import machine_of, read, read_with
from coarsest.logic.show import show
from coarsest.model.machine import Kind, Machine
from coarsest.text import Source
from command_lines import Runner

ROOT = Path(__file__).parents[3]
ARBITER = ROOT / "examples" / "arbiter.v"


def machine(text: str) -> Machine:
    return machine_of(Source("m.v", text))


def model(body: str, head: str = "module m (clk, i); input clk, i;") -> coarsest.Model:
    return coarsest.loads(f"{head} {body} endmodule", format="vis", name="m.v")


def holds(body: str, *formulas: str, head: str = "module m (clk, i); input clk, i;") -> None:
    report = model(body, head).check(*formulas)
    assert [answer.verdict.word for answer in report.answers] == ["holds"] * len(formulas)


CLOCKED = "always @(posedge clk)"
COUNTING = (
    "module m (clk); input clk; reg ready, X; reg [1:0] A; reg [3:0] count;"
    f"{CLOCKED} begin ready = 1; X = 0; A = 1; count = 2; end endmodule"
)


def test_the_clock_is_no_input() -> None:
    assert list(machine(f"module m (clk); input clk; reg x; initial x = 0; {CLOCKED} x = !x; endmodule").variables) == ["x"]
    read_clock = machine(f"module m (clk); input clk; reg x; initial x = 0; {CLOCKED} x = clk; endmodule")
    assert read_clock.variables["clk"].kind is Kind.INPUT


def test_a_block_sees_its_own_assignments_and_others_do_not() -> None:
    body = f"reg x, y, z; wire w; assign w = x; initial begin x = 0; y = 0; z = 0; end {CLOCKED} begin x = 1; y = x; z = w; end"
    holds(f"{body} reg u; initial u = 0; {CLOCKED} u = x;", "AX (x & y & !z & !u)", "AX AX (z & u)")


def test_assignments_at_the_end_of_the_step_swap() -> None:
    swap = f"reg x, y; initial begin x = 0; y = 1; end {CLOCKED} begin x <= y; y <= x; end"
    holds(swap, "AG x != y", "AX x", "AX AX y")


def test_registers_without_a_first_value_have_any() -> None:
    assert model(f"reg [1:0] x; {CLOCKED} x = x;").reach().states == 4


def test_registers_that_nobody_assigns_keep_any_value() -> None:
    holds(f"reg x, y; initial y = 0; {CLOCKED} y = x;", "AG (x -> AX AG (x & y))", "AG (!x -> AX AG !y)", "AG !(x & EX !x)")


def test_choices_of_first_values_are_common_to_all_who_read_them() -> None:
    body = f"wire w; assign w = $ND(0, 1); reg x, y; initial begin x = w; y = w; end {CLOCKED} x = x; {CLOCKED} y = y;"
    holds(body, "x = y")
    assert model(body).reach().states == 2


def test_choices_of_first_values_may_be_many() -> None:
    head = "module m (clk, i); input clk; input [11:0] i;"
    body = f"reg [11:0] x; reg p; initial begin x = i; p = ^i; end {CLOCKED} x = x;"
    assert model(body, head).reach().states == 1 << 12
    holds(body, f"p <-> ({' xor '.join(f'bool(x[{place}:{place}])' for place in range(12))})", head=head)


def test_a_block_without_an_edge_is_a_function_or_remembers() -> None:
    whole = "reg v; reg x; initial x = 0; always @(i or x) if (i) v = x; else v = !x;"
    assert not {"v"} & set(model(f"{whole} {CLOCKED} x = v;").machine.variables)
    partly = f"reg v; reg x; initial begin x = 0; v = 0; end always @(i or x) if (i) v = !x; {CLOCKED} x = v;"
    assert model(partly).machine.variables["v"].kind is Kind.STATE


def test_exhaustive_cases_remember_nothing() -> None:
    cases = "always @(x) case (x) 0: v = 1; 1, 2: v = 0; 3: v = 1; endcase"
    body = f"reg [1:0] x; reg v; initial x = 0; {CLOCKED} x = x + 1; {cases}"
    assert "v" in model(body).machine.definitions
    holds(body, "AG (v <-> (x = 0ud2_0 | x = 0ud2_3))")


def test_labels_with_open_digits_match_all() -> None:
    body = f"reg [2:0] x; reg y; initial begin x = 0; y = 0; end {CLOCKED} begin case (x) 3'b1?0: y = 1; default: y = 0; endcase"
    holds(f"{body} x = x + 1; end", "AG ((x = 0ud3_4 | x = 0ud3_6) <-> AX y)")


def test_digits_that_say_nothing_are_0() -> None:
    holds(f"reg [3:0] x; initial x = 0; {CLOCKED} x = 4'b1x1x;", "AX AG x = 0ud4_10")


def test_bits_of_a_wire_may_depend_on_one_another() -> None:
    carry = "wire [3:0] c; assign c[0] = i; assign c[3:1] = ~c[2:0];"
    holds(f"{carry} reg x; initial x = 0; {CLOCKED} x = c[3] ^ c[0];", "AX AG x")


def test_numbers_of_bits_as_declared() -> None:
    ctl = "AG (x[0:3]=8 * x<0>=1 * x<3>=0 * x[3:0]=1);"
    design = machine(f"module m (clk); input clk; reg [0:3] x; initial x = 4'b1000; {CLOCKED} x = x; endmodule")
    claims = read_properties(Source("m.ctl", ctl), design)
    assert coarsest.Model(design).check(*claims).holds


def test_loops_may_count_down_and_counters_are_no_states() -> None:
    body = "reg [3:0] x; integer k; initial x = 0;"
    counted = f"{body} {CLOCKED} for (k = 3; k >= 0; k = k - 1) x[k] = !x[k];"
    assert "k" not in model(counted).machine.variables
    assert model(counted).reach().states == 2


def test_a_loop_that_a_state_may_end_is_refused() -> None:
    body = f"reg [1:0] a; integer k; {CLOCKED} for (k = 0; k < 3; k = k + 1) begin a = a + 1; if (i) k = 3; end"
    with pytest.raises(coarsest.InputError, match="the number of rounds of this loop depends on the state"):
        model(body)


def test_tasks_assign_their_outputs() -> None:
    task = "task plus; input [1:0] a; output [1:0] b; begin b = a + 1; end endtask"
    holds(f"{task} reg [1:0] x; initial x = 3; {CLOCKED} plus(x, x);", "AX x = 0ud2_0", "AX AX x = 0ud2_1")


def test_parameters_by_position_by_name_and_from_afar() -> None:
    cell = "module cell (o); parameter N = 1; output [3:0] o; assign o = N; endmodule"
    cells = "cell #(2) p (a); cell #(.N(3)) q (b); cell r (c); defparam r.N = 4; cell s (.o(d));"
    whole = coarsest.loads(f"module m; wire [3:0] a, b, c, d; {cells} endmodule {cell}", format="vis", name="m.v")
    assert whole.check("a = 0ud4_2 & b = 0ud4_3 & c = 0ud4_4 & d = 0ud4_1").holds


def test_outside_of_an_array_there_is_nothing() -> None:
    body = "reg [1:0] mem [0:2]; reg [1:0] x; reg [1:0] y; integer k;"
    first = "initial begin for (k = 0; k < 3; k = k + 1) mem[k] = 1; x = 0; y = 1; end"
    step = f"{CLOCKED} begin mem[3] = 2; mem[x] = 2; y = mem[x + 2]; x = 1; end"
    holds(f"{body} {first} {step}", "AX (mem[0] = 0ud2_2 & y = 0ud2_1 & mem[1] = 0ud2_1)", "AX AX y = 0ud2_0")


def test_files_are_included_and_macros_put_in(tmp_path: Path) -> None:
    cell = "module cell (o); output [`HIGH:0] o; assign o = `PLUS(1, 2); endmodule\n"
    (tmp_path / "cell.v").write_text(cell, encoding="utf-8")
    main = tmp_path / "main.v"
    macros = "`define HIGH 2\n`define PLUS(a, b) a + \\\n  b\n"
    main.write_text(f'{macros}module m; wire [`HIGH:0] w; cell c (w); endmodule\n`include "cell.v"\n', encoding="utf-8")
    assert coarsest.load(main).check("w = 0ud3_3").holds


def test_comments_may_be_in_any_encoding() -> None:
    assert read(Contents("m.v", b"module m; // caf\xe9\nendmodule")).name == "m"


def test_another_module_is_named() -> None:
    contents = Contents("m.v", ARBITER.read_bytes())
    assert read(contents).name == "main"
    assert {"grant", "state"} & set(read_with(contents, "client").variables)


def test_designs_are_written_as_smv() -> None:
    design = coarsest.load(ARBITER)
    again = coarsest.loads(write(design.machine), format="smv")
    assert again.reach().states == design.reach().states == 20


def test_verdicts_are_those_written_beside_the_formulas() -> None:
    files = {"properties": [ROOT / "examples" / "arbiter.ctl"], "fairness": [ROOT / "examples" / "arbiter.fair"]}
    report = coarsest.load(ARBITER).with_files(**files).check()
    assert [answer.verdict.word for answer in report.answers] == ["holds", "holds", "holds", "fails", "holds"]
    unfair = coarsest.load(ARBITER).with_files(properties=files["properties"]).check()
    assert [answer.verdict.word for answer in unfair.answers][1:3] == ["fails", "fails"]


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("E(ready=0 * count<0>=1 U count[1:0]=2);", "E [!ready & bool(count[0 : 0]) U count[1 : 0] = 0ud2_2]"),
        ("AG(ready=1 -> AX:2 ready=0);", "AG (ready -> AX AX !ready)"),
        ("A[1:0]=2 -> A(X=1 U A[1:0]==count[3:0]);", "A = 0ud2_2 -> A [X U extend(A, 2) = count]"),
        ("A(TRUE R ready=1);", "!(E [!TRUE U !ready])"),
        ("AG !ready=1 * ready=0 + ready=1;", "AG !ready & !ready | ready"),
    ],
)
def test_formulas(text: str, shown: str) -> None:
    (claim,) = read_properties(Source("m.ctl", text), machine(COUNTING))
    assert show(claim.formula) == shown


def test_conditions_of_fairness_and_hints() -> None:
    conditions = read_conditions(Source("m.fair", "ready=1; count[3:0]={1,2};"), machine(COUNTING))
    assert list(map(show, conditions)) == ["ready", "count = 0ud4_1 | count = 0ud4_2"]


def test_the_command_line(run: Runner) -> None:
    examples = [str(ROOT / "examples" / f"arbiter.{ending}") for ending in ("v", "ctl", "fair")]
    result = run("check", examples[0], "--properties", examples[1], "--fairness", examples[2], "--quiet")
    assert result.code == 1
    assert result.out.count("holds") == 4
    assert "no signal" in run("check", str(ROOT / "examples" / "mutex.smv"), "--properties", examples[1]).err
    assert "the format vis takes" not in run("reach", examples[0], "--format", "vis:client").err
    assert "there is no module `clint`" in run("reach", examples[0], "--format", "vis:clint").err


def test_a_sum_that_is_compared_with_a_row_has_no_carry() -> None:
    """As in the suite of VIS, where 0 follows 7 in a ring of three bits."""
    rows = f"reg [2:0] a, b; reg [1:0] c; initial begin a = 0; b = 7; c = 0; end {CLOCKED} begin a = a; b = b; c = c; end"
    wires = "wire ring, number, wider; assign ring = a == b + 4'b1; assign number = 8 == b + 4'b1; assign wider = c == b + 4'b1;"
    holds(f"{rows} {wires}", "ring", "number", "!wider")


def test_a_number_below_zero_has_the_width_of_the_row_that_it_is_compared_with() -> None:
    """As in the suite of VIS: what is above the fifth bit of a counter is said to be -1 - 20."""
    rows = f"parameter TOP = 5; reg [3:0] a; reg [5:0] b; initial begin a = 11; b = 63; end {CLOCKED} begin a = a; b = b; end"
    wires = "wire row, part, other; assign row = a == {4{1'b0}} - TOP; assign part = b[5:4] == 1 - 2; assign other = a == 9-TOP;"
    holds(f"{rows} {wires}", "row", "part", "!other")
