"""Commands on a text from the page, each in a process of its own within limits; findings are sent at once."""

from __future__ import annotations

import re
import time
from argparse import Namespace
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final, Literal

from msgspec import Struct

from coarsest.cli.frame.command import Command
from coarsest.cli.frame.ledger import Ledger, Message
from coarsest.cli.frame.publish import Screen
from coarsest.formats import FileKind, kind_of

MOST_TEXT: Final = 1_000_000
"""Texts with more characters are refused."""
NAME = "model"
TOLD_EVERY: Final = 0.25
_PLACE = re.compile(r"(?P<file>[^\s:]+):(?P<line>\d+):(?P<column>\d+): ")

Tell = Callable[[dict[str, Any]], None]
"""Sends a finding to the page; raises KeyboardInterrupt when the page has gone."""


class ServedLimits(Struct, frozen=True):
    """The limits of one command."""

    seconds: float
    mebibytes: int


class Order(Struct, frozen=True, forbid_unknown_fields=True):
    """A request of the page."""

    language: str
    text: str
    formula: str = ""
    task: Literal["check", "reduce", "simulate"] = "check"


class Refused(Exception):
    """The order cannot be followed."""


def follow_order(order: Order, languages: tuple[str, ...], limits: ServedLimits, tell: Tell) -> None:
    """Carry out an order, and send its results."""
    if order.language not in languages:
        raise Refused(f"there is no language '{order.language}'")
    if len(order.text) > MOST_TEXT:
        raise Refused(f"a text may have {MOST_TEXT:,} characters, and this one has {len(order.text):,}")
    with TemporaryDirectory(prefix="coarsest-") as folder:
        name, failing = f"{NAME}.{order.language}", list[str]()
        Path(folder, name).write_text(order.text, encoding="utf-8", errors="surrogatepass")
        for argv in _commands(order, name):
            if not _Command([*argv, *_counterexample(argv, failing)], folder, limits, tell, failing).run():
                return


def _commands(order: Order, name: str) -> Iterator[list[str]]:
    """The command lines of an order. A space before a formula keeps it from being taken for an option or a file."""
    kind, formula = kind_of(name), [f" {order.formula.strip()}"] if order.formula.strip() else []
    if order.task == "simulate":
        yield ["simulate", name, "-o", "walk.html"]
    elif order.task == "reduce":
        yield ["reduce", name, "-o", "picture.html"]
    else:
        if kind is FileKind.MACHINE or (kind is FileKind.GRAPH and formula):
            yield ["check", name, *formula, "-o", "report.html"]
        yield ["show", name, "-o", "picture.html"]


def _counterexample(argv: list[str], failing: list[str]) -> list[str]:
    """The option that shows the first counterexample in the picture of a model."""
    return ["--property", failing[0]] if argv[0] == "show" and failing and kind_of(argv[1]) is FileKind.MACHINE else []


class _Command:
    """One command line, from its start to its end."""

    def __init__(self, argv: list[str], folder: str, limits: ServedLimits, tell: Tell, failing: list[str]) -> None:
        self._argv = [*argv, "--timeout", f"{limits.seconds:g}", "--memory", str(limits.mebibytes)]
        self._folder, self._tell, self._told, self._failing = folder, tell, 0.0, failing
        self._command: Command = import_module(f"coarsest.cli.commands.{argv[0]}").command
        self._args: Namespace = self._command.parser().parse_intermixed_args(self._argv[1:])
        self._args.form, self._args.screen, self._args.typed = "html", Screen(100), ""
        self._ledger = Ledger(self._hear)

    def run(self) -> bool:
        """Run the command until it ends or reaches a limit; False if the input was wrong."""
        from coarsest.cli.process.supervise import supervise

        self._tell({"begins": self._argv[0]})
        ending = supervise(
            self._argv, self._args, self._ledger, self._tick, plans=self._command.plans, folder=self._folder
        )
        if ending.code == 130:
            raise KeyboardInterrupt
        if ending.because is None and ending.code is not None:
            return False  # it has reported the error
        self._conclude(ending.because if self._ledger.because is None else self._ledger.because)
        return True

    def _conclude(self, because: str | None) -> None:
        if because is not None and self._command.plans:
            from coarsest.cli.frame.verdicts import give_up_on_the_rest

            give_up_on_the_rest(self._args, self._ledger, because)
        result = self._ledger.result
        if result is not None:
            document, text = result.get("document"), result["text"]
            self._tell({"text": text, "page": document} if document else {"page": text})
        elif because is not None:
            self._tell({"limit": because})
        elif not self._ledger.planned:
            self._tell({"note": "the text has no properties: add one, or write a formula above"})

    def _tick(self) -> None:
        now = time.monotonic()
        if now - self._told >= TOLD_EVERY:
            from coarsest.cli.process.progress import progress_line

            self._told = now
            self._tell({"progress": progress_line(self._ledger)})

    def _hear(self, message: Message) -> None:
        """Send a message of the command to the page."""
        if "planned" in message:
            self._tell({"planned": len(message["planned"])})
        if "decided" in message and message["decided"]["row"]:
            answer = message["decided"]["object"]
            if answer["verdict"] == "fails":
                self._failing.append(answer["name"] or f" {answer['formula']}")
            self._tell({"card": message["decided"]["row"], "verdict": answer["verdict"]})
        if "warning" in message:
            self._tell({"warning": message["shown"], **place_in(message["shown"])})
        if message.get("complaint", "").strip():
            self._tell({"complaint": message["complaint"].rstrip(), **place_in(message["complaint"])})


def place_in(text: str) -> dict[str, int]:
    """The line and column in the text of the page with which a message begins, if it does.

    >>> place_in("model.smv:3:7: error: what is this?"), place_in("error: what is this?")
    ({'line': 3, 'column': 7}, {})
    """
    place = _PLACE.match(text)
    if place is None or not place["file"].startswith(f"{NAME}."):
        return {}
    return {"line": int(place["line"]), "column": int(place["column"])}
