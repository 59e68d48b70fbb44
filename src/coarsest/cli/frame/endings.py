"""The ending of `-o FILE` chooses the format. An unknown ending is refused before any work is done."""

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
        "dot": (".dot",), "stimulus": (".stim",), "hoa": (".hoa",), "smv": (".smv",),
    }
)
"""The formats of results, and the endings that choose them; text may have no ending."""
RESULTS = ("text", "json", "markdown", "html")
"""The formats of every result."""
REPORTS = (*RESULTS, "junit", "sarif", "vcd", "itf")
"""The formats of verdicts and their traces."""
PICTURES = ("svg", "html", "dot")
TRACES = ("vcd", "itf", "aiger", "btor2")


def ending_of(output: str) -> str:
    """The ending of a name in lower case; `.itf.json` is one ending.

    >>> ending_of("trace.itf.json"), ending_of("report.JSON"), ending_of("report")
    ('.itf.json', '.json', '')
    """
    path = Path(output.lower())
    return "".join(path.suffixes[-2:]) if path.suffixes[-2:] == [".itf", ".json"] else path.suffix


def settle_form(forms: Sequence[str], args: Namespace, *, others: bool = False) -> str | None:
    """The format that the ending of the output chooses among `forms`; sets the options that it implies.

    A command with `others` checks unknown endings itself.
    """
    if Path(args.output).is_dir() or (others and args.output == "-"):  # the command complains about a directory
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
    """The kind of picture that the ending of an output chooses, if it is one."""
    ending = ending_of(output or "")
    return next((form for form in PICTURES if ending in FORMS[form]), None)


def unknown_ending(output: str, forms: Sequence[str], *more: str) -> InputError:
    """The error for an unknown ending, with its place and the known endings."""
    place = Span(Source("-o", output), len(output) - len(Path(output).suffix), len(output))
    endings = ", ".join([known_endings(forms), *more])
    return InputError(f"the format of '{output}' is not known by its name", place, hint=f"known endings are {endings}")


def with_place(problem: FileProblem, output: str | None) -> InputError:
    """An error about the ending of the output, with its place, and with pictures among the known endings."""
    diagnostic, unknown = problem.diagnostic, f"the format of '{output}' is not known by its name"
    if output is None or diagnostic.span is not None or diagnostic.message != unknown:
        return problem
    place = Span(Source("-o", output), len(output) - len(Path(output).suffix), len(output))
    pictures = "" if ".svg" in diagnostic.hint else f"; pictures are {known_endings(PICTURES)}"
    return InputError(diagnostic.message, place, hint=f"{diagnostic.hint}{pictures}")


def _preferred(forms: Sequence[str], args: Namespace) -> list[str]:
    """The formats, that of the model's language first: witnesses of several languages have the same ending."""
    from coarsest.cli.frame.kinds import language_of

    language = language_of(args)
    return sorted(forms, key=lambda form: form != language)


def known_endings(forms: Sequence[str]) -> str:
    """The endings of formats, in words.

    >>> known_endings(("text", "json"))
    '.txt or none (text), .json'
    """
    return ", ".join(dict.fromkeys(".txt or none (text)" if form == "text" else FORMS[form][0] for form in forms))
