"""The keywords of the interface for type checkers, made from the structs that the options are written in.

`python tests/keyword_types.py` writes `src/coarsest/api/keywords.pyi`; a test says whether that is up to date.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

from coarsest.api import options as api
from coarsest.options.option import Choice, Confirm, Task

FILE = Path(__file__).parents[1] / "src" / "coarsest" / "api" / "keywords.pyi"
TASKS: dict[str, tuple[str, Task]] = {
    "CheckWords": ("Model.check", api.CHECK),
    "GsteWords": ("Model.gste", api.GSTE),
    "SymmetryWords": ("Model.symmetries", api.SYMMETRY),
    "ReachWords": ("Model.reach", api.REACH),
    "ReduceWords": ("Model.reduce", api.REDUCE),
    "AutomatonReduceWords": ("Automaton.reduce", api.REDUCE_AUTOMATON),
    "GraphReduceWords": ("Graph.reduce", api.REDUCE_GRAPH),
    "TableWords": ("reduce_tables", api.REDUCE_TABLES),
    "SpectrumWords": ("spectrum", api.SPECTRUM),
    "CompareWords": ("compare", api.COMPARE),
    "SimulateWords": ("Model.simulate", api.SIMULATE),
    "AutomatonWords": ("automaton", api.AUTOMATON),
    "DrawWords": ("draw", api.DRAW),
    "ConfirmWords": ("confirm", api.CONFIRM_EVIDENCE),
    "ControllerWords": ("Model.control_automaton", api.CONTROLLER),
}

HEAD = '''"""The keywords of the interface as type checkers know them; written by `python tests/keyword_types.py`."""

import os
from collections.abc import Sequence
from typing import TypedDict

from coarsest.logic.expr import Expr
from coarsest.options.option import Confirm
'''


def lines() -> Iterator[str]:
    yield HEAD
    for name, (function, task) in TASKS.items():
        yield f"class {name}(TypedDict, total=False):  # of `{function}`"
        yield from (f"    {choice.name}: {_type(choice)}" for choice in task.choices)
        yield ""


def _type(choice: Choice) -> str:
    if choice.type is Confirm:
        return "Confirm | str | bool"
    if choice.many:
        inner = get_args(choice.type)[0]
        return f"Sequence[{'str | Expr' if inner is Any else _shown(inner)}]"
    return _shown(choice.type)


def _shown(kind: Any) -> str:
    return kind.__name__ if isinstance(kind, type) else str(kind)


def text() -> str:
    return "\n".join(lines())


if __name__ == "__main__":
    FILE.write_text(text())
