"""PSL formulas from the expressions that the PSL parser reads.

The shorthands of PSL are written out here: `before`, `next_event` and the rest become `until`, `next` and the connectives, by
their definitions in IEEE 1850. What is refused is refused here, with its place and a way round.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from coarsest.errors import InputError, ModelProblem, SyntaxProblem, Unsupported
from coarsest.logic.expr import TRUE, Apply, Expr
from coarsest.logic.psl.parse_psl import parse_psl_expression
from coarsest.logic.psl.psl import (
    FALSITY,
    TRUTH,
    Abort,
    Always,
    Atom,
    Eventually,
    Psl,
    Sequence,
    SuffixImplication,
    Until,
    after,
    conjunction,
    disjunction,
    equivalence,
    implication,
    negated,
)
from coarsest.logic.psl.psl_layers import without_branching
from coarsest.logic.psl.psl_replication import MOST_INSTANCES
from coarsest.logic.psl.sere import ANY_STATE
from coarsest.logic.psl.sere_construction import concatenation
from coarsest.logic.psl.sere_from_expr import LARGEST_SIZE, is_boolean, number, sere_from_expr
from coarsest.logic.temporal_operators import LTL_PAST, SERE_OPERATORS
from coarsest.text import Source

MOST_NESTED: Final = 300
"""Each step of `next_a`, `next_event` and the like nests the formula once more."""


def psl_from_expr(expr: Expr) -> Psl:
    """The formula an expression denotes.

    >>> from coarsest.logic.expr import Name
    >>> from coarsest.logic.psl.show_psl import show_psl
    >>> show_psl(psl_from_expr(Apply("before!", (Name("a"), Apply("sere", (Name("b"),))))))
    '(!{b}) until! (a & (!{b}))'
    """
    return _read(without_branching(expr))


def psl_from_text(text: str | Source) -> Psl:
    """The formula of the linear layer that is the whole text."""
    return psl_from_expr(parse_psl_expression(text if isinstance(text, Source) else Source("<formula>", text)))


def _read(expr: Expr) -> Psl:
    if not isinstance(expr, Apply) or is_boolean(expr):
        return Atom(expr)
    reader = _READERS.get(expr.op)
    if reader is not None:
        return reader(expr)
    raise _refusal(expr)


def _refusal(expr: Apply) -> InputError:
    op, span = expr.op, expr.span
    if op in LTL_PAST:
        return Unsupported(f"PSL has no past operators; {op} is one of LTL", span, hint="use LTLSPEC")
    if op == "@":
        return Unsupported("clocked formulas (`@`) are not handled", span, hint="add the clock to the conditions: `b & clk`")
    if op.rstrip("!_") in ("within", "whilenot"):
        hint = "IEEE 1850 has dropped it; say it with sequences: `{r} |-> {{s} && {(!b)[*]; b}}!`"
        return Unsupported(f"`{op}` of PSL 1.01 is not handled", span, hint=hint)
    if op == "forall":
        hint = "name a smaller range, or say it of a variable of the model that never changes"
        return Unsupported(f"`forall` and `forany` stand for at most {MOST_INSTANCES} formulas", span, hint=hint)
    if op in SERE_OPERATORS:
        hint = "put braces around the sequence: `{a; b}`"
        return SyntaxProblem(f"the sequence operator `{op}` outside a sequence", span, hint=hint)
    hint = "formulas are equivalent by `<->`; `=` compares values"
    return SyntaxProblem(f"`{op}` cannot join temporal formulas", span, hint=hint)


# -- connectives -----------------------------------------------------------------------------------------------------------


def _not(expr: Apply) -> Psl:
    return negated(_read(expr.args[0]))


def _and(expr: Apply) -> Psl:
    return conjunction(*map(_read, expr.args))


def _or(expr: Apply) -> Psl:
    return disjunction(*map(_read, expr.args))


def _implies(expr: Apply) -> Psl:
    return implication(_read(expr.args[0]), _read(expr.args[1]))


def _iff(expr: Apply) -> Psl:
    return equivalence(_read(expr.args[0]), _read(expr.args[1]))


def _xor(expr: Apply) -> Psl:
    return negated(_iff(expr))


def _case(expr: Apply) -> Psl:
    """The first branch whose condition holds: `c ? f : g` is `(c -> f) & (!c -> g)`."""
    formula: Psl = TRUTH
    for condition, value in reversed(list(zip(expr.args[::2], expr.args[1::2]))):
        if not is_boolean(condition):
            hint = "write `(f -> g) & (!f -> h)`"
            raise SyntaxProblem("a temporal formula as the condition of a case", condition.span, hint=hint)
        if condition == TRUE:
            formula = _read(value)
        else:
            branch = implication(Atom(condition), _read(value))
            formula = conjunction(branch, implication(negated(Atom(condition)), formula))
    return formula


def _conditional(expr: Apply) -> Psl:
    condition, then, otherwise = expr.args
    return _case(Apply("case", (condition, then, TRUE, otherwise), expr.span))


# -- simple temporal operators ---------------------------------------------------------------------------------------------


def _always(expr: Apply) -> Psl:
    return Always(_read(expr.args[0]))


def _never(expr: Apply) -> Psl:
    """A sequence never matches; a formula never holds."""
    operand = _read(expr.args[0])
    if isinstance(operand, Sequence):
        return Always(SuffixImplication(operand.sere, FALSITY))
    return Always(negated(operand))


def _eventually(expr: Apply) -> Psl:
    """A sequence that finally begins must match: directly below `eventually!`, a sequence is strong."""
    written, operand = expr.args[0], _read(expr.args[0])
    if isinstance(operand, Sequence) and isinstance(written, Apply) and written.op in ("sere", "sere!"):
        return Eventually(Sequence(operand.sere, strong=True))
    return Eventually(operand)


def _until(expr: Apply) -> Psl:
    left, right = map(_read, expr.args)
    if expr.op.endswith("_"):  # both hold in the last state
        right = conjunction(left, right)
    return Until(left, right, strong="!" in expr.op or expr.op == "U")


def _before(expr: Apply) -> Psl:
    left, right = map(_read, expr.args)
    first = left if expr.op.endswith("_") else conjunction(left, negated(right))
    return Until(negated(right), first, strong="!" in expr.op)


def _release(expr: Apply) -> Psl:
    left, right = map(_read, expr.args)
    return Until(right, conjunction(left, right), strong=False)


def _abort(expr: Apply) -> Psl:
    return Abort(_read(expr.args[0]), _condition(expr.args[1], "what aborts a formula"))


def _condition(expr: Expr, what: str) -> Expr:
    if not is_boolean(expr):
        raise SyntaxProblem(f"{what} must be a condition on a single state", expr.span)
    return expr


# -- extended next ---------------------------------------------------------------------------------------------------------


def _next(expr: Apply) -> Psl:
    return after(_read(expr.args[0]), 1)


def _next_times(expr: Apply) -> Psl:
    return after(_read(expr.args[1]), _count(expr.args[0], expr, most=LARGEST_SIZE))


def _next_range(expr: Apply) -> Psl:
    """`next_a[low:high] (f)`: after each number of steps in the range; `next_e`: after one of them."""
    low, high = _range(expr, expr.args[:-1])
    operand = _read(expr.args[-1])
    join = conjunction if expr.op.startswith("next_a") else disjunction
    if high is None:
        return after(Always(operand) if join is conjunction else Eventually(operand), low)
    formula = operand
    for _ in range(high - low):
        formula = join(operand, after(formula, 1))
    return after(formula, low)


def _next_event(expr: Apply) -> Psl:
    """`next_event(b) (f)`, `next_event(b)[n] (f)`, `next_event_a(b)[low:high] (f)` and so on: f at the n-th state with b."""
    condition = _condition(expr.args[0], f"what `{expr.op}` waits for")
    low, high = _range(expr, expr.args[1:-1]) if len(expr.args) > 2 else (1, 1)
    if expr.op.startswith("next_event[]"):
        high = low
    if low == 0 or high is None:
        raise ModelProblem(f"`{expr.op}` counts from 1 to a number", expr.span, hint="write `next_event(b)[1:3] (f)`")
    operand = _read(expr.args[-1])
    strong = expr.op.endswith("!")
    join = disjunction if "_e" in expr.op.removeprefix("next_event") else conjunction
    formula = operand
    for _ in range(high - low):
        formula = join(operand, after(_at(condition, formula, strong=strong), 1))
    for _ in range(low - 1):
        formula = after(_at(condition, formula, strong=strong), 1)
    return _at(condition, formula, strong=strong)


def _at(condition: Expr, formula: Psl, *, strong: bool) -> Psl:
    return Until(negated(Atom(condition)), conjunction(Atom(condition), formula), strong)


def _range(expr: Apply, bounds: tuple[Expr, ...]) -> tuple[int, int | None]:
    low = _count(bounds[0], expr, most=MOST_NESTED)
    high = _count(bounds[1], expr, most=MOST_NESTED) if len(bounds) > 1 else None
    if high is not None and high < low:
        raise ModelProblem(f"the range {low}:{high} is empty", expr.span, hint=f"did you mean {high}:{low}?")
    return low, high


def _count(expr: Expr, whole: Apply, *, most: int) -> int:
    count = number(expr, whole)
    if count > most:
        message = f"{count} steps are too many to be written out; {most} is the most"
        raise Unsupported(message, whole.span, hint="count with a variable of the model instead")
    return count


# -- sequences -------------------------------------------------------------------------------------------------------------


def _sequence(expr: Apply) -> Psl:
    return Sequence(sere_from_expr(expr.args[0]), strong=expr.op.endswith("!"))


def _suffix_implication(expr: Apply) -> Psl:
    sere = sere_from_expr(expr.args[0])
    if expr.op.startswith("|=>"):  # the formula begins one state later
        sere = concatenation(sere, ANY_STATE)
    then = _read(expr.args[1])
    if expr.op.endswith("!"):
        if not isinstance(then, Sequence):
            raise SyntaxProblem("`!` makes sequences strong, and this is not a sequence", expr.args[1].span or expr.span)
        then = Sequence(then.sere, strong=True)
    return SuffixImplication(sere, then)


_READERS: dict[str, Callable[[Apply], Psl]] = {
    "not": _not,
    "and": _and,
    "or": _or,
    "implies": _implies,
    "iff": _iff,
    "xnor": _iff,
    "xor": _xor,
    "case": _case,
    "?:": _conditional,
    **dict.fromkeys(("always", "G"), _always),
    "never": _never,
    **dict.fromkeys(("eventually!", "F"), _eventually),
    **dict.fromkeys(("until", "until!", "until_", "until!_", "U", "W"), _until),
    **dict.fromkeys(("before", "before!", "before_", "before!_"), _before),
    "V": _release,
    "abort": _abort,
    "X": _next,
    "next[]": _next_times,
    **dict.fromkeys(("next_a", "next_a!", "next_e", "next_e!"), _next_range),
    **{f"next_event{kind}{strength}": _next_event for kind in ("", "[]", "_a", "_e") for strength in ("", "!")},
    **dict.fromkeys(("sere", "sere!"), _sequence),
    **dict.fromkeys(("|->", "|->!", "|=>", "|=>!"), _suffix_implication),
}
