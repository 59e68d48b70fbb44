"""The tables of docs/command-line.md about options, made from the structs that the options are written in."""

from __future__ import annotations

from collections.abc import Iterator

from coarsest.api import options as api
from coarsest.options.option import Choice, Confirm, Task

TASKS: dict[str, tuple[str, Task]] = {
    "check": ("Model.check", api.CHECK),
    "gste": ("Model.gste", api.GSTE),
    "reach": ("Model.reach", api.REACH),
    "reduce (models)": ("Model.reduce", api.REDUCE),
    "reduce (graphs)": ("Graph.reduce", api.REDUCE_GRAPH),
    "reduce (automata)": ("Automaton.reduce", api.REDUCE_AUTOMATON),
    "reduce (tables)": ("reduce_tables", api.REDUCE_TABLES),
    "reduce (code)": ("Model.control_automaton", api.CONTROLLER),
    "compare": ("compare", api.COMPARE),
    "simulate": ("Model.simulate", api.SIMULATE),
    "automaton": ("automaton", api.AUTOMATON),
    "confirm": ("confirm", api.CONFIRM_EVIDENCE),
    "show": ("draw", api.DRAW),
}


def option_rows() -> Iterator[str]:
    """A row for each option of the command line: its flag, keyword, default, the commands that have it, and its help."""
    yield "| option | in Python | default | commands | |"
    yield "|---|---|---|---|---|"
    users: dict[tuple[str, str, str, str], list[str]] = {}
    for command, (_, task) in TASKS.items():
        for choice in task.choices:
            if choice.option.on_command_line:
                users.setdefault((choice.flag, choice.name, _default(choice), _help(choice)), []).append(command)
    for (flag, name, default, told), commands in sorted(users.items(), key=lambda item: item[0][1]):
        yield f"| `{flag}` | `{name}` | {default} | {', '.join(commands)} | {told} |"


def word_rows() -> Iterator[str]:
    """A row for each word that an option can be, with a line about it."""
    yield "| option | commands | value | |"
    yield "|---|---|---|---|"
    users: dict[tuple[str, tuple[tuple[str, str], ...]], list[str]] = {}
    for command, (_, task) in TASKS.items():
        for choice in task.choices:
            if choice.option.on_command_line and choice.words:
                users.setdefault((choice.flag, tuple(choice.words.items())), []).append(command)
    for (flag, words), commands in sorted(users.items(), key=lambda item: item[0][0]):
        for number, (word, told) in enumerate(words):
            first = (f"`{flag}`", ", ".join(commands)) if not number else ("", "")
            yield f"| {first[0]} | {first[1]} | `{word}` | {told} |"


def _default(choice: Choice) -> str:
    if isinstance(choice.default, bool) or choice.default in (None, ()):
        return ""
    return f"`{choice.default.value if isinstance(choice.default, Confirm) else choice.default}`"


def _help(choice: Choice) -> str:
    """Without the words, which have a table of their own."""
    text = choice.option.help.replace("one of {words}", "which of the values below")
    return text.replace(": {words}, or a file", ", or a file").replace(": {words}", "")


if __name__ == "__main__":
    print(*option_rows(), "", *word_rows(), sep="\n")
