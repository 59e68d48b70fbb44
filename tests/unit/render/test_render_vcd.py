"""Value change dumps, read back by a reader that shares nothing with the writer."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from coarsest.logic.expr import Value, Word
from coarsest.model.trace import Trace
from coarsest.render.data.vcd import trace_to_vcd


class Dump:
    """A strict little reader: declarations, then the value of every signal at every time."""

    def __init__(self, text: str) -> None:
        head, body = text.split("$enddefinitions $end")
        self.kinds: dict[str, tuple[str, int]] = {}
        self.names: dict[str, str] = {}
        self.comment = ""
        scope: list[str] = []
        for keyword, content in re.findall(r"\$(\w+)\s+(.*?)\s*\$end", head, re.DOTALL):
            words = content.split()
            if keyword == "scope":
                scope.append(words[1])
            elif keyword == "upscope":
                scope.pop()
            elif keyword == "comment":
                self.comment += content
            elif keyword == "var":
                kind, width, code, reference = words
                assert code not in self.names, "two signals with one code"
                full = ".".join([*scope[1:], reference])
                self.names[code] = full
                self.kinds[full] = (kind, int(width))
            else:
                assert keyword == "timescale"
                assert content == "1 ns"
        assert scope == []
        self.times: list[dict[str, str]] = []
        self._read(body.split("\n"))

    def _read(self, lines: list[str]) -> None:
        current: dict[str, str] = {}
        for line in lines:
            if not line or line in ("$dumpvars", "$end"):
                continue
            if line[0] == "#":
                assert int(line[1:]) == len(self.times)
                current = dict(current)
                self.times.append(current)
            elif line[0] in "01":
                current[self.names[line[1:]]] = line[0]
            else:
                value, code = line.split(" ")
                current[self.names[code]] = value
        self.times.pop()  # the end of the last state


def test_every_kind_of_value_comes_back() -> None:
    states = (
        {"ok": True, "p.at": "idle", "p.n": -3, "w": Word(5, 8), "a[0]": 7, "mixed": "off"},
        {"ok": False, "p.at": "busy", "p.n": 4, "w": Word(255, 8), "a[0]": 7, "mixed": 2},
    )
    dump = Dump(trace_to_vcd(Trace(states), name="m.smv: $safe"))
    assert dump.kinds == {
        "ok": ("wire", 1),
        "p.at": ("string", 1),
        "p.n": ("integer", 32),
        "w": ("wire", 8),
        "a(0)": ("integer", 32),
        "mixed": ("string", 1),
    }
    first, second = dump.times
    assert first["ok"] == "1"
    assert second["ok"] == "0"
    assert first["p.at"] == "sidle"
    assert first["p.n"] == "b" + "1" * 30 + "01"
    assert second["w"] == "b11111111"
    assert first["a(0)"] == second["a(0)"]
    assert (first["mixed"], second["mixed"]) == ("soff", "s2")


def test_numbers_beyond_32_bits_get_the_bits_they_need() -> None:
    dump = Dump(trace_to_vcd(Trace(({"n": 1 << 40},))))
    assert dump.kinds["n"] == ("wire", 42)
    assert int(dump.times[0]["n"][1:], 2) == 1 << 40


def test_the_loop_is_marked() -> None:
    lasso = Trace(({"x": 0, "in_loop": True}, {"x": 1, "in_loop": True}, {"x": 2, "in_loop": True}), loop=1)
    dump = Dump(trace_to_vcd(lasso))
    assert [step["in_loop_"] for step in dump.times] == ["0", "1", "1"]
    assert "comes time 1 again" in dump.comment


def test_inputs_are_shown_with_the_state_they_leave() -> None:
    dump = Dump(trace_to_vcd(Trace(({"x": 0}, {"x": 1}), ({"go": True},))))
    assert dump.times[0]["go"] == "1"


@given(st.lists(st.integers(-(2**31), 2**31 - 1), min_size=1, max_size=8), st.integers(1, 300))
def test_integers_and_many_signals_come_back(numbers: list[int], signals: int) -> None:
    states: list[dict[str, Value]] = [{f"v{n}": number + 0 for n in range(signals)} for number in numbers]
    dump = Dump(trace_to_vcd(Trace(tuple(states))))
    for time, number in zip(dump.times, numbers):
        bits = time[f"v{signals - 1}"][1:]
        read = int(bits, 2) - (1 << len(bits) if bits[0] == "1" and len(bits) >= 32 else 0)
        assert read == number
        assert len(time) == signals
