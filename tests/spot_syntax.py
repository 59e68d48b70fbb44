"""Formulas in the syntax of the lists in the shared benchmarks (`[]`, `<>`, `W`, `M`, `R`), as expressions."""

from __future__ import annotations

import re
from pathlib import Path

from coarsest.logic.expr import FALSE, TRUE, Apply, Expr, Name

LISTS = Path(__file__).parent.parent.parent / "shared" / "benchmarks" / "ltl"

_TOKEN = re.compile(r"\s*(\[\]|<>|<->|->|&&|\|\||[!&|^()XGFUWRMV]|[a-z_][a-zA-Z0-9_]*(?:\s*=\s*[0-9]+)?|1|0|$)")
_BINARY = {"<->": (1, 1, "iff"), "^": (1, 1, "xor"), "->": (2, 2, "implies"),
           "||": (3, 4, "or"), "|": (3, 4, "or"), "&&": (4, 5, "and"), "&": (4, 5, "and"),
           "U": (6, 6, "U"), "W": (6, 6, "W"), "R": (6, 6, "V"), "V": (6, 6, "V"), "M": (6, 6, "M")}  # fmt: skip
_UNARY = {"!": "not", "X": "X", "G": "G", "F": "F", "[]": "G", "<>": "F"}


def parse(text: str) -> Expr:
    tokens = []
    at = 0
    while at < len(text):
        found = _TOKEN.match(text, at)
        assert found, f"{text[at:]!r} in {text!r}"
        tokens.append(found.group(1))
        at = found.end()
    tokens = [*(token for token in tokens if token), ""]
    expr, end = _expression(tokens, 0, 0)
    assert tokens[end] == "", f"{tokens[end:]} left in {text!r}"
    return expr


def _expression(tokens: list[str], at: int, least: int) -> tuple[Expr, int]:
    left, at = _operand(tokens, at)
    while tokens[at] in _BINARY and _BINARY[tokens[at]][0] >= least:
        _, level, op = _BINARY[tokens[at]]
        right, at = _expression(tokens, at + 1, level)
        left = _binary(op, left, right)
    return left, at


def _binary(op: str, left: Expr, right: Expr) -> Expr:
    if op == "W":
        return Apply("V", (right, Apply("or", (left, right))))
    if op == "M":
        return Apply("U", (right, Apply("and", (left, right))))
    return Apply(op, (left, right))


def _operand(tokens: list[str], at: int) -> tuple[Expr, int]:
    token = tokens[at]
    if token in _UNARY:
        inner, at = _operand(tokens, at + 1)
        return Apply(_UNARY[token], (inner,)), at
    if token == "(":
        inner, at = _expression(tokens, at + 1, 0)
        assert tokens[at] == ")", tokens[at:]
        return inner, at + 1
    if token in "10":
        return (TRUE if token == "1" else FALSE), at + 1
    assert token[:1].islower() or token[:1] == "_", tokens[at:]
    return Name(re.sub(r"\W+", "_", token)), at + 1


def formulas(name: str) -> list[Expr]:
    """The formulas of a list."""
    lines = (LISTS / name).read_text().splitlines()
    return [parse(line) for line in lines if line.strip() and not line.startswith("#")]
