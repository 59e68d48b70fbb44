"""The options that commands share, and a parser whose errors suggest the right spelling."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Callable, Iterable, Sequence
from types import MappingProxyType
from typing import Any, Final, NoReturn, TypeAlias

from coarsest import tuning
from coarsest.cli.frame.publish import terminal_width
from coarsest.errors import InputError
from coarsest.options.engines import option_structs
from coarsest.options.option import Choice, Confirm, choices
from coarsest.text.near import nearest

TRACE_STYLES = ("changes", "full", "table", "json", "vcd", "itf")
WITNESS_STYLES = ("aiger", "btor2")
ASKED = ("deadlock", "safety", "traces", "show", "confirm", "vacuity", "jobs")
"""Options of checking that change the question or the output, not the method."""
DOCUMENT_STYLES = ("json", "vcd", "itf", *WITNESS_STYLES)


class Help(argparse.RawDescriptionHelpFormatter):
    """Help that keeps line breaks and shows defaults."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog, max_help_position=28, width=terminal_width(80) - 2)

    def _get_help_string(self, action: argparse.Action) -> str | None:
        text = action.help
        default = action.default
        none = default in (None, argparse.SUPPRESS, [], ()) or isinstance(default, bool)
        if text and action.option_strings and not none:
            return f"{text} (default: %(default)s)"
        return text


MOST_LINES: Final = 45
"""Longer help is abridged by `--help` and shown by `--help all`."""


class AskForHelp(argparse.Action):
    """`--help` prints the short form if the whole is long; `--help all` prints the whole."""

    def __init__(self, option_strings: Sequence[str], dest: str, **_: Any) -> None:
        text = "show the most important options, or all of them"
        super().__init__(option_strings, "help", nargs="?", metavar="all", default=argparse.SUPPRESS, help=text)

    def __call__(self, parser: argparse.ArgumentParser, namespace: object, values: object, option: str | None = None) -> None:
        whole = parser.format_help()
        if values != "all" and whole.count("\n") > MOST_LINES:
            from coarsest.cli.frame.short_help import short_help

            whole = short_help(parser)
        sys.stdout.write(whole)
        parser.exit()


class CommandParser(argparse.ArgumentParser):
    """The parser of one command. Wrong usage is an InputError, not an exit."""

    def __init__(self, command: str, operands: str, summary: str, examples: str) -> None:
        super().__init__(
            prog=f"coarsest {command}",
            usage=f"coarsest {command}{operands and ' '}{operands} [OPTIONS]",
            description=summary,
            epilog=f"examples:\n{examples}\n",
            formatter_class=Help,
            allow_abbrev=False,
            add_help=False,
        )
        self.add_argument("-h", "--help", action=AskForHelp)
        text = "for experiments: change a threshold that 'coarsest algorithms --tuning' lists; may be repeated"
        self.add_argument("--tune", action=Tune, metavar="NAME=VALUE", help=text)
        self._positionals.title = "arguments"

    def error(self, message: str) -> NoReturn:
        hint = f"see '{self.prog} --help'"
        if message.startswith("the following arguments are required"):
            hint = f"for example: {re.split(r'  +', str(self.epilog).splitlines()[1].strip())[0]}"
            needed = [action.metavar for action in self._actions if not action.option_strings and action.nargs in (None, "+")]
            message = f"'{self.prog}' needs {' and '.join(map(str, needed))}"
        unknown = re.match(r"unrecognized arguments: (\S*)", message)
        if unknown is not None:
            word = unknown.group(1)
            message = f"'{self.prog}' has no option '{word}'" if word.startswith("-") else f"unexpected argument '{word}'"
            like = self._option_near(word.split("=")[0].lstrip("-")) if word.startswith("-") else ""
            hint = f"did you mean '{like}'?" if like else hint
            hint = next((advice for words, advice in ADVICE.items() if word.split("=")[0] in words.split()), hint)
        wrong = re.match(r"argument ([^:]+): (expected|ignored explicit argument)", message)
        if wrong is not None:
            option = wrong.group(1).split("/")[-1]
            hint = self._use_of(option)
            if wrong.group(2) != "expected":
                message = f"{option} takes no value"
            elif message.endswith("expected one argument"):
                message = f"{option} needs a value"
        choice = re.match(r"argument (\S+): invalid choice: '(.*)' \(choose from (.*)\)$", message)
        if choice is not None:
            option, word, words = choice.groups()
            choices = [name.strip(" '") for name in words.split(",")]
            near = nearest(word, choices)
            message = f"{option.split('/')[-1]} cannot be '{word}'"
            hint = f"did you mean '{near[0]}'?" if near else f"it is one of {', '.join(dict.fromkeys(choices))}"
            if option == "--ltl" and not near:
                hint = f"{hint}; {FORMULAS}"
        raise InputError(message, hint=hint)

    def _use_of(self, option: str) -> str:
        """An option with its value and its help, in one line."""
        (action,) = (action for action in self._actions if option in action.option_strings)
        value = "" if action.nargs == 0 else f" {action.metavar or '|'.join(action.choices or ())}"
        return f"write {option}{value}: {action.help or ''}"

    def _option_near(self, word: str) -> str:
        """An option with a similar name, or with the word as a value: `--bmc` suggests `--engine bmc`."""
        for action in self._actions:
            if action.choices is not None and word in action.choices:
                return f"{action.option_strings[0]} {word}" if action.option_strings else ""
        names = {name.lstrip("-"): name for action in self._actions for name in action.option_strings}
        return "".join(names[near] for near in nearest(word, names))


FORMULAS: Final = """formulas stand after the model, without an option: coarsest check MODEL 'AG p' 'G F q'"""
ADVICE = MappingProxyType(
    {
        "--ctl --ctlspec --ltlspec --invariant --inv --invar --formula --spec --expr": FORMULAS,
        "--junit --xml": "write the report to a file whose name ends in .xml: -o report.xml",
        "--sarif --html --markdown": "the ending of the report's name chooses its form: -o report.html, report.md, report.sarif",
        "--color --colour": "set FORCE_COLOR=1 in the environment for colours, NO_COLOR=1 for none",
        "--no-color --no-colour": "set NO_COLOR=1 in the environment",
        "--counterexample --cex --witness": "counterexamples are shown anyway: --trace STYLE says how; -o trace.vcd",
        "--dynamic --reorder --dynamic-reordering": "variables are reordered anyway; --no-reorder switches it off",
        "--coi --cone": "the cone of influence is used anyway; --no-cone switches it off",
        "--from --init --initial": "initial states are part of the model; --towards CONDITION searches backwards",
    }
)
"""Options that other tools have, and what to write here."""


class Tune(argparse.Action):
    """`--tune NAME=VALUE` changes a threshold before the command starts."""

    def __call__(self, parser: argparse.ArgumentParser, space: argparse.Namespace, values: Any, _: str | None = None) -> None:
        try:
            tuning.change([values])
        except ValueError as error:
            raise InputError(f"--tune {values}: {error}", hint="'coarsest algorithms --tuning' lists names and ranges") from None


Place: TypeAlias = CommandParser | argparse._ArgumentGroup


def model_argument(parser: CommandParser) -> None:
    parser.add_argument("model", metavar="MODEL", help="a model file; '-' is standard input")
    parser.add_argument("--format", metavar="NAME", help="format of the model (default: by its suffix)")


def hints_option(parser: CommandParser) -> None:
    text = "a file of conditions (.hint) that guide a search: its steps satisfy one, then the next, then any; may be repeated"
    parser.add_argument("--hints", dest="hint_files", action="append", default=[], metavar="FILE", help=text)


def output_options(parser: CommandParser, *, traces: bool = False, verdicts: bool = False, witnesses: bool = False) -> None:
    group = parser.add_argument_group("output")
    group.add_argument("--json", action="store_true", help="print one JSON object instead of text")
    if traces or verdicts:
        styles = (*TRACE_STYLES, *WITNESS_STYLES) if witnesses else TRACE_STYLES
        text = f"how to show traces: {', '.join(styles[:-1])} or {styles[-1]}"
        group.add_argument("--trace", choices=styles, default="changes", metavar="STYLE", help=text)
        reports = ".txt, .json, .html, .md, .xml for JUnit, .sarif" if verdicts else ".txt, .json, .html, .md"
        endings = ".vcd, .itf.json, .wit" if witnesses else ".vcd, .itf.json"
        text = f"write the report to a file, in the format of its ending ({reports}), or traces ({endings}, --trace json)"
    else:
        text = "write the result to a file, in the format of its ending"
    group.add_argument("-o", "--output", metavar="FILE", help=text)
    quiet = "print only results and the warnings that undermine them: no evidence, no progress"
    talk_options(group, quiet, "print statistics, and progress even if standard error is not a terminal")


def talk_options(place: Place, quiet: str, verbose: str = "print progress even if standard error is not a terminal") -> None:
    """The options of messages on standard error."""
    place.add_argument("-q", "--quiet", action="store_true", help=quiet)
    place.add_argument("-v", "--verbose", action="store_true", help=verbose)
    text = "form of progress and messages on standard error: text, or one JSON object per line (jsonl)"
    place.add_argument("--progress", choices=("text", "jsonl"), default="text", metavar="FORM", help=text)


def limit_options(parser: CommandParser, *, nodes: bool = False) -> None:
    """The limits of a run; `nodes` for commands that use BDDs."""
    group = parser.add_argument_group("limits", "reaching a limit gives 'unknown' and exit code 3")
    group.add_argument("--timeout", type=positive_number, metavar="SECONDS", help="wall-clock time")
    text = "memory of all processes together, in mebibytes (default: half of the machine's)"
    group.add_argument("--memory", type=positive_integer, metavar="MIB", help=text)
    if nodes:
        group.add_argument("--nodes", type=positive_integer, metavar="N", help="live BDD nodes")


def checking_options(parser: CommandParser, asked_for: Iterable[Choice], *, witnesses: bool = False) -> None:
    """The options of commands that check properties: output, limits and methods."""
    output_options(parser, verdicts=True, witnesses=witnesses)
    limit_options(parser, nodes=True)
    offered = {choice.name: choice for choice in asked_for}
    group = parser.add_argument_group("properties and evidence")
    asked = [name for name in ASKED if name in offered]
    add_choices(group, offered.values(), *asked)
    group = method_group(parser)
    own = [choice for choice in offered.values() if any(choice in choices(struct) for struct in option_structs())]
    add_choices(group, [choice for name, choice in offered.items() if name not in asked and choice not in own])
    seed_option(group)
    if own:
        group = parser.add_argument_group("options of engines", "refused if no deciding engine has them")
        add_choices(group, own)


def method_group(parser: CommandParser) -> argparse._ArgumentGroup:
    text = "'coarsest algorithms' describes them; a verdict stays the same, or becomes 'unknown'"
    return parser.add_argument_group("method", text)


def add_choices(place: Place, available: Iterable[Choice], *names: str) -> None:
    """Add options for choices: all of them, or those named, in that order."""
    offered = {choice.name: choice for choice in available if choice.option.on_command_line}
    for name in names or offered:
        _add(place, offered[name])


def _add(place: Place, choice: Choice) -> None:
    option = choice.option
    about: dict[str, Any] = {"dest": choice.name, "help": choice.help}
    if isinstance(choice.default, bool):
        place.add_argument(choice.flag, action="store_false" if choice.default else "store_true", default=choice.default, **about)
        return
    if choice.many:
        about |= {"nargs": "+", "action": "extend"} if option.at_once else {"action": "append"}
        place.add_argument(choice.flag, default=[], metavar=option.metavar, **about)
        return
    kind = _whole_number(option.least, option.most) if choice.type is int else str
    words = tuple(choice.words) if choice.words and option.closed else None
    place.add_argument(choice.flag, type=kind, choices=words, default=choice.default, metavar=option.metavar, **about)
    if choice.type is Confirm:
        about["help"] = "the same as --confirm never"
        place.add_argument("--no-confirm", action="store_const", const="never", **about)


def seed_option(place: Place) -> None:
    place.add_argument("--seed", type=_whole_number(), default=0, metavar="N", help="seed of all random choices")


def _integer(text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"expected a whole number, found '{text}'") from None


def _whole_number(least: int | None = None, most: int | None = None) -> Callable[[str], int]:
    """A reader of whole numbers within bounds; without an upper bound, `least` is 0 or 1."""
    bounds = "" if least is None else f" from {least} to {most}" if most else " above 0" if least else ", 0 or more"

    def read(text: str) -> int:
        number = _integer(text)
        if (least is not None and number < least) or (most is not None and number > most):
            raise argparse.ArgumentTypeError(f"expected a whole number{bounds}, found '{text}'")
        return number

    return read


positive_integer = _whole_number(1)


def positive_number(text: str) -> float:
    try:
        number = float(text)
    except ValueError:
        number = 0.0
    if not 0 < number < float("inf"):
        raise argparse.ArgumentTypeError(f"expected a number above 0, found '{text}'")
    return number
