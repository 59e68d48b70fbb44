"""The same models with different options: a table with a row for each model and task, and a column for each choice."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from benchmarks.execute import Measurement
from benchmarks.suite import Case, example_cases, family_case
from benchmarks.tabulate import markdown, seconds

CHOICES: dict[str, tuple[str, ...]] = {
    "default": (),
    "order declaration": ("--order", "declaration"),
    "order force": ("--order", "force"),
    "order dependency": ("--order", "dependency"),
    "relation monolithic": ("--relation", "monolithic"),
    "relation clustered": ("--relation", "clustered"),
    "relation disjunctive": ("--relation", "disjunctive"),
    "relation functions": ("--relation", "functions"),
    "no reorder": ("--no-reorder",),
    "no cone": ("--no-cone",),
    "no confirm": ("--no-confirm",),
    "no vacuity": ("--no-vacuity",),
    "fair emerson-lei": ("--fair", "emerson-lei"),
    "fair lockstep": ("--fair", "lockstep"),
    "ltl automaton": ("--ltl", "automaton"),
    "ltl tableau": ("--ltl", "tableau"),
}
ONLY_CHECK = ("--no-cone", "--no-confirm", "--no-vacuity", "--fair", "--ltl")

FAMILY_SAMPLE = (
    ("philosophers", "reach", 32), ("philosophers", "ctl", 16), ("mutex", "ltl", 14), ("bakery", "ctl", 6), ("ring", "all", 24),
)  # fmt: skip
EXAMPLE_SAMPLE = {
    ("dme1", "all"), ("dme2", "all"), ("production-cell", "all"), ("prod-cons", "all"), ("abp8", "reach"), ("abp8", "all"),
    ("reactor/base", "all"), ("gigamax_ltl", "all"), ("brp", "all"), ("guidance/guidance", "all"), ("philo/philo_10", "all"),
    ("dme/dme3", "all"),
}  # fmt: skip


def option_cases() -> list[Case]:
    """The sample with every choice that its task has."""
    sample = [family_case(*choice) for choice in FAMILY_SAMPLE]
    sample += [case for case in example_cases() if (case.model, case.task) in EXAMPLE_SAMPLE]
    return [case.with_options(*options) for case in sample for options in CHOICES.values() if _has(case, options)]


def _has(case: Case, options: Sequence[str]) -> bool:
    if not options:
        return True
    if case.task == "reach" and options[0] in ONLY_CHECK:
        return False
    if options[0] == "--ltl":
        return "LTLSPEC" in (case.text or (Path(case.path).read_text(encoding="utf-8") if case.path else ""))
    return True


def option_table(measured: Sequence[Measurement]) -> str:
    """CPU seconds of each choice for each model and task."""
    rows: dict[tuple[str, str], dict[tuple[str, ...], str]] = {}
    for measurement in measured:
        case = measurement.case
        options = tuple(a for a in case.arguments[1:] if a != "--json")
        rows.setdefault((case.model, case.task), {})[options] = _cell(measurement)
    names = [name for name, options in CHOICES.items() if any(options in row for row in rows.values())]
    body = [[*key, *(row.get(CHOICES[name], "") for name in names)] for key, row in rows.items()]
    return markdown(["model", "task", *names], body, left=2)


def _cell(measurement: Measurement) -> str:
    match measurement.ended:
        case "complete":
            return seconds(measurement.cpu)
        case "time limit":
            return f"> {measurement.cpu:.0f}"
        case "exit 2":
            return "–"
        case other:
            return other
