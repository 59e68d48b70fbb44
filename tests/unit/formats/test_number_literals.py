"""Numbers in every language: each spelling is read as the number it says, and no spelling ends in an internal error."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from pathlib import Path
from random import Random

import pytest

from coarsest.errors import InputError
from coarsest.files import Contents
from coarsest.formats import read_graph, read_machine
from coarsest.formats.hoa.read import read as read_hoa
from coarsest.formats.smv.write import write
from coarsest.formats.vis.parsing.expressions import number
from coarsest.formats.vis.properties import read_conditions, read_properties
from coarsest.logic.expr import Apply, Constant, Expr, Name, Word
from coarsest.logic.parse import parse_expression
from coarsest.logic.show import show
from coarsest.logic.words import WIDEST_WORD
from coarsest.model.machine import Machine
from coarsest.model.query.formula import parse_formula
from coarsest.text import Source, Span
from command_lines import Runner, runner

HERE = Span(Source("n", "n"), 0, 1)
WIDTHS = (2, 3, 4, 5, 8, 31, 32, 33, 63, 64, 65, 300, 1201, 5000, WIDEST_WORD)


def values(width: int) -> Iterator[int]:
    """The least and the greatest numbers of a width, and one between them."""
    yield from {0, 1, (1 << width) - 1, 1 << (width - 1), Random(width).getrandbits(width)}


def either_case(text: str) -> Iterator[str]:
    yield from {text, text.upper(), text.lower()}


def decimal(value: int) -> str:
    """Python writes very long numbers only when told to."""
    low = value % 10**4000
    return str(value) if value < 10**4000 else f"{decimal(value // 10**4000)}{low:04000d}"


# Each language reads what is written in it


@pytest.mark.parametrize("width", WIDTHS)
def test_property_files_of_vis(width: int) -> None:
    design = f"module m(clk); input clk; reg [{width - 1}:0] r; initial r = 0; always @(posedge clk) r = r; endmodule"
    machine = read("vis", design)
    for value in values(width):
        for word in (decimal(value), *spellings_of_vis(value)):
            (formula,) = read_conditions(Source("p.fair", f"r[{width - 1}:0]={word};"), machine)
            assert formula == Apply("=", (Name("r"), Constant(Word(value, width)))), word[:40]


def spellings_of_vis(value: int) -> Iterator[str]:
    for letter, digits in (("b", f"{value:b}"), ("x", f"{value:x}"), ("h", f"{value:x}")):
        for spelling in (letter + digits, f"0{letter}{digits}"):
            yield from either_case(spelling)


@pytest.mark.parametrize("width", WIDTHS)
def test_verilog(width: int) -> None:
    for value in values(width):
        for base, digits in (("b", f"{value:b}"), ("o", f"{value:o}"), ("h", f"{value:x}"), ("d", decimal(value))):
            spaced = f"{digits[:1]}_{digits[1:]}_"
            for spelling in (f"{width}'{base}{digits}", f"{width} '{base} 00{spaced}", f"{width}'s{base}{digits}"):
                assert all(number(word, HERE) == Constant(Word(value, width)) for word in either_case(spelling))
    assert number("1_000", HERE) == Constant(1000)


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("signed", [False, True])
def test_words_of_smv(width: int, signed: bool) -> None:
    letter = "s" if signed else "u"
    for value in values(width):
        word = Word(value, width, signed)
        for base, digits in (("b", f"{value:b}"), ("o", f"{value:o}"), ("h", f"{value:x}")):
            for spelling in (f"0{letter}{base}{width}_{digits}", f"0{letter}{base}{width}_0_{digits}_"):
                assert constant(spelling) == constant(spelling.replace(base, base.upper(), 1)) == word
        sign = "-" if word.value < 0 else ""
        assert constant(f"{sign}0{letter}d{width}_{decimal(abs(word.value))}") == word
        assert constant(show(Constant(word))) == word


def constant(text: str) -> object:
    expr = parse_expression(Source("n", text))
    assert isinstance(expr, Constant), text[:40]
    return expr.value


@pytest.mark.parametrize("value", [0, 7, 255, 2**31, 2**63, 2**64, 10**20, 10**999])
def test_integers(value: int) -> None:
    assert constant(f"{value}") == constant(f"00{value}"[-1000:]) == value
    assert constant(f"-{value}") == -value
    for sign, signed in (("", value), ("-", -value)):
        spellings = [f"{value}"] if value > 10**30 else [f"{value}", f"0x{value:x}", f"0X{value:X}", f"00{value}"]
        assert all(said_by_lustre("int", sign + spelling) == signed for spelling in spellings)


@pytest.mark.parametrize(
    ("spelling", "value"),
    [
        *(("1.5", Fraction(3, 2)), ("-1.5", Fraction(-3, 2)), ("007.250", Fraction(29, 4)), ("2e3", Fraction(2000))),
        *(("2E3", Fraction(2000)), ("2e+3", Fraction(2000)), ("25e-2", Fraction(1, 4)), ("-2.5E-1", Fraction(-1, 4))),
        *(("f'1/3", Fraction(1, 3)), ("F'2/6", Fraction(1, 3)), ("-f'1/3", Fraction(-1, 3))),
    ],
)
def test_real_numbers(spelling: str, value: Fraction) -> None:
    assert constant(spelling) == value
    assert constant(show(Constant(value))) == value
    if "'" not in spelling:
        assert said_by_lustre("real", spelling) == value


def said_by_lustre(kind: str, spelling: str) -> object:
    return folded(read("lustre", f"node n() returns (y : {kind}); let y = {spelling}; tel").definitions["y"])


def folded(expr: Expr) -> object:
    match expr:
        case Constant(value):
            return value
        case Apply("neg", (Constant(int() | Fraction() as value),)):
            return -value
    raise AssertionError(expr)


@pytest.mark.parametrize("width", WIDTHS)
def test_btor2(width: int) -> None:
    for value in values(width):
        negative = decimal((1 << width) - value)
        spellings = [("const", f"{value:b}"), ("consth", f"{value:x}"), ("consth", f"{value:X}"), ("constd", decimal(value))]
        if value >= 1 << (width - 1):
            spellings.append(("constd", f"-{negative}"))
        for tag, digits in spellings:
            machine = read("btor2", f"1 sort bitvec {width}\n2 {tag} 1 {digits}\n3 output 2 y\n")
            assert machine.definitions["y"] == Constant(Word(value, width))
            assert read("smv", write(machine)).definitions["y"] == Constant(Word(value, width))


@pytest.mark.parametrize("value", [0, 1, 7, 8, 62])
def test_blif_mv(value: int) -> None:
    machine = read("blif-mv", f".model m\n.outputs z\n.mv z 63\n.table -> z\n{value}\n.end\n")
    assert machine.definitions["z"] == Constant(value)


@pytest.mark.parametrize("spelling", ["0", "7", "-3", "+3", "00", "18446744073709551616"])
def test_programs(spelling: str) -> None:
    machine = read("program", f"var n : integer; n := 0; loop n := n + 1; write(n >= {spelling.removeprefix('+')}); end;")
    output = machine.definitions["output"]
    assert isinstance(output, Apply)
    assert folded(output.args[1]) == int(spelling)


@pytest.mark.parametrize("literal", range(8))
def test_aiger(literal: int) -> None:
    machine = read("aiger", f"aag 3 3 0 1 0\n2\n4\n6\n{literal}\n")
    inputs = [Constant(False), *map(Name, machine.variables)]
    plain = inputs[literal // 2]
    negated = Constant(True) if literal == 1 else Apply("not", (plain,))
    assert machine.definitions["output_0"] == (negated if literal % 2 else plain)


@pytest.mark.parametrize("place", [0, 1, 9, 10, 11])
def test_automata(place: int) -> None:
    atoms = " ".join(f'"a{number}"' for number in range(12))
    states = "".join(f"State: {state} {{0}}\n[{state}] {place}\n" for state in range(12))
    text = f"HOA: v1\nStates: 12\nStart: {place}\nAP: 12 {atoms}\nAcceptance: 1 Inf(0)\n--BODY--\n{states}--END--\n"
    automaton = read_hoa(Source("a.hoa", text))
    assert list(automaton.initial) == [place]
    assert [[target for _, _, target in edges] for edges in automaton.edges] == [[place]] * 12


# The command line, and what was read wrongly there


COUNTER = "module m(clk); input clk; reg [5:0] r; initial r = 0; always @(posedge clk) if (r < 20) r = r + 1; endmodule"


@pytest.mark.parametrize("spelling", ["x1f", "h1f", "X1F", "0x1f", "b011111", "31"])
def test_no_digit_is_lost(spelling: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """`x1f` was read as 15, which the counter reaches."""
    run: Runner = runner(monkeypatch, capsys)
    Path("m.v").write_text(COUNTER)
    Path("p.ctl").write_text(f"AG !(r[5:0]={spelling}); AG r!={spelling};")
    assert run("check", "m.v", "--properties", "p.ctl").code == 0


VERDICTS = [("n != -3", 1), ("n > -4", 0), ("n < 007", 0), ("w != 0ub4_1010", 1), ("w != 0H4_9", 1), ("w != 0UH4_9", 2)]


@pytest.mark.parametrize(("formula", "code"), VERDICTS)
def test_formulas(formula: str, code: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    run: Runner = runner(monkeypatch, capsys)
    Path("m.smv").write_text("MODULE main VAR n : -3..3; w : word[4];")
    assert run("check", "m.smv", formula).code == code


@pytest.fixture(autouse=True)
def elsewhere(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)


# Nothing but a machine, or a message with its place

NINES = "9" * 400
SPELLINGS = (
    *("", "0", "1", "2", "3", "4", "6", "-1", "+1", "--1", "007", "08", "255"),
    *("-0", "1 2", "1/2", "1/0", "1e", "inf", "nan", "'1'", '"1"', "1\0"),
    *(str(2**31), str(2**63), str(2**64), f"-{2**64}", NINES, NINES * 3, NINES * 20, "x" + "f" * 400, "b" + "1" * 2000),
    *("x", "h", "b", "x3", "h1F", "b101", "b2", "xg", "0x", "0h", "0b", "0x1f", "0H1f", "0b12", "1_000", "_1", "1_"),
    *("1.5", "1.", "1..2", ".5", "1e5", "1E-5", "1e400", "1e9999", "1e99999999999", "f'1/0", "f'1/2", "F'1/" + NINES),
    *("0ub4_1010", "0UB4_1010", "-0sd4_8", "-0sd4_9", "0ub0_1", "0ud_3", "0h_ff", "0uo3_8", "0ub99999999999_1", "0ub70000_1"),
    *("0b4_", "4'b1010", "4'BXXzz", "'hff", "0'd1", "4'd9", "4'd", "4'd_", "70000'b1", "4'b2", "4'dx"),
    *(f"{NINES}'b1", f"9'd{NINES}", f"9'h{NINES}", "²", "٣", "１", "1²", "0x٣", "0b１", "1e٣"),
)
"""In the texts below, they stand where the § is."""
SMV = "MODULE main VAR x : boolean; n : 0..7; w : word[4]; s : signed word[4]; a : array 0..2 of boolean;"
TYPES = ("0..§", "§..3", "{1, §}", "word[§]", "array 0..§ of boolean", "array §..2 of boolean")
TERMS = (
    *("n + §", "n / §", "n mod §", "-§", "1..§", "a[§]", "w[§:0]", "w[3:§]", "w << §"),
    *("w :: uwconst(1, §)", "extend(w, §)", "uwconst(§, 4)", "swconst(3, §)"),
)
SPECIFICATIONS = ("LTLSPEC F [0, §] x", "CTLSPEC EBF 0..§ x", "PSLSPEC always {x[*§]} |=> x", "CONSTANTS c§;")
VERILOG = "module m(clk, i); input clk, i; reg [5:0] r; initial r = 0; always @(posedge clk) r = r + 1;"
VALUES = ("§", "r[§]", "r[§:0]", "r[0:§]", "{§{i}}", "r << §", "r / §", "r * §", "2 ** §", "§ ** 3", "{i, §}", "-§")
STREAMS = ("§", "0 -> pre y + §", "i div §", "i mod §", "i * §")
BTOR2 = "1 sort bitvec 8\n2 sort bitvec 1\n3 state 1 s\n"
LINES = ("sort bitvec §", "sort array 1 §", "slice 1 3 7 §", "slice 2 3 § 1", "uext 1 3 §", "eq 2 3 §")
AIGER = "aag |3| |1| |1| |1| |1|\n|2|\n4 |6|\n|4|\n6 |2| 4\ni|0| name\n"
BLIF_MV = ".model m\n.inputs a\n.outputs z\n.mv a 4\n"


def at_each_place(text: str) -> list[str]:
    """The text with a § in place of each of the numbers that bars enclose."""
    pieces = text.split("|")
    return ["".join([*pieces[:place], "§", *pieces[place + 1 :]]) for place in range(1, len(pieces), 2)]


TEXTS = {
    "smv": (
        *(f"{SMV} VAR y : {kind};" for kind in TYPES),
        *(f"{SMV} DEFINE d := {term};" for term in TERMS),
        *(f"{SMV} {specification}" for specification in SPECIFICATIONS),
    ),
    "vis": (
        *(f"{VERILOG} reg {signal}; endmodule" for signal in ("[§:0] y", "[7:§] y", "y[0:§]")),
        *(f"{VERILOG} wire [7:0] y; assign y = {value}; endmodule" for value in VALUES),
        *(f"{VERILOG} parameter N = {value}; wire y; assign y = N[§]; endmodule" for value in ("3", "-3")),
        f"{VERILOG} parameter N = §; reg [N:0] y; endmodule",
        f"`define N §\n{VERILOG} reg [`N:0] y; endmodule",
        f"{VERILOG} reg y; always @(posedge clk) case (r) §: y = 1; default: y = 0; endcase endmodule",
    ),
    "lustre": (
        *(f"node m(i : int) returns (y : int); let y = {value}; tel" for value in STREAMS),
        "node m(i : bool) returns (y : real); let y = §; tel",
        "node m(i : subrange [0, §] of int) returns (y : bool); let y = true; tel",
        "const K = §; node m(i : int) returns (y : bool); let y = i < K; tel",
    ),
    "btor2": (
        *(f"{BTOR2}4 {tag} 1 §\n5 eq 2 3 4\n6 bad 5\n" for tag in ("const", "constd", "consth")),
        *(f"{BTOR2}4 {line}\n" for line in LINES),
        f"{BTOR2}§ eq 2 3 3\n",
    ),
    "aiger": (
        *at_each_place(AIGER),
        *("aag 3 1 1 1 1\n2\n4 6 §\n4\n6 2 4\n", "aag 1 0 1 0 0 0 0 1\n2 2\n§\n2\n", "aig § 1 1 1 1\n6\n4\n\2\2"),
    ),
    "blif": (".model m\n.inputs a\n.outputs z\n.latch a z §\n.end\n", ".model m\n.inputs a\n.outputs z\n.names a z\n§ 1\n.end\n"),
    "blif-mv": (
        *(f"{BLIF_MV}.table a -> z\n{rows}\n.end\n" for rows in ("§ 1", "- §", ".default §", "(1, §) 1")),
        f"{BLIF_MV}.mv z §\n.table a -> z\n- 1\n.end\n",
        f"{BLIF_MV}.mv z 2 A §\n.table a -> z\n- A\n.end\n",
        f"{BLIF_MV}.mv z 4\n.latch a z\n.reset z\n§\n.end\n",
    ),
    "program": (
        "var n : 0..§; n := 0; loop n := 0; write(n < 1); end;",
        "var n : integer; n := 0; loop n := n + §; write(n < 1); end;",
        "var n : integer; n := §; loop n := n; write(n < §); end;",
    ),
    "bench": ("INPUT(a§)\nOUTPUT(z)\nz = NOT(a§)\n",),
}


def read(format: str, text: str) -> Machine:
    return read_machine(Contents("m", text.encode()), format)


def no_internal_error(read_it: Callable[[], object]) -> None:
    try:
        read_it()
    except InputError as problem:
        assert str(problem)


@pytest.mark.parametrize("format", TEXTS)
def test_models_with_any_number(format: str) -> None:
    for text in TEXTS[format]:
        for spelling in SPELLINGS:
            written = text.replace("§", spelling)
            no_internal_error(lambda written=written: write(read(format, written)))


def test_the_texts_are_right() -> None:
    """Each of them is read with some number: else the test above says nothing."""
    for format, texts in TEXTS.items():
        for text in texts:
            assert any(is_read(format, text.replace("§", one)) for one in SPELLINGS), text


def is_read(format: str, text: str) -> bool:
    try:
        read(format, text)
    except InputError:
        return False
    return True


PROPERTIES = (
    *("AG !(r[5:0]=§);", "AG r!=§;", "AG b=§;", "AG e=§;", "r={1,§};", "r[§]=1;", "r[§:0]=1;", "r[0:§]=1;"),
    *("r<§>=1;", "m<*§*>=1;", "AX:§ b=1;", "X:§ b=1;", "§;", "AG r==§;"),
)


def test_property_files_with_any_number() -> None:
    head = "typedef enum {A, B} t; module m(clk); input clk; reg [5:0] r; reg b; t reg e; reg m[0:2];"
    body = "initial begin r = 0; b = 0; e = A; end always @(posedge clk) begin r = r; b = b; e = e; m[0] = m[0]; end"
    machine = read("vis", f"{head} {body} endmodule")
    for text in PROPERTIES:
        for spelling in SPELLINGS:
            source = Source("p", text.replace("§", spelling))
            no_internal_error(lambda source=source: read_properties(source, machine))


FORMULAS = (
    *("n = §", "w = §", "s = §", "a[§]", "w[§:0] = w", "n in 0..§"),
    *("F [0, §] x", "EBF 0..§ x", "MIN [x, n = §]", "always {x[*§]} |=> x"),
)


def test_formulas_with_any_number() -> None:
    machine = read("smv", SMV)
    for text in FORMULAS:
        for spelling in SPELLINGS:
            no_internal_error(lambda text=text, spelling=spelling: parse_formula(text.replace("§", spelling), machine))


AUTOMATON = 'HOA: v1\nStates: |2|\nStart: |0|\nAP: |1| "x"\nAcceptance: |1| Inf(|0|)\n--BODY--\n'
BODY = "State: |0| {|0|}\n[|0|] |1|\nState: 1\n[t] 0\n--END--\n"
GRAPHS = {
    "ba": ("[§]\na,[1]->[2]\n[2]\n", "1\n§,1->2\n2\n", "1\na,§->2\n2\n"),
    "aut": at_each_place("des (|0|, |1|, |2|)\n(|0|, |a|, |1|)\n"),
}


@pytest.mark.parametrize("format", GRAPHS)
def test_graphs_with_any_number(format: str) -> None:
    for text in GRAPHS[format]:
        for spelling in SPELLINGS:
            path = Path(f"g.{format}")
            path.write_text(text.replace("§", spelling))
            no_internal_error(lambda path=path: read_graph(path))


def test_automata_with_any_number() -> None:
    for text in at_each_place(AUTOMATON + BODY):
        for spelling in SPELLINGS:
            source = Source("a.hoa", text.replace("§", spelling))
            no_internal_error(lambda source=source: read_hoa(source))
