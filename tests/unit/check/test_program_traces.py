"""Traces of programs in their own words: what is read and written in each round of the loop."""

from __future__ import annotations

import coarsest

COUNTER = """var n : 0..3; a, m : boolean;
n := 0; m := false;
loop
  read(a);
  if a then write(n); read(m); end;
  n := if a and m and n < 3 then n + 1 else n;
  write(n > 2);
  assert n < 3;
end
"""


def test_rounds_instead_of_inputs() -> None:
    (answer,) = coarsest.loads(COUNTER, format="program").check()
    assert answer.reading is not None and answer.reading.shown is not None
    shown = answer.reading.shown
    assert [step["write2"] for step in shown.inputs] == [False, False, True]
    assert [step.get("write") for step in shown.inputs] == [0, 1, 2]
    assert all(step["read(a)"] and step["read(m)"] for step in shown.inputs)
    assert not any(".read" in name or "output" in name for step in shown.inputs for name in step)
    assert shown.states == answer.verdict.trace.states  # type: ignore[union-attr]


def test_what_is_not_written_is_not_shown() -> None:
    (answer,) = coarsest.loads(COUNTER, format="program").check("F a | G n = 0 & F n = 1")
    assert answer.reading is not None and answer.reading.shown is not None
    assert all(step == {"read(a)": False, "read(m)": step["read(m)"], "write2": False} for step in answer.reading.shown.inputs)


def test_less_or_all_of_it() -> None:
    model = coarsest.loads(COUNTER, format="program")
    text = str(model.check("n < 2"))
    assert "[read(a) = TRUE]" in text and "1 more variable (--trace full)" in text
    chosen = model.check("n < 2", show=["n * 2"])[0].reading
    assert chosen is not None and chosen.shown is not None and list(chosen.shown.states[0]) == ["n * 2"]


def test_what_is_confirmed_has_the_names_of_the_model() -> None:
    model = coarsest.loads(COUNTER, format="program")
    evidence = model.check("n < 2").to_object()
    assert set(evidence["properties"][0]["trace"]["inputs"][0]) == {"a.read", "m.read"}
