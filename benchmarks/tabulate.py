"""Measurements as a Markdown table for people, and as lines of JSON, unrounded, for programs."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from statistics import median
from typing import Any

from msgspec import to_builtins

from benchmarks import reference
from benchmarks.execute import Measurement
from coarsest.phases import PHASES

COLUMNS = (
    "model", "task", "states or verdicts", *PHASES, "CPU s", "wall s", "MiB", "peak nodes", "NuSMV CPU s", "times faster", "target s",
    "met",
)  # fmt: skip
LEFT = 3
SHORTEST_TIME = 0.01
"""The resolution of NuSMV's times: less is taken for this when times are compared."""

MOST_DIGITS = 9


def table(measurements: Iterable[Measurement]) -> str:
    """A Markdown table with a row for each measurement."""
    return markdown(COLUMNS, [row(measurement) for measurement in measurements], left=LEFT)


def markdown(columns: Sequence[str], rows: Sequence[Sequence[str]], *, left: int) -> str:
    """A Markdown table, the first `left` columns left-aligned, padded so that it also reads well as it stands.

    >>> print(markdown(["what", "s"], [["a", "1.25"], ["b", ""]], left=1))
    | what | s    |
    |:-----|-----:|
    | a    | 1.25 |
    | b    |      |
    """
    widths = [max(map(len, column)) for column in zip(columns, *rows)]
    pads = [str.ljust] * left + [str.rjust] * (len(columns) - left)
    lines = [[str.ljust(text, width) for text, width in zip(columns, widths)]]
    lines += [[pad(text, width) for pad, text, width in zip(pads, texts, widths)] for texts in rows]
    rule = "|" + "|".join(_rule(width, left=index < left) for index, width in enumerate(widths)) + "|"
    shown = ["| " + " | ".join(line) + " |" for line in lines]
    return "\n".join([shown[0], rule, *shown[1:]])


def _rule(width: int, *, left: bool) -> str:
    dashes = "-" * (width + 1)
    return f":{dashes}" if left else f"{dashes}:"


def row(measurement: Measurement) -> list[str]:
    """One row of the table."""
    case = measurement.case
    met = target_met(measurement)
    complete = measurement.ended == "complete"
    return [
        case.model,
        case.task,
        summary(measurement),
        *(_phase(measurement, name) for name in PHASES),
        seconds(measurement.cpu) if complete else f"> {measurement.cpu:.0f}",
        seconds(measurement.wall) if complete else f"> {measurement.wall:.0f}",
        f"{measurement.mebibytes:.0f}",
        _grouped(measurement.findings.get("peak_nodes")),
        "" if case.nusmv is None else f"{case.nusmv:.2f}",
        _speed(measurement),
        "" if case.target is None else seconds(case.target),
        "" if met is None else "yes" if met else "**no**",
    ]


def _phase(measurement: Measurement, name: str) -> str:
    """The median of the seconds that went into it."""
    samples = [sample.findings.get("phases", {}).get(name) for sample in measurement.samples]
    told = [value for value in samples if value is not None]
    return seconds(median(told)) if told else ""


def seconds(value: float) -> str:
    """Seconds, with as many digits as mean something."""
    return f"{value:.2f}" if value < 100 else f"{value:.0f}"


def _grouped(number: int | None) -> str:
    return "" if number is None else f"{number:,}".replace(",", " ")


def _speed(measurement: Measurement) -> str:
    nusmv = measurement.case.nusmv
    if nusmv is None or measurement.ended != "complete":
        return ""
    return f"{max(nusmv, SHORTEST_TIME) / measurement.cpu:.2g}"


def summary(measurement: Measurement) -> str:
    """The result in a few words; what contradicts the known answers is said here."""
    if measurement.ended != "complete":
        return measurement.ended
    found = measurement.findings
    text = ""
    if found.get("states") is not None:
        text = _count(found["states"])
    elif "verdicts" in found:
        numbers = sorted(Counter(found["verdicts"]).items(), key=_by_word)
        text = ", ".join(f"{number} {word}" for word, number in numbers) or "none"
    return f"{text} (**wrong**)" if agrees(measurement) is False else text


def _by_word(item: tuple[str, int]) -> int:
    return ("holds", "fails", "unknown").index(item[0])


def _count(states: int) -> str:
    digits = str(states)
    return _grouped(states) if len(digits) <= MOST_DIGITS else f"{digits[0]}.{digits[1:3]}e{len(digits) - 1}"


def agrees(measurement: Measurement) -> bool | None:
    """Is the answer the known one? None where nothing is known, or not enough to tell."""
    known: dict[str, Any] = reference.oracles().get(measurement.case.oracle or "", {})
    found = measurement.findings
    if found.get("states") is not None and "reachable" in known:
        return bool(found["states"] == known["reachable"])
    if found.get("states") is not None and "reachable_approx" in known:
        return f"{float(found['states']):.5e}" == f"{float(known['reachable_approx']):.5e}"
    if "verdicts" in found and "properties" in known:
        expected = Counter(p["verdict"] for p in known["properties"])
        if "unknown" in found["verdicts"] or expected.total() != len(found["verdicts"]):
            return None
        return expected == Counter(found["verdicts"])
    return None


def target_met(measurement: Measurement) -> bool | None:
    """Was the target reached? None where there is none."""
    case = measurement.case
    if case.target is None:
        return None
    if measurement.ended != "complete" or "unknown" in measurement.findings.get("verdicts", ()):
        return False
    return measurement.cpu <= case.target


def as_line(measurement: Measurement) -> str:
    """One line of JSON, unrounded."""
    case = measurement.case
    facts = {key: getattr(case, key) for key in ("model", "task", "group", "arguments", "nusmv", "target")}
    medians = {"cpu": measurement.cpu, "wall": measurement.wall, "mebibytes": measurement.mebibytes}
    verdict = {"ended": measurement.ended, "agrees": agrees(measurement), "met": target_met(measurement)}
    return json.dumps({**facts, **medians, **verdict, "samples": [to_builtins(sample) for sample in measurement.samples]})


def totals(measurements: Sequence[Measurement]) -> str:
    """How many targets were met, and which were not."""
    judged = [(m, target_met(m)) for m in measurements]
    missed = [f"{m.case.model} {m.case.task} ({seconds(m.cpu)} s)" for m, met in judged if met is False]
    met = sum(1 for _, is_met in judged if is_met)
    text = f"{met} of {met + len(missed)} targets met"
    return f"{text}; missed: {', '.join(missed)}" if missed else text
