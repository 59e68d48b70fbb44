"""The one table of formats: what a file is, and a format that is added from outside."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import coarsest
from coarsest.errors import FileProblem
from coarsest.files import Contents
from coarsest.formats import FORMATS, FileKind, Format, endings, kind_of, read_machine, register, unregister
from command_lines import Runner

READER = '''
from coarsest.errors import SyntaxProblem
from coarsest.logic.expr import Apply, Constant, Name
from coarsest.model.machine import Kind, Machine, Variable
from coarsest.model.types import Range


def read(contents):
    """A counter: the byte 0xff, which is in no UTF-8, then the number of its values."""
    if len(contents.data) != 2 or contents.data[0] != 0xff:
        raise SyntaxProblem(f"{contents.name} is no counter", hint="two bytes, the first 0xff")
    size = contents.data[1]
    following = Apply("mod", (Apply("+", (Name("n"), Constant(1))), Constant(size)))
    variables = {"n": Variable("n", Range(0, size - 1), Kind.STATE)}
    return Machine("counter", variables, initial_values={"n": Constant(0)}, next_values={"n": following})
'''


@pytest.fixture
def toy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A binary format of machines, from outside: one module and one line."""
    (tmp_path / "read_toy_counters.py").write_text(READER)
    monkeypatch.syspath_prepend(tmp_path)
    register(Format("toy", FileKind.MACHINE, (".toy",), "counters", "read_toy_counters", wants_bytes=True))
    (tmp_path / "five.toy").write_bytes(b"\xff\x05")
    yield str(tmp_path / "five.toy")
    unregister("toy")


def test_a_format_from_outside(run: Runner, toy: str) -> None:
    """Every command that takes a model takes it: no text is made of its bytes before the reader has them."""
    found = run("check", toy, "AG n < 5", "AG n < 4", "G F n = 2")
    assert found.code == 1
    assert [line.split()[0] for line in found.out.splitlines() if "n " in line and line[0] != " "] == ["holds", "fails", "holds"]
    assert run("reach", toy).out.startswith("states    5\n")
    assert run("compare", toy, toy, "--observe", "n = 0").code == 0
    assert run("convert", toy, "five.smv").code == 0
    assert run("check", "five.smv", "AG n < 5").code == 0
    assert coarsest.loads(b"\xff\x03", format="toy").reach().states == 3
    wrong = run("check", toy, "--format", "smv")
    assert wrong.code == 2
    assert "not a text in UTF-8: found byte 0xff" in wrong.err


def test_complaints_of_a_format_from_outside(run: Runner, toy: str) -> None:
    Path("bad.toy").write_bytes(b"\xfe\x05")
    assert run("check", "bad.toy").err == "error: bad.toy is no counter\n  hint: two bytes, the first 0xff\n"
    assert "the format toy takes no details" in run("check", toy, "--format", "toy:5").err
    Path("x.xyz").touch()
    complaint = run("check", "x.xyz").err
    assert "models end in .smv, .prog, " in complaint
    assert ", .toy; if the file is in one of these languages" in complaint


def test_formats_from_outside_are_forgotten() -> None:
    assert "toy" not in FORMATS
    with pytest.raises(FileProblem, match="not known by its name"):
        read_machine(Contents("five.toy", b"\xff\x05"))


@pytest.mark.parametrize(
    ("path", "format", "kind"),
    [
        ("a.smv", None, FileKind.MACHINE),
        ("folder.aut/A.LUS", None, FileKind.MACHINE),
        ("a.smv", "lustre:top", FileKind.MACHINE),
        ("a.smv", "aut", FileKind.GRAPH),
        ("a.ba", None, FileKind.GRAPH),
        ("a.hoa", None, FileKind.AUTOMATON),
        ("a.ag", None, FileKind.ASSERTION_GRAPHS),
        ("edges-*.pq", None, FileKind.TABLE),
        ("-", "csv", FileKind.TABLE),
        ("-", None, None),
        ("a.txt", None, None),
        ("a.smv", "nothing", None),
    ],
)
def test_kinds(path: str, format: str | None, kind: FileKind | None) -> None:
    assert kind_of(path, format) is kind


def test_no_two_formats_claim_an_ending() -> None:
    suffixes = endings(*FileKind)
    assert len(suffixes) == len(set(suffixes))
