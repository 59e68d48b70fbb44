"""The parts of a design that people name: files and folders, the top module, macros, folders of includes, parameters."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator

from msgspec import Struct
from msgspec.structs import replace

from coarsest.errors import FileProblem, InputError

ENDINGS = (".sv", ".v")
HEADERS = (".svh", ".vh")
"""The endings of files that other files include, and that are not read by themselves."""
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_$]*")
_DEFINE = re.compile(r"[A-Za-z_][A-Za-z0-9_$]*(?:=[^\s\"\\;]*)?")
_PARAMETER = re.compile(r"[A-Za-z_][A-Za-z0-9_$]*=(?:-?[0-9]+|[0-9]*'[sS]?[bodhBODH][0-9a-fA-FxXzZ_]+|\"[^\"\\\n;]*\")")


class Design(Struct, frozen=True):
    """The files of a design in the order in which they are read, and the options of Yosys for them."""

    files: tuple[str, ...] = ()
    top: str = ""
    """The top module; Yosys finds it if it is not named."""
    defines: tuple[str, ...] = ()
    """`NAME` or `NAME=VALUE`."""
    includes: tuple[str, ...] = ()
    """Folders in which included files are looked for, in addition to the folders of the files."""
    parameters: tuple[str, ...] = ()
    """`NAME=VALUE` for parameters of the top module."""
    script: tuple[str, ...] = ()
    """Commands of Yosys that read the design, if a project has them."""
    copies: tuple[tuple[str, str | bytes], ...] = ()
    """The names of files in the folder of such a script, with the paths of these files, or their contents."""
    several_clocks: bool = False
    """Is every moment a step, even if there is only one clock?"""

    def joined(self, other: Design) -> Design:
        """Both together; the other's top module is preferred."""
        return replace(
            self,
            files=(*self.files, *other.files),
            top=other.top or self.top,
            defines=(*self.defines, *other.defines),
            includes=(*self.includes, *other.includes),
            parameters=(*self.parameters, *other.parameters),
        )


def require_design(design: Design) -> None:
    """Raise an error about a wrong name, macro or parameter before Yosys runs."""
    if design.top and not _NAME.fullmatch(design.top):
        raise InputError(f"`{design.top}` is not the name of a module", hint="--top MODULE or --format yosys:MODULE")
    for macro in design.defines:
        if not _DEFINE.fullmatch(macro):
            raise InputError(f"`{macro}` is not a macro", hint="-D NAME or -D NAME=VALUE, without blanks and quotes")
    for parameter in design.parameters:
        if not _PARAMETER.fullmatch(parameter):
            hint = "--param NAME=8, NAME=4'd8 or NAME='\"text\"'"
            raise InputError(f"`{parameter}` does not give a parameter a value", hint=hint)
    for folder in design.includes:
        if not os.path.isdir(folder):
            raise FileProblem(f"there is no folder '{folder}'", hint="included files are looked for in -I FOLDER")


def files_of(paths: Iterable[str]) -> Iterator[str]:
    """The files, with all designs in a folder and below it, in the order of their names, in place of the folder."""
    for path in paths:
        if not os.path.isdir(path):
            yield path
            continue
        inside = sorted(
            os.path.join(folder, name)
            for folder, _, names in os.walk(path)
            for name in names
            if name.endswith(ENDINGS) and not name.startswith(".")
        )
        if not inside:
            raise FileProblem(f"there is no design in the folder '{path}'", hint=f"files end in {' or '.join(ENDINGS)}")
        yield from inside
