"""A command must not overwrite the files that it reads."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterable, Mapping
from glob import glob, has_magic
from itertools import chain
from os.path import exists, isfile, realpath
from types import MappingProxyType

from coarsest.cli.frame.kinds import holds_table
from coarsest.errors import InputError

WRITTEN: Mapping[str, str] = MappingProxyType(
    {"output": "-o", "certificate": "--certificate", "save_order": "--save-order", "partition": "--partition"}
)
TRANSLATORS = ("convert", "reduce")
"""Commands whose result, a model again, may replace the model."""


def require_other_files(command: str, args: Namespace, *, also_read: Iterable[str] = ()) -> None:
    """Raise InputError if a file would be written twice, or is also read; `also_read` are files that other files name."""
    named = vars(args)
    if named.get("save_order") == "-":
        raise InputError("--save-order writes a file, not standard output", hint="name a file")
    read = files_read(args, also_read)
    model = named.get("model")
    is_read_again = isinstance(model, str) and holds_table(model, named.get("format"))  # to confirm the result
    replaceable = _files([model]) if command in TRANSLATORS and not is_read_again else {}
    seen: dict[str, str] = {}
    for key, option in WRITTEN.items():
        for path, name in _files([named.get(key)]).items():
            if path in read and not (key == "output" and path in replaceable):
                raise InputError(f"{option} {name} would overwrite a file that is read", hint="name another file")
            if path in seen:
                raise InputError(f"{seen[path]} and {option} are one file: {name}", hint="name another file for one of them")
            seen[path] = option


def files_read(args: Namespace, also_read: Iterable[str] = ()) -> Mapping[str, str]:
    """All existing files that a command line names and does not write, by their real paths."""
    values = [value for key, value in vars(args).items() if key not in WRITTEN]
    words = [*chain.from_iterable(value if isinstance(value, list | tuple) else [value] for value in values), *also_read]
    patterns = [word for word in words if isinstance(word, str) and has_magic(word) and "\0" not in word]
    return {path: name for path, name in _files([*words, *chain.from_iterable(map(glob, patterns))]).items() if isfile(path)}


def _files(names: Iterable[object]) -> dict[str, str]:
    """The names of files, by their real paths, without '-' and devices."""
    usable = [name for name in names if isinstance(name, str) and name not in ("", "-") and "\0" not in name]
    return {realpath(name): name for name in usable if isfile(name) or not exists(name)}
