"""The memory of a Lustre program: the values that `pre`, `->` and `current` need from one instant to the next.

A memory holds the value that a flow had at the last instant of its clock. Before the first instant of the clock it is empty
(nil). If a program can observe that, the memory has any value of its type, and a different one for each `pre` in the text, as in
Kind 2.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from msgspec import Struct, field

from coarsest.logic.expr import FALSE, TRUE, Apply, Constant, Expr, Name
from coarsest.model.checks.intervals import Intervals
from coarsest.model.types import Type
from coarsest.text import Span


class Memory(Struct):
    """`value` is stored when `active` is true. `empty` is the flag that is true as long as nothing was stored."""

    name: str
    type: Type
    value: Expr
    active: Expr
    empty: str
    span: Span | None
    guarded: bool
    seen_empty: bool = False

    @property
    def next(self) -> Expr:
        return self.value if self.active == TRUE else Apply("case", (self.active, self.value, TRUE, Name(self.name)))

    @property
    def stored(self) -> Expr:
        """The value that is stored, if one is."""
        return self.value if self.active == TRUE else Apply("case", (self.active, self.value))


class Flag(Struct):
    """True until the first instant of a clock, and again after each reset."""

    name: str
    active: Expr
    reset: Expr

    @property
    def now(self) -> Expr:
        return Name(self.name) if self.reset == FALSE else Apply("or", (self.reset, Name(self.name)))

    @property
    def next(self) -> Expr:
        return FALSE if self.active == TRUE else Apply("case", (self.active, FALSE, TRUE, self.now))


class Memories(Struct):
    """All memories and flags, by their names; equal memories and flags are made once."""

    memories: dict[str, Memory] = field(default_factory=dict)
    flags: dict[str, Flag] = field(default_factory=dict)
    taken: set[str] = field(default_factory=set)
    _shared: dict[tuple[Expr, Expr], Memory] = field(default_factory=dict)
    _flags: dict[tuple[Expr, Expr], Flag] = field(default_factory=dict)

    def fresh(self, name: str) -> str:
        """The name, with a number if it is taken."""
        free, number = name, 1
        while free in self.taken:
            number += 1
            free = f"{name}{number}"
        self.taken.add(free)
        return free

    def flag(self, active: Expr, reset: Expr, name: str) -> Flag:
        flag = self._flags.get((active, reset))
        if flag is None:
            flag = self._flags[active, reset] = Flag(self.fresh(name), active, reset)
            self.flags[flag.name] = flag
        return flag

    def remember(self, value: Expr, kind: Type, empty: Flag, *, name: str, span: Span | None, guarded: bool) -> Memory:
        """A memory for a value on the clock of a flag; if nobody can observe that it is empty, it may be shared."""
        memory = self._shared.get((value, empty.active)) if guarded else None
        if memory is None:
            memory = Memory(self.fresh(name), kind, value, empty.active, empty.name, span, guarded)
            self.memories[memory.name] = memory
            if guarded:
                self._shared[value, empty.active] = memory
        return memory

    # -- who sees an empty memory ------------------------------------------------------------------------------------------

    def find_seen_empty(self, definitions: Mapping[str, Expr], roots: Iterable[Expr]) -> None:
        """Mark the memories whose content may matter before something is stored in them."""
        observed = [*roots]
        suspects = [memory for memory in self.memories.values() if not memory.guarded]
        for empty in dict.fromkeys(memory.empty for memory in suspects):
            values = dict(definitions)
            for flag in self._implied(empty, definitions):
                values[flag] = TRUE
            intervals = Intervals({}, values)
            needed = [*observed, *(memory.next for memory in self.memories.values())]
            needed += [flag.next for flag in self.flags.values() if flag.name not in values]
            live = live_names(needed, values, intervals)
            for memory in suspects:
                if memory.empty == empty and memory.name in live:
                    memory.seen_empty = True

    def _implied(self, empty: str, definitions: Mapping[str, Expr]) -> list[str]:
        """Flags that are true whenever this flag is: those of clocks that certainly tick at the first instant."""
        flags = [empty]
        for flag in self.flags.values():
            intervals = Intervals({}, {**definitions, flag.name: TRUE})
            if flag.name != empty and intervals.truth(self.flags[empty].active) is True:
                flags.append(flag.name)
        return flags

    def merged(self, definitions: Mapping[str, Expr]) -> dict[str, Name]:
        """Merge memories of the same value that nobody observes empty; the result maps merged memories to the remaining ones."""
        representatives: dict[str, Name] = {}
        first: dict[tuple[Expr, Expr], str] = {}
        for memory in list(self.memories.values()):
            if memory.seen_empty:
                continue
            value = memory.value
            while isinstance(value, Name) and isinstance(body := definitions.get(value.name), Name | Constant):
                value = body
            original = first.setdefault((value, memory.active), memory.name)
            if original != memory.name:
                representatives[memory.name] = Name(original)
                del self.memories[memory.name]
        return representatives


def live_names(roots: Iterable[Expr], definitions: Mapping[str, Expr], intervals: Intervals) -> set[str]:
    """The names that the values of expressions depend on. Branches are left out if the intervals decide their conditions."""
    names: set[str] = set()
    visited: set[int] = set()
    waiting = list(roots)
    while waiting:
        expr = waiting.pop()
        if isinstance(expr, Name):
            if expr.name not in names and intervals.truth(expr) is None:
                names.add(expr.name)
                if expr.name in definitions:
                    waiting.append(definitions[expr.name])
        elif isinstance(expr, Apply) and id(expr) not in visited:
            visited.add(id(expr))
            waiting.extend(_looked_at(expr, intervals))
    return names


def _looked_at(expr: Apply, intervals: Intervals) -> Iterator[Expr]:
    if expr.op == "case":
        for condition, value in zip(expr.args[::2], expr.args[1::2]):
            holds = intervals.truth(condition)
            if holds is None:
                yield condition
            if holds is not False:
                yield value
            if holds:
                return
    elif intervals.truth(expr) is None:
        for arg in expr.args:
            if isinstance(arg, Constant) or (expr.op in ("and", "or") and intervals.truth(arg) is not None):
                continue
            yield arg
