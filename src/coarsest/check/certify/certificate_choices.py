"""Which step to take: functions that choose a successor in a given set, for every state that has one.

Reference: Jiang 2009, "Quantifier elimination via functional composition"; the order as in bucket elimination (Dechter 1999);
           functions are simplified as in Coudert, Madre 1990, "A unified framework for the formal verification of sequential
           circuits".
Symbols:   –
Invariant: where the factors that are left can be satisfied, the bits that were eliminated can be chosen so that all factors are.
Deviates:  next values that are functions of the present are not chosen but put into the factors.
Cost:      that of a preimage, with the products that a preimage avoids.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, Final

from coarsest.bdd.protocol import Manager
from coarsest.evidence.decision_diagrams import has_one_value
from coarsest.model.machine import Variable
from coarsest.run import WORK_OF_A_NODE, Run
from coarsest.space.bdd.relation.functions import settled_next_bits
from coarsest.space.bdd.symbolic import SymbolicSet, SymbolicSpace

Set = SymbolicSet[Any]

MOST_VARIABLES_SIMPLIFIED: Final = 400
"""The simplification may recurse once for each variable."""

MOST_NODES_WALKED: Final = 500
"""The support of a larger function is not computed but bounded by the supports of its factors."""


class StepChooser:
    """Chooses steps of one space."""

    def __init__(self, space: SymbolicSpace[Any], run: Run) -> None:
        self.space = space
        self.run = run
        manager, step = space.manager, space.step
        settled, slots, machine = settled_next_bits(step), step.layout.slots, space.machine
        # What the text of an equation leaves open is chosen, even where it is a function after all.
        given = {name for name in step.functions if has_one_value(machine, machine.next_values[name])}
        functions = {after: settled[after] for name in given for after in slots[name].after if after in settled}
        given = {name for name in given if all(after in functions for after in slots[name].after)}
        put_in = manager.substitution(functions)
        self._factors = [manager.substitute(c.relation, put_in) for c in step.conjuncts if c.target not in given]
        into = {now: functions.get(after, manager.var(after)) for after, now in step.layout.now_of_after.items()}
        self._to_next = manager.substitution(into)
        self._free = [after for after in step.after if after not in functions] + step.inputs

    @property
    def bits(self) -> int:
        """The number of bits chosen for each step."""
        return len(self._free)

    def choose(self, inside: Set, target: Set | None, *, also: Collection[Variable] = ()) -> list[tuple[int, Any]]:
        """A step from every state of `inside`, into the target if there is one; variables of `also` are chosen, too."""
        factors = [*self._factors, *map(self.space.encoder.domain, also)]
        if target is not None:
            factors.append(self.space.manager.substitute(target.function, self._to_next))
        return self._eliminate(factors, [*self._free, *self.space.layout.now(also)], inside.function)

    def choose_within(self, states: Set, bits: Collection[int]) -> list[tuple[int, Any]]:
        """Values of some bits of the state that put it into a set, where any do."""
        return self._eliminate([states.function], list(bits), self.space.manager.true)

    def _eliminate(self, factors: list[Any], bits: list[int], inside: Any) -> list[tuple[int, Any]]:
        manager = self.space.manager
        simplify = Simplification(manager)
        supports = [manager.support(factor) for factor in factors]
        chosen: list[tuple[int, Any]] = []
        made = manager.made_nodes
        while bits:
            # Nodes are counted here because nothing is tidied up meanwhile, which might change the order.
            self.run.spend(WORK_OF_A_NODE * (manager.made_nodes - made))
            made = manager.made_nodes
            self.run.step("choose steps", bits=len(bits))
            touched = {bit: [k for k, support in enumerate(supports) if bit in support] for bit in bits}
            bit = min(bits, key=lambda b: (len(set().union(*(supports[k] for k in touched[b]))), b))
            bits.remove(bit)
            product = manager.true
            for k in touched[bit]:
                product = product & factors[k]
            high, low = manager.restrict(product, {bit: True}), manager.restrict(product, {bit: False})
            chosen.append((bit, simplify(high, (high ^ low) & inside)))
            rest = high | low
            support = set().union(*(supports[k] for k in touched[bit])) - {bit}
            if manager.size(rest) <= MOST_NODES_WALKED:
                support = manager.support(rest)
            left = [k for k in range(len(factors)) if k not in touched[bit]]
            factors, supports = [*(factors[k] for k in left), rest], [*(supports[k] for k in left), support]
        chosen.reverse()
        return chosen


class Simplification:
    """Simplifies functions where their values do not matter; the order of the variables must not change meanwhile."""

    def __init__(self, manager: Manager[Any]) -> None:
        self.manager = manager
        self._level = {variable: level for level, variable in enumerate(manager.order)}
        self._results: dict[tuple[Any, Any], Any] = {}

    def __call__(self, function: Any, care: Any) -> Any:
        """A small function that agrees with the given one on the care set."""
        if len(self._level) > MOST_VARIABLES_SIMPLIFIED:
            return function & care
        return self._simplified(function, care)

    def _simplified(self, function: Any, care: Any) -> Any:
        manager = self.manager
        if care == manager.false:
            return manager.false
        of_function, of_care = manager.children(function), manager.children(care)
        if of_function is None or of_care is None:
            return function
        result = self._results.get((function, care))
        if result is None:
            result = self._results[function, care] = self._split(function, care, of_function, of_care)
        return result

    def _split(self, function: Any, care: Any, of_function: tuple[int, Any, Any], of_care: tuple[int, Any, Any]) -> Any:
        (top, high, low), (guard, care_high, care_low) = of_function, of_care
        if self._level[guard] < self._level[top]:
            return self._simplified(function, care_high | care_low)
        if self._level[top] < self._level[guard]:
            care_high = care_low = care
        if care_high == self.manager.false:
            return self._simplified(low, care_low)
        if care_low == self.manager.false:
            return self._simplified(high, care_high)
        variable = self.manager.var(top)
        return self.manager.ite(variable, self._simplified(high, care_high), self._simplified(low, care_low))
