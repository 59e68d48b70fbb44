"""Sequences from the expressions that the PSL parser reads."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from coarsest.errors import InputError, ModelProblem, SyntaxProblem, Unsupported
from coarsest.logic.expr import Apply, Constant, Expr, subexpressions
from coarsest.logic.psl import sere_construction as make
from coarsest.logic.psl.sere import Sere, StateCondition, size
from coarsest.logic.show import show
from coarsest.logic.temporal_operators import PSL_OPERATORS, TEMPORAL_OPERATORS

LARGEST_SIZE: Final = 20_000
"""Sequences with more letters, repetitions written out, are refused: their automata would not fit."""

_NOT_BOOLEAN = PSL_OPERATORS | TEMPORAL_OPERATORS


def is_boolean(expr: Expr) -> bool:
    """Is an expression a condition on one state, without sequences and temporal operators?"""
    return not any(isinstance(part, Apply) and part.op in _NOT_BOOLEAN for part in subexpressions(expr))


def sere_from_expr(expr: Expr) -> Sere:
    """The sequence an expression denotes; the braces around it (`sere`) may be there or not.

    >>> from coarsest.logic.expr import Name
    >>> from coarsest.logic.psl.show_sere import show_sere
    >>> show_sere(sere_from_expr(Apply(";", (Name("a"), Apply("[*]", (Name("b"), Constant(1), Constant(3)))))))
    'a; b[*1:3]'
    """
    sere = _sere(expr)
    if size(sere) > LARGEST_SIZE:
        raise _too_large(sere, expr)
    return sere


def _sere(expr: Expr) -> Sere:
    if isinstance(expr, Apply):
        reader = _READERS.get(expr.op)
        if reader is not None:
            return reader(expr)
    _require_boolean(expr)
    return StateCondition(expr)


def _require_boolean(expr: Expr) -> None:
    for part in subexpressions(expr):
        if isinstance(part, Apply) and part.op in _NOT_BOOLEAN:
            raise _not_boolean(part)


def _not_boolean(part: Apply) -> InputError:
    if part.op == "sere!":
        return SyntaxProblem("a strong sequence inside a sequence", part.span, hint="`!` stands after the outermost braces")
    if part.op == "@":
        hint = "add the clock to the conditions: `b & clk`"
        return Unsupported("clocked sequences (`@`) are not handled", part.span, hint=hint)
    if part.op in _READERS:
        hint = "write conditions and sequences apart: `{a; b} && {c}` joins two sequences, `a & c` two conditions"
        return SyntaxProblem("a sequence inside a condition", part.span, hint=hint)
    hint = "a sequence is made of conditions on single states; write `{r} |-> f` to say what holds at its end"
    return SyntaxProblem(f"the temporal operator `{part.op}` inside a sequence", part.span, hint=hint)


def _braces(expr: Apply) -> Sere:
    return _sere(expr.args[0])


def _chain(combine: Callable[[Sere, Sere], Sere]) -> Callable[[Apply], Sere]:
    def read(expr: Apply) -> Sere:
        parts = [_sere(arg) for arg in expr.args]
        sere = parts.pop()
        while parts:
            sere = combine(parts.pop(), sere)
        return sere

    return read


def _repeated(expr: Apply) -> Sere:
    body = _sere(expr.args[0])
    least, most = _range(expr)
    sere = make.repeated(body, least, most)
    if size(sere) > LARGEST_SIZE:
        raise _too_large(sere, expr)
    return sere


def _counted(construct: Callable[[Expr, int, int | None], Sere]) -> Callable[[Apply], Sere]:
    def read(expr: Apply) -> Sere:
        body = _sere(expr.args[0])
        if not isinstance(body, StateCondition):
            hint = "only `[*]` repeats sequences"
            raise SyntaxProblem(f"`{expr.op}` counts states with a condition, this is a sequence", expr.args[0].span, hint=hint)
        sere = construct(body.condition, *_range(expr))
        if size(sere) > LARGEST_SIZE:
            raise _too_large(sere, expr)
        return sere

    return read


def _range(expr: Apply) -> tuple[int, int | None]:
    least = number(expr.args[1], expr)
    most = number(expr.args[2], expr) if len(expr.args) > 2 else None
    if most is not None and most < least:
        raise ModelProblem(f"the range {least}:{most} is empty", expr.span, hint=f"did you mean {most}:{least}?")
    return least, most


def number(expr: Expr, whole: Apply) -> int:
    """A count, which must be a number and not negative."""
    if isinstance(expr, Constant) and isinstance(expr.value, int) and not isinstance(expr.value, bool) and expr.value >= 0:
        return expr.value
    raise SyntaxProblem(f"found `{show(expr)}` as a count, expected a number that is not negative", expr.span or whole.span)


def _too_large(sere: Sere, expr: Expr) -> InputError:
    message = f"this sequence has {size(sere)} steps when its repetitions are written out; {LARGEST_SIZE} is the most"
    return Unsupported(message, expr.span, hint="count with a variable of the model instead")


_READERS: dict[str, Callable[[Apply], Sere]] = {
    "sere": _braces,
    ";": _chain(make.concatenation),
    ":": _chain(make.fusion),
    "|": _chain(make.union),
    "&&": _chain(make.intersection),
    "&": _chain(make.conjunction_of),
    "within": _chain(make.within),
    "[*]": _repeated,
    "[=]": _counted(make.occurrences),
    "[->]": _counted(make.goto),
}
