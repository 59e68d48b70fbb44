"""Is a permutation a symmetry of a machine? σ(S) = S, σ(S_0) = S_0 and σ(R) = R, as equalities of BDDs.

Reference: Barner, Grumberg 2003, definition 2.11.
Symbols:   S are the states, S_0 the initial ones, R the step relation without inputs.
Invariant: a `Verified` without objection is a symmetry of the whole state space, reachable or not.
Deviates:  the paper trusts the user. R ⊆ σ⁻¹(R) is enough, for σ is a bijection of finitely many pairs. Where σ only exchanges
           conjuncts of S, S_0 or R, no set is computed; R as one BDD is made only if inputs have to be quantified.
Cost:      a substitution for each conjunct, mostly.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

from msgspec import Struct

from coarsest.encode.encode import initial_conjuncts, legal_conjuncts
from coarsest.model.machine import Kind
from coarsest.model.trace import Trace
from coarsest.reduce.symmetry.group.invariance import keeps
from coarsest.reduce.symmetry.group.movers import BitMover
from coarsest.reduce.symmetry.group.permutation import Permutation
from coarsest.run import Run
from coarsest.space.bdd.relation.monolithic import Monolithic
from coarsest.space.bdd.symbolic import SymbolicSpace


class Verified(Struct, frozen=True):
    """A permutation, and the reason why it is no symmetry; the reason is empty if it is one."""

    permutation: Permutation
    objection: str = ""
    witness: Trace | None = None
    """A state or a step of the machine whose image is not a state or a step."""
    fair: bool = True
    """Does the permutation keep every fairness constraint?"""

    @property
    def is_symmetry(self) -> bool:
        return not self.objection


class Verifier:
    """Verifies permutations of the states of one space. It uses preimages by σ, so that what is left over is a witness."""

    def __init__(self, space: SymbolicSpace[Any], run: Run) -> None:
        self.space, self.run = space, run
        self._conjuncts = frozenset(conjunct.relation for conjunct in space.step.conjuncts)
        self._legal = frozenset(legal_conjuncts(space.encoder))
        self._initial = self._legal.union(initial_conjuncts(space.encoder))

    def verify(self, sigma: Permutation) -> Verified:
        self.run.step("verify symmetry")
        self.space.manager.tidy()
        back = BitMover(self.space, sigma.inverse)
        return self._about_states(sigma, back) or self._about_steps(sigma, back) or Verified(sigma, fair=self.is_fair(sigma))

    def _about_states(self, sigma: Permutation, back: BitMover) -> Verified | None:
        space = self.space
        for conjuncts, states, objection in (
            (self._legal, space.states, "it maps a state to one that does not exist"),
            (self._initial, space.initial, "it maps an initial state to one that is not initial"),
        ):
            if all(back.moved(conjunct) in conjuncts for conjunct in conjuncts):
                continue
            left = states - back(states)
            if left:
                return Verified(sigma, objection, Trace((space.describe(left),)))
        return None

    def _about_steps(self, sigma: Permutation, back: BitMover) -> Verified | None:
        """The objection to the steps, if some conjunct, moved back, does not follow from R."""
        moved = [back.moved(conjunct.relation) for conjunct in self.space.step.conjuncts]
        leaving = (self._beyond(relation) for relation in moved if relation not in self._conjuncts)
        left = next((steps for steps in leaving if steps is not None), None)
        if left is None:
            return None
        if self.space.machine.input_variables:  # inputs other than the moved ones may allow the same step
            left = self._whole & ~back.moved(self._whole)
            if left == self.space.manager.false:
                return None
        return Verified(sigma, "it maps a step to one that does not exist", self._step(left))

    def _beyond(self, relation: Any) -> Any | None:
        """The steps, with their inputs, outside a relation."""
        space, manager = self.space, self.space.manager
        left = space.states.function & ~relation
        for conjunct in space.step.conjuncts:
            self.run.step("verify symmetry")
            left = left & conjunct.relation
            if left == manager.false:
                return None
        return left

    @cached_property
    def _whole(self) -> Any:
        """R without inputs."""
        space = self.space
        relation = space.relation if isinstance(space.relation, Monolithic) else Monolithic.of(space.step, self.run)
        return relation.relation & space.states.function

    def _step(self, steps: Any) -> Trace:
        space = self.space
        picked = space.manager.pick(steps) or {}
        before = {v.name: space.layout.decode(v, picked) for v in space.machine.state_variables}
        after = {v.name: space.layout.decode(v, picked, after=True) for v in space.machine.of_kind(Kind.STATE)}
        inputs = space.inputs_between(before, after)
        return Trace((before, {**before, **after}), (inputs,) if inputs else ())

    def is_fair(self, sigma: Permutation) -> bool:
        machine = self.space.machine
        return keeps(self.space, [*machine.justice, *(part for pair in machine.compassion for part in pair)])(sigma)
