"""Whole files: read as a named text, written entirely or not at all."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from errno import ELOOP
from typing import TYPE_CHECKING, Final, NamedTuple

from coarsest.errors import FileProblem
from coarsest.text import Source, Span
from coarsest.text.near import nearest

if TYPE_CHECKING:
    import mmap
    from pathlib import Path

STANDARD_INPUT = "-"
WORTH_MAPPING: Final = 1 << 20
REPLACED = "\N{REPLACEMENT CHARACTER}"


def _read_bytes(name: str) -> bytes:
    try:
        if name == STANDARD_INPUT:
            return sys.stdin.buffer.read()
        with open(name, "rb") as file:
            return file.read()
    except (OSError, ValueError) as error:  # ValueError: a path with a zero byte
        raise FileProblem(f"cannot read '{name}': {_reason(error)}", hint=_hint(name, error)) from error


class Contents(NamedTuple):
    """The bytes of a file, and the name people know it by. A large file stays where it is and is seen as if in memory."""

    name: str
    data: bytes | mmap.mmap

    def text(self) -> Source:
        """As a UTF-8 text (a byte order mark is skipped). Line ends are kept as they are.

        Behind `--`, which begins a comment in all our languages, there may be anything.
        """
        content = self.data if isinstance(self.data, bytes) else self.data[:]
        try:
            return Source(self.name, content.decode("utf-8-sig"))
        except UnicodeDecodeError as error:
            # Show the place in the text as it would read with the bad bytes replaced.
            source = Source(self.name, content.decode("utf-8", errors="replace"))
            if b"\0" not in content and all(map(_is_readable, source.text.split("\n"))):
                return source
            place = len(content[: error.start].decode("utf-8", errors="replace"))
            message = f"not a text in UTF-8: found byte 0x{content[error.start]:02x}"
            hint = "this looks like a binary file" if b"\0" in content else "save the file as UTF-8"
            raise FileProblem(message, Span(source, place, place + 1), hint=hint) from error


def read_contents(path: str | os.PathLike[str]) -> Contents:
    """The bytes of a file, or of standard input if the path is `-`."""
    name = os.fspath(path)
    if name == STANDARD_INPUT:
        return Contents("<stdin>", _read_bytes(name))
    try:
        if not stat.S_ISREG(os.stat(name).st_mode) or os.stat(name).st_size < WORTH_MAPPING:
            return Contents(name, _read_bytes(name))
        import mmap

        with open(name, "rb") as file:
            return Contents(name, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))
    except (OSError, ValueError) as error:
        raise FileProblem(f"cannot read '{name}': {_reason(error)}", hint=_hint(name, error)) from error


def read_text(path: str | os.PathLike[str]) -> Source:
    """The text of a file; `-` is standard input."""
    return read_contents(path).text()


def _is_readable(line: str) -> bool:
    return REPLACED not in line.partition("--")[0]


def write_whole(path: str | os.PathLike[str], content: str | bytes | Iterable[bytes | memoryview]) -> None:
    """Write a file so that nobody ever sees half of it: a new file beside it takes its place when it is complete.

    A large content may come in pieces. Bytes of names that are no UTF-8 are written as they were.
    """
    if isinstance(content, str):
        content = content.encode("utf-8", "surrogateescape")
    pieces = [content] if isinstance(content, bytes) else content
    name = os.fspath(path)
    try:
        target = _behind_links(name)  # the link stays, what it names is replaced
        if os.path.exists(target) and not os.path.isfile(target):  # no device or pipe can be replaced, and a directory must fail
            with open(target, "wb") as file:
                file.writelines(pieces)
        else:
            _replace(target, pieces)
    except (OSError, ValueError) as error:
        raise FileProblem(f"cannot write '{name}': {_reason(error)}", hint=_hint(name, error)) from error


def _behind_links(name: str) -> str:
    target = os.path.realpath(name)
    if os.path.islink(target):  # where links go in a circle, one is left
        raise OSError(ELOOP, os.strerror(ELOOP))
    return target


def _replace(target: str, pieces: Iterable[bytes | memoryview]) -> None:
    folder, file_name = os.path.split(target)
    scratch = os.path.join(folder, f".{file_name[:40]}-{os.urandom(8).hex()}")
    descriptor = os.open(scratch, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o600)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.writelines(pieces)
        os.chmod(scratch, _mode_for(target))
        os.replace(scratch, target)
    except BaseException:
        with suppress(FileNotFoundError):
            os.unlink(scratch)
        raise


def _mode_for(target: str) -> int:
    """The mode the file has, or what a newly created file would get."""
    if os.path.exists(target):
        return stat.S_IMODE(os.stat(target).st_mode)
    mask = os.umask(0o077)
    os.umask(mask)
    return 0o666 & ~mask


def _reason(error: OSError | ValueError) -> str:
    return (error.strerror or str(error)).lower() if isinstance(error, OSError) else str(error)


def _hint(name: str, error: OSError | ValueError) -> str:
    if isinstance(error, IsADirectoryError):
        return "name a file, not a directory" if name else "the name is empty"
    if isinstance(error, FileNotFoundError):
        folder = os.path.normpath(os.path.dirname(name) or ".")
        if not os.path.isdir(folder):
            return f"there is no directory '{folder}'"
        near = nearest(os.path.basename(name), os.listdir(folder)) if os.access(folder, os.R_OK) else []
        return f"did you mean '{os.path.join(os.path.dirname(name), near[0])}'?" if near else "check the spelling of the path"
    return ""


_HERE = os.path.dirname(os.path.abspath(__file__))
EXAMPLES = (os.path.join(_HERE, "examples"), os.path.join(os.path.dirname(os.path.dirname(_HERE)), "examples"))
"""Where the examples are in an installed package, and beside its source."""


def example_files() -> Iterator[tuple[str, Path]]:
    """The files that come with coarsest, by their names in the folder that they are in."""
    from pathlib import Path

    folder = next((Path(place) for place in EXAMPLES if os.path.isdir(place)), None)
    if folder is None:
        raise FileProblem("the examples were not installed", hint="they are in the folder `examples` of the source")
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            yield path.relative_to(folder).as_posix(), path


@contextmanager
def scratch_file() -> Iterator[str]:
    """The path of an empty file for this process alone. Raises OSError if there is no room for one.

    Where the system can open a file by its descriptor, the file has no name: nothing is left of it when the process is killed.
    """
    import tempfile

    descriptor, name = tempfile.mkstemp(prefix="coarsest-")
    nameless = f"/proc/self/fd/{descriptor}"
    try:
        if os.path.exists(nameless):
            os.unlink(name)
            yield nameless
        else:
            yield name
    finally:
        os.close(descriptor)
        with suppress(FileNotFoundError):
            os.unlink(name)
