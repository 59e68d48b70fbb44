"""`coarsest serve`: a page with an editor on this machine, which shows verdicts, traces and pictures as they come."""

from __future__ import annotations

import argparse
import sys
from argparse import Namespace
from typing import Final

from coarsest.cli.frame import arguments
from coarsest.cli.frame.command import Command
from coarsest.cli.frame.ledger import Ledger
from coarsest.errors import InputError

EXAMPLES = """  coarsest serve                        open a page with examples in the browser
  coarsest serve mutex.smv              with this text in the editor
  coarsest serve --no-open --port 8080  only print the address of the page
  coarsest serve --timeout 10 --memory 500"""

SECONDS: Final = 30.0
MEBIBYTES: Final = 1000
"""The default limits of a run from the page."""


def _parser() -> arguments.CommandParser:
    summary = "Open a page with an editor for models, which are checked and drawn on this machine. Nobody else can reach it."
    parser = arguments.CommandParser("serve", "[FILE]", summary, EXAMPLES)
    parser.add_argument("model", metavar="FILE", nargs="?", help="a file to open in the editor; it is never written")
    parser.add_argument("--port", type=_port, default=0, metavar="N", help="the port; 0 takes any free one")
    text = "show the page in the browser (default: on a terminal)"
    parser.add_argument("--open", action=argparse.BooleanOptionalAction, default=None, help=text)
    group = parser.add_argument_group("output")
    group.add_argument("--json", action="store_true", help="print the address of the page as one JSON object")
    arguments.talk_options(group, "do not print how to end the server")
    parser.set_defaults(output=None)
    group = parser.add_argument_group("limits", "limits of each run; reaching one gives 'unknown'")
    group.add_argument("--timeout", type=arguments.positive_number, default=SECONDS, metavar="SECONDS", help="wall-clock time")
    group.add_argument("--memory", type=arguments.positive_integer, default=MEBIBYTES, metavar="MIB",
                       help="memory of the process, in mebibytes")  # fmt: skip
    return parser


def _port(text: str) -> int:
    if not text.isdecimal() or int(text) > 65535:
        raise argparse.ArgumentTypeError(f"expected a port from 0 to 65535, found '{text}'")
    return int(text)


def _run(args: Namespace, ledger: Ledger) -> None:
    from coarsest.cli.serve.server import Playground
    from coarsest.cli.serve.work import ServedLimits
    from coarsest.render.page.playground import Script

    first = None
    if args.model is not None:
        from coarsest.files import read_text

        first = Script.of(args.model, read_text(args.model).text)
    try:
        playground = Playground(args.port, ServedLimits(args.timeout, args.memory), first)
    except OSError as problem:
        message = f"cannot listen on port {args.port}: {problem.strerror}"
        raise InputError(message, hint="choose another one, or leave --port out") from None
    with playground:
        _say(args, playground)
        if args.open or (args.open is None and sys.stdout.isatty() and not args.json):
            import webbrowser

            webbrowser.open(playground.address)
        playground.serve_until_interrupted()


def _say(args: Namespace, playground: object) -> None:
    """Print the address of the page."""
    from coarsest.cli.serve.server import Playground

    assert isinstance(playground, Playground)
    if args.json:
        from coarsest.render.data.json import SCHEMA, object_to_text

        facts = {"schema": SCHEMA, "address": playground.address, "port": playground.port}
        sys.stdout.write(object_to_text(facts, indent=None) + "\n")
    else:
        sys.stdout.write(f"{playground.address}\n" + ("" if args.quiet else "Ctrl-C ends it.\n"))
    sys.stdout.flush()


command = Command(_parser, _run, talks=lambda _: True)
