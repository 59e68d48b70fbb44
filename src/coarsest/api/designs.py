"""Designs in Verilog of several files, and projects of SymbiYosys."""

from __future__ import annotations

import os
from collections.abc import Sequence

from msgspec import Struct

from coarsest import formats
from coarsest.api.model import Model
from coarsest.files import read_contents, read_text


class ProjectTask(Struct, frozen=True):
    """A task of a project: the format that reads it, its depth and its expected endings."""

    format: str
    title: str
    bound: int | None
    """The depth of the search, if the task has one."""
    passes: tuple[str, ...]
    """The expected endings: `pass`, `fail` or `unknown`."""


def load_design(
    *files: str | os.PathLike[str],
    top: str = "",
    defines: Sequence[str] = (),
    includes: Sequence[str] = (),
    parameters: Sequence[str] = (),
) -> Model:
    """Read a design in Verilog from several files, folders and lists of files (`.f`), through Yosys.

    `defines` are macros (`NAME` or `NAME=VALUE`), `includes` folders, and `parameters` values of the top module (`N=8`).
    """
    from coarsest.formats.yosys.design import Design
    from coarsest.formats.yosys.filelist import design_of
    from coarsest.formats.yosys.read import read_design

    design = Design()
    for path in (os.fspath(file) for file in files):
        is_list = path.endswith(".f") and not os.path.isdir(path)
        design = design.joined(design_of(read_contents(path).text()) if is_list else Design((path,)))
    more = Design((), top, tuple(defines), tuple(map(os.fspath, includes)), tuple(parameters))
    return Model(read_design(design.joined(more)))


def is_of_a_design(path: str) -> bool:
    """Is it the name of a Verilog file or of a list of these?"""
    format = formats.format_of(path)
    return format is not None and format.name in ("yosys", "vis", "filelist")


def is_project(path: str, format: str | None) -> bool:
    """Is it a SymbiYosys project, without a task in the format?"""
    language = formats.format_of(path) if format is None else formats.format_named(format)
    return language is not None and language.name == "sby"


def tasks_of_project(path: str, names: Sequence[str] = ()) -> list[ProjectTask]:
    """The tasks of a project, or those with these names."""
    from coarsest.formats.yosys.sby import task_named, tasks_of

    source = read_text(path)
    tasks = [task_named(source, name) for name in names] or tasks_of(source)
    return [
        ProjectTask(f"sby:{task.name}".rstrip(":"), f"{f'{path} {task.name}'.rstrip()} ({task.title})", task.bound, task.expect)
        for task in tasks
    ]
