"""Help that fits a screen: the most important options, a line each. `--help all` shows the rest."""

from __future__ import annotations

import argparse
from types import MappingProxyType
from typing import Final

EXAMPLES: Final = 8
"""The number of examples in the short form."""
COLUMN: Final = 24
"""The column in which the texts begin."""

SHORT = MappingProxyType(
    {
        "--format": "the format of the model (default: by its suffix)",
        "--property": "only the property with this name or number",
        "--by": "the relation, such as simulation (--help all lists them)",
        "--preorder": "ask only whether A is below B",
        "--observe": "what an observer sees of a state",
        "--algorithm": "the algorithm; 'coarsest algorithms' lists them",
        "--reactions": "reduce to the control automaton, as for code",
        "--semantics": "finite paths, or fair infinite ones",
        "--plan": "print what would be tried, without trying it",
        "--strict": "a warning makes the exit code 1",
        "--expect": "compare with the verdicts in this file",
        "--certificate": "write the evidence to a file, for 'coarsest confirm'",
        "--engine": "what does the work",
        "--reduce": "decide on a smaller model: bisimulation, symmetry, …",
        "--deadlock": "what a state without successor means: loop, fail, ignore",
        "--confirm": "check the evidence: auto, always or never",
        "--traces": "number of counterexamples to an invariant",
        "--show": "show only these expressions along traces",
        "--jobs": "number of properties checked in parallel",
        "--towards": "count the states that can reach this condition",
        "--to": "the format of the result (default: by its suffix)",
        "--from": "the format of the input (default: by its suffix)",
        "--json": "print one JSON object for programs",
        "--trace": "style of traces: changes, full, table, json, vcd, …",
        "--output": "write to a file, in the format of its ending",
        "--quiet": "results only",
        "--verbose": "statistics and progress",
        "--timeout": "time limit in seconds",
        "--memory": "memory limit in mebibytes",
        "--nodes": "limit on live BDD nodes",
    }
)
"""The options that the short form shows, by their long names. They mean the same in all commands."""


def short_help(parser: argparse.ArgumentParser) -> str:
    """Usage, operands, the options of the table above, and a few examples."""
    lines = [f"usage: {parser.usage}", "", *str(parser.description).splitlines(), ""]
    actions = parser._actions
    places = {name: place for place, name in enumerate(SHORT)}
    shown = sorted((a for a in actions if SHORT.keys() & {*a.option_strings}), key=lambda action: places[_long_name(action)])
    lines += [_line(_invocation(action), SHORT[_long_name(action)]) for action in shown]
    others = sum(bool(action.option_strings) for action in actions) - len(shown) - 1
    lines += [_line("-h, --help all", f"all options: {others} more"), "", "examples:"]
    examples = str(parser.epilog).removeprefix("examples:\n").splitlines()
    return "\n".join([*lines, *examples[:EXAMPLES]]) + "\n"


def _long_name(action: argparse.Action) -> str:
    return next(name for name in action.option_strings if name in SHORT)


def _invocation(action: argparse.Action) -> str:
    takes_value = action.nargs != 0
    short = [name for name in action.option_strings if not name.startswith("--")]
    words = ", ".join([*short, _long_name(action)])
    return f"{words} {action.metavar or 'WORD'}" if takes_value else words


def _line(option: str, text: str) -> str:
    gap = max(1, COLUMN - 2 - len(option))
    return f"  {option}{' ' * gap}{text}"
