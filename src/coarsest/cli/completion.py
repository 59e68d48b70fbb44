"""Completion for three shells and a manual page, generated from the parsers of the command line."""

from __future__ import annotations

import argparse
import re
import shlex
from collections.abc import Iterator, Mapping
from functools import cache
from importlib import import_module


@cache
def options_of(command: str) -> tuple[argparse.Action, ...]:
    """The options of a command that appear in its help."""
    parser: argparse.ArgumentParser = import_module(f"coarsest.cli.commands.{command}").command.parser()
    return tuple(action for action in parser._actions if action.option_strings and action.help is not argparse.SUPPRESS)


def completion(shell: str, commands: Mapping[str, str]) -> str:
    """A script for bash, zsh or fish; `commands` has a summary for each command."""
    return {"bash": _bash, "zsh": _zsh, "fish": _fish}[shell](commands)


def _names(action: argparse.Action) -> list[str]:
    return [name for name in action.option_strings if name.startswith("--")] or list(action.option_strings)


def _words(action: argparse.Action) -> list[str]:
    return [str(word) for word in action.choices or ()]


def _bash(commands: Mapping[str, str]) -> str:
    cases, values = [], []
    for command in commands:
        names = [name for action in options_of(command) for name in action.option_strings]
        cases.append(f"    {command}) options={shlex.quote(' '.join(names))} ;;")
        for action in options_of(command):
            if action.choices:
                patterns = "|".join(f"{command}:{name}" for name in action.option_strings)
                words = shlex.quote(" ".join(_words(action)))
                values.append(f'    {patterns}) COMPREPLY=($(compgen -W {words} -- "$word")); return ;;')
    return "\n".join(
        [
            "_coarsest() {",
            '  local word="${COMP_WORDS[COMP_CWORD]}" before="${COMP_WORDS[COMP_CWORD-1]}" options=""',
            '  if [ "$COMP_CWORD" -eq 1 ]; then',
            f'    COMPREPLY=($(compgen -W {shlex.quote(" ".join((*commands, "--help", "--version")))} -- "$word")); return',
            "  fi",
            '  case "${COMP_WORDS[1]}:$before" in', *values, "  esac",
            '  case "${COMP_WORDS[1]}" in', *cases, "  esac",
            '  case "$word" in',
            '    -*) COMPREPLY=($(compgen -W "$options" -- "$word")) ;;',
            '    *) COMPREPLY=($(compgen -f -- "$word")) ;;',
            "  esac",
            "}",
            "complete -o filenames -F _coarsest coarsest\n",
        ]
    )  # fmt: skip


def _zsh(commands: Mapping[str, str]) -> str:
    def escaped(text: str | None) -> str:
        return re.sub(r"([\[\]:'\\])", r"\\\1", text or "").replace("'", "")

    lines = ["#compdef coarsest", "_coarsest() {", "  local -a commands", "  commands=("]
    lines += [f"    '{command}:{escaped(summary)}'" for command, summary in commands.items()]
    lines += ["  )", "  if (( CURRENT == 2 )); then _describe command commands; return; fi", '  case "$words[2]" in']
    for command in commands:
        specs = []
        for action in options_of(command):
            value = "" if action.nargs == 0 else f":{escaped(str(action.metavar or 'value'))}:({' '.join(_words(action))})"
            if value and not action.choices:
                value = f":{escaped(str(action.metavar or 'value'))}:_files"
            specs += [f"'{name}[{escaped(action.help)}]{value}'" for name in _names(action)]
        lines.append(f"    {command}) shift words; (( CURRENT-- )); _arguments {' '.join(specs)} '*:file:_files' ;;")
    return "\n".join([*lines, "  esac", "}", '_coarsest "$@"\n'])


def _fish(commands: Mapping[str, str]) -> str:
    lines = []
    for command, summary in commands.items():
        lines.append(f"complete -c coarsest -n __fish_use_subcommand -a {command} -d {shlex.quote(summary)}")
        for action in options_of(command):
            flags = [f"-l {name[2:]}" if name.startswith("--") else f"-s {name[1:]}" for name in action.option_strings]
            words = f" -x -a {shlex.quote(' '.join(_words(action)))}" if action.choices else "" if action.nargs == 0 else " -r"
            about = shlex.quote((action.help or "").split("\n")[0])
            lines.append(
                f"complete -c coarsest -n '__fish_seen_subcommand_from {command}' {' '.join(flags)}{words} -d {about}"
            )
    return "\n".join(lines) + "\n"


# The manual page


def manual(version: str, commands: Mapping[str, str]) -> str:
    """The manual page coarsest(1)."""
    lines = [
        f'.TH COARSEST 1 "" "coarsest {version}"', ".SH NAME",
        "coarsest \\- checks, minimises and compares finite-state systems, with evidence for every answer",
        ".SH SYNOPSIS", ".B coarsest", ".I COMMAND", "[ARGUMENTS]", ".SH commands",
    ]  # fmt: skip
    for command, summary in commands.items():
        lines += [".TP", f".B {command}", _plain(summary)]
    for command in commands:
        lines += [f".SH COARSEST {command.upper()}", *_section(command)]
    codes = {"0": "everything holds", "1": "a property fails", "2": "wrong input or usage", "3": "undecided: a limit was reached",
             "70": "a bug in coarsest"}  # fmt: skip
    lines += [".SH EXIT STATUS", *(part for code, about in codes.items() for part in (".TP", f".B {code}", about))]
    variables = {"NO_COLOR": "no colours in the output", "FORCE_COLOR": "colours even if the output is not a terminal",
                 "COARSEST_DEBUG": "tracebacks of internal errors"}  # fmt: skip
    lines += [".SH ENVIRONMENT", *(part for name, about in variables.items() for part in (".TP", f".B {name}", about))]
    return "\n".join(lines) + "\n"


def _section(command: str) -> Iterator[str]:
    parser: argparse.ArgumentParser = import_module(f"coarsest.cli.commands.{command}").command.parser()
    yield _plain(parser.description or "")
    yield from (".PP", f".B {_plain((parser.usage or '').strip())}")
    for action in options_of(command):
        named = str(action.metavar or "|".join(_words(action)) or "VALUE")
        value = "" if action.nargs == 0 else f" \\fI{_plain(named)}\\fR"
        yield from (".TP", f"\\fB{_plain(', '.join(action.option_strings))}\\fR{value}")
        yield _plain((action.help or "").replace("%%", "%"))
    if parser.epilog:
        yield from (".PP", ".nf", *(_plain(line) for line in parser.epilog.split("\n")), ".fi")


def _plain(text: str) -> str:
    """A text without commands of troff."""
    escaped = text.replace("\\", "\\e").replace("-", "\\-")
    escaped = "".join(letter if letter.isascii() else f"\\[u{ord(letter):04X}]" for letter in escaped)
    return f"\\&{escaped}" if escaped.startswith((".", "'")) else escaped
