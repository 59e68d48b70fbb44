"""The step relation as a union of events, one for each choice of a scheduler.

Reference: Burch, Clarke, Long 1991 (disjunctive partitions); Solé, Pastor 2002 for chaining with them.
Symbols:   –
Invariant: the union of the events is the step relation. An event mentions only the variables it changes; all others stay.
Deviates:  the scheduler is recognised by meaning, not by syntax: a variable such that, once it has a value, most next-value
           equations become x' = x. `process` declarations and `case run != i : x; …` both show it.
Cost:      one small schedule per event; recognition takes one cofactor per value and equation that mentions the candidate.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Final, Generic

from msgspec import Struct

from coarsest import tuning
from coarsest.bdd.protocol import F
from coarsest.model.machine import Kind, Variable
from coarsest.run import Run
from coarsest.space.bdd.relation.early_quantification import cluster
from coarsest.space.bdd.relation.monolithic import Monolithic
from coarsest.space.bdd.relation.schedule import schedule
from coarsest.space.bdd.relation.step import Conjunct, Step

MOST_CHOICES: Final = 256
"""A variable with more values is no scheduler."""


class SchedulerChoice(Struct, Generic[F], frozen=True):
    """What is left of the step under one condition: when the scheduler has a certain value."""

    condition: Conjunct[F]
    unchanged: frozenset[str]
    conjuncts: tuple[Conjunct[F], ...]


class SchedulerEvent(Generic[F]):
    """The steps of one choice."""

    def __init__(self, step: Step[F], choice: SchedulerChoice[F], run: Run) -> None:
        manager = self.manager = step.manager
        layout = step.layout
        stays = {after: now for name in choice.unchanged for now, after in zip(*_places(step, name), strict=True)}
        frame = manager.substitution({after: manager.var(now) for after, now in stays.items()})
        kept, of_all = [choice.condition], set(map(id, step.conjuncts))
        for conjunct in choice.conjuncts:
            if conjunct.target in choice.unchanged:
                continue
            if conjunct.support & stays.keys() or id(conjunct) not in of_all:  # it may mention less than before
                relation = manager.substitute(conjunct.relation, frame) if conjunct.support & stays.keys() else conjunct.relation
                conjunct = Conjunct(relation, conjunct.target, frozenset(manager.support(relation)))
            kept.append(conjunct)
        changing = {after: now for after, now in layout.now_of_after.items() if after not in stays}
        free = _independent(changing, kept)
        about_free = [c for c in kept if c.support and c.support <= free]
        clusters = cluster(manager, [c for c in kept if c not in about_free], limit=1000, run=run)
        parts, supports = [c.relation for c in clusters], [c.support for c in clusters]
        both = [*parts, *(c.relation for c in about_free)], [*supports, *(c.support for c in about_free)]
        self.forwards = schedule(manager, *both, [*changing.values(), *step.inputs])
        self.backwards = schedule(manager, parts, supports, [*(changing.keys() - free), *step.inputs])
        self.to_now = manager.substitution({a: manager.var(n) for a, n in changing.items()})
        self.to_after = manager.substitution({n: manager.var(a) for a, n in changing.items() if a not in free})
        self.changing = frozenset(changing.values())
        self.free = manager.cube(changing[after] for after in free)
        self.free_values = manager.true
        for conjunct in about_free:
            self.free_values = self.free_values & manager.substitute(conjunct.relation, self.to_now)

    def post(self, states: F) -> F:
        return self.manager.substitute(self.forwards.apply(self.manager, states), self.to_now)

    def pre(self, states: F) -> F:
        states = self.manager.and_exists(states, self.free_values, self.free)
        return self.backwards.apply(self.manager, self.manager.substitute(states, self.to_after))

    def pre_within(self, states: F, most_live: int) -> F | None:
        states = self.manager.and_exists(states, self.free_values, self.free)
        return self.backwards.apply_within(self.manager, self.manager.substitute(states, self.to_after), most_live)


def _independent(changing: Collection[int], conjuncts: Sequence[Conjunct[F]]) -> frozenset[int]:
    """Next bits whose values depend on nothing but one another, as those of the scheduler as a rule.

    Before a preimage they are forgotten at once: a set in which each process has another turn has as many parts as processes.
    """
    free = frozenset(changing)
    while mixed := [c.support for c in conjuncts if c.support & free and not c.support <= free]:
        free = free.difference(*mixed)
    return free


def union_if_small(step: Step[F], choices: Sequence[SchedulerChoice[F]], run: Run) -> Monolithic[F] | None:
    """The step relation in one piece, if it has few nodes: event by event, since all choices together are hard to quantify."""
    union = step.manager.false
    for choice in choices:
        event = Monolithic.joined(step, (choice.condition, *choice.conjuncts), run, tuning.RELATION_NODES_BESIDE_EVENTS)
        if event is None:
            return None
        union = union | event.relation
        if step.manager.size(union) > tuning.RELATION_NODES_BESIDE_EVENTS:
            return None
    return Monolithic(step, union)


class Disjunctive(Generic[F]):
    """The events; a single image is computed with the `whole` relation instead, where one is given because it is small."""

    def __init__(
        self,
        step: Step[F],
        scheduler: Variable,
        choices: Sequence[SchedulerChoice[F]],
        run: Run,
        *,
        whole: Monolithic[F] | None = None,
    ) -> None:
        self.manager = step.manager
        self.whole = whole
        self.scheduler = scheduler
        events = [SchedulerEvent(step, choice, run) for choice in choices]
        depth = {place: level for level, place in enumerate(self.manager.order)}
        own = set(step.layout.slots[scheduler.name].now)
        # From the bottom of the order upwards: what an event changes below is settled before the levels above see it.
        self.events = sorted(events, key=lambda e: -min((depth[p] for p in e.changing - own), default=0))

    def post(self, states: F) -> F:
        if self.whole is not None:
            return self.whole.post(states)
        result = self.manager.false
        for event in self.events:
            result = result | event.post(states)
        return result

    def pre(self, states: F) -> F:
        if self.whole is not None:
            return self.whole.pre(states)
        result = self.manager.false
        for event in self.events:
            result = result | event.pre(states)
        return result

    def pre_within(self, states: F, most_live: int) -> F | None:
        if self.whole is not None:
            return self.whole.pre_within(states, most_live)
        result = self.manager.false
        for event in self.events:
            leading = event.pre_within(states, most_live)
            if leading is None:
                return None
            result = result | leading
        return result


def find_scheduler(
    step: Step[F], *kinds: Kind, free: bool = False, alone: bool = False
) -> tuple[Variable, list[SchedulerChoice[F]]] | None:
    """The variable whose choice leaves most of the others unchanged, if there is one, of these kinds or of any.

    With `free`, only one that takes its turns without regard to the others: the counter of a program is none.
    If nobody is to move but who was chosen, an address is no scheduler: beside the word that it chooses, other registers change.
    Nor is a clock with two phases.
    """
    best: tuple[float, Variable, list[SchedulerChoice[F]]] | None = None
    changes: dict[str, F] = {}
    moving = _moving(step)
    for variable in step.machine.of_kind(*(kinds or (Kind.STATE, Kind.INPUT))):
        if not 2 + alone <= variable.type.size <= MOST_CHOICES or (free and not _is_free(step, variable)):
            continue
        places = frozenset(step.layout.slots[variable.name].now)
        scheduled = [c for c in step.conjuncts if c.target in step.machine.next_values and c.support & places]
        if len(scheduled) < 2 or not _rules(step, variable, moving, scheduled, 0.0 if alone else tuning.BITS_MOVING_BESIDE):
            continue
        changes = changes or _changes(step)
        if not _may_schedule(step, variable, scheduled, changes):
            continue
        choices = _choices(step, variable, scheduled)
        if not all(choice.unchanged for choice in choices):
            continue
        if alone and _movers(step, choices, scheduled) > tuning.CHOICES_FOR_A_BIT:
            continue
        share = sum(len(choice.unchanged) for choice in choices) / (len(choices) * len(scheduled))
        # A scheduler has a turn for everyone: of two candidates the one that frees more equations altogether.
        score = share * len(scheduled)
        if share >= tuning.UNCHANGED_SHARE and (best is None or score > best[0]):
            best = (score, variable, choices)
    return None if best is None else best[1:]


def _moving(step: Step[F]) -> frozenset[str]:
    """The variables that do not always stay as they are."""
    slots, var = step.layout.slots, step.manager.var
    staying = (name for name, bits in step.functions.items()
               if all(bit == var(place) for bit, place in zip(bits, slots[name].now, strict=True)))  # fmt: skip
    return frozenset(variable.name for variable in step.machine.of_kind(Kind.STATE)).difference(staying)


def _rules(step: Step[F], variable: Variable, moving: Collection[str], scheduled: Sequence[Conjunct[F]], most: float) -> bool:
    """Do few bits move that do not depend on it, by those that do? Supports tell it, before anything is computed."""
    dependent = {conjunct.target for conjunct in scheduled}
    bits = {name: len(step.layout.slots[name].now) for name in moving}
    beside = sum(bits[name] for name in bits.keys() - dependent - {variable.name})
    return beside <= most * sum(bits[name] for name in bits.keys() & dependent)


def _movers(step: Step[F], choices: Sequence[SchedulerChoice[F]], scheduled: Sequence[Conjunct[F]]) -> float:
    """How many choices change a bit, in the mean."""
    bits = {name: len(step.layout.slots[name].now) for conjunct in scheduled if (name := conjunct.target) is not None}
    changed = sum(bits[name] for choice in choices for name in bits.keys() - choice.unchanged)
    return changed / max(1, sum(bits.values()))
def _is_free(step: Step[F], variable: Variable) -> bool:
    """Does its next value depend on nothing but itself?"""
    own = frozenset(place for places in _places(step, variable.name) for place in places)
    return all(conjunct.support <= own for conjunct in step.conjuncts if conjunct.target == variable.name)


def _changes(step: Step[F]) -> dict[str, F]:
    """When a variable changes, for each whose next value is a function and whose bits have no illegal combinations."""
    manager, changes = step.manager, dict[str, F]()
    for name, bits in step.functions.items():
        if step.domains[name] == manager.true:
            changes[name] = manager.false
            for now, bit in zip(step.layout.slots[name].now, bits, strict=True):
                changes[name] = changes[name] | (manager.var(now) ^ bit)
    return changes


def _may_schedule(step: Step[F], variable: Variable, scheduled: Sequence[Conjunct[F]], changes: Mapping[str, F]) -> bool:
    """Could its choice leave enough others unchanged? A quick look, before equations are simplified for each value.

    Where one value lets everything move, it enables that, and chooses nobody.
    """
    manager = step.manager
    values = list(variable.type.values())
    least = tuning.UNCHANGED_SHARE * len(values) * len(scheduled)
    left = len(values) * len(scheduled)
    for value in values:
        chosen = manager.true
        for place, bit in step.layout.literals(variable, value).items():
            chosen = chosen & (manager.var(place) if bit else ~manager.var(place))
        before = left
        for conjunct in scheduled:
            change = changes.get(conjunct.target or "")
            left -= change is not None and change & chosen != manager.false
            if left < least:
                return False
        if before - left == len(scheduled):
            return False
    return True


def _choices(step: Step[F], variable: Variable, scheduled: Sequence[Conjunct[F]]) -> list[SchedulerChoice[F]]:
    manager = step.manager
    identity = {c.target: _identity(step, c.target) for c in scheduled if c.target is not None}
    choices = []
    for value in variable.type.values():
        literals = step.layout.literals(variable, value)
        conjuncts, unchanged = [], set()
        for conjunct in step.conjuncts:
            if not conjunct.support & literals.keys():
                conjuncts.append(conjunct)
                continue
            relation = manager.restrict(conjunct.relation, literals)
            if conjunct.target in identity and relation & step.domains[conjunct.target] == identity[conjunct.target]:
                unchanged.add(conjunct.target)
            conjuncts.append(Conjunct(relation, conjunct.target, conjunct.support - literals.keys()))
        chosen = manager.true
        for place, bit in literals.items():
            chosen = chosen & (manager.var(place) if bit else ~manager.var(place))
        condition = Conjunct(chosen, None, frozenset(literals))
        choices.append(SchedulerChoice(condition, frozenset(unchanged), tuple(conjuncts)))
    return choices


def _identity(step: Step[F], name: str) -> F:
    """x' = x for legal values of x."""
    result = step.domains[name]
    for now, after in zip(*_places(step, name), strict=True):
        result = result & ~(step.manager.var(now) ^ step.manager.var(after))
    return result


def _places(step: Step[F], name: str) -> tuple[tuple[int, ...], tuple[int, ...]]:
    slots = step.layout.slots[name]
    return slots.now, slots.after
