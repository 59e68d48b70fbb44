"""What a command writes must not take the place of what it reads."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterable, Mapping
from itertools import chain
from os.path import exists, isfile, realpath
from types import MappingProxyType

from coarsest.errors import InputError

READ = ("model", "models", "graphs", "first", "second", "evidence", "states", "expect")
WRITTEN: Mapping[str, str] = MappingProxyType(
    {"output": "-o", "certificate": "--certificate", "save_order": "--save-order", "partition": "--partition"}
)
TRANSLATORS = ("convert", "reduce")
"""Commands whose result may replace the model: it is one again."""


def insist_on_other_files(command: str, args: Namespace) -> None:
    """Complain if one file would be written twice, or is to be read, too."""
    found = vars(args)
    if found.get("save_order") == "-":
        raise InputError("--save-order writes a file, not standard output", hint="name a file")
    formulas = [text for text in found.get("formulas") or () if isfile(text)]  # of check, these are models
    named = chain.from_iterable([value] if isinstance(value, str) else value or () for value in map(found.get, READ))
    read = _files([*formulas, *named])
    seen: dict[str, str] = {}
    for key, option in WRITTEN.items():
        for path, name in _files([found.get(key)]).items():
            if path in read and not (key == "output" and command in TRANSLATORS):
                raise InputError(f"{option} {name} would overwrite what is read", hint="name another file")
            if path in seen:
                raise InputError(f"{seen[path]} and {option} are one file: {name}", hint="name another file for one of them")
            seen[path] = option


def _files(names: Iterable[object]) -> dict[str, str]:
    """The files behind some names; '-' is none, nor is a device."""
    usable = [name for name in names if isinstance(name, str) and name not in ("", "-") and "\0" not in name]
    return {realpath(name): name for name in usable if isfile(name) or not exists(name)}
