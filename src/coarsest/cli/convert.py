"""`coarsest convert`: from one format to another."""

from __future__ import annotations

from argparse import Namespace

from coarsest.cli import arguments
from coarsest.cli.command import Command
from coarsest.cli.ledger import Ledger
from coarsest.cli.publish import require_writable

EXAMPLES = """  coarsest convert model.smv flat.smv     modules, arrays and macros opened: one flat module
  coarsest convert model.smv -            to standard output
  coarsest convert - flat.smv --from smv  from standard input"""


def _parser() -> arguments.Parser:
    parser = arguments.Parser("convert", "IN OUT", "Translate a model into another format.", EXAMPLES)
    parser.add_argument("model", metavar="IN", help="a model file; '-' is standard input")
    parser.add_argument("output", metavar="OUT", help="the file to write, whole or not at all; '-' is standard output")
    parser.add_argument("--from", dest="format", metavar="FORMAT", help="format of IN (default: by its suffix)")
    parser.add_argument("--to", metavar="FORMAT", help="format of OUT (default: by its suffix)")
    parser.add_argument("-q", "--quiet", action="store_true", help="no warnings")
    parser.add_argument("-v", "--verbose", action="store_true", help="progress even when not on a terminal")
    arguments.limit_options(parser)
    return parser


def _run(args: Namespace, ledger: Ledger) -> None:
    require_writable(args.output)
    from coarsest import api
    from coarsest.formats import format_of, write

    target = args.to or format_of(args.output, option="to")
    model = api.load(args.model, format=args.format)
    for warning in model.warnings:
        ledger.warn(warning.message, warning.show())
    ledger.record(result={"text": write(model.machine, target)})


command = Command(_parser, _run)
