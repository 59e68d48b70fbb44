"""The options that commands share, and a parser whose complaints suggest what was meant."""

from __future__ import annotations

import argparse
import re
from typing import NoReturn

from coarsest.errors import InputError
from coarsest.text.near import nearest

TRACE_STYLES = ("changes", "full", "table", "json", "vcd")
DOCUMENT_STYLES = ("json", "vcd")
RELATIONS = ("auto", "monolithic", "clustered", "disjunctive", "functions")
CARRIERS = ("auto", "bdd", "smt")
MOST_THREADS = 256
ORDERS = ("auto", "declaration", "force", "dependency")


class Help(argparse.RawDescriptionHelpFormatter):
    """Help that keeps our line breaks and shows defaults."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog, max_help_position=28)

    def _get_help_string(self, action: argparse.Action) -> str | None:
        text = action.help
        default = action.default
        none = default in (None, argparse.SUPPRESS, []) or isinstance(default, bool)
        if text and action.option_strings and not none:
            return f"{text} (default: %(default)s)"
        return text


class Parser(argparse.ArgumentParser):
    """The parser of one command. Wrong usage is an InputError, not an exit."""

    def __init__(self, command: str, operands: str, summary: str, examples: str) -> None:
        super().__init__(
            prog=f"coarsest {command}",
            usage=f"coarsest {command}{operands and ' '}{operands} [OPTIONS]",
            description=summary,
            epilog=f"examples:\n{examples}\n",
            formatter_class=Help,
            allow_abbrev=False,
        )

        self._positionals.title = "arguments"

    def error(self, message: str) -> NoReturn:
        hint = f"see '{self.prog} --help'"
        if message.startswith("the following arguments are required"):
            needed = [action.metavar for action in self._actions if not action.option_strings and action.nargs in (None, "+")]
            message = f"'{self.prog}' needs {' and '.join(map(str, needed))}"
        unknown = re.match(r"unrecognized arguments: (\S*)", message)
        if unknown is not None:
            word = unknown.group(1)
            message = f"'{self.prog}' has no option '{word}'" if word.startswith("-") else f"unexpected argument '{word}'"
            near = nearest(word.split("=")[0], [name for action in self._actions for name in action.option_strings])
            hint = f"did you mean '{near[0]}'?" if near else hint
        choice = re.match(r"argument (\S+): invalid choice: '(.*)' \(choose from (.*)\)$", message)
        if choice is not None:
            option, word, words = choice.groups()
            choices = [name.strip(" '") for name in words.split(",")]
            near = nearest(word, choices)
            message = f"{option.split('/')[-1]} cannot be '{word}'"
            hint = f"did you mean '{near[0]}'?" if near else f"it is one of {', '.join(dict.fromkeys(choices))}"
        raise InputError(message, hint=hint)


def model_argument(parser: Parser) -> None:
    parser.add_argument("model", metavar="MODEL", help="a model file; '-' is standard input")
    parser.add_argument("--format", metavar="NAME", help="format of the model (default: by its suffix)")


def output_options(parser: Parser, *, traces: bool) -> None:
    group = parser.add_argument_group("output")
    group.add_argument("--json", action="store_true", help="print one JSON object for programs instead of text for people")
    if traces:
        group.add_argument("--trace", choices=TRACE_STYLES, default="changes", metavar="STYLE",
                           help="how to show traces: changes, full, table, json or vcd")  # fmt: skip
        text = "write the report there, by its ending (.txt, .json, .html), or traces (.vcd, --trace json), whole or not at all"
    else:
        text = "write the result there, in the format that its ending says, whole or not at all"
    group.add_argument("-o", "--output", metavar="FILE", help=text)
    group.add_argument("-q", "--quiet", action="store_true", help="results only: no evidence, warnings or progress")
    group.add_argument("-v", "--verbose", action="store_true", help="statistics, progress even when not on a terminal")


def limit_options(parser: Parser, *, nodes: bool = False) -> None:
    """The limits of a run; `nodes` where the work is done with BDDs."""
    group = parser.add_argument_group("limits", "a limit that is reached gives 'unknown' and exit code 3")
    group.add_argument("--timeout", type=_positive_number, metavar="SECONDS", help="wall-clock time")
    group.add_argument("--memory", type=_positive_integer, metavar="MIB", help="memory of the process, in mebibytes")
    if nodes:
        group.add_argument("--nodes", type=_positive_integer, metavar="N", help="live BDD nodes")


def engine_options(parser: Parser, *, search: bool = True, carriers: bool = False) -> argparse._ArgumentGroup:
    group = parser.add_argument_group("method", "'coarsest algorithms' describes them; no choice changes a verdict")
    if search:
        searches = ("auto", "breadth-first", "chaining")
        group.add_argument("--search", choices=searches, default="auto", help="how to look for states")
    if carriers:
        group.add_argument("--carrier", choices=CARRIERS, default="auto",
                           help="what a set of states is: a BDD, or a formula, which needs 'coarsest[smt]'")  # fmt: skip
    group.add_argument("--relation", choices=RELATIONS, default="auto", metavar="FORM",
                       help=f"form of the transition relation: {', '.join(RELATIONS)}")  # fmt: skip
    group.add_argument("--bdd", choices=("oxidd", "cudd"), default="oxidd", help="BDD engine; cudd needs 'coarsest[cudd]'")
    group.add_argument("--order", default="auto", metavar="NAME|FILE", help=f"variable order: {', '.join(ORDERS)}, or a file")
    group.add_argument("--save-order", metavar="FILE", help="write the final variable order there")
    group.add_argument("--no-reorder", dest="reorder", action="store_false", default=True, help="keep the order while running")
    group.add_argument("--threads", type=_number_of_threads, default=1, metavar="N", help="threads of the BDD engine")
    seed_option(group)
    return group


def seed_option(place: Parser | argparse._ArgumentGroup) -> None:
    place.add_argument("--seed", type=_integer, default=0, metavar="N", help="seed of all random choices")


def _integer(text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"expected a whole number, found '{text}'") from None


def _positive_integer(text: str) -> int:
    number = _integer(text)
    if number <= 0:
        raise argparse.ArgumentTypeError(f"expected a whole number above 0, found '{text}'")
    return number


def _number_of_threads(text: str) -> int:
    number = _integer(text)
    if not 1 <= number <= MOST_THREADS:  # each takes memory when it starts, needed or not
        raise argparse.ArgumentTypeError(f"expected a whole number from 1 to {MOST_THREADS}, found '{text}'")
    return number


def natural_number(text: str) -> int:
    number = _integer(text)
    if number < 0:
        raise argparse.ArgumentTypeError(f"expected a whole number, 0 or more, found '{text}'")
    return number


def _positive_number(text: str) -> float:
    try:
        number = float(text)
    except ValueError:
        number = 0.0
    if not 0 < number < float("inf"):
        raise argparse.ArgumentTypeError(f"expected a number above 0, found '{text}'")
    return number
