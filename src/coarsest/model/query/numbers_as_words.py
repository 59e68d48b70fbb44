"""Numbers beside words: `cnt < 9` is about the word of that value, and `full = 1` about a truth value.

A formula outside of a file need not mention the widths of its numbers: the other operand has a width. A number that no such word
has makes a comparison true or false, as between numbers. In Verilog's notation of numbers (`4'd9`), the width adds nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from types import MappingProxyType

from coarsest.errors import SyntaxProblem, TypeProblem
from coarsest.logic.expr import Apply, Constant, Expr, Word
from coarsest.logic.operators import FUNCTIONS
from coarsest.logic.words import LONGEST_SHOWN, WIDEST_WORD
from coarsest.model.checks.static_types import BOOLEAN
from coarsest.model.machine import Machine
from coarsest.model.types import WordType
from coarsest.text import Source, Span

_MIRRORED = MappingProxyType({"<": ">", "<=": ">=", ">": "<", ">=": "<=", "=": "=", "!=": "!="})
_COMPUTED = frozenset({"+", "-", "*", "/", "mod", "and", "or", "xor", "xnor", "min", "max"})
_QUOTED_OR_LITERAL = re.compile(r"\"[^\"]*\"|(?<![\w.$'])([0-9][0-9_]*)?'([sS]?)([bodhBODH])([0-9a-fA-FxXzZ?_]+)")
_FUNCTION = re.compile(rf"(?<![\w.$\"])({'|'.join(sorted(FUNCTIONS))})\b(?!\s*\(|[\w$#.\"])")
_BASES = MappingProxyType({"b": 2, "o": 8, "d": 10, "h": 16})


def in_our_words(source: Source, machine: Machine) -> Source:
    """The formula with numbers of Verilog in decimal, and names between quotes that are functions in formulas.

    >>> from coarsest.model.machine import Machine
    >>> in_our_words(Source("<formula>", "cnt == 4'd9 && (state == 8'h1F)"), Machine("m", {})).text
    'cnt == 9    && (state == 31   )'
    """
    text = _QUOTED_OR_LITERAL.sub(lambda match: match[0] if match[0][0] == '"' else _decimal(match, source), source.text)
    declared = machine.variables.keys() | machine.definitions.keys()
    if any(name in declared for name in FUNCTIONS):
        text = _FUNCTION.sub(lambda match: f'"{match[1]}"' if match[1] in declared else match[1], text)
    return source if text == source.text else Source(source.name, text)


def _decimal(match: re.Match[str], source: Source) -> str:
    width, signed, base, digits = match.groups()
    span = Span(source, *match.span())
    if re.search(r"[xXzZ?]", digits):
        raise SyntaxProblem("a number with undefined digits", span, hint="compare the bits that matter: w[high:low]")
    written = (width or "32").replace("_", "")
    size = int(written) if len(written) < 10 else 0
    if not 1 <= size <= WIDEST_WORD:
        given = written[:LONGEST_SHOWN]
        raise SyntaxProblem(f"a number of {given} bits", span, hint=f"the width is from 1 to {WIDEST_WORD}")
    try:
        value = int(digits.replace("_", ""), _BASES[base.lower()])
    except ValueError:
        problem = f"these are no digits of base {_BASES[base.lower()]}, or too many"
        raise SyntaxProblem(problem, span) from None
    value &= (1 << size) - 1
    if signed and value >> (size - 1):
        value -= 1 << size
    return f"{value}".ljust(len(match[0]))


def beside_words(expr: Expr, type_of: Callable[[Expr], object], number: Callable[[Expr], int | None]) -> Expr:
    """A lowered operator whose number beside a word or a truth value becomes a word or a truth value."""
    if not isinstance(expr, Apply) or len(expr.args) != 2 or expr.op not in (*_MIRRORED, *_COMPUTED, "in"):
        return expr
    left, right = expr.args
    if expr.op == "in":
        members = right.args if isinstance(right, Apply) and right.op == "set" else (right,)
        if any(number(member) is None for member in members) or not isinstance(type_of(left), WordType):
            return expr
        equal = [beside_words(Apply("=", (left, member), expr.span), type_of, number) for member in members]
        return equal[0] if len(equal) == 1 else Apply("or", tuple(equal), expr.span)
    for word, index in ((left, 1), (right, 0)):
        value = number(expr.args[index])
        if value is None or number(word) is not None:
            continue
        kind = type_of(word)
        if kind is BOOLEAN and expr.op in ("=", "!=") and value in (0, 1):
            return Apply(expr.op, (word, Constant(value == 1, expr.args[index].span)), expr.span)
        if not isinstance(kind, WordType):
            continue
        most = (1 << kind.width - kind.signed) - 1
        if _least(kind) <= value <= most:
            constant = Constant(Word.of(value, kind.width, signed=kind.signed), expr.args[index].span)
            return Apply(expr.op, (word, constant) if index else (constant, word), expr.span)
        if expr.op in _COMPUTED:
            hint = f"extend the word: extend(…, {kind.width})"
            raise TypeProblem(f"{value} is no value of {kind}", expr.args[index].span, hint=hint)
        op = expr.op if index else _MIRRORED[expr.op]
        is_above = value > most
        is_true = op == "!=" or op in (("<", "<=") if is_above else (">", ">="))
        return Apply("not", (_never(word, kind, expr.span),), expr.span) if is_true else _never(word, kind, expr.span)
    return expr


def _least(kind: WordType) -> int:
    return -(1 << kind.width - 1) if kind.signed else 0


def _never(word: Expr, kind: WordType, span: Span | None) -> Expr:
    """A comparison that is false for all values of a word, but mentions it."""
    return Apply("<", (word, Constant(Word.of(_least(kind), kind.width, signed=kind.signed))), span)
