"""Designs in several files, and projects of SymbiYosys, on the command line."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterator, Sequence
from copy import copy
from os.path import isdir

from coarsest.errors import FileProblem, InputError
from coarsest.formats import format_named, format_of

_OPTIONS = {"top": "--top", "defines": "-D", "includes": "-I", "parameters": "--param", "file_lists": "-f"}


def is_one_design(args: Namespace, models: Sequence[str]) -> bool:
    """Are the files one design? They are where something is said about it, or a folder is named."""
    return any(getattr(args, name) for name in _OPTIONS) or any(map(isdir, models))


def require_verilog(args: Namespace) -> None:
    """Complain about files in other languages than Verilog beside options of designs."""
    option = next((option for name, option in _OPTIONS.items() if getattr(args, name)), "a folder")
    if args.format is not None and args.format.partition(":")[0] != "yosys":
        message = f"{option} is for designs that Yosys reads, not for {args.format}"
        raise InputError(message, hint=f"leave out {option} or --format")
    if args.format is not None and not args.top:
        args.top = args.format.partition(":")[2]
    for path in args.design:
        format = format_of(path)
        if isdir(path) or path in args.file_lists or args.format is not None:
            continue
        if format is None or format.name not in ("yosys", "vis", "filelist"):
            message = f"{option} is for designs in Verilog (.sv, .v, .f), and '{path}' is none"
            raise FileProblem(message, hint=f"leave out {option}; a project (.sby) says it in its script")


def holds_project(path: str, format: str | None) -> bool:
    """Is it a project of SymbiYosys, of which no task was chosen by the format?"""
    chosen = format_of(path) if format is None else format_named(format)
    return chosen is not None and chosen.name == "sby"


def tasks_of_project(args: Namespace) -> Iterator[Namespace]:
    """The arguments for each task: what it asks, how deep it looks, and what is expected of it."""
    from coarsest.files import read_text
    from coarsest.formats.yosys.sby import task_named, tasks_of

    source = read_text(args.model)
    tasks = [task_named(source, name) for name in args.tasks] or tasks_of(source)
    for task in tasks:
        own = copy(args)
        own.format = f"sby:{task.name}" if task.name else "sby"
        own.title = f"{args.model} {task.name}".rstrip() + f" ({task.title})"
        own.passes = task.expect
        yield own
