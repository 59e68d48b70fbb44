"""Tokens of SMV text, by one regular expression in one pass.

A token is its text, which shows its kind (a keyword, an operator, or by its first character a number or a name). A path such as
`p1.status` without blanks is one token. `-` belongs to identifiers, so `a-b` is one name, as in NuSMV; but `a->b` is an
implication, where NuSMV reads the name `a-`.
The compound operators of PSL are tokens everywhere: none of them can occur in a legal expression without PSL.
"""

from __future__ import annotations

import re
from itertools import accumulate
from typing import NamedTuple

from coarsest.text import Source, Span

IDENTIFIER = r"[A-Za-z_][A-Za-z0-9_$#]*(?:-(?!>)[A-Za-z0-9_$#]*)*"
_PSL_WORDS = r"(?:eventually|next_event_[ae]|next_event|next_[ae]|next|until|before|whilenot|within|X)!_?(?!=)"

_TOKEN = re.compile(
    r"((?:[ \t\r\n\f]+|--[^\n]*|/--(?s:.*?)--/|(?m:^)\#[ ][0-9]+[^\n]*)*)"  # what separates tokens
    r"(" + _PSL_WORDS + r"|[fF]'[0-9]+/[0-9]+" + rf"|{IDENTIFIER}(?:\.(?:{IDENTIFIER}|[0-9]+))*"
    r"|0[us]?[bBoOdDhH][0-9]*_[0-9a-fA-F][0-9a-fA-F_]*"
    r"|[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?"
    r'|"[^"\n]*"'
    r"|<->|->|:=|::|\.\.|!=|<=|>=|<<|>>|\|->|\|=>|\|\||&&|\[\*|\[\+\]|\[=|\[->|/--|==|=>"
    r"|\Z|(?s:.))",
    re.ASCII,
)

END = ""
"""The token after the last one."""


class Tokens(NamedTuple):
    """The tokens of a text; `texts[i]` begins at `starts[i]`."""

    source: Source
    texts: list[str]
    starts: list[int]

    def span(self, first: int, last: int | None = None) -> Span:
        """The span of a token, or of the tokens from `first` to `last`."""
        last = first if last is None else max(first, last)
        return Span(self.source, self.starts[first], self.starts[last] + len(self.texts[last]))


def tokenise(source: Source, pattern: re.Pattern[str] = _TOKEN) -> Tokens:
    """The tokens of a text. The last one is END.

    The pattern of another language also has two groups: separators, and a token, which may be the end of the text and otherwise
    matches any character.

    >>> tokenise(Source("m.smv", "p1.x := a-b | !c; -- why")).texts
    ['p1.x', ':=', 'a-b', '|', '!', 'c', ';', '']
    """
    gaps_and_texts = pattern.findall(source.text)
    texts = [text for _, text in gaps_and_texts]
    lengths = [len(gap) + len(text) for gap, text in gaps_and_texts]
    starts = [end - len(text) for end, text in zip(accumulate(lengths), texts)]
    if texts[-2:] == [END, END]:  # the pattern matches the empty end twice when blanks precede it
        texts.pop()
        starts.pop()
    return Tokens(source, texts, starts)


SECTIONS = frozenset(
    {"MODULE", "DEFINE", "MDEFINE", "VAR", "FUN", "FROZENVAR", "IVAR", "INIT", "TRANS", "INVAR", "CONSTANTS", "ISA", "ASSIGN"}
    | {"FAIRNESS", "JUSTICE", "COMPASSION", "SPEC", "CTLSPEC", "LTLSPEC", "PSLSPEC", "INVARSPEC", "COMPUTE"}
)
"""Words that begin a section of a module."""

KEYWORDS = (
    SECTIONS
    | {"process", "array", "of", "boolean", "word", "Word", "NAME", "IN", "CONSTRAINT", "ITYPE", "SIMPWFF", "NEXTWFF", "CTLWFF"}
    | {"LTLWFF", "COMPWFF", "COMPID", "TRUE", "FALSE", "case", "esac", "self", "next", "init", "union", "in", "mod", "xor"}
    | {"xnor", "abs", "min", "max", "count", "bool", "word1", "signed", "unsigned", "extend", "resize", "sizeof", "toint"}
    | {"uwconst", "swconst", "READ", "WRITE", "CONSTARRAY", "typeof", "E", "A", "EX", "AX", "EF", "AF", "EG", "AG", "EBF"}
    | {"ABF", "EBG", "ABG", "BU", "MIN", "MAX", "F", "G", "X", "Y", "Z", "H", "O", "U", "V", "S", "T"}
)
"""Words that cannot be names."""


def is_name(text: str) -> bool:
    """Is this token a name or a path?"""
    first = text[:1]
    if text[1:2] == "'":
        return False  # a fraction
    return (first.isalpha() or first == "_" or first == '"') and text.isascii() and text not in KEYWORDS and text[-1] != "!"


def is_number(text: str) -> bool:
    """Is this token a sequence of digits?"""
    return text.isdigit() and text.isascii()


def begins_number(text: str) -> bool:
    """Is this token a number of any kind (`12`, `0ud8_3`, `1.5`, `f'1/3`)?"""
    return "0" <= text[:1] <= "9" or text[1:2] == "'"
