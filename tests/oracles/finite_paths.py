"""ACTL on graphs whose paths may end, by the definition: appendix A of Barner and Grumberg, path by path.

A path that ends satisfies X of anything at its end, and an until whose first part lasts to the end. A claim about one path
formula is refuted by a path without repetitions, or by one that closes a loop at the first repetition: only such are tried.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from typing import TypeVar

from coarsest.logic.expr import Apply, Expr

T = TypeVar("T", bound=Hashable)


def paths(after: Mapping[T, Sequence[T]], start: T) -> Iterator[tuple[list[T], bool]]:
    """States of a path, and whether it ends with the last; else it goes on in a loop among these states."""
    waiting = [[start]]
    while waiting:
        path = waiting.pop()
        if not after[path[-1]]:
            yield path, True
        for state in after[path[-1]]:
            if state in path:
                yield path, False
            else:
                waiting.append([*path, state])


def satisfying(formula: Expr, after: Mapping[T, Sequence[T]], where: Callable[[Expr], set[T]]) -> set[T]:
    """The states in which a formula in negation normal form over `and or AX AU AR` is true."""
    if not isinstance(formula, Apply) or formula.op not in ("and", "or", "AX", "AU", "AR"):
        return where(formula) & set(after)
    sets = [satisfying(arg, after, where) for arg in formula.args]
    match formula.op:
        case "and":
            return set.intersection(*sets)
        case "or":
            return set.union(*sets)
        case "AX":
            return {state for state in after if set(after[state]) <= sets[0]}
        case "AU":
            first, second = sets
            return {state for state in after if all(_until(path, first, second, ends=ends) for path, ends in paths(after, state))}
    first, second = sets
    return {state for state in after if all(_release(path, first, second) for path, _ in paths(after, state))}


def _until(path: Sequence[T], first: set[T], second: set[T], *, ends: bool) -> bool:
    for state in path:
        if state in second:
            return True
        if state not in first:
            return False
    return ends


def _release(path: Sequence[T], first: set[T], second: set[T]) -> bool:
    for state in path:
        if state not in second:
            return False
        if state in first:
            return True
    return True
