"""Designs in several files, and projects of SymbiYosys, on the command line."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterator, Sequence
from copy import copy
from os.path import isdir
from typing import TYPE_CHECKING

from coarsest.cli.frame.arguments import CommandParser
from coarsest.errors import FileProblem, InputError

if TYPE_CHECKING:
    from coarsest.api.model import Model

_OPTIONS = {"top": "--top", "defines": "-D", "includes": "-I", "parameters": "--param", "file_lists": "-f"}
OPTIONS_OF_DESIGNS = (*_OPTIONS, "tasks")


def design_options(parser: CommandParser) -> None:
    """The options of designs in Verilog; with one of them, all files in Verilog are one design."""
    group = parser.add_argument_group("designs in Verilog", "with one of these, or a folder, all files in Verilog are one design")
    group.add_argument("--top", metavar="MODULE", help="the top module (default: the one that no other instantiates)")
    text = "a macro for the preprocessor; may be repeated"
    group.add_argument("-D", "--define", dest="defines", action="append", default=[], metavar="NAME[=VALUE]", help=text)
    text = "a folder in which included files and missing modules are looked for; may be repeated"
    group.add_argument("-I", "--include", dest="includes", action="append", default=[], metavar="FOLDER", help=text)
    text = "a value for a parameter of the top module; may be repeated"
    group.add_argument("--param", dest="parameters", action="append", default=[], metavar="NAME=VALUE", help=text)
    text = "a list of files as simulators read it (+define+, +incdir+, -top); may be repeated"
    group.add_argument("-f", "--file-list", dest="file_lists", action="append", default=[], metavar="FILE", help=text)
    text = "only this task of a project of SymbiYosys (.sby); may be repeated"
    group.add_argument("--task", dest="tasks", action="append", default=[], metavar="NAME", help=text)


def is_one_design(args: Namespace, models: Sequence[str]) -> bool:
    """Are the files one design? They are if an option of designs is given, or a folder is named."""
    return any(getattr(args, name) for name in _OPTIONS) or any(map(isdir, models))


def take_as_design(args: Namespace, files: Sequence[str]) -> None:
    """Note the files of the design; raise InputError for files in other languages than Verilog."""
    from coarsest.api.designs import is_of_a_design

    args.design = [*files, *args.file_lists]
    option = next((option for name, option in _OPTIONS.items() if getattr(args, name)), "a folder")
    language, _, module = (args.format or "").partition(":")
    if language not in ("", "yosys"):
        message = f"{option} is for designs that Yosys reads, not for {args.format}"
        raise InputError(message, hint=f"leave out {option} or --format")
    args.top = args.top or module
    for path in files:
        if not language and not isdir(path) and not is_of_a_design(path):
            message = f"{option} is for designs in Verilog (.sv, .v, .f), and '{path}' is not one"
            raise FileProblem(message, hint=f"leave out {option}; a project (.sby) says this in its script")


def load_one_design(args: Namespace) -> Model:
    """The model of the noted files."""
    from coarsest.api.designs import load_design

    return load_design(
        *args.design, top=args.top, defines=args.defines, includes=args.includes, parameters=args.parameters
    )


def parts_of(args: Namespace, model: str, formulas: list[str]) -> Iterator[Namespace]:
    """The parts of a model to check: all of it, or the tasks of a project, each with its own options."""
    own = copy(args)
    own.model, own.formulas, own.title, own.passes = model, formulas, model, ()
    if not model.endswith(".sby") and not args.format and not args.tasks:
        yield own
        return
    from coarsest.api.designs import is_project, tasks_of_project

    if not is_project(model, args.format):
        if args.tasks:
            raise InputError("--task is for projects of SymbiYosys (.sby)", hint="leave it out")
        yield own
        return
    for task in tasks_of_project(model, args.tasks):
        one = copy(own)
        one.format, one.title, one.passes = task.format, task.title, task.passes
        one.depth = own.depth or task.bound or 0
        yield one
