"""Definitions for parts that expressions share, for machines whose text would explode otherwise.

Actual parameters are shared by all their uses, so the expressions of a machine are graphs; as text they are trees, which can be
exponentially larger. Machines whose text has an ordinary size are not changed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from msgspec.structs import replace

from coarsest.logic.expr import Apply, Expr, Name
from coarsest.model.machine import Machine
from coarsest.model.query.machine_names import expressions_of

LARGEST_TEXT: Final = 500_000
SMALLEST_PART: Final = 10


def with_shared_parts_defined(machine: Machine) -> Machine:
    """The same machine if its text has an ordinary size, or else one with definitions for the parts that occur more than once."""
    sizes, uses = _measure(expressions_of(machine))
    if sum(sizes.get(id(expr), 1) for expr in expressions_of(machine)) <= LARGEST_TEXT:
        return machine
    parts = _Parts({part for part, count in uses.items() if count > 1 and sizes[part] >= SMALLEST_PART}, machine)
    changed = replace(
        machine,
        initial_values={name: parts.of(value) for name, value in machine.initial_values.items()},
        current_values={name: parts.of(value) for name, value in machine.current_values.items()},
        next_values={name: parts.of(value) for name, value in machine.next_values.items()},
        initial_constraints=tuple(map(parts.of, machine.initial_constraints)),
        invariant_constraints=tuple(map(parts.of, machine.invariant_constraints)),
        transition_constraints=tuple(map(parts.of, machine.transition_constraints)),
        justice=tuple(map(parts.of, machine.justice)),
        compassion=tuple((parts.of(often), parts.of(then_often)) for often, then_often in machine.compassion),
        properties=tuple(replace(claim, formula=parts.of(claim.formula)) for claim in machine.properties),
    )
    definitions = {name: parts.of(body) for name, body in machine.definitions.items()}
    return replace(changed, definitions={**definitions, **parts.definitions})


def _measure(exprs: Iterable[Expr]) -> tuple[dict[int, int], dict[int, int]]:
    """The size of each operation as a tree, and the number of its occurrences, by its identity."""
    sizes: dict[int, int] = {}
    uses: dict[int, int] = {}
    for root in exprs:
        for part in _bottom_up(root, sizes):
            sizes[id(part)] = 1 + sum(sizes.get(id(arg), 1) for arg in part.args)
            for arg in part.args:
                uses[id(arg)] = uses.get(id(arg), 0) + 1
        uses[id(root)] = uses.get(id(root), 0) + 1
    return sizes, {part: count for part, count in uses.items() if part in sizes}


def _bottom_up(root: Expr, sizes: dict[int, int]) -> Iterator[Apply]:
    """The operations in an expression that have no size yet, each after its arguments."""
    waiting: list[tuple[Expr, bool]] = [(root, False)]
    while waiting:
        part, ready = waiting.pop()
        if not isinstance(part, Apply) or id(part) in sizes:
            continue
        if ready:
            yield part
        else:
            waiting.append((part, True))
            waiting.extend((arg, False) for arg in part.args)


class _Parts:
    """Expressions with shared parts replaced by names."""

    def __init__(self, shared: set[int], machine: Machine) -> None:
        self._shared = shared
        self._taken = {*machine.variables, *machine.definitions}
        self._done: dict[int, Expr] = {}
        self.definitions: dict[str, Expr] = {}

    def of(self, expr: Expr) -> Expr:
        if not isinstance(expr, Apply):
            return expr
        shared = self._done.get(id(expr))
        if shared is None:
            shared = Apply(expr.op, tuple(self.of(arg) for arg in expr.args), expr.span)
            if id(expr) in self._shared:
                number = len(self.definitions) + 1
                while f"_shared_{number}" in self._taken:
                    number += len(self._taken)
                name = f"_shared_{number}"
                self.definitions[name] = shared
                shared = Name(name)
            self._done[id(expr)] = shared
        return shared
