"""`coarsest examples`: lists or copies the models that come with coarsest."""

from __future__ import annotations

import re
from argparse import Namespace
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from coarsest.cli.frame import arguments
from coarsest.cli.frame.command import Command
from coarsest.cli.frame.endings import RESULTS
from coarsest.cli.frame.ledger import Ledger
from coarsest.cli.frame.publish import in_form, require_writable, result_to_json
from coarsest.errors import FileProblem, InputError
from coarsest.files import example_files
from coarsest.text.near import nearest

EXAMPLES = """  coarsest examples                     list them
  coarsest examples mutex.smv           copy this one here
  coarsest examples bus --into models   all files of a folder, into another one"""

ABOUT = {"vscode/package.json": "colours for VS Code: coarsest examples vscode --into ~/.vscode/extensions"}
"""Descriptions of files without comments."""
_COMMENT = re.compile(r"\A\s*(?:--|//|/\*|#)\s*(?P<words>[^\n]*?)\s*(?:\*/)?\n")


class Example(NamedTuple):
    name: str
    about: str
    path: Path


def _parser() -> arguments.CommandParser:
    parser = arguments.CommandParser("examples", "[NAME ...]", "List the models that come with coarsest, or copy them.", EXAMPLES)
    parser.add_argument("names", metavar="NAME", nargs="*", help="an example, or a folder of examples")
    parser.add_argument("--into", metavar="DIR", default=".", help="copy them into this folder")
    arguments.output_options(parser)
    return parser


def _examples() -> Iterator[Example]:
    for name, path in example_files():
        comment = _COMMENT.match(path.read_bytes()[:400].decode("utf-8", "replace"))
        yield Example(name, comment["words"] if comment else ABOUT.get(name, ""), path)


def _run(args: Namespace, ledger: Ledger) -> None:
    require_writable(args.output)
    every = list(_examples())
    if args.names:
        copied = [_copied(example, Path(args.into)) for name in args.names for example in _named(name, every)]
        ledger.record(result={"text": "".join(f"{path}\n" for path in copied)})
        return
    if args.json:
        text = result_to_json(ledger, {"examples": [{"name": one.name, "about": one.about} for one in every]})
    else:
        width = max(len(one.name) for one in every)
        text = in_form(args, "".join(f"{one.name:<{width}}  {one.about}".rstrip() + "\n" for one in every))
    ledger.record(result={"text": text})


def _named(name: str, every: list[Example]) -> list[Example]:
    meant = [one for one in every if one.name == name or one.name.startswith(f"{name.rstrip('/')}/")]
    if not meant:
        near = nearest(name, [one.name for one in every])
        hint = f"did you mean '{near[0]}'?" if near else "'coarsest examples' lists them"
        raise InputError(f"there is no example '{name}'", hint=hint)
    return meant


def _copied(example: Example, folder: Path) -> Path:
    from coarsest.files import write_whole

    target = folder / example.name
    if target.exists():
        raise FileProblem(f"'{target}' already exists", hint="copy into another folder: --into DIR")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
    except OSError as problem:
        message = f"cannot make the directory '{target.parent}': {problem.strerror}"
        raise FileProblem(message, hint="choose another place") from None
    write_whole(str(target), example.path.read_text(encoding="utf-8"))
    return target


command = Command(_parser, _run, forms=RESULTS)
