"""Properties decided on representatives of symmetric states, with evidence about the machine itself."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

from coarsest.check.decide.invariants import judged, question_of
from coarsest.check.decide.which import searched_as_invariant
from coarsest.check.invariants.invariant import InvariantResult
from coarsest.check.invariants.searched import found
from coarsest.check.questions.finding import Finding, Undecided
from coarsest.check.questions.question import Invariant, Question
from coarsest.check.setting.workshop import Decision, Workshop
from coarsest.errors import Unsupported
from coarsest.logic.expr import Expr
from coarsest.logic.show import show
from coarsest.model.machine import Property
from coarsest.reduce.symmetry.closing import sigma_step
from coarsest.reduce.symmetry.declared import declared
from coarsest.reduce.symmetry.detect import detected
from coarsest.reduce.symmetry.group import Group
from coarsest.reduce.symmetry.invariance import invariance_generators, keeps
from coarsest.reduce.symmetry.movers import Mover, mover
from coarsest.reduce.symmetry.permutation import Permutation
from coarsest.reduce.symmetry.symmetry_mc_barner_grumberg import symmetry_mc
from coarsest.reduce.symmetry.verify import Verified, Verifier


class BySymmetry:
    """Asks about representatives. What is said to be a symmetry is verified first; what is none proves nothing."""

    def __init__(self, shop: Workshop) -> None:
        self.shop = shop

    def decide(self, claim: Property) -> Decision:
        shop = self.shop
        good = searched_as_invariant(claim, shop.machine, shop.options)
        if good is None:
            message = f"`{claim.text or show(claim.formula)}` is no invariant"
            raise Unsupported(message, claim.span, hint="leave --reduce symmetry out")
        question = question_of(shop, good)
        return judged(shop, question, self._invariant(question))

    # Generators

    @cached_property
    def generators(self) -> Sequence[Permutation]:
        """Those that the user gives; without any, those that the structure of the machine shows."""
        shop = self.shop
        given = declared(shop.machine, shop.options.generators)
        return given if given or shop.options.generators is not None else detected(shop.machine, shop.run)

    def symmetries(self, space: Any) -> Sequence[Verified]:
        """The generators as permutations of the states of a space, verified there."""
        return self.shop.once(space, "verified", lambda: self._verified(space))

    def _verified(self, space: Any) -> Sequence[Verified]:
        verifier = Verifier(space, self.shop.run)
        results = []
        for one in self.generators:
            inside = one.within(space.machine.variables)
            if inside is None or inside.is_identity:
                continue
            result = verifier.verify(inside)
            results.append(result)
            if not result.is_symmetry and not any(variable.added for variable in space.machine.variables.values()):
                self.shop.warn(f"'{one}' is no symmetry of the model: {result.objection}")
        return results

    def group_of(self, space: Any, parts: Sequence[Expr]) -> tuple[tuple[Permutation, ...], str]:
        """Generators that leave the parts alone, and why nothing is proved with them; the reason is empty if all are good."""
        results = self.symmetries(space)
        good = [result.permutation for result in results if result.is_symmetry]
        is_kept = keeps(space, parts)
        own = invariance_generators(good, is_kept, self.shop.run)
        if self.shop.options.wrong_generators == "leave-out":
            return own, ""
        wrong = [result.permutation for result in results if not result.is_symmetry and is_kept(result.permutation)]
        return (*own, *wrong), f"'{wrong[0]}' is no symmetry of the model" if wrong else ""

    # Invariants

    def _invariant(self, question: Question[Invariant]) -> Finding:
        shop, run, good = self.shop, self.shop.run, question.claim.good
        space = shop.spaces.space(question.part.machine)
        own, doubt = self.group_of(space, [good])
        movers: list[Mover[Any]] = [mover(space, one) for one in own]
        explored = symmetry_mc(space, space.states - space.where(good), movers, run, rounds=shop.options.rounds or None)
        facts = {
            "symmetries": Group(own, run).order, "representatives": space.count(explored.representatives),
            "iterations": len(explored.layers), "images": len(explored.layers),
        }  # fmt: skip
        if explored.path is not None:
            return found(shop, question, space, InvariantResult(explored.path, None), facts)
        if doubt:
            return Undecided(f"no violation was found, but {doubt}", facts)
        reached = sigma_step(space, explored.representatives, movers, run).states
        return found(shop, question, space, InvariantResult(None, reached, exact=True), facts)


