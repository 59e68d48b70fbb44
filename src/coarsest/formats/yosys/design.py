"""What one design is made of, as people say it: files and folders, the top module, macros, folders of includes, parameters."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator

from msgspec import Struct
from msgspec.structs import replace

from coarsest.errors import FileProblem, InputError

ENDINGS = (".sv", ".v")
HEADERS = (".svh", ".vh")
"""Such files are included by others, and no files of modules."""
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_$]*")
_DEFINE = re.compile(r"[A-Za-z_][A-Za-z0-9_$]*(?:=[^\s\"\\;]*)?")
_PARAMETER = re.compile(r"[A-Za-z_][A-Za-z0-9_$]*=(?:-?[0-9]+|[0-9]*'[sS]?[bodhBODH][0-9a-fA-FxXzZ_]+|\"[^\"\\\n;]*\")")


class Design(Struct, frozen=True):
    """The files of a design in the order in which they are read, and what Yosys is told about them."""

    files: tuple[str, ...] = ()
    top: str = ""
    """The top module; Yosys finds it if it is not named."""
    defines: tuple[str, ...] = ()
    """`NAME` or `NAME=VALUE`."""
    includes: tuple[str, ...] = ()
    """Folders in which included files are looked for, beside those of the files."""
    parameters: tuple[str, ...] = ()
    """`NAME=VALUE` for parameters of the top module."""
    script: tuple[str, ...] = ()
    """Commands of Yosys that read the design, where a project has its own."""
    copies: tuple[tuple[str, str | bytes], ...] = ()
    """For such a script: the names of files in its folder, with the paths of these files, or what they hold."""
    several_clocks: bool = False
    """Is a step any moment, although there may be one clock?"""

    def joined(self, other: Design) -> Design:
        """Both together; what the other says of the top module counts."""
        return replace(
            self,
            files=(*self.files, *other.files),
            top=other.top or self.top,
            defines=(*self.defines, *other.defines),
            includes=(*self.includes, *other.includes),
            parameters=(*self.parameters, *other.parameters),
        )


def require_design(design: Design) -> None:
    """Complain about what is no name, no macro or no value of a parameter, before Yosys is asked."""
    if design.top and not _NAME.fullmatch(design.top):
        raise InputError(f"`{design.top}` is not the name of a module", hint="--top MODULE or --format yosys:MODULE")
    for one in design.defines:
        if not _DEFINE.fullmatch(one):
            raise InputError(f"`{one}` is no macro", hint="-D NAME or -D NAME=VALUE, without blanks and quotes")
    for one in design.parameters:
        if not _PARAMETER.fullmatch(one):
            raise InputError(f"`{one}` gives no parameter a value", hint="--param NAME=8, NAME=4'd8 or NAME='\"text\"'")
    for folder in design.includes:
        if not os.path.isdir(folder):
            raise FileProblem(f"there is no folder '{folder}'", hint="-I FOLDER is where included files are looked for")


def files_of(paths: Iterable[str]) -> Iterator[str]:
    """The files, and instead of a folder all designs in it and in the folders below, in the order of their names."""
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
