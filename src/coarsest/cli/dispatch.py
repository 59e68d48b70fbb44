"""From a command line to a command: help, version, and suggestions for unknown commands."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Sequence
from importlib import import_module
from os.path import isfile
from pathlib import Path

from coarsest.cli.frame.command import Command
from coarsest.errors import InputError
from coarsest.text.near import nearest

COMMANDS = {
    "check": "check properties of a model: verdicts with evidence",
    "assume": "check a model in every environment that satisfies a formula",
    "prove": "check a proof script: a system verified one component at a time",
    "gste": "check assertion graphs",
    "reduce": "find the smallest system with the same behaviour",
    "compare": "compare two graphs or models: a certificate, or a formula that distinguishes them",
    "confirm": "check a certificate or a trace independently",
    "symmetry": "find symmetries of a model, or verify those given",
    "reach": "count the reachable states",
    "simulate": "walk through a model, by hand or at random",
    "show": "draw a model, a graph or an automaton",
    "convert": "translate between formats",
    "automaton": "translate a formula into an automaton",
    "serve": "open a page with an editor, verdicts, traces and pictures on this machine",
    "examples": "list or copy the models that come with coarsest",
    "algorithms": "list every algorithm with its paper and options",
    "reproduce": "measure the tables of the papers again",
}

SHELLS = ("bash", "zsh", "fish")

OVERVIEW = """usage: coarsest COMMAND [ARGUMENTS]

A model checker that shows its work: checks, minimises and compares finite-state systems, with evidence for every answer.

commands:
{commands}

options:
  -h, --help     print this text; 'coarsest COMMAND --help' describes one command
  -V, --version  print the version
  --completion bash|zsh|fish   print a script that completes commands and options in a shell
  --manual       print a manual page, for man

examples:
  coarsest check mutex.smv                   check all properties of the file
  coarsest check mutex.smv "!(a & b)"        check that !(a & b) holds in all reachable states
  coarsest reach mutex.smv --json            count the reachable states, as JSON
  coarsest simulate mutex.smv --interactive  walk through the model

exit codes: 0 everything holds, 1 a property fails, 2 wrong input or usage, 3 undecided (limit reached), 70 a bug in coarsest
"""


def dispatch(argv: Sequence[str], started: float) -> int:
    """Run a command line that started at time `started`."""
    first = argv[0] if argv else "--help"
    if first in ("-V", "--version"):
        from coarsest import __version__
        from coarsest._kernels.library import library

        kernels = "compiled kernels" if library() else "without compiled kernels: large graphs take longer"
        sys.stdout.write(f"coarsest {__version__} ({kernels})\n")
        return 0
    if first in ("--completion", "--manual"):
        return _for_shell_or_man(first, argv[1:])
    if first in ("-h", "--help") or list(argv) == ["help"]:
        commands = "\n".join(f"  {name:<13}  {summary}" for name, summary in COMMANDS.items())
        sys.stdout.write(OVERVIEW.format(commands=commands))
        return 0
    if first == "help":
        argv = [argv[1], "--help"]
    return _run(argv, started)


def _for_shell_or_man(option: str, rest: Sequence[str]) -> int:
    """Print a completion script or the manual page."""
    from coarsest import __version__
    from coarsest.cli.completion import completion, manual

    if option == "--completion" and (len(rest) != 1 or rest[0] not in SHELLS):
        raise InputError(f"--completion needs one of {', '.join(SHELLS)}", hint="for example: coarsest --completion bash")
    sys.stdout.write(manual(__version__, COMMANDS) if option == "--manual" else completion(rest[0], COMMANDS))
    return 0


def _run(argv: Sequence[str], started: float) -> int:
    from coarsest.cli.frame.overwriting import require_other_files
    from coarsest.cli.process.execute import execute

    name, *rest = argv
    if name not in COMMANDS:
        raise _unknown(name)
    command: Command = import_module(f"coarsest.cli.commands.{name}").command
    try:
        args = command.parser().parse_intermixed_args(rest)
    except SystemExit as leaving:  # argparse has shown the help
        return int(leaving.code or 0)
    if args.progress == "jsonl":
        from coarsest.cli.process.progress import JsonLines

        sys.stderr = JsonLines(sys.stderr)
    require_other_files(name, args)
    args.form, args.typed = None, shlex.join(["coarsest", *argv])
    if command.forms and args.output is not None:
        from coarsest.cli.frame.endings import settle_form

        args.form = settle_form(command.forms, args, others=command.other_forms)
    return execute(command, args, argv, started)


def _unknown(word: str) -> InputError:
    if word.startswith("-"):
        return InputError(f"options come after a command: found '{word}'", hint="for example: coarsest check MODEL --json")
    if word in ("version", "completion", "manual"):
        return InputError(f"there is no command '{word}'", hint=f"did you mean 'coarsest --{word}'?")
    near = nearest(word, COMMANDS)
    if near:
        return InputError(f"there is no command '{word}'", hint=f"did you mean '{near[0]}'?")
    if isfile(word) or Path(word).suffix:
        return InputError(f"there is no command '{word}'", hint=f"to check a model: coarsest check {word}")
    return InputError(f"there is no command '{word}'", hint=f"the commands are {', '.join(COMMANDS)}")
