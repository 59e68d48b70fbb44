"""Questions about gates that take a SAT solver too long, answered by the judge's own binary decision diagrams.

Reference: Bryant 1986, "Graph-based algorithms for Boolean function manipulation".
Symbols:   a diagram is a whole number: 0 is false, 1 is true, others are nodes (place of a variable in the order, high, low).
Invariant: equal functions have equal numbers; places grow on every path down.
Deviates:  if a conjunct says that a free literal is equal to a function of others, it is replaced by that function, and is no
           variable: this removes the bits of next states that equations define.
Cost:      one look-up for each pair of nodes that meet; it is given up if there are too many nodes.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from coarsest.evidence.effort import NotConfirmed
from coarsest.run import Run

Gate = tuple[int, ...]
"""The operands of a gate: (a, b) is true if both are; (c, a, b) is `a` if c is true, or else `b`; (0, …) is a conjunction."""

STEP: Final = 4096
"""The number of nodes after which progress is reported."""


class JudgeDiagrams:
    """Nodes of decision diagrams over variables with the places 0, 1, …"""

    def __init__(self, run: Run, most_nodes: int) -> None:
        self.run, self.most_nodes = run, most_nodes
        self.nodes: list[tuple[int, int, int]] = [(1 << 60, 0, 0), (1 << 60, 1, 1)]
        self._numbers: dict[tuple[int, int, int], int] = {}
        self._choices: dict[tuple[int, int, int], int] = {}

    def node(self, place: int, high: int, low: int) -> int:
        if high == low:
            return high
        number = self._numbers.get((place, high, low))
        if number is None:
            number = self._numbers[place, high, low] = len(self.nodes)
            self.nodes.append((place, high, low))
            if number % STEP == 0:
                self.run.step("diagrams of the judge", nodes=number)
            if number > self.most_nodes:
                raise NotConfirmed(f"a condition was not decided within {self.most_nodes} nodes of decision diagrams")
        return number

    def choose(self, condition: int, then: int, otherwise: int) -> int:
        """`then` if the condition is true, or else `otherwise`."""
        if condition < 2 or then == otherwise:
            return otherwise if condition == 0 else then
        if then == 1 and otherwise == 0:
            return condition
        key = condition, then, otherwise
        result = self._choices.get(key)
        if result is None:
            nodes = self.nodes
            rows = nodes[condition], nodes[then], nodes[otherwise]
            place = min(row[0] for row in rows)
            highs = [row[1] if row[0] == place else number for row, number in zip(rows, key)]
            lows = [row[2] if row[0] == place else number for row, number in zip(rows, key)]
            result = self._choices[key] = self.node(place, self.choose(*highs), self.choose(*lows))
        return result


class DiagramQuestion:
    """Can some literals of gates over free literals be true together?"""

    def __init__(self, gates: Mapping[int, Gate], order: Sequence[int], run: Run, most_nodes: int) -> None:
        self.gates = gates
        self.diagrams = JudgeDiagrams(run, most_nodes)
        self.places = {literal: place for place, literal in enumerate(order)}
        self._values: dict[int, int] = {1: 1}
        """The diagrams of literals that are not negated."""

    def is_refuted(self, literals: Iterable[int]) -> bool:
        """Are they never true together?"""
        equations, others = self._defined(self._conjuncts(literals))
        for free, value in equations.items():
            self._values[free] = self._value(value)
        together = 1
        for literal in others:
            together = self.diagrams.choose(together, self._value(literal), 0)
            if together == 0:
                return True
        return False

    def _conjuncts(self, literals: Iterable[int]) -> list[int]:
        parts, waiting = dict[int, None](), list(literals)
        while waiting:
            literal = waiting.pop()
            gate = self.gates.get(literal, ())
            if len(gate) == 2:
                waiting += gate
            elif gate and gate[0] == 0:
                waiting += gate[1:]
            else:
                parts[literal] = None
        return list(parts)

    def _defined(self, conjuncts: Sequence[int]) -> tuple[dict[int, int], list[int]]:
        """Free literals with their definitions, which depend only on undefined free literals, and the other conjuncts."""
        equations, others, reads = dict[int, int](), list[int](), set[int]()
        for literal in conjuncts:
            free, *values = self.gates.get(abs(literal), ())[:3] or (0,)
            if len(values) == 2 and values[0] == -values[1] and free not in self.gates and free not in equations and free > 1:
                value = values[0] if literal > 0 else values[1]
                support = self._support(value)
                if free not in reads and free not in support and support.isdisjoint(equations):
                    equations[free] = value
                    reads |= support
                    continue
            others.append(literal)
        return equations, others

    def _support(self, literal: int) -> set[int]:
        support, listed, waiting = set[int](), set[int](), [abs(literal)]
        while waiting:
            number = waiting.pop()
            if number in listed or number <= 1:
                continue
            listed.add(number)
            if number in self.gates:
                waiting += [abs(part) for part in self.gates[number]]
            else:
                support.add(number)
        return support

    def _value(self, literal: int) -> int:
        """The diagram of a literal."""
        waiting = [abs(literal)]
        while waiting:
            number = waiting[-1]
            if number in self._values:
                waiting.pop()
                continue
            gate = self.gates.get(number)
            if gate is None:
                self._values[number] = self.diagrams.node(self.places.setdefault(number, len(self.places)), 1, 0)
                continue
            missing = [abs(part) for part in gate if part and abs(part) not in self._values]
            if missing:
                waiting += missing
            else:
                self._values[number] = self._computed(gate)
        return self._signed(literal)

    def _signed(self, literal: int) -> int:
        value = self._values[abs(literal)]
        return value if literal > 0 else self.diagrams.choose(value, 0, 1)

    def _computed(self, gate: Gate) -> int:
        choose = self.diagrams.choose
        if len(gate) == 3 and gate[0] != 0:
            condition, then, otherwise = map(self._signed, gate)
            return choose(condition, then, otherwise)
        result = 1
        for part in gate[1:] if gate[0] == 0 else gate:
            result = choose(result, self._signed(part), 0)
        return result
