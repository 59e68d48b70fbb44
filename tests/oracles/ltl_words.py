"""Linear temporal logic with past on words `prefix cycle cycle …`, from the definition.

It shares no code with the package but the syntax tree. A letter is the set of the true atoms. Past operators see how often the
cycle has been walked, so it is unrolled once per past operator: from then on all values repeat.
"""

from __future__ import annotations

from collections.abc import Sequence

from coarsest.logic.expr import Apply, Constant, Expr

Letter = frozenset[Expr]
PAST = {"Y", "Z", "H", "O", "S", "T", "BH", "BO"}


def holds(formula: Expr, prefix: Sequence[Letter], cycle: Sequence[Letter]) -> bool:
    """Does the word `prefix cycle^ω` satisfy the formula?"""
    copies = 1 + _past_operators(formula)
    letters = list(prefix) + list(cycle) * copies
    return _values(formula, letters, len(letters) - len(cycle))[0]


def _past_operators(formula: Expr) -> int:
    """An upper bound: bounded operators look back as far as they say."""
    if not isinstance(formula, Apply):
        return 0
    own = 0
    if formula.op in PAST:
        own = 1 + (formula.args[1].value if formula.op in ("BH", "BO") else 0)
    return own + sum(map(_past_operators, formula.args))


def _values(formula: Expr, letters: list[Letter], back: int) -> list[bool]:
    """The truth of the formula in every position; after the last one comes position `back`."""
    size = len(letters)
    if isinstance(formula, Constant) and isinstance(formula.value, bool):
        return [formula.value] * size
    if not isinstance(formula, Apply):
        return [formula in letter for letter in letters]
    op = formula.op
    if op in ("BG", "BF", "BH", "BO"):
        low, high = (bound.value for bound in formula.args[:2])
        inner = _values(formula.args[2], letters, back)
        return [_bounded(op, low, high, inner, place, back) for place in range(size)]
    args = [_values(arg, letters, back) for arg in formula.args]
    if op in BOOLEAN:
        return [BOOLEAN[op](*(arg[place] for arg in args)) for place in range(size)]
    if op in TEMPORAL:
        return [TEMPORAL[op](*args, place, back) for place in range(size)]
    return [formula in letter for letter in letters]


BOOLEAN = {
    "not": lambda a: not a,
    "and": lambda *parts: all(parts),
    "or": lambda *parts: any(parts),
    "xor": lambda a, b: a != b,
    "xnor": lambda a, b: a == b,
    "iff": lambda a, b: a == b,
    "implies": lambda a, b: not a or b,
}


def _future(place: int, back: int, size: int) -> list[int]:
    """The positions from `place` on, each once, in the order in which they come."""
    return list(range(place, size)) + list(range(min(back, place), place)) if place >= back else list(range(place, size))


def _after(place: int, back: int, size: int) -> int:
    return place + 1 if place + 1 < size else back


def _until(a: list[bool], b: list[bool], place: int, back: int) -> bool:
    for now in _future(place, back, len(a)):
        if b[now]:
            return True
        if not a[now]:
            return False
    return False


def _release(a: list[bool], b: list[bool], place: int, back: int) -> bool:
    for now in _future(place, back, len(a)):
        if not b[now]:
            return False
        if a[now]:
            return True
    return True


def _since(a: list[bool], b: list[bool], place: int, _back: int) -> bool:
    return any(b[then] and all(a[then + 1 : place + 1]) for then in range(place + 1))


def _triggered(a: list[bool], b: list[bool], place: int, _back: int) -> bool:
    return all(b[then] or any(a[then + 1 : place + 1]) for then in range(place + 1))


def _bounded(op: str, low: int, high: int, a: list[bool], place: int, back: int) -> bool:
    def value(distance: int) -> bool:
        if op in ("BH", "BO"):
            return a[place - distance] if distance <= place else op == "BH"
        now = place
        for _ in range(distance):
            now = _after(now, back, len(a))
        return a[now]

    every = op in ("BG", "BH")
    return (all if every else any)(value(distance) for distance in range(low, high + 1))


TEMPORAL = {
    "X": lambda a, place, back: a[_after(place, back, len(a))],
    "F": lambda a, place, back: any(a[now] for now in _future(place, back, len(a))),
    "G": lambda a, place, back: all(a[now] for now in _future(place, back, len(a))),
    "U": _until,
    "V": _release,
    "Y": lambda a, place, back: place > 0 and a[place - 1],
    "Z": lambda a, place, back: place == 0 or a[place - 1],
    "O": lambda a, place, back: any(a[: place + 1]),
    "H": lambda a, place, back: all(a[: place + 1]),
    "S": _since,
    "T": _triggered,
}
