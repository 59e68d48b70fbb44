"""Words of Lustre text, and hints about words of other languages."""

from __future__ import annotations

import re

TOKEN = re.compile(
    r"((?:[ \t\r\n\f]+|--(?![%!]\s*(?:MAIN|PROPERTY)\b|@)[^\n]*|\(\*(?![@%!])(?s:.*?)\*\)|/\*(?![@%!])(?s:.*?)\*/|//[^\n]*)*)"
    r"(--[%!]\s*(?:MAIN|PROPERTY)|--@|\(\*[@%!]?|/\*[@%!]?"
    r"|[A-Za-z_][A-Za-z0-9_']*|0[xX][0-9A-Fa-f]+(?![.pP])|[0-9]+\.[0-9]+(?:[eE][+-]?[0-9]+)?|[0-9]+[eE][+-]?[0-9]+|[0-9]+(?![.][0-9])"
    r'|"[^"\n]*"|->|=>|<=|>=|<>|:=|==|::|\.\.|&&|\|\||!=|<<|>>|<-|\Z|(?s:.))',
    re.ASCII,
)
MACHINE_INTEGERS = {f"{sign}int{width}": (width, not sign) for sign in ("", "u") for width in (8, 16, 32, 64)}
RESERVED = frozenset(
    {"node", "function", "returns", "var", "let", "tel", "const", "type", "enum", "subrange", "of", "int", "bool"}
    | {"real", "struct", "if", "then", "else", "pre", "fby", "current", "when", "merge", "condact", "activate", "restart"}
    | {"every", "initial", "default", "not", "and", "or", "xor", "div", "mod", "true", "false", "assert", "check"}
    | {"nor", "automaton", "package", "include", "imported", "extern", "unsafe", "contract", "con", "noc", "frame"}
)

HINTS = {
    "==": "equality is written `=`",
    "!=": "inequality is written `<>`",
    "&&": "conjunction is written `and`",
    "&": "conjunction is written `and`",
    "||": "disjunction is written `or`",
    "!": "negation is written `not`",
    "~": "negation is written `not`",
    ":=": "an equation is written `x = e;`",
    "(*": "the comment that begins here is never closed by `*)`",
    "/*": "the comment that begins here is never closed by `*/`",
    "TRUE": "write `true`",
    "FALSE": "write `false`",
    "?": "a conditional is written `if c then a else b`",
}
