"""The operators of BTOR2: the number of their operands, and the sorts that these must have."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple


class Sort(NamedTuple):
    """Bit vectors of `width` bits, or arrays of them, whose index has `index_width` bits."""

    width: int
    index_width: int = 0

    def __str__(self) -> str:
        if self.index_width:
            return f"an array of {1 << self.index_width} times {self.width} bits"
        return "1 bit" if self.width == 1 else f"{self.width} bits"


class _Shape(NamedTuple):
    """The number of operands of an operator, and the meaning of the numbers that follow them."""

    operands: int
    parameters: tuple[str, ...] = ()


CONSTANTS = ("const", "constd", "consth", "zero", "one", "ones")
CLAIMS = ("bad", "constraint", "fair", "justice", "output")
"""Lines without a sort of their own."""
REDUCTIONS = ("redand", "redor", "redxor")
LOGICAL = ("and", "nand", "nor", "or", "xnor", "xor")
ARITHMETIC = ("add", "mul", "sdiv", "udiv", "smod", "srem", "urem", "sub", "rol", "ror", "sll", "sra", "srl")
COMPARISONS = ("sgt", "ugt", "sgte", "ugte", "slt", "ult", "slte", "ulte")
OVERFLOWS = ("saddo", "uaddo", "sdivo", "smulo", "umulo", "ssubo", "usubo")
SHAPES: Mapping[str, _Shape] = MappingProxyType(
    {
        **dict.fromkeys(("input", "state", *CONSTANTS), _Shape(0)),
        **dict.fromkeys(("bad", "constraint", "fair", "output"), _Shape(1)),
        **dict.fromkeys(("init", "next"), _Shape(2)),
        "justice": _Shape(0),
        **dict.fromkeys(("not", "inc", "dec", "neg", *REDUCTIONS), _Shape(1)),
        **dict.fromkeys(("sext", "uext"), _Shape(1, ("the number of additional bits",))),
        "slice": _Shape(1, ("the upper bit", "the lower bit")),
        **dict.fromkeys(("iff", "implies", "eq", "neq", *COMPARISONS, *LOGICAL, *ARITHMETIC, *OVERFLOWS), _Shape(2)),
        **dict.fromkeys(("concat", "read"), _Shape(2)),
        **dict.fromkeys(("ite", "write"), _Shape(3)),
    }
)
"""All operators except `sort`. A `justice` line itself says how many operands there are."""
OPERATORS = frozenset(SHAPES) - {*CLAIMS, "init", "next"}
"""Operators of lines that have a value."""


def objection(tag: str, sort: Sort, operands: Sequence[Sort], parameters: Sequence[int]) -> str:
    """The error in the sorts of a line; empty if there is none."""
    if sort.index_width and tag in CONSTANTS:
        return "cannot be an array"
    if tag == "slice" and not parameters[1] <= parameters[0] < operands[0].width:
        return f"cannot take bits {parameters[0]} to {parameters[1]} out of {operands[0]}"
    if tag in ("read", "write") and not operands[0].index_width:
        return f"needs an array as operand 1, found {operands[0]}"
    if tag == "output" or not operands:
        return ""
    if tag in ("ite", "init", "next", "eq", "neq", "read", "write"):
        needed = _about_arrays(tag, sort, operands)
    else:
        needed = [Sort(operand.width) for operand in operands], Sort(_result(tag, operands, parameters))
        if tag != "concat" and len(operands) == 2:
            needed = [Sort(operands[0].width)] * 2, needed[1]
        if tag in ("iff", "implies", *CLAIMS):
            needed = [Sort(1)] * len(operands), Sort(1)
    for number, (operand, expected) in enumerate(zip(operands, needed[0]), start=1):
        if operand != expected:
            return f"needs {expected} as operand {number}, found {operand}"
    return "" if sort == needed[1] else f"has {needed[1]} as its value, but the line says {sort}"


def _about_arrays(tag: str, sort: Sort, operands: Sequence[Sort]) -> tuple[list[Sort], Sort]:
    """The sorts that an operator on arrays requires: those of the operands, and that of the line."""
    first = operands[0]
    element, index = Sort(first.width), Sort(first.index_width)
    match tag:
        case "ite":
            return [Sort(1), sort, sort], sort
        case "init" if sort.index_width and not operands[1].index_width:  # it is the first value of all elements
            return [sort, Sort(sort.width)], sort
        case "init" | "next":
            return [sort, sort], sort
        case "read":
            return [first, index], element
        case "write":
            return [first, index, element], first
    return [first, first], Sort(1)


def _result(tag: str, operands: Sequence[Sort], parameters: Sequence[int]) -> int:
    """The width of the value of an operator on bit vectors."""
    width = operands[0].width
    match tag:
        case "sext" | "uext":
            return width + parameters[0]
        case "slice":
            return parameters[0] - parameters[1] + 1
        case "concat":
            return width + operands[1].width
        case "not" | "inc" | "dec" | "neg":
            return width
    return width if tag in LOGICAL or tag in ARITHMETIC else 1
