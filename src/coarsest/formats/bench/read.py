"""ISCAS'89 circuits (`.bench`) to machines: flip-flops are state variables that begin with 0, gates are definitions.

A line is `INPUT(a)`, `OUTPUT(b)`, or `b = GATE(a, …)` with one of the gates below; `#` begins a comment.

Reference: Brglez, Bryan, Kozminski 1989, "Combinational profiles of sequential benchmark circuits".
"""

from __future__ import annotations

import re
from types import MappingProxyType

from coarsest.errors import ModelProblem, SyntaxProblem
from coarsest.formats.netlist import Netlist, parity
from coarsest.logic.expr import FALSE, TRUE, Apply, Expr, Name
from coarsest.model.machine import Machine
from coarsest.text import Source, Span
from coarsest.text.near import nearest
from coarsest.text.printable import shortened, title_of

_LINE = re.compile(
    r"[ \t]*(?:(?P<target>[^\s()=,#]+)[ \t]*=[ \t]*)?(?P<word>[^\s()=,#]+)[ \t]*(?:\((?P<operands>[^()=#]*)\))?[ \t\r]*(?:#.*)?"
)
_OPERAND = re.compile(r"[^\s,]+|,")
_GATES = MappingProxyType(
    {"AND": "and", "OR": "or", "NAND": "and", "NOR": "or", "XOR": "xor", "XNOR": "xor", "NOT": "", "BUF": "", "BUFF": ""}
)
"""The operators of the gates; some gates negate the result."""
_NEGATED = frozenset({"NAND", "NOR", "XNOR", "NOT"})
_FLIP_FLOPS = frozenset({"DFF", "DFFSR", "FF"})
_CONSTANTS = MappingProxyType({"GND": FALSE, "VDD": TRUE})
_WORDS = ("INPUT", "OUTPUT", *_GATES, "DFF", *_CONSTANTS)
_FORM = "lines are INPUT(a), OUTPUT(b) and b = GATE(a, …)"


def read(source: Source) -> Machine:
    """The machine of a circuit.

    >>> machine = read(Source("toggle.bench", "INPUT(go) OUTPUT(on)\\n".replace(" ", "\\n") + "on = DFF(d)\\nd = XOR(go, on)"))
    >>> list(machine.variables), machine.outputs
    (['go', 'on'], ('on_output',))
    """
    netlist = Netlist(source)
    start = 0
    for line in source.text.splitlines(keepends=True):
        _read_line(netlist, line.rstrip("\n"), start)
        start += len(line)
    machine = netlist.machine(title_of(source.name, ".bench"))
    if not machine.variables and not machine.definitions:
        raise SyntaxProblem("the file is empty, expected a circuit", Span(source, 0, 1), hint=_FORM)
    return machine


def _read_line(netlist: Netlist, line: str, start: int) -> None:
    text = line.partition("#")[0].strip()
    if not text:
        return
    first = start + line.index(text)
    whole = Span(netlist.source, first, first + len(text))
    match = _LINE.fullmatch(line)
    if match is None:
        raise SyntaxProblem(f"found `{shortened(text)}`, expected a gate", whole, hint=_FORM)
    word = match["word"].upper()
    named = Span(netlist.source, start + match.start("word"), start + match.end("word"))
    operands = _operands(netlist.source, match, start)
    if match["target"] is None:
        if word not in ("INPUT", "OUTPUT") or len(operands) != 1:
            raise SyntaxProblem(f"found `{match['word']}`, expected INPUT or OUTPUT with one signal", named, hint=_FORM)
        declare = netlist.input if word == "INPUT" else netlist.output
        declare(operands[0].name, operands[0].span or named)
        return
    _read_gate(netlist, match["target"], whole, named, operands)


def _read_gate(netlist: Netlist, target: str, whole: Span, named: Span, operands: list[Name]) -> None:
    word = named.text.upper()
    if word in _CONSTANTS:
        netlist.function(target, _CONSTANTS[word], whole)
        return
    if word not in _GATES and word not in _FLIP_FLOPS:
        close = nearest(word, _WORDS)
        hint = f"did you mean {close[0]}?" if close else f"gates are {', '.join((*_GATES, 'DFF'))}"
        raise SyntaxProblem(f"there is no gate `{named.text}`", named, hint=hint)
    single = word in _FLIP_FLOPS or not _GATES[word]
    if not operands or (single and len(operands) > 1):
        expected = "one" if single else "at least one"
        raise ModelProblem(f"{word} has {len(operands)} operands, expected {expected}", whole)
    if word in _FLIP_FLOPS:
        netlist.latch(target, operands[0], whole, first=FALSE)
    else:
        value: Expr = operands[0]
        if len(operands) > 1:
            value = parity([*operands], whole) if _GATES[word] == "xor" else Apply(_GATES[word], tuple(operands), whole)
        netlist.function(target, Apply("not", (value,), whole) if word in _NEGATED else value, whole)


def _operands(source: Source, match: re.Match[str], start: int) -> list[Name]:
    """The operands, which stand between commas."""
    if match["operands"] is None:
        return []
    first = start + match.start("operands")
    parts = [(part[0], Span(source, first + part.start(), first + part.end())) for part in _OPERAND.finditer(match["operands"])]
    for number, (text, span) in enumerate(parts):
        if (text == ",") != bool(number % 2):
            raise SyntaxProblem(f"found `{text}`, expected {'a comma' if number % 2 else 'a signal'}", span, hint=_FORM)
    if parts and len(parts) % 2 == 0:
        raise SyntaxProblem("expected a signal after the comma", parts[-1][1], hint=_FORM)
    return [Name(text, span) for text, span in parts[::2]]
