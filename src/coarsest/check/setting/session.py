"""What all checks of one machine share: options, limits, and the spaces that have been built."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from copy import copy
from functools import cached_property
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar, cast

from msgspec import Struct, field
from msgspec.structs import replace

from coarsest import tuning
from coarsest.check.invariants.invariant import InvariantChecker
from coarsest.check.setting.arena import Arena, hinted_steps, machine_for
from coarsest.check.setting.evidence_budget import EvidenceBudget
from coarsest.check.setting.merging import merged
from coarsest.check.setting.traces import trace_of
from coarsest.errors import ModelProblem
from coarsest.evidence.confirmation import UNASKED, Confirmation, Replayed
from coarsest.evidence.verdict import Unknown, Verdict
from coarsest.logic.branching.vacuity import irrelevant_parts
from coarsest.logic.expr import Expr
from coarsest.logic.show import show
from coarsest.model.machine import Kind, Machine, Property
from coarsest.model.parts.cone_of_influence import restrict_to
from coarsest.model.parts.part import Part, beside, promoted, without
from coarsest.model.parts.watch import watch_names
from coarsest.model.trace import Trace
from coarsest.options.engines import FairStates, Searching
from coarsest.options.methods import BuildOptions, GsteOptions
from coarsest.options.methods import CheckOptions as CheckOptions
from coarsest.run import Run, Statistic
from coarsest.search.witness import Path
from coarsest.space.carrier import Carrier
from coarsest.space.carriers import spaces_by, spaces_for
from coarsest.space.space import S, StateSpace

if TYPE_CHECKING:
    from coarsest.automata.automaton import Automaton
    from coarsest.check.questions.finding import Settled
    from coarsest.check.setting.ctl import CtlOnStates
    from coarsest.evidence.assertion_graph_answer import AssertionGraphPath
    from coarsest.evidence.explanation import Explanation
    from coarsest.evidence.reading import Reading
    from coarsest.reduce.symmetry.group.permutation import Permutation
    from coarsest.space.bdd.symbolic import SymbolicSet

T = TypeVar("T")


class Decision(Struct, frozen=True):
    """A verdict with its confirmation, and all else that is reported of a property."""

    verdict: Verdict
    warnings: tuple[str, ...] = ()
    facts: Mapping[str, Statistic] = field(default_factory=dict)
    along: AssertionGraphPath | None = None
    """For an assertion graph that fails: the path through graph and model."""
    reading: Reading | None = None

    @property
    def confirmed(self) -> bool:
        return not isinstance(self.verdict, Unknown) and self.verdict.confirmed


class OnRepresentatives(Protocol):
    """How paths are looked for where symmetric states are represented by some of them."""

    generators: tuple[Permutation, ...]

    def keeps(self, violating: Automaton) -> bool:
        """Do the symmetries keep what each edge of an automaton reads?"""

    def violation(self, violating: Automaton) -> Callable[[], Path[Any]] | None:
        """A fair path of the model that an automaton accepts, if one is found."""

    def ctl_star(self, formula: Expr) -> tuple[bool, Path[Any] | None]:
        """Does a formula of CTL* hold in the initial states? If not, a path that violates it, where one does."""


class Setting(Generic[S]):
    """The part of the machine that some formulas depend on, ready for CTL."""

    on_representatives: OnRepresentatives | None = None

    def __init__(self, session: Session, machine: Machine, inputs: frozenset[str]) -> None:
        part = Part(machine).then(session.merged)
        self.machine, self.merged = part.machine, part.merged
        """Variables that are always equal to others are definitions here."""
        self.inputs = inputs
        own = frozenset(machine.variables)
        self.own = session.machine if len(own) == len(session.machine.variables) else restrict_to(session.machine, own)
        """The part as the user wrote it: inputs are inputs there. Traces are about it."""
        self._part = Part(self.own).then(promoted(inputs)).then(session.merged)
        self._session = session

    @cached_property
    def arena(self) -> Arena[S]:
        """Built when it is asked for: not every engine has sets of states."""
        space: Carrier[S] = self._session.spaces.space(self.machine)
        arena = Arena(space, self.inputs, self._session.run, search=self._session.options.of(Searching).search)
        if not space.only_reachable:
            arena.searching = self._session.searches(space).searching
        return arena

    def stands_on(self, spaces: Collection[object]) -> bool:
        """Is its space one of these, named by their identities?"""
        return "arena" in vars(self) and id(self.arena.base) in spaces

    def trace(self, path: Path[S], space: Carrier[S] | None = None) -> Trace:
        """A path of the space, or of a product beside it, as a trace."""
        space = self.arena.base if space is None else space
        return self.own_trace(trace_of(space, path), space.machine)

    def own_trace(self, trace: Trace, product: Machine) -> Trace:
        """A trace of a machine that has the variables of this one, and more."""
        return self._part.then(lambda machine: beside(product, machine)).back(trace)

    def explain(self, states: S, formula: Expr) -> Explanation:
        """Why a formula of CTL is true, or false, in one of some states."""
        from coarsest.check.setting.explain import Explainer

        return Explainer(self.ctl, self.trace).explain(self.arena.base.pick(states), formula)

    @cached_property
    def ctl(self) -> CtlOnStates[S]:
        """The checker of CTL. It needs the reachable states, which not every method does."""
        from coarsest.check.setting.ctl import CtlOnStates

        return CtlOnStates(self.arena, self._session.run, fair_algorithm=self._session.options.of(FairStates).fair)


class Session:
    """One machine being checked."""

    def __init__(self, machine: Machine, build: BuildOptions, options: CheckOptions, run: Run) -> None:
        self.machine, self.build, self.options, self.run = machine, build, options, run
        self.spaces = spaces_for(machine, build, run)
        self.show: Callable[[Expr], str] = show
        """How formulas about this machine are written for the user, who may know it by other names."""
        self.how_along = GsteOptions()
        """How assertion graphs are checked, as far as this is not among the other options."""
        self.watches = watch_names()
        self.claims: Sequence[Property] = ()
        """All that is to be decided."""
        self.settled: dict[int, Settled] = {}
        """What is known of properties before they are asked for, by the identity of what the user wrote."""
        self.at_end: list[Callable[[], None]] = []
        """What is to be done when everything is decided."""
        self.evidence = EvidenceBudget(run)
        self._warnings: dict[str, str] = {}
        self._made: dict[tuple[int, str], tuple[object, Any]] = {}
        self._merged: dict[frozenset[tuple[str, Kind]], Mapping[str, Expr]] = {}
        self._settings: dict[tuple[frozenset[str], frozenset[str]], Setting[Any]] = {}
        self._siblings: dict[str, Session] = {}
        self._measured: list[Mapping[str, Statistic]] = []

    @property
    def by_formulas(self) -> bool:
        """Are sets of states formulas here?"""
        return self.spaces.carrier == "smt"

    def once(self, owner: object, what: str, make: Callable[[], T]) -> T:
        """What belongs to an owner, such as a space, made the first time it is asked for."""
        key = id(owner), what
        if key not in self._made:
            self._made[key] = owner, make()  # holding the owner keeps its identity its own
        return cast("T", self._made[key][1])

    def searches(self, space: Carrier[S]) -> InvariantChecker[S]:
        """The searches of a space, which serve one property after another."""
        search = self.options.of(Searching).search
        chaining = search == "chaining" or (search == "auto" and len(space.parts) > 1)

        def checker() -> InvariantChecker[S]:
            return InvariantChecker(space, by_chaining=chaining, hints=hinted_steps(space, self.run))

        return self.once(space, "searches", checker)

    @property
    def by_replay(self) -> Confirmation:
        """The confirmation of a trace that is replayed wherever confirmations are asked for."""
        return Replayed() if self.options.confirms else UNASKED

    def begin_anew(self) -> None:
        """Discard the spaces: an abandoned thread still works on them."""
        self.spaces, self._siblings = spaces_for(self.machine, self.build, self.run), {}
        self._settings, self._made = {}, {key: made for key, made in self._made.items() if made[0] is self}

    def release(self, cone: frozenset[str], needed: Collection[frozenset[str]]) -> None:
        """Forget the spaces that are no longer needed, and all that stands on them: the cone is that of the last claim, and
        those of later claims are needed."""
        gone: set[object] = set(map(id, self.spaces.release(cone, needed)))
        for key, setting in list(self._settings.items()):
            if setting.stands_on(gone):
                gone.add(id(self._settings.pop(key)))
        for made, (owner, _) in list(self._made.items()):
            if id(owner) in gone:
                del self._made[made]
        for other in self._siblings.values():
            other.release(cone, needed)

    def sibling(self, name: str, machine: Machine, *, carrier: str = "") -> Session:
        """The session of that name for a variant of the machine, with spaces of its own. Warnings are shared."""
        if name not in self._siblings:
            other = self._siblings[name] = copy(self)
            other.machine, other.build = machine, replace(self.build, carrier=carrier) if carrier else self.build
            other.spaces = spaces_by(carrier or self.spaces.carrier, other.build, self.run)
            other._settings, other._siblings, other.settled = {}, {}, {}
        return self._siblings[name]

    def without_fairness(self) -> Session:
        """The session in which paths need not be fair, and variables of fairness need not be kept."""
        machine = self.machine
        if not (machine.justice or machine.compassion):
            return self
        return self.sibling("without fairness", replace(machine, justice=(), compassion=()))

    def merged(self, machine: Machine) -> Part:
        """The machine without variables that are constant or always equal to another, where sets are BDDs and it may pay."""
        if not self.options.merge or self.spaces.carrier != "bdd":
            return Part(machine)
        key = frozenset((name, variable.kind) for name, variable in machine.variables.items())
        if key not in self._merged:
            self._merged[key] = merged(machine, self.run, self.machine.variables).merged
        return without(self._merged[key])(machine)

    def account_for(self, facts: Mapping[str, Statistic]) -> None:
        """Count the cost of a search whose sets are in no space of the session."""
        self._measured.append(facts)

    def statistics(self) -> Mapping[str, Statistic]:
        """The statistics of the largest space."""
        own = [session.spaces.statistics() for session in (self, *self._siblings.values())]
        measure = "peak_nodes" if self.by_formulas else self.spaces.measure  # what has bounds is decided with BDDs
        return max([*own, *self._measured], key=lambda facts: facts.get(measure, 0))

    def order(self) -> list[str]:
        """The final order of variables of the largest space built."""
        return max((session.spaces.order() for session in (self, *self._siblings.values())), key=len)

    @property
    def warnings(self) -> tuple[str, ...]:
        """What was noticed about the model as a whole, and makes verdicts vacuous."""
        return tuple(self._warnings.values())

    @property
    def warned(self) -> Mapping[str, str]:
        """The same by topics; to set it takes back the warnings of an attempt that came to nothing."""
        return dict(self._warnings)

    @warned.setter
    def warned(self, warnings: Mapping[str, str]) -> None:
        self._warnings.clear()
        self._warnings.update(warnings)

    def warn(self, topic: str, message: str = "") -> None:
        """Warn once of a topic, which is the message without details."""
        self._warnings.setdefault(topic, message or topic)

    def warn_as(self, other: Session) -> None:
        """Take over the topics of warnings about a machine made from this one, but no details: its states are others."""
        for topic in other._warnings:
            self.warn(topic)

    def setting(self, roots: Collection[Expr]) -> Setting[Any]:
        """The setting for formulas over these expressions; formulas that depend on the same variables share it."""
        machine, inputs = machine_for(self.machine, roots, cone=self.options.cone)
        key = (frozenset(machine.variables), inputs)
        if key not in self._settings:
            self._settings[key] = Setting(self, machine, inputs)
        return self._settings[key]

    def on_bdds(self, setting: Setting[Any]) -> Setting[SymbolicSet[Any]]:
        """The same setting where sets are BDDs: certificates are made of decision diagrams, whatever decided the formula."""
        if self.spaces.carrier == "bdd":
            return setting
        return Setting(self.sibling("with BDDs", self.machine, carrier="bdd"), setting.machine, setting.inputs)

    def vacuity(self, formula: Expr, still_holds: Callable[[Expr], bool] | None, *, most: int | None = None) -> tuple[str, ...]:
        """Warnings about the parts of a formula that holds which do not matter."""
        if not self.options.vacuity or still_holds is None or self.evidence.left <= 0:
            return ()

        def matters_not(stronger: Expr) -> bool:
            try:
                return still_holds(stronger)
            except ModelProblem:  # the part that was left out guards one without a value everywhere
                return False

        parts: dict[str, None] = {}

        def look() -> None:
            for part in irrelevant_parts(formula, matters_not, most=tuning.PARTS_TRIED_FOR_VACUITY if most is None else most):
                parts[self.show(part)] = None

        self.evidence.unless_long(self.run, look)
        return tuple(f"holds vacuously: '{part}' does not matter" for part in parts)


def is_never_true(premise: Expr, reached: S, space: StateSpace[S]) -> bool:
    """Does the premise of an implication hold in none of these states?"""
    try:
        return not reached & space.where(premise)
    except ModelProblem:  # a part of it has no value everywhere, and is guarded elsewhere
        return False
