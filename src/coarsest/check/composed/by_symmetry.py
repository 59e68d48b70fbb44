"""Properties decided on representatives of symmetric states, with evidence about the machine itself."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any

from msgspec.structs import replace

from coarsest.check.decide.classify import decide as decide_itself
from coarsest.check.decide.classify import home, searched_as_invariant
from coarsest.check.decide.invariants import judged
from coarsest.check.questions.pose import question_of
from coarsest.check.setting.session import Decision, Session
from coarsest.check.symmetry.invariants import invariant_finding
from coarsest.errors import Unsupported
from coarsest.evidence.verdict import Fails, Unknown
from coarsest.logic.branching.ctl_star import state_formulas
from coarsest.logic.expr import Apply, Expr
from coarsest.logic.show import show
from coarsest.model.machine import Kind, Property
from coarsest.options.option import Confirm
from coarsest.reduce.symmetry.group.detect import proposed_generators
from coarsest.reduce.symmetry.group.invariance import invariance_generators, keeps
from coarsest.reduce.symmetry.group.permutation import Permutation, inside
from coarsest.reduce.symmetry.group.verify import Verified, Verifier

Decider = Callable[[Session, Property], Decision]

OF_INVARIANTS = ("symmetry-mc", "hints-sym", "iterative")
OF_PATHS = ("sigma-step", "create-xi", "orbit-to-xi", "live-rep")
NOT_FOUND = "no violation was found among representatives, and other paths were not searched"


def decide(session: Session, claim: Property) -> Decision:
    """On the representatives of the machine where the property is decided."""
    own = home(session, claim)
    return own.once(own.spaces, "symmetries", lambda: BySymmetry(own, decide_itself)).decide(claim)


class BySymmetry:
    """Decides properties on representatives. Generators are verified first: with one that is no symmetry, nothing is proved."""

    def __init__(self, session: Session, inner: Decider | None = None) -> None:
        self.session, self.inner = session, inner

    def decide(self, claim: Property) -> Decision:
        session, algorithm = self.session, self.session.options.algorithm
        good = searched_as_invariant(claim, session.machine, session.options)
        if good is None or algorithm in OF_PATHS:
            return self._of_paths(claim, good)
        question = question_of(session, good)
        space = session.spaces.space(question.part.machine)
        own, doubt = self.group_of(space, [question.claim.good])
        return judged(session, question, invariant_finding(question, session, space, own, doubt))

    # Generators

    @cached_property
    def generators(self) -> Sequence[Permutation]:
        """Those that the user gives; without any, those that the structure of the machine shows."""
        return proposed_generators(self.session.machine, self.session.options.generators, self.session.run)[1]

    def symmetries(self, space: Any) -> Sequence[Verified]:
        """The generators as permutations of the states of a space, verified there."""
        return self.session.once(space, "verified", lambda: self._verified(space))

    def _verified(self, space: Any) -> Sequence[Verified]:
        verifier = Verifier(space, self.session.run)
        results = []
        for generator in inside(self.generators, space.machine):
            result = verifier.verify(generator)
            results.append(result)
            if not result.is_symmetry and not any(variable.added for variable in space.machine.variables.values()):
                self.session.warn(f"'{generator}' is not a symmetry of the model{self._with_inputs(space)}: {result.objection}")
        return results

    def _with_inputs(self, space: Any) -> str:
        """The inputs that are moved as well, because a formula or a fairness constraint speaks of them; in words."""
        inputs = [v.name for v in space.machine.state_variables if self.session.machine.variables[v.name].kind is Kind.INPUT]
        return f" with {', '.join(inputs)} in its states" if inputs else ""

    def group_of(self, space: Any, parts: Sequence[Expr]) -> tuple[tuple[Permutation, ...], str]:
        """Generators that keep the parts, and why nothing is proved with them; the reason is empty if all are symmetries."""
        own, is_kept = self.good_group(space, parts), keeps(space, parts)
        if self.session.options.wrong_generators == "leave-out":
            return own, ""
        results = self.symmetries(space)
        wrong = [result.permutation for result in results if not result.is_symmetry and is_kept(result.permutation)]
        return (*own, *wrong), f"'{wrong[0]}' is not a symmetry of the model" if wrong else ""

    # Formulas about paths

    def _of_paths(self, claim: Property, good: Expr | None) -> Decision:
        session, algorithm = self.session, self.session.options.algorithm
        if algorithm in OF_INVARIANTS:
            message = f"'{algorithm}' is for invariants, and `{claim.text or show(claim.formula)}` is not one"
            raise Unsupported(message, claim.span, hint=f"use one of {', '.join(OF_PATHS)}")
        if good is not None and claim.kind.is_invariant:
            claim = claim.as_ctl(Apply("AG", (claim.formula,)))
        if algorithm == "live-rep":
            return self._refuted(claim)
        from coarsest.check.symmetry.orbit_setting import OrbitSession

        assert self.inner is not None
        orbits = OrbitSession(session, self.good_group, restricted=False)
        decision = self.inner(orbits, claim)
        return replace(decision, facts={**orbits.facts(), **decision.facts})

    def good_group(self, space: Any, parts: Sequence[Expr]) -> tuple[Permutation, ...]:
        """Verified generators that keep the parts: a quotient by others would say nothing about the model."""
        good = [result.permutation for result in self.symmetries(space) if result.is_symmetry]
        return invariance_generators(good, keeps(space, parts), self.session.run)

    def _refuted(self, claim: Property) -> Decision:
        """Live_Rep: what is refuted among representatives is false; otherwise nothing is known."""
        from coarsest.check.symmetry.orbit_setting import OrbitSession, require_universal

        match claim.formula:
            case formula if claim.kind.is_ctl:
                require_universal(formula)
            case Apply("A", (linear,)) if claim.kind.is_ctl_star and not state_formulas(linear):
                claim = claim.as_ltl(linear)
            case _ if not claim.kind.is_universal:
                message = f"'live-rep' refutes formulas about all paths, and `{claim.text or show(claim.formula)}` is not one"
                raise Unsupported(message, claim.span, hint="use --algorithm sigma-step")
        session, inner = self.session, self.inner
        assert inner is not None
        restricted = OrbitSession(session, lambda space, parts: self.group_of(space, parts)[0], restricted=True)
        asked = restricted.options
        restricted.options = replace(asked, ltl="partitioned", confirm=Confirm.NEVER, certificates=False)
        decision = inner(restricted, claim)
        facts = restricted.facts()
        if not isinstance(decision.verdict, Fails):
            return Decision(Unknown(NOT_FOUND), facts=facts)
        restricted.options = replace(asked, ltl="partitioned", certificates=False)
        return replace(inner(restricted, claim), facts=facts)
