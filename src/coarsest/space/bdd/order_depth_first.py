"""An order of variables from the gates of a circuit: depth-first from outputs and next values, what is deepest first.

Reference: Malik, Wang, Brayton, Sangiovanni-Vincentelli 1988, "Logic verification using binary decision diagrams in a logic
           synthesis environment"; for next values, the latches in the order in which they were met.
Symbols:   the level of a signal is the length of the longest way from it to a variable, through operators and definitions.
Invariant: `order` has the variables that have been met, `waiting` what is still to be opened, the next on top.
Deviates:  operators are opened as gates are, so that it does not matter where definitions end.
Cost:      linear in the size of the machine, and sorting operands.
"""

from __future__ import annotations

from collections.abc import Iterable

from coarsest.logic.expr import Apply, Expr, Name
from coarsest.model.checks.dependencies import ordered_definitions
from coarsest.model.machine import Machine


def depth_first(machine: Machine) -> list[str]:
    """All variables, in the order in which the search meets them.

    >>> from coarsest.formats.bench.read import read
    >>> from coarsest.text import Source
    >>> text = "INPUT(a)\\nINPUT(b)\\nOUTPUT(y)\\ny = AND(b, z)\\nz = OR(a, q)\\nq = DFF(z)\\n"
    >>> depth_first(read(Source("x.bench", text)))
    ['a', 'q', 'b']
    """
    search = _Search(machine)
    properties = [claim.formula for claim in machine.properties]
    search.open([*map(Name, machine.outputs), *properties, *machine.transition_constraints, *machine.invariant_constraints])
    place, rest = 0, iter(machine.variables)
    while place < len(machine.variables):
        if place == len(search.order):  # all that was met is opened: go on with one that was not
            search.meet(next(name for name in rest if name not in search.places))
        name = search.order[place]
        search.open(table[name] for table in (machine.next_values, machine.current_values) if name in table)
        place += 1
    return search.order


class _Search:
    """The variables met so far."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.order: list[str] = []
        self.places: set[str] = set()
        """The same variables, to be looked up."""
        self._opened: set[str | int] = set()
        self._levels: dict[str | int, int] = dict.fromkeys(machine.variables, 0)
        self._alive: list[Expr] = []
        """The expressions whose levels are remembered by their identity."""
        for name in ordered_definitions(machine.definitions):
            self._levels[name] = self._level(machine.definitions[name])

    def meet(self, variable: str) -> None:
        """Add a variable, if it is new."""
        if variable not in self.places:
            self.places.add(variable)
            self.order.append(variable)

    def open(self, roots: Iterable[Expr]) -> None:
        """Meet all variables below some expressions."""
        for root in roots:
            self._level(root)
            waiting: list[Expr] = [root]
            while waiting:
                expr = waiting.pop()
                if isinstance(expr, Name) and expr.name in self.machine.variables:
                    self.meet(expr.name)
                elif isinstance(expr, Name) and expr.name not in self._opened:
                    self._opened.add(expr.name)
                    waiting.append(self.machine.definitions[expr.name])
                elif isinstance(expr, Apply) and id(expr) not in self._opened:
                    self._opened.add(id(expr))
                    deepest_first = sorted(expr.args, key=self._known_level, reverse=True)
                    waiting.extend(deepest_first[::-1])  # the last one is the next

    def _known_level(self, expr: Expr) -> int:
        return self._levels.get(expr.name if isinstance(expr, Name) else id(expr), 0)

    def _level(self, root: Expr) -> int:
        """The level of an expression, operands first, without recursion."""
        self._alive.append(root)
        waiting: list[tuple[Expr, bool]] = [(root, False)]
        while waiting:
            expr, done = waiting.pop()
            if not isinstance(expr, Apply) or id(expr) in self._levels:
                continue
            if done:
                self._levels[id(expr)] = 1 + max(map(self._known_level, expr.args), default=0)
            else:
                waiting.append((expr, True))
                waiting.extend((part, False) for part in expr.args)
        return self._known_level(root)
