"""Weaker constraints over some of the variables of a constraint.

Reference: the three-valued connectives of Kleene (1952), with "unknown" read as TRUE where that makes the constraint weaker.
Symbols:   `known` is a set of indices in a frame, as bits.
Invariant: where the constraint holds, the weaker one holds, for any values of the unknown variables.
Deviates:  only the boolean skeleton is weakened; a part that is not a connective and reads an unknown variable is unknown.
Cost:      linear in the skeleton; gives up (TRUE) below DEEPEST.
"""

from __future__ import annotations

from typing import Final

from coarsest.logic.expr import FALSE, TRUE, Apply, Constant, Expr, Name
from coarsest.model.interpret.compile import Frames, Time

DEEPEST: Final = 40
"""Parts that are nested more deeply count as unknown."""


class Weakening:
    """Makes weaker constraints over the known variables of a frame."""

    def __init__(self, frames: Frames) -> None:
        self.frames = frames
        self._reads: dict[tuple[int, Time], int] = {}
        self.strength = 0
        """The number of parts that the last weaker constraint has."""

    def weaken(self, expr: Expr, time: Time, known: int) -> Expr:
        """A consequence of the constraint that reads known variables only, to be evaluated before the step."""
        self.strength = 0
        return self._weaken(expr, time, known, TRUE, DEEPEST)

    def _weaken(self, expr: Expr, time: Time, places: int, unknown: Constant, depth: int) -> Expr:
        """`unknown` replaces unknown parts: TRUE to get a weaker constraint, FALSE under an odd number of negations."""
        if not self.reads(expr, time) & ~places:
            self.strength += 1
            return Apply("next", (expr,), expr.span) if time is Time.AFTER else expr
        if depth == 0:
            return unknown
        opposite = FALSE if unknown is TRUE else TRUE
        match expr:
            case Name(name) if name in self.frames.machine.definitions:
                return self._weaken(self.frames.machine.definitions[name], time, places, unknown, depth - 1)
            case Apply("next", (arg,)):
                return self._weaken(arg, Time.AFTER, places, unknown, depth - 1)
            case Apply("not", (arg,)):
                return _not(self._weaken(arg, time, places, opposite, depth - 1))
            case Apply("and", args):
                return _and([self._weaken(arg, time, places, unknown, depth - 1) for arg in args])
            case Apply("or", args):
                return _or([self._weaken(arg, time, places, unknown, depth - 1) for arg in args])
            case Apply("implies", (premise, conclusion)):
                weaker = self._weaken(conclusion, time, places, unknown, depth - 1)
                return _or([_not(self._weaken(premise, time, places, opposite, depth - 1)), weaker])
            case Apply("case", args):
                rest: Expr = unknown
                for condition, value in zip(args[-2::-2], args[-1::-2]):
                    holds = self._weaken(condition, time, places, unknown, depth - 1)
                    fails = _not(self._weaken(condition, time, places, opposite, depth - 1))
                    taken = _and([holds, self._weaken(value, time, places, unknown, depth - 1)])
                    rest = _or([taken, _and([fails, rest])])
                return rest
        return unknown

    def reads(self, expr: Expr, time: Time) -> int:
        """The indices of the variables that an expression depends on, directly or through definitions, as bits."""
        if (places := self._reads.get((id(expr), time))) is not None:
            return places
        frames, places = self.frames, 0
        visited: set[tuple[int, Time]] = set()
        waiting = [(expr, time)]
        while waiting:
            part, when = waiting.pop()
            if (id(part), when) in visited:
                continue
            visited.add((id(part), when))
            if isinstance(part, Apply):
                inside = Time.AFTER if part.op == "next" else when
                waiting.extend((arg, inside) for arg in part.args)
            elif isinstance(part, Name):
                if part.name in frames.machine.definitions:
                    waiting.append((frames.machine.definitions[part.name], when))
                else:
                    places |= 1 << (frames.after if when is Time.AFTER else frames.now)[part.name]
        self._reads[id(expr), time] = places
        return places


def _not(part: Expr) -> Expr:
    return FALSE if part is TRUE else TRUE if part is FALSE else Apply("not", (part,))


def _and(parts: list[Expr]) -> Expr:
    if any(part is FALSE for part in parts):
        return FALSE
    proper = [part for part in parts if part is not TRUE]
    return Apply("and", tuple(proper)) if len(proper) > 1 else proper[0] if proper else TRUE


def _or(parts: list[Expr]) -> Expr:
    if any(part is TRUE for part in parts):
        return TRUE
    proper = [part for part in parts if part is not FALSE]
    return Apply("or", tuple(proper)) if len(proper) > 1 else proper[0] if proper else FALSE
