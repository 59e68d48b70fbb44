"""Permutations of states, applied to sets of states.

Im_σ of a set is the set of the moved states. On BDDs it is a substitution of bits: a bit of v becomes the function of the bits
of σ(v) that undoes the renaming of values, which is a single bit where no values are renamed. Codes that stand for no value stay
as they are, so the substitution is a bijection of bit vectors.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeAlias

from coarsest.bdd.protocol import F
from coarsest.encode.layout import code_of
from coarsest.logic.expr import Value
from coarsest.model.types import Type
from coarsest.reduce.symmetry.group.permutation import Permutation, objection_to
from coarsest.space.bdd.symbolic import SymbolicSet, SymbolicSpace, symbolic
from coarsest.space.space import S

Mover: TypeAlias = Callable[[S], S]
"""Im_σ: from a set of states to the set of their images by σ."""
NOT_MOVED = "symmetries move sets of states that are BDDs"


class BitMover:
    """Im_σ on the sets of a symbolic space, and on relations between present and future bits."""

    def __init__(self, space: SymbolicSpace[Any], sigma: Permutation) -> None:
        assert not objection_to(sigma, space.machine)
        self.permutation = sigma
        self._space = space
        self._of_states = space.manager.substitution(dict(self.replaced()))
        self._of_steps: Any = None

    def __call__(self, states: SymbolicSet[Any]) -> SymbolicSet[Any]:
        self._space.manager.tidy()
        return self._space.set(self._space.manager.substitute(states.function, self._of_states))

    def moved(self, relation: F) -> F:
        """The relation between moved states, by moved inputs."""
        if self._of_steps is None:
            replaced = {**dict(self.replaced()), **dict(self.replaced(after=True))}
            self._of_steps = self._space.manager.substitution(replaced)
        moved: F = self._space.manager.substitute(relation, self._of_steps)
        return moved

    def replaced(self, *, after: bool = False) -> Iterable[tuple[int, Any]]:
        """For each bit that takes part, its function in σ⁻¹ of a state."""
        sigma, layout, manager = self.permutation, self._space.layout, self._space.manager
        for name in sigma.variables:
            source, target = layout.slots[name], layout.slots[sigma.moves.get(name, name)]
            own, theirs = (source.after, target.after) if after else (source.now, target.now)
            bits = [manager.var(bit) for bit in theirs]
            if name in sigma.values and bits:
                bits = self._renamed_back(self._space.machine.variables[name].type, sigma.values[name], bits)
            yield from zip(own, bits)

    def _renamed_back(self, kind: Type, renamed: Mapping[Value, Value], bits: list[Any]) -> list[Any]:
        """The bits of the old value, as functions of the bits of the new one."""
        manager = self._space.manager
        for_code = {code_of(kind, new): code_of(kind, old) for old, new in renamed.items()}
        others, result = manager.true, [manager.false] * len(bits)
        for code, before in for_code.items():
            here = manager.true
            for shift, bit in enumerate(bits):
                here = here & (bit if code >> shift & 1 else ~bit)
            others = others & ~here
            result = [bit | here if before >> shift & 1 else bit for shift, bit in enumerate(result)]
        return [new | (others & old) for new, old in zip(result, bits)]


def mover(space: Any, sigma: Permutation) -> Mover[Any]:
    """Im_σ on the sets of a space."""
    return BitMover(symbolic(space, NOT_MOVED), sigma)
