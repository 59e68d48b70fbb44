"""AIGER to machines: latches are state variables, inputs are inputs, and-gates are definitions where they are shared.

A bad state is an invariant that must not be violated, a justice property an LTL formula. Without either, outputs are bad states,
as it was before version 1.9. A constraint has AIGER's own meaning: it must hold up to the step at which something bad happens,
and may be violated later. So it is a constraint on steps, and a bad state counts only where the constraint holds.
"""

from __future__ import annotations

import gc
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from coarsest.files import Contents
from coarsest.formats.aiger.scan import scan
from coarsest.logic.expr import FALSE, TRUE, Apply, Expr, Name, conjunction
from coarsest.logic.show import show
from coarsest.model.circuit import Circuit
from coarsest.model.machine import Kind, Machine, Property, Variable, invariant, ltl
from coarsest.model.parts.watch import OURS
from coarsest.model.types import Boolean
from coarsest.text.printable import title_of

NESTING: Final = 8
"""Gates that are used once are written where they are used, but not deeper than this."""


def read(contents: Contents) -> Machine:
    """The machine of a file.

    >>> text = b"aag 1 0 1 0 0 1\\n2 3\\n2\\nl0 on\\n"
    >>> machine = read(Contents("toggle.aag", text))
    >>> machine.next_values["on"], machine.properties[0].text
    (Apply(op='not', args=(Name(name='on'),)), '!bad_0')
    """
    data = contents.data if isinstance(contents.data, bytes) else contents.data[:]
    collects = gc.isenabled()
    gc.disable()  # a million gates are some million objects, none of them garbage
    try:
        return to_machine(scan(data, contents.name), title_of(contents.name, ".aag", ".aig"))
    finally:
        if collects:
            gc.enable()


def to_machine(circuit: Circuit, name: str) -> Machine:
    """The machine of a circuit."""
    return _Translation(circuit).machine(name)


class CircuitNames:
    """Names for the parts of a circuit: their symbols, if they have any that are free, or else their kind and number.

    >>> names = CircuitNames({"i0": "x", "o0": "x"})
    >>> names.some("i", "input", 2), names.some("o", "output", 1)
    (['x', 'input_1'], ['output_0'])
    """

    def __init__(self, symbols: Mapping[str, str]) -> None:
        self._symbols = symbols
        self._taken: set[str] = set()

    def some(self, letter: str, title: str, count: int) -> list[str]:
        """Names for all parts of a kind."""
        return [self.free(self._symbols.get(f"{letter}{k}", ""), f"{title}_{k}") for k in range(count)]

    def free(self, symbol: str, otherwise: str) -> str:
        name = symbol.strip()
        if not name or name in self._taken or name.startswith(OURS):
            name = otherwise
        while name in self._taken:
            name = f"{name}_"
        self._taken.add(name)
        return name

    def unused_prefix(self, prefix: str) -> str:
        """A beginning that no name has."""
        while any(name.startswith(prefix) for name in self._taken):
            prefix = f"_{prefix}"
        return prefix


class _Translation:
    def __init__(self, circuit: Circuit) -> None:
        self.circuit = circuit
        self.names = CircuitNames(circuit.symbols)
        self.definitions: dict[str, Expr] = {}
        self._expressions: dict[int, Expr] = {0: FALSE, 1: TRUE}
        """Expressions by literal; negations are added when they are needed."""

    def machine(self, name: str) -> Machine:
        circuit = self.circuit
        inputs = self._variables("i", "input", circuit.inputs, Kind.INPUT)
        latches = self._variables("l", "latch", [latch.literal for latch in circuit.latches], Kind.STATE)
        outputs = self.names.some("o", "output", len(circuit.outputs))
        sizes = (len(circuit.bad), len(circuit.constraints), len(circuit.justice), len(circuit.fairness))
        bad, limits, justice, fair = map(self.names.some, "bcjf", ("bad", "constraint", "justice", "fairness"), sizes)
        self._gates()
        named = list(zip(latches, circuit.latches))
        self._define(outputs, circuit.outputs)
        constraints = self._define(limits, circuit.constraints)
        fairness = self._define(fair, circuit.fairness)
        properties = self._properties(outputs, bad, justice, constraints)
        return Machine(
            name=name,
            variables={**inputs, **latches},
            definitions=self.definitions,
            initial_values={name: TRUE if row.reset else FALSE for name, row in named if row.reset != row.literal},
            next_values={name: self._of(row.next) for name, row in named},
            transition_constraints=tuple(constraints),
            assumptions=tuple(constraints),
            justice=tuple(fairness),
            properties=tuple(properties),
            outputs=tuple(outputs),
        )

    def _variables(self, letter: str, title: str, literals: Sequence[int], kind: Kind) -> dict[str, Variable]:
        names = self.names.some(letter, title, len(literals))
        self._expressions.update(zip(literals, map(Name, names)))
        return {name: Variable(name, Boolean(), kind) for name in names}

    # Gates

    def _gates(self) -> None:
        uses, expressions, definitions = self._uses(), self._expressions, self.definitions
        prefix, depths = self.names.unused_prefix("gate_"), dict[int, int]()
        for literal, left, right in self.circuit.gates:
            times = uses[literal >> 1]
            if not times:
                continue
            body = Apply("and", (expressions.get(left) or self._of(left), expressions.get(right) or self._of(right)))
            depth = 1 + max(depths.get(left >> 1, 0), depths.get(right >> 1, 0))
            if times == 1 and depth < NESTING:
                expressions[literal], depths[literal >> 1] = body, depth
            else:
                name = f"{prefix}{literal >> 1}"
                definitions[name] = body
                expressions[literal] = Name(name)

    def _uses(self) -> Counter[int]:
        """How often each variable is read."""
        circuit = self.circuit
        uses = Counter([left >> 1 for _, left, _ in circuit.gates])
        uses.update([right >> 1 for _, _, right in circuit.gates])
        uses.update([latch.next >> 1 for latch in circuit.latches])
        for literals in (circuit.outputs, circuit.bad, circuit.constraints, circuit.fairness, *circuit.justice):
            uses.update([literal >> 1 for literal in literals])
        return uses

    def _of(self, literal: int) -> Expr:
        expr = self._expressions.get(literal)
        if expr is None:
            expr = self._expressions[literal] = Apply("not", (self._expressions[literal ^ 1],))
        return expr

    def _define(self, names: Iterable[str], literals: Iterable[int]) -> list[Expr]:
        self.definitions.update(zip(names, map(self._of, literals)))
        return list(map(Name, names))

    # Properties

    def _properties(self, outputs: list[str], bad: list[str], justice: list[str], constraints: list[Expr]) -> list[Property]:
        circuit, symbols = self.circuit, self.circuit.symbols
        letter, names, literals = "b", bad, circuit.bad
        if not circuit.bad and not circuit.justice:
            letter, names, literals = "o", outputs, circuit.outputs
            if constraints:
                names = self.names.some("", "bad", len(outputs))
        if letter == "b" or constraints:
            self.definitions.update((name, self._allowed(literal, constraints)) for name, literal in zip(names, literals))
        properties = [
            invariant(Apply("not", (Name(name),)), symbols.get(f"{letter}{number}") or name, f"!{name}")
            for number, name in enumerate(names)
        ]
        return properties + [
            self._justice(name, symbols.get(f"j{number}") or name, literals, constraints)
            for number, (name, literals) in enumerate(zip(justice, circuit.justice))
        ]

    def _justice(self, name: str, title: str, literals: Sequence[int], constraints: list[Expr]) -> Property:
        """Not all literals are true again and again. A path that ends does not count: the constraints are false at its end."""
        parts: list[Expr] = []
        for part, literal in zip(self.names.some("", name, max(1, len(literals))), literals or (1,)):
            self.definitions[part] = self._allowed(literal, constraints)
            parts.append(Apply("G", (Apply("F", (Name(part),)),)))
        formula = Apply("not", (conjunction(parts),))
        return ltl(formula, title, show(formula))

    def _allowed(self, literal: int, constraints: list[Expr]) -> Expr:
        return conjunction([self._of(literal), *constraints])
