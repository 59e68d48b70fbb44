"""Lists of design files (`.f`), as simulators read them: paths, `+define+`, `+incdir+`, and the usual options.

A path is looked for beside the list first, then in the folder of the command. `//` and `#` begin comments.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from types import MappingProxyType
from typing import Final

from coarsest.errors import FileProblem, SyntaxProblem
from coarsest.files import read_text
from coarsest.formats.yosys.design import Design
from coarsest.formats.yosys.read import read_design
from coarsest.model.machine import Machine
from coarsest.text import Source, Span

DEEPEST: Final = 20
"""The limit for lists in lists: a deeper list includes itself."""
_WORD = re.compile(r"//[^\n]*|(?<!\S)#[^\n]*|/\*.*?\*/|\"([^\"\n]*)\"|[^\s\"]+", re.DOTALL)
_VARIABLE = re.compile(r"\$\{(\w+)\}|\$\((\w+)\)|\$(\w+)")
_WITH_VALUE = MappingProxyType({"-f": "", "-F": "", "-I": "", "-D": "", "-top": "", "--top": "", "--top-module": "", "-y": "",
                                "-v": "", "-G": ""})  # fmt: skip


def read(source: Source) -> Machine:
    """The machine of the design that a list names."""
    return read_with(source, "")


def read_with(source: Source, details: str) -> Machine:
    """The machine of the design with this top module."""
    return read_design(design_of(source).joined(Design(top=details)))


def design_of(source: Source, depth: int = 0) -> Design:
    """The design that a list describes.

    >>> design = design_of(Source("x.f", "+define+WIDE=8+DEEP\\n-top fifo  // queue.sv"))
    >>> design.defines, design.top
    (('WIDE=8', 'DEEP'), 'fifo')
    """
    matches = (match for match in _WORD.finditer(source.text) if not match[0].startswith(("//", "/*", "#")))
    words = ((match[1] if match[1] is not None else match[0], Span(source, *match.span())) for match in matches)
    design, where = Design(), _finder(source)
    for word, span in words:
        option, value = _split(word, span, words)
        match option:
            case "" | "-v":
                design = design.joined(Design(files=(where(value, span),)))
            case "+define+" | "-D":
                design = design.joined(Design(defines=tuple(filter(None, value.split("+") if option[0] == "+" else [value]))))
            case "+incdir+" | "-I" | "-y":
                folders = value.split("+") if option[0] == "+" else [value]
                design = design.joined(Design(includes=tuple(where(folder, span) for folder in folders if folder)))
            case "-top" | "--top" | "--top-module":
                design = design.joined(Design(top=value))
            case "-G":
                design = design.joined(Design(parameters=(value,)))
            case "-f" | "-F":
                if depth == DEEPEST:
                    raise FileProblem("lists of files include each other without end", span)
                design = design.joined(design_of(read_text(where(value, span)), depth + 1))
            case _:  # options about messages and the language have no effect here
                pass
    return design


def _split(word: str, span: Span, words: Iterator[tuple[str, Span]]) -> tuple[str, str]:
    """An option and its value; a path has no option."""
    for plus in ("+define+", "+incdir+"):
        if word.startswith(plus):
            return plus, word.removeprefix(plus)
    if word.startswith("-pvalue+"):
        return "-G", word.removeprefix("-pvalue+")
    if word in _WITH_VALUE:
        value = next(words, None)
        if value is None:
            raise SyntaxProblem(f"`{word}` needs a value", span, hint="a path or a name follows it")
        return word, value[0]
    if word[:2] in ("-D", "-I", "-G") and len(word) > 2:
        return word[:2], word[2:]
    if word.startswith(("-", "+")):
        if word.startswith(("-sv", "-g20", "-Wall", "-W", "+libext+", "-w", "--timing", "+v2k", "-quiet", "-l")):
            return word, ""
        hint = "+define+, +incdir+, -f, -y, -v, -top and -G are read"
        raise SyntaxProblem(f"the option `{word}` of lists is not read here", span, hint=hint)
    return "", word


def _finder(source: Source) -> Callable[[str, Span], str]:
    beside = os.path.dirname(source.name)

    def find(path: str, span: Span) -> str:
        for variable in (match[1] or match[2] or match[3] for match in _VARIABLE.finditer(path)):
            if variable not in os.environ:
                message = f"there is no variable {variable} in the environment"
                raise FileProblem(message, span, hint=f"{variable}=… coarsest check …")
        path = _VARIABLE.sub(lambda match: os.environ[match[1] or match[2] or match[3]], path)
        near = os.path.join(beside, path)
        if os.path.exists(near) or os.path.exists(path):
            return near if os.path.exists(near) else path
        hint = "paths are looked for beside the list, then in the current folder"
        raise FileProblem(f"there is no file '{path}'", span, hint=hint)

    return find
