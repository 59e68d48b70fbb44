"""What `check` will try for a property, in which order and with which budgets, without doing any of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import inf
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from coarsest import tuning
from coarsest.check.answers import Checker
from coarsest.check.decide.classify import asked, searched_as_invariant
from coarsest.check.setting.arena import machine_for
from coarsest.check.strategy import COMPANION, MILLION, WAYS, Attempt, around, attempts, bits, contenders, has_companion
from coarsest.logic.show import show
from coarsest.model.machine import Machine, Property
from coarsest.model.parts.part import Part, cone
from coarsest.model.unbounded import unbounded_variables
from coarsest.options.engines import ALONG, BRANCHING, FIRST_OF, INVARIANTS, LINEAR, QUANTITIES, engine_asked_for
from coarsest.options.relations import REDUCTIONS

ON_REACHABLE_STATES = "the model has constraints, and may have states without successor"


class Plan(Struct, frozen=True):
    """What is tried for one property. The number of bits is an upper bound: equal variables are looked for in the run."""

    name: str
    formula: str
    decided_as: str
    bits: int | None
    reduced: str
    attempts: tuple[Attempt, ...]

    def to_object(self) -> dict[str, Any]:
        """For programs; a budget that is not limited is null."""
        rows = [
            {
                "way": attempt.way, "work": None if attempt.work == inf else int(attempt.work),
                "if": attempt.condition, "beside": list(COMPANION) if attempt.beside else [], "why": attempt.why,
            }
            for attempt in self.attempts
        ]  # fmt: skip
        about = {"name": self.name, "formula": self.formula, "decided_as": self.decided_as}
        return {**about, "bits": self.bits, "reduced": self.reduced, "attempts": rows}

    def lines(self) -> Iterator[str]:
        """For people."""
        size = "variables without bounds" if self.bits is None else f"at most {self.bits} bits"
        yield f"{self.name + ': ' if self.name else ''}{self.formula}"
        yield f"    decided as {self.decided_as}, {size}"
        if self.reduced:
            yield f"    first, the model is reduced: properties are decided {self.reduced}"
        for number, attempt in enumerate(self.attempts, 1):
            budget = "" if attempt.work == inf else f", {attempt.work / MILLION:g} million units of work"
            only = f", if {attempt.condition}" if attempt.only else ""
            yield f"    {number}. {attempt.way}{budget}{only}: {attempt.why}"
            if attempt.beside:
                after = f"after {tuning.WORK_BEFORE_COMPANION / MILLION:g} million units"
                yield f"       beside {' and '.join(COMPANION)} in a second process, {after} or one long operation"


class Plans(Struct, frozen=True):
    """What is tried for the properties of one model."""

    properties: tuple[Plan, ...]

    def lines(self) -> Iterator[str]:
        """For people; ways that are no engines are explained at the end."""
        for plan in self.properties:
            yield from plan.lines()
        if not self.properties:
            yield "the model has no properties"
        used = {attempt.way for plan in self.properties for attempt in plan.attempts}
        yield from (f"{way}: {meaning}" for way, meaning in WAYS.items() if way in used)

    def to_object(self) -> dict[str, Any]:
        return {"properties": [plan.to_object() for plan in self.properties], "ways": dict(WAYS)}


def plans(checker: Checker, claims: Sequence[Property]) -> Plans:
    """What is tried for each property."""
    return Plans(tuple(_plan(checker, asked(claim)) for claim in claims))


def _plan(checker: Checker, claim: Property) -> Plan:
    session, options = checker.session, checker.session.options
    good = searched_as_invariant(claim, session.machine, options)
    kind = INVARIANTS if good is not None else claim.kind.claim or str(claim.kind)
    conditions = [claim.formula if good is None else good]
    machine = Part(session.machine).then(cone(conditions)).machine if good is not None and options.cone else session.machine
    if good is None:
        machine, _ = machine_for(session.machine, conditions, cone=options.cone)
    size = None if unbounded_variables(machine) else bits(machine)
    where = around(session, claim)
    relation = "bisimulation" if options.reduce == "none" else options.reduce
    reduced = REDUCTIONS[relation] if where.name in ("on-orbits", "by-symmetry", "on-quotient") else ""
    rows = tuple(_rows(checker, claim, kind, machine))
    return Plan(claim.name, claim.text or show(claim.formula), kind, size, reduced, rows)


def _rows(checker: Checker, claim: Property, kind: str, machine: Machine) -> Iterator[Attempt]:
    session, options = checker.session, checker.session.options
    if around(session, claim).name == FIRST_OF:
        why = f"{tuning.CONTENDERS_AT_ONCE} at a time, each in a process of its own; the first answer wins"
        yield Attempt(" and ".join(contenders(session, claim)), why)
        return
    asked = engine_asked_for(kind, options.engine)
    if options.depth and asked is None and kind in (INVARIANTS, LINEAR):
        yield Attempt("bmc", f"you asked for paths of up to {options.depth} steps")
    elif asked is not None:
        yield Attempt(asked.name, "you asked for it")
    elif options.ltl_method != "auto" and kind == LINEAR:
        yield Attempt(options.ltl_method, "you asked for it")
    elif kind == INVARIANTS and (session.spaces.carrier != "bdd" or unbounded_variables(machine)):
        way = "both-ends" if session.by_formulas else "forward"
        yield Attempt(way, f"sets of states are held by the carrier '{session.spaces.carrier}'")
    elif kind == INVARIANTS:
        yield from attempts(INVARIANTS, machine)
    elif kind == LINEAR:
        beside = session.spaces.carrier == "bdd" and has_companion(machine)
        yield from (replace(attempt, beside=beside) for attempt in attempts(LINEAR, machine))
    elif kind == BRANCHING:
        if session.spaces.carrier != "bdd" or machine.may_be_stuck:
            yield Attempt("reachable-states", ON_REACHABLE_STATES if machine.may_be_stuck else "states are listed")
        else:
            yield from attempts(BRANCHING, machine)
    else:
        yield Attempt({QUANTITIES: "distances", ALONG: "gste"}.get(kind, "reachable-states"), "there is one engine for it")
