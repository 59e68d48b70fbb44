"""All assignments to the unknown variables of a frame that satisfy equations and constraints, by backtracking.

Reference: chronological backtracking over a static order (Golomb and Baumert 1965).
Symbols:   a *level* assigns one variable; the levels are fixed once for a machine.
Invariant: at a level, the variables assigned so far satisfy the requirements, as far as `weaken` can tell.
Deviates:  a variable with an equation (`next(x) := e`, or a conjunct `next(x) = e`) takes only the values of the equation, and
           comes as soon as the equation can be evaluated.
Cost:      one visit per partial assignment; without choices and free variables that is one per variable.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Final, NamedTuple

from msgspec import Struct

from coarsest import tuning
from coarsest.errors import InputError, Unsupported
from coarsest.logic.expr import TRUE, Apply, Constant, Expr, Name, Value, Word, is_larger
from coarsest.model.interpret.closures import Evaluation, Frame
from coarsest.model.interpret.compile import EMPTY, Frames, Time, ones
from coarsest.model.interpret.requirements import Constraint, Requirement, ValueEquation
from coarsest.model.interpret.values import same
from coarsest.model.types import Boolean, Enumeration, Range, Type, WordType, as_held, contains, is_finite

LARGEST_SHUFFLED: Final = 4096
"""The values of larger types are rotated in random order, not shuffled."""
MOST_TRIED: Final = 100
"""Only this many values of a variable without bounds are tried."""

Candidates = Callable[[Frame], Iterable[Value]]


class Level(Struct):
    """One variable: its index in the frame, the values to try, the tests after each, and the slots that its value changes."""

    place: int
    candidates: Candidates
    tests: list[Evaluation]
    slots: list[int]
    large: Type | None = None  # a type with too many values for a list


class _Source(NamedTuple):
    """A requirement that gives the values of a variable once those that it needs are assigned."""

    place: int
    needs: int
    candidates: Candidates
    requirement: Requirement


class Solutions:
    """The solutions of the requirements for the unknown variables, given a frame with the values of the others."""

    def __init__(self, frames: Frames, unknown: dict[int, Type], requirements: Sequence[Requirement]) -> None:
        self.frames = frames
        self._types = unknown
        self._requirements = requirements
        self._unknown = sum(1 << place for place in unknown)
        order, used = self._order()
        self._position = {place: position for position, (place, _) in enumerate(order)}
        self._first_tests: list[Evaluation] = []
        self._levels = [_level(place, source, unknown[place]) for place, source in order]
        for requirement in requirements:
            if isinstance(requirement, ValueEquation) and id(requirement) not in used:
                self._add_test(requirement.holds, requirement.reads)
            elif isinstance(requirement, Constraint):
                self._add_constraint(requirement, used)
        self._add_slots()

    def solve(
        self,
        frame: Frame,
        shuffle: random.Random | None = None,
        fixed: Mapping[int, Value] | None = None,
        trying: Callable[[], None] | None = None,
    ) -> Iterator[None]:
        """Fill the unknown variables of the frame with one solution after another.

        With `shuffle`, they come in a random order; with `fixed`, only solutions with these values, by index, come. `trying` is
        called at the beginning and before each value that is tried, and may raise to end a long search.
        """
        if trying is not None:
            trying()
        if not all(test(frame) for test in self._first_tests):
            return
        levels = self._levels
        if not levels:
            yield
            return
        last = len(levels) - 1
        untried: list[Iterator[Value]] = [iter(())] * len(levels)
        untried[0] = _candidates(levels[0], frame, shuffle, fixed, trying)
        depth = 0
        while depth >= 0:
            level = levels[depth]
            place, tests, slots = level.place, level.tests, level.slots
            for value in untried[depth]:
                frame[place] = value
                for slot in slots:
                    frame[slot] = EMPTY
                for test in tests:
                    if not test(frame):
                        break
                else:
                    if depth == last:
                        yield
                        continue
                    depth += 1
                    untried[depth] = _candidates(levels[depth], frame, shuffle, fixed, trying)
                    break
            else:
                depth -= 1

    def _order(self) -> tuple[list[tuple[int, _Source | None]], set[int]]:
        """The unknown variables in the order of assignment, with the sources of their values; and the requirements in use."""
        sources: dict[int, list[_Source]] = {}
        for source in self._sources():
            sources.setdefault(source.place, []).append(source)
        order: list[tuple[int, _Source | None]] = []
        used: set[int] = set()
        missing, waiting = self._unknown, list(self._types)
        while waiting:
            blocked = []
            for place in waiting:
                ready = next((source for source in sources.get(place, ()) if not source.needs & missing), None)
                if ready is None:
                    blocked.append(place)
                    continue
                order.append((place, ready))
                used.add(id(ready.requirement))
                missing &= ~(1 << place)
            if len(blocked) == len(waiting):
                place = self._most_constrained(missing, sources)
                blocked.remove(place)
                order.append((place, None))
                missing &= ~(1 << place)
            waiting = blocked
        return order, used

    def _sources(self) -> Iterator[_Source]:
        """The sources of values. Equations come first: they give all values of a variable, and refuse those outside its type."""
        for requirement in self._requirements:
            if isinstance(requirement, ValueEquation) and self._unknown >> requirement.place & 1:
                yield _Source(requirement.place, requirement.needs, requirement.candidates, requirement)
        for requirement in self._requirements:
            if isinstance(requirement, Constraint):
                for part in requirement.parts:
                    yield from self._bindings(part, tolerant=requirement.partial)

    def _bindings(self, part: Constraint, *, tolerant: bool) -> Iterator[_Source]:
        """`x = e` gives the value of x, `x in S` its values."""
        for variable, values in _bound_names(part.expr):
            time, inner = part.time, variable
            if isinstance(inner, Apply) and inner.op == "next" and time is Time.NOW:
                time, inner = Time.AFTER, inner.args[0]
            if not isinstance(inner, Name) or inner.name not in self.frames.machine.variables:
                continue
            place = (self.frames.after if time is Time.AFTER else self.frames.now)[inner.name]
            compiled = self.frames.compile(values, part.time)
            if self._unknown >> place & 1 and not compiled.reads >> place & 1:
                candidates = _within(compiled.choices(), self._types[place], tolerant=tolerant)
                yield _Source(place, compiled.reads, candidates, part)

    def _most_constrained(self, missing: int, sources: dict[int, list[_Source]]) -> int:
        """A variable whose value brings some requirement closest to a test; one without sources if there is any."""
        free = sum(1 << place for place in ones(missing) if place not in sources) or missing
        best, fewest = free, free.bit_count() + 1
        for requirement in self._requirements:
            open_places = requirement.reads & free
            if open_places and open_places.bit_count() < fewest:
                best, fewest = open_places, open_places.bit_count()
        return next(ones(best))

    def _add_constraint(self, constraint: Constraint, used: set[int]) -> None:
        """Test the conjuncts as early as possible; if one of them may have no value, test the whole constraint at the end."""
        for part in constraint.parts:
            if id(part) not in used:
                self._add_test(_tolerant(part.holds) if constraint.partial else part.holds, part.reads)
                self._add_weaker_tests(part)
        if constraint.partial:
            self._add_test(constraint.holds, constraint.reads)

    def _positions(self, reads: int) -> list[int]:
        return sorted(self._position[place] for place in ones(reads & self._unknown))

    def _add_test(self, test: Evaluation, reads: int) -> None:
        """Add a test at the level where all variables that it reads are assigned."""
        positions = self._positions(reads)
        (self._levels[positions[-1]].tests if positions else self._first_tests).append(test)

    def _add_weaker_tests(self, part: Constraint) -> None:
        """Before all variables of a part have values, test at each level the weaker form that can be evaluated there."""
        positions = self._positions(part.reads)
        if len(positions) < 2 or is_larger(part.expr, tuning.WEAKENED_PARTS // len(positions)):
            return
        from coarsest.model.interpret.weaken import Weakening

        weakening = Weakening(self.frames)
        places, strongest, previous = ~self._unknown, 0, -1
        for position in positions[:-1]:
            for level in self._levels[previous + 1 : position + 1]:
                places |= 1 << level.place
            previous = position
            weaker = weakening.weaken(part.expr, part.time, places)
            if weaker is not TRUE and weakening.strength > strongest:
                strongest = weakening.strength
                self._levels[position].tests.append(_tolerant(_may_be_true(self.frames.compile(weaker).choices())))

    def _add_slots(self) -> None:
        """Let the last variable that a slot reads clear the slot, because it is not read earlier. There may be many slots, but
        they read few sets of variables."""
        last: dict[int, int] = {}
        for slot in self.frames.slots:
            if slot.reads not in last:
                last[slot.reads] = max(self._positions(slot.reads), default=-1)
            if last[slot.reads] >= 0:
                self._levels[last[slot.reads]].slots.append(slot.place)


def _level(place: int, source: _Source | None, kind: Type) -> Level:
    if source is not None:
        return Level(place, source.candidates, [], [])
    if not is_finite(kind):
        return Level(place, lambda frame: _first_values(kind), [], [], kind)
    if kind.size > LARGEST_SHUFFLED:
        return Level(place, lambda frame: kind.values(), [], [], kind)
    values = tuple(kind.values())
    return Level(place, lambda frame: values, [], [])


def _first_values(kind: Type) -> Iterator[Value]:
    """The first values of an infinite type, then an error, because a search through all of them would not end."""
    yield from islice(kind.values(), MOST_TRIED)
    hint = "give the variable a range, or fix its value with an equation"
    raise Unsupported(f"the values of a variable of type {kind} cannot be tried one by one: there are infinitely many", hint=hint)


def _within(choices: Evaluation, kind: Type, *, tolerant: bool) -> Candidates:
    """The values of a constraint that are in the type. Values outside it are no error, but no solutions.

    If `tolerant`, a missing value is no error either, because another conjunct may make the constraint false.
    """

    def candidates(frame: Frame) -> Iterable[Value]:
        try:
            return [held for value in choices(frame) if contains(kind, held := as_held(kind, value))]
        except InputError:
            if tolerant and is_finite(kind):
                return kind.values()
            raise

    return candidates


def _bound_names(expr: Expr) -> Iterator[tuple[Expr, Expr]]:
    if isinstance(expr, Name) or (isinstance(expr, Apply) and expr.op == "next"):
        yield expr, TRUE
    elif isinstance(expr, Apply) and expr.op == "not":
        yield expr.args[0], Constant(False)
    elif isinstance(expr, Apply) and expr.op in {"=", "iff"}:
        left, right = expr.args
        yield left, right
        yield right, left
    elif isinstance(expr, Apply) and expr.op == "in":
        yield expr.args[0], expr.args[1]


def _may_be_true(choices: Evaluation) -> Evaluation:
    return lambda frame: any(value is True for value in choices(frame))


def _tolerant(test: Evaluation) -> Evaluation:
    """A test that succeeds if a part has no value, because its guard, another part, may be false."""

    def tolerant(frame: Frame) -> bool:
        try:
            return bool(test(frame))
        except InputError:
            return True

    return tolerant


def _candidates(
    level: Level,
    frame: Frame,
    shuffle: random.Random | None,
    fixed: Mapping[int, Value] | None,
    trying: Callable[[], None] | None,
) -> Iterator[Value]:
    values = _values_to_try(level, frame, shuffle, fixed)
    return values if trying is None else _announced(values, trying)


def _announced(values: Iterator[Value], trying: Callable[[], None]) -> Iterator[Value]:
    for value in values:
        trying()
        yield value


def _values_to_try(
    level: Level, frame: Frame, shuffle: random.Random | None, fixed: Mapping[int, Value] | None
) -> Iterator[Value]:
    if fixed is not None and level.place in fixed:
        value = as_held(level.large, fixed[level.place]) if level.large else fixed[level.place]
        allowed = contains(level.large, value) if level.large else any(same(value, other) for other in level.candidates(frame))
        return iter((value,) if allowed else ())
    if shuffle is None:
        return iter(level.candidates(frame))
    if level.large is not None and is_finite(level.large):
        return _rotated(level.large, shuffle.randrange(level.large.size))
    values = list(level.candidates(frame))
    shuffle.shuffle(values)
    return iter(values)


def _rotated(kind: Type, start: int) -> Iterator[Value]:
    """All values of a large type, beginning with the one at index `start`."""
    for offset in range(kind.size):
        number = (start + offset) % kind.size
        match kind:
            case Boolean():
                yield number == 1
            case Range(low, _):
                yield low + number
            case WordType(width, signed):
                yield Word(number, width, signed)
            case Enumeration(members):
                yield members[number]
