"""Tables in text, read row by row: the separator of their columns, and the rows that are wrong."""

from __future__ import annotations

import csv
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from glob import glob
from pathlib import Path

from coarsest.errors import FileProblem, InputError, LimitExceeded, SyntaxProblem

SEPARATORS = ",;\t|"
"""The first of these characters that occurs in the first row separates columns."""


def local_files(paths: tuple[str, ...]) -> list[str]:
    """The local files that names and patterns stand for."""
    return [file for path in paths if "://" not in path for file in (sorted(glob(path)) if not Path(path).exists() else [path])]


@contextmanager
def unchanged(*paths: str) -> Iterator[None]:
    """Raise FileProblem if files change in this block, where they are read several times, instead of any other error."""
    before = _states_of(paths)
    try:
        yield
    except Exception as error:
        if not isinstance(error, LimitExceeded):
            _require(before, paths, error)
        raise
    _require(before, paths)


def _states_of(paths: tuple[str, ...]) -> dict[str, tuple[int, ...]]:
    """The number, size and time of each file, which change when somebody writes to it."""
    states: dict[str, tuple[int, ...]] = {}
    for file in local_files(paths):
        with suppress(OSError):
            at = os.stat(file)
            states[file] = at.st_ino, at.st_size, at.st_mtime_ns
    return states


def _require(before: dict[str, tuple[int, ...]], paths: tuple[str, ...], error: Exception | None = None) -> None:
    after = _states_of(paths)
    for file in {**before, **after}:
        if before.get(file) != after.get(file):
            raise FileProblem(f"'{file}' has changed while it was read", hint="try again when nobody writes to it") from error


def separator_of(path: str) -> str:
    """The separator of a file's columns. A file without a first row is refused."""
    with Path(path).open(encoding="utf-8", errors="replace", newline="") as file:
        header = next((line for line in file if line.strip()), "")
    if not header:
        raise SyntaxProblem(f"'{path}' is empty", hint="the first row names the columns: source,action,target")
    return "\t" if path.lower().endswith(".tsv") else next((sign for sign in SEPARATORS if sign in header), ",")


def wrong_row(path: str) -> InputError | None:
    """An error for a row with fewer or more values than the first one, or for bytes that are no text."""
    width, line = 0, 0
    try:
        for line, row in _rows(path):
            width = width or len(row)
            if len(row) != width:
                return SyntaxProblem(
                    f"'{path}', line {line}: {_counted(len(row), 'value')} in this row, {_counted(width, 'column')} in the first",
                    hint=f"found `{separator_of(path).join(row)}`; values with separators in them need quotes",
                )
    except UnicodeDecodeError as error:
        return SyntaxProblem(f"'{path}' is not text in UTF-8: {error.reason} at byte {error.start}", hint="tables are in UTF-8")
    except csv.Error as error:
        return SyntaxProblem(f"'{path}', after line {line}: {error}", hint="tables are Parquet, CSV or TSV files")
    return None


def line_without(path: str, column: str) -> int | None:
    """The line of the first row without a value in a column."""
    rows = _rows(path)
    index = next(rows)[1].index(column)
    return next((line for line, row in rows if len(row) <= index or not row[index]), None)


def _rows(path: str) -> Iterator[tuple[int, list[str]]]:
    """The rows that are not blank, with the lines where they begin."""
    with Path(path).open(encoding="utf-8-sig", newline="") as file:
        reader = csv.reader(file, delimiter=separator_of(path), strict=True)
        begin = 1
        for row in reader:
            if row:
                yield begin, row
            begin = reader.line_num + 1


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
