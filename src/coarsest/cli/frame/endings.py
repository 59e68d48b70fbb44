"""The ending of `-o FILE` decides what is written there; what it cannot decide is refused before anything is done."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType

from coarsest.cli.frame.arguments import DOCUMENT_STYLES
from coarsest.errors import InputError

FORMS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "text": (".txt", ""), "json": (".json",), "html": (".html", ".htm"), "vcd": (".vcd",), "aiger": (".wit",),
        "btor2": (".wit",), "svg": (".svg",), "dot": (".dot",), "stimulus": (".stim",),
    }
)
"""What a result can be written as, and the endings that ask for it; text may also have none."""


def settle_form(forms: Sequence[str], args: Namespace) -> None:
    """Choose the options that the ending of the output asks for, of those forms that the command can write."""
    if Path(args.output).is_dir():  # of a directory others complain
        return
    if args.output == "-":
        args.output = None  # standard output, where the result goes anyway
        return
    output = args.output
    ending = Path(output).suffix.lower()
    form = next((form for form in _preferred(forms, args) if ending in FORMS[form]), None)
    if form is None:
        raise InputError(f"the format of '{output}' is not known by its name", hint=f"known endings are {known_endings(forms)}")
    style = getattr(args, "trace", None)
    chosen = style if style in DOCUMENT_STYLES else "json" if args.json else None
    if chosen is not None and ending and ending not in FORMS[chosen]:
        option = "--json" if chosen != style else f"--trace {style}"
        raise InputError(f"{option} does not write '{output}'", hint=f"name a {FORMS[chosen][0]} file, or leave out {option}")
    if chosen is None and form == "json":
        args.json = True
    elif chosen is None and form in ("vcd", "aiger", "btor2") and style is not None:
        if style != "changes":
            raise InputError(f"'{output}' cannot hold a trace in the style '{style}'", hint="leave out --trace")
        args.trace = form


def _preferred(forms: Sequence[str], args: Namespace) -> list[str]:
    """The forms, that of the model's own language first: witnesses of several languages have one ending."""
    from coarsest.cli.frame.kinds import language_of

    language = language_of(args)
    return sorted(forms, key=lambda form: form != language)


def is_page(output: str) -> bool:
    """Does the ending ask for a page?"""
    return Path(output).suffix.lower() in FORMS["html"]


def picture_kind(output: str | None) -> str | None:
    """The kind of picture that the ending asks for, if it does."""
    ending = Path(output or "").suffix.lower()
    return next((form for form in ("svg", "dot") if ending in FORMS[form]), None)


def input_kind(output: str | None) -> str | None:
    """The kind of file for a sequence of inputs that the ending asks for, if it does."""
    ending = Path(output or "").suffix.lower()
    return next((form for form in ("vcd", "stimulus") if ending in FORMS[form]), None)


def known_endings(forms: Sequence[str]) -> str:
    """In words.

    >>> known_endings(("text", "json"))
    '.txt or none (text), .json'
    """
    return ", ".join(dict.fromkeys(".txt or none (text)" if form == "text" else FORMS[form][0] for form in forms))
