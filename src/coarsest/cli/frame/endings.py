"""The ending of `-o FILE` decides what is written there; what it cannot decide is refused before anything is done."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType

from coarsest.cli.frame.arguments import DOCUMENT_STYLES
from coarsest.errors import FileProblem, InputError
from coarsest.text import Source, Span

FORMS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "text": (".txt", ""), "json": (".json",), "html": (".html", ".htm"), "markdown": (".md",), "junit": (".xml",),
        "sarif": (".sarif",), "vcd": (".vcd",), "itf": (".itf.json",), "aiger": (".wit",), "btor2": (".wit",), "svg": (".svg",),
        "dot": (".dot",), "stimulus": (".stim",), "hoa": (".hoa",),
    }
)
"""What a result can be written as, and the endings that ask for it; text may also have none."""
RESULTS = ("text", "json", "markdown", "html")
"""Every result can be written so."""
REPORTS = (*RESULTS, "junit", "sarif", "vcd", "itf")
"""Verdicts can be written so, and their traces."""
PICTURES = ("svg", "html", "dot")
TRACES = ("vcd", "itf", "aiger", "btor2")


def ending_of(output: str) -> str:
    """The ending of a name, in small letters; `.itf.json` is one.

    >>> ending_of("trace.itf.json"), ending_of("report.JSON"), ending_of("report")
    ('.itf.json', '.json', '')
    """
    path = Path(output.lower())
    return "".join(path.suffixes[-2:]) if path.suffixes[-2:] == [".itf", ".json"] else path.suffix


def settle_form(forms: Sequence[str], args: Namespace, *, others: bool = False) -> str | None:
    """The form that the ending of the output asks for, of those that the command can write; options that it implies are set.

    A command that knows `others` complains itself about an ending that it does not know.
    """
    if Path(args.output).is_dir() or (others and args.output == "-"):  # of a directory others complain
        return None
    if args.output == "-":
        args.output = None  # standard output, where the result goes anyway
        return None
    output, ending = args.output, ending_of(args.output)
    fitting = (form for form in _preferred(forms, args) if ending in FORMS[form])
    form = "json" if args.json and not ending else next(fitting, None)
    if form is None or (others and not ending):
        if others:
            return None
        raise unknown_ending(output, forms)
    style = getattr(args, "trace", None)
    asked = style if style in DOCUMENT_STYLES else "json" if args.json else None
    if asked is not None and ending and ending not in FORMS[asked]:
        option = "--json" if asked != style else f"--trace {style}"
        raise InputError(f"{option} does not write '{output}'", hint=f"name a {FORMS[asked][0]} file, or leave out {option}")
    if asked is None and form == "json":
        args.json = True
    elif asked is None and form in TRACES and style is not None:
        if style != "changes":
            raise InputError(f"'{output}' cannot hold a trace in the style '{style}'", hint="leave out --trace")
        args.trace = form
    return asked or form


def picture_kind(output: str | None) -> str | None:
    """The kind of picture that the ending of an output asks for, if it does."""
    ending = ending_of(output or "")
    return next((form for form in PICTURES if ending in FORMS[form]), None)


def unknown_ending(output: str, forms: Sequence[str], *more: str) -> InputError:
    """The complaint about an ending that a command does not know, with the place of it and those that it knows."""
    place = Span(Source("-o", output), len(output) - len(Path(output).suffix), len(output))
    endings = ", ".join([known_endings(forms), *more])
    return InputError(f"the format of '{output}' is not known by its name", place, hint=f"known endings are {endings}")


def with_place(problem: FileProblem, output: str | None) -> InputError:
    """A complaint about the ending of the output, with the place of it, and with pictures among those that can be written."""
    told = problem.diagnostic
    if output is None or told.span is not None or told.message != f"the format of '{output}' is not known by its name":
        return problem
    place = Span(Source("-o", output), len(output) - len(Path(output).suffix), len(output))
    pictures = "" if ".svg" in told.hint else f"; pictures are {known_endings(PICTURES)}"
    return InputError(told.message, place, hint=f"{told.hint}{pictures}")


def _preferred(forms: Sequence[str], args: Namespace) -> list[str]:
    """The forms, that of the model's own language first: witnesses of several languages have one ending."""
    from coarsest.cli.frame.kinds import language_of

    language = language_of(args)
    return sorted(forms, key=lambda form: form != language)


def known_endings(forms: Sequence[str]) -> str:
    """In words.

    >>> known_endings(("text", "json"))
    '.txt or none (text), .json'
    """
    return ", ".join(dict.fromkeys(".txt or none (text)" if form == "text" else FORMS[form][0] for form in forms))
