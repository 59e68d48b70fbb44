"""The symmetries of a model: their generators and origin, and the part of them that each property keeps."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct, field
from msgspec.structs import replace

from coarsest.errors import InputError
from coarsest.logic.expr import Expr
from coarsest.logic.show import show
from coarsest.logic.temporal_operators import boolean_parts
from coarsest.model.machine import Machine, Property
from coarsest.model.parts.promote_inputs import inputs_mentioned, promote
from coarsest.model.trace import Trace
from coarsest.model.unbounded import require_finite
from coarsest.options.methods import BuildOptions
from coarsest.reduce.partition.observation import Observation
from coarsest.reduce.symmetry.group.detect import proposed_generators
from coarsest.reduce.symmetry.group.group import Group
from coarsest.reduce.symmetry.group.invariance import invariance_generators, keeps
from coarsest.reduce.symmetry.group.permutation import Permutation, inside
from coarsest.reduce.symmetry.group.verify import Verified, Verifier
from coarsest.run import Run, Statistic
from coarsest.space.bdd.build import build as build_space
from coarsest.space.bdd.symbolic import SymbolicSpace
from coarsest.space.carrier import Spaces
from coarsest.space.carriers import spaces_by


class Rest(Struct, frozen=True):
    """The symmetries that a property keeps."""

    claim: Property
    generators: tuple[Permutation, ...]
    order: int


class Symmetries(Struct, frozen=True):
    """Verified generators, and the group of those that are symmetries."""

    generators: tuple[Verified, ...]
    detected: bool
    """Do the generators come from the structure of the model, and not from the user?"""
    order: int
    properties: tuple[Rest, ...] = ()
    states: int | None = None
    """The number of reachable states, if they were counted."""
    orbits: int | None = None
    statistics: Mapping[str, Statistic] = field(default_factory=dict)

    def __repr__(self) -> str:
        count = len(self.generators)
        return f"<Symmetries: a group of order {self.order} by {count} generator{'s' * (count != 1)}>"

    def _repr_html_(self) -> str:
        """A table of the facts and the generators, for notebooks."""
        from coarsest.render.page.html import facts_to_html

        claims = ((rest.claim, rest.order) for rest in self.properties)
        kept = {f"kept by {claim.name or claim.text or show(claim.formula)}": order for claim, order in claims}
        generators = {
            f"generator {number}": f"{one.permutation}{'' if one.is_symmetry else f' (refused: {one.objection})'}"
            for number, one in enumerate(self.generators, 1)
        }
        return facts_to_html({"order": self.order, **generators, **kept, "states": self.states, "orbits": self.orbits})

    @property
    def facts(self) -> dict[str, Any]:
        """The facts for JSON."""
        return {
            "detected": self.detected, "order": self.order, "generators": [_facts(one) for one in self.generators],
            "properties": [
                {
                    "name": rest.claim.name, "kind": str(rest.claim.kind), "formula": rest.claim.text or show(rest.claim.formula),
                    "order": rest.order, "generators": list(map(str, rest.generators)),
                }
                for rest in self.properties
            ],
            "states": self.states, "orbits": self.orbits, "statistics": dict(self.statistics),
        }  # fmt: skip


def _facts(one: Verified) -> dict[str, Any]:
    from coarsest.render.data.json import trace_to_object

    witness = None if one.witness is None else trace_to_object(one.witness)
    facts: dict[str, Any] = {"generator": str(one.permutation), "symmetry": one.is_symmetry, "fair": one.fair}
    return {**facts, "objection": one.objection or None, "witness": witness, "image": _image(one)}


def _image(one: Verified) -> Any:
    """The image of the witness, which is not a state or step of the model."""
    from coarsest.render.data.json import trace_to_object

    if one.witness is None:
        return None
    return trace_to_object(image_of(one.witness, one.permutation))


def image_of(trace: Trace, one: Permutation) -> Trace:
    """The image of a trace under a permutation."""
    return Trace(tuple(one(state) for state in trace.states))


def find_symmetries(
    machine: Machine, build: BuildOptions, run: Run, *, generators: str | None = None, count: bool = False
) -> Symmetries:
    """Find or read generators, verify them, and compute the group that each property of the machine keeps."""
    require_finite(machine, "its states cannot be permuted in BDDs")
    shown, proposed = proposed_generators(machine, generators, run)
    if not proposed and not count:  # nothing to verify: no BDDs are made
        return Symmetries((), shown, 1, tuple(Rest(claim, (), 1) for claim in machine.properties))
    space = build_space(machine, run, build)
    verifier = Verifier(space, run)
    verified = tuple(verifier.verify(one) for one in proposed)
    good = [one.permutation for one in verified if one.is_symmetry]
    properties = tuple(map(_Rests(space, good, build, run).of, machine.properties))
    states, orbits = _counted(space, good, run) if count else (None, None)
    statistics: dict[str, Statistic] = {"nodes": space.manager.live_nodes, "peak_nodes": space.manager.peak_nodes}
    return Symmetries(verified, shown, Group(good, run).order, properties, states, orbits, statistics)


class _Rests:
    """Computes the group that a property keeps."""

    def __init__(self, space: SymbolicSpace[Any], good: Sequence[Permutation], build: BuildOptions, run: Run) -> None:
        self._machine, self._build, self._run = space.machine, build, run
        self._by_inputs: dict[frozenset[str], tuple[SymbolicSpace[Any], Sequence[Permutation]]] = {frozenset(): (space, good)}

    def of(self, claim: Property) -> Rest:
        machine = self._machine
        parts: list[Expr] = boolean_parts(claim.formula)
        if not claim.kind.is_invariant:
            parts += [*machine.justice, *(part for pair in machine.compassion for part in pair)]
        space, good = self._with_inputs(inputs_mentioned(machine, parts))
        own = invariance_generators(good, keeps(space, parts), self._run)
        return Rest(claim, own, Group(own, self._run).order)

    def _with_inputs(self, inputs: frozenset[str]) -> tuple[SymbolicSpace[Any], Sequence[Permutation]]:
        """The space in which these inputs are part of the state, and the permutations that are symmetries there."""
        if inputs not in self._by_inputs:
            _, every = self._by_inputs[frozenset()]
            space = build_space(promote(self._machine, inputs), self._run, self._build)
            verifier = Verifier(space, self._run)
            verified = [verifier.verify(one) for one in inside(every, space.machine)]
            self._by_inputs[inputs] = space, [one.permutation for one in verified if one.is_symmetry]
        return self._by_inputs[inputs]


def _counted(space: SymbolicSpace[Any], good: Sequence[Permutation], run: Run) -> tuple[int, int]:
    from coarsest.reduce.symmetry.group.orbits import count_orbits
    from coarsest.search.reachability import explore

    reached = explore(space, run, space.initial)
    return space.count(reached), count_orbits(space, reached, good, run)


def symmetries_of_observed(
    machine: Machine, observation: Observation, spaces: Spaces[Any], run: Run, generators: str | None
) -> tuple[Permutation, ...]:
    """Generators of the symmetries of the observed part of a machine that keep what is observed.

    Raises InputError, with a witness, for a given generator that is not a symmetry.
    """
    own = observation.machine
    require_finite(own, "its states cannot be permuted in BDDs")
    shown, proposed = proposed_generators(machine, generators, run, part=own)
    on_bdds = spaces if spaces.carrier == "bdd" else spaces_by("bdd", replace(spaces.options, carrier="bdd"), run)
    space = on_bdds.space(own)
    verifier = Verifier(space, run)
    verified = [verifier.verify(one) for one in inside(proposed, own)]
    wrong = next((one for one in verified if not one.is_symmetry), None)
    if wrong is not None and not shown:
        from coarsest.render.text.symmetry_text import witness_to_text

        facts = _facts(wrong)
        message = f"'{wrong.permutation}' is not a symmetry of the model: {wrong.objection}:\n"
        raise InputError(message + witness_to_text(facts["witness"], facts["image"]), hint="leave it out, or repair it")
    good = [one.permutation for one in verified if one.is_symmetry]
    return invariance_generators(good, keeps(space, [condition for condition, _ in observation.conditions(space, run)]), run)
