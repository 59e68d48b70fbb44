"""`confirm` for traces: what `check` writes is confirmed, and what was changed is not."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from command_lines import Runner

MODEL = """MODULE main
VAR n : 0..5; w : unsigned word[4]; at : {idle, busy}; other : boolean; free : 0..9;
IVAR go : boolean;
ASSIGN init(n) := 0; next(n) := go ? (n + 1) mod 6 : n;
  init(w) := 0ud4_0; next(w) := w + 0ud4_3;
  init(at) := idle; next(at) := n > 2 ? busy : at;
JUSTICE at = busy | n < 3
INVARSPEC NAME small := n < 4
INVARSPEC NAME stays := next(n) = n
LTLSPEC NAME once := F n = 5
LTLSPEC NAME bits := G (w = 0ud4_3 -> X w = 0ud4_5)
LTLSPEC NAME never := G at = idle
PSLSPEC NAME sequence := never {n = 1; n = 2}
CTLSPEC NAME tree := AG EF n = 0 -> AF n = 5
CTLSPEC NAME all := AG n < 3
CTLSPEC NAME star := A (F n = 5)
"""
NAMES = ["small", "stays", "once", "bits", "never", "sequence", "all", "star"]


@pytest.fixture
def run(run: Runner) -> Runner:
    Path("m.smv").write_text(MODEL)
    return run


def trace_of(run: Runner, name: str) -> dict[str, Any]:
    run("check", "m.smv", "--property", name, "--trace", "json", "-o", "t.json")
    return json.loads(Path("t.json").read_text())  # type: ignore[no-any-return]


@pytest.mark.parametrize("name", NAMES)
def test_each_counterexample_is_confirmed(name: str, run: Runner) -> None:
    trace_of(run, name)
    found = run("confirm", "m.smv", "t.json")
    assert found.code == 0
    assert found.out.startswith("confirmed: ") and " fails (" in found.out


def test_a_report_has_all_of_them(run: Runner) -> None:
    run("check", "m.smv", "--json", "-o", "r.json")
    found = run("confirm", "m.smv", "r.json", "--json")
    thing = json.loads(found.out)
    assert (found.code, thing["kind"], thing["accepted"]) == (0, "trace", True)
    assert {one["name"] for one in thing["properties"] if one["false"]} == set(NAMES)


def test_of_a_tree_one_path_is_replayed(run: Runner) -> None:
    trace_of(run, "tree")
    found = run("confirm", "m.smv", "t.json")
    assert found.code == 0
    assert found.out.startswith("confirmed: a path of the model; AG EF n = 0 -> AF n = 5 is about more than one (ctl, ")


def change(key: str, value: Any) -> Callable[[dict[str, Any]], None]:
    return lambda trace: trace.update({key: value})


def in_state(place: int, name: str, value: Any) -> Callable[[dict[str, Any]], None]:
    return lambda trace: trace["states"][place].update({name: value})


def without(name: str) -> Callable[[dict[str, Any]], None]:
    def edit(trace: dict[str, Any]) -> None:
        for state in trace["states"]:
            del state[name]

    return edit


WRONG = {
    "another value": ("small", in_state(1, "n", 3), "step 1 is not a step"),
    "not initial": ("small", in_state(0, "n", 1), "the first state is not initial"),
    "out of range": ("small", in_state(1, "n", 17), "n is 17, which is no value of 0..5"),
    "a wrong word": ("bits", in_state(1, "w", "0ud4_99"), "w is '0ud4_99', which is no value of"),
    "no word": ("bits", in_state(1, "w", [1]), "w is [1], which is no value of"),
    "no symbol": ("never", in_state(1, "at", None), "at is None, which is no value of"),
    "an unknown variable": ("small", in_state(0, "q", 1), "the model has no variable q"),
    "true in the last state": ("small", change("formula", "n < 5"), "the last state does not violate"),
    "true on the lasso": ("once", change("formula", "F n = 0"), "the formula is true on the lasso"),
    "true as a sequence": ("sequence", change("formula", "never {n = 1; n = 4}"), "the formula is true on the lasso"),
    "no lasso": ("once", change("loop", None), "there are 0 steps, but inputs for 1"),
    "a loop to nowhere": ("once", change("loop", 99), "`loop` is 99"),
    "no states": ("once", change("states", []), "a list of `states`"),
    "a state that is none": ("once", change("states", [3]), "a state is an object"),
    "no formula": ("once", change("formula", ""), "does not say which formula"),
    "another formula": ("once", change("formula", "F m = 5"), "`m` is not declared"),
    "a hidden variable": ("never", without("n"), "the trace says nothing of n"),
}


@pytest.mark.parametrize("wrong", WRONG)
def test_a_changed_trace_is_rejected(wrong: str, run: Runner) -> None:
    name, edit, reason = WRONG[wrong]
    trace = trace_of(run, name)
    edit(trace)
    if (wrong not in ("no formula",) and "formula" in wrong) or wrong.startswith("true"):
        trace["name"] = ""
    Path("t.json").write_text(json.dumps(trace))
    found = run("confirm", "m.smv", "t.json")
    assert found.code == 1, found
    assert found.out.startswith("rejected: the trace of ")
    assert reason in found.out


def test_nothing_failed(run: Runner) -> None:
    run("check", "m.smv", "n < 6", "--json", "-o", "r.json")
    found = run("confirm", "m.smv", "r.json")
    assert (found.code, found.out) == (1, "rejected: the file has no trace of a property that fails\n")
