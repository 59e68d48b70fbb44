"""`check --certificate`, `check --confirm` and `confirm`: what they write, read and say."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from command_lines import Runner

MODEL = """MODULE main
VAR n : 0..99; m : 0..30; free : boolean;
ASSIGN init(n) := 0; next(n) := (n + 1) mod 100; init(m) := 0; next(m) := {m, (m + 1) mod 31};
INVARSPEC NAME inside := n + m < 130
CTLSPEC NAME again := AG AF (n = 7 & m < 31)
LTLSPEC NAME often := G F (n = 7 & m < 31)
CTLSPEC NAME possible := AG EF (m = 9 & n < 100)
LTLSPEC NAME wrong := G F m = 9
"""


@pytest.fixture
def run(run: Runner) -> Runner:
    Path("m.smv").write_text(MODEL)
    return run


def certificates(run: Runner, *options: str) -> dict[str, Any]:
    run("check", "m.smv", "--certificate", "p.json", *options)
    return json.loads(Path("p.json").read_text())  # type: ignore[no-any-return]


def test_what_is_written_is_confirmed(run: Runner) -> None:
    assert run("check", "m.smv", "--certificate", "p.json").code == 1
    thing = json.loads(Path("p.json").read_text())
    assert (thing["schema"], thing["kind"], thing["model"]) == (1, "properties", "m.smv")
    assert [one["name"] for one in thing["certificates"]] == ["inside", "again", "often", "possible"]
    found = run("confirm", "m.smv", "p.json")
    assert found.code == 0
    assert found.out.startswith("confirmed: 4 properties\n  n + m < 130 holds (invariant, 4 conditions)\n")


def test_confirmed_for_programs(run: Runner, monkeypatch: pytest.MonkeyPatch) -> None:
    certificates(run)
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(Path("p.json").read_bytes())))
    found = run("confirm", "m.smv", "-", "--json")
    thing = json.loads(found.out)
    assert found.code == 0 and thing["accepted"] is True and thing["kind"] == "properties"
    assert [one["kind"] for one in thing["properties"]] == ["invariant", "ctl", "ltl", "ctl"]
    assert all(one["conditions"] > 0 for one in thing["properties"])


def test_under_supervision(run: Runner) -> None:
    """The certificate comes from the process that does the work."""
    command = [sys.executable, "-m", "coarsest", "check", "m.smv", "n < 100", "--certificate", "p.json", "--timeout", "200"]
    assert subprocess.run(command, check=False, capture_output=True).returncode == 0
    assert run("confirm", "m.smv", "p.json").out == "confirmed: n < 100 holds (invariant, 4 conditions)\n"


def test_no_engine_is_loaded(run: Runner) -> None:
    """Nor anything that only engines need: neither to read the model nor to check the certificate."""
    certificates(run)
    program = (
        "import sys; from coarsest.cli.app import main; code = main(['confirm', 'm.smv', 'p.json']);"
        "parts = {'.'.join(name.split('.')[:2]) for name in sys.modules if name.startswith('coarsest.')};"
        "print(code, sorted(parts & {'coarsest.bdd', 'coarsest.system', 'coarsest.check'}), 'oxidd' in sys.modules)"
    )
    found = subprocess.run([sys.executable, "-c", program], check=False, capture_output=True, text=True)
    assert found.stdout.splitlines()[-1] == "0 [] False", found.stderr


@pytest.mark.parametrize("change, said", [
    (lambda one: one.update(name="", formula="n + m < 100"), "a state in the invariant violates the property"),
    (lambda one: one.update(invariant=0), "the invariant does not contain an initial state"),
    (lambda one: one.update(variables=["n"]), "the certificate leaves out 'm'"),
    (lambda one: one.update(nodes=[]), "the certificate has no node"),
])  # fmt: skip
def test_rejected(run: Runner, change: Callable[[dict[str, Any]], None], said: str) -> None:
    thing = certificates(run)
    change(thing["certificates"][0])
    Path("q.json").write_text(json.dumps(thing))
    found = run("confirm", "m.smv", "q.json")
    assert found.code == 1 and found.out.startswith("rejected: first certificate: ") and said in found.out


@pytest.mark.parametrize("change, said", [
    (lambda thing: thing.update(certificates=3), "the file has no list 'certificates'"),
    (lambda thing: thing.update(schema=7), "expected an object of kind 'properties' and schema 1"),
    (lambda thing: thing["certificates"][0].pop("invariant"), "certificates[0]: 'invariant' is None"),
    (lambda thing: thing["certificates"][0].update(kind="tale"), "the kind of property is 'tale'"),
    (lambda thing: thing["certificates"][0].update(bits=[["n"]]), "['n'] is not a bit"),
    (lambda thing: thing["certificates"][0].update(nodes=[[1, 2]]), "found [1, 2]"),
    (lambda thing: thing["certificates"][0].update(nodes=[[True, 0, 1]]), "found [True, 0, 1]"),
    (lambda thing: thing["certificates"][0].update(variables=[1]), "'variables' are [1]"),
    (lambda thing: thing["certificates"][0].update(formula="k < 3"), "`k` is not declared"),
    (lambda thing: thing["certificates"][1]["proofs"][0].update(proof="hope"), "there is no proof 'hope'"),
    (lambda thing: thing["certificates"][1].update(fair=thing["certificates"][1]["proofs"][0]), "fairness is proved"),
    (lambda thing: thing["certificates"][3]["proofs"][0].update(layers=[4]), "'states' is None"),
    (lambda thing: thing["certificates"].__setitem__(0, 5), "'kind' is None"),
])  # fmt: skip
def test_files_that_hold_no_certificate(run: Runner, change: Callable[[Any], None], said: str) -> None:
    thing = certificates(run)
    change(thing)
    Path("q.json").write_text(json.dumps(thing))
    found = run("confirm", "m.smv", "q.json")
    assert found.code == 2 and said in found.err, found


def test_wrong_usage(run: Runner) -> None:
    thing = certificates(run)
    assert "are about one model" in run("confirm", "m.smv", "m.smv", "p.json").err
    Path("q.json").write_text(json.dumps({**thing, "certificates": []}))
    assert run("confirm", "m.smv", "q.json") == (1, "rejected: the file has no certificate\n", "")
    found = run("check", "m.smv", "--certificate", "no/such/place.json")
    assert found.code == 2 and "there is no directory" in found.err
    assert run("check", "m.smv", "--confirm", "perhaps").code == 2


def test_what_has_no_certificate_is_mentioned(run: Runner) -> None:
    found = run("check", "m.smv", "A (G F (n = 7 & m < 31))", "--certificate", "p.json", "--no-vacuity")
    assert found.code == 0
    assert "note: there is no certificate that A (G F (n = 7 & m < 31)) holds: there are no certificates of CTL*" in found.err
    assert json.loads(Path("p.json").read_text())["certificates"] == []


def test_how_much_is_confirmed(run: Runner) -> None:
    def confirmed(*options: str) -> list[bool]:
        return [one["confirmed"] for one in json.loads(run("check", "m.smv", "--json", *options).out)["properties"]]

    assert confirmed("--confirm", "always") == [True, True, True, True, True]
    assert confirmed("--confirm", "never") == confirmed("--no-confirm") == [False] * 5
    properties = json.loads(run("check", "m.smv", "--json", "--confirm", "auto").out)["properties"]
    assert all(one["confirmed"] or one["doubt"] for one in properties)


def test_the_formula_that_was_understood_is_shown(run: Runner) -> None:
    """Not the text in the file, in which a comment could look like another formula."""
    thing = certificates(run, "n < 100")
    thing["certificates"][0]["formula"] += " -- \rconfirmed: n < 5"
    Path("p.json").write_text(json.dumps(thing))
    assert run("confirm", "m.smv", "p.json").out == "confirmed: n < 100 holds (invariant, 4 conditions)\n"
    assert json.loads(run("confirm", "m.smv", "p.json", "--json").out)["properties"][0]["formula"] == "n < 100"


@pytest.mark.parametrize("name, kind, code", [("safe", "ctl", 1), ("other", "ctl", 1), ("", "ctl", 1), ("begins", "ctl", 0)])
def test_name_and_kind_are_those_of_the_model(name: str, kind: str, code: int, run: Runner) -> None:
    """A condition on the initial states alone is not the invariant of the same text."""
    model = "MODULE main VAR x : 0..3; ASSIGN init(x) := 0; next(x) := (x + 1) mod 4;"
    Path("m.smv").write_text(f"{model} INVARSPEC NAME safe := x != 3; CTLSPEC NAME begins := x != 3;")
    run("check", "m.smv", "--property", "begins", "--certificate", "p.json")
    thing = json.loads(Path("p.json").read_text())
    thing["certificates"][0] |= {"name": name, "kind": kind}
    Path("p.json").write_text(json.dumps(thing))
    assert run("confirm", "m.smv", "p.json").code == code
