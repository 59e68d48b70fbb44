"""Where temporal formulas are evaluated on representatives.

On the quotient M_m, sets of representatives are computed, and all states of their orbits are the sets of the model: evidence is
looked for there, and judged as always. In the model restricted to representatives, M|Rep, every path is one of the model; some
end where the model goes on, and refute only what no continuation can mend (appendix A of Barner and Grumberg).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from coarsest.check.setting.arena import Arena, machine_for
from coarsest.check.setting.ctl import CtlOnStates
from coarsest.check.setting.session import Session, Setting
from coarsest.check.symmetry.invariants import sorts, subset_of, thinning_of
from coarsest.errors import Unsupported
from coarsest.logic.branching.ctl import is_temporal, negate
from coarsest.logic.expr import Apply, Expr
from coarsest.logic.temporal_operators import boolean_parts
from coarsest.model.machine import Machine
from coarsest.options.engines import FairStates
from coarsest.reduce.symmetry.group.group import Group
from coarsest.reduce.symmetry.group.invariance import keeps
from coarsest.reduce.symmetry.group.movers import Mover, mover
from coarsest.reduce.symmetry.group.permutation import Permutation
from coarsest.reduce.symmetry.quotient import Orbits, OrbitsByClosing, Quotient, lifted
from coarsest.reduce.symmetry.sorting import SortedOrbits, SortedQuotient, Sorter, search_sorted
from coarsest.reduce.symmetry.symmetry_mc_barner_grumberg import Explored, symmetry_mc
from coarsest.run import Run, Statistic
from coarsest.search.fair_states import fair_hull, fair_states
from coarsest.search.paths import path_to
from coarsest.search.reachability import BreadthFirst, explore
from coarsest.search.witness import Path, fair_lasso
from coarsest.space.bdd.reachable import Among
from coarsest.space.bdd.symbolic import symbolic
from coarsest.space.space import StateSpace
from coarsest.space.views import RestrictedSpace, Total

if TYPE_CHECKING:
    from coarsest.automata.automaton import Automaton

GroupOf = Callable[[Any, Sequence[Expr]], tuple[Permutation, ...]]
"""Generators, on the states of a space, of a group that keeps some conditions."""


class OrbitSession(Session):
    """A session whose formulas are evaluated on representatives."""

    def __init__(self, session: Session, group_of: GroupOf, *, restricted: bool, run: Run | None = None) -> None:
        super().__init__(
            session.machine, session.build, replace(session.options, reduce="none", vacuity=False), run or session.run
        )
        self.spaces, self.show, self.watches = session.spaces, session.show, session.watches
        self._warnings = session._warnings
        self._made = session._made
        self._group_of, self._restricted = group_of, restricted
        self._by_parts: dict[tuple[frozenset[str], frozenset[str], tuple[Expr, ...]], Setting[Any]] = {}

    def setting(self, roots: Any) -> Setting[Any]:
        machine, inputs = machine_for(self.machine, roots, cone=self.options.cone)
        fairness = [*machine.justice, *(part for pair in machine.compassion for part in pair)]
        parts = tuple(dict.fromkeys([*(part for root in roots for part in boolean_parts(root)), *fairness]))
        key = frozenset(machine.variables), inputs, parts
        if key not in self._by_parts:
            own = self._group_of(self.spaces.space(machine), parts)
            if own:
                kind = RestrictedSetting if self._restricted else OrbitSetting
                self._by_parts[key] = kind(self, machine, inputs, own)
            else:
                self._by_parts[key] = super().setting(roots)
        return self._by_parts[key]

    def facts(self) -> dict[str, Statistic]:
        """The size of the group and the number of representatives, where they were looked for."""
        settings = [setting for setting in self._by_parts.values() if isinstance(setting, _BySymmetry)]
        return settings[0].facts if settings and "explored" in settings[0].__dict__ else {}


class _BySymmetry(Setting[Any]):
    """The part of a machine that some formulas depend on, and representatives of its reachable states."""

    def __init__(self, session: Session, machine: Machine, inputs: frozenset[str], own: tuple[Permutation, ...]) -> None:
        super().__init__(session, machine, inputs)
        self.generators = own
        self.movers: list[Mover[Any]] = [mover(self.arena.base, one) for one in own]

    @cached_property
    def explored(self) -> Explored[Any]:
        space, options = self.arena.base, self._session.options
        return symmetry_mc(
            space, space.empty, self.movers, self._session.run, start=self.arena.start, under=subset_of(space, options.subset),
            thin=thinning_of(space, self.generators, options.representatives), rounds=options.rounds or None,
        )  # fmt: skip

    def keeps(self, violating: Automaton) -> bool:
        """Do the symmetries keep what each edge of an automaton reads? If not, they are no symmetries of the product."""
        guards = dict.fromkeys(guard for edges in violating.edges for guard, _, _ in edges)
        is_kept = keeps(self.arena.base, map(violating.alphabet.expr, guards))
        return all(map(is_kept, self.generators))

    @property
    def facts(self) -> dict[str, Statistic]:
        number = self.arena.base.count(self.explored.representatives)
        return {"symmetries": Group(self.generators, self._session.run).order, "representatives": number}


# The quotient


class OrbitSetting(_BySymmetry):
    """Sets are computed on M_m, and closed."""

    def __init__(self, session: Session, machine: Machine, inputs: frozenset[str], own: tuple[Permutation, ...]) -> None:
        super().__init__(session, machine, inputs, own)
        self.on_representatives = self
        self.arena = ClosedArena(self.arena, lambda: self.closing.states(self.explored.representatives))

    @cached_property
    def explored(self) -> Explored[Any]:
        if not sorts(self._session.options):
            return super().explored
        return search_sorted(
            self.arena.base, self.arena.base.empty, self._sorter, self.movers, self._session.run, start=self.arena.start
        )

    @cached_property
    def _sorter(self) -> Sorter:
        return Sorter(symbolic(self.arena.base), self.generators, self._session.run)

    @cached_property
    def closing(self) -> Orbits[Any]:
        return OrbitsByClosing(self.arena.base, self.explored.representatives, self.movers, self._session.run)

    @cached_property
    def small(self) -> QuotientArena:
        rep, algorithm, base = self.explored.representatives, self._session.options.algorithm, self.arena.base
        orbits, kind = self.closing, Quotient
        if sorts(self._session.options) and self._sorter.unique:
            orbits = SortedOrbits(symbolic(base), rep, self.movers, self._sorter, self._session.run)
            kind = SortedQuotient
        elif algorithm == "create-xi":
            from coarsest.reduce.symmetry.representative_relation import create_xi

            orbits = create_xi(base, self.generators, rep, self._session.run)  # type: ignore[arg-type]
        elif algorithm == "orbit-to-xi":
            from coarsest.reduce.symmetry.orbit_relation_jha import orbit_to_xi

            orbits = orbit_to_xi(base, self.generators, self._session.run)  # type: ignore[arg-type]
            rep = orbits.representatives(self.arena.reached)
        return QuotientArena(self.arena, rep, orbits, kind)

    @cached_property
    def ctl(self) -> CtlOnStates[Any]:
        return CtlByOrbits(self, self._session.run, fair_algorithm=self._session.options.of(FairStates).fair)

    def lifted(self, path: Path[Any]) -> Path[Any]:
        """A path of the quotient as one of the model."""
        return Path(*lifted(self.arena.space, self.small.orbits, path.states, path.loop, self._session.run))

    def ctl_star(self, formula: Expr) -> tuple[bool, Path[Any] | None]:
        from coarsest.check.products.ctl_star import CtlStarByAutomaton

        checker = CtlStarByAutomaton(self.small, self._session.run, fair_algorithm=self._session.options.of(FairStates).fair)
        if self.small.first <= checker.satisfying(formula):
            return True, None
        violation = checker.lasso(negate(formula.args[0])) if isinstance(formula, Apply) and formula.op == "A" else None
        return False, None if violation is None else self.lifted(violation[1])

    def violation(self, violating: Automaton) -> Callable[[], Path[Any]] | None:
        """A fair path of the model that the automaton accepts, if there is one: looked for on representatives."""
        from coarsest.check.products.ltl import violation_in_partition
        from coarsest.space.partitioned import PartitionedSpace

        small, algorithm = self.small, self._session.options.of(FairStates).fair
        fair = CtlOnStates(small, self._session.run, fair_algorithm=algorithm).fair
        path = violation_in_partition(
            PartitionedSpace(small.space, violating), self._session.run, small.start, fair, reachable=small.reached,
            fair_algorithm=algorithm,
        )  # fmt: skip
        return None if path is None else lambda: self.lifted(path())


class ClosedArena(Arena[Any]):
    """All reachable states: the orbits of the representatives."""

    def __init__(self, arena: Arena[Any], reached: Callable[[], Any]) -> None:
        super().__init__(arena.base, [v.name for v in arena.inputs], arena.run, start=arena.start, search=arena.search)
        self._reached = reached

    @cached_property
    def reached(self) -> Any:
        return self._reached()


class QuotientArena(Arena[Any]):
    """M_m, with a step from every state."""

    def __init__(self, whole: Arena[Any], rep: Any, orbits: Orbits[Any], kind: type[Quotient[Any]]) -> None:
        space = kind(whole.space, rep, orbits)
        super().__init__(whole.base, [v.name for v in whole.inputs], whole.run, start=space.initial)
        self.whole, self.rep, self.orbits = whole, rep, orbits
        self.reached, self.space = rep, space

    def forget(self, states: Any) -> Any:
        return self.orbits.representatives(self.whole.forget(self.orbits.states(states))) & self.rep if self.inputs else states

    @cached_property
    def first(self) -> Any:
        return self.whole.first & self.rep

    @cached_property
    def stuck(self) -> Any:
        return self.whole.stuck & self.rep

    @cached_property
    def total(self) -> bool:
        return self.whole.total


class CtlByOrbits(CtlOnStates[Any]):
    """CTL of the model; each set is computed on representatives, unless the symmetries do not keep that part of the formula."""

    def __init__(self, setting: OrbitSetting, run: Run, *, fair_algorithm: str = "auto") -> None:
        super().__init__(setting.arena, run, fair_algorithm=fair_algorithm)
        self._small = CtlOnStates(setting.small, run, fair_algorithm=fair_algorithm)
        self._orbits, self._generators = setting.small.orbits, setting.generators

    def _compute(self, formula: Expr) -> Any:
        if not is_temporal(formula) or not all(map(keeps(self.arena.base, boolean_parts(formula)), self._generators)):
            return super()._compute(formula)
        return self._orbits.states(self._small.satisfying(formula)) & self.space.states

    @cached_property
    def fair(self) -> Any:
        return self._orbits.states(self._small.fair) & self.space.states


# The restricted model


class RestrictedSetting(_BySymmetry):
    """Only paths among representatives are looked at: what they refute is false."""

    def __init__(self, session: Session, machine: Machine, inputs: frozenset[str], own: tuple[Permutation, ...]) -> None:
        super().__init__(session, machine, inputs, own)
        self.on_representatives = self
        self.arena = RestrictedArena(self.arena, lambda: self.explored.representatives)

    def ctl_star(self, formula: Expr) -> tuple[bool, Path[Any] | None]:
        raise AssertionError("a formula about all paths is one of LTL here")

    def violation(self, violating: Automaton) -> Callable[[], Path[Any]] | None:
        """A fair path among representatives, or one among them to where every continuation is accepted, and on in the model."""
        from coarsest.check.products.ltl import bad_vertices, violation_in_partition
        from coarsest.space.partitioned import PartitionedSpace

        arena, run, algorithm = self.arena, self._session.run, self._session.options.of(FairStates).fair
        product = PartitionedSpace(arena.space, violating)
        bad = bad_vertices(violating)
        fairness = arena.base.fairness
        if bad is None or fairness.justice or fairness.compassion or (arena.inputs and arena.may_be_stuck):
            fair = fair_states(arena.space, run, arena.space.states, algorithm)
            return violation_in_partition(product, run, arena.first, fair, reachable=arena.space.empty, fair_algorithm=algorithm)
        goal = product.at(bad, arena.space.states)
        rings = BreadthFirst(product, product.at(violating.initial, arena.first)).meet(goal, run)
        if rings is None:
            return None
        prefix = [product.of_system(state) for state in path_to(product, rings, goal)]
        return lambda: self._continued(prefix)

    def _continued(self, prefix: Sequence[Any]) -> Path[Any]:
        """A path of the model that goes on for ever; it leaves the representatives, if it must."""
        assert isinstance(self.arena, RestrictedArena)
        run, whole = self._session.run, self.arena.whole
        after = explore(whole, run, prefix[-1])
        inside = RestrictedSpace(whole, after)
        return fair_lasso(inside, run, prefix[-1], after, fair_hull(inside, run, after)).after(prefix)


class RestrictedArena(Arena[Any]):
    """M|Rep. A state counts as stuck only if it is so in the model; paths may end in other states, too."""

    def __init__(self, arena: Arena[Any], rep: Callable[[], Any]) -> None:
        super().__init__(arena.base, [v.name for v in arena.inputs], arena.run, start=arena.start)
        self._rep = rep

    @cached_property
    def reached(self) -> Any:
        return self._rep()

    @cached_property
    def leaving(self) -> Any:
        return self.base.pre(self.base.states) & self.reached

    @cached_property
    def first(self) -> Any:
        leads_on = self.leaving | self.stuck if self.inputs and self.may_be_stuck else self.base.states
        return self.start & leads_on & self.reached

    @cached_property
    def whole(self) -> StateSpace[Any]:
        """The model, with a step from every state."""
        return self._total(self.base)

    def _total(self, space: StateSpace[Any]) -> StateSpace[Any]:
        if not self.may_be_stuck:
            return space
        stuck = self.base.states - self.forget(self.base.pre(self.base.states))
        return Total(space, stuck, self.forget)

    @cached_property
    def space(self) -> StateSpace[Any]:
        narrowed = Among(symbolic(self.base), self.reached) if self.base.holds_diagrams else self.base
        return RestrictedSpace(self._total(narrowed), self.reached)


def require_universal(formula: Expr) -> None:
    """Raise Unsupported unless the formula speaks only of all paths: a part of the model refutes no other formulas."""
    from coarsest.errors import InputError
    from coarsest.logic.branching.actl import universal

    try:
        universal(formula)
    except InputError as problem:
        message = f"a part of the model can only refute statements about all paths: {problem.diagnostic.message}"
        raise Unsupported(message, formula.span, hint="use --algorithm create-xi") from None
