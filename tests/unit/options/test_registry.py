"""The registry of algorithms: every line leads to a file with a full header, and every option it names exists."""

from __future__ import annotations

import re
from importlib import import_module
from pathlib import Path

import pytest

import coarsest
from coarsest.options.methods import ORDERS
from coarsest.registry import Algorithm

ALGORITHMS = coarsest.algorithms()
PACKAGE = Path(coarsest.__file__).parent


@pytest.mark.parametrize("algorithm", ALGORITHMS, ids=lambda a: f"{a.task}: {a.name}")
def test_the_file_has_the_five_fields(algorithm: Algorithm) -> None:
    text = (PACKAGE / algorithm.file).read_text(encoding="utf-8")
    for field in ("Reference:", "Symbols:", "Invariant:", "Deviates:", "Cost:"):
        assert re.search(f"^{field} ", text, re.MULTILINE), f"{algorithm.file} does not say {field}"
    assert algorithm.summary.endswith((".", "?"))
    assert algorithm.reference


def test_names_are_unique_within_a_task() -> None:
    names = [(a.task, a.name) for a in ALGORITHMS]
    assert len(set(names)) == len(names)


@pytest.mark.parametrize("option", sorted({a.option for a in ALGORITHMS if a.option}))
def test_options_exist(option: str) -> None:
    command = option.split(maxsplit=1)[0] if not option.startswith("-") else "check"
    found = re.search(r"(--[\w-]+)(?: ([\w-]+))?", option.removesuffix(" to switch it off"))
    parser = import_module(f"coarsest.cli.commands.{command}").command.parser()
    if found is None:
        return
    action = next(action for action in parser._actions if found.group(1) in action.option_strings)
    choices = ORDERS if action.dest == "order" else action.choices or ()  # an order may also be a file
    assert found.group(2) is None or found.group(2) in choices
