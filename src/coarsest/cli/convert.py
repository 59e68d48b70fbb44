"""`coarsest convert`: from one format to another."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path

from coarsest.cli import arguments
from coarsest.cli.command import Command
from coarsest.cli.ledger import Ledger
from coarsest.cli.publish import require_writable
from coarsest.errors import InputError

EXAMPLES = """  coarsest convert model.smv flat.smv     modules, arrays and macros opened: one flat module
  coarsest convert model.smv -            to standard output
  coarsest convert - flat.smv --from smv  from standard input"""

WRITTEN = ("smv",)


def _parser() -> arguments.Parser:
    parser = arguments.Parser("convert", "IN OUT", "Translate a model into another format.", EXAMPLES)
    parser.add_argument("model", metavar="IN", help="a model file; '-' is standard input")
    parser.add_argument("output", metavar="OUT", help="the file to write, whole or not at all; '-' is standard output")
    parser.add_argument("--from", dest="format", choices=("smv",), help="format of IN (default: by its suffix)")
    parser.add_argument("--to", choices=WRITTEN, help="format of OUT (default: by its suffix)")
    parser.add_argument("-q", "--quiet", action="store_true", help="no warnings")
    parser.add_argument("-v", "--verbose", action="store_true", help="progress even when not on a terminal")
    arguments.limit_options(parser)
    return parser


def _run(args: Namespace, ledger: Ledger) -> None:
    _target(args)
    require_writable(args.output)
    from coarsest import api

    model = api.load(args.model, format=args.format)
    for warning in model.warnings:
        ledger.warn(warning.message, warning.show())
    ledger.record(result={"text": model.to_smv()})


def _target(args: Namespace) -> str:
    suffix = Path(args.output).suffix.lstrip(".")
    target = args.to or (suffix if args.output != "-" else WRITTEN[0])
    if target not in WRITTEN:
        found = f"the suffix of '{args.output}' names no format we write" if suffix else f"'{args.output}' has no suffix"
        raise InputError(found, hint=f"say --to FORMAT; formats are {', '.join(WRITTEN)}")
    return str(target)


command = Command(_parser, _run)
