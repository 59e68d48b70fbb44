"""Certificates of CTL formulas: the sets of the fixpoints, with ranks and choices."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property, partial, reduce
from itertools import pairwise
from typing import Any

from coarsest.check.certify.certificate_choices import StepChooser
from coarsest.check.certify.certificate_diagrams import DiagramWriter
from coarsest.check.certify.certificate_removals import RemovedSet, remove
from coarsest.check.setting.session import Setting
from coarsest.evidence.certificate import (
    Certificate,
    EveryPath,
    FairPath,
    Inevitable,
    PathLayer,
    Possible,
    Proof,
    Removal,
    StepChoice,
    Stuck,
)
from coarsest.evidence.claims.branching import is_condition, normal, parts_to_prove, require_provable
from coarsest.evidence.effort import NotConfirmed
from coarsest.logic.expr import Apply, Expr
from coarsest.run import Run
from coarsest.search.until import until
from coarsest.space.bdd.symbolic import SymbolicSet, SymbolicSpace, symbolic

Set = SymbolicSet[Any]


class CtlCertifier:
    """Writes certificates about the paths of one setting."""

    def __init__(self, setting: Setting[Set], writer: DiagramWriter, run: Run) -> None:
        self.setting = setting
        self.arena = setting.arena
        self.base = symbolic(setting.arena.base)
        self.space = setting.arena.space
        self.writer = writer
        self.run = run
        self._true_at: dict[Expr, Set] = {}
        self._whole: Expr | None = None

    def certificate(self, formula: Expr) -> Certificate:
        """A certificate that the formula holds."""
        require_provable(formula, about_inputs=bool(self.setting.inputs))
        claim = normal(formula)
        parts = parts_to_prove(claim)
        self._whole = claim
        proofs = tuple(self._proof(part) for part in parts)
        needs_fair_paths = any(isinstance(part, Apply) and part.op in ("EX", "EU") for part in parts) and not self._all_fair
        fair = self._fair_path(self.space.states)[0] if needs_fair_paths else None
        return self.written(self.whatever_inputs(self.base, self.arena.reached), fair, self.unfair, proofs)

    def written(self, invariant: int, fair: FairPath | None, unfair: Inevitable | None, proofs: tuple[Proof, ...]) -> Certificate:
        """The certificate, once all its graphs are written."""
        stuck, variables, inputs = self.stuck, tuple(self.setting.own.variables), tuple(sorted(self.setting.inputs))
        invariant = self._equal(invariant)
        return Certificate(self.writer.graphs, variables, inputs, invariant, stuck, fair, unfair, proofs)

    def _root(self, states: Set) -> int:
        return self.writer.root(self.base, states.function)

    def _equal(self, root: int) -> int:
        """The root of the part of a set in which merged variables equal those that stand for them."""
        return self.writer.where_equal(self.setting.own, self.setting.merged, root)

    def whatever_inputs(self, space: SymbolicSpace[Any], states: Set) -> int:
        """The root of a set that has all positions of a state or none, so that it does not depend on inputs."""
        bits = space.manager.cube(space.layout.now(self.arena.inputs))
        return self.writer.root(space, space.manager.exists(states.function, bits))

    # The machine

    @cached_property
    def stuck(self) -> Stuck | None:
        arena = self.arena
        if not arena.may_be_stuck:
            return None
        chosen = self._chooser.choose(arena.reached - arena.stuck, None, also=arena.inputs)
        states, among = (self.whatever_inputs(self.base, part) for part in (arena.stuck, arena.reached))
        return Stuck(states, self._equal(among), self.writer.choice(self.base, chosen))

    @cached_property
    def _chooser(self) -> StepChooser:
        return StepChooser(self.base, self.run)

    @cached_property
    def _all_fair(self) -> bool:
        """Are all paths fair, and does every input lead on?"""
        fairness = self.space.fairness
        return not fairness.justice and not fairness.compassion and not (self.arena.inputs and self.arena.may_be_stuck)

    @cached_property
    def _unfair_states(self) -> Set:
        return self.space.states - self.setting.ctl.fair

    @cached_property
    def unfair(self) -> Inevitable | None:
        if not self._unfair_states:
            return None
        removed, left = remove(self.space, self.run, self._unfair_states, self._unfair_states)
        assert not left, "no fair path begins here"
        root = self._root(self._unfair_states)
        return Inevitable(root, root, self.removals(removed))

    def removals(self, removed: Sequence[RemovedSet[Set]], space: SymbolicSpace[Any] | None = None) -> tuple[Removal, ...]:
        """Removed sets of this space, or of a product with it, written down."""
        root = partial(self.writer.root, space or self.base)
        return tuple(Removal(root(r.states.function), r.reason, r.constraint, self.removals(r.inside, space)) for r in removed)

    # Parts of the formula

    def true_at(self, formula: Expr) -> Set:
        """The states in which a normal formula is true."""
        match formula:
            case Apply("complement", (condition,)):
                return self.space.states - self.space.where(condition)
            case Apply("and", args) if not is_condition(formula):
                return reduce(lambda a, b: a & b, map(self.true_at, args))
            case Apply("or", args) if not is_condition(formula):
                return reduce(lambda a, b: a | b, map(self.true_at, args))
        return self._true_at[formula] if formula in self._true_at else self.space.where(formula)

    def _proof(self, formula: Expr) -> Proof:
        assert isinstance(formula, Apply)
        args = [self.true_at(arg) for arg in formula.args]
        self.run.step("certificate")
        match formula.op, args:
            case "AX", [p]:
                wrong = self.space.states - p - self._unfair_states
                return self._on_every_path(formula, self.space.states - self.space.pre(wrong))
            case "AR", [p, q]:
                return self._on_every_path(formula, self._released(p, q))
            case "AU", [p, q]:
                return self._inevitable(formula, p, q)
            case "EX", [p]:
                return self._possible_next(formula, p & self.setting.ctl.fair)
            case "EU", [p, q]:
                return self._possible(formula, p, q & self.setting.ctl.fair)
            case "EG", [p]:
                proof, self._true_at[formula] = self._fair_path(p)
                return proof
        raise AssertionError(formula.op)

    def _for_all_inputs(self, formula: Expr, positions: Set) -> int:
        """The states all of whose positions are in the set."""
        every = self.space.states
        states = every - (self.arena.forget(every - positions) & every) if self.arena.inputs else positions
        self._true_at[formula] = states
        return self.whatever_inputs(self.base, states)

    def _on_every_path(self, formula: Expr, positions: Set) -> Proof:
        return EveryPath(self._for_all_inputs(formula, positions), self._root(positions))

    def _released(self, p: Set, q: Set) -> Set:
        """A[p R q]: no fair path comes to where q is false before p was true."""
        wrong = self.space.states - q - self._unfair_states
        if not wrong:
            return self.space.states
        return self.space.states - until(self.space, self.run, self.space.states - p, wrong)

    def _inevitable(self, formula: Expr, p: Set, q: Set) -> Proof:
        goal = q | self._unfair_states
        removed, left = remove(self.space, self.run, self.space.states - goal, p)
        positions = self.space.states - left
        return Inevitable(self._for_all_inputs(formula, positions), self._root(positions), self.removals(removed))

    def _possible_next(self, formula: Expr, target: Set) -> Proof:
        positions = self.space.pre(target)
        states, begin = self._for_some_inputs(positions, formula)
        layer = PathLayer(self._root(positions), self._step(positions, target))
        return Possible(states, layer.states, (layer,), begin)

    def _possible(self, formula: Expr, through: Set, goal: Set) -> Proof:
        layers, positions = self._layers(through, goal, enough=self.arena.first if formula is self._whole else None)
        states, begin = self._for_some_inputs(positions, formula)
        return Possible(states, self._root(positions), layers, begin)

    def _for_some_inputs(self, positions: Set, formula: Expr) -> tuple[int, StepChoice]:
        """The states with a position in the set, and a choice of that position."""
        states, begin = self._with_inputs(positions)
        self._true_at[formula] = states
        return self._root(states), begin

    def _with_inputs(self, positions: Set) -> tuple[Set, StepChoice]:
        arena = self.arena
        if not arena.inputs:
            return positions, StepChoice()
        bits = self._chooser.choose_within(positions, self.base.layout.now(arena.inputs))
        return arena.forget(positions) & self.space.states, self.writer.choice(self.base, bits)

    def _step(self, inside: Set, target: Set) -> StepChoice:
        """A step from every state of a set into the target."""
        arena = self.arena
        if arena.inputs and arena.stuck:
            raise NotConfirmed("where the model is stuck, paths that differ in their inputs are not written down")
        return self.writer.choice(self.base, self._chooser.choose(inside - arena.stuck, target))

    def _layers(self, through: Set, goal: Set, *, enough: Set | None = None) -> tuple[tuple[PathLayer, ...], Set]:
        """Layers from which steps lead down to the goal, and all their states; once these contain `enough`, no more are added."""
        rings, reaching = [goal], goal
        while enough is None or not enough <= reaching:
            self.run.step("layers", layers=len(rings), **self.space.cost(reaching))
            ring = (self.space.pre(rings[-1]) & through) - reaching
            if not ring:
                break
            rings.append(ring)
            reaching = reaching | ring
        nodes = self.base.manager.size(*(ring.function for ring in rings))
        self.writer.expect(nodes, choices=(len(rings) - 1) * self._chooser.bits)
        steps = [PathLayer(self._root(ring), self._step(ring, earlier)) for earlier, ring in pairwise(rings)]
        return (PathLayer(self._root(goal)), *steps), reaching

    def _fair_path(self, p: Set) -> tuple[FairPath, Set]:
        """A proof that from some positions a fair path stays in p, and their states."""
        space = self.space
        hull = self.setting.ctl.hull(p)
        to_hull, positions = self._layers(p, hull)
        justice = tuple(self._layers(hull, hull & fair)[0] for fair in space.fairness.justice)
        compassion = tuple(self._layers(hull, hull & q)[0] for _, q in space.fairness.compassion)
        states, begin = self._with_inputs(positions)
        step = self._step(hull, hull)
        roots = self._root(states), self._root(positions)
        return FairPath(*roots, to_hull, self._root(hull), step, justice, compassion, begin), states
