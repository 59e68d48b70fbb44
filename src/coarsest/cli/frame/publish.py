"""Writing results to standard output, or to a file that is written completely or not at all."""

from __future__ import annotations

import os
import sys
from argparse import Namespace
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from coarsest.errors import FileProblem
from coarsest.files import write_whole

if TYPE_CHECKING:
    from coarsest.cli.frame.ledger import Ledger


class Screen(Struct, frozen=True):
    """What standard output can show."""

    width: int = 100
    colour: bool = False
    unicode: bool = True

    @classmethod
    def of_standard_output(cls) -> Screen:
        """A terminal, or a pipe or file with the default width."""
        terminal = sys.stdout.isatty()
        width = 100
        if terminal or "COLUMNS" in os.environ:
            width = terminal_width(100)
        forced = os.environ.get("FORCE_COLOR", "") not in ("", "0")
        colour = (forced or (terminal and os.environ.get("TERM") != "dumb")) and "NO_COLOR" not in os.environ
        return cls(max(40, width), colour, (sys.stdout.encoding or "").lower().startswith("utf"))


def terminal_width(otherwise: int) -> int:
    """The number of columns of the terminal, as `shutil.get_terminal_size` gives it; importing `shutil` takes longer."""
    columns = os.environ.get("COLUMNS", "")
    if columns.isdecimal() and int(columns) > 0:
        return int(columns)
    try:
        return os.get_terminal_size(sys.__stdout__.fileno()).columns or otherwise  # type: ignore[union-attr]
    except (AttributeError, ValueError, OSError):  # it is closed, or not a terminal
        return otherwise


def emit(text: str, output: str | None = None) -> None:
    """Write a result. If the file cannot be written, print it before the error: it may have taken hours."""
    if output in (None, "-"):
        _print(text, as_a_file=output is not None)
        return
    try:
        write_whole(output or "", text)
    except FileProblem:
        _print(text, as_a_file=True)
        raise


def in_form(args: Namespace, text: str) -> str:
    """A text for people, in the format of the output."""
    if args.form == "markdown":
        from coarsest.render.text.markdown import text_to_markdown

        return text_to_markdown(args.typed, text)
    if args.form == "html":
        from coarsest.render.page.report_page import text_page

        return text_page(args.typed, text)
    return text


def _print(text: str, *, as_a_file: bool) -> None:
    """Print the contents of a file, with names that are not UTF-8, or a text for the screen."""
    buffer = getattr(sys.stdout, "buffer", None)
    if as_a_file and buffer is not None and any("\udc80" <= character <= "\udcff" for character in text):
        sys.stdout.flush()
        buffer.write(text.encode("utf-8", "surrogateescape"))
    else:
        sys.stdout.write(text)
    sys.stdout.flush()


def require_writable(output: str | None) -> None:
    """Complain about an output file before the work, not after it."""
    if output in (None, "-"):
        return
    if not output:
        raise FileProblem("the name of a file to write is empty", hint="name a file")
    path = Path(output)
    folder = path.parent
    if path.is_dir():
        raise FileProblem(f"cannot write '{output}': it is a directory", hint="name a file")
    if not folder.is_dir():
        raise FileProblem(f"cannot write '{output}': there is no directory '{folder}'", hint="create the directory first")
    if not os.access(path if path.exists() else folder, os.W_OK):
        raise FileProblem(f"cannot write '{output}': permission denied", hint="choose another place")


def make_folder(name: str, file: str) -> None:
    """Make a folder in which `file` can be written; complain before the work if this is impossible."""
    if not name:
        raise FileProblem("the name of a directory to write into is empty", hint="name a directory")
    try:
        Path(name).mkdir(parents=True, exist_ok=True)
    except OSError as problem:
        raise FileProblem(f"cannot make the directory '{name}': {problem.strerror}", hint="choose another place") from None
    require_writable(str(Path(name) / file))


def result_to_json(ledger: Ledger, facts: Mapping[str, Any]) -> str:
    """The one JSON object of a command, with the seconds and warnings of its ledger."""
    from coarsest.render.data.json import SCHEMA, object_to_text

    whole = {"schema": SCHEMA, **facts, "seconds": round(ledger.seconds, 6), "warnings": ledger.warnings}
    return object_to_text(whole) + "\n"


def show_statistics(args: Namespace, ledger: Ledger, statistics: Mapping[str, Any]) -> None:
    """Print statistics to standard error, unless `--quiet` is given."""
    from coarsest.render.text.text import statistics_to_lines

    if not args.quiet:
        lines = [*statistics_to_lines(statistics, args.screen.width), f"{ledger.seconds:.2f} s"]
        sys.stderr.write("".join(f"{line}\n" for line in lines))
