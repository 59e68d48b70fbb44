"""Parts of a formula that may not matter: the formula is checked with each of them replaced by the worst value.

Reference: Beer, Ben-David, Eisner, Rodeh 2001, "Efficient detection of vacuity in temporal model checking"; Kupferman,
           Vardi 2003.
Symbols:   –
Invariant: each strengthening implies the formula: a part that occurs positively is replaced by FALSE, negatively by TRUE.
Deviates:  parts under <->, xor and xnor are not replaced, because they occur both ways. Nor are alternatives in a claim that a
           path exists, where an alternative that is not needed only means that another one was found.
Cost:      one strengthening per occurrence.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator

from msgspec import Struct

from coarsest.logic.expr import FALSE, TRUE, Apply, Constant, Expr
from coarsest.logic.temporal_operators import CTL_OPERATORS, LTL_OPERATORS, PATH_QUANTIFIERS

BRANCHING = CTL_OPERATORS | PATH_QUANTIFIERS
MONOTONE = frozenset({"and", "or"}) | BRANCHING | LTL_OPERATORS


def strengthenings(formula: Expr) -> Iterator[tuple[Expr, Expr]]:
    """Each part with the formula in which it has the worst value; outer parts come first."""
    waiting: deque[_Occurrence] = deque([_Occurrence(formula, positive=True, around=lambda part: part)])
    while waiting:
        occurrence = waiting.popleft()
        part = occurrence.part
        if isinstance(part, Constant):
            continue
        if part is not formula:
            yield part, occurrence.around(FALSE if occurrence.positive else TRUE)
        if isinstance(part, Apply):
            waiting.extend(occurrence.operands(part))


class _Occurrence(Struct, frozen=True):
    """A part, whether it occurs positively, and a function that replaces it."""

    part: Expr
    positive: bool
    around: Callable[[Expr], Expr]
    of_existence: bool = False
    """Is this a part of a claim that there is a path?"""

    def operands(self, whole: Apply) -> Iterator[_Occurrence]:
        existence = self.of_existence or (whole.op in BRANCHING and whole.op.startswith("E" if self.positive else "A"))
        alternatives = ("or", "implies") if self.positive else ("and",)
        if existence and whole.op in alternatives:
            return
        for i, arg in enumerate(whole.args):
            flips = whole.op == "not" or (whole.op == "implies" and i == 0)
            if not flips and whole.op not in MONOTONE and whole.op != "implies":
                return

            def around_arg(new: Expr, i: int = i) -> Expr:
                return self.around(Apply(whole.op, (*whole.args[:i], new, *whole.args[i + 1 :]), whole.span))

            yield _Occurrence(arg, self.positive != flips, around_arg, existence)


def irrelevant_parts(formula: Expr, still_holds: Callable[[Expr], bool], *, most: int = 24) -> Iterator[Expr]:
    """The largest parts that a formula does not need in order to hold; at most `most` parts are tried."""
    irrelevant: list[Expr] = []
    for tried, (part, stronger) in enumerate(strengthenings(formula)):
        if tried >= most:
            break
        if any(_is_within(part, whole) for whole in irrelevant):
            continue
        if still_holds(stronger):
            irrelevant.append(part)
            yield part


def _is_within(part: Expr, whole: Expr) -> bool:
    return part is whole or (isinstance(whole, Apply) and any(_is_within(part, arg) for arg in whole.args))
